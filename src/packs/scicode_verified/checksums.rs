//! The start-up check: checksums of the release against its manifest, and what a round may not touch.

use std::collections::{BTreeMap, BTreeSet};

use super::benchmark::{AFTER, AFTER_PART, BEFORE, Benchmark, document};
use crate::archive::Materials;
use crate::digest::md5;
use crate::json::Value;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Role of the manifest of the release.
pub(super) const MANIFEST: &str = "manifest";
/// Role of the manifest from before the last round.
pub(super) const MANIFEST_BEFORE: &str = "manifest.before";
/// Role of the files of corrected targets.
pub(super) const TARGETS: &str = "targets";
/// Role of the container of all targets.
pub(super) const CONTAINER: &str = "targets.container";

static ABOUT: About = About {
    id: "release-checksums",
    also: &[],
    title: "Checksums of the release",
    unit: "files",
    meaning: "Whether each file of the release is the one that its manifest names by MD5, and whether the manifest agrees \
              with itself. A file is ok, differs, is missing, is surplus (there and not named), not recorded (named \
              without a checksum) or not archived with this study.",
    formula: "MD5 over the bytes of a file; of the set of targets over the JSON of the object of their MD5s, keys sorted, \
              separators `, ` and `: `.",
    source: "Manifest and harness of the study; RFC 1321.",
    edge_cases: "A checksum that is null is not recorded, and not fine. A part of the release has no checksum in the \
                 manifest. MD5 shows what was meant, not that nobody tampered.",
    example: "39 targets named, none archived: the set checksum is recomputed from the manifest, the files are not \
              archived.",
    keys: &[
        KeyDoc { key: "file", meaning: "what the checksum is of" },
        KeyDoc { key: "md5", meaning: "the checksum found" },
        KeyDoc { key: "state", meaning: "ok, differs, missing, surplus, not-recorded or not-archived" },
        KeyDoc { key: "round", meaning: "round that must leave the targets alone" },
    ],
    measures: &[
        ("agrees", "1 when the checksum found is the one recorded, else 0"),
        ("found", "1, with the checksum found as a key"),
        ("files", "files in this state"),
        ("targets", "targets that the manifest names"),
        ("problems", "problems that the manifest names"),
        ("same-targets", "1 when the set checksum is the same before and after the round, with it as a key"),
    ],
};

/// Checksums of the release.
pub(super) struct Checksums;

/// How a file stands to the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Ok,
    Differs,
    Missing,
    Surplus,
    NotRecorded,
    NotArchived,
}

impl State {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Differs => "differs",
            Self::Missing => "missing",
            Self::Surplus => "surplus",
            Self::NotRecorded => "not-recorded",
            Self::NotArchived => "not-archived",
        }
    }
}

/// A checksum with what it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub(super) file: String,
    pub(super) state: State,
    pub(super) recorded: Option<String>,
    pub(super) found: Option<String>,
}

/// Every file that the manifest names, or that lies where it names files.
pub(super) fn checked(manifest: &Value, materials: &Materials) -> Vec<Checked> {
    let recorded = |value: Option<&Value>| value.and_then(Value::as_text).map(str::to_owned);
    let mut list = Vec::new();
    let mut one = |file: &str, pinned: Option<String>, found: Option<String>, absent: State| {
        let state = match (&pinned, &found) {
            (_, None) => {
                if pinned.is_none() {
                    State::NotRecorded
                } else {
                    absent
                }
            }
            (None, Some(_)) => State::NotRecorded,
            (Some(pinned), Some(found)) if pinned == found => State::Ok,
            _ => State::Differs,
        };
        list.push(Checked { file: file.to_owned(), state, recorded: pinned, found });
    };
    let of_role = |role: &str| materials.one(role).map(|file| md5(&file.bytes));
    one("problems", recorded(manifest.get("problems_test_jsonl_md5")), of_role(AFTER), State::NotArchived);
    one("targets-container", recorded(manifest.get("h5_md5")), of_role(CONTAINER), State::NotArchived);
    let targets = manifest.get("targets_md5");
    let set = targets.map(|targets| md5(targets.python_json(true).as_bytes()));
    one("targets-set", recorded(manifest.get("targets_set_md5")), set, State::Missing);
    let there: BTreeMap<&str, String> = materials
        .all(TARGETS)
        .iter()
        .map(|file| (file.path.rsplit('/').next().unwrap_or(&file.path), md5(&file.bytes)))
        .collect();
    let absent = if there.is_empty() { State::NotArchived } else { State::Missing };
    let mut named = BTreeSet::new();
    for (name, value) in targets.and_then(Value::as_object).into_iter().flat_map(crate::json::Object::iter) {
        named.insert(name);
        one(&format!("targets/{name}"), value.as_text().map(str::to_owned), there.get(name).cloned(), absent);
    }
    for (name, found) in there.iter().filter(|(name, _)| !named.contains(*name)) {
        let file = format!("targets/{name}");
        list.push(Checked { file, state: State::Surplus, recorded: None, found: Some(found.clone()) });
    }
    list
}

/// What of the manifest does not fit the problems at hand.
pub(super) fn stale(manifest: &Value, benchmark: &Benchmark) -> Vec<String> {
    let order: Vec<String> = manifest
        .get("problem_order")
        .and_then(Value::as_list)
        .unwrap_or_default()
        .iter()
        .map(Value::python_text)
        .collect();
    let mut found = Vec::new();
    let stated = manifest.get("n_problems").and_then(Value::as_number).and_then(crate::json::Number::as_u64);
    if stated.is_some_and(|stated| stated != order.len() as u64) {
        found.push(format!("it states {} problems and orders {}", stated.unwrap_or(0), order.len()));
    }
    let Some(after) = &benchmark.after else { return found };
    let ids: Vec<&str> = after.iter().map(|(id, _)| id).collect();
    for id in ids.iter().filter(|id| !order.iter().any(|ordered| ordered == *id)) {
        found.push(format!("the release has problem {id}, which it does not order"));
    }
    if !benchmark.part {
        for id in order.iter().filter(|id| after.get(id).is_none()) {
            found.push(format!("it orders problem {id}, which the release lacks"));
        }
    }
    let sorted = order.windows(2).all(|pair| crate::change_ledger::natural(&pair[0], &pair[1]).is_lt());
    if !sorted {
        found.push("its order is not that of the problem numbers".to_owned());
    }
    found
}

impl Statistic for Checksums {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let materials = &evidence.archive.materials;
        let mut output = Output::default();
        if let Some(file) = materials.one(BEFORE) {
            let keys = [("file", "original"), ("md5", &md5(&file.bytes))];
            output.on(ABOUT.id, Basis::Records, &keys).put("found", Estimate::value(1.0));
        }
        let Some(manifest) = document(materials, MANIFEST) else {
            let reason = format!("not archived: {MANIFEST}");
            output.on(ABOUT.id, Basis::Records, &[]).put("targets", Estimate::undefined(reason.as_str()));
            output.findings.push(Finding::new(
                "not-archived",
                Place::subject(MANIFEST),
                "no checksum of the release is archived",
            ));
            return output;
        };
        let place = materials.one(MANIFEST).map_or_else(Place::default, |file| Place::file(&file.path));
        let list = checked(&manifest, materials);
        for of in &list {
            if let Some(found) = &of.found {
                let keys = [("file", of.file.as_str()), ("md5", found)];
                output.on(ABOUT.id, Basis::Records, &keys).put("found", Estimate::value(1.0));
            }
            let agrees = match of.state {
                State::Ok => Estimate::value(1.0),
                State::Differs | State::Missing | State::Surplus => Estimate::value(0.0),
                State::NotRecorded => Estimate::undefined("the manifest records no checksum"),
                State::NotArchived if of.file == "problems" && materials.one(AFTER_PART).is_some() => {
                    Estimate::undefined("only a part of the release is archived")
                }
                State::NotArchived => Estimate::undefined("the file is not archived"),
            };
            output.on(ABOUT.id, Basis::Records, &[("file", &of.file)]).put("agrees", agrees);
            output.findings.extend(finding(of, &place));
        }
        for state in [State::Ok, State::Differs, State::Missing, State::Surplus, State::NotRecorded, State::NotArchived]
        {
            let count = list.iter().filter(|of| of.state == state).count();
            output.on(ABOUT.id, Basis::Records, &[("state", state.word())]).put("files", Estimate::count(count));
        }
        let count = |name: &str| {
            manifest.get(name).map_or(0, |value| match value {
                Value::Object(object) => object.len(),
                Value::List(list) => list.len(),
                _ => 0,
            })
        };
        output
            .on(ABOUT.id, Basis::Records, &[])
            .put("targets", Estimate::count(count("targets_md5")))
            .put("problems", Estimate::count(count("problem_order")));
        let benchmark = Benchmark::read(materials);
        output.findings.extend(
            stale(&manifest, &benchmark).into_iter().map(|what| Finding::new("manifest-stale", place.clone(), what)),
        );
        coupling(&mut output, &manifest, materials, &place);
        output.tables.push(table(&list));
        output
    }
}

fn finding(of: &Checked, place: &Place) -> Option<Finding> {
    let place = place.clone().with_subject(&of.file);
    let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
    match of.state {
        State::Ok | State::NotArchived => None,
        State::Differs => Some(Finding::new(
            "manifest-differs",
            place,
            format!("the manifest records {}, the content has {}", text(&of.recorded), text(&of.found)),
        )),
        State::Missing => Some(Finding::new("manifest-missing", place, "the manifest names it and it is not there")),
        State::Surplus => {
            Some(Finding::new("manifest-surplus", place, "it is there and the manifest does not name it"))
        }
        State::NotRecorded => {
            Some(Finding::new("manifest-not-recorded", place, "the manifest records no checksum for it"))
        }
    }
}

/// A round that changes texts and tests only must leave the targets as they were.
fn coupling(output: &mut Output, manifest: &Value, materials: &Materials, place: &Place) {
    let Some(before) = document(materials, MANIFEST_BEFORE) else {
        let reason = "the manifest from before the last round is not archived";
        output.on(ABOUT.id, Basis::Records, &[("round", "last")]).put("same-targets", Estimate::undefined(reason));
        return;
    };
    let pair =
        |name: &str| [&before, manifest].map(|of| of.get(name).and_then(Value::as_text).unwrap_or("null").to_owned());
    let [set_before, set] = pair("targets_set_md5");
    let [container_before, container] = pair("h5_md5");
    // A container that one of the two manifests does not record decides nothing.
    let containers = container_before == container || container_before == "null" || container == "null";
    let same = set_before == set && containers;
    let shown = if set_before == set { set.clone() } else { format!("{set_before} before, {set} after") };
    let keys = [("round", "last"), ("md5", shown.as_str())];
    output.on(ABOUT.id, Basis::Records, &keys).put("same-targets", Estimate::value(f64::from(u8::from(same))));
    if !same {
        let message = format!(
            "the targets changed in a round that changes texts and tests only: set {shown}; container {container_before} before, {container} after"
        );
        output.findings.push(Finding::new("manifest-targets-changed", place.clone(), message));
    }
}

fn table(list: &[Checked]) -> Table {
    let columns =
        [("file", Kind::Text, ""), ("state", Kind::Text, ""), ("recorded", Kind::Text, ""), ("found", Kind::Text, "")];
    let mut table = Table::new("release_checksums", "Checksums of the release", &[ABOUT.id], &columns);
    for of in list {
        let cell = |side: &Option<String>| match side {
            Some(text) => Cell::text(text.as_str()),
            None => Cell::Undefined(of.state.word().into()),
        };
        table.push(vec![
            Cell::text(of.file.as_str()),
            Cell::text(of.state.word()),
            cell(&of.recorded),
            cell(&of.found),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        crate::json::Reader::new(text.as_bytes()).value().unwrap()
    }

    // RFC 1321, A.5: "a" and "abc".
    const A: &str = "0cc175b9c0f1b6a831c399e269772661";
    const ABC: &str = "900150983cd24fb0d6963f7d28e17f72";

    #[test]
    fn wrong_missing_and_surplus_files_are_three_things() {
        let manifest = value(&format!(
            r#"{{"problems_test_jsonl_md5": "{ABC}", "h5_md5": null, "targets_md5": {{"1.json": "{A}", "2.json": "{A}", "3.json": "{A}"}}, "targets_set_md5": "x"}}"#
        ));
        let mut materials = Materials::default();
        materials.add(AFTER, "p.jsonl", *b"abc");
        materials.add(TARGETS, "t/1.json", *b"a");
        materials.add(TARGETS, "t/2.json", *b"b");
        materials.add(TARGETS, "t/9.json", *b"a");
        let states: Vec<_> = checked(&manifest, &materials).into_iter().map(|of| (of.file, of.state)).collect();
        let case = |file: &str, state| (file.to_owned(), state);
        assert_eq!(
            states,
            [
                case("problems", State::Ok),
                case("targets-container", State::NotRecorded),
                case("targets-set", State::Differs),
                case("targets/1.json", State::Ok),
                case("targets/2.json", State::Differs),
                case("targets/3.json", State::Missing),
                case("targets/9.json", State::Surplus),
            ]
        );
        let none = checked(&manifest, &Materials::default());
        assert!(none.iter().filter(|of| of.file.starts_with("targets/")).all(|of| of.state == State::NotArchived));
    }

    #[test]
    fn a_manifest_that_does_not_fit_the_release_is_stale() {
        let (items, _) = crate::change_ledger::Items::read(
            [("p.jsonl", &b"{\"problem_id\": \"5\"}\n{\"problem_id\": \"8\"}\n"[..])],
            None,
        );
        let manifest = value(r#"{"n_problems": 3, "problem_order": ["5", "13", "9"]}"#);
        let benchmark = |part| Benchmark { after: Some(items.clone()), part, ..Benchmark::default() };
        assert_eq!(stale(&manifest, &benchmark(true)).len(), 2);
        assert_eq!(stale(&manifest, &benchmark(false)).len(), 4);
        let sound = value(r#"{"n_problems": 2, "problem_order": ["5", "8"]}"#);
        assert!(stale(&sound, &benchmark(false)).is_empty());
        assert_eq!(stale(&value(r#"{"n_problems": 3, "problem_order": ["5", "8"]}"#), &benchmark(false)).len(), 1);
    }
}
