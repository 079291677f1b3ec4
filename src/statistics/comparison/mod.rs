//! Comparison: two arms over matched problems, as a study declares them.
//!
//! Variants, prompts, protocols, judges, environments, runs and releases are all this: what was solved on both
//! sides, lost, gained or never solved, how large the difference is, and whether it could be chance. The table of
//! what moved names every item behind a count.

mod arm;
mod moved;
mod pairs;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use arm::Side;
use pairs::Pairs;

use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, holm};
use crate::study::{self, Matching, Reduce, Unit};

/// Comparison of two arms over matched problems.
pub(super) struct Comparison;

static ABOUT: About = About {
    id: "comparison",
    also: &[],
    title: "Comparison of two arms over matched problems",
    unit: "points",
    meaning: "What changes for the same problems between two arms: two versions of the questions, two ways of asking, \
              two judges, two environments, two runs. Positive differences mean that more is solved after.",
    formula: "Several verdicts of a problem become one by the declared rule (majority of the expected runs, mean, any, \
              all, first), and problems derived from one item likewise; with the declared unit records, every verdict is paired \
              with that of the run of the same number instead. Over the n items with a verdict on both sides: \
              lost b, gained c; difference = 100 (c - b)/n points, with shares 100 Σ(after - before)/n. Wald: d ± 1.96 \
              √((Σd²/n - d²)/n). Bootstrap: 2.5 % and 97.5 % of 2,000 means over resampled items. McNemar: P = min(1, 2 \
              Σ_{i ≤ min(b,c)} C(b+c, i)/2^(b+c)), as a fraction. Holm over the declared family. Sign flip: the \
              differences of all configurations inside an item are added, and P is the share of all sign patterns over \
              items whose sum is at least as large.",
    source: "McNemar 1947; Agresti 2013, equation 11.2; Efron 1979; Holm 1979; Fisher 1935, section 21.",
    edge_cases: "A configuration of which runs or records are missing in an arm has no value, with the reason. Items with \
                 a verdict on one side only are counted as unmatched and enter nothing. Without lost and gained items P is \
                 1 and the interval has width 0. One item that differs gives a sign-flip P of 1 whatever its size. With \
                 shares, lost and gained are items whose share fell or rose, and the test is the sign test.",
    example: "13 lost and 1 gained of 74: difference = 100 × (1 - 13)/74 = -16.2 points, P = 15/8192 = 0.0018; as the third \
              smallest of 28 in its family 26 × 15/8192 = 0.048.",
    keys: &[
        KeyDoc { key: "comparison", meaning: "id of the comparison" },
        KeyDoc {
            key: "model",
            meaning: "configuration key (of the arm after); absent for all configurations together",
        },
        KeyDoc { key: "stratum", meaning: "label of problems by which the difference is split" },
        KeyDoc { key: "value", meaning: "value of that label" },
    ],
    measures: &[
        ("pairs", "items with a verdict on both sides"),
        ("unmatched", "items with a verdict on one side only"),
        ("before", "solved before, percent of the pairs"),
        ("after", "solved after, percent of the pairs"),
        ("both", "solved on both sides"),
        ("lost", "solved before and not after; with shares, items whose share fell"),
        ("gained", "solved after and not before; with shares, items whose share rose"),
        ("neither", "solved on neither side"),
        ("difference", "after minus before, points, with its Wald interval"),
        ("bootstrap", "the same difference with its bootstrap interval over items"),
        ("p", "exact McNemar P, not adjusted"),
        ("holm", "the same P adjusted over the declared family"),
        ("tests", "tests in the family"),
        ("clusters", "items whose differences do not add up to 0"),
        ("sign-flip", "sign-flip P over items, all configurations together"),
    ],
};

impl Statistic for Comparison {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let compared: Vec<Compared<'_, '_>> = evidence
            .study
            .comparisons
            .par_iter()
            .filter_map(|comparison| Compared::new(evidence, comparison))
            .collect();
        let mut output = Output::default();
        for one in &compared {
            one.facts(&mut output);
        }
        adjust(&mut output, &compared);
        output.tables.extend(moved::summary(&compared, &output));
        output.tables.extend(moved::table(&compared));
        output
    }
}

/// A comparison with what its arms hold.
struct Compared<'a, 'c> {
    declared: &'c study::Comparison,
    /// Configurations with their pairs, or why they have none.
    rows: Vec<(&'a str, Result<Pairs<'a>, String>)>,
    /// Labels of items: name, value and the items that carry it.
    strata: Vec<(&'c str, String, BTreeSet<&'a str>)>,
}

impl<'a, 'c> Compared<'a, 'c> {
    fn new(evidence: &Evidence<'a>, declared: &'c study::Comparison) -> Option<Self> {
        let before = Side::new(evidence, declared, &declared.before)?;
        let after = Side::new(evidence, declared, &declared.after)?;
        let named = declared.before.configuration.is_some();
        let row = |tally: &Tally<'a>| {
            let key = tally.key;
            let other = before.tallies().find(|other| named || other.key == key);
            let pairs = match other {
                None => Err(format!("{key} is not in {}", declared.before.name())),
                Some(other) => paired(declared.unit, (&before, other), (&after, tally)),
            };
            let pairs = pairs.and_then(|pairs| match pairs.len() {
                0 => Err("no problem has a verdict on both sides".to_owned()),
                _ => Ok(pairs),
            });
            (key, pairs)
        };
        let rows = after.tallies().map(row).collect();
        let mut strata: BTreeMap<(usize, String), BTreeSet<&'a str>> = BTreeMap::new();
        let sets = [&before, &after].map(Side::set);
        for item in before.items() {
            // What a problem is labelled with, it is labelled with where it is a problem of its own.
            let (set, problem) = sets
                .iter()
                .find_map(|set| Some((*set, set.as_ref()?.get(item)?)))
                .map_or((None, None), |(s, p)| (s, Some(p)));
            for (at, name) in declared.strata.iter().enumerate() {
                if let Some(value) = arm::label(set, problem, name) {
                    strata.entry((at, value.to_owned())).or_default().insert(item);
                }
            }
        }
        let strata =
            strata.into_iter().map(|((at, value), items)| (declared.strata[at].as_str(), value, items)).collect();
        Some(Self { declared, rows, strata })
    }

    /// Pairs of the configurations that have some.
    fn known(&self) -> impl Iterator<Item = (&'a str, &Pairs<'a>)> {
        self.rows.iter().filter_map(|(key, pairs)| Some((*key, pairs.as_ref().ok()?)))
    }

    fn facts(&self, output: &mut Output) {
        let id = ("comparison", self.declared.id.as_str());
        let mut resamples = BTreeMap::new();
        for (key, pairs) in &self.rows {
            let keys = [id, ("model", *key)];
            match pairs {
                Ok(pairs) => {
                    numbers(output, &keys, pairs);
                    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
                    facts.put("unmatched", Estimate::count(pairs.unmatched));
                    let (difference, _) = pairs.difference();
                    facts.put(
                        "bootstrap",
                        match pairs.bootstrap(&mut resamples, self.declared.seed) {
                            Ok(interval) => Estimate::value(difference).within(interval),
                            Err(reason) => Estimate::undefined(reason),
                        },
                    );
                    for (name, value, items) in &self.strata {
                        let own = pairs.only(|item| items.contains(item));
                        if own.len() > 0 {
                            numbers(output, &[id, ("model", *key), ("stratum", name), ("value", value)], &own);
                        }
                    }
                }
                Err(reason) => {
                    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
                    for measure in ["pairs", "before", "after", "both", "lost", "gained", "neither", "difference", "p"]
                    {
                        facts.put(measure, Estimate::undefined(reason.clone()));
                    }
                }
            }
        }
        let all: Vec<&Pairs<'_>> = self.known().map(|(_, pairs)| pairs).collect();
        let mut facts = output.on(ABOUT.id, Basis::Records, &[id]);
        let flipped = if all.is_empty() { Err("no configuration has pairs".to_owned()) } else { pairs::flipped(&all) };
        match flipped {
            Ok((clusters, p)) => facts.put("clusters", Estimate::count(clusters)).put("sign-flip", Estimate::value(p)),
            Err(reason) => facts.put("sign-flip", Estimate::undefined(reason)),
        };
    }

    /// Comparisons that are adjusted together; without a family, the configurations of one comparison are.
    fn family(&self) -> (bool, &str) {
        self.declared.family.as_deref().map_or((false, self.declared.id.as_str()), |family| (true, family))
    }
}

/// The pairs of one configuration.
fn paired<'a>(
    unit: Unit,
    (before, old): (&Side<'a, '_>, &Tally<'a>),
    (after, new): (&Side<'a, '_>, &Tally<'a>),
) -> Result<Pairs<'a>, String> {
    match unit {
        Unit::Items => Ok(Pairs::new(&before.shares(old)?, &after.shares(new)?)),
        Unit::Records => Ok(Pairs::of_records(&before.verdicts(old)?, &after.verdicts(new)?)),
    }
}

/// What follows from pairs, without the adjustment.
fn numbers(output: &mut Output, keys: &[(&str, &str)], pairs: &Pairs<'_>) {
    let counts = pairs.counts();
    let (before, after) = pairs.means();
    let (difference, wald) = pairs.difference();
    output
        .on(ABOUT.id, Basis::Records, keys)
        .put("pairs", Estimate::count(pairs.len()))
        .put("before", Estimate::value(before))
        .put("after", Estimate::value(after))
        .put("both", Estimate::count(counts.both))
        .put("lost", Estimate::count(counts.lost))
        .put("gained", Estimate::count(counts.gained))
        .put("neither", Estimate::count(counts.neither))
        .put("difference", Estimate::value(difference).within(wald))
        .put("p", Estimate::value(counts.p().to_f64()));
}

/// Adds the P values adjusted over each family.
fn adjust(output: &mut Output, compared: &[Compared<'_, '_>]) {
    let mut families: BTreeMap<(bool, &str), Vec<(&str, &str, f64)>> = BTreeMap::new();
    for one in compared {
        let tested = one.known().map(|(key, pairs)| (one.declared.id.as_str(), key, pairs.counts().p().to_f64()));
        families.entry(one.family()).or_default().extend(tested);
    }
    for tests in families.into_values() {
        let adjusted = holm::adjusted(&tests.iter().map(|(_, _, p)| *p).collect::<Vec<_>>());
        let mut told = BTreeSet::new();
        for ((id, key, _), p) in tests.iter().zip(adjusted) {
            let keys = [("comparison", *id), ("model", *key)];
            output.on(ABOUT.id, Basis::Records, &keys).put("holm", Estimate::value(p));
            if told.insert(*id) {
                output.on(ABOUT.id, Basis::Records, &keys[..1]).put("tests", Estimate::count(tests.len()));
            }
        }
    }
}

/// The word of a rule for several verdicts.
fn rule(declared: &study::Comparison) -> &'static str {
    match (declared.unit, declared.matching, declared.reduce) {
        (Unit::Records, ..) => "every record, by run",
        (_, Matching::Parent, Reduce::Majority) => "majority of runs, then of what derives from an item",
        (_, _, reduce) => reduce.as_str(),
    }
}
