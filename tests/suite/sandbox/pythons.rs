//! Finding interpreters: missing, too old, broken, not a Python, and the real ones.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use repro::engine::{self, EngineChoice, sandbox};
use repro::world::Silent;

use super::options;

fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn each_unusable_interpreter_is_named_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let old = script(folder.path(), "old", "printf '3.8.18\\n3.8.18 (main)\\ncpython\\n/usr/bin/old\\n--\\n'");
    let other = script(folder.path(), "other", "printf '3.11.0\\n3.11.0\\npypy\\n/usr/bin/pypy\\n--\\n'");
    let broken = script(folder.path(), "broken", "echo 'cannot load libpython' >&2; exit 127");
    let silent = script(folder.path(), "silent", "exit 0");
    let missing = folder.path().join("missing");
    for (path, reason) in [
        (&old, "older than 3.9"),
        (&other, "it is pypy"),
        (&broken, "cannot load libpython"),
        (&silent, "does not answer"),
        (&missing, "No such file"),
    ] {
        let error = engine::find_pythons(std::slice::from_ref(path), &[]).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && error.contains(reason), "{error}");
        assert!(error.contains("--engine embedded"), "{error}");
    }
    // A search goes on to the next; all that failed are told when nothing is left.
    let search = vec![folder.path().to_owned()];
    std::fs::rename(&old, folder.path().join("python3")).unwrap();
    let error = engine::find_pythons(&[], &search).unwrap_err().to_string();
    assert!(error.contains("python3: version 3.8.18"), "{error}");
}

/// Every version in `REPRO_TEST_PYTHONS` (paths like a `PATH`) passes the whole hostile table.
#[test]
#[ignore = "on request: set REPRO_TEST_PYTHONS"]
fn every_given_version_passes_the_hostile_table() {
    let given = std::env::var_os("REPRO_TEST_PYTHONS").expect("REPRO_TEST_PYTHONS names interpreters");
    let paths: Vec<PathBuf> = std::env::split_paths(&given).collect();
    let mut broken = Vec::new();
    for python in engine::find_pythons(&paths, &[]).unwrap() {
        let version = python.version.clone();
        let engine = engine::open(&EngineChoice::CPython(python), &options(2)).unwrap();
        let rows = sandbox::check(&*engine, &sandbox::check_limits(), &Silent).unwrap();
        let failed = rows.into_iter().filter(|row| !row.held);
        broken.extend(
            failed.map(|row| format!("{version} {}: expected {}, found {}", row.name, row.expected, row.found)),
        );
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// An interpreter that answers every question well and then fails to serve.
#[test]
fn an_interpreter_that_cannot_start_is_named_with_its_words() {
    let Some(python) = super::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let real = python.path.display();
    let words = "this build has no sockets today";
    let body = format!("case \"$*\" in *layers*) echo '{words}' >&2; exit 9;; esac\nexec {real} \"$@\"");
    let broken = script(folder.path(), "python3", &body);
    let mut found = engine::find_pythons(std::slice::from_ref(&broken), &[]).unwrap().remove(0);
    // The probe tells the executable behind the script; a user named the script.
    found.path.clone_from(&broken);
    let Err(error) = engine::open(&EngineChoice::CPython(found.clone()), &options(1)) else { panic!("it started") };
    let told = error.to_string();
    assert!(told.contains(&broken.display().to_string()), "{told}");
    // Under Landlock the script itself may not be read, which is said as well.
    assert!(told.contains(words) || told.contains("executed") || told.contains("denied"), "{told}");
    std::fs::remove_file(&broken).unwrap();
    let Err(error) = engine::open(&EngineChoice::CPython(found), &options(1)) else { panic!("it started") };
    let told = error.to_string();
    assert!(told.contains(&broken.display().to_string()) && told.contains("No such file"), "{told}");
}
