//! Two arms over the same items: discordant pairs, exact McNemar, Holm in declared families, sign flip over items.

use std::collections::BTreeMap;

use super::records::{CALLS, Contrast, Records, Twin};
use super::verdicts::{Verdict, verdicts};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, exact, holm, sign_flip};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "limit-contrasts",
    also: &[],
    title: "Two arms over the same items",
    unit: "percent points",
    meaning: "For each comparison that the plan declares: how many items only the first and only the second arm flags \
              (rejects a flaw, refuses a valid item), by model, family and twin; whether the difference could be chance; \
              and the same after adjustment for all tests of its declared family.",
    formula: "b = flagged after and not before, c = the reverse; P = min(1, 2 Σ_{i ≤ min(b,c)} C(b+c, i) / 2^(b+c)), kept \
              as a fraction; adjusted by Holm over the declared family; flip-p = share of all sign patterns over items \
              whose |sum of differences over models| is at least the one found.",
    source: "McNemar (1947), exact form; Holm (1979); sign flip over clusters, exact by convolution over integers.",
    edge_cases: "Unanswered calls are not flagged and stay in. Items that only one arm has are left out and counted. \
                 b - c must equal the difference of the totals over the common items. b + c = 0: P = 1. One cluster that \
                 differs: flip-p = 1 whatever its size.",
    example: "16:0 is P = 1/32768; in a family of 28 as the smallest, adjusted 28/32768 = 0.00085.",
    keys: &[
        KeyDoc { key: "contrast", meaning: "before and after arm" },
        KeyDoc { key: "tests", meaning: "declared family of tests" },
        KeyDoc { key: "collection", meaning: "collection of calls" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "family", meaning: "family of items" },
        KeyDoc { key: "set", meaning: "set of items" },
        KeyDoc { key: "twin", meaning: "flawed or valid" },
    ],
    measures: &[
        ("gained", "items flagged after and not before"),
        ("lost", "items flagged before and not after"),
        ("n", "items that both arms have"),
        ("unmatched", "items that only one arm has"),
        ("difference", "points from before to after"),
        ("p", "exact two-sided McNemar P"),
        ("adjusted", "P after Holm's adjustment in its family"),
        ("flip-p", "exact sign flip over items, models pooled"),
        ("tests", "number of tests in the family"),
    ],
};

/// Two arms over the same items.
pub(super) struct Contrasts;

/// Pairs of one model, family, set and twin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    pub(super) gained: u32,
    pub(super) lost: u32,
    pub(super) n: usize,
    pub(super) unmatched: usize,
    pub(super) before: usize,
    pub(super) after: usize,
    /// After minus before, by item.
    pub(super) differences: BTreeMap<String, i64>,
}

impl Pairs {
    pub(super) fn of(before: &BTreeMap<&str, Verdict>, after: &BTreeMap<&str, Verdict>) -> Self {
        let mut pairs = Self::default();
        for (item, verdict) in before {
            let Some(other) = after.get(item) else { continue };
            pairs.n += 1;
            pairs.before += usize::from(verdict.is_flag());
            pairs.after += usize::from(other.is_flag());
            match (verdict.is_flag(), other.is_flag()) {
                (false, true) => pairs.gained += 1,
                (true, false) => pairs.lost += 1,
                _ => {}
            }
            let step = i64::from(other.is_flag()) - i64::from(verdict.is_flag());
            pairs.differences.insert((*item).to_owned(), step);
        }
        pairs.unmatched = before.len() + after.len() - 2 * pairs.n;
        pairs
    }
}

/// A test with its keys.
struct Test<'r> {
    keys: Vec<(&'static str, &'r str)>,
    contrast: String,
    pairs: Pairs,
}

impl Statistic for Contrasts {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(CALLS).or_else(|| records.lacks(super::records::PLAN)) {
            output.on(ABOUT.id, Basis::Records, &[]).put("n", Estimate::undefined(reason));
            return output;
        }
        let mut families: BTreeMap<&str, Vec<Test<'_>>> = BTreeMap::new();
        for contrast in &records.plan.contrasts {
            let found = tests(&records, contrast);
            if found.is_empty() {
                let message = format!("no item has both {} and {}", contrast.before, contrast.after);
                output.findings.push(Finding::new("contrast-without-pairs", Place::subject(&contrast.family), message));
            }
            families.entry(&contrast.family).or_default().extend(found);
        }
        let mut table = Table::new("limit_contrasts", "Two arms over the same items", &[ABOUT.id], &COLUMNS);
        for (family, tests) in &families {
            let p: Vec<_> = tests.iter().map(|test| exact::mcnemar(test.pairs.gained, test.pairs.lost)).collect();
            let adjusted = holm::adjusted(&p.iter().map(exact::Dyadic::to_f64).collect::<Vec<_>>());
            output.on(ABOUT.id, Basis::Records, &[("tests", family)]).put("tests", Estimate::count(tests.len()));
            for ((test, p), adjusted) in tests.iter().zip(&p).zip(adjusted) {
                facts(&mut output, family, test, p, adjusted);
                table.push(row(family, test, p, adjusted));
            }
            pooled(&mut output, family, tests);
        }
        output.tables.push(table);
        output
    }
}

fn tests<'r>(records: &'r Records, contrast: &Contrast) -> Vec<Test<'r>> {
    let cells = verdicts(records);
    let mut found = Vec::new();
    for ((collection, model, arm, family, set, twin), before) in &cells {
        if *arm != contrast.before || contrast.collection.as_deref().is_some_and(|wanted| wanted != *collection) {
            continue;
        }
        let after = cells.iter().find(|((c, m, a, f, s, t), _)| {
            (c, m, f, s, t) == (collection, model, family, set, twin) && *a == contrast.after
        });
        let Some((_, after)) = after else { continue };
        let pairs = Pairs::of(before, after);
        if pairs.n > 0 {
            let keys = vec![
                ("collection", *collection),
                ("model", *model),
                ("family", *family),
                ("set", *set),
                ("twin", twin.word()),
            ];
            found.push(Test { keys, contrast: format!("{} to {}", contrast.before, contrast.after), pairs });
        }
    }
    found
}

fn facts(output: &mut Output, family: &str, test: &Test<'_>, p: &exact::Dyadic, adjusted: f64) {
    let pairs = &test.pairs;
    let mut keys = test.keys.clone();
    keys.extend([("contrast", test.contrast.as_str()), ("tests", family)]);
    let difference = 100.0 * (pairs.after as f64 - pairs.before as f64) / pairs.n as f64;
    output
        .on(ABOUT.id, Basis::Records, &keys)
        .put("gained", Estimate::count(pairs.gained as usize))
        .put("lost", Estimate::count(pairs.lost as usize))
        .put("n", Estimate::count(pairs.n))
        .put("unmatched", Estimate::count(pairs.unmatched))
        .put("difference", Estimate::value(difference))
        .put("p", Estimate::value(p.to_f64()))
        .put("adjusted", Estimate::value(adjusted));
    if pairs.unmatched > 0 {
        let message = format!("{} items have only one of the arms of {}", pairs.unmatched, test.contrast);
        let subject = test.keys.iter().map(|(_, value)| *value).collect::<Vec<_>>().join(" ");
        output.findings.push(Finding::new("unmatched-items", Place::subject(subject), message));
    }
}

/// The sign flip over items, each cluster the sum over models, for flaws.
fn pooled(output: &mut Output, family: &str, tests: &[Test<'_>]) {
    let mut clusters: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
    for test in tests.iter().filter(|test| test.keys.contains(&("twin", Twin::Flawed.word()))) {
        for (item, difference) in &test.pairs.differences {
            *clusters.entry(&test.contrast).or_default().entry(item).or_default() += difference;
        }
    }
    for (contrast, items) in clusters {
        let sums: Vec<i64> = items.values().copied().collect();
        let keys = [("contrast", contrast), ("tests", family), ("twin", Twin::Flawed.word())];
        let p = match sign_flip::p_value(&sums) {
            Some(p) => Estimate::value(p.to_f64()),
            None => Estimate::undefined("the differences are too large to count their sign patterns"),
        };
        output.on(ABOUT.id, Basis::Records, &keys).put("flip-p", p);
    }
}

const COLUMNS: [(&str, Kind, &str); 16] = [
    ("tests", Kind::Text, ""),
    ("contrast", Kind::Text, ""),
    ("collection", Kind::Text, ""),
    ("model", Kind::Text, ""),
    ("family", Kind::Text, ""),
    ("set", Kind::Text, ""),
    ("twin", Kind::Text, ""),
    ("n", Kind::Integer, "items"),
    ("before", Kind::Integer, "items"),
    ("after", Kind::Integer, "items"),
    ("gained", Kind::Integer, "items"),
    ("lost", Kind::Integer, "items"),
    ("unmatched", Kind::Integer, "items"),
    ("p_exact", Kind::Text, ""),
    ("p", Kind::Text, ""),
    ("adjusted", Kind::Text, ""),
];

fn row(family: &str, test: &Test<'_>, p: &exact::Dyadic, adjusted: f64) -> Vec<Cell> {
    let pairs = &test.pairs;
    let mut row = vec![Cell::text(family), Cell::text(test.contrast.as_str())];
    row.extend(test.keys.iter().map(|(_, value)| Cell::text(*value)));
    let counts = [pairs.n, pairs.before, pairs.after, pairs.gained as usize, pairs.lost as usize, pairs.unmatched];
    row.extend(counts.map(Cell::count));
    row.extend([Cell::text(p.to_string()), Cell::text(printed(p.to_f64())), Cell::text(printed(adjusted))]);
    row
}

/// A probability with two significant digits, ties to even on the exact value.
pub(super) fn printed(p: f64) -> String {
    crate::number::significant(p, 2)
}

#[cfg(test)]
mod tests_of_print {
    use super::*;

    /// The table of the study: pairs, exact P, print; the multiplier of Holm's adjustment where it has one.
    #[test]
    fn probabilities_print_with_two_digits_and_ties_to_even() {
        for (b, c, exact, factor, print) in [
            (7, 0, "1/64", 1.0, "0.016"),
            (4, 0, "1/8", 1.0, "0.12"),
            (5, 0, "1/16", 1.0, "0.062"),
            (9, 0, "1/256", 24.0, "0.094"),
            (12, 1, "7/2048", 25.0, "0.085"),
            (13, 1, "15/8192", 26.0, "0.048"),
            (13, 0, "1/4096", 27.0, "0.0066"),
            (16, 0, "1/32768", 28.0, "0.00085"),
        ] {
            let p = exact::mcnemar(b, c);
            assert_eq!(p.to_string(), exact);
            assert_eq!(printed(factor * p.to_f64()), print, "{b}:{c}");
        }
        assert_eq!(printed(1.0), "1.0");
    }

    #[test]
    fn pairs_differ_by_the_difference_of_the_totals() {
        use Verdict::{Accepted, Rejected, Unanswered};
        let before = BTreeMap::from([("a", Accepted), ("b", Rejected), ("c", Unanswered), ("d", Accepted)]);
        let after = BTreeMap::from([("a", Rejected), ("b", Unanswered), ("c", Rejected), ("e", Rejected)]);
        let pairs = Pairs::of(&before, &after);
        assert_eq!((pairs.gained, pairs.lost, pairs.n, pairs.unmatched), (2, 1, 3, 2));
        assert_eq!(i64::from(pairs.gained) - i64::from(pairs.lost), pairs.after as i64 - pairs.before as i64);
    }
}
