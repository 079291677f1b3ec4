//! Other people's programs over the sample: the quick ones, on every run. The rest is
//! `tests/validators/run`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::sample;

/// Runs a program: whether it was content, and what it said.
fn run(folder: &Path, program: &str, words: &[&str]) -> (bool, String) {
    let output = Command::new(program).args(words).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error} (if it went away: `touch build.rs`)"));
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

fn clean(folder: &Path, program: &str, words: &[&str]) {
    let (good, told) = run(folder, program, words);
    assert!(good, "{program} {}: {told}", words.join(" "));
}

/// Flips a bit in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

const PYTHON: &str = "import sys, zipfile\nsys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)";
/// A reader of zip files accepts the sample and notices damage.
fn reads_and_notices(program: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let words: Vec<&str> = words.iter().copied().chain(path.file_name().and_then(|name| name.to_str())).collect();
    clean(folder.path(), program, &words);
    damage(&path);
    let (good, told) = run(folder.path(), program, &words);
    assert!(!good, "{program} finds nothing wrong with a damaged zip: {told}");
}

#[test]
#[cfg_attr(not(has_unzip), ignore = "needs unzip")]
fn unzip_finds_nothing_wrong_and_notices_damage() {
    reads_and_notices("unzip", &["-tqq"]);
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn python_finds_nothing_wrong_and_notices_damage() {
    reads_and_notices("python3", &["-c", PYTHON]);
}

#[test]
#[cfg_attr(not(has_7zip), ignore = "needs 7zz")]
fn seven_zip_finds_nothing_wrong_and_notices_damage() {
    reads_and_notices("7zz", &["t", "-bd"]);
}

#[test]
fn the_checksum_beside_the_zip_is_one_that_sha256sum_reads() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = sample(folder.path());
    let list = format!("{}.sha256", path.file_name().unwrap().to_str().unwrap());
    clean(folder.path(), "sha256sum", &["--check", "--strict", "--quiet", &list]);
}

/// The sample, unpacked by another program.
fn unpacked(folder: &Path) -> PathBuf {
    let (path, _) = sample(folder);
    clean(folder, "unzip", &["-q", path.to_str().unwrap()]);
    folder.join("sky-bench-1.10")
}

#[test]
#[cfg_attr(not(has_unzip), ignore = "needs unzip")]
fn what_the_readme_says_can_be_done_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let bag = unpacked(folder.path());
    let readme = std::fs::read_to_string(bag.join("data/README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    sha")).collect();
    assert_eq!(commands.len(), 3, "{readme}");
    for command in &commands {
        let (good, told) = run(&bag, "sh", &["-c", &format!("sha{command}")]);
        assert!(good && told.is_empty(), "sha{command}: {told}");
    }
    for named in ["archive", "results", "schemas", "site/index.html", "metadata/names.csv", "provenance"] {
        assert!(readme.contains(named) && bag.join("data").join(named).exists(), "{named}");
    }
    damage(&bag.join("data/archive/noise.bin"));
    let (good, told) = run(&bag, "sh", &["-c", &format!("sha{}", commands[0])]);
    assert!(!good && told.contains("data/archive/noise.bin"), "{told}");
}

#[test]
#[cfg_attr(not(all(has_unzip, has_bagit)), ignore = "needs unzip and bagit.py")]
fn the_reference_program_for_bags_accepts_it() {
    let folder = tempfile::tempdir().unwrap();
    let bag = unpacked(folder.path());
    clean(folder.path(), "bagit.py", &["--validate", bag.to_str().unwrap()]);
}

#[test]
#[cfg_attr(not(all(has_unzip, has_git)), ignore = "needs unzip and git")]
fn the_index_of_names_says_what_git_says() {
    let folder = tempfile::tempdir().unwrap();
    let bag = unpacked(folder.path());
    let index = std::fs::read_to_string(bag.join("data/metadata/names.csv")).unwrap();
    let rows = repro::metadata::read_csv(&index).unwrap();
    assert_eq!(rows[0], ["stored", "original", "bytes", "sha256", "swhid"]);
    for row in &rows[1..] {
        let (good, hash) = run(&bag, "git", &["hash-object", "--no-filters", &row[0]]);
        assert!(good, "{hash}");
        assert_eq!(row[4], format!("swh:1:cnt:{}", hash.trim()), "{}", row[1]);
    }
    // The payload as a whole is a tree of Git.
    let data = bag.join("data");
    let tree = "git init -q . && git -c core.autocrlf=false add -A --force . && git write-tree";
    let (good, hash) = run(&data, "sh", &["-c", tree]);
    assert!(good, "{hash}");
    let info = std::fs::read_to_string(bag.join("bag-info.txt")).unwrap();
    assert!(info.contains(&format!("External-Identifier: swh:1:dir:{}\n", hash.trim())), "{info} is not {hash}");
}
