//! A flipped bit anywhere in the zip is noticed, and what is damaged is named.

use repro::bundle::{Limits, verify};
use repro::world::Silent;

use super::sample;

const PLACES: u64 = 2000;

/// The entry that owns a byte: from the directory of the undamaged zip.
fn owner(entries: &[(u64, String)], position: u64) -> Option<&str> {
    entries.iter().rev().find(|(start, _)| *start <= position).map(|(_, name)| name.as_str())
}

#[test]
fn every_flipped_bit_is_noticed_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let good = std::fs::read(&path).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(good.clone())).unwrap();
    let mut entries: Vec<(u64, String)> = (0..zip.len())
        .map(|index| {
            let entry = zip.by_index_raw(index).unwrap();
            (entry.header_start(), entry.name().unwrap().trim_start_matches("sky-bench-1.10/").to_owned())
        })
        .collect();
    entries.sort();
    let directory = zip.central_directory_start();
    let damaged = folder.path().join("damaged.zip");
    let mut state = 20_261_130_u64;
    for round in 0..PLACES {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = (state >> 20) % (good.len() as u64 * 8);
        let mut bytes = good.clone();
        bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
        std::fs::write(&damaged, bytes).unwrap();
        let findings = match verify(&damaged, &Limits::default(), &Silent) {
            Ok(verification) => verification.findings,
            Err(error) => error.findings(),
        };
        assert!(!findings.is_empty(), "round {round}: bit {bit} is not noticed");
        if bit / 8 < directory {
            let name = owner(&entries, bit / 8).unwrap();
            let named = findings.iter().any(|f| f.place.file.as_deref().is_some_and(|file| file.ends_with(name)));
            let name_itself = findings.iter().any(|f| f.message.contains("differ in name"));
            assert!(named || name_itself, "round {round}: {name} is not named in {findings:#?}");
        }
    }
}
