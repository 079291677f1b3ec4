//! Closing sums: every program and every record is in one count of every level.
//!
//! A level counts what agrees, what disagrees and what it could not check with the reason. Here these counts
//! are held against the archive itself, so that nothing can drop out of a total without a word.

use super::ledger::{Ledger, Level};
use crate::archive::{Archive, Record};
use crate::corpus::{Corpus, Problem};
use crate::report::{Finding, Place};

/// What the levels should count: stored programs for L1 and L4, attempts for L2 (a record without any counts
/// once), records for L3. Selected records count beside those of the runs.
pub fn expected_counts(corpus: &Corpus, archive: &Archive) -> [(Level, usize); 3] {
    let programs = |problem: &Problem, kind: &str| {
        let solver = usize::from(problem.solver.is_some() || kind != "multiple-choice");
        solver + usize::from(problem.trap.is_some())
    };
    let stored =
        corpus.sets.iter().flat_map(|set| set.problems.iter().map(|problem| programs(problem, set.kind()))).sum();
    let records = || archive.runs.iter().flat_map(|run| &run.records);
    let attempts = |record: &Record| record.attempts.as_ref().map_or(1, |attempts| attempts.len().max(1));
    let selected = archive.transcripts.iter().map(|transcript| transcript.texts.len().max(1));
    [
        (Level::L1, stored),
        (Level::L2, records().map(attempts).sum::<usize>() + selected.sum::<usize>()),
        (Level::L3, records().count() + archive.transcripts.len()),
    ]
}

/// One finding per level whose counts do not close.
pub(super) fn uncounted(corpus: &Corpus, archive: &Archive, ledger: &Ledger) -> Vec<Finding> {
    let mut findings = Vec::new();
    for summary in &ledger.levels {
        let missing: usize = summary.not_checkable.values().sum();
        if summary.agreed + summary.disagreed != summary.checked || summary.checked + missing != summary.total {
            let message = format!(
                "{} agree, {} disagree and {missing} are not checkable, of {}",
                summary.agreed, summary.disagreed, summary.total
            );
            findings.push(Finding::new("not-counted", Place::subject(format!("{:?}", summary.level)), message));
        }
    }
    for (level, wanted) in expected_counts(corpus, archive) {
        let counted = ledger.level(level).map_or(0, |summary| summary.total);
        if counted != wanted {
            let message = format!("{counted} are counted, the archive holds {wanted}");
            findings.push(Finding::new("not-counted", Place::subject(format!("{level:?}")), message));
        }
    }
    findings
}
