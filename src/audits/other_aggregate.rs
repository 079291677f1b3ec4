//! A printed majority that is the mean of the runs, or the reverse.

use super::{About, Audit, Looked, Origin, Raised, Subject};
use crate::claims::{Judgement, Link, Printed};
use crate::statistics::{Facts, Keys};

const ABOUT: About = About {
    id: "mean-or-majority",
    title: "Mean or majority",
    question: "Is a printed mean over runs the share solved by the majority of runs, or the reverse?",
    method: "For printed numbers that rest on one mean or one majority, the other one of the same runs is looked up. \
             A number is raised when it does not follow from the value that is meant and does follow from the other.",
    items: "printed means and majorities of which both are known and differ",
    nothing: "no printed number rests on a mean or a majority of which the other is known and differs",
    code: "other-aggregate",
};

/// Two ways to aggregate the same runs: statistic and measure, and what it is called.
type Way = (&'static str, &'static str, &'static str);

const PAIRS: &[(Way, Way)] = &[(
    ("accuracy-mean-sd", "mean", "mean over runs"),
    ("majority-of-3", "percent", "share solved by the majority of runs"),
)];

/// Values of the key `basis` that say which of two ways a fact is, with the measure of each.
const BASES: &[(Way, Way)] =
    &[(("run-mean", "mean", "mean over runs"), ("majority-of-3", "percent", "share solved by the majority of runs"))];

pub(super) struct OtherAggregate;

impl Audit for OtherAggregate {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn is_about_claims(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        for claim in &subject.judgements.claims {
            let ([part], [link]) = (claim.parts.as_slice(), claim.links.as_slice()) else { continue };
            let (Some(value), Some(printed)) = (part.value, Printed::read(&part.printed)) else { continue };
            let Some((other, is, meant)) = other(subject.sources.facts, link) else { continue };
            // Where both print alike, nothing can be told.
            if agrees(claim, &printed, value) && agrees(claim, &printed, other) {
                continue;
            }
            looked.checked += 1;
            if part.verdict.contradicts() && agrees(claim, &printed, other) {
                looked.raised.push(Raised::claim(claim, Origin::OtherAggregate { printed: is, meant }));
            }
        }
        looked
    }
}

/// True when a value prints like the number; only shares in percent are compared.
fn agrees(claim: &Judgement, printed: &Printed, value: f64) -> bool {
    let (low, high) = printed.interval();
    claim.unit == "percent" && value >= low - 1e-9 && value <= high + 1e-9
}

/// The value of the other way, what it is and what was meant.
fn other(facts: &Facts, link: &Link) -> Option<(f64, &'static str, &'static str)> {
    let get = |statistic: &str, measure: &str, keys: &Keys| {
        let keys: Vec<(&str, &str)> = keys.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        facts.get(statistic, measure, &keys)?.estimate.point()
    };
    let both = |pair: &(Way, Way)| [(pair.0, pair.1), (pair.1, pair.0)];
    for (own, other) in PAIRS.iter().flat_map(both) {
        if (link.source.as_str(), link.measure.as_str()) == (own.0, own.1) {
            return Some((get(other.0, other.1, &link.keys)?, other.2, own.2));
        }
    }
    let basis = link.keys.get("basis")?;
    for (own, other) in BASES.iter().flat_map(both) {
        if basis == own.0 && link.measure == own.1 {
            let mut keys = link.keys.clone();
            keys.insert("basis".to_owned(), other.0.to_owned());
            return Some((get(&link.source, other.1, &keys)?, other.2, own.2));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ALL;

    #[test]
    fn both_ways_of_every_pair_are_measures_that_exist() {
        let ways = PAIRS.iter().flat_map(|pair| [pair.0, pair.1]);
        for (statistic, measure, _) in ways {
            let about = ALL.iter().map(|known| known.about()).find(|about| about.id == statistic);
            let about = about.unwrap_or_else(|| panic!("no statistic {statistic}"));
            assert!(about.measures.iter().any(|(name, _)| *name == measure), "{statistic} has no {measure}");
        }
        let by_basis = |measure: &str| {
            let mut abouts = ALL.iter().map(|known| known.about());
            abouts.any(|about| {
                about.keys.iter().any(|key| key.key == "basis")
                    && about.measures.iter().any(|(name, _)| *name == measure)
            })
        };
        assert!(BASES.iter().flat_map(|pair| [pair.0.1, pair.1.1]).all(by_basis));
    }
}
