//! Bags that were changed after they were written, each change named.

use std::io::{Read, Write};
use std::path::Path;

use repro::bundle::{Limits, Verification, verify};
use repro::world::Silent;

use super::sample;

const ROOT: &str = "sky-bench-1.10";

/// Entries of a zip: name and content.
fn entries(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut entry = zip.by_index(index).unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (entry.name().unwrap().into_owned(), content)
        })
        .collect()
}

/// Writes entries with another writer than the one under test.
fn rewrite(path: &Path, entries: &[(String, Vec<u8>)]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, content) in entries {
        zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

fn changed(change: impl FnOnce(&mut Vec<(String, Vec<u8>)>)) -> Verification {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let mut all = entries(&path);
    change(&mut all);
    let other = folder.path().join("changed.zip");
    rewrite(&other, &all);
    verify(&other, &Limits::default(), &Silent).unwrap()
}

fn find(all: &mut [(String, Vec<u8>)], path: &str) -> usize {
    let name = format!("{ROOT}/{path}");
    all.iter().position(|(entry, _)| *entry == name).unwrap()
}

/// True when there is a finding of this code at this file.
fn says(verification: &Verification, code: &str, file: &str) -> bool {
    verification.findings.iter().any(|f| f.code == code && f.place.file.as_deref() == Some(file))
}

#[test]
fn a_bag_zipped_again_by_another_tool_has_its_content_and_is_not_the_original_file() {
    let verification = changed(|_| {});
    let codes: std::collections::BTreeSet<_> = verification.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["container-differs"]);
}

#[test]
fn a_changed_file_is_named_by_both_manifests() {
    let path = "data/archive/problems/core.json";
    let verification = changed(|all| {
        let index = find(all, path);
        all[index].1[3] ^= 1;
    });
    let found = verification.findings.iter().filter(|f| f.code == "digest-differs");
    let files: Vec<_> = found.map(|f| f.place.file.clone().unwrap()).collect();
    assert_eq!(files.iter().filter(|file| *file == path).count(), 2, "{files:?}");
}

#[test]
fn a_missing_file_an_added_file_and_an_added_tag_file_are_named() {
    let verification = changed(|all| {
        let index = find(all, "data/archive/empty.txt");
        all.remove(index);
        all.push((format!("{ROOT}/data/archive/extra.json"), b"{}".to_vec()));
        all.push((format!("{ROOT}/notes.txt"), b"x".to_vec()));
    });
    assert!(says(&verification, "bag-missing-file", "data/archive/empty.txt"));
    assert!(says(&verification, "bag-unlisted-file", "data/archive/extra.json"));
    assert!(says(&verification, "bag-unlisted-file", "notes.txt"));
    assert!(says(&verification, "bag-malformed", "bag-info.txt"), "the Oxum does not fit any more");
}

#[test]
fn a_file_that_only_one_manifest_lists_is_named() {
    let verification = changed(|all| {
        let index = find(all, "manifest-sha512.txt");
        let text = String::from_utf8(all[index].1.clone()).unwrap();
        all[index].1 =
            text.lines().filter(|l| !l.ends_with("empty.txt")).fold(String::new(), |t, l| t + l + "\n").into();
    });
    assert!(says(&verification, "bag-unlisted-file", "data/archive/empty.txt"));
    assert!(says(&verification, "digest-differs", "manifest-sha512.txt"));
}

#[test]
fn a_name_in_another_normal_form_is_not_called_missing() {
    let verification = changed(|all| {
        let index = find(all, "manifest-sha256.txt");
        let text = String::from_utf8(all[index].1.clone()).unwrap();
        all[index].1 = text.replace("empty.txt", "caf\u{e9}.txt").into();
        let index = find(all, "data/archive/empty.txt");
        all[index].0 = format!("{ROOT}/data/archive/cafe\u{301}.txt");
    });
    assert!(verification.findings.iter().any(|f| f.code == "bag-other-form"), "{:#?}", verification.findings);
    let manifest = |f: &&repro::report::Finding| f.message.contains("manifest-sha256.txt lists it");
    assert_eq!(verification.findings.iter().filter(manifest).count(), 0);
}

#[test]
fn faults_of_the_book_keeping_are_named() {
    let cases: [(&str, fn(&mut Vec<u8>), &str); 5] = [
        ("bagit.txt", |c| *c = b"BagIt-version: 1.0\nTag-File-Character-Encoding: UTF-8\n".to_vec(), "bag-malformed"),
        ("manifest-sha256.txt", |c| *c = String::from_utf8_lossy(c).replace('\n', "\r\n").into(), "bag-malformed"),
        ("manifest-sha256.txt", |c| c.extend(b"0123  data/x\n"), "bag-malformed"),
        ("bag-info.txt", |c| c.extend(b"Payload-Oxum: 1.1\n"), "bag-malformed"),
        ("tagmanifest-sha256.txt", |c| c.truncate(70), "bag-unlisted-file"),
    ];
    for (path, change, code) in cases {
        let verification = changed(|all| {
            let index = find(all, path);
            change(&mut all[index].1);
        });
        assert!(verification.findings.iter().any(|f| f.code == code), "{path}: {:#?}", verification.findings);
    }
    let holey = changed(|all| all.push((format!("{ROOT}/fetch.txt"), b"http://x 1 data/y\n".to_vec())));
    assert!(says(&holey, "bag-holey", "fetch.txt"));
}

#[test]
fn an_edited_description_is_named_even_when_the_manifests_are_made_to_fit() {
    let verification = changed(|all| {
        let index = find(all, "data/CITATION.cff");
        all[index].1 = String::from_utf8_lossy(&all[index].1).replace("\"1.10\"", "\"1.1\"").into();
    });
    let found = verification.findings.iter().find(|f| f.code == "metadata-differs").unwrap();
    assert_eq!(found.place.file.as_deref(), Some("data/CITATION.cff"));
    assert_eq!(found.message, "its version is \"1.1\", the record has \"1.10\"");
}

#[test]
fn a_wrong_checksum_beside_the_zip_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, written) = sample(folder.path());
    let sidecar = folder.path().join("sky-bench-1.10.zip.sha256");
    let text = std::fs::read_to_string(&sidecar).unwrap();
    assert_eq!(text, format!("{}  sky-bench-1.10.zip\n", written.digest));
    std::fs::write(&sidecar, "0".repeat(64)).unwrap();
    let verification = verify(&path, &Limits::default(), &Silent).unwrap();
    assert_eq!(verification.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["digest-differs"]);
}
