//! Files that are absent under their declared name, and stand beside it under one that is nearly the same.

use crate::report::{Finding, Findings, did_you_mean};
use crate::study::Study;
use crate::world::Source;

/// The findings; those about an absent file name the one that was probably meant: of the same folder, with nearly
/// the same name, and nowhere declared.
pub(super) fn named(source: &dyn Source, study: &Study, findings: Findings) -> Findings {
    let is_absent = |finding: &Finding| ["missing-file", "optional-absent"].contains(&finding.code);
    if !findings.iter().any(is_absent) {
        return findings;
    }
    let declared = serde_json::to_string(study).unwrap_or_default();
    let entries = source.entries().unwrap_or_default();
    let known = |path: &str| declared.contains(&serde_json::Value::from(path).to_string());
    let others: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).filter(|path| !known(path)).collect();
    let named = |finding: &Finding| {
        let mut finding = finding.clone();
        if let Some(path) = finding.place.file.clone().filter(|_| is_absent(&finding)) {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path.as_str()));
            let beside = others.iter().filter_map(|other| {
                let (own, name) = other.rsplit_once('/').unwrap_or(("", *other));
                (own == folder).then_some(name)
            });
            let meant = did_you_mean(name, beside);
            finding.message.push_str(&meant);
        }
        finding
    };
    findings.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;
    use crate::world::memory::Memory;

    #[test]
    fn a_file_of_nearly_the_same_name_is_asked_for() {
        let study: Study = toml::from_str(
            "documents = ['notes.md']\n[study]\nid='a'\ntitle='A'\nversion='1'\ndescription='x'\n[grading]\ntolerance=0.05\n",
        )
        .unwrap();
        let source =
            Memory::default().with("sets/problem.json", "[]").with("notes.md", "x").with("deep/problems.json", "");
        let told = |path: &str| {
            let findings = Findings::from_iter([Finding::new("missing-file", Place::file(path), "absent")]);
            named(&source, &study, findings).iter().map(|finding| finding.message.clone()).collect::<String>()
        };
        assert_eq!(told("sets/problems.json"), "absent; did you mean problem.json?");
        assert_eq!(told("problems.json"), "absent");
        // What is declared under its own name is not meant by another.
        assert_eq!(told("note.md"), "absent");
    }
}
