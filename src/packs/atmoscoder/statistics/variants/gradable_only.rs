//! The paired difference without answers that could not be graded.

use super::layout::{FAMILIES, Layout, Parent, Sides};
use crate::archive::{Gradability, State};
use crate::statistics::pairing::Counts;
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct GradableOnly;

static ABOUT: About = About {
    id: "gradable-only",
    also: &[],
    title: "Paired difference on gradable runs",
    unit: "points",
    meaning: "The difference between originals and variants after dropping runs that brought no gradable answer, on \
              both sides. If it shrinks, part of the difference was formatting and not substance.",
    formula: "A problem or variant is solved when more than half of its gradable runs pass; a parent is held when \
              more than half of its variants are solved. b, c, delta and the exact McNemar P as in paired-delta \
              and mcnemar-exact.",
    source: "Rule gradable-only of the study. How a majority is taken over fewer than three runs is not stated there; \
             this is the reading tried first.",
    edge_cases: "A problem or variant without a gradable run is not solved, and stays in n. Undefined where the archive \
                 holds verdicts only, and for configurations that do not pass the completeness gate.",
    example: "A variant with runs pass, ungradable, ungradable: one of one gradable run passes, so it is solved.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("delta", "difference in points"),
        ("p", "exact McNemar P, not adjusted"),
        ("lost", "b, parents"),
        ("gained", "c, parents"),
    ],
};

impl Statistic for GradableOnly {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for family in FAMILIES.into_iter().filter(|&family| evidence.family_set(family).is_some()) {
            let layout = evidence.layout(family);
            for configuration in evidence.leaderboard() {
                let pairs = layout.as_ref().map_err(Clone::clone).and_then(|layout| {
                    let sides = layout.sides(configuration.key.as_str())?;
                    gradable_pairs(layout, sides)
                });
                let estimates = match pairs {
                    Ok(pairs) => [
                        Estimate::value(pairs.loss()),
                        Estimate::value(pairs.p().to_f64()),
                        Estimate::count(pairs.lost),
                        Estimate::count(pairs.gained),
                    ],
                    Err(reason) => [(); 4].map(|()| Estimate::undefined(reason.clone())),
                };
                let keys = [("family", family.as_str()), ("model", configuration.key.as_str())];
                for (measure, estimate) in ["delta", "p", "lost", "gained"].into_iter().zip(estimates) {
                    out.fact(ABOUT.id, measure, &keys, estimate, Basis::Records);
                }
            }
        }
        out
    }
}

/// Whether a problem is solved by its gradable runs; an error when that is not archived.
fn solves(tally: &Tally<'_>, at: usize) -> Result<bool, String> {
    let (mut passed, mut gradable) = (0, 0);
    for record in tally.runs.iter().filter_map(|run| run.records[at]) {
        match record.gradability() {
            Gradability::Unknown => {
                return Err("only verdicts are archived, not whether an answer could be graded".into());
            }
            Gradability::Ungradable => {}
            Gradability::Graded => {
                gradable += 1;
                passed += usize::from(record.state() == State::Pass);
            }
        }
    }
    Ok(2 * passed > gradable)
}

fn gradable_pairs(layout: &Layout<'_>, sides: Sides<'_, '_>) -> Result<Counts, String> {
    if layout.parents.is_empty() {
        return Err("no parents".into());
    }
    let pair = |parent: &Parent<'_>| {
        let core = solves(sides.core, parent.core)?;
        let variants: Vec<bool> =
            parent.variants.iter().map(|&at| solves(sides.variants, at)).collect::<Result<_, _>>()?;
        let solved = variants.iter().filter(|&&solved| solved).count();
        Ok((core, 2 * solved > variants.len()))
    };
    layout.parents.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn ungradable_runs_are_dropped_on_both_sides() {
        let mut study = Fixture::new(&[("a", "A", false)])
            .set("core", "problems", None, ["p", "q"].map(|id| problem(id, "c", "low", 1)).into())
            .set("numeric", "numeric-variants", Some("core"), vec![variant("v", "p", 1), variant("w", "q", 1)])
            .experiment("core_code", "core", "code", 3)
            .experiment("numeric_code", "numeric", "code", 3);
        // p: solved; its variant passes once and is ungradable twice: lost as recorded, held when gradable.
        // q: solved once of one gradable run; its variant has no gradable run at all.
        for (run, core, numeric) in [(1, "PP", "PU"), (2, "PU", "UU"), (3, "FU", "UU")] {
            study = study.run("core_code", "a", run, core).run("numeric_code", "a", run, numeric);
        }
        let value = |study: &Fixture, measure: &str| {
            let facts = Facts::new(study.compute(&GradableOnly).facts);
            facts.get("gradable-only", measure, &[("family", "numeric"), ("model", "a")]).unwrap().estimate.clone()
        };
        assert_eq!([value(&study, "lost"), value(&study, "gained")], [Estimate::count(1), Estimate::count(0)]);
        assert_eq!((value(&study, "delta").point(), value(&study, "p").point()), (Some(50.0), Some(1.0)));
        study.archive.runs[0].records[0].details = None;
        study.archive.runs[0].records[0].passed = Some(false);
        assert!(value(&study, "delta").point().is_none());
    }
}
