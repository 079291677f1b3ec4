//! Other people's programs over the sample, where they are installed: the quick ones, on every run. The
//! rest is `tests/validators/run`.

use std::path::Path;
use std::process::{Command, Stdio};

use super::sample;

/// Runs a program; `None`, and a word about it, where it is not installed.
fn run(folder: &Path, program: &str, words: &[&str]) -> Option<(bool, String)> {
    let output = Command::new(program).args(words).current_dir(folder).stdin(Stdio::null()).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: {program} is not installed");
        return None;
    };
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

fn clean(folder: &Path, program: &str, words: &[&str]) -> bool {
    let Some((good, told)) = run(folder, program, words) else { return false };
    assert!(good, "{program} {}: {told}", words.join(" "));
    true
}

/// Flips a bit in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

const PYTHON: &str = "import sys, zipfile\nsys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)";
const BAGIT: &str =
    "import sys\ntry:\n import bagit\nexcept ImportError:\n sys.exit(77)\nbagit.Bag(sys.argv[1]).validate()";

#[test]
fn readers_of_zip_files_find_nothing_wrong_and_notice_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let name = path.file_name().unwrap().to_str().unwrap();
    let commands: [(&str, Vec<&str>); 3] =
        [("unzip", vec!["-tqq", name]), ("python3", vec!["-c", PYTHON, name]), ("7zz", vec!["t", "-bd", name])];
    let present: Vec<_> = commands.iter().filter(|(program, words)| clean(folder.path(), program, words)).collect();
    clean(folder.path(), "sha256sum", &["--check", "--strict", "--quiet", &format!("{name}.sha256")]);
    damage(&path);
    for (program, words) in present {
        let (good, told) = run(folder.path(), program, words).unwrap();
        assert!(!good, "{program} finds nothing wrong with a damaged zip: {told}");
    }
}

#[test]
fn what_the_readme_says_can_be_done_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    if !clean(folder.path(), "unzip", &["-q", path.to_str().unwrap()]) {
        return;
    }
    let bag = folder.path().join("sky-bench-1.10");
    let readme = std::fs::read_to_string(bag.join("data/README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    sha")).collect();
    assert_eq!(commands.len(), 3, "{readme}");
    for command in &commands {
        let Some((good, told)) = run(&bag, "sh", &["-c", &format!("sha{command}")]) else { return };
        assert!(good && told.is_empty(), "sha{command}: {told}");
    }
    for named in ["archive", "results", "schemas", "site/index.html", "metadata/names.csv", "provenance"] {
        assert!(readme.contains(named) && bag.join("data").join(named).exists(), "{named}");
    }
    match run(folder.path(), "python3", &["-c", BAGIT, "sky-bench-1.10"]) {
        Some((false, told)) if told.is_empty() => eprintln!("SKIPPED: bagit is not installed for python3"),
        Some((good, told)) => assert!(good, "bagit: {told}"),
        None => {}
    }
    damage(&bag.join("data/archive/noise.bin"));
    let (good, told) = run(&bag, "sh", &["-c", &format!("sha{}", commands[0])]).unwrap();
    assert!(!good && told.contains("data/archive/noise.bin"), "{told}");
}

#[test]
fn the_index_of_names_says_what_git_says() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    if !clean(folder.path(), "unzip", &["-q", path.to_str().unwrap()]) {
        return;
    }
    let bag = folder.path().join("sky-bench-1.10");
    let index = std::fs::read_to_string(bag.join("data/metadata/names.csv")).unwrap();
    let rows = repro::metadata::read_csv(&index).unwrap();
    assert_eq!(rows[0], ["stored", "original", "bytes", "sha256", "swhid"]);
    for row in &rows[1..] {
        let Some((good, hash)) = run(&bag, "git", &["hash-object", "--no-filters", &row[0]]) else { return };
        assert!(good, "{hash}");
        assert_eq!(row[4], format!("swh:1:cnt:{}", hash.trim()), "{}", row[1]);
    }
    // The payload as a whole is a tree of Git.
    let data = bag.join("data");
    let tree = "git init -q . && git -c core.autocrlf=false add -A --force . && git write-tree";
    let Some((good, hash)) = run(&data, "sh", &["-c", tree]) else { return };
    assert!(good, "{hash}");
    let info = std::fs::read_to_string(bag.join("bag-info.txt")).unwrap();
    assert!(info.contains(&format!("External-Identifier: swh:1:dir:{}\n", hash.trim())), "{info} is not {hash}");
}
