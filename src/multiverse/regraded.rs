//! Verdicts of archived answers at other tolerances and under the strict lens, found once for all combinations.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::archive::{Record, State, SubAnswer};
use crate::grade::{Judgement, strict, sweep};
use crate::statistics::tally::{Board, RunTally, Tally};
use crate::study::Study;
use crate::verify::{Unchecked, not_regradable};

/// Of so many graded records of a configuration one may keep its verdict because its values are not archived.
const OPEN: usize = 20;

/// Verdicts of one record: a bit for each tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdicts {
    reference: u64,
    strict: u64,
}

impl Verdicts {
    /// Whether it passes at the tolerance with this number.
    pub(super) const fn passes(self, is_strict: bool, tolerance: usize) -> bool {
        (if is_strict { self.strict } else { self.reference }) >> tolerance & 1 == 1
    }
}

/// Verdicts by tally, run and problem of a board; nothing where a record keeps its recorded verdict.
pub(super) type OfBoard = Vec<Vec<Vec<Option<Verdicts>>>>;

/// Grades the answers of all boards again. A board is `None` when its verdicts stay as recorded.
///
/// The first tolerance of each record is that of its run, the others are `others`.
pub(super) fn regrade(study: &Study, boards: &[Board<'_>], others: &[f64]) -> Vec<Option<OfBoard>> {
    let kept = kept(study, boards);
    let of_board = |(board, kept): (&Board<'_>, &bool)| (!kept).then(|| of_board(study, board, others));
    boards.iter().zip(&kept).map(of_board).collect()
}

/// Boards whose verdicts stay as recorded: those that cannot be graded again, and those that are compared with one
/// of them because they share problems.
fn kept(study: &Study, boards: &[Board<'_>]) -> Vec<bool> {
    let mut kept: Vec<bool> = boards.iter().map(|board| !is_regradable(board)).collect();
    let parents = |set: &str| study.sets.iter().find(|own| own.id.as_str() == set).and_then(|own| own.parents.as_ref());
    let related = |a: &Board<'_>, b: &Board<'_>| {
        let (a, b) = (a.experiment.set.as_str(), b.experiment.set.as_str());
        let is_parent = |of: &str, set: &str| parents(of).is_some_and(|parent| parent.as_str() == set);
        a == b || is_parent(a, b) || is_parent(b, a)
    };
    // A picked option is graded without tolerance and unit under every choice; an experiment without runs is
    // compared with nothing.
    let counts = |board: &Board<'_>| {
        board.experiment.choice.is_none() && board.tallies.iter().any(|tally| !tally.runs.is_empty())
    };
    // Over as many rounds as there are boards, so that the way may lead over several.
    for _ in 0..boards.len() {
        let before: BTreeSet<usize> = (0..boards.len()).filter(|&at| kept[at] && counts(&boards[at])).collect();
        for (at, board) in boards.iter().enumerate() {
            kept[at] |= before.iter().any(|&other| related(board, &boards[other]));
        }
    }
    kept
}

fn is_regradable(board: &Board<'_>) -> bool {
    let runs = || board.tallies.iter().flat_map(|tally| &tally.runs);
    board.experiment.choice.is_none() && runs().next().is_some() && board.tallies.iter().all(|tally| open(tally))
}

/// Whether few enough records of a configuration have no archived values.
fn open(tally: &Tally<'_>) -> bool {
    let graded = || {
        let records = tally.runs.iter().flat_map(|run| run.records.iter().flatten().copied());
        records.filter(|record| record.state() != State::Excluded)
    };
    let open = graded().filter(|record| keeps(record) && !has_no_answer(record)).count();
    OPEN * open <= graded().count()
}

/// Whether a record keeps its verdict whatever lens and tolerance.
fn keeps(record: &Record) -> bool {
    not_regradable(record).is_some()
}

/// Whether it keeps it because there is no answer to grade.
fn has_no_answer(record: &Record) -> bool {
    matches!(not_regradable(record), Some(Unchecked::Ungradable | Unchecked::NoAnswer))
}

fn of_board(study: &Study, board: &Board<'_>, others: &[f64]) -> OfBoard {
    let runs: Vec<(usize, &RunTally<'_>)> =
        board.tallies.iter().enumerate().flat_map(|(at, tally)| tally.runs.iter().map(move |run| (at, run))).collect();
    let graded: Vec<(usize, Vec<Option<Verdicts>>)> = runs
        .into_par_iter()
        .map(|(at, run)| {
            let declared = run.run.declared.tolerance.unwrap_or(study.grading.tolerance);
            let tolerances: Vec<f64> = std::iter::once(declared).chain(others.iter().copied()).collect();
            (at, run.records.iter().map(|record| verdicts((*record)?, &tolerances)).collect())
        })
        .collect();
    let mut found: OfBoard = board.tallies.iter().map(|_| Vec::new()).collect();
    for (at, run) in graded {
        found[at].push(run);
    }
    found
}

fn verdicts(record: &Record, tolerances: &[f64]) -> Option<Verdicts> {
    let details = record.details.as_deref().filter(|_| !keeps(record))?;
    let reference = sweep(details, &record.regraded, tolerances);
    let bits = |passes: &[bool]| {
        let places = passes.iter().enumerate().take(u64::BITS as usize);
        places.fold(0, |bits, (at, &passed)| bits | u64::from(passed) << at)
    };
    let strict = strict(details, record, tolerances, &reference);
    Some(Verdicts { reference: bits(&reference), strict: bits(&strict) })
}

/// Verdicts of the strict lens; what it cannot decide keeps that of the reference rule. A wider tolerance never judges
/// worse, so a failure at the widest and a pass at the narrowest settle all others.
fn strict(details: &[SubAnswer], record: &Record, tolerances: &[f64], reference: &[bool]) -> Vec<bool> {
    let at = |tolerance: f64| match strict::regrade(details, &record.regraded, tolerance).judgement {
        Judgement::Pass => Some(true),
        Judgement::Fail(_) => Some(false),
        Judgement::Undecided(_) => None,
    };
    let ends = [f64::max, f64::min].map(|end: fn(f64, f64) -> f64| tolerances.iter().copied().fold(tolerances[0], end));
    let widest = at(ends[0]);
    if widest == Some(false) {
        return vec![false; tolerances.len()];
    }
    let narrowest = at(ends[1]);
    if narrowest == Some(true) {
        return vec![true; tolerances.len()];
    }
    let one = |(&tolerance, &reference): (&f64, &bool)| {
        let known = if tolerance == ends[0] {
            widest
        } else if tolerance == ends[1] {
            narrowest
        } else {
            at(tolerance)
        };
        known.unwrap_or(reference)
    };
    tolerances.iter().zip(reference).map(one).collect()
}
