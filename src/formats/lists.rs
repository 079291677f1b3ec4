//! Formats whose files are a list each, of one configuration: what they have in common.

use std::collections::BTreeSet;

use super::items::first;
use super::{Fit, Guess, Listing, Part, Request, Sink};
use crate::archive::{Attempt, AttemptOutcome, Record, Status, Verdict};
use crate::id::{ConfigKey, ProblemId};
use crate::json::Value;
use crate::study::Experiment;

/// JSON files that are a list whose first item fits.
pub(super) fn files<'l>(listing: &'l Listing<'_>, fits: fn(&Value) -> bool) -> Vec<&'l str> {
    listing.ending(&[".json"]).filter(|path| first(listing, path).is_some_and(|item| fits(&item))).collect()
}

/// The guess that such files are one configuration each; `None` without files.
pub(super) fn guess(
    format: &'static str,
    role: &'static str,
    paths: &[&str],
    arms: Vec<String>,
    of: &str,
) -> Option<Guess> {
    let part = |(path, arm): (&&str, String)| Part { path: (*path).to_owned(), role, arm: Some(arm) };
    let parts: Vec<Part> = paths.iter().zip(arms).map(part).collect();
    let reason = format!("{} files are lists of {of}", parts.len());
    (!parts.is_empty()).then_some(Guess { format, fit: Fit::Certain, reason, parts })
}

/// A file of an experiment that is asked for, and the problems that its experiment has stated so far.
pub(super) struct Asked<'a, 'r> {
    /// The request.
    pub(super) request: &'a Request<'r>,
    /// Its experiment.
    pub(super) experiment: &'a Experiment,
    /// Whose answers it holds.
    pub(super) key: &'a ConfigKey,
    /// Path.
    pub(super) path: &'a str,
    /// Ids of the problems that files before it stated.
    pub(super) told: &'a mut BTreeSet<String>,
}

/// Reads each file that is asked for.
pub(super) fn read(request: &Request<'_>, sink: &mut dyn Sink, one: fn(Asked<'_, '_>, &mut dyn Sink)) {
    for experiment in &request.experiments {
        let mut told = BTreeSet::new();
        for part in &experiment.files {
            if let Some(key) = part.configuration.as_ref().filter(|key| request.wants(&experiment.id, key)) {
                one(Asked { request, experiment, key, path: &part.path, told: &mut told }, sink);
            }
        }
    }
}

/// A sample with the verdict of the only judge there is, and the length of its answer.
pub(super) fn judged(id: &str, sample: u32, judge: &str, status: Status, answer: &str) -> Record {
    let outcome = if status == Status::NotGraded { AttemptOutcome::Unknown } else { AttemptOutcome::Graded };
    Record {
        sample,
        // A part of what was asked for is not a pass.
        passed: if status == Status::Partial { Some(false) } else { status.passed() },
        verdicts: vec![Verdict { judge: judge.into(), environment: None, status, inferred: false }],
        attempts: Some(vec![Attempt {
            outcome,
            usage: None,
            response_bytes: answer.len() as u64,
            has_reasoning: false,
        }]),
        ..Record::blank(ProblemId::from(id))
    }
}
