//! Deposits that were changed and hashed again: intact as bags, and not what follows from their study.

use repro::bundle::{Archived, BundleContents};
use repro::bundle::{BuildOptions, build, write};
use repro::study::recognise;
use repro::tree::Tree;
use repro::world::disk::Folder;
use repro::world::{Silent, Source};

use super::Lab;

const BUNDLE: &str = "out/bundles/tiny-1.0.zip";

/// Writes the deposit again with one file of its payload changed by `change`, every digest made anew.
fn forged(lab: &Lab, path: &str, change: impl Fn(String) -> String) -> String {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
    let mut trees = [("results/", Tree::default()), ("site/", Tree::default()), ("schemas/", Tree::default())];
    let mut environment = serde_json::Value::Null;
    let mut touched = false;
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        let below = name.strip_prefix("tiny-1.0/data/").unwrap_or_default().to_owned();
        if below == path {
            touched = true;
            bytes = change(String::from_utf8(bytes).unwrap()).into_bytes();
        }
        if below == "provenance/environment.json" {
            environment = serde_json::from_slice(&bytes).unwrap();
        }
        for (folder, tree) in &mut trees {
            if let Some(short) = below.strip_prefix(*folder) {
                tree.add(short, bytes.clone()).unwrap();
            }
        }
    }
    assert!(touched || path.is_empty(), "no {path}");
    let [results, mut site, schemas] = trees.map(|(_, tree)| tree);
    if path.is_empty() {
        site.add("added.html", *b"<p>added").unwrap();
    }
    let source = Folder::new(&lab.path("study")).unwrap();
    let record: serde_json::Value = {
        let text = std::io::read_to_string(zip.by_name("tiny-1.0/data/metadata/record.json").unwrap()).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let lock = std::io::read_to_string(zip.by_name("tiny-1.0/data/provenance/Cargo.lock").unwrap()).unwrap();
    let contents = BundleContents {
        archive: Archived::Files(source.entries().unwrap()),
        scanned: None,
        results,
        site,
        schemas,
        steps: serde_json::from_value(record["steps"].clone()).unwrap(),
        environment,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        lock,
    };
    let identity = recognise(&source, &[]).unwrap().study.study;
    let plan = build(&identity, contents, &BuildOptions::default()).unwrap();
    write(&plan, &source, &lab.path("forged/tiny-1.0.zip"), &Silent).unwrap();
    "forged/tiny-1.0.zip".to_owned()
}

#[test]
fn an_honest_deposit_is_made_again_file_by_file() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let ran = lab.run(&format!("verify {BUNDLE}")).exits(0).says("files made again").says("all as deposited");
    ran.never_says("deposit-differs");
    // So is one that was packed by hand from the same parts, whatever the options it was made with.
    let same = forged(&lab, "results/facts.json", |text| text);
    lab.run(&format!("verify {same}")).exits(0).says("all as deposited");
    lab.run("build study --out out --replace --transcripts none").exits(0);
    lab.run(&format!("verify {BUNDLE}")).exits(0).says("all as deposited");
    lab.run(&format!("bundle set-doi {BUNDLE} 10.5281/zenodo.1234567")).exits(0);
    lab.run(&format!("verify {BUNDLE}")).exits(0).says("all as deposited");
}

#[test]
fn what_was_changed_and_hashed_again_is_named() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let swap = |from: &'static str, to: &'static str| {
        move |text: String| {
            assert!(text.contains(from), "{from} is not in it");
            text.replacen(from, to, 1)
        }
    };
    for (path, from, to) in [
        ("results/facts.json", "100.0", "99.0"),
        ("results/ledger.json", "\"agrees\": true", "\"agrees\": false"),
        ("results/judgements.json", "reproduced", "differs"),
        ("site/index.html", "Tiny bench", "Tiny bunch"),
        ("site/leaderboard/index.html", "Alpha", "Omega"),
        ("schemas/run.schema.json", "type", "tipe"),
        ("results/snapshot.json", "pass", "fail"),
    ] {
        let zip = forged(&lab, path, swap(from, to));
        let ran = lab.run(&format!("verify {zip}")).exits(1);
        assert!(ran.stdout.starts_with("DEPOSIT INTACT"), "{}", ran.stdout);
        ran.says(&format!("[deposit-differs] data/{path}"));
    }
    let zip = forged(&lab, "", |text| text);
    lab.run(&format!("verify {zip}")).exits(1).says("[deposit-differs] data/site/added.html");
}

#[test]
fn what_cannot_be_made_again_is_said() {
    let lab = Lab::new();
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("old/{path}"), content);
    }
    lab.edit("old/study.toml", "version = '1.0'", "version = '0.9'");
    lab.run("build old --out out").exits(0);
    lab.run("build study --out out").exits(0);
    let document = lab.run(&format!("verify {BUNDLE} --json")).exits(0).json();
    assert!(document["findings"].to_string().contains("the pages of changes were made with version 0.9"));
    // Executed once, the deposit's engines are others.
    let document = lab.run(&format!("verify {BUNDLE} --once --json")).exits(0).json();
    assert!(document["findings"].to_string().contains("executed by other engines"));
}
