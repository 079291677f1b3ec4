//! Which files of a folder are reports, predictions and data sets, and whose they are.

use std::collections::BTreeMap;

use super::predictions::is_prediction;
use super::report::{Layout, layout};
use crate::formats::items::{first, first_member};
use crate::formats::{Listing, Part, arms};
use crate::json::Value;

/// Roles of files. A folder of reports of single instances is one part, whose path ends with `/`.
pub(super) const REPORT: &str = "report";
pub(super) const INSTANCES: &str = "instances";
pub(super) const PREDICTIONS: &str = "predictions";
pub(super) const DATASET: &str = "dataset";

/// What a file is, by its name and its beginning.
pub(super) fn role(listing: &Listing<'_>, path: &str) -> Option<&'static str> {
    let bare = path.strip_suffix(".gz").unwrap_or(path);
    if bare.ends_with(".jsonl") {
        return of_item(listing.objects(path, 1).first()?);
    }
    if !bare.ends_with(".json") {
        return None;
    }
    if let Some(item) = first(listing, path) {
        return of_item(&item);
    }
    let members = listing.members(path);
    let has = |name: &str| members.iter().any(|member| member == name);
    if has("resolved_ids") || (has("resolved_instances") && has("total_instances")) {
        return Some(REPORT);
    }
    let lists = ["no_generation", "generated", "no_logs", "with_logs", "applied"];
    if has("resolved") && lists.into_iter().any(has) {
        return Some(REPORT);
    }
    let (key, value) = first_member(listing, path)?;
    if value.get("model_patch").is_some() {
        return Some(PREDICTIONS);
    }
    let one: crate::json::Object = [(key, value)].into_iter().collect();
    (layout(&one) == Some(Layout::Instances) && one.iter().any(|(_, value)| is_instance(value))).then_some(INSTANCES)
}

/// `resolved` alone is a word of many files; an instance of this harness says what became of its patch.
fn is_instance(value: &Value) -> bool {
    ["patch_successfully_applied", "patch_exists", "patch_is_None", "tests_status"]
        .iter()
        .any(|name| value.get(name).is_some())
}

fn of_item(item: &Value) -> Option<&'static str> {
    if is_prediction(item) {
        return Some(PREDICTIONS);
    }
    let has = |name: &str| item.get(name).is_some();
    (has("instance_id") && (has("base_commit") || has("problem_statement") || has("repo"))).then_some(DATASET)
}

/// Folder of the run that a report of one instance belongs to: `<run>/<instance>/report.json`.
fn run_folder(path: &str) -> &str {
    path.rsplitn(3, '/').nth(2).unwrap_or("")
}

/// All files with their arms. Reports get names by what tells their paths apart; predictions and reports of single
/// instances belong to the report of the same name, or to the only one of their folder; what belongs to none is an
/// arm of its own.
pub(super) fn parts(listing: &Listing<'_>) -> Vec<Part> {
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for path in listing.ending(&[".json", ".jsonl"]) {
        match role(listing, path) {
            Some(INSTANCES) if path.rsplit('/').next().is_some_and(|name| name.starts_with("report.json")) => {
                *folders.entry(format!("{}/", run_folder(path))).or_default() += 1;
            }
            Some(role) => found.entry(role).or_default().push(path.to_owned()),
            None => {}
        }
    }
    let of = |role: &str| found.get(role).cloned().unwrap_or_default();
    let (reports, single) = (of(REPORT), of(INSTANCES));
    let mut main: Vec<(String, &'static str)> = reports.into_iter().map(|path| (path, REPORT)).collect();
    main.extend(single.into_iter().map(|path| (path, INSTANCES)));
    let others: Vec<(String, &'static str)> = (folders.into_keys().map(|path| (path, INSTANCES)))
        .chain(of(PREDICTIONS).into_iter().map(|path| (path, PREDICTIONS)))
        .collect();
    let names = arms(&main.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>());
    let mut parts: Vec<Part> = Vec::new();
    for ((path, role), name) in main.iter().zip(&names) {
        parts.push(Part { path: path.clone(), role, arm: Some(name.clone()) });
    }
    let owners: Vec<Option<String>> = others.iter().map(|other| owner(other, &main, &names, &others)).collect();
    let alone: Vec<&str> = others
        .iter()
        .zip(&owners)
        .filter(|(_, owner)| owner.is_none())
        .map(|((path, _), _)| path.trim_end_matches('/'))
        .collect();
    let mut own_names = arms(&alone).into_iter();
    for ((path, role), owner) in others.iter().zip(owners) {
        let arm = owner.or_else(|| own_names.next());
        parts.push(Part { path: path.clone(), role, arm });
    }
    for path in of(DATASET) {
        parts.push(Part { path, role: DATASET, arm: None });
    }
    parts
}

fn stem(path: &str) -> &str {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".json")).unwrap_or(name)
}

/// Name of the report that a file belongs to.
fn owner(
    other: &(String, &'static str),
    main: &[(String, &'static str)],
    names: &[String],
    others: &[(String, &'static str)],
) -> Option<String> {
    let (path, role) = other;
    let own = stem(path);
    // The harness calls a report <model>.<run>.json, and a run's folder <run>/<model>/.
    let mut folders = path.trim_end_matches('/').rsplit('/');
    let run = (folders.next(), folders.next());
    let dotted = run.1.map(|run_id| format!("{own}.{run_id}"));
    let by_name = main.iter().zip(names).find(|((report, _), name)| {
        own == name.as_str() || own == stem(report) || dotted.as_deref() == Some(stem(report))
    });
    if let Some((_, name)) = by_name {
        return Some(name.clone());
    }
    let mut folder = path.trim_end_matches('/');
    loop {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below =
            |path: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let reports: Vec<usize> = (0..main.len()).filter(|&at| below(&main[at].0)).collect();
        let rivals = others.iter().filter(|(path, kind)| kind == role && below(path)).count();
        match reports.as_slice() {
            [] if folder.is_empty() => return None,
            [] => {}
            [only] if rivals == 1 => return Some(names[*only].clone()),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    const REPORT_TEXT: &str = r#"{"total_instances": 1, "resolved_ids": [], "submitted_ids": []}"#;
    const PREDICTION: &str = "{\"instance_id\": \"a\", \"model_patch\": \"d\"}";
    const INSTANCE: &str = r#"{"a": {"resolved": false, "patch_exists": true}}"#;

    fn of(source: &Memory) -> Vec<(String, &'static str, Option<String>)> {
        let listing = Listing::new(source).unwrap();
        parts(&listing).into_iter().map(|part| (part.path, part.role, part.arm)).collect()
    }

    #[test]
    fn files_find_the_report_they_belong_to() {
        let by_name = Memory::default()
            .with("reports/x_gpt.json", REPORT_TEXT)
            .with("reports/y_gpt.json", REPORT_TEXT)
            .with("patches/x_gpt.jsonl", PREDICTION)
            .with("patches/z.jsonl", PREDICTION)
            .with("other.json", r#"{"resolved": 3}"#);
        let found = of(&by_name);
        let arm = |path: &str| found.iter().find(|(p, ..)| p == path).and_then(|(.., arm)| arm.clone());
        assert_eq!(arm("patches/x_gpt.jsonl"), arm("reports/x_gpt.json"));
        assert_eq!(arm("patches/z.jsonl").as_deref(), Some("z"));
        assert!(found.iter().all(|(path, ..)| path != "other.json"));
    }

    #[test]
    fn reports_of_single_instances_are_one_folder() {
        let source = Memory::default()
            .with("logs/run_evaluation/r1/m/a/report.json", INSTANCE)
            .with("logs/run_evaluation/r1/m/b/report.json", INSTANCE)
            .with("m.r1.json", REPORT_TEXT);
        let found = of(&source);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].0.as_str(), found[1].1), ("logs/run_evaluation/r1/m/", INSTANCES));
        assert_eq!(found[0].2, found[1].2);
        let lists = Memory::default()
            .with("lite/one/results/results.json", r#"{"no_generation": [], "resolved": ["a"]}"#)
            .with("lite/one/all_preds.jsonl", PREDICTION)
            .with("lite/two/results/results.json", r#"{"no_generation": [], "resolved": ["a"]}"#)
            .with("lite/two/all_preds.jsonl", PREDICTION);
        let arms: Vec<_> = of(&lists).into_iter().filter_map(|(.., arm)| arm).collect();
        assert_eq!(arms, ["one", "two", "one", "two"]);
    }
}
