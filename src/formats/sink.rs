//! What a format is asked to read, and where it puts what it reads.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::spots::{Spot, Spots};
use crate::archive::{
    Archive, AttemptText, Coverage, Declared, Interner, Record, Recount, Run, RunKey, Selection, Status, StoredSummary,
};
use crate::corpus::{Problem, Set};
use crate::digest::Digest;
use crate::id::{ConfigKey, ExperimentId, ProblemId, SetId};
use crate::report::{Finding, Place};
use crate::study::{Experiment, ProblemSet, Study};
use crate::world::{Progress, Source};

/// How many findings of one code are listed for a file.
const LISTED: usize = 100;

/// Records from which on a run of nothing but timeouts and errors is a suspicion about its environment.
const SUSPICIOUS: usize = 5;

/// What a format reads.
pub struct Request<'a> {
    /// Files.
    pub source: &'a dyn Source,
    /// The study.
    pub study: &'a Study,
    /// Sets of this format; none when only one arm is read.
    pub sets: Vec<&'a ProblemSet>,
    /// Experiments of this format.
    pub experiments: Vec<&'a Experiment>,
    /// Which part is read.
    pub selection: Selection<'a>,
    /// Progress by bytes of the files.
    pub progress: &'a dyn Progress,
}

impl Request<'_> {
    /// Whether the records of an arm are asked for.
    pub fn wants(&self, experiment: &ExperimentId, configuration: &ConfigKey) -> bool {
        self.selection.only.is_none_or(|(e, c)| e == experiment && c == configuration)
    }
}

/// Where a format puts what it reads.
pub trait Sink {
    /// A problem of a set, in file order. Of equal ids the first is kept and the others are told.
    fn problem(&mut self, set: &SetId, problem: Problem, place: Place);

    /// A record with its texts, which are looked at now and dropped. Of equal records (run and id) the first is kept
    /// and the others are told. Sample i of a problem is run i + 1: see [`Sink::sample`].
    fn record(&mut self, key: RunKey, record: Record, texts: &[AttemptText<'_>], place: Place);

    /// Number of the next sample of a problem in an arm, from 0, for files in which the order of lines tells it.
    fn sample(&mut self, experiment: &ExperimentId, configuration: &ConfigKey, id: &str) -> u32;

    /// A number that a file states about records.
    fn summary(&mut self, summary: StoredSummary);

    /// A number that a file states, counted again by the reader from values that records do not hold.
    fn recount(&mut self, recount: Recount);

    /// Coverage that the files state themselves; what they do not state is counted.
    fn coverage(&mut self, coverage: Coverage);

    /// Something to say.
    fn finding(&mut self, finding: Finding);

    /// A file that was read to its end, with the digest of its stored bytes.
    fn file(&mut self, path: &str, digest: Digest, bytes: u64);
}

/// Collects what formats read, with a measurement of each record's texts.
pub(super) struct Collector<'m, T> {
    measure: &'m dyn Fn(&RunKey, &Record, &[AttemptText<'_>]) -> T,
    problems: BTreeMap<SetId, Problems>,
    runs: BTreeMap<RunKey, Collected<T>>,
    samples: BTreeMap<(ExperimentId, ConfigKey), BTreeMap<Arc<str>, u32>>,
    files: BTreeMap<String, (Digest, u64)>,
    told: BTreeMap<(Option<String>, &'static str), usize>,
    spots: Spots,
    texts: Interner,
    archive: Archive,
    findings: Vec<Finding>,
}

#[derive(Default)]
struct Problems {
    list: Vec<Problem>,
    seen: BTreeMap<ProblemId, Spot>,
    path: Option<String>,
}

struct Collected<T> {
    path: String,
    records: Vec<(Record, T)>,
    seen: BTreeMap<ProblemId, (Option<bool>, Spot)>,
}

impl<'m, T> Collector<'m, T> {
    pub(super) fn new(measure: &'m dyn Fn(&RunKey, &Record, &[AttemptText<'_>]) -> T) -> Self {
        Self {
            measure,
            problems: BTreeMap::new(),
            runs: BTreeMap::new(),
            samples: BTreeMap::new(),
            files: BTreeMap::new(),
            told: BTreeMap::new(),
            spots: Spots::default(),
            texts: Interner::default(),
            archive: Archive::default(),
            findings: Vec::new(),
        }
    }

    /// Sets, archive with measurements by run, and findings.
    pub(super) fn finish(mut self, study: &Study) -> (Vec<Set>, Archive, Vec<Vec<T>>, Vec<Finding>) {
        for ((file, code), count) in std::mem::take(&mut self.told) {
            if count > LISTED {
                let place = file.map_or_else(Place::default, Place::file);
                self.findings.push(Finding::new(code, place, format!("{} more of this kind", count - LISTED)));
            }
        }
        let sets = self.sets(study);
        let mut measured = Vec::with_capacity(self.runs.len());
        for (key, mut collected) in std::mem::take(&mut self.runs) {
            collected.records.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
            let (mut records, values): (Vec<Record>, Vec<T>) = collected.records.into_iter().unzip();
            self.findings.extend(suspicion(&key, &collected.path, &mut records));
            let (digest, bytes) = self.files.get(&collected.path).copied().unwrap_or((Digest::of(b""), 0));
            let declared = Declared::default();
            self.archive.runs.push(Run { key, path: collected.path, digest, bytes, declared, records });
            measured.push(values);
        }
        (sets, self.archive, measured, self.findings)
    }

    /// Makes equal texts of records one: what an archive holds in memory are its records, and they repeat their ids, judges
    /// and reasons.
    fn share(&mut self, record: &mut Record) {
        record.id = self.texts.text(record.id.as_str()).into();
        for verdict in &mut record.verdicts {
            verdict.judge = self.texts.text(&verdict.judge);
            if let Some(environment) = &mut verdict.environment {
                *environment = self.texts.text(environment);
            }
        }
        if let Some(reason) = &mut record.failed_reason {
            *reason = self.texts.text(reason);
        }
        if !record.labels.is_empty() {
            let labels = std::mem::take(&mut record.labels);
            record.labels =
                labels.into_iter().map(|(name, value)| (self.texts.text(&name), self.texts.text(&value))).collect();
        }
    }

    /// Problems of each declared set: those that files define, else those that records name.
    fn sets(&mut self, study: &Study) -> Vec<Set> {
        let mut sets = Vec::new();
        for declared in study.sets.iter().filter(|set| set.format.is_some()) {
            let known = self.problems.remove(&declared.id).unwrap_or_default();
            let mut problems = known.list;
            let listed = !problems.is_empty();
            if !listed {
                let asked: Vec<&ExperimentId> =
                    study.experiments.iter().filter(|e| e.set == declared.id).map(|e| &e.id).collect();
                let runs = self.runs.iter().filter(|(key, _)| asked.contains(&&key.experiment));
                let ids: std::collections::BTreeSet<ProblemId> =
                    runs.flat_map(|(_, run)| run.seen.keys().cloned()).collect();
                problems = ids.into_iter().map(Problem::blank).collect();
            }
            if problems.is_empty() {
                continue;
            }
            let path = known.path.unwrap_or_else(|| declared.path.clone());
            let digest = self.files.get(&path).map_or_else(|| Digest::of(b""), |(digest, _)| *digest);
            sets.push(Set::new(
                declared.id.clone(),
                declared.labels.clone(),
                declared.title.clone(),
                path,
                digest,
                declared.parents.clone(),
                problems,
            ));
        }
        sets
    }
}

/// A run in which every answer ended with a timeout or an error tells something about where it ran, not about the
/// answers: its marks are taken out of the rates and the suspicion is told.
fn suspicion(key: &RunKey, path: &str, records: &mut [Record]) -> Option<Finding> {
    let failed = |record: &Record| {
        let ended = |status: Status| matches!(status, Status::Timeout | Status::Error);
        !record.verdicts.is_empty() && record.verdicts.iter().all(|verdict| ended(verdict.status))
    };
    if records.len() < SUSPICIOUS || !records.iter().all(failed) {
        return None;
    }
    for record in records.iter_mut() {
        record.passed = None;
    }
    let place = Place::file(path).with_subject(key.configuration.as_str());
    let message = format!(
        "all {} records of run {} ended with a timeout or an error, whatever was answered",
        records.len(),
        key.run
    );
    Some(Finding::new("environment-suspected", place, message))
}

impl<T> Sink for Collector<'_, T> {
    fn problem(&mut self, set: &SetId, problem: Problem, place: Place) {
        let problems = self.problems.entry(set.clone()).or_default();
        if problems.path.is_none() {
            problems.path.clone_from(&place.file);
        }
        if let Some(first) = problems.seen.get(&problem.id) {
            let first = self.spots.place(*first, problem.id.as_str());
            let message = format!("problem {} also stands at {first}, which is used", problem.id);
            let place = place.with_subject(problem.id.as_str());
            self.finding(Finding::new("duplicate-id", place, message));
        } else {
            problems.seen.insert(problem.id.clone(), self.spots.spot(&place));
            problems.list.push(problem);
        }
    }

    fn record(&mut self, key: RunKey, mut record: Record, texts: &[AttemptText<'_>], place: Place) {
        self.share(&mut record);
        let path = place.file.clone().unwrap_or_default();
        let run = self.runs.entry(key.clone()).or_insert_with(|| Collected {
            path,
            records: Vec::new(),
            seen: BTreeMap::new(),
        });
        if let Some((passed, first)) = run.seen.get(&record.id) {
            let first = self.spots.place(*first, record.id.as_str());
            let word = |passed: Option<bool>| match passed {
                Some(true) => "passed",
                Some(false) => "failed",
                None => "no mark",
            };
            let (first_word, this) = (word(*passed), word(record.passed));
            let message = format!(
                "{} run {} has this problem at {first}, which is used ({first_word}); here it is {this}",
                key.configuration, key.run
            );
            let place = place.with_subject(record.id.as_str());
            self.finding(Finding::new("duplicate-id", place, message));
            return;
        }
        run.seen.insert(record.id.clone(), (record.passed, self.spots.spot(&place)));
        let measured = (self.measure)(&key, &record, texts);
        run.records.push((record, measured));
    }

    fn sample(&mut self, experiment: &ExperimentId, configuration: &ConfigKey, id: &str) -> u32 {
        let arm = self.samples.entry((experiment.clone(), configuration.clone())).or_default();
        match arm.get_mut(id) {
            Some(next) => {
                *next += 1;
                *next
            }
            None => {
                arm.insert(self.texts.text(id), 0);
                0
            }
        }
    }

    fn summary(&mut self, summary: StoredSummary) {
        self.archive.summaries.push(summary);
    }

    fn recount(&mut self, recount: Recount) {
        self.archive.recounts.push(recount);
    }

    fn coverage(&mut self, coverage: Coverage) {
        self.archive.coverage.push(coverage);
    }

    fn finding(&mut self, finding: Finding) {
        let count = self.told.entry((finding.place.file.clone(), finding.code)).or_default();
        *count += 1;
        if *count <= LISTED {
            self.findings.push(finding);
        }
    }

    fn file(&mut self, path: &str, digest: Digest, bytes: u64) {
        self.files.insert(path.to_owned(), (digest, bytes));
    }
}
