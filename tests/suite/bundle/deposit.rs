//! After the bundle is written: the DOI.

use repro::bundle::{BuildOptions, BundleError, BundleSource, Limits, build, doi_of, set_doi, verify, write};
use repro::world::{Silent, Source};

use super::{contents, identity, sample, study};

const DOI: &str = "10.5281/zenodo.1234567";

#[test]
fn setting_the_doi_gives_the_bundle_that_would_have_been_built_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, before) = sample(folder.path());
    let old = BundleSource::open(&path).unwrap();
    assert_eq!(doi_of(&path), None);
    let after = set_doi(&path, DOI, &Silent).unwrap();
    assert_eq!(doi_of(&path).as_deref(), Some(DOI));
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
    assert!(matches!(set_doi(&path, "https://example.org/10.5281/x", &Silent), Err(BundleError::Doi(_))));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(set_doi(&path, DOI, &Silent), Err(BundleError::Refused { .. })));
    assert!(std::fs::read(&path).unwrap() == bytes, "the damaged bundle is left alone");
}
