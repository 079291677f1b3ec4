//! The schemas of `docs/schemas` say what the readers take.

use std::collections::BTreeSet;
use std::path::Path;

use repro::packs::recognise;
use repro::world::memory::Memory;

fn schema(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Members a part of `study.toml` may have, from what the reader says of one that it does not know.
fn members(manifest: &str) -> BTreeSet<String> {
    let error = recognise(&Memory::default().with("study.toml", manifest)).unwrap_err().to_string();
    let (_, expected) = error.split_once("unknown field `zzz`, expected ").unwrap_or_else(|| panic!("{error}"));
    let names = expected.split(". ").next().unwrap().split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

#[test]
fn the_schema_of_a_study_names_the_members_that_are_read() {
    let schema = schema("study.schema.json");
    let parts = [
        ("", "zzz = 1\n"),
        ("identity", "[study]\nzzz = 1\n"),
        ("author", "[study]\nauthors = [{ zzz = 1 }]\n"),
        ("grading", "[grading]\nzzz = 1\n"),
        ("strata", "[[strata]]\nzzz = 1\n"),
        ("comparison", "[[comparison]]\nzzz = 1\n"),
        ("choices", "[choices]\nzzz = 1\n"),
        ("arm", "[[comparison]]\nbefore = { zzz = 1 }\n"),
        ("judge", "[[judge]]\nzzz = 1\n"),
        ("estimator", "[[estimator]]\nzzz = 1\n"),
        ("set", "[[set]]\nzzz = 1\n"),
        ("configuration", "[[configuration]]\nzzz = 1\n"),
        ("experiment", "[[experiment]]\nzzz = 1\n"),
        ("judge", "[[judge]]\nzzz = 1\n"),
        ("estimator", "[[estimator]]\nzzz = 1\n"),
        ("transcripts", "[[transcripts]]\nzzz = 1\n"),
        ("file", "[[file]]\nzzz = 1\n"),
        ("claims", "[[claims]]\nzzz = 1\n"),
        ("published", "[[published]]\nzzz = 1\n"),
    ];
    for (name, manifest) in parts {
        let part = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        let described: BTreeSet<String> = part["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(described, members(manifest), "{name}");
    }
    let described: BTreeSet<&str> = schema["$defs"].as_object().unwrap().keys().map(String::as_str).collect();
    let tested = parts.iter().map(|(name, _)| *name).filter(|name| !name.is_empty());
    assert_eq!(
        described,
        tested.chain(["path", "name", "tolerance", "labels", "analysis", "files", "columns"]).collect()
    );
}
