//! Replaying a batch of records on every engine and putting the verdicts together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::engines::{self, Compared};
use super::super::faithfulness::{self, GradedProgram, ProgramAudit};
use super::super::ladder::{Level, LevelSummary};
use super::super::rows::{AttemptVerdict, Cause, Graded, LensRow, Ran, ReplayVerdict};
use super::super::share::Share;
use super::super::unchecked::Unchecked;
use super::super::whole::Means;
use super::case::Case;
use super::judge::{Judged, judge};
use super::tested::Lenses;
use crate::archive::{Archive, RunKey, Transcript};
use crate::corpus::Corpus;
use crate::engine::{Engine, EngineError, Limits, Outcome, Program};
use crate::id::ProblemId;
use crate::number;
use crate::report::{Finding, Findings, Place};
use crate::study::Study;
use crate::world::Progress;

/// What level L2 found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replayed {
    /// One verdict per record with texts.
    pub records: Vec<ReplayVerdict>,
    /// One verdict per attempt.
    pub attempts: Vec<AttemptVerdict>,
    /// Answers on which the lenses differ, with what only a returned mapping tells.
    pub lenses: Vec<LensRow>,
    /// Programs on which the first two engines differ.
    pub disagreements: Vec<Ran>,
    /// Graded programs that do not compute every answer.
    pub quoting: Vec<ProgramAudit>,
    /// Graded programs that were audited, by run.
    pub audited: BTreeMap<RunKey, usize>,
    /// What both lenses say of programs under tests.
    pub tests: Lenses,
    /// Records whose programs were audited.
    looked_at: BTreeSet<(RunKey, ProblemId)>,
}

/// Records executed at once, so that memory does not grow with the archive.
const BATCH: usize = 2000;

/// Replays the selected records of an archive.
pub fn replay(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    means: Means<'_>,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Replayed, Findings), EngineError> {
    replay_share(study, corpus, archive, None, means, progress)
}

/// The same for a share of the work; `None` is all of it.
pub(in crate::verify) fn replay_share(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    share: Option<&Share>,
    means: Means<'_>,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Replayed, Findings), EngineError> {
    let engines = means.engines;
    let mut summary = LevelSummary::new(Level::L2);
    let mut cases = Vec::new();
    let mine = |one: &&Transcript| share.is_none_or(|share| share.has_answers(&one.key, &one.record.id));
    for transcript in archive.transcripts.iter().filter(mine) {
        match Case::new(means.graders, study, corpus, &transcript.key, &transcript.record, &transcript.texts) {
            Ok(case) => {
                let case = case.graded_at(super::super::tolerance(study, archive, &transcript.key));
                cases.push(case.at(&transcript.path, transcript.position));
            }
            Err(reason) => summary.skip(reason, transcript.texts.len().max(1)),
        }
    }
    let mut replayed = Replayed::default();
    let programs: usize = cases.iter().map(|case| case.programs().count()).sum();
    progress.begin("replaying archived answers", engines::work(engines, programs));
    let done = batch(study, &cases, engines, progress, &mut summary, &mut replayed);
    progress.finish();
    done?;
    let findings = replayed.finish(&mut summary);
    Ok((summary, replayed, findings))
}

/// Replays cases and adds their verdicts.
pub(super) fn batch(
    study: &Study,
    cases: &[Case],
    engines: &[&dyn Engine],
    progress: &dyn Progress,
    summary: &mut LevelSummary,
    replayed: &mut Replayed,
) -> Result<(), EngineError> {
    if engines.is_empty() {
        summary.skip(Unchecked::NoEngine, cases.iter().map(|case| case.attempts.len()).sum());
        return Ok(());
    }
    for cases in cases.chunks(BATCH) {
        let programs: Vec<Program> = cases.iter().flat_map(|case| case.programs().cloned()).collect();
        let outcomes = engines::run_all(engines, &programs, &engines::limits(study), progress)?;
        let mut graded = Vec::new();
        let mut from = 0;
        for case in cases {
            let count = case.programs().count();
            let slices: Vec<&[Outcome]> = outcomes.iter().map(|all| &all[from..from + count]).collect();
            from += count;
            replayed.add(case, engines, &slices, summary);
            graded.extend(case.graded_program(slices[0]));
        }
        replayed.audit(engines[0], &graded, &engines::limits(study))?;
    }
    Ok(())
}

impl Replayed {
    fn add(&mut self, case: &Case, engines: &[&dyn Engine], outcomes: &[&[Outcome]], summary: &mut LevelSummary) {
        let judged: Vec<Judged> = outcomes.iter().map(|outcomes| judge(case, outcomes)).collect();
        self.disagreements.extend(compare(case, engines, outcomes, &judged));
        let best = judged.iter().position(|judged| judged.verdict.agrees).unwrap_or(0);
        let Some(Judged { verdict, attempts, lenses }) = judged.into_iter().nth(best) else { return };
        let outside = verdict.cause.filter(|cause| cause.outside_the_record());
        let graded = case.graded_attempt();
        for (position, attempt) in attempts.iter().enumerate() {
            match outside {
                Some(cause) if !attempt.agrees => summary.skip(Unchecked::Ended(cause), 1),
                // Nothing was recorded that it could agree with.
                _ if attempt.recorded == Graded::Unknown && graded != Some(position) => {
                    summary.skip(Unchecked::NoOutcome, 1);
                }
                _ => summary.count(attempt.agrees),
            }
        }
        self.records.push(verdict);
        self.attempts.extend(attempts);
        self.lenses.extend(lenses);
    }

    /// Looks for quoted answers; a record that several files hold is looked at once.
    fn audit(&mut self, engine: &dyn Engine, graded: &[GradedProgram<'_>], limits: &Limits) -> Result<(), EngineError> {
        let seen = &mut self.looked_at;
        let first = |one: &&GradedProgram<'_>| seen.insert((one.place.run.clone(), one.place.id.clone()));
        let once: Vec<GradedProgram<'_>> = graded.iter().filter(first).cloned().collect();
        for one in &once {
            *self.audited.entry(one.place.run.clone()).or_default() += 1;
        }
        self.quoting.extend(faithfulness::programs(engine.single().unwrap_or(engine), &once, limits)?);
        Ok(())
    }

    /// Sorts the rows, writes the remark and tells what there is to tell.
    pub(super) fn finish(&mut self, summary: &mut LevelSummary) -> Findings {
        self.records.sort_by(|a, b| (&a.run, &a.id, &a.file, a.record).cmp(&(&b.run, &b.id, &b.file, b.record)));
        self.attempts.sort_by(|a, b| {
            (&a.run, &a.id, &a.file, a.record, a.attempt).cmp(&(&b.run, &b.id, &b.file, b.record, b.attempt))
        });
        self.lenses.sort_by(|a, b| (&a.run, &a.id, &a.sub).cmp(&(&b.run, &b.id, &b.sub)));
        self.lenses.dedup();
        self.quoting.sort_by(|a, b| (&a.run, &a.id, &a.file, a.record).cmp(&(&b.run, &b.id, &b.file, b.record)));
        // Nothing agrees with a record that says nothing.
        let agreed = self.records.iter().filter(|record| record.agrees && record.recorded.is_some()).count();
        let identical = |record: &&ReplayVerdict| record.agrees && record.difference.class() == "bit-identical";
        let bits = self.records.iter().filter(identical).count();
        let valued = self.records.iter().filter(|record| record.difference.class() != "nothing").count();
        summary.remark = (!self.records.is_empty()).then(|| {
            let all = self.records.len();
            let causes: Vec<String> =
                self.causes().map(|(cause, count)| format!("{count} {}", cause.replace('-', " "))).collect();
            let others = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) };
            let (bits, values) = (number::grouped(bits as u64), number::grouped(valued as u64));
            let values = format!("; the values are equal to the last bit in {bits} of the {values} that have values");
            // Programs under tests return no values.
            let values = if valued == 0 { "" } else { &values };
            let (agreed, all) = (number::grouped(agreed as u64), number::grouped(all as u64));
            if self.records.iter().all(|record| record.recorded.is_none()) {
                return format!("no verdict is recorded with any of {all} records{others}{values}");
            }
            format!("{agreed} of {all} records as recorded{others}{values}")
        });
        let lacks = |record: &&ReplayVerdict| record.cause == Some(Cause::MissingModule);
        let mut findings: Findings = self.records.iter().filter(|record| !lacks(record)).filter_map(tell).collect();
        findings.extend(tell_missing_modules(self.records.iter().filter(lacks)));
        findings.extend(self.tell_extraction());
        findings
    }

    /// How many records differ for each cause.
    fn causes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let of = |wanted: Cause| self.records.iter().filter(|record| record.cause == Some(wanted)).count();
        Cause::ALL.iter().map(move |&cause| (cause.as_str(), of(cause))).filter(|(_, count)| *count > 0)
    }

    fn tell_extraction(&self) -> Option<Finding> {
        let depends = |attempt: &&AttemptVerdict| {
            attempt.extraction_differs && attempt.other_passed.unwrap_or(false) != attempt.passed.unwrap_or(false)
        };
        let dependent: Vec<_> = self.attempts.iter().filter(depends).collect();
        let differing = self.attempts.iter().filter(|attempt| attempt.extraction_differs).count();
        (differing > 0).then(|| {
            let ids: Vec<_> = dependent.iter().take(5).map(|attempt| attempt.id.as_str()).collect();
            let named = if ids.is_empty() { String::new() } else { format!(": {}", ids.join(", ")) };
            let message = format!(
                "in {differing} {} the last Python block is another program than the one that was graded; the verdict depends on it in {}{named}",
                if differing == 1 { "attempt" } else { "attempts" },
                dependent.len()
            );
            Finding::new("lens-differs", Place::subject("extraction-artefact"), message)
        })
    }
}

/// One finding per file for the records whose programs need a module that is not there: the archive is not to blame, and
/// each record says on its page which module it is.
fn tell_missing_modules<'r>(records: impl Iterator<Item = &'r ReplayVerdict>) -> Vec<Finding> {
    let mut by_file: BTreeMap<&str, Vec<&ReplayVerdict>> = BTreeMap::new();
    records.for_each(|record| by_file.entry(&record.file).or_default().push(record));
    let tell = |(file, records): (&str, Vec<&ReplayVerdict>)| {
        let first = records[0];
        let remark = first.remark.as_deref().unwrap_or("a module is missing");
        let message = format!(
            "{} of its records need a module that is not in this environment, as {} (run {}): {remark}",
            number::grouped(records.len() as u64),
            first.id,
            first.run.run
        );
        Finding::new("replay-explained", Place::file(file), message)
    };
    by_file.into_iter().map(tell).collect()
}

fn tell(record: &ReplayVerdict) -> Option<Finding> {
    // Records without a verdict are told once per run, where the run is looked at.
    let cause = record.cause.filter(|cause| *cause != Cause::NotRecorded)?;
    let code = if cause.outside_the_record() { "replay-explained" } else { "replay-differs" };
    let place = Place::file(&record.file).with_record(record.record).with_subject(record.id.as_str());
    let who = format!("{} run {}", record.run.configuration, record.run.run);
    let remark = record.remark.as_deref().unwrap_or("differs");
    Some(Finding::new(code, place, format!("{} ({who}): {remark}", cause.as_str())))
}

/// Disagreements of the first two engines on the programs of a case.
fn compare(case: &Case, engines: &[&dyn Engine], outcomes: &[&[Outcome]], judged: &[Judged]) -> Vec<Ran> {
    let ([first, second, ..], [left, right, ..]) = (engines, outcomes) else {
        return Vec::new();
    };
    let row = |((program, left), right): ((&Program, &Outcome), &Outcome)| {
        let compared = Compared {
            place: case.run.experiment.to_string(),
            id: &case.record.id,
            source: &program.source,
            verdicts: [judged[0].verdict.agrees, judged[1].verdict.agrees],
        };
        engines::disagreement([first.identity(), second.identity()], [left, right], &compared)
    };
    case.programs().zip(*left).zip(*right).filter_map(row).collect()
}
