//! Matched items of two arms, and what follows from them.

use std::collections::BTreeMap;

use super::arm::{Share, Verdict, gcd, lcm};
use crate::statistics::bootstrap::Resamples;
use crate::statistics::interval::Z_ROUNDED;
use crate::statistics::pairing::Counts;
use crate::statistics::{Interval, sign_flip};

/// Resamples of the bootstrap.
pub(super) const ROWS: usize = 2000;

/// Most pairs that are resampled; above it the analytic interval stands alone.
const MOST_RESAMPLED: usize = 20_000;

/// One item with both shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair<'a> {
    /// Id of the item.
    pub(crate) item: &'a str,
    /// Share before.
    pub(crate) before: Share,
    /// Share after.
    pub(crate) after: Share,
}

/// Matched items of one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pairs<'a> {
    /// Items with a verdict on both sides, sorted.
    pub(crate) list: Vec<Pair<'a>>,
    /// Items with a verdict on one side only.
    pub(crate) unmatched: usize,
}

impl<'a> Pairs<'a> {
    /// Pairs the items of two arms.
    pub(crate) fn new(before: &BTreeMap<&'a str, Share>, after: &BTreeMap<&'a str, Share>) -> Self {
        let pair = |(&item, &before): (&&'a str, &Share)| Some(Pair { item, before, after: *after.get(item)? });
        let list: Vec<Pair<'a>> = before.iter().filter_map(pair).collect();
        let unmatched = before.len() + after.len() - 2 * list.len();
        Self { list, unmatched }
    }

    /// Pairs single verdicts: those of one run with those of the run of the same number, problem by problem; where
    /// one side has one problem for an item, each of the other side's goes with it.
    pub(crate) fn of_records(
        before: &BTreeMap<&'a str, Vec<Verdict>>,
        after: &BTreeMap<&'a str, Vec<Verdict>>,
    ) -> Self {
        let single = |side: &[Verdict]| side.iter().all(|(_, which, _)| *which == 0);
        let mut list = Vec::new();
        let (mut paired, mut all) = (0, 0);
        for (&item, before) in before {
            let Some(after) = after.get(item) else { continue };
            let one_sided = single(before) || single(after);
            for &(run, which, was) in before {
                let partners = after.iter().filter(|other| other.0 == run && (one_sided || other.1 == which));
                list.extend(partners.map(|other| Pair {
                    item,
                    before: Share::solved(was),
                    after: Share::solved(other.2),
                }));
            }
        }
        for (side, other) in [(before, after), (after, before)] {
            for (item, verdicts) in side {
                let has_partner = |run: u32| other.get(item).is_some_and(|o| o.iter().any(|(r, ..)| *r == run));
                all += verdicts.len();
                paired += verdicts.iter().filter(|(run, ..)| has_partner(*run)).count();
            }
        }
        Self { list, unmatched: all - paired }
    }

    /// Only the items for which `keep` holds.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        Self { list: self.list.iter().copied().filter(|pair| keep(pair.item)).collect(), unmatched: 0 }
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Items by what became of them. Where shares are compared, lost and gained are items whose share fell and rose,
    /// and an item that stayed is counted by whether everything passes.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for pair in &self.list {
            match difference(pair, pair.before.of * pair.after.of) {
                0 if pair.before.is_solved() => counts.both += 1,
                0 => counts.neither += 1,
                d if d < 0 => counts.lost += 1,
                _ => counts.gained += 1,
            }
        }
        counts
    }

    /// Mean share before and after, in percent.
    pub(crate) fn means(&self) -> (f64, f64) {
        let mean = |of: fn(&Pair<'a>) -> f64| crate::number::sum(self.list.iter().map(of)) / self.list.len() as f64;
        (mean(|pair| pair.before.percent()), mean(|pair| pair.after.percent()))
    }

    /// Differences of all items as whole numbers of one unit, and that unit in points.
    pub(crate) fn differences(&self) -> (Vec<i64>, f64) {
        let unit = self.list.iter().fold(1, |unit, pair| lcm(lcm(unit, pair.before.of), pair.after.of));
        (self.list.iter().map(|pair| difference(pair, unit)).collect(), 100.0 / unit as f64)
    }

    /// Mean difference, after minus before, in points, with its Wald interval: with the differences `d` of `n`
    /// items `d̄ ± 1.96 √((Σd²/n - d̄²)/n)`, which for verdicts is that of paired proportions.
    pub(crate) fn difference(&self) -> (f64, Interval) {
        let (list, unit) = self.differences();
        let n = list.len() as f64;
        let sum: i128 = list.iter().map(|&d| i128::from(d)).sum();
        let squares: i128 = list.iter().map(|&d| i128::from(d) * i128::from(d)).sum();
        let mean = sum as f64 / n;
        let half = Z_ROUNDED * ((squares as f64 / n - mean * mean) / n).max(0.0).sqrt();
        let interval = Interval { low: mean - half, high: mean + half, level: 0.95, method: "wald-paired" };
        (mean * unit, interval.scaled(unit))
    }

    /// The 95 % percentile interval of the mean difference over resampled items, in points; items are the clusters,
    /// whatever number of runs or derived problems stand behind each.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(crate) fn bootstrap(&self, resamples: &mut BTreeMap<usize, Resamples>, seed: u32) -> Result<Interval, String> {
        let (list, unit) = self.differences();
        if list.len() > MOST_RESAMPLED {
            return Err(format!("{} pairs are more than the {MOST_RESAMPLED} that are resampled", list.len()));
        }
        let narrow: Option<Vec<i32>> = list.iter().map(|&d| i32::try_from(d).ok()).collect();
        let narrow = narrow.ok_or("the shares have no common unit that is large enough to resample")?;
        let drawn = resamples.entry(list.len()).or_insert_with(|| Resamples::draw(seed, ROWS, list.len() as u32));
        let interval = drawn.interval_of_mean(&narrow).ok_or("there are no pairs")?;
        Ok(interval.scaled(unit))
    }
}

/// `after - before` in parts of `unit`.
fn difference(pair: &Pair<'_>, unit: u64) -> i64 {
    let part = |share: Share| (u128::from(share.passed) * u128::from(unit) / u128::from(share.of)) as i64;
    part(pair.after) - part(pair.before)
}

/// Sign flip over clusters: the differences of all configurations inside one item are added up first, so that
/// configurations that fail together count once.
///
/// # Errors
/// The reason why there is no P.
pub(crate) fn flipped(all: &[&Pairs<'_>]) -> Result<(usize, f64), String> {
    let unit = all.iter().flat_map(|pairs| &pairs.list).fold(1, |u, pair| lcm(lcm(u, pair.before.of), pair.after.of));
    let mut clusters: BTreeMap<&str, i64> = BTreeMap::new();
    for pair in all.iter().flat_map(|pairs| &pairs.list) {
        *clusters.entry(pair.item).or_default() += difference(pair, unit);
    }
    let mut sums: Vec<i64> = clusters.into_values().collect();
    // Whole numbers as small as they can be: the distribution has as many places as their sum.
    let common = sums.iter().fold(0, |common, sum| gcd(common, sum.unsigned_abs())).max(1) as i64;
    sums.iter_mut().for_each(|sum| *sum /= common);
    Ok((sums.iter().filter(|&&sum| sum != 0).count(), sign_flip::p(&sums)?))
}
