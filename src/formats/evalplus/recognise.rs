//! Telling results files and samples files from their first bytes, and what can be counted before they are read.

use super::super::items::{self, Item};
use super::super::listing::{Listing, unpacked};
use crate::json::{Fault, Kind, Reader, Value};

/// The verdicts of a results file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suites {
    /// Base tests and extended ones.
    Two,
    /// One suite, as BigCodeBench has it: `status`.
    One,
}

/// Whether a JSON file is a results file: `eval` whose first entry has verdicts; of which suites.
pub(super) fn suites(listing: &Listing<'_>, path: &str) -> Option<Suites> {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    let mut look = || -> Result<Option<Suites>, Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key != "eval" || reader.kind()? != Kind::Object {
                reader.skip()?;
                continue;
            }
            reader.begin_object()?;
            if reader.next_key()?.is_none() {
                return Ok(None);
            }
            if reader.kind()? == Kind::List {
                reader.begin_list()?;
                if !reader.next_item()? {
                    return Ok(None);
                }
            }
            let mut found = None;
            reader.begin_object()?;
            while let Some(key) = reader.next_key()? {
                match &*key {
                    "base_status" | "base" => return Ok(Some(Suites::Two)),
                    "status" => found = Some(Suites::One),
                    _ => {}
                }
                reader.skip()?;
            }
            return Ok(found);
        }
        Ok(None)
    };
    look().ok().flatten()
}

/// The first problem of a results file.
pub(super) fn first_id(listing: &Listing<'_>, path: &str) -> Option<String> {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    reader.begin_object().ok()?;
    while let Some(key) = reader.next_key().ok()? {
        if key == "eval" {
            reader.begin_object().ok()?;
            return reader.next_key().ok()?.map(std::borrow::Cow::into_owned);
        }
        reader.skip().ok()?;
    }
    None
}

/// The largest number of samples of a problem.
pub(super) fn most_samples(listing: &Listing<'_>, path: &str) -> u32 {
    let mut most = 1;
    items::look(listing.source(), path, &[EACH], &mut |item| {
        let Item::Member(name, task) = item else { return };
        if name.starts_with(EACH) {
            let old = || task.get("base").and_then(Value::as_list);
            let list = task.as_list().or_else(old).unwrap_or_default();
            most = most.max(u32::try_from(list.len()).unwrap_or(u32::MAX));
        }
    });
    most
}

/// What stands in front of the problems of a results file that is walked.
const EACH: &str = "eval.";

pub(super) fn is_samples(listing: &Listing<'_>, path: &str) -> bool {
    let objects = listing.objects(path, 3);
    let sample = |object: &Value| {
        object.get("task_id").is_some() && (object.get("solution").is_some() || object.get("completion").is_some())
    };
    !objects.is_empty() && objects.iter().all(sample)
}

/// Ending of the name of a file of stored pass@k, beside its results file.
const PASS_AT_K: &str = "_pass_at_k";

/// Whether a file states pass@k of the results file of the same name, as BigCodeBench writes it.
pub(super) fn is_summary(listing: &Listing<'_>, path: &str) -> bool {
    unpacked(path).trim_end_matches(".json").ends_with(PASS_AT_K)
        && listing.members(path).iter().any(|name| super::super::passk::k_of(name).is_some())
}

/// Name of a file without what says that it is a results file.
pub(super) fn stem(path: &str) -> String {
    let mut name = unpacked(path);
    for ending in [".json", ".jsonl", "_eval_results", ".eval_results", "-eval_results", PASS_AT_K] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    name.to_owned()
}
