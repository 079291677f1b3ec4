//! The boards and the declaration as other choices make them.
//!
//! Everything that is scored starts from boards: outcomes by problem, configuration and run. So a world is a copy of
//! the boards with other outcomes, without some problems, configurations or runs, or with the runs of a configuration
//! made one; what a statistic says of it is computed by the statistic itself.

use std::collections::{BTreeMap, BTreeSet};

use super::choice::Setting;
use super::regraded::{OfBoard, regrade};
use crate::corpus::Corpus;
use crate::statistics::tally::{Board, RunOutcome, RunTally, Tally};
use crate::statistics::{Boards, Evidence};
use crate::study::{LeftOut, Reduce, Study, Unit};
use crate::verify::Ladder;

/// The boards as recorded, with what other choices need to know of them.
pub(super) struct Recorded<'a> {
    study: &'a Study,
    boards: Vec<Board<'a>>,
    /// Verdicts of answers that can be graded again, by board.
    regraded: Vec<Option<OfBoard>>,
    /// Tolerances other than the declared one.
    tolerances: Vec<f64>,
    /// Flagged problems and those derived from one, by set.
    flagged: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Recorded<'a> {
    /// Lays out the boards and grades what can be graded again.
    pub(super) fn new(evidence: &Evidence<'a>) -> Self {
        let study = evidence.study;
        let boards: Vec<Board<'a>> = Boards::lay_out(evidence).iter().cloned().collect();
        let choices = &study.choices;
        let tolerances = study.other_tolerances();
        let grades = choices.lens || !tolerances.is_empty();
        let regraded = if grades { regrade(study, &boards, &tolerances) } else { vec![None; boards.len()] };
        let flagged = flagged(study, evidence.corpus, evidence.ledger);
        Self { study, boards, regraded, tolerances, flagged }
    }

    /// Every setting that the study declares and that changes something on some board.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let choices = &self.study.choices;
        let mut all = Vec::new();
        if choices.lens {
            all.push(Setting::StrictLens);
        }
        all.extend(self.tolerances.iter().copied().map(Setting::Tolerance));
        if choices.errors {
            all.extend([Setting::ErrorsFail, Setting::ErrorsOut]);
        }
        if choices.flagged {
            all.push(Setting::WithoutFlagged);
        }
        if choices.leave_out.contains(&LeftOut::Configurations) {
            let listed = self.study.listed().map(|configuration| configuration.key.clone());
            all.extend(listed.map(Setting::WithoutConfiguration));
        }
        if choices.leave_out.contains(&LeftOut::Runs) {
            let runs = self.boards.iter().flat_map(|board| &board.tallies).map(|tally| tally.expected_runs).max();
            all.extend((1..=runs.unwrap_or(0) as u32).map(Setting::WithoutRun));
        }
        all.extend(choices.runs.iter().copied().map(Setting::Combined));
        if choices.unit {
            all.push(Setting::Records);
        }
        all.retain(|setting| self.reaches(setting));
        all
    }

    /// Whether a setting changes any board, or the declaration where a board shows it.
    fn reaches(&self, setting: &Setting) -> bool {
        let has_runs = || self.boards.iter().any(|board| board.tallies.iter().any(|tally| !tally.runs.is_empty()));
        match setting {
            Setting::Records | Setting::Combined(Reduce::Mean) => has_runs(),
            _ => {
                let world = self.world(&[setting]);
                world.iter().zip(&self.boards).any(|(other, own)| shape(other) != shape(own))
            }
        }
    }

    /// The boards under these settings, which are given in the order in which choices take effect.
    pub(super) fn world(&self, settings: &[&Setting]) -> Vec<Board<'a>> {
        let strict = settings.iter().any(|setting| matches!(setting, Setting::StrictLens));
        let tolerance = settings.iter().find_map(|setting| match setting {
            Setting::Tolerance(value) => self.tolerances.iter().position(|own| own == value).map(|at| at + 1),
            _ => None,
        });
        let mut boards = self.boards.clone();
        if strict || tolerance.is_some() {
            for (board, regraded) in boards.iter_mut().zip(&self.regraded) {
                if let Some(regraded) = regraded {
                    grade(board, regraded, strict, tolerance.unwrap_or(0));
                }
            }
        }
        for setting in settings {
            match setting {
                Setting::StrictLens | Setting::Tolerance(_) | Setting::Records => {}
                Setting::ErrorsFail => boards.iter_mut().for_each(fail_errors),
                Setting::ErrorsOut => boards.iter_mut().for_each(exclude_errors),
                Setting::WithoutFlagged => boards.iter_mut().for_each(|board| self.without_flagged(board)),
                Setting::WithoutConfiguration(key) => {
                    boards.iter_mut().for_each(|board| board.tallies.retain(|tally| tally.key != key.as_str()));
                }
                Setting::WithoutRun(run) => {
                    boards.iter_mut().flat_map(|board| &mut board.tallies).for_each(|tally| without_run(tally, *run));
                }
                Setting::Combined(Reduce::Mean) => {}
                Setting::Combined(rule) => {
                    let own = boards.iter_mut().filter(|board| !board.experiment.samples);
                    own.flat_map(|board| &mut board.tallies).for_each(|tally| combine(tally, *rule));
                }
            }
        }
        boards
    }

    /// The declaration under these settings; of the comparisons only those that are asked for.
    pub(super) fn study(&self, settings: &[&Setting], comparisons: &BTreeSet<String>) -> Study {
        let mut study = self.study.clone();
        study.comparisons.retain(|comparison| comparisons.contains(&comparison.id));
        for setting in settings {
            match setting {
                Setting::WithoutConfiguration(key) => study.configurations.retain(|own| own.key != *key),
                Setting::Combined(Reduce::Mean) => {
                    study.comparisons.iter_mut().for_each(|comparison| comparison.reduce = Reduce::Mean);
                }
                Setting::Records => {
                    study.comparisons.iter_mut().for_each(|comparison| comparison.unit = Unit::Records);
                }
                _ => {}
            }
        }
        study
    }

    fn without_flagged(&self, board: &mut Board<'a>) {
        let Some(flagged) = self.flagged.get(board.experiment.set.as_str()) else { return };
        let kept: Vec<usize> = board.all().into_iter().filter(|&at| !flagged.contains(board.problems[at])).collect();
        board.problems = kept.iter().map(|&at| board.problems[at]).collect();
        for run in board.tallies.iter_mut().flat_map(|tally| &mut tally.runs) {
            run.records = kept.iter().map(|&at| run.records[at]).collect();
            run.outcomes = kept.iter().map(|&at| run.outcomes[at]).collect();
        }
    }
}

/// What tells one board from another: problems, and outcomes by configuration and run.
type Shape<'b> = (&'b [&'b str], Vec<(&'b str, usize, Vec<&'b [RunOutcome]>)>);

fn shape<'b>(board: &'b Board<'_>) -> Shape<'b> {
    let runs = |tally: &'b Tally<'_>| tally.runs.iter().map(|run| run.outcomes.as_slice()).collect();
    (&board.problems, board.tallies.iter().map(|tally| (tally.key, tally.expected_runs, runs(tally))).collect())
}

/// Problems whose stored program does not reproduce or does not compute its answer, those that the authors flag, and
/// what derives from one.
fn flagged<'a>(study: &'a Study, corpus: &'a Corpus, ladder: &'a Ladder) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut flagged: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut flag = |set: &'a str, id: &'a str| flagged.entry(set).or_default().insert(id);
    for solver in ladder.solvers.iter().filter(|solver| !solver.agrees && !solver.shortcut) {
        flag(solver.set.as_str(), solver.id.as_str());
    }
    for audit in ladder.audits.iter().filter(|audit| audit.computes == Some(false) && !audit.shortcut) {
        flag(audit.set.as_str(), audit.audit.id.as_str());
    }
    for (set, ids) in &study.choices.flagged_problems {
        ids.iter().for_each(|id| _ = flag(set, id));
    }
    for set in &corpus.sets {
        let Some(parents) = set.parents.as_ref().and_then(|parents| flagged.get(parents.as_str())).cloned() else {
            continue;
        };
        let derived = set
            .problems
            .iter()
            .filter(|problem| problem.parent.as_ref().is_some_and(|parent| parents.contains(parent.as_str())));
        flagged.entry(set.id.as_str()).or_default().extend(derived.map(|problem| problem.id.as_str()));
    }
    flagged
}

const fn outcome(passes: bool) -> RunOutcome {
    if passes { RunOutcome::Pass } else { RunOutcome::Fail }
}

/// Puts the verdicts of another lens or tolerance in place of the recorded ones.
fn grade(board: &mut Board<'_>, regraded: &OfBoard, strict: bool, tolerance: usize) {
    for (tally, runs) in board.tallies.iter_mut().zip(regraded) {
        for (run, verdicts) in tally.runs.iter_mut().zip(runs) {
            for (outcome_, verdict) in run.outcomes.iter_mut().zip(verdicts) {
                if let Some(verdict) = verdict {
                    *outcome_ = outcome(verdict.passes(strict, tolerance));
                }
            }
        }
    }
}

/// Records that were left out because of an error fail. What looks at the error itself does not find it.
fn fail_errors(board: &mut Board<'_>) {
    for run in board.tallies.iter_mut().flat_map(|tally| &mut tally.runs) {
        for (outcome, record) in run.outcomes.iter_mut().zip(&mut run.records) {
            if *outcome == RunOutcome::Excluded && record.is_some_and(|record| record.error.is_some()) {
                (*outcome, *record) = (RunOutcome::Fail, None);
            }
        }
    }
}

/// Records that count as failures because of an error are left out.
fn exclude_errors(board: &mut Board<'_>) {
    for run in board.tallies.iter_mut().flat_map(|tally| &mut tally.runs) {
        for (outcome, record) in run.outcomes.iter_mut().zip(&run.records) {
            if *outcome == RunOutcome::Fail && record.is_some_and(|record| record.error_as_fail) {
                *outcome = RunOutcome::Excluded;
            }
        }
    }
}

/// Leaves out a run of a configuration that has others.
fn without_run(tally: &mut Tally<'_>, number: u32) {
    if tally.expected_runs < 2 || number as usize > tally.expected_runs {
        return;
    }
    tally.runs.retain(|run| run.run.key.run != number);
    tally.expected_runs -= 1;
}

/// Makes one run of several. A configuration of which runs or records are missing stays as it is, and incomplete.
fn combine(tally: &mut Tally<'_>, rule: Reduce) {
    if tally.expected_runs < 2 || tally.complete().is_err() {
        return;
    }
    let expected = tally.expected_runs;
    let problems = tally.runs.first().map_or(0, |run| run.outcomes.len());
    let combined: Vec<RunOutcome> = (0..problems).map(|at| combined(tally, at, rule, expected)).collect();
    let first = &tally.runs[0];
    // The first record that says the same stands for all of them.
    let record = |(at, outcome): (usize, &RunOutcome)| {
        let like = tally.runs.iter().find(|run| run.outcomes[at] == *outcome);
        like.unwrap_or(first).records[at]
    };
    let records = combined.iter().enumerate().map(record).collect();
    let surplus = tally.runs.iter().map(|run| run.surplus).max().unwrap_or(0);
    tally.runs = vec![RunTally { run: first.run, records, outcomes: combined, surplus }];
    tally.expected_runs = 1;
}

/// Graded when any run is; majority is counted of all expected runs, as everywhere.
fn combined(tally: &Tally<'_>, at: usize, rule: Reduce, expected: usize) -> RunOutcome {
    let (passes, graded) = (tally.passes(at), tally.graded(at));
    if graded == 0 {
        return RunOutcome::Excluded;
    }
    outcome(match rule {
        Reduce::Majority | Reduce::Mean => 2 * passes > expected,
        Reduce::Any => passes > 0,
        Reduce::All => passes == graded,
        Reduce::First => tally.runs[0].outcomes[at] == RunOutcome::Pass,
    })
}
