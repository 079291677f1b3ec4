//! A folder with a study in it, and the real binary in a clean environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde_json::Value;

use super::study;

/// The binary under test.
pub(crate) const REPRO: &str = env!("CARGO_BIN_EXE_repro");

/// A temporary folder; commands run inside it, with a home and a cache of its own.
pub(crate) struct Lab(tempfile::TempDir);

impl Lab {
    /// With the small study in `study/`.
    pub(crate) fn new() -> Self {
        let lab = Self::empty();
        for (path, content) in study::files() {
            lab.write(&format!("study/{path}"), content);
        }
        lab
    }

    /// With nothing in it.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let full = self.path(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, content).unwrap();
        self
    }

    pub(crate) fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Replaces every occurrence; there must be one.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) -> &Self {
        let text = self.text(path);
        assert!(text.contains(from), "{path} does not contain {from:?}");
        self.write(path, text.replace(from, to))
    }

    pub(crate) fn remove(&self, path: &str) -> &Self {
        std::fs::remove_file(self.path(path)).unwrap();
        self
    }

    /// Changes a JSON file.
    pub(crate) fn change(&self, path: &str, change: impl FnOnce(&mut Value)) -> &Self {
        let mut value = serde_json::from_str(&self.text(path)).unwrap();
        change(&mut value);
        self.write(path, value.to_string())
    }

    /// Every file below a folder with its bytes.
    pub(crate) fn bytes(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let all = self.walk(folder);
        all.into_iter().map(|(path, full)| (path, std::fs::read(full).unwrap())).collect()
    }

    /// Every file below a folder with the time it was written.
    pub(crate) fn times(&self, folder: &str) -> BTreeMap<String, SystemTime> {
        let time = |full: &Path| std::fs::metadata(full).unwrap().modified().unwrap();
        self.walk(folder).into_iter().map(|(path, full)| (path, time(&full))).collect()
    }

    fn walk(&self, folder: &str) -> BTreeMap<String, PathBuf> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.path(folder)];
        while let Some(here) = open.pop() {
            for child in std::fs::read_dir(&here).into_iter().flatten() {
                let path = child.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let relative = path.strip_prefix(self.path(folder)).unwrap();
                    found.insert(relative.to_string_lossy().into_owned(), path);
                }
            }
        }
        found
    }

    /// The binary with nothing of this process but its search path.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(REPRO);
        command.args(words).current_dir(self.0.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.0.path()).env("XDG_CACHE_HOME", self.path("cache"));
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command line; words are separated by blanks.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with(line, &[])
    }

    /// The same with more environment.
    pub(crate) fn run_with(&self, line: &str, environment: &[(&str, &str)]) -> Ran {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ran::of(line, self.command(&words).envs(environment.iter().copied()))
    }

    /// Runs a command line that must not change the study.
    pub(crate) fn run_unharmed(&self, line: &str) -> Ran {
        let before = self.bytes("study");
        let ran = self.run(line);
        assert!(self.bytes("study") == before, "`repro {line}` changed the study");
        ran
    }
}

/// What a command did.
pub(crate) struct Ran {
    line: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(line: &str, command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            line: line.to_owned(),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn told(&self) -> String {
        format!("`repro {}` ended with {}\n{}---\n{}", self.line, self.code, self.stdout, self.stderr)
    }

    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.told());
        self
    }

    /// Whitespace is compared as one blank, because lines are wrapped.
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(flat(&self.stdout).contains(text), "stdout lacks {text:?}: {}", self.told());
        self
    }

    pub(crate) fn never_says(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "{text:?} in {}", self.told());
        self
    }

    /// An error on stderr with this text and a help line.
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(flat(&self.stderr).contains(text), "stderr lacks {text:?}: {}", self.told());
        assert!(self.stderr.contains("error: ") && self.stderr.contains("help: "), "no help: {}", self.told());
        self
    }

    pub(crate) fn silent(self) -> Self {
        assert!(self.stdout.is_empty() && self.stderr.is_empty(), "not silent: {}", self.told());
        self
    }

    /// Stdout as one strict JSON document.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.told()))
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
