//! What rescued answers were before an option saved them.

use super::formats::{Formats, Model, Subset};
use crate::archive::{Actual, Gradability, Record, SubAnswer};
use crate::grade::python;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Readings, Statistic, moments};

/// The statistic `mcq-mechanism`.
pub(crate) struct ChoiceMechanism;

/// Relative error above which an answer is far wrong.
const FAR: f64 = 0.15;
/// Relative distances at which a computed value counts as seen again in the option response.
const SEEN: [(&str, f64); 2] = [("2", 0.02), ("5", 0.05)];
/// Upper ends of the error bins, with their keys.
const BINS: [(&str, f64); 5] = [("0-5", 0.05), ("5-10", 0.1), ("10-15", 0.15), ("15-50", 0.5), ("50-100", 1.0)];

static ABOUT: About = About {
    id: "mcq-mechanism",
    also: &[],
    title: "How rescues come about",
    unit: "count",
    meaning: "Whether a rescued answer was nearly right when computed or far off; whether the far-off value is seen again in the response that \
              picks the right letter (the option snapped it); and how often some parts of a many-part answer were right.",
    formula: "Over rescues on sound templates. Error of a failed sub = min over accepted values e ≠ 0 of |actual - e| / |e|; error of a record = \
              the largest over its failed subs. never-ran: no graded details; near-miss: error ≤ 15 %; far-wrong: the rest. seen: far-wrong \
              records of problems with one sub whose value occurs in the option response within 2 % (or 5 %). multi: rescues of problems with \
              several subs; partial: those with at least one right sub.",
    source: "Rule mcq-mechanism of the study. That the largest error of a record counts is this tool's reading.",
    edge_cases: "A missing or textual value, or one for which 0 is right, has no error and is far wrong. The median is over far-wrong errors that are \
                 numbers. Undefined where computed answers are archived as verdicts only; seen also where no option response is archived.",
    example: "Computed 1798 for 584.5: error 208 %, far wrong; the option response says 1800: seen.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "model", meaning: "configuration key; absent for the sum over models" },
        KeyDoc { key: "tolerance", meaning: "match in percent, for seen and seen-rate" },
        KeyDoc { key: "bin", meaning: "error in percent, for errors" },
    ],
    measures: &[
        ("rescues", "rescues on sound templates"),
        ("far-wrong", "far-wrong rescues"),
        ("near-miss", "near misses"),
        ("never-ran", "rescues without a computed answer"),
        ("median-error", "median error of far-wrong rescues, percent"),
        ("single-far", "far-wrong rescues of problems with one sub"),
        ("seen", "of those, values seen again in the option response"),
        ("seen-rate", "the same in percent"),
        ("seen-share", "values seen again (2 %), percent of all rescues"),
        ("multi-share", "rescues of problems with several subs, percent of all rescues"),
        ("partial-rate", "of those, with at least one right sub, percent"),
        ("partial-share", "the same, percent of all rescues"),
        ("errors", "rescues by error"),
    ],
};

/// Counts of one model or of all.
#[derive(Debug, Clone, Default)]
struct Counts {
    rescues: usize,
    far: usize,
    near: usize,
    never: usize,
    errors: Vec<f64>,
    /// Errors of all rescues with one, near misses included.
    all_errors: Vec<f64>,
    single_far: usize,
    seen: [usize; 2],
    /// Why values cannot be looked for, when they cannot.
    unseen: Option<String>,
    multi: usize,
    partial: usize,
}

impl Statistic for ChoiceMechanism {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let set = ("set", formats.set.id.as_str());
            let mut sum: Result<Counts, String> = Err("no model has both formats".into());
            for model in formats.models() {
                let counts = formats.positions(Subset::Clean).and_then(|positions| {
                    let verdicts = model.verdicts(&positions)?;
                    let rescues = verdicts.into_iter().filter(|&(_, option, code)| option && !code);
                    count(evidence, &formats, &model, &rescues.map(|(at, ..)| at).collect::<Vec<_>>())
                });
                put(&mut out, &[set, ("model", model.key)], &counts);
                // A model without one format leaves the sum alone; one with bare verdicts spoils it.
                if model.verdicts(&[]).is_ok() {
                    sum = match (sum, counts) {
                        (_, Err(reason)) => Err(reason),
                        (Ok(sum), Ok(counts)) => Ok(sum.plus(counts)),
                        (Err(_), Ok(counts)) => Ok(counts),
                    };
                }
            }
            put(&mut out, &[set], &sum);
        }
        out
    }
}

fn count(
    evidence: &Evidence<'_>,
    formats: &Formats<'_>,
    model: &Model<'_, '_>,
    rescues: &[usize],
) -> Result<Counts, String> {
    let mut counts = Counts { rescues: rescues.len(), ..Counts::default() };
    for &at in rescues {
        let record = model.code_record(at).ok_or("a computed answer is missing")?;
        let subs = formats.set.get(formats.id(at)).map_or(0, |problem| problem.subs().len());
        if record.gradability() == Gradability::Unknown {
            return Err("only verdicts are archived, not the computed answers".into());
        }
        let details: &[SubAnswer] = record.details.as_deref().unwrap_or_default();
        if subs > 1 {
            counts.multi += 1;
            counts.partial += usize::from(details.iter().any(|detail| detail.passed));
        }
        if details.is_empty() {
            counts.never += 1;
            continue;
        }
        let error = error(record);
        counts.all_errors.extend(error);
        if error.is_some_and(|error| error <= FAR) {
            counts.near += 1;
            continue;
        }
        counts.far += 1;
        counts.errors.extend(error);
        if subs == 1 {
            counts.single_far += 1;
            match (numbers(evidence, model, at), &details[0].actual) {
                (Err(reason), _) => counts.unseen = Some(reason),
                (Ok(numbers), Actual::Number(value)) => {
                    for ((_, tolerance), seen) in SEEN.into_iter().zip(&mut counts.seen) {
                        let again = |number: &f64| (number - value).abs() <= tolerance * value.abs();
                        *seen += usize::from(numbers.iter().any(again));
                    }
                }
                (Ok(_), Actual::Missing | Actual::Text(_)) => {}
            }
        }
    }
    Ok(counts)
}

/// Error of a record: the largest over its failed subs; `None` when one of them has none.
fn error(record: &Record) -> Option<f64> {
    let failed = record.details.iter().flatten().filter(|detail| !detail.passed);
    let mut largest: Option<f64> = None;
    for detail in failed {
        let Actual::Number(actual) = detail.actual else { return None };
        let expected = detail.expected.iter().filter_map(|text| python::float(text)).filter(|e| *e != 0.0);
        let error = expected.map(|e| (actual - e).abs() / e.abs()).min_by(f64::total_cmp)?;
        if !error.is_finite() {
            return None;
        }
        largest = Some(largest.map_or(error, |largest| largest.max(error)));
    }
    largest
}

/// Numbers of the option response at a position.
fn numbers<'e>(evidence: &Evidence<'e>, model: &Model<'_, '_>, at: usize) -> Result<&'e [f64], String> {
    const NONE: &str = "no option response is archived";
    let (key, record) = model.option_run().zip(model.option_record(at)).ok_or(NONE)?;
    if record.attempts.as_ref().is_none_or(Vec::is_empty) {
        return Err(NONE.into());
    }
    let run = evidence.archive.runs.iter().position(|run| run.key == *key).ok_or(NONE)?;
    let position =
        evidence.archive.runs[run].records.binary_search_by(|own| own.id.cmp(&record.id)).map_err(|_| NONE)?;
    let reading: &Readings = evidence.readings.get(run).and_then(|run| run.get(position)).ok_or(NONE)?;
    Ok(&reading.numbers)
}

impl Counts {
    fn plus(mut self, other: Self) -> Self {
        self.rescues += other.rescues;
        self.far += other.far;
        self.near += other.near;
        self.never += other.never;
        self.errors.extend(other.errors);
        self.all_errors.extend(other.all_errors);
        self.single_far += other.single_far;
        self.seen = [self.seen[0] + other.seen[0], self.seen[1] + other.seen[1]];
        self.unseen = self.unseen.or(other.unseen);
        self.multi += other.multi;
        self.partial += other.partial;
        self
    }
}

fn put(out: &mut Output, keys: &[(&str, &str)], counts: &Result<Counts, String>) {
    let counts = match counts {
        Ok(counts) => counts,
        Err(reason) => {
            let mut writer = out.on(ABOUT.id, Basis::Records, keys);
            for (measure, _) in ABOUT.measures {
                writer.put(measure, Estimate::undefined(reason.clone()));
            }
            return;
        }
    };
    let all = counts.rescues;
    let seen = |estimate: Estimate| counts.unseen.clone().map_or(estimate, Estimate::undefined);
    let median = moments::median(&counts.errors).map(|median| 100.0 * median);
    out.on(ABOUT.id, Basis::Records, keys)
        .put("rescues", Estimate::count(all))
        .put("far-wrong", Estimate::out_of(counts.far, all))
        .put("near-miss", Estimate::out_of(counts.near, all))
        .put("never-ran", Estimate::out_of(counts.never, all))
        .put("median-error", Estimate::or(median, "no far-wrong answer is a number"))
        .put("single-far", Estimate::count(counts.single_far))
        .put("seen-share", seen(Estimate::percent(counts.seen[0], all)))
        .put("multi-share", Estimate::percent(counts.multi, all))
        .put("partial-rate", Estimate::percent(counts.partial, counts.multi))
        .put("partial-share", Estimate::percent(counts.partial, all));
    for ((tolerance, _), found) in SEEN.into_iter().zip(counts.seen) {
        let keys: Vec<_> = keys.iter().copied().chain([("tolerance", tolerance)]).collect();
        out.on(ABOUT.id, Basis::Records, &keys)
            .put("seen", seen(Estimate::out_of(found, counts.single_far)))
            .put("seen-rate", seen(Estimate::percent(found, counts.single_far)));
    }
    let mut low = f64::NEG_INFINITY;
    for (bin, high) in BINS.into_iter().chain([("over-100", f64::INFINITY)]) {
        let inside = counts.all_errors.iter().filter(|&&error| low < error && error <= high).count();
        let keys: Vec<_> = keys.iter().copied().chain([("bin", bin)]).collect();
        out.fact(ABOUT.id, "errors", &keys, Estimate::count(inside), Basis::Records);
        low = high;
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::archive::{Attempt, AttemptOutcome};
    use crate::statistics::Facts;
    use crate::statistics::fixture::Fixture;

    fn value(facts: &Facts, measure: &str, more: &[(&str, &str)]) -> Estimate {
        let keys: Vec<_> = [("set", "mcq"), ("model", "m")].into_iter().chain(more.iter().copied()).collect();
        facts.get("mcq-mechanism", measure, &keys).unwrap().estimate.clone()
    }

    fn code(study: &mut Fixture) -> &mut Vec<Record> {
        let run = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "mcq_code").unwrap();
        &mut run.records
    }

    #[test]
    fn far_near_and_never() {
        let mut study = study();
        // Rescues on sound templates: T1_2 (returned 2 for 1) and T3_1 (ungradable).
        let facts = Facts::new(study.compute(&ChoiceMechanism).facts);
        assert_eq!(value(&facts, "rescues", &[]), Estimate::count(2));
        assert_eq!(value(&facts, "far-wrong", &[]), Estimate::out_of(1, 2));
        assert_eq!(value(&facts, "never-ran", &[]), Estimate::out_of(1, 2));
        assert_eq!(value(&facts, "median-error", &[]).point(), Some(100.0));
        assert_eq!(value(&facts, "errors", &[("bin", "50-100")]), Estimate::count(1));
        assert_eq!(value(&facts, "seen", &[("tolerance", "2")]), Estimate::undefined("no option response is archived"));
        code(&mut study)[1].details.as_mut().unwrap()[0].actual = Actual::Number(1.12);
        let facts = Facts::new(study.compute(&ChoiceMechanism).facts);
        assert_eq!(value(&facts, "near-miss", &[]), Estimate::out_of(1, 2));
        assert_eq!(value(&facts, "errors", &[("bin", "10-15")]), Estimate::count(1));
    }

    #[test]
    fn a_value_seen_again_in_the_option_response() {
        let mut study = study();
        let attempt = |outcome| Attempt { outcome, usage: None, response_bytes: 1, has_reasoning: false };
        let option = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "mcq_option").unwrap();
        for record in &mut option.records {
            record.details = None;
            record.attempts = Some(vec![attempt(AttemptOutcome::Graded)]);
        }
        let reading = |run: &crate::archive::Run| {
            let numbers = if run.key.experiment.as_str() == "mcq_option" { vec![7.0, 2.05] } else { Vec::new() };
            vec![Readings { numbers, ..Readings::default() }; run.records.len()]
        };
        let readings: Vec<Vec<Readings>> = study.archive.runs.iter().map(reading).collect();
        let evidence = Evidence { readings: &readings, ..study.evidence() };
        let facts = Facts::new(ChoiceMechanism.compute(&evidence).facts);
        // 2.05 is 2.5 % from the computed 2: seen at 5 % only.
        assert_eq!(value(&facts, "seen", &[("tolerance", "2")]), Estimate::out_of(0, 1));
        assert_eq!(value(&facts, "seen-rate", &[("tolerance", "5")]), Estimate::percent(1, 1));
        assert_eq!(facts.get("mcq-mechanism", "rescues", &[("set", "mcq")]).unwrap().estimate, Estimate::count(2));
    }

    #[test]
    fn the_largest_error_of_a_record_counts_and_the_nearest_alternative() {
        let mut record = study().archive.runs[0].records[1].clone();
        let detail = record.details.as_ref().unwrap()[0].clone();
        let with = |expected: &[&str], actual: Actual, passed: bool| SubAnswer {
            expected: expected.iter().map(|&text| text.into()).collect(),
            actual,
            passed,
            ..detail.clone()
        };
        let number = Actual::Number;
        record.details = Some(vec![
            with(&["10", "20"], number(18.0), false),
            with(&["1"], number(9.0), true),
            with(&["4"], number(5.0), false),
        ]);
        assert_eq!(error(&record), Some(0.25));
        for missing in [with(&["0"], number(1.0), false), with(&["1"], Actual::Missing, false)] {
            record.details.as_mut().unwrap().push(missing);
            assert_eq!(error(&record), None);
            record.details.as_mut().unwrap().pop();
        }
    }
}
