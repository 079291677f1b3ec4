//! The release against the files it is made from, byte for byte.

use std::collections::BTreeMap;

use super::benchmark::{AFTER, AFTER_PART, SOURCES};
use crate::archive::{Material, Materials};
use crate::json::Reader;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "release-sources",
    also: &[],
    title: "Release and its sources",
    unit: "problems",
    meaning: "Whether the file of all problems is exactly its per-problem files put together: each as one line of compact \
              JSON in the way Python writes it, sorted by problem number, with a final newline.",
    formula: "equal = problems whose line has the bytes made from their file; same-bytes = 1 when the whole file has the \
              bytes made from all of them.",
    source: "Build rule of the study.",
    edge_cases: "A problem that only one side has is not equal. Without per-problem files: undefined.",
    example: "Ten files, ten lines, all bytes equal: 10 of 10, same-bytes 1.",
    keys: &[] as &[KeyDoc],
    measures: &[
        ("equal", "problems whose line is made from their file"),
        ("same-bytes", "1 when all bytes are equal, else 0"),
    ],
};

/// Release and its sources.
pub(super) struct ReleaseSources;

/// The line that a per-problem file makes, with the id of its problem.
fn line(file: &Material) -> Result<(String, String), String> {
    let value = Reader::new(&file.bytes).value().map_err(|fault| fault.to_string())?;
    let id = value.get("problem_id").map(crate::json::Value::python_text).ok_or("it has no problem_id")?;
    Ok((id, value.python_json(false)))
}

/// Problems whose line is the one their file makes, all problems of either side, and whether the whole
/// text is equal.
pub(super) struct Compared {
    pub(super) equal: usize,
    pub(super) all: usize,
    pub(super) same_bytes: bool,
    pub(super) findings: Vec<Finding>,
}

/// Compares a file of lines with the files of problems.
pub(super) fn compare(release: &Material, sources: &[Material]) -> Compared {
    let mut findings = Vec::new();
    let mut made: Vec<(String, String)> = Vec::new();
    for file in sources {
        match line(file) {
            Ok(pair) => made.push(pair),
            Err(what) => findings.push(Finding::new("torn-file", Place::file(&file.path), what)),
        }
    }
    made.sort_by(|a, b| crate::change_ledger::natural(&a.0, &b.0));
    let whole: String = made.iter().map(|(_, line)| format!("{line}\n")).collect();
    let same_bytes = whole.as_bytes() == release.bytes;
    let lines: Vec<&[u8]> = release.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let id = |line: &[u8]| {
        let value = Reader::new(line).value().ok()?;
        value.get("problem_id").map(crate::json::Value::python_text)
    };
    let there: BTreeMap<String, &[u8]> = lines.iter().filter_map(|line| Some((id(line)?, *line))).collect();
    let made: BTreeMap<String, String> = made.into_iter().collect();
    let mut equal = 0;
    let differs = |id: &str, what: &str| {
        Finding::new("release-differs-from-source", Place::file(&release.path).with_subject(id), what)
    };
    for (id, line) in &made {
        match there.get(id) {
            Some(found) if *found == line.as_bytes() => equal += 1,
            Some(_) => findings.push(differs(id, "the line of this problem is not what its file makes")),
            None => findings.push(differs(id, "the problem has a file and no line")),
        }
    }
    let strays = there.keys().filter(|id| !made.contains_key(*id));
    findings.extend(strays.map(|id| differs(id, "the problem has a line and no file")));
    let all = made.len() + there.keys().filter(|id| !made.contains_key(*id)).count();
    if !same_bytes && equal == all && findings.is_empty() {
        let what = "every line is right, but their order or the end of the file is not";
        findings.push(Finding::new("release-differs-from-source", Place::file(&release.path), what));
    }
    Compared { equal, all, same_bytes, findings }
}

/// The archived release, whole or in part.
pub(super) fn release(materials: &Materials) -> Option<&Material> {
    materials.one(AFTER).or_else(|| materials.one(AFTER_PART))
}

impl Statistic for ReleaseSources {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let materials = &evidence.archive.materials;
        let mut output = Output::default();
        let sources = materials.all(SOURCES);
        let (Some(release), false) = (release(materials), sources.is_empty()) else {
            let reason = "the release or the files it is made from are not archived";
            output.on(ABOUT.id, Basis::Records, &[]).put("equal", Estimate::undefined(reason));
            return output;
        };
        let compared = compare(release, sources);
        output
            .on(ABOUT.id, Basis::Records, &[])
            .put("equal", Estimate::out_of(compared.equal, compared.all))
            .put("same-bytes", Estimate::value(f64::from(u8::from(compared.same_bytes))));
        output.findings.extend(compared.findings);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Material {
        Material { path: path.into(), bytes: text.into() }
    }

    #[test]
    fn a_release_is_its_files_in_order() {
        let sources = [
            file("10.json", "{\n \"problem_id\": \"10\",\n \"x\": [1, \"é\"]\n}\n"),
            file("9.json", "{\"problem_id\":\"9\"}"),
        ];
        let lines = "{\"problem_id\": \"9\"}\n{\"problem_id\": \"10\", \"x\": [1, \"é\"]}\n";
        let compared = compare(&file("p.jsonl", lines), &sources);
        assert_eq!((compared.equal, compared.all, compared.same_bytes, compared.findings.len()), (2, 2, true, 0));
        let told = |text: &str| {
            let compared = compare(&file("p.jsonl", text), &sources);
            assert!(!compared.same_bytes);
            compared.findings.iter().map(|f| f.place.subject.clone().unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(told(lines.trim_end()), [""]);
        assert_eq!(told("{\"problem_id\": \"9\"}\n"), ["10"]);
        assert_eq!(told(&lines.replace("é", "e")), ["10"]);
        assert_eq!(told(&format!("{lines}{{\"problem_id\": \"11\"}}\n")), ["11"]);
        assert_eq!(told("{\"problem_id\": \"10\", \"x\": [1, \"é\"]}\n{\"problem_id\": \"9\"}\n"), [""]);
    }
}
