//! Every failed answer to a numeric variant, classified.

use std::collections::BTreeMap;

use super::pairing::{NEAR, Pairing, SAME, close, number};
use crate::archive::{Actual, Gradability, Record};
use crate::packs::atmoscoder::family::Family;
use crate::statistics::Evidence;
use crate::statistics::tally::RunOutcome;
use crate::study::Configuration;

/// What a failed answer is, first match first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// No graded details, or no number among the returned values.
    Ungradable,
    /// No returned number belongs to a sub that tells original and variant apart.
    Uninformative,
    /// Every such number is the original's, within 5 %.
    Echo,
    /// Every returned number with a reference is within 15 % of the variant's.
    NearMiss,
    /// Far from both.
    Other,
}

/// All kinds in their order of test.
pub(super) const KINDS: [Kind; 5] = [Kind::Ungradable, Kind::Uninformative, Kind::Echo, Kind::NearMiss, Kind::Other];

impl Kind {
    /// The word used in keys.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Ungradable => "ungradable",
            Self::Uninformative => "uninformative",
            Self::Echo => "echo",
            Self::NearMiss => "near-miss",
            Self::Other => "other",
        }
    }
}

/// One failed answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failure<'a> {
    /// Configuration.
    pub(super) configuration: &'a Configuration,
    /// Parent of the variant.
    pub(super) parent: &'a str,
    /// The configuration majority-solves the parent.
    pub(super) parent_solved: bool,
    /// What it is.
    pub(super) kind: Kind,
}

/// All failed answers of the configurations that pass the completeness gate.
#[derive(Debug, Clone)]
pub(super) struct Failures<'a> {
    /// In the order of configurations, parents, variants and runs.
    pub(super) list: Vec<Failure<'a>>,
    /// Answers, failed or not.
    pub(super) answers: usize,
    /// Variants.
    pub(super) variants: usize,
    /// Parents, sorted as strings.
    pub(super) parents: Vec<&'a str>,
    /// Configurations that enter, in declared order.
    pub(super) configurations: Vec<&'a Configuration>,
    /// Runs per configuration.
    pub(super) runs: usize,
}

impl Failures<'_> {
    /// Failures of one kind.
    pub(super) fn of(&self, kind: Kind) -> impl Iterator<Item = &Failure<'_>> {
        self.list.iter().filter(move |failure| failure.kind == kind)
    }

    /// Strict echoes: the configuration solves the parent.
    pub(super) fn strict(&self) -> impl Iterator<Item = &Failure<'_>> {
        self.of(Kind::Echo).filter(|failure| failure.parent_solved)
    }
}

impl<'a> Evidence<'a> {
    /// Failed answers to numeric variants.
    ///
    /// # Errors
    /// What is not archived.
    pub(super) fn failures(&self) -> Result<Failures<'a>, String> {
        let layout = self.layout(Family::Numeric)?;
        let set = layout.variants.set.ok_or("the variants are not archived")?;
        let mut found = Failures {
            list: Vec::new(),
            answers: 0,
            variants: layout.variants.problems.len(),
            parents: layout.parents.iter().map(|parent| parent.id).collect(),
            configurations: Vec::new(),
            runs: layout.variants.experiment.runs as usize,
        };
        let mut pairings = BTreeMap::new();
        for parent in &layout.parents {
            let Some(problem) = parent.problem else { return Err("the originals are not archived".into()) };
            for &at in &parent.variants {
                let variant = set.get(layout.variants.problems[at]).ok_or("a variant is not archived")?;
                pairings.insert(at, Pairing::new(problem, variant));
            }
        }
        for configuration in self.leaderboard() {
            let Ok(sides) = layout.sides(configuration.key.as_str()) else { continue };
            found.configurations.push(configuration);
            for parent in &layout.parents {
                let parent_solved = sides.core.solves(parent.core);
                for &at in &parent.variants {
                    for run in &sides.variants.runs {
                        found.answers += 1;
                        let Some(record) = run.records[at].filter(|_| run.outcomes[at] == RunOutcome::Fail) else {
                            continue;
                        };
                        let kind = classify(record, &pairings[&at])?;
                        found.list.push(Failure { configuration, parent: parent.id, parent_solved, kind });
                    }
                }
            }
        }
        if found.configurations.is_empty() { Err("no configuration is complete".into()) } else { Ok(found) }
    }
}

/// Classifies a failed record.
fn classify(record: &Record, pairing: &Pairing<'_>) -> Result<Kind, String> {
    if record.gradability() == Gradability::Unknown {
        return Err("only verdicts are archived, not the values that were returned".into());
    }
    let value = |actual: &Actual| match actual {
        Actual::Missing => None,
        Actual::Number(value) => Some(*value),
        Actual::Text(text) => number(text),
    };
    let details = record.details.iter().flatten();
    let returned: BTreeMap<&str, f64> = details.filter_map(|d| Some((&*d.sub, value(&d.actual)?))).collect();
    if returned.is_empty() {
        return Ok(Kind::Ungradable);
    }
    let mut telling = returned.iter().filter(|(sub, _)| pairing.telling.contains(**sub)).peekable();
    if telling.peek().is_none() {
        return Ok(Kind::Uninformative);
    }
    if telling.all(|(sub, &value)| close(value, pairing.parent[sub], SAME)) {
        return Ok(Kind::Echo);
    }
    let near = |(sub, &value): (&&str, &f64)| pairing.variant.get(sub).is_none_or(|&own| close(value, own, NEAR));
    Ok(if returned.iter().all(near) { Kind::NearMiss } else { Kind::Other })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::corpus::{Answer, Problem};
    use crate::statistics::fixture::{Fixture, problem, variant};

    fn answers(values: &[(&str, &str)]) -> Vec<Answer> {
        let answer = |&(sub, value): &(&str, &str)| Answer { sub: sub.into(), value: value.into(), unit: "".into() };
        values.iter().map(answer).collect()
    }

    /// One parent (10, 100) with five variants (20, 101), one run; configuration `a` solves the parent, `b`
    /// does not. Variants by returned values: nothing; sub 2 only; the parent's; a near miss; far off.
    pub(crate) fn study() -> Fixture {
        let parent = Problem { answers: answers(&[("1", "10"), ("2", "100")]), ..problem("p", "c", "low", 0) };
        let own =
            |n: u32| Problem { answers: answers(&[("1", "20"), ("2", "101")]), ..variant(&format!("p_v{n}"), "p", n) };
        let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false)])
            .set("core", "problems", None, vec![parent])
            .set("numeric", "numeric-variants", Some("core"), (1..=5).map(own).collect())
            .experiment("core_code", "core", "code", 1)
            .experiment("numeric_code", "numeric", "code", 1)
            .run("core_code", "a", 1, "P")
            .run("core_code", "b", 1, "F");
        for key in ["a", "b"] {
            study = study.run("numeric_code", key, 1, "UFFFF");
        }
        let returned: [&[(&str, Actual)]; 4] = [
            &[("1", Actual::Missing), ("2", Actual::Number(7.0))],
            &[("1", Actual::Text("10.4".into())), ("2", Actual::Number(-3.0))],
            &[("1", Actual::Number(22.9)), ("2", Actual::Number(101.0))],
            &[("1", Actual::Number(f64::NAN)), ("2", Actual::Number(101.0))],
        ];
        for run in study.archive.runs.iter_mut().filter(|run| run.key.experiment.as_str() == "numeric_code") {
            for (record, returned) in run.records.iter_mut().skip(1).zip(returned) {
                for (detail, (sub, actual)) in record.details.iter_mut().flatten().zip(returned) {
                    assert_eq!(&*detail.sub, *sub);
                    detail.actual = actual.clone();
                }
            }
        }
        study
    }

    #[test]
    fn the_first_match_decides() {
        let study = study();
        let failures = study.evidence().failures().unwrap();
        let kinds: Vec<Kind> = failures.list.iter().map(|failure| failure.kind).collect();
        assert_eq!(kinds[..5], KINDS);
        assert_eq!(kinds[5..], KINDS);
        assert_eq!((failures.answers, failures.strict().count()), (10, 1));
    }

    #[test]
    fn verdicts_alone_are_not_enough() {
        let mut study = study();
        for record in study.archive.runs.iter_mut().flat_map(|run| &mut run.records) {
            (record.details, record.failed_reason) = (None, None);
        }
        assert!(study.evidence().failures().unwrap_err().starts_with("only verdicts"));
    }

    #[test]
    fn a_returned_value_without_a_reference_is_no_obstacle_to_a_near_miss() {
        let mut study = study();
        let run = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "numeric_code").unwrap();
        let details = run.records[3].details.as_mut().unwrap();
        details[1].sub = "extra".into();
        details[1].actual = Actual::Number(1e9);
        let failures = study.evidence();
        assert_eq!(failures.failures().unwrap().list[3].kind, Kind::NearMiss);
    }
}
