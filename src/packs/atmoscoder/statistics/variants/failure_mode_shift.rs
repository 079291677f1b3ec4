//! Do variants fail in another way than originals: more answers that cannot be graded, more attempts?

use super::layout::{FAMILIES, Layout, Sides};
use crate::archive::{Gradability, Record, State};
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct FailureModeShift;

/// Mean attempts of two sides that differ by at most this share count as the same.
const SAME: f64 = 0.03;

static ABOUT: About = About {
    id: "failure-mode-shift",
    also: &[],
    title: "Failure modes of originals and variants",
    unit: "percent",
    meaning: "Two shares that a change of numbers or words should leave alone: failures that brought no gradable \
              answer, and attempts needed until one came. If they move, the difference between originals and \
              variants is partly one of formatting or of effort.",
    formula: "Over all runs and problems of a side: ungradable = 100 × #(fail without graded details) / #fail; \
              attempts = mean of num_attempts, where a stored 0 and a missing number count as 1. Sides: core = \
              the parents of the family, variants = its variants. same = configurations whose mean attempts on \
              the variants of every family lie within 3 % of those on its originals.",
    source: "Rule failure-mode-shift of the study.",
    edge_cases: "ungradable is undefined without failures and where an archive holds verdicts only, since a missing \
                 detail then says nothing; attempts is undefined where no record states its attempts. \
                 Configurations that do not pass the completeness gate are left out with that reason.",
    example: "97 of 200 failures without graded details: 48.5 %. Attempts 1.40 and 1.57 differ by 12 %.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "side", meaning: "`core` or `variants`" },
    ],
    measures: &[
        ("ungradable", "ungradable failures, percent of failures with counts"),
        ("attempts", "mean attempts"),
        ("same", "configurations whose attempts stay within 3 %, of those compared"),
    ],
};

impl Statistic for FailureModeShift {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        // By configuration: whether attempts stay, over the families compared so far.
        let mut same: Vec<Option<bool>> = evidence.leaderboard().map(|_| None).collect();
        let mut declared = false;
        for family in FAMILIES.into_iter().filter(|&family| evidence.family_set(family).is_some()) {
            declared = true;
            let layout = evidence.layout(family);
            for (configuration, same) in evidence.leaderboard().zip(&mut same) {
                let sides = layout.as_ref().map_err(Clone::clone).and_then(|layout| {
                    let sides = layout.sides(configuration.key.as_str())?;
                    Ok(both_sides(layout, sides))
                });
                let mut means = Vec::new();
                for (side, name) in ["core", "variants"].into_iter().enumerate() {
                    let keys = [("family", family.as_str()), ("model", configuration.key.as_str()), ("side", name)];
                    let (ungradable, attempts) = match &sides {
                        Ok(sides) => (ungradable(&sides[side]), attempts(&sides[side])),
                        Err(reason) => (Estimate::undefined(reason.clone()), Estimate::undefined(reason.clone())),
                    };
                    means.extend(attempts.point());
                    out.fact(ABOUT.id, "ungradable", &keys, ungradable, Basis::Records);
                    out.fact(ABOUT.id, "attempts", &keys, attempts, Basis::Records);
                }
                if let [core, variants] = means[..] {
                    *same = Some(same.unwrap_or(true) && (variants - core).abs() <= SAME * core);
                }
            }
        }
        let compared: Vec<bool> = same.into_iter().flatten().collect();
        let stay = compared.iter().filter(|&&same| same).count();
        let count = Some((stay as u64, compared.len() as u64));
        let estimate = match compared.len() {
            0 => Estimate::undefined("no configuration states its attempts on both sides"),
            _ => Estimate::Value { value: stay as f64, count, interval: None },
        };
        if declared {
            out.fact(ABOUT.id, "same", &[], estimate, Basis::Records);
        }
        out
    }
}

/// Records of both sides: the parents of the family, and its variants.
fn both_sides<'a>(layout: &Layout<'a>, sides: Sides<'_, 'a>) -> [Vec<&'a Record>; 2] {
    let of = |tally: &Tally<'a>, positions: &[usize]| -> Vec<&'a Record> {
        tally.runs.iter().flat_map(|run| positions.iter().filter_map(|&at| run.records[at])).collect()
    };
    let parents: Vec<usize> = layout.parents.iter().map(|parent| parent.core).collect();
    [of(sides.core, &parents), of(sides.variants, &layout.variants.all())]
}

fn ungradable(records: &[&Record]) -> Estimate {
    let failed: Vec<_> = records.iter().filter(|record| record.state() == State::Fail).collect();
    if failed.iter().any(|record| record.gradability() == Gradability::Unknown) {
        return Estimate::undefined("only verdicts are archived, not whether an answer could be graded");
    }
    let ungradable = failed.iter().filter(|record| record.gradability() == Gradability::Ungradable).count();
    Estimate::percent(ungradable, failed.len())
}

fn attempts(records: &[&Record]) -> Estimate {
    if records.iter().all(|record| record.num_attempts.is_none()) {
        return Estimate::undefined("no record states its number of attempts");
    }
    let total: usize = records.iter().map(|record| record.num_attempts.unwrap_or(1).max(1) as usize).sum();
    Estimate::value(total as f64 / records.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    fn study() -> Fixture {
        Fixture::new(&[("a", "A", false)])
            .set("core", "problems", None, ["p", "q"].map(|id| problem(id, "c", "low", 1)).into())
            .set("numeric", "numeric-variants", Some("core"), vec![variant("v", "p", 1), variant("w", "p", 2)])
            .experiment("core_code", "core", "code", 1)
            .experiment("numeric_code", "numeric", "code", 1)
            .run("core_code", "a", 1, "UF")
            .run("numeric_code", "a", 1, "UF")
    }

    fn value(study: &Fixture, measure: &str, side: &str) -> Estimate {
        let facts = Facts::new(study.compute(&FailureModeShift).facts);
        let keys = [("family", "numeric"), ("model", "a"), ("side", side)];
        facts.get("failure-mode-shift", measure, &keys).unwrap().estimate.clone()
    }

    #[test]
    fn only_parents_count_on_the_core_side() {
        assert_eq!(value(&study(), "ungradable", "core"), Estimate::percent(1, 1));
        assert_eq!(value(&study(), "ungradable", "variants"), Estimate::percent(1, 2));
    }

    #[test]
    fn attempts_count_zero_as_one_and_unknown_as_unknown() {
        let mut study = study();
        let numeric = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "numeric_code").unwrap();
        numeric.records[0].num_attempts = Some(0);
        numeric.records[1].num_attempts = Some(4);
        assert_eq!(value(&study, "attempts", "variants").point(), Some(2.5));
        let facts = Facts::new(study.compute(&FailureModeShift).facts);
        let same = facts.get("failure-mode-shift", "same", &[]).unwrap();
        assert_eq!(same.estimate, Estimate::Value { value: 0.0, count: Some((0, 1)), interval: None });
        for record in study.archive.runs.iter_mut().flat_map(|run| &mut run.records) {
            record.num_attempts = None;
            record.failed_reason = None;
            record.details = None;
        }
        assert_eq!(value(&study, "attempts", "core"), Estimate::undefined("no record states its number of attempts"));
        assert!(value(&study, "ungradable", "core").point().is_none());
    }
}
