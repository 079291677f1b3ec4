//! Another compressor: other bytes of the zip, the same payload. Levels of this one stand for what the next
//! version of a library may do, and the `zip` crate for another tool altogether.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;

use repro::bundle::{BuildOptions, Limits, build, verify, write};
use repro::world::Silent;

use super::{contents, identity, noise, study};

const ROOT: &str = "sky-bench-1.10";

fn entry(zip: &Path, path: &str) -> Vec<u8> {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(zip).unwrap()).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(&format!("{ROOT}/{path}")).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn levels_change_the_zip_and_nothing_that_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let study = study().with("big.bin", [noise(2 << 20), b"a line of text\n".repeat(200_000)].concat());
    let plan = build(&identity(), contents(&study), &BuildOptions::default()).unwrap();
    let (mut zips, mut payloads, mut identifiers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut manifests = BTreeSet::new();
    for level in [0, 1, 6, 9] {
        let target = folder.path().join(format!("{level}.zip"));
        let written = write(&plan.clone().with_level(level), &study, &target, &Silent).unwrap();
        let verification = verify(&target, &Limits::default(), &Silent).unwrap();
        assert!(verification.findings.is_empty(), "level {level}: {:#?}", verification.findings);
        zips.insert(written.digest);
        payloads.insert(written.payload);
        let of_bag = |label: &str| verification.info.iter().filter(|(l, _)| l == label).cloned().collect::<Vec<_>>();
        identifiers.insert(of_bag("external-identifier"));
        manifests.insert([entry(&target, "manifest-sha256.txt"), entry(&target, "manifest-sha512.txt")]);
    }
    assert_eq!((zips.len(), payloads.len(), identifiers.len(), manifests.len()), (4, 1, 1, 1));
    assert!(identifiers.first().unwrap().iter().any(|(_, value)| value.starts_with("urn:uuid:")));
    assert!(identifiers.first().unwrap().iter().any(|(_, value)| value.starts_with("swh:1:dir:")));
}

#[test]
fn the_level_of_the_tool_is_the_one_in_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    let plan = build(&identity(), contents(&study()), &BuildOptions::default()).unwrap();
    let digest = |plan, name| write(plan, &study(), &folder.path().join(name), &Silent).unwrap().digest;
    assert_eq!(digest(&plan, "plain.zip"), digest(&plan.clone().with_level(5), "five.zip"));
}

#[test]
fn another_tool_may_pack_the_bag_again_and_the_manifests_still_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = super::sample(folder.path());
    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        let other = folder.path().join("other.zip");
        let mut from = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut to = zip::ZipWriter::new(std::fs::File::create(&other).unwrap());
        for index in 0..from.len() {
            let mut entry = from.by_index(index).unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            to.start_file(entry.name().unwrap(), options).unwrap();
            to.write_all(&content).unwrap();
        }
        to.finish().unwrap();
        assert_eq!(entry(&path, "manifest-sha256.txt"), entry(&other, "manifest-sha256.txt"));
        let findings = verify(&other, &Limits::default(), &Silent).unwrap().findings;
        let codes: BTreeSet<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["container-differs"], "{method:?}");
    }
}
