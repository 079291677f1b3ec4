//! A share of the work of levels L1, L2 and L4: what one of several machines executes.
//!
//! The work is one list: every problem with programs, set by set, then every problem of every run. It is cut into
//! pieces of equal bytes at the boundary of an entry. Neighbours stay together, so a machine reads few files a
//! second time, and everything that is executed for one record (its other programs, its programs with changed
//! inputs) is executed where the record is.

use std::collections::BTreeMap;

use super::engines::limits;
use super::faithfulness;
use super::reference::reference;
use super::replay::{StreamError, replay_runs_of_share, replay_share};
use super::whole::Subject;
use crate::archive::{Archive, Record, RunKey};
use crate::corpus::{Corpus, Problem};
use crate::id::{ProblemId, SetId};
use crate::world::Progress;

/// One entry of the list of work, in the order of the list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    /// The programs that are stored with a problem.
    Stored(SetId, ProblemId),
    /// The answers of a run to a problem, wherever they are archived.
    Answers(RunKey, ProblemId),
}

/// A share: the entries of the list from one to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// First entry, and the first that is no longer in it; `None` for a share without entries.
    bounds: Option<(Unit, Option<Unit>)>,
    /// Number of entries.
    pub units: usize,
    /// Bytes of their programs and answers.
    pub bytes: u64,
}

impl Share {
    /// Share `number` (from 1) of `of`.
    pub fn new(corpus: &Corpus, archive: &Archive, number: usize, of: usize) -> Self {
        let units: Vec<(Unit, u64)> = list(corpus, archive).into_iter().collect();
        let total: u128 = units.iter().map(|(_, bytes)| u128::from(*bytes)).sum();
        // An entry belongs where its middle lies; doubled, to stay in whole numbers.
        let mut before = 0_u128;
        let mut owners = units.iter().map(|(_, bytes)| {
            let middle = 2 * before + u128::from(*bytes);
            before += u128::from(*bytes);
            ((middle * of as u128) / (2 * total).max(1)) as usize + 1
        });
        let owners: Vec<usize> = owners.by_ref().collect();
        let from = owners.partition_point(|owner| *owner < number);
        let to = owners.partition_point(|owner| *owner <= number);
        let own = &units[from..to];
        let bounds = own.first().map(|(first, _)| (first.clone(), units.get(to).map(|(next, _)| next.clone())));
        Self { bounds, units: own.len(), bytes: own.iter().map(|(_, bytes)| bytes).sum() }
    }

    fn has(&self, unit: &Unit) -> bool {
        let Some((first, next)) = &self.bounds else { return false };
        first <= unit && next.as_ref().is_none_or(|next| unit < next)
    }

    /// True when the answers of a run to a problem are in this share.
    pub(super) fn has_answers(&self, run: &RunKey, id: &ProblemId) -> bool {
        self.has(&Unit::Answers(run.clone(), id.clone()))
    }

    /// The problems, with stored programs only where they are in this share.
    fn stored(&self, corpus: &Corpus) -> Corpus {
        let mut own = corpus.clone();
        for set in &mut own.sets {
            for problem in &mut set.problems {
                if !self.has(&Unit::Stored(set.id.clone(), problem.id.clone())) {
                    problem.solver = None;
                    problem.shortcut = None;
                    problem.tests = None;
                }
            }
        }
        own
    }
}

/// Every entry with its bytes, at least one each.
fn list(corpus: &Corpus, archive: &Archive) -> BTreeMap<Unit, u64> {
    let mut units = BTreeMap::new();
    for set in &corpus.sets {
        for problem in &set.problems {
            if let Some(bytes) = stored_bytes(problem) {
                *units.entry(Unit::Stored(set.id.clone(), problem.id.clone())).or_insert(0) += bytes;
            }
        }
    }
    let runs = archive.runs.iter().flat_map(|run| run.records.iter().map(|record| (&run.key, record)));
    let selected = archive.transcripts.iter().map(|selected| (&selected.key, &selected.record));
    for (key, record) in runs.chain(selected) {
        *units.entry(Unit::Answers(key.clone(), record.id.clone())).or_insert(0) += answer_bytes(record);
    }
    units
}

/// Bytes of the programs that are stored with a problem; `None` where there is none.
fn stored_bytes(problem: &Problem) -> Option<u64> {
    let shortcut = problem.shortcut.as_ref().and_then(|shortcut| shortcut.program.as_ref());
    let reference = problem.tests.as_ref().and_then(|tests| tests.reference.as_ref());
    let texts = || [problem.solver.as_ref(), shortcut, reference].into_iter().flatten();
    texts().next()?;
    Some(texts().map(|text| text.len() as u64).sum::<u64>().max(1))
}

fn answer_bytes(record: &Record) -> u64 {
    record.attempts.iter().flatten().map(|attempt| attempt.response_bytes).sum::<u64>().max(1)
}

/// Executes what is in a share: the same programs on the same engines as a whole verification would for these
/// entries. Verdicts are not kept; whoever has all outcomes verifies.
///
/// # Errors
/// When an engine cannot go on, or the files cannot be listed.
pub fn execute(subject: Subject<'_>, share: &Share, progress: &dyn Progress) -> Result<(), StreamError> {
    let Subject { study, corpus, archive, means, .. } = subject;
    let own = share.stored(corpus);
    reference(study, &own, means, progress)?;
    replay_share(study, corpus, archive, Some(share), means, progress)?;
    replay_runs_of_share(subject, Some(share), progress)?;
    let auditor = means.engines.first().map(|engine| engine.single().unwrap_or(*engine));
    faithfulness::solvers(&own, auditor, &limits(study), progress)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Attempt, AttemptOutcome, Declared, Run};
    use crate::corpus::Set;
    use crate::digest::Digest;

    fn corpus() -> Corpus {
        let problem = |(id, solver): (&str, Option<&str>)| Problem {
            solver: solver.map(Into::into),
            ..Problem::blank(id.into())
        };
        let labels = crate::study::label("kind", "problems");
        let problems = [("a", Some("1234567890")), ("b", Some("")), ("c", None)].map(problem).to_vec();
        let set = Set::new("core".into(), labels, "Core".into(), "core.json".into(), Digest::of(b""), None, problems);
        Corpus { sets: vec![set] }
    }

    fn archive() -> Archive {
        let run = |number: u32| Run {
            key: RunKey { experiment: "e".into(), configuration: "m".into(), run: number },
            path: format!("{number}.json"),
            digest: Digest::of(b""),
            bytes: 0,
            declared: Declared::default(),
            records: (0..40)
                .map(|n| {
                    let response_bytes = (n * 37 + u64::from(number) * 11) % 101;
                    let outcome = AttemptOutcome::Graded;
                    let attempt = Attempt { outcome, usage: None, response_bytes, has_reasoning: false };
                    Record { attempts: Some(vec![attempt]), ..Record::blank(format!("p{n:02}").into()) }
                })
                .collect(),
        };
        Archive { runs: vec![run(1), run(2)], ..Archive::default() }
    }

    #[test]
    fn every_entry_is_in_one_share_and_shares_are_balanced() {
        let (corpus, archive) = (corpus(), archive());
        let all = list(&corpus, &archive);
        assert_eq!(all.len(), 82, "the problem without a program is no entry");
        let (total, largest) = (all.values().sum::<u64>(), all.values().max().unwrap());
        for of in [1, 2, 3, 7, 16, 82, 200] {
            let shares: Vec<Share> = (1..=of).map(|number| Share::new(&corpus, &archive, number, of)).collect();
            for unit in all.keys() {
                assert_eq!(shares.iter().filter(|share| share.has(unit)).count(), 1, "{unit:?} of {of}");
            }
            assert_eq!(shares.iter().map(|share| share.units).sum::<usize>(), 82);
            assert_eq!(shares.iter().map(|share| share.bytes).sum::<u64>(), total);
            let even = total / of as u64;
            assert!(shares.iter().all(|share| share.bytes.abs_diff(even) <= largest + 1), "{of}: {shares:?}");
        }
        let nothing = Share::new(&Corpus::default(), &Archive::default(), 1, 2);
        assert_eq!((nothing.units, nothing.bytes), (0, 0));
    }

    #[test]
    fn stored_programs_of_other_shares_are_left_out() {
        let (corpus, archive) = (corpus(), archive());
        let programs = |share: &Share| {
            let own = share.stored(&corpus);
            own.sets[0].problems.iter().filter(|problem| problem.solver.is_some()).count()
        };
        let counts: Vec<usize> =
            (1..=100).map(|number| programs(&Share::new(&corpus, &archive, number, 100))).collect();
        assert_eq!(counts.iter().sum::<usize>(), 2);
    }
}
