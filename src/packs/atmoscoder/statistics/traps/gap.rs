//! Failures on traps whose original was solved in the same run, and what reasoning does to them.

use super::setup::Traps;
use crate::statistics::tally::{RunOutcome, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};
use crate::table::{Cell, Kind, Table};

/// The statistic `trap-gap`.
pub(crate) struct TrapGap;

static ABOUT: About = About {
    id: "trap-gap",
    also: &[],
    title: "Trap gap",
    unit: "points",
    meaning: "How often a configuration that can solve a problem fails once a condition is changed so that the usual \
              method no longer holds. It separates judgment from knowledge: unsolved originals do not count.",
    formula: "For run r: S_r = traps whose parent passed in run r of the originals; gap_r = 100 × #(failed traps in S_r) / \
              |S_r|; gap = mean of gap_r over the runs. Captured counts as failed. reduction = nonreasoning - reasoning \
              for the twins of a backbone. same-order = runs in which the configurations, sorted by their gap in that \
              run, come in the order of their mean gap.",
    source: "Rule trap-gap of the study.",
    edge_cases: "Runs are matched by number. A run with an empty S_r has no gap, and then the mean is undefined; so it is \
                 when runs of either side are missing. Traps with an infrastructure error leave S_r. Equal gaps in a run \
                 disturb no order.",
    example: "S_r of 66, 65 and 66 traps with 2, 2 and 1 failures: 3.03, 3.08 and 1.52, gap 2.54 points.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "run", meaning: "run number, for run" },
        KeyDoc { key: "backbone", meaning: "name of the backbone, for twins" },
    ],
    measures: &[
        ("gap", "mean over runs, points"),
        ("run", "gap of one run, with counts"),
        ("nonreasoning", "gap of a backbone without reasoning"),
        ("reasoning", "gap of a backbone with reasoning"),
        ("reduction", "nonreasoning minus reasoning, points"),
        ("same-order", "runs that order the configurations as the mean does, of all runs"),
    ],
};

/// Gap of one configuration: by run the number, failed traps and traps with a solved parent.
struct Gap {
    mean: f64,
    runs: Vec<(u32, usize, usize)>,
}

type Gaps<'t, 'a> = Vec<(&'t Tally<'a>, Result<Gap, String>)>;

impl Statistic for TrapGap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn orders(&self) -> &'static [&'static str] {
        &["same-order"]
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let set = ("set", traps.set.id.as_str());
            let gaps: Gaps<'_, '_> = traps.board.tallies.iter().map(|tally| (tally, gap(&traps, tally))).collect();
            for (tally, gap) in &gaps {
                let model = ("model", tally.key);
                out.fact(ABOUT.id, "gap", &[set, model], mean_of(gap), Basis::Records);
                for (number, failed, solved) in gap.iter().flat_map(|gap| &gap.runs) {
                    let number = number.to_string();
                    let keys = [set, model, ("run", number.as_str())];
                    out.fact(ABOUT.id, "run", &keys, Estimate::percent(*failed, *solved), Basis::Records);
                }
            }
            twins(&mut out, evidence, &gaps, set);
            out.fact(ABOUT.id, "same-order", &[set], same_order(&gaps), Basis::Records);
            out.tables.extend(table(evidence, &traps, &gaps));
        }
        out
    }
}

fn mean_of(gap: &Result<Gap, String>) -> Estimate {
    match gap {
        Ok(gap) => Estimate::value(gap.mean),
        Err(reason) => Estimate::undefined(reason.clone()),
    }
}

fn gap(traps: &Traps<'_>, tally: &Tally<'_>) -> Result<Gap, String> {
    tally.complete()?;
    let control = traps.control(tally.key)?;
    let mut runs = Vec::new();
    for run in &tally.runs {
        let number = run.run.key.run;
        let counts = |at: &usize| {
            traps.parent_outcome(control, *at, number) == Some(RunOutcome::Pass)
                && run.outcomes[*at] != RunOutcome::Excluded
        };
        let matched: Vec<usize> = traps.board.all().into_iter().filter(counts).collect();
        let failed = matched.iter().filter(|&&at| run.outcomes[at] == RunOutcome::Fail).count();
        if matched.is_empty() {
            return Err(format!("no original was solved in run {number}"));
        }
        runs.push((number, failed, matched.len()));
    }
    let gaps: Vec<f64> = runs.iter().map(|&(_, failed, solved)| 100.0 * failed as f64 / solved as f64).collect();
    let mean = moments::mean(&gaps).ok_or("no run")?;
    Ok(Gap { mean, runs })
}

fn twins(out: &mut Output, evidence: &Evidence<'_>, gaps: &Gaps<'_, '_>, set: (&str, &str)) {
    let of = |key: &str| gaps.iter().find(|(tally, _)| tally.key == key).map(|(_, gap)| mean_of(gap));
    for pair in evidence.study.twins() {
        // A backbone that was not asked about traps in both settings has no facts here.
        let both = (of(pair.plain.key.as_str()), of(pair.reasoning.key.as_str()));
        let (Some(plain), Some(reasoning)) = both else { continue };
        let reduction = match (plain.point(), reasoning.point()) {
            (Some(plain), Some(reasoning)) => Estimate::value(plain - reasoning),
            (None, _) => plain.clone(),
            (_, None) => reasoning.clone(),
        };
        out.on(ABOUT.id, Basis::Records, &[set, ("backbone", crate::statistics::names::backbone(&pair))])
            .put("nonreasoning", plain)
            .put("reasoning", reasoning)
            .put("reduction", reduction);
    }
}

/// Runs whose gaps do not contradict the order of the means.
fn same_order(gaps: &Gaps<'_, '_>) -> Estimate {
    let mut known: Vec<&Gap> = gaps.iter().filter_map(|(_, gap)| gap.as_ref().ok()).collect();
    known.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    let Some(runs) = known.iter().map(|gap| gap.runs.len()).min().filter(|_| known.len() > 1) else {
        return Estimate::undefined("fewer than two configurations have a gap");
    };
    // Fractions compared as whole numbers: a/b ≤ c/d.
    let ordered = |run: usize| {
        known.windows(2).all(|pair| {
            let ((_, a, b), (_, c, d)) = (pair[0].runs[run], pair[1].runs[run]);
            a * d <= c * b
        })
    };
    Estimate::out_of((0..runs).filter(|&run| ordered(run)).count(), runs)
}

/// Configurations by accuracy in the main experiment, descending.
fn table(evidence: &Evidence<'_>, traps: &Traps<'_>, gaps: &Gaps<'_, '_>) -> Option<Table> {
    let columns = [
        ("model", Kind::Text, ""),
        ("core_accuracy", Kind::Real, "percent"),
        ("trap_accuracy", Kind::Real, "percent"),
        ("trap_gap_pp", Kind::Real, "points"),
        ("setting", Kind::Text, ""),
    ];
    let statistics = ["accuracy-mean-sd", "trap-accuracy", "trap-gap"];
    let title = "Accuracy on originals and on traps, and the trap gap";
    let mut table = Table::new("F6_1_trap_gradient", title, &statistics, &columns);
    let main = evidence.main_board()?;
    let core = |key: &str| -> Result<f64, String> {
        let tally = main.tallies.iter().find(|tally| tally.key == key).ok_or("not asked")?;
        tally.complete()?;
        Ok(moments::mean(&tally.run_percents(&main.all())).ok_or("nothing was graded")?)
    };
    let cell = |value: Result<f64, String>, decimals: usize| match value {
        Ok(value) => Cell::fixed(value, decimals),
        Err(reason) => Cell::Undefined(reason.into()),
    };
    for configuration in evidence.by_accuracy() {
        let found = gaps.iter().find(|(tally, _)| tally.key == configuration.key.as_str());
        let Some((tally, gap)) = found else { continue };
        table.push(vec![
            Cell::text(tally.name()),
            cell(core(tally.key), 1),
            cell(traps.mean(tally), 1),
            cell(gap.as_ref().map(|gap| gap.mean).map_err(Clone::clone), 0),
            Cell::text(configuration.setting()),
        ]);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn denominators_are_matched_by_run() {
        let out = study().compute(&TrapGap);
        let facts = Facts::new(out.facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("trap-gap", measure, keys).unwrap().estimate.clone();
        let (set, m) = (("set", "traps"), ("model", "m"));
        // Run 1: all parents pass, traps F F P. Run 2: parent of c fails, traps F P. Run 3: parent of a
        // fails, traps F P for b and c.
        let runs = ["1", "2", "3"].map(|run| value("run", &[set, m, ("run", run)]));
        assert_eq!(runs, [Estimate::percent(2, 3), Estimate::percent(1, 2), Estimate::percent(1, 2)]);
        let mean = value("gap", &[set, m]).point().unwrap();
        assert!((mean - 500.0 / 9.0).abs() < 1e-12);
        let backbone = [set, ("backbone", "Model m")];
        assert!((value("reduction", &backbone).point().unwrap() - (mean - 100.0 / 3.0)).abs() < 1e-12);
        assert_eq!(value("same-order", &[set]), Estimate::out_of(3, 3));
        let csv = crate::table::to_csv(&out.tables[0]);
        assert_eq!(csv.lines().nth(1), Some("Model m-r,100.0,66.7,33,reasoning"));
        assert_eq!(csv.lines().nth(2), Some("Model m,77.8,33.3,56,non-reasoning"));
    }

    #[test]
    fn a_run_without_solved_originals_has_no_gap() {
        let study = study().run("trap_code", "x", 1, "PPP");
        let mut study = study;
        for record in study
            .archive
            .runs
            .iter_mut()
            .filter(|run| run.key.experiment.as_str() == "core_code")
            .flat_map(|run| &mut run.records)
        {
            record.passed = Some(false);
        }
        let facts = Facts::new(study.compute(&TrapGap).facts);
        let gap = |model| facts.get("trap-gap", "gap", &[("set", "traps"), ("model", model)]).unwrap().estimate.clone();
        assert_eq!(gap("m"), Estimate::undefined("no original was solved in run 1"));
        // A configuration that nobody declared is in no fact.
        assert!(facts.get("trap-gap", "gap", &[("set", "traps"), ("model", "x")]).is_none());
    }
}
