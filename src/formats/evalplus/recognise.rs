//! Telling results files and samples files from their first bytes, and what can be counted before they are read.

use super::super::items::{self, Item};
use super::super::listing::{Listing, unpacked};
use crate::json::{Fault, Kind, Reader, Value};

/// Whether a JSON file is a results file: `eval` whose first entry has verdicts of base tests.
pub(super) fn is_results(listing: &Listing<'_>, path: &str) -> bool {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    let mut look = || -> Result<bool, Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key != "eval" || reader.kind()? != Kind::Object {
                reader.skip()?;
                continue;
            }
            reader.begin_object()?;
            if reader.next_key()?.is_none() {
                return Ok(false);
            }
            if reader.kind()? == Kind::List {
                reader.begin_list()?;
                if !reader.next_item()? {
                    return Ok(false);
                }
            }
            reader.begin_object()?;
            while let Some(key) = reader.next_key()? {
                if matches!(&*key, "base_status" | "base") {
                    return Ok(true);
                }
                reader.skip()?;
            }
            return Ok(false);
        }
        Ok(false)
    };
    look().unwrap_or(false)
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

/// Name of a file without what says that it is a results file.
pub(super) fn stem(path: &str) -> String {
    let mut name = unpacked(path);
    for ending in [".json", ".jsonl", "_eval_results", ".eval_results", "-eval_results"] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    name.to_owned()
}
