//! After the bundle is written: the DOI, and the ways of repositories.

use std::io::Read;

use repro::bundle::{
    BuildOptions, BundleError, BundleSource, Limits, Repository, advise, build, set_doi, verify, wrap, write,
    write_beside,
};
use repro::world::{Silent, Source};

use super::{contents, identity, sample, study};

const DOI: &str = "10.5281/zenodo.1234567";

#[test]
fn setting_the_doi_gives_the_bundle_that_would_have_been_built_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, before) = sample(folder.path());
    let old = BundleSource::open(&path).unwrap();
    let after = set_doi(&path, DOI, &Silent).unwrap();
    assert_ne!(before.payload, after.payload);
    let with_doi = repro::study::Identity { doi: Some(DOI.into()), ..identity() };
    let study = study();
    let plan = build(&with_doi, contents(&study), &BuildOptions::default()).unwrap();
    let direct = folder.path().join("direct.zip");
    assert_eq!(write(&plan, &study, &direct, &Silent).unwrap().digest, after.digest);
    assert!(verify(&path, &Limits::default(), &Silent).unwrap().findings.is_empty());
    let new = BundleSource::open(&path).unwrap();
    assert_eq!(old.entries().unwrap(), new.entries().unwrap());
    let citation = BundleSource::open_payload(&path).unwrap().read("CITATION.cff").unwrap();
    assert!(String::from_utf8(citation).unwrap().contains("\ndoi: \"10.5281/zenodo.1234567\"\n"));
}

#[test]
fn a_doi_that_is_none_and_a_bundle_that_does_not_verify_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    assert!(matches!(set_doi(&path, "https://doi.org/10.5281/x", &Silent), Err(BundleError::Doi(_))));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(set_doi(&path, DOI, &Silent), Err(BundleError::Refused { .. })));
    assert!(std::fs::read(&path).unwrap() == bytes, "the damaged bundle is left alone");
}

#[test]
fn repositories_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    for (word, repository) in Repository::ALL {
        assert_eq!(Repository::parse(word), Some(repository));
        let advice = advise(repository, &path).unwrap();
        assert_eq!((advice.entries, advice.bytes), (written.entries, written.bytes));
        assert!(!advice.findings.is_empty(), "{word}");
        assert_eq!(advice.wrap, word == "dataverse");
        assert_eq!(advice.beside.contains(&"data/metadata/zenodo.json".to_owned()), word == "zenodo");
    }
    let beside = folder.path().join("beside");
    let advice = advise(Repository::Zenodo, &path).unwrap();
    assert_eq!(write_beside(&path, &advice.beside, &beside).unwrap().len(), 3);
    assert!(std::fs::read_to_string(beside.join("README.md")).unwrap().starts_with("# Sky Bench"));
}

#[test]
fn unpacking_the_outer_zip_gives_the_bundle_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let outer = folder.path().join("outer.zip");
    wrap(&path, &outer).unwrap();
    let mut zip = zip::ZipArchive::new(std::fs::File::open(&outer).unwrap()).unwrap();
    assert_eq!(zip.len(), 1);
    let mut inner = Vec::new();
    zip.by_name("sky-bench-1.10.zip").unwrap().read_to_end(&mut inner).unwrap();
    assert!(inner == std::fs::read(&path).unwrap());
}
