//! Levels L0 to L4 in one go: the ledger and everything there is to say about it.

use super::again::again;
use super::engines;
use super::faithfulness::{self, AuditedRun};
use super::integrity::integrity;
use super::ladder::{Ladder, Level, LevelSummary};
use super::reference::reference;
use super::regrade::{regrade, tell_lenses};
use super::replay::{Lenses, Replayed, StreamError, replay, replay_runs};
use super::rows::{LensRow, LensVerdicts};
use super::summaries::summaries;
use super::sums::uncounted;
use super::unchecked::{Nature, Unchecked};
use crate::archive::Archive;
use crate::corpus::Corpus;
use crate::engine::Engine;
use crate::formats::Formats;
use crate::grade::graders::Graders;
use crate::report::{Finding, Findings, Place};
use crate::study::Study;
use crate::world::{Progress, Source};

/// What is verified, and with what.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Files, for texts that stream by a second time.
    pub source: &'a dyn Source,
    /// What the study declares.
    pub study: &'a Study,
    /// The questions.
    pub corpus: &'a Corpus,
    /// The records.
    pub archive: &'a Archive,
    /// What runs and judges.
    pub means: Means<'a>,
}

/// What a verification runs programs with, reads files with and judges answers with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// One engine, or two under the OR rule; none leaves L1 and L2 unchecked, and says so.
    pub engines: &'a [&'a dyn Engine],
    /// Graders.
    pub graders: Graders<'a>,
    /// Formats.
    pub formats: Formats<'a>,
}

/// Runs levels L0 to L4.
///
/// Levels that could check nothing because nothing was archived for them are told as findings.
pub fn verify(subject: Subject<'_>, progress: &dyn Progress) -> Result<(Ladder, Findings), StreamError> {
    let Subject { study, corpus, archive, means, .. } = subject;
    let mut ledger = Ladder::default();
    let (mut l0, runs, mut findings) = integrity(study, corpus, archive);
    let (stored, told) = summaries(study, corpus, archive, &mut l0);
    ledger.summaries = stored;
    findings.extend(told.iter().cloned());
    ledger.record(l0);
    ledger.runs = runs;
    let (l1, executed, told) = reference(study, corpus, means, progress)?;
    ledger.record(l1);
    findings.extend(told.iter().cloned());
    ledger.solvers = executed.solvers;
    ledger.disagreements = executed.disagreements;
    let mut tests = Lenses::default();
    for (l2, replayed, told) in [replay(study, corpus, archive, means, progress)?, replay_runs(subject, progress)?] {
        ledger.record(l2);
        tests.verdicts.extend(replayed.tests.verdicts.clone());
        for (reason, count) in &replayed.tests.undecided {
            *tests.undecided.entry(reason.clone()).or_default() += count;
        }
        findings.extend(told.iter().cloned());
        add(&mut ledger, replayed);
    }
    let (l3, regraded, told) = regrade(study, archive, means.graders);
    ledger.record(l3);
    findings.extend(told.iter().cloned());
    (ledger.regrades, ledger.sweep, ledger.undecided) = (regraded.differing, regraded.sweep, regraded.undecided);
    for (reason, count) in &tests.undecided {
        *ledger.undecided.entry(reason.clone()).or_default() += count;
    }
    ledger.verdicts = with_tests(regraded.verdicts, std::mem::take(&mut tests));
    ledger.lenses = joined(std::mem::take(&mut ledger.lenses), regraded.lenses);
    findings.extend(tell_lenses(&ledger.lenses));
    let (derived, stored, told) = again(archive);
    ledger.summaries.extend(stored);
    derived.into_iter().for_each(|level| ledger.record(level));
    findings.extend(told.iter().cloned());
    let auditor = means.engines.first().map(|engine| engine.single().unwrap_or(*engine));
    let (l4, audits, told) = faithfulness::solvers(corpus, auditor, &engines::limits(study), progress)?;
    ledger.record(l4);
    findings.extend(told.iter().cloned());
    ledger.audits = audits;
    ledger.engines = engines::engine_rows(means.engines);
    findings.extend(missing_evidence(&ledger, true));
    findings.extend(uncounted(corpus, archive, &ledger));
    findings.extend(tell_engines(&ledger));
    findings.extend(faithfulness::quoted(study, corpus, &ledger.quoting));
    Ok((ledger, findings))
}

fn add(ledger: &mut Ladder, replayed: Replayed) {
    ledger.replays.extend(replayed.records);
    ledger.attempts.extend(replayed.attempts);
    ledger.lenses.extend(replayed.lenses);
    ledger.disagreements.extend(replayed.disagreements);
    ledger.quoting.extend(replayed.quoting);
    let audited = replayed.audited.into_iter().map(|(run, programs)| AuditedRun { run, programs });
    ledger.audited.extend(audited);
    ledger.audited.sort_by(|a, b| a.run.cmp(&b.run));
    ledger.quoting.sort_by(|a, b| (&a.run, &a.id, &a.file, a.record).cmp(&(&b.run, &b.id, &b.file, b.record)));
    ledger.replays.sort_by(|a, b| (&a.run, &a.id, &a.file, a.record).cmp(&(&b.run, &b.id, &b.file, b.record)));
    let place = |a: &super::rows::AttemptVerdict| (a.run.clone(), a.id.clone(), a.file.clone(), a.record, a.attempt);
    ledger.attempts.sort_by_cached_key(place);
}

/// Verdicts of both lenses by run: those of stored values, and for runs of programs under tests those of what ran.
fn with_tests(regraded: Vec<LensVerdicts>, mut tests: Lenses) -> Vec<LensVerdicts> {
    let mut rows: Vec<LensVerdicts> = regraded
        .into_iter()
        .map(|row| match tests.verdicts.remove(&row.run) {
            Some(tested) if row.graded == 0 => tested,
            _ => row,
        })
        .collect();
    rows.extend(tests.verdicts.into_values());
    rows.sort_by(|a, b| a.run.cmp(&b.run));
    rows
}

/// Rows of both levels; where both looked at an answer, the one that saw what was returned stays.
fn joined(replayed: Vec<LensRow>, regraded: Vec<LensRow>) -> Vec<LensRow> {
    let mut rows = replayed;
    rows.extend(regraded);
    // The sort is stable, so the replayed row comes first among equals.
    rows.sort_by(|a, b| (&a.run, &a.id, &a.sub).cmp(&(&b.run, &b.id, &b.sub)));
    rows.dedup_by(|later, first| (&later.run, &later.id, &later.sub) == (&first.run, &first.id, &first.sub));
    rows
}

/// One finding per level for what could have been archived and was not. What nobody asked for is missing evidence
/// only where an execution was `asked` for. Absent runs have findings of their own.
pub fn missing_evidence(ladder: &Ladder, asked: bool) -> Vec<Finding> {
    let tell = |summary: &LevelSummary| {
        let counts = |reason: &Unchecked| match reason.nature() {
            Nature::Inherent => false,
            Nature::Archive => true,
            Nature::Run => asked,
        };
        let lacking = || summary.not_checkable.iter().filter(|(reason, _)| counts(reason));
        let reasons: Vec<_> = lacking().map(|(reason, count)| format!("{}: {count}", reason.words())).collect();
        let count: usize = lacking().map(|(_, count)| count).sum();
        let level = format!("{:?}", summary.level);
        let message = format!("{count} of {} not checkable ({})", summary.total, reasons.join("; "));
        (count > 0 && (Level::L1..=Level::L4).contains(&summary.level))
            .then(|| Finding::new("not-archived", Place::subject(level), message))
    };
    ladder.levels.iter().filter_map(tell).collect()
}

fn tell_engines(ledger: &Ladder) -> Vec<Finding> {
    let tell = |row: &super::rows::Ran| {
        let place = Place::subject(format!("{} {}", row.place, row.id));
        let verdict = if row.verdict_differs { "the verdict differs" } else { "the verdict is the same" };
        Finding::new(
            "engines-differ",
            place,
            format!("{}: {} and {}; {verdict}", row.cause, row.statuses[0], row.statuses[1]),
        )
    };
    ledger.disagreements.iter().map(tell).collect()
}
