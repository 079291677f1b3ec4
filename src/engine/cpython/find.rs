//! Finding interpreters and asking what they may read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::engine::contract::EngineError;

/// Oldest version that works; the study itself asks for more.
const OLDEST: (u32, u32) = (3, 9);

/// Prints version, its own libraries and the shared objects it has mapped, one per line.
const PROBE: &str = "\
import sys
sys.path[:] = [p for p in sys.path if p]
try:
    import ctypes, resource, _socket, math, cmath, json, random, statistics, decimal, hashlib, datetime, zlib
except ImportError:
    pass
print('%d.%d.%d' % sys.version_info[:3])
print(' '.join(sys.version.split()))
print(sys.implementation.name)
print(sys.executable)
for p in sys.path:
    print(p)
print('--')
try:
    maps = open('/proc/self/maps')
except OSError:
    maps = []
for line in maps:
    if '/' in line:
        print(line[line.index('/'):].rstrip())
";

/// A CPython that can serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interpreter {
    /// The executable, as given.
    pub path: PathBuf,
    /// `3.13.0`
    pub version: String,
    /// The whole version line, compiler and build included.
    pub build: String,
    /// Files and folders its programs may read: the standard library and the shared objects that the
    /// interpreter maps.
    pub(in crate::engine) readable: Vec<PathBuf>,
}

/// Checks the interpreters in `asked`; without any, the first usable one on `search` (the folders
/// of a `PATH`).
pub fn find(asked: &[PathBuf], search: &[PathBuf]) -> Result<Vec<Interpreter>, EngineError> {
    let mut tried = Vec::new();
    if asked.is_empty() {
        for candidate in candidates(search) {
            match probe(&candidate) {
                Ok(found) => return Ok(vec![found]),
                Err(reason) => tried.push(format!("{}: {reason}", candidate.display())),
            }
        }
        if tried.is_empty() {
            tried.push("no python3 on the search path".to_owned());
        }
        return Err(EngineError::NoInterpreter { tried });
    }
    let mut found = Vec::new();
    for path in asked {
        match probe(path) {
            Ok(interpreter) => found.push(interpreter),
            Err(reason) => tried.push(format!("{}: {reason}", path.display())),
        }
    }
    if tried.is_empty() { Ok(found) } else { Err(EngineError::NoInterpreter { tried }) }
}

fn candidates(search: &[PathBuf]) -> Vec<PathBuf> {
    let names = ["python3.13", "python3", "python3.14", "python3.12", "python3.11", "python3.10", "python3.9"];
    let places = |name: &'static str| search.iter().map(move |folder| folder.join(name));
    names.into_iter().flat_map(places).filter(|path| path.is_file()).collect()
}

fn probe(path: &Path) -> Result<Interpreter, String> {
    let output = Command::new(path)
        .args(["-s", "-S", "-E", "-B", "-c", PROBE])
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or("no message").chars().take(200).collect::<String>();
        return Err(format!("it does not run ({}; {last})", output.status));
    }
    parse(path, &String::from_utf8_lossy(&output.stdout))
}

fn parse(path: &Path, said: &str) -> Result<Interpreter, String> {
    let mut lines = said.lines();
    let mut next = || lines.next().ok_or_else(|| "it does not answer like a Python".to_owned());
    let (version, build, implementation, executable) = (next()?, next()?, next()?, next()?);
    if implementation != "cpython" {
        return Err(format!("it is {implementation}, not CPython"));
    }
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < OLDEST {
        return Err(format!("version {version} is older than {}.{}", OLDEST.0, OLDEST.1));
    }
    let mut readable: BTreeSet<PathBuf> = lines.filter(|line| line.starts_with('/')).map(PathBuf::from).collect();
    readable.insert(PathBuf::from(executable));
    // The loader's index of shared objects; needed to load any further one.
    readable.insert(PathBuf::from("/etc/ld.so.cache"));
    readable.retain(|path| path.exists());
    Ok(Interpreter {
        path: if executable.is_empty() { path.to_owned() } else { PathBuf::from(executable) },
        version: version.to_owned(),
        build: build.to_owned(),
        readable: readable.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_judged_before_they_are_believed() {
        let path = Path::new("/x/python");
        let said = |version: &str, implementation: &str| format!("{version}\nbuild\n{implementation}\n/x/python\n--\n");
        assert!(parse(path, &said("3.8.18", "cpython")).unwrap_err().contains("older than 3.9"));
        assert!(parse(path, &said("3.13.0", "pypy")).unwrap_err().contains("not CPython"));
        assert!(parse(path, "hello").unwrap_err().contains("does not answer"));
        assert_eq!(parse(path, &said("3.10.1", "cpython")).unwrap().version, "3.10.1");
    }

    #[test]
    fn what_was_tried_is_named() {
        let error = find(&[PathBuf::from("/nowhere/python3")], &[]).unwrap_err().to_string();
        assert!(error.contains("/nowhere/python3") && error.contains("--engine embedded"), "{error}");
        assert!(find(&[], &[]).unwrap_err().to_string().contains("search path"));
    }
}
