//! The ways of repositories, and what is written so that a bundle survives them.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use repro::bundle::{
    BuildOptions, Capacity, Limits, Repository, Upload, adapt, advise, advise_within, build, inspect_container, verify,
    wrap, write,
};
use repro::digest::Digest;
use repro::report::Severity;
use repro::world::Silent;
use repro::world::memory::Memory;

use super::{contents, identity, sample};

fn names(folder: &Path) -> BTreeSet<String> {
    std::fs::read_dir(folder).unwrap().map(|child| child.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn repositories_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    for (word, repository) in Repository::ALL {
        assert_eq!((Repository::parse(word), repository.word()), (Some(repository), word));
        let advice = advise(repository, &path).unwrap();
        assert_eq!((advice.entries, advice.bytes), (written.entries, written.bytes));
        assert!(!advice.findings.is_empty(), "{word}");
        assert_eq!(advice.findings.worst(), Some(Severity::Note), "{word}");
        assert_eq!(advice.upload == Upload::Wrapped, word == "dataverse");
        assert_eq!(advice.beside.contains(&"data/metadata/zenodo.json".to_owned()), word == "zenodo");
    }
    assert_eq!(Repository::parse("attic"), None);
}

#[test]
fn for_zenodo_what_it_shows_lies_beside_the_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let advice = advise(Repository::Zenodo, &path).unwrap();
    let adapted = adapt(Repository::Zenodo, &advice, &path).unwrap();
    assert!(adapted.instead.is_empty());
    let beside = folder.path().join("sky-bench-1.10.beside-zenodo");
    let expected = ["README.md", "ro-crate-metadata.json", "statistics-main.csv", "zenodo.json"].map(str::to_owned);
    assert_eq!(names(&beside), BTreeSet::from(expected));
    assert!(std::fs::read_to_string(beside.join("README.md")).unwrap().starts_with("# Sky Bench"));
}

/// A bundle with more entries than a preview lists.
fn many(folder: &Path) -> std::path::PathBuf {
    let mut study = Memory::default();
    for index in 0..1500 {
        study = study.with(&format!("runs/{index}.json"), format!("{{\"id\": {index}}}\n"));
    }
    let plan = build(&identity(), contents(&study), &BuildOptions::default()).unwrap();
    let target = folder.join("many.zip");
    write(&plan, &study, &target, &Silent).unwrap();
    target
}

#[test]
fn a_preview_of_the_first_entries_shows_what_explains_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = many(folder.path());
    let says = |capacity: Capacity| {
        let advice = advise_within(Repository::Zenodo, capacity, &path).unwrap();
        advice.findings.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let zenodo = Repository::Zenodo.capacity();
    assert!(says(zenodo).contains("README, manifests, descriptions and results are among them"), "{}", says(zenodo));
    // The sentence is counted, not claimed: a shorter list does hide something.
    let short = says(Capacity { listed: Some(10), ..zenodo });
    assert!(short.contains("that explain it or hold results are not among them"), "{short}");
}

#[test]
fn for_dataverse_one_unpacking_gives_the_bundle_back_however_many_files_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    for path in [sample(folder.path()).0, many(folder.path())] {
        let advice = advise(Repository::Dataverse, &path).unwrap();
        let adapted = adapt(Repository::Dataverse, &advice, &path).unwrap();
        let [outer] = adapted.instead.as_slice() else { panic!("{adapted:?}") };
        // What an installation does with an upload: one level is unpacked, every entry becomes a file.
        let mut zip = zip::ZipArchive::new(std::fs::File::open(outer).unwrap()).unwrap();
        assert_eq!(zip.len(), 1);
        let mut entry = zip.by_index(0).unwrap();
        assert_eq!(entry.name().unwrap(), path.file_name().unwrap().to_str().unwrap());
        let mut inner = Vec::new();
        entry.read_to_end(&mut inner).unwrap();
        assert!(inner == std::fs::read(&path).unwrap());
        assert!(inspect_container(outer, &Limits::default()).is_ok(), "the outer zip is no hostile one");
    }
}

#[test]
fn the_outer_zip_has_the_same_bytes_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let outer = |name: &str| {
        let target = folder.path().join(name);
        wrap(&path, &target).unwrap();
        Digest::of(&std::fs::read(target).unwrap())
    };
    let first = outer("a.outer.zip");
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert_eq!(first, outer("b.outer.zip"), "a moment of the clock is in it");
}

#[test]
fn for_osf_a_bundle_beyond_its_limit_is_cut_into_parts_that_join_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    assert_eq!(advise(Repository::Osf, &path).unwrap().upload, Upload::Whole);
    let most = written.bytes / 3;
    let capacity = Capacity { file: Some(most), ..Repository::Osf.capacity() };
    let advice = advise_within(Repository::Osf, capacity, &path).unwrap();
    let Upload::Parts { bytes, count } = advice.upload else { panic!("{:?}", advice.upload) };
    assert_eq!((bytes, count), (most, written.bytes.div_ceil(most)));
    assert_eq!(advice.findings.worst(), Some(Severity::Note));
    let adapted = adapt(Repository::Osf, &advice, &path).unwrap();
    let parts = folder.path().join("sky-bench-1.10.parts");
    assert_eq!(names(&parts).len() as u64, count + 3);
    let mut joined = Vec::new();
    for part in &adapted.instead[..count as usize] {
        let content = std::fs::read(part).unwrap();
        assert!(content.len() as u64 <= most);
        let line = format!("{}  {}\n", Digest::of(&content), part.file_name().unwrap().to_str().unwrap());
        let sums = std::fs::read_to_string(parts.join("sky-bench-1.10.zip.parts.sha256")).unwrap();
        assert!(sums.contains(&line), "{sums}");
        joined.extend(content);
    }
    assert!(joined == std::fs::read(&path).unwrap());
    // The commands of the text are what a stranger has.
    let text = std::fs::read_to_string(parts.join("JOIN.txt")).unwrap();
    for command in text.lines().filter_map(|line| line.strip_prefix("    ")).take(3) {
        let done = std::process::Command::new("sh").args(["-c", command]).current_dir(&parts).status().unwrap();
        assert!(done.success(), "{command}");
    }
    let again = parts.join("sky-bench-1.10.zip");
    assert!(verify(&again, &Limits::default(), &Silent).unwrap().findings.is_empty());
}

#[test]
fn what_does_not_fit_is_refused_with_a_remedy_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    for (_, repository) in Repository::ALL.into_iter().filter(|(_, repository)| repository.capacity().total.is_some()) {
        let capacity = Capacity { total: Some(written.bytes - 1), ..repository.capacity() };
        let advice = advise_within(repository, capacity, &path).unwrap();
        assert_eq!(advice.upload, Upload::Refused);
        let refusal = advice.findings.iter().find(|finding| finding.code == "repository-refuses").unwrap();
        assert!(refusal.message.contains("--archive digests"), "{}", refusal.message);
        assert_eq!(refusal.severity, Severity::Disagrees);
        assert!(adapt(repository, &advice, &path).unwrap().instead.is_empty());
    }
}
