//! One arm of a comparison: what became of each of its problems.

use std::collections::BTreeMap;

use crate::corpus::{Problem, Set};
use crate::statistics::Evidence;
use crate::statistics::tally::{Board, RunOutcome, RunTally, Tally};
use crate::study::{Arm, Comparison, Matching, Reduce};

/// A share of verdicts that pass, as the fraction that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    /// Passing.
    pub(crate) passed: u64,
    /// Of so many; at least 1.
    pub(crate) of: u64,
}

impl Share {
    pub(crate) const fn solved(yes: bool) -> Self {
        Self { passed: yes as u64, of: 1 }
    }

    /// True when everything passes: the only meaning that a single verdict has.
    pub(crate) const fn is_solved(self) -> bool {
        self.passed == self.of
    }

    /// The share in percent.
    pub(crate) fn percent(self) -> f64 {
        100.0 * self.passed as f64 / self.of as f64
    }
}

/// One verdict of an item: number of the run, which of the item's problems, and whether it passes.
pub(crate) type Verdict = (u32, usize, bool);

/// An arm over its board.
pub(crate) struct Side<'a, 'c> {
    board: Board<'a>,
    arm: &'c Arm,
    reduce: Reduce,
    /// Positions of the problems that the arm takes, by what they are matched by.
    places: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a, 'c> Side<'a, 'c> {
    /// Lays out an arm. An item is a problem, or with `match = "parent"` the problem that others derive from.
    pub(crate) fn new(evidence: &Evidence<'a>, comparison: &Comparison, arm: &'c Arm) -> Option<Self> {
        let experiment = evidence.study.experiment(arm.experiment.as_str())?;
        let board = evidence.board(experiment);
        let mut places: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
        for (at, &id) in board.problems.iter().enumerate() {
            let problem = board.set.and_then(|set| set.get(id));
            if arm.problems.iter().all(|(name, text)| carries(board.set, problem, name, text)) {
                places.entry(item(comparison.matching, problem, id)).or_default().push(at);
            }
        }
        Some(Self { board, arm, reduce: comparison.reduce, places })
    }

    /// Ids of the items.
    pub(crate) fn items(&self) -> impl Iterator<Item = &'a str> {
        self.places.keys().copied()
    }

    /// Its problem set, where the file is there.
    pub(crate) fn set(&self) -> Option<&'a Set> {
        self.board.set
    }

    /// Configurations of the arm.
    pub(crate) fn tallies(&self) -> impl Iterator<Item = &Tally<'a>> {
        let only = self.arm.configuration.as_ref();
        self.board.tallies.iter().filter(move |tally| match only {
            Some(only) => tally.key == only.as_str(),
            None => tally.on_leaderboard(),
        })
    }

    /// What became of every item for a configuration; items without any verdict are left out.
    ///
    /// # Errors
    /// What is missing: a run, or problems that a run does not know.
    pub(crate) fn shares(&self, tally: &Tally<'a>) -> Result<BTreeMap<&'a str, Share>, String> {
        let runs = self.runs(tally)?;
        let expected = (self.arm.run.is_none() && !self.board.experiment.samples).then_some(tally.expected_runs);
        let mut shares = BTreeMap::new();
        for (&item, places) in &self.places {
            let own = places.iter().filter_map(|&at| {
                let verdicts = runs.iter().filter_map(|run| self.verdict(run, at));
                reduced(self.reduce, &verdicts.map(Share::solved).collect::<Vec<_>>(), expected)
            });
            // What derives from an item is reduced by the same rule as its runs.
            if let Some(share) = reduced(self.reduce, &own.collect::<Vec<_>>(), None) {
                shares.insert(item, share);
            }
        }
        if shares.is_empty() {
            return Err(format!("{}: no verdict of any problem", self.arm.name()));
        }
        Ok(shares)
    }

    /// Every single verdict by item: run, which of the item's problems, and whether it passes.
    ///
    /// # Errors
    /// As [`Side::shares`].
    pub(crate) fn verdicts(&self, tally: &Tally<'a>) -> Result<BTreeMap<&'a str, Vec<Verdict>>, String> {
        let runs = self.runs(tally)?;
        let of_place = |(which, &at): (usize, &usize)| {
            let one = move |run: &&RunTally<'a>| Some((run.run.key.run, which, self.verdict(run, at)?));
            runs.iter().filter_map(one).collect::<Vec<Verdict>>()
        };
        Ok(self
            .places
            .iter()
            .map(|(&item, places)| (item, places.iter().enumerate().flat_map(of_place).collect()))
            .collect())
    }

    /// Runs of a configuration that enter.
    fn runs<'t>(&self, tally: &'t Tally<'a>) -> Result<Vec<&'t RunTally<'a>>, String> {
        let runs: Vec<&RunTally<'a>> =
            tally.runs.iter().filter(|run| self.arm.run.is_none_or(|only| run.run.key.run == only)).collect();
        if let Some(only) = self.arm.run.filter(|_| runs.is_empty()) {
            return Err(format!("run {only} of {} is not archived", self.arm.experiment));
        }
        // One run, or the verdicts of one judge, may be there where the whole is not.
        if self.arm.run.is_none() && self.arm.judge.is_none() && !self.board.experiment.samples {
            tally.complete().map_err(|missing| format!("{}: {missing}", self.arm.experiment))?;
        }
        Ok(runs)
    }

    /// Whether a record passes for the judge of the arm; `None` where there is no record, nobody judged it, or an
    /// error of the infrastructure keeps it out of every denominator.
    fn verdict(&self, run: &RunTally<'a>, at: usize) -> Option<bool> {
        let Some(judge) = &self.arm.judge else {
            return match run.outcomes.get(at)? {
                RunOutcome::Pass => Some(true),
                RunOutcome::Fail => Some(false),
                RunOutcome::Excluded | RunOutcome::Absent => None,
            };
        };
        let record = run.records.get(at).copied().flatten()?;
        let environment = self.arm.environment.as_deref();
        let meant = |verdict: &&crate::archive::Verdict| {
            *verdict.judge == **judge && environment.is_none_or(|named| verdict.environment.as_deref() == Some(named))
        };
        record.verdicts.iter().find(meant)?.status.passed()
    }
}

fn item<'a>(matching: Matching, problem: Option<&'a Problem>, id: &'a str) -> &'a str {
    match matching {
        Matching::Id => id,
        Matching::Parent => problem.and_then(|problem| problem.parent.as_ref()).map_or(id, |parent| parent.as_str()),
    }
}

/// The label of a problem, or of its set where it has none of its own.
pub(crate) fn label<'a>(set: Option<&'a Set>, problem: Option<&'a Problem>, name: &str) -> Option<&'a str> {
    let problem = problem?;
    let own = match name {
        "category" => problem.category.as_deref(),
        "difficulty" => problem.difficulty.as_deref(),
        "book" => problem.book.as_deref(),
        "topic" => problem.topic.as_deref(),
        _ => None,
    };
    own.or_else(|| problem.labels.get(name).map(|text| &**text)).or_else(|| set?.labels.get(name).map(String::as_str))
}

fn carries(set: Option<&Set>, problem: Option<&Problem>, name: &str, text: &str) -> bool {
    label(set, problem, name) == Some(text)
}

/// Several shares as one; nothing where there is none. `expected` is the number of verdicts that the majority is
/// counted of, where that is declared: a missing one does not lower the bar.
fn reduced(reduce: Reduce, shares: &[Share], expected: Option<usize>) -> Option<Share> {
    let first = *shares.first()?;
    let solved = shares.iter().filter(|share| share.is_solved()).count();
    let all = shares.len();
    Some(match reduce {
        Reduce::Majority => Share::solved(2 * solved > expected.unwrap_or(all)),
        Reduce::Any => Share::solved(solved > 0),
        Reduce::All => Share::solved(solved == all),
        Reduce::First => first,
        Reduce::Mean => mean(shares),
    })
}

/// The mean of fractions, as a fraction.
fn mean(shares: &[Share]) -> Share {
    let common = shares.iter().fold(1, |common, share| lcm(common, share.of));
    let part = |share: &Share| (u128::from(share.passed) * u128::from(common) / u128::from(share.of)) as u64;
    let passed = shares.iter().map(part).sum();
    let of = common * shares.len() as u64;
    let divisor = gcd(passed, of);
    Share { passed: passed / divisor, of: of / divisor }
}

/// Greatest common divisor.
pub(crate) const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Least common multiple, held at 2^40; beyond it fractions are cut to a 2^40th, which no test tells apart.
pub(crate) fn lcm(a: u64, b: u64) -> u64 {
    (a / gcd(a, b)).saturating_mul(b).min(1 << 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(letters: &str, reduce: Reduce, expected: Option<usize>) -> Option<(u64, u64)> {
        let shares: Vec<Share> = letters.chars().map(|c| Share::solved(c == 'P')).collect();
        reduced(reduce, &shares, expected).map(|share| (share.passed, share.of))
    }

    #[test]
    fn several_verdicts_become_one_by_the_declared_rule() {
        assert_eq!(of("PPF", Reduce::Majority, None), Some((1, 1)));
        assert_eq!(of("PF", Reduce::Majority, None), Some((0, 1)));
        // One of three expected runs is no majority, although nothing else is there.
        assert_eq!(of("P", Reduce::Majority, Some(3)), Some((0, 1)));
        assert_eq!((of("FFP", Reduce::Any, None), of("PPF", Reduce::All, None)), (Some((1, 1)), Some((0, 1))));
        assert_eq!((of("FPP", Reduce::First, None), of("FPP", Reduce::Mean, None)), (Some((0, 1)), Some((2, 3))));
        assert_eq!(of("", Reduce::Any, None), None);
    }

    #[test]
    fn a_mean_of_fractions_is_a_fraction() {
        let third = Share { passed: 1, of: 3 };
        let half = Share { passed: 1, of: 2 };
        assert_eq!(mean(&[third, half]), Share { passed: 5, of: 12 });
    }
}
