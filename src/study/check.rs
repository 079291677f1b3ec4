//! What a declaration must satisfy beyond its shape: references resolve, names are unique, paths
//! stay inside the study, numbers make sense.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use super::doi::doi;
use super::{Study, licence};
use crate::report::did_you_mean;

/// Seconds of processor time a program may be given. More than an hour would only keep a run from ending.
const CPU_SECONDS: RangeInclusive<u32> = 1..=3600;

/// Something in a declaration that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// Dotted key concerned (`experiment[2].set`); empty for the whole file.
    pub key: String,
    /// Line in the file, from 1, where known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        let end = if self.message.ends_with('?') { "" } else { "." };
        write!(f, "{}{end} {}", self.message, self.remedy)
    }
}

/// All objections to a declaration.
pub(super) fn check(study: &Study) -> Vec<Objection> {
    let mut list = List::default();
    identity(study, &mut list);
    names(study, &mut list);
    references(study, &mut list);
    judges(study, &mut list);
    list.0.extend(super::check_parts::check(study));
    paths(study, &mut list);
    grading(study, &mut list);
    list.0
}

#[derive(Default)]
struct List(Vec<Objection>);

impl List {
    fn push(&mut self, key: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(Objection { key: key.into(), line: None, message: message.into(), remedy: remedy.into() });
    }
}

fn identity(study: &Study, list: &mut List) {
    let identity = &study.study;
    let sound = |id: &str| {
        !id.is_empty()
            && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !id.starts_with('-')
    };
    if !sound(&identity.id) {
        list.push(
            "study.id",
            format!("{:?} cannot be the id of a study", identity.id),
            "Use lower-case letters, digits and hyphens.",
        );
    }
    for (key, value) in [("title", &identity.title), ("version", &identity.version)] {
        if value.trim().is_empty() {
            list.push(format!("study.{key}"), "is empty", "Say it: the deposit is not citable without.");
        }
    }
    if !identity.licence.trim().is_empty()
        && let Some((message, remedy)) = licence::objection(&identity.licence)
    {
        list.push("study.licence", message, remedy);
    }
    if let Some(text) = identity.doi.as_deref().filter(|text| doi(text).is_none()) {
        list.push(
            "study.doi",
            format!("{text:?} is not a DOI"),
            "Write it without resolver, such as 10.5281/zenodo.123, or leave it out until there is one.",
        );
    }
    // A licence, authors or a date that nobody has stated are told as such and not asked for here.
    if !identity.date.is_empty() && !is_date(&identity.date) {
        list.push(
            "study.date",
            format!("{:?} is not a date", identity.date),
            "Write YYYY-MM-DD, or YYYY when no more is known.",
        );
    }
    for (position, author) in identity.authors.iter().enumerate() {
        if author.orcid.as_deref().is_some_and(|orcid| !is_orcid(orcid)) {
            list.push(
                format!("study.authors[{position}].orcid"),
                "is not an ORCID (16 digits in four groups, the last a check digit)",
                "Copy it from orcid.org, without the address in front.",
            );
        }
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, width: usize| {
        if part.len() == width && part.bytes().all(|b| b.is_ascii_digit()) { part.parse::<u32>().ok() } else { None }
    };
    let Some(year) = parts.first().and_then(|part| number(part, 4)) else { return false };
    let (month, day) = match parts.as_slice() {
        [_] => return true,
        [_, month, day] => (number(month, 2).unwrap_or(0), number(day, 2).unwrap_or(0)),
        _ => return false,
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// ISO 7064 MOD 11-2, as ORCID uses it.
fn is_orcid(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 19 || [4, 9, 14].iter().any(|&at| bytes[at] != b'-') {
        return false;
    }
    let digits: Vec<u8> = bytes.iter().copied().filter(|b| *b != b'-').collect();
    if digits.len() != 16 || !digits[..15].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let total = digits[..15].iter().fold(0u32, |total, digit| (total + u32::from(digit - b'0')) * 2 % 11);
    let check = (12 - total) % 11;
    digits[15] == if check == 10 { b'X' } else { b'0' + check as u8 }
}

fn names(study: &Study, list: &mut List) {
    let kinds: [(&str, &str, Vec<&str>); 6] = [
        ("set", "id", study.sets.iter().map(|set| set.id.as_str()).collect()),
        ("experiment", "id", study.experiments.iter().map(|experiment| experiment.id.as_str()).collect()),
        ("configuration", "key", study.configurations.iter().map(|configuration| configuration.key.as_str()).collect()),
        ("judge", "id", study.judges.iter().map(|judge| judge.id.as_str()).collect()),
        ("estimator", "id", study.estimators.iter().map(|estimator| estimator.id.as_str()).collect()),
        ("published", "table", study.published.iter().map(|table| table.table.as_str()).collect()),
    ];
    for (kind, member, ids) in kinds {
        let mut seen = BTreeSet::new();
        for (position, id) in ids.into_iter().enumerate() {
            if id.is_empty() {
                list.push(format!("{kind}[{position}].{member}"), "is empty", "Give it a name.");
            } else if !seen.insert(id) {
                list.push(
                    format!("{kind}[{position}].{member}"),
                    format!("{id:?} is declared twice"),
                    "Give each its own.",
                );
            }
        }
    }
    let mut seen = BTreeSet::new();
    for (position, configuration) in study.configurations.iter().enumerate() {
        for (at, alias) in configuration.aliases.iter().enumerate() {
            let taken = study.configurations.iter().any(|other| other.key.as_str() == alias);
            if taken || !seen.insert(alias) {
                list.push(
                    format!("configuration[{position}].aliases[{at}]"),
                    format!("{alias:?} already means another configuration"),
                    "An alias must lead to one configuration only.",
                );
            }
        }
    }
}

fn references(study: &Study, list: &mut List) {
    let sets: BTreeSet<&str> = study.sets.iter().map(|set| set.id.as_str()).collect();
    let keys: BTreeSet<&str> = study.configurations.iter().map(|configuration| configuration.key.as_str()).collect();
    for (position, set) in study.sets.iter().enumerate() {
        if let Some(parents) = set.parents.as_ref().filter(|parents| !sets.contains(parents.as_str())) {
            list.push(
                format!("set[{position}].parents"),
                format!("no set is called {parents}{}", did_you_mean(parents.as_str(), sets.iter().copied())),
                "Declare it, or correct the id.",
            );
        }
    }
    for (position, experiment) in study.experiments.iter().enumerate() {
        if !sets.contains(experiment.set.as_str()) {
            let near = did_you_mean(experiment.set.as_str(), sets.iter().copied());
            let message = format!("no set is called {}{near}", experiment.set);
            list.push(format!("experiment[{position}].set"), message, "Declare it, or correct the id.");
        }
        if experiment.runs == 0 {
            list.push(format!("experiment[{position}].runs"), "is 0", "Say how many runs each configuration has.");
        }
        for (at, key) in experiment.configurations.iter().enumerate() {
            if !keys.contains(key.as_str()) {
                list.push(
                    format!("experiment[{position}].configurations[{at}]"),
                    format!("no configuration is called {key}{}", did_you_mean(key.as_str(), keys.iter().copied())),
                    "Declare it, or correct the key.",
                );
            }
        }
    }
}

fn judges(study: &Study, list: &mut List) {
    if study.judges.iter().filter(|judge| judge.headline).count() > 1 {
        list.push("judge", "more than one judge is the headline", "Mark one with `headline = true`.");
    }
    for (at, estimator) in study.estimators.iter().enumerate() {
        let key = format!("estimator[{at}].k");
        match (estimator.kind.needs_k(), estimator.k) {
            (true, None | Some(0)) => list.push(key, "is missing", "Say how many samples it looks at."),
            (false, Some(_)) => list.push(key, "means nothing for this kind", "Remove it."),
            _ => {}
        }
    }
}

fn paths(study: &Study, list: &mut List) {
    let mut all: Vec<(String, &str)> = Vec::new();
    let by_format = |path: &str, format: &Option<String>| path.is_empty() && format.is_some();
    for (n, set) in study.sets.iter().enumerate().filter(|(_, set)| !by_format(&set.path, &set.format)) {
        all.push((format!("set[{n}].path"), set.path.as_str()));
    }
    for (n, e) in study.experiments.iter().enumerate().filter(|(_, e)| !by_format(&e.folder, &e.format)) {
        all.push((format!("experiment[{n}].folder"), e.folder.as_str()));
    }
    for (n, set) in study.sets.iter().enumerate() {
        all.extend(set.files.iter().enumerate().map(|(f, part)| (format!("set[{n}].files[{f}].path"), &*part.path)));
    }
    for (n, e) in study.experiments.iter().enumerate() {
        all.extend(
            e.files.iter().enumerate().map(|(f, part)| (format!("experiment[{n}].files[{f}].path"), &*part.path)),
        );
    }
    all.extend(study.transcripts.iter().enumerate().map(|(n, t)| (format!("transcripts[{n}].path"), t.path.as_str())));
    all.extend(
        study
            .files
            .iter()
            .enumerate()
            .map(|(n, f)| (format!("file[{n}].path"), f.path.strip_suffix('/').unwrap_or(&f.path))),
    );
    all.extend(study.claims.iter().enumerate().map(|(n, c)| (format!("claims[{n}].path"), c.path.as_str())));
    let bindings = study.claims.iter().enumerate().filter_map(|(n, c)| Some((n, c.bindings.as_deref()?)));
    all.extend(bindings.map(|(n, path)| (format!("claims[{n}].bindings"), path)));
    all.extend(study.published.iter().enumerate().map(|(n, p)| (format!("published[{n}].path"), p.path.as_str())));
    all.extend(
        study
            .documents
            .iter()
            .enumerate()
            .map(|(n, path)| (format!("documents[{n}]"), path.strip_suffix('/').unwrap_or(path))),
    );
    for (key, path) in all {
        let sound = path.split('/').all(|part| !matches!(part, "" | "." | ".."))
            && !path.chars().any(|c| c == '\\' || c.is_control());
        if !sound {
            let message = format!("{path:?} is not a path inside the study");
            list.push(key, message, "Write it relative to study.toml, with forward slashes, without `..`.");
        }
    }
}

fn grading(study: &Study, list: &mut List) {
    let sound = |value: f64| value.is_finite() && (0.0..1.0).contains(&value);
    let mut values = vec![("grading.tolerance".to_owned(), study.grading.tolerance)];
    values.push(("grading.capture".to_owned(), study.grading.capture));
    values.extend(study.grading.sweep.iter().enumerate().map(|(n, value)| (format!("grading.sweep[{n}]"), *value)));
    for (key, value) in values {
        if !sound(value) {
            list.push(key, format!("{value} is not a tolerance"), "Write a fraction, 0.05 for five percent.");
        }
    }
    if !CPU_SECONDS.contains(&study.grading.cpu_seconds) {
        list.push(
            "grading.cpu-seconds",
            format!("is {}, not from {} to {}", study.grading.cpu_seconds, CPU_SECONDS.start(), CPU_SECONDS.end()),
            "Give programs at least a second and at most an hour.",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_orcids_are_checked_by_their_rules() {
        for (text, sound) in [("2026", true), ("2026-02-28", true), ("2026-02-29", false), ("2024-02-29", true)] {
            assert_eq!(is_date(text), sound, "{text}");
        }
        for text in ["26", "2026-2-1", "2026-13-01", "2026-00-10", "2026-01", "today", ""] {
            assert!(!is_date(text), "{text}");
        }
        // The example identifiers of the ORCID documentation.
        assert!(is_orcid("0000-0002-1825-0097") && is_orcid("0000-0001-5109-3700") && is_orcid("0000-0002-1694-233X"));
        assert!(!is_orcid("0000-0002-1825-0098") && !is_orcid("0000000218250097"));
    }
}
