//! What goes in comes out, under the names it had.

use std::io::Read;

use repro::bundle::{
    Archived, BuildOptions, BundleError, BundleSource, Limits, build, storage_findings, verify, write,
};
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

use super::{contents, identity, sample, study};

#[test]
fn a_fresh_bundle_verifies_and_gives_the_study_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    let verification = verify(&path, &Limits::default(), &Silent).unwrap();
    assert!(verification.findings.is_empty(), "{:#?}", verification.findings);
    assert_eq!(verification.entries, written.entries);
    let (study, inside) = (study(), BundleSource::open(&path).unwrap());
    assert_eq!(inside.entries().unwrap(), study.entries().unwrap());
    for entry in study.entries().unwrap() {
        assert!(inside.read(&entry.path).unwrap() == study.read(&entry.path).unwrap(), "{}", entry.path);
    }
    assert!(inside.open("absent").is_err() && !inside.exists("../x"));
}

#[test]
fn stored_names_are_boring_and_short() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    for name in zip.file_names().map(Result::unwrap) {
        assert!(name.len() <= 180 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b)), "{name}");
    }
    let study = study();
    let contents = contents(&study);
    let plan = build(&identity(), contents.clone(), &BuildOptions::default()).unwrap();
    let renamed: Vec<&str> = plan.renamed().map(|(original, _)| original).collect();
    assert_eq!(renamed.len(), 7, "{renamed:?}");
    assert_eq!(storage_findings(&contents, &plan).len(), 7);
}

#[test]
fn a_foreign_reader_finds_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    let mut zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(zip.len() as u64, written.entries);
    let mut text = String::new();
    zip.by_name("sky-bench-1.10/data/archive/problems/core.json").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "[{\"id\": \"p1\", \"answer\": 1.5}]\n");
    assert_eq!(zip.by_index(0).unwrap().name().unwrap(), "sky-bench-1.10/bagit.txt");
    for index in 0..zip.len() {
        let entry = zip.by_index(index).unwrap();
        assert_eq!(entry.unix_mode(), Some(0o100_644));
        assert!(entry.extra_data().as_deref().is_none_or(<[u8]>::is_empty) && entry.comment().is_empty());
    }
}

#[test]
fn an_identity_with_gaps_is_refused_with_what_to_add() {
    let study = study();
    let mut identity = identity();
    identity.licence.clear();
    identity.authors.clear();
    let error = build(&identity, contents(&study), &BuildOptions::default()).unwrap_err();
    assert!(matches!(error, BundleError::Identity(_)));
    let findings = error.findings();
    let subjects: Vec<_> = findings.iter().map(|finding| finding.place.subject.clone().unwrap()).collect();
    assert_eq!(subjects, ["study.authors", "study.licence"]);
}

#[test]
fn an_input_that_changed_since_it_was_listed_is_named_and_nothing_is_written() {
    let listed = study();
    let plan = build(&identity(), contents(&listed), &BuildOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("x.zip");
    let cases =
        [(listed.clone().with("study.toml", *b"other"), "input-changed"), (Memory::default(), "input-disappeared")];
    for (changed, code) in cases {
        let error = write(&plan, &changed, &target, &Silent).unwrap_err();
        assert_eq!(error.findings().iter().next().unwrap().code, code);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn an_empty_study_gives_a_valid_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let mut contents = contents(&Memory::default());
    contents.archive = Archived::Files(Vec::new());
    contents.site = repro::tree::Tree::default();
    let plan = build(&identity(), contents, &BuildOptions::default()).unwrap();
    let target = folder.path().join("x.zip");
    write(&plan, &Memory::default(), &target, &Silent).unwrap();
    assert!(verify(&target, &Limits::default(), &Silent).unwrap().findings.is_empty());
}

#[test]
fn more_entries_than_a_plain_zip_can_count() {
    let mut study = Memory::default();
    for index in 0..66_000 {
        study = study.with(&format!("runs/{:03}/{index}.json", index % 300), format!("{{\"id\": {index}}}\n"));
    }
    let folder = tempfile::tempdir().unwrap();
    let plan = build(&identity(), contents(&study), &BuildOptions::default()).unwrap();
    let target = folder.path().join("many.zip");
    let written = write(&plan, &study, &target, &Silent).unwrap();
    assert!(written.entries > 66_000);
    let verification = verify(&target, &Limits::default(), &Silent).unwrap();
    assert!(verification.findings.is_empty() && verification.entries == written.entries);
    assert_eq!(zip::ZipArchive::new(std::fs::File::open(&target).unwrap()).unwrap().len() as u64, written.entries);
}
