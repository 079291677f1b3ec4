//! Closing sums: every program and every record is in one count of every level.
//!
//! A level counts what agrees, what disagrees and what it could not check with the reason. Here these counts
//! are held against the archive itself, so that nothing can drop out of a total without a word.

use super::ladder::{Ladder, Level};
use crate::archive::{Archive, Record};
use crate::corpus::{Corpus, Problem};
use crate::report::{Finding, Place};

/// What the levels should count: stored programs for L1 and L4, attempts for L2 (a record without any counts
/// once), records for L3 (a record whose verdicts follow from its texts once for each of its judges). Selected
/// records count beside those of the runs.
pub fn expected_counts(corpus: &Corpus, archive: &Archive) -> [(Level, usize); 3] {
    let programs = |problem: &Problem| {
        // Imported items with options never had programs.
        let solver = usize::from(problem.solver.is_some() || problem.choice.is_none());
        solver + usize::from(problem.shortcut.is_some())
    };
    let stored = corpus.sets.iter().flat_map(|set| &set.problems).map(programs).sum();
    let records = || archive.runs.iter().flat_map(|run| &run.records);
    let attempts = |record: &Record| record.attempts.as_ref().map_or(1, |attempts| attempts.len().max(1));
    let selected = archive.transcripts.iter().map(|transcript| transcript.texts.len().max(1));
    [
        (Level::L1, stored),
        (Level::L2, records().map(attempts).sum::<usize>() + selected.sum::<usize>()),
        (Level::L3, records().map(|record| record.again.len().max(1)).sum::<usize>() + archive.transcripts.len()),
    ]
}

/// One finding per level whose counts do not close.
pub(super) fn uncounted(corpus: &Corpus, archive: &Archive, ledger: &Ladder) -> Vec<Finding> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::whole::{Means, Subject, verify};
    use super::*;
    use crate::archive::{Attempt, AttemptOutcome, Declared, Hindrance, Run, RunKey, Transcript};
    use crate::digest::Digest;
    use crate::formats::Formats;
    use crate::grade::graders::Graders;
    use crate::study::Study;
    use crate::world::Silent;
    use crate::world::memory::Memory;

    fn study() -> Study {
        toml::from_str(
            "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
             authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
             [[set]]\nid='core'\ntitle='P'\nkind='problems'\npath='p.json'\n\
             [[configuration]]\nkey='c'\nname='C'\nbackbone='c'\nsetting='reasoning'\n\
             [[experiment]]\nid='code'\nfolder='e'\nset='core'\nprotocol='code'\nruns=1\n\
             [[experiment]]\nid='direct'\nfolder='d'\nset='core'\nprotocol='direct'\nruns=1\n\
             [[experiment]]\nid='option'\nfolder='o'\nset='core'\nprotocol='option'\nruns=1\n",
        )
        .unwrap()
    }

    /// A record in any state of damage.
    fn record() -> impl Strategy<Value = Record> {
        let attempts = prop::option::of(prop::collection::vec((0..3_u8, 0..2_u64), 0..4));
        let flags = (any::<Option<bool>>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        (0..6_u8, flags, attempts).prop_map(|(id, (passed, error, as_fail, reason, details), attempts)| Record {
            passed,
            error: error.then(|| "x".into()),
            error_as_fail: as_fail,
            failed_reason: reason.then(|| "y".into()),
            details: details.then(Vec::new),
            attempts: attempts.map(|list| {
                let attempt = |(outcome, bytes): (u8, u64)| Attempt {
                    outcome: match outcome {
                        0 => AttemptOutcome::Graded,
                        1 => AttemptOutcome::Ungradable("z".into(), Hindrance::Answer),
                        _ => AttemptOutcome::Unknown,
                    },
                    usage: None,
                    response_bytes: bytes,
                    has_reasoning: false,
                };
                list.into_iter().map(attempt).collect()
            }),
            ..Record::blank(format!("p{id}").into())
        })
    }

    proptest! {
        #[test]
        fn the_sums_close_over_any_archive(
            runs in prop::collection::vec((0..4_usize, prop::collection::vec(record(), 0..6)), 0..4),
            selected in prop::collection::vec((0..4_usize, record()), 0..3),
            solvers in prop::collection::vec(any::<bool>(), 0..5),
        ) {
            let study = study();
            let key = |which: usize, number: u32| RunKey {
                experiment: ["code", "direct", "option", "unheard-of"][which].into(),
                configuration: "c".into(),
                run: number,
            };
            let problem = |(n, solver): (usize, bool)| Problem {
                solver: solver.then(|| "def solve(): pass".into()),
                ..Problem::blank(format!("p{n}").into())
            };
            let problems = solvers.into_iter().enumerate().map(problem).collect();
            let set = crate::corpus::Set::new(
                "core".into(), study.sets[0].labels.clone(), "P".into(), "p.json".into(), Digest::of(b""), None, problems,
            );
            let corpus = Corpus { sets: vec![set] };
            let run = |(number, (which, mut records)): (usize, (usize, Vec<Record>))| {
                records.sort_by(|a, b| a.id.cmp(&b.id));
                let key = key(which, number as u32 + 1);
                Run { key, path: "e".into(), digest: Digest::of(b""), bytes: 0, declared: Declared::default(), records }
            };
            let mut runs: Vec<Run> = runs.into_iter().enumerate().map(run).collect();
            runs.sort_by(|a, b| a.key.cmp(&b.key));
            let transcript = |(position, (which, record)): (usize, (usize, Record))| Transcript {
                path: "t".into(),
                position,
                key: key(which, 1),
                texts: record.attempts.iter().flatten().map(|_| crate::archive::AttemptText::default()).collect(),
                record,
            };
            let transcripts = selected.into_iter().enumerate().map(transcript).collect();
            let archive = Archive { runs, transcripts, ..Archive::default() };
            let source = Memory::default();
            let subject = Subject { source: &source, study: &study, corpus: &corpus, archive: &archive, means: Means { engines: &[], graders: Graders::CORE, formats: Formats::CORE } };
            let (ledger, findings) = verify(subject, &Silent).unwrap();
            let open: Vec<_> = findings.iter().filter(|finding| finding.code == "not-counted").collect();
            prop_assert!(open.is_empty(), "{:?}", open);
            for (level, total) in expected_counts(&corpus, &archive) {
                prop_assert_eq!(ledger.level(level).map_or(0, |summary| summary.total), total);
            }
        }
    }
}
