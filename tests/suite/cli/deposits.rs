//! The deposit through the real binary: names, links, full disks, DOIs, other compressors, digests alone.

use std::process::Command;

use repro::bundle::{BuildOptions, build, write};
use repro::packs::recognise;
use repro::world::Silent;
use repro::world::disk::Folder;

use super::Lab;
use super::lab::{REPRO, Ran};

const BUNDLE: &str = "out/bundles/tiny-1.0.zip";

fn names(lab: &Lab) -> Vec<String> {
    let zip = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
    zip.file_names().map(|name| name.unwrap().into_owned()).collect()
}

#[test]
fn names_of_any_length_fit_into_a_deposit() {
    let lab = Lab::new();
    let long = |letter: &str| letter.repeat(120);
    lab.edit("study/study.toml", "id = 'core'", &format!("id = '{}'", long("c")));
    lab.edit("study/study.toml", "set = 'core'", &format!("set = '{}'", long("c")));
    lab.edit("study/study.toml", "id = 'core_code'", &format!("id = '{}'", long("e")));
    lab.edit("study/claims.toml", "set = 'core'", &format!("set = '{}'", long("c")));
    lab.edit("study/problems.json", "\"area\"", &format!("\"{}\"", long("p")));
    for run in ["alpha.run1", "alpha.run2", "alpha-think.run1", "alpha-think.run2"] {
        lab.edit(&format!("study/runs/{run}.json"), "\"area\"", &format!("\"{}\"", long("p")));
        lab.edit(&format!("study/runs/{run}.json"), "core_code", &long("e"));
    }
    lab.write(&format!("study/notes/{}/x.txt", "n".repeat(200)), "deep");
    std::fs::rename(lab.path("study/claims.toml"), lab.path("all_my_claims_(final).toml")).unwrap();
    lab.edit("study/study.toml", "path = 'claims.toml'", "path = 'all_my_claims_(final).toml'");
    lab.run("build study --out out --claims all_my_claims_(final).toml").exits(0).says("1 reproduced");
    for name in names(&lab) {
        assert!(name.len() <= 180, "{} bytes: {name}", name.len());
        assert!(name.split('/').all(|part| (1..=100).contains(&part.len())), "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b)), "{name}");
    }
    std::fs::remove_file(lab.path("all_my_claims_(final).toml")).unwrap();
    lab.run(&format!("verify {BUNDLE}")).exits(0).says("L6 claims 1 of 1 agree").says("L7 deposit");
}

#[test]
fn files_stored_otherwise_and_links_are_told() {
    let lab = Lab::new();
    lab.write("study/notes/caf\u{e9} 100%.txt", "x");
    std::os::unix::fs::symlink("/etc/hostname", lab.path("study/notes/link.txt")).unwrap();
    let ran = lab.run("bundle study --out out").exits(0);
    let ran = ran.says("notes/link.txt: it is a link or a special file and is not in the bundle");
    ran.says("it is stored as data/archive/notes/caf-100--");
    let document = lab.run("bundle study --out out --json").exits(0).json();
    let codes: Vec<&str> =
        document["findings"].as_array().unwrap().iter().filter_map(|finding| finding["code"].as_str()).collect();
    assert!(codes.contains(&"name-changed") && codes.contains(&"not-followed"), "{codes:?}");
    assert!(!names(&lab).iter().any(|name| name.contains("link.txt")));
}

#[test]
fn a_full_disk_leaves_the_old_bundle_and_nothing_else() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let before = lab.bytes("out/bundles");
    lab.write("study/notes.txt", "one file more");
    // No file may become longer than this many blocks of 512 bytes; the signal that would end the process is
    // ignored, so that writing fails as on a full disk.
    for blocks in [8, 40, 80] {
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec {REPRO} bundle study --out out --replace");
        let mut small = Command::new("sh");
        small.args(["-c", &line]).current_dir(lab.path("")).env("XDG_CACHE_HOME", lab.path("cache"));
        Ran::of("bundle on a full disk", &mut small).exits(6).complains("cannot be written").complains("intact");
        assert!(lab.bytes("out/bundles") == before, "{blocks} blocks: something was left or lost");
    }
    lab.run("bundle study --out out --replace").exits(0);
    assert!(lab.bytes("out/bundles") != before);
}

#[test]
fn versions_are_listed_with_the_bundle_that_has_the_doi() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let listed = || std::fs::read_to_string(lab.path("out/site/tiny/versions.json")).unwrap();
    let digest = || std::fs::read_to_string(lab.path(&format!("{BUNDLE}.sha256"))).unwrap()[..64].to_owned();
    let before = digest();
    assert!(listed().contains(&before));
    lab.run(&format!("bundle set-doi {BUNDLE} 10.5281/zenodo.1234567")).exits(0).says("list of versions");
    assert!(listed().contains(&digest()) && !listed().contains(&before));
    // One that lies elsewhere is nobody's.
    std::fs::create_dir(lab.path("away")).unwrap();
    std::fs::copy(lab.path(BUNDLE), lab.path("away/tiny-1.0.zip")).unwrap();
    let before = listed();
    let run = lab.run("bundle set-doi away/tiny-1.0.zip 10.5281/zenodo.7654321").exits(0);
    assert!(!run.stdout.contains("list of versions") && listed() == before);
}

#[test]
fn a_bundle_with_a_doi_is_not_built_over_by_accident() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    lab.run(&format!("bundle set-doi {BUNDLE} 10.5281/zenodo.1234567")).exits(0);
    lab.run(&format!("verify {BUNDLE}")).exits(0);
    let before = lab.bytes("out/bundles");
    for command in ["build", "bundle"] {
        lab.run(&format!("{command} study --out out"))
            .exits(6)
            .complains("it has the DOI 10.5281/zenodo.1234567, set by `repro bundle set-doi`, and this build has not")
            .complains("--replace");
        assert!(lab.bytes("out/bundles") == before);
    }
    lab.run("build study --out out --replace").exits(0);
    lab.run("bundle study --out out").exits(0);
    lab.run(&format!("bundle set-doi {BUNDLE} https://doi.org/10.1/x")).exits(2).complains("10.5281/zenodo.123");
}

/// The study of the lab as a bundle at some deflate level.
fn at_level(lab: &Lab, level: u32) -> String {
    let source = Folder::new(&lab.path("study")).unwrap();
    let identity = recognise(&source).unwrap().study.study;
    let plan = build(&identity, crate::bundle::contents(&source), &BuildOptions::default()).unwrap();
    let name = format!("level-{level}.zip");
    write(&plan.with_level(level), &source, &lab.path(&name), &Silent).unwrap();
    name
}

#[test]
fn another_compressor_makes_no_difference_that_verify_or_diff_would_tell() {
    let lab = Lab::new();
    let (plain, dense) = (at_level(&lab, 0), at_level(&lab, 9));
    assert!(std::fs::read(lab.path(&plain)).unwrap() != std::fs::read(lab.path(&dense)).unwrap());
    let says = |name: &str| lab.run(&format!("verify {name}")).exits(0).stdout;
    // What is executed and read once is remembered, so that both are verified from the same memory.
    says(&plain);
    assert_eq!(says(&plain), says(&dense));
    let same = lab.run(&format!("diff {plain} {dense}")).exits(0);
    for level in ["files", "problems", "records", "statistics", "claims"] {
        assert!(same.stdout.lines().any(|line| line.starts_with(level) && line.ends_with("no difference")), "{level}");
    }
}

#[test]
fn a_crate_of_either_version_is_verified_as_what_it_says() {
    let lab = Lab::new();
    lab.run("bundle study --out out --ro-crate 1.2").exits(0);
    lab.run(&format!("verify {BUNDLE}")).exits(0);
    let mut zip = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
    let text = std::io::read_to_string(zip.by_name("tiny-1.0/data/ro-crate-metadata.json").unwrap()).unwrap();
    assert!(text.contains("https://w3id.org/ro/crate/1.2/context") && !text.contains("wfrun"));
    // The version is in the record, so the DOI is set in a crate of the same version.
    lab.run(&format!("bundle set-doi {BUNDLE} 10.5281/zenodo.1234567")).exits(0);
    let mut zip = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
    let text = std::io::read_to_string(zip.by_name("tiny-1.0/data/ro-crate-metadata.json").unwrap()).unwrap();
    assert!(text.contains("https://w3id.org/ro/crate/1.2/context") && text.contains("10.5281/zenodo.1234567"));
    lab.run("bundle study --out out --ro-crate 1.3").exits(2);
}

#[test]
fn every_step_of_the_recomputation_names_what_it_made() {
    let lab = Lab::new();
    let steps = |lab: &Lab| -> Vec<String> {
        lab.run("bundle study --out out --replace").exits(0);
        let mut zip = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
        let text = std::io::read_to_string(zip.by_name("tiny-1.0/data/ro-crate-metadata.json").unwrap()).unwrap();
        let described: serde_json::Value = serde_json::from_str(&text).unwrap();
        let graph = described["@graph"].as_array().unwrap();
        let known = |id: &serde_json::Value| graph.iter().any(|entity| entity["@id"] == *id);
        let actions = graph.iter().filter(|entity| entity["@type"] == "CreateAction");
        let mut names = Vec::new();
        for action in actions {
            for member in ["result", "object"] {
                let one = action[member].as_object().map(|_| vec![action[member].clone()]);
                let all = one.or_else(|| action[member].as_array().cloned()).unwrap_or_default();
                assert!(!all.is_empty() && all.iter().all(|entity| known(&entity["@id"])), "{member} of {action}");
            }
            names.push(action["name"].as_str().unwrap().to_owned());
        }
        names
    };
    assert_eq!(steps(&lab), ["verify", "statistics", "claims", "site"]);
    // Without a ledger and without documents nothing is judged.
    lab.edit("study/study.toml", "[[claims]]\npath = 'claims.toml'", "");
    lab.edit("study/study.toml", "documents = ['README.md']\n", "");
    assert_eq!(steps(&lab), ["verify", "statistics", "site"]);
}

#[test]
fn a_bundle_of_digests_says_so_and_is_checked_against_the_files() {
    let lab = Lab::new();
    lab.run("bundle study --out out --archive digests").exits(0);
    assert!(!names(&lab).iter().any(|name| name.contains("/archive/")));
    lab.run(&format!("verify {BUNDLE}"))
        .exits(4)
        .says("L7 deposit")
        .says("[archive-outside] tiny-1.0: the digests of 8 files are in the bundle and the files are not");
    lab.run(&format!("verify {BUNDLE} --allow-missing")).exits(0);
    assert_eq!(lab.run(&format!("verify {BUNDLE} --json")).exits(4).json()["exit"], 4);
    lab.run(&format!("verify {BUNDLE} --archive study")).exits(0).says("L1 solvers 3 of 3 agree").says("L7 deposit");
    lab.run(&format!("stats {BUNDLE}")).exits(3).complains("digests of its study and not the files");
    lab.edit("study/README.md", "Tiny bench", "Tiny Bench").remove("study/claims.toml").write("study/more.txt", "x");
    lab.run(&format!("verify {BUNDLE} --archive study"))
        .exits(1)
        .says("[digest-differs] README.md: the bundle lists another SHA-256")
        .says("[bag-missing-file] claims.toml")
        .says("[bag-unlisted-file] more.txt");
    lab.run("verify study --archive study").exits(2).complains("--archive is for a bundle that holds digests");
}

/// One list of findings drives text, JSON, the page inside and the exit code.
#[test]
fn a_bundle_with_several_faults_says_each_in_every_form() {
    let lab = Lab::new();
    lab.write("study/README.md", "").remove("study/runs/alpha.run2.json");
    lab.run("build study --out out --allow-missing").exits(3);
    let page = lab.text("out/site/tiny/1.0/verification/index.html");
    assert!(page.contains("empty-file") && page.contains("missing-run"), "{page}");
    // Another tool packs the bag again with one file changed, without the manifests.
    let mut from = zip::ZipArchive::new(std::fs::File::open(lab.path(BUNDLE)).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(std::fs::File::create(lab.path("changed.zip")).unwrap());
    for index in 0..from.len() {
        let entry = from.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut content = std::io::read_to_string(entry).unwrap_or_default().into_bytes();
        if name.ends_with("data/archive/problems.json") {
            content.push(b'\n');
        }
        if !name.ends_with(".parquet") {
            to.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut to, &content).unwrap();
        }
    }
    to.finish().unwrap();
    let codes = ["empty-file", "missing-run", "digest-differs", "bag-missing-file"];
    let mut text = lab.run("verify changed.zip").exits(7);
    assert!(text.stdout.starts_with("DEPOSIT DAMAGED: "), "{}", text.stdout);
    for code in codes {
        text = text.says(&format!("[{code}]"));
    }
    let document = lab.run("verify changed.zip --json").exits(7).json();
    let found: Vec<&str> =
        document["findings"].as_array().unwrap().iter().filter_map(|finding| finding["code"].as_str()).collect();
    for code in codes {
        assert!(found.contains(&code), "{code} is not in {found:?}");
    }
    assert_eq!((&document["exit"], &document["result"]["intact"]), (&7.into(), &false.into()));
    lab.run("verify changed.zip --quiet").exits(7).silent();
}
