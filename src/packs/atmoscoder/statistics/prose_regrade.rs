//! Prose answers graded again with what their text says: a conservative and a generous reading.

use crate::archive::State;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `direct-regrade`.
pub(crate) struct ProseRegrades;

const ID: &str = "direct-regrade";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Prose answers graded again",
    unit: "percent",
    meaning: "How much of the gap between programs and prose is a matter of reading: units that stand in the text but \
              not in the box, and numbers that stand in another box.",
    formula: "Over the records of the first run with graded values. Conservative: stored marks, and a failed value \
              passes when a unit found next to it in the text converts it to an accepted answer. Upper bound: that, or \
              when 1 to 8 boxed numbers can be assigned to the asked quantities, each number once, so that every \
              quantity passes. Stored = records that passed.",
    source: "Rules A and B of the study for prose answers; their results were not published.",
    edge_cases: "Undefined where the responses are not archived. Records without graded values are outside the \
                 denominator.",
    example: "Of 100 records 88 passed; 2 more are proven by units in the text, and 1 more is right with its boxes \
              swapped: stored 88, conservative 90, upper bound 91.",
    keys: &[KeyDoc { key: "set", meaning: "problem set" }, KeyDoc { key: "model", meaning: "configuration key" }],
    measures: &[
        ("stored", "records that passed, percent of those with graded values"),
        ("conservative", "with units recovered from the text"),
        ("upper-bound", "with any assignment of boxed numbers"),
    ],
};

impl Statistic for ProseRegrades {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let direct = evidence.study.experiments.iter().filter(|e| e.protocol() == "direct" && e.condition.is_none());
        for experiment in direct {
            for tally in &evidence.board(experiment).tallies {
                let keys = [("set", experiment.set.as_str()), ("model", tally.key)];
                let mut writer = output.on(ID, Basis::Records, &keys);
                match counts(evidence, experiment.id.as_str(), tally.key) {
                    Ok([all, stored, conservative, upper]) => {
                        writer.put("stored", Estimate::percent(stored, all));
                        writer.put("conservative", Estimate::percent(conservative, all));
                        writer.put("upper-bound", Estimate::percent(upper, all));
                    }
                    Err(reason) => {
                        writer.put("conservative", Estimate::undefined(reason));
                    }
                }
            }
        }
        output
    }
}

/// Records of the first run with graded values: all, passed, passed by A, passed by A or B.
fn counts(evidence: &Evidence<'_>, experiment: &str, configuration: &str) -> Result<[usize; 4], &'static str> {
    let mut runs = evidence.archive.runs.iter().zip(evidence.readings);
    let first = runs.find(|(run, _)| {
        let key = &run.key;
        key.experiment.as_str() == experiment && key.configuration.as_str() == configuration && key.run == 1
    });
    let (run, readings) = first.ok_or("the first run is not archived, or its texts were not read")?;
    let mut counts = [0; 4];
    for (record, reading) in run.records.iter().zip(readings) {
        let Some(regraded) = reading.prose else { continue };
        let stored = record.state() == State::Pass;
        let marks = [true, stored, regraded.conservative, regraded.upper_bound];
        counts.iter_mut().zip(marks).for_each(|(count, mark)| *count += usize::from(mark));
    }
    if counts[0] == 0 { Err("the responses are not archived") } else { Ok(counts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::statistics::{ProseRegrade, Readings};

    #[test]
    fn only_the_first_run_and_only_graded_records_count() {
        let problems = ["p1", "p2", "p3"].map(|id| problem(id, "c", "low", 1)).into();
        let study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_direct", "core", "direct", 2)
            .run("core_direct", "a", 1, "PFU")
            .run("core_direct", "a", 2, "PPP");
        let reading = |prose: Option<(bool, bool)>| Readings {
            prose: prose.map(|(conservative, upper_bound)| ProseRegrade { conservative, upper_bound }),
            ..Readings::default()
        };
        let readings = [
            vec![reading(Some((true, true))), reading(Some((false, true))), reading(None)],
            vec![Readings::default(); 3],
        ];
        let evidence = Evidence { readings: &readings, ..study.evidence() };
        let output = ProseRegrades.compute(&evidence);
        let value = |measure: &str| output.facts.iter().find(|f| f.measure == measure).unwrap().estimate.point();
        assert_eq!(["stored", "conservative", "upper-bound"].map(value), [Some(50.0), Some(50.0), Some(100.0)]);
        let without = ProseRegrades.compute(&study.evidence());
        assert!(without.facts.iter().all(|fact| fact.estimate.point().is_none()));
    }
}
