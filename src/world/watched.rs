//! A file on disk that tells when it did not hold still while it was read.
//!
//! Length, modification time, change time and identity are taken before the first byte and compared at
//! the end, both of the open file and of what its name leads to. The change time cannot be set back by
//! a program, so content of equal length written over the old one is seen, whatever the clock of the
//! modification says; its step is that of the file system (4 ms or less).

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::PathBuf;

use super::{ChangedWhileRead, system};

/// What may not differ between the first byte and the last.
#[derive(Debug, PartialEq, Eq)]
struct State {
    identity: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl State {
    fn of(metadata: &Metadata) -> Self {
        Self {
            identity: system::identity(metadata),
            bytes: metadata.len(),
            modified: system::modified(metadata),
            changed: system::changed(metadata),
        }
    }
}

/// An open file that is compared with itself when its end is reached.
#[derive(Debug)]
pub(super) struct Watched {
    file: File,
    path: PathBuf,
    before: State,
}

impl Watched {
    /// Opens a file.
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        let file = File::open(&path)?;
        let before = State::of(&file.metadata()?);
        Ok(Self { file, path, before })
    }

    fn check(&self) -> Result<(), ChangedWhileRead> {
        let Ok(now) = self.file.metadata() else {
            return Err(ChangedWhileRead("its state cannot be read any more"));
        };
        let now = State::of(&now);
        if now.bytes != self.before.bytes {
            return Err(ChangedWhileRead("it has another length now"));
        }
        match fs::symlink_metadata(&self.path) {
            Err(_) => Err(ChangedWhileRead("it was removed")),
            Ok(named) if State::of(&named).identity != self.before.identity => {
                Err(ChangedWhileRead("another file took its name"))
            }
            Ok(_) if now != self.before => Err(ChangedWhileRead("it was written to, or its attributes were")),
            Ok(_) => Ok(()),
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            self.check()?;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "a test writes files")]

    use std::time::Duration;

    use super::*;

    /// Reads a file in two halves with `between` done to it in the middle.
    fn read(between: impl FnOnce(&std::path::Path)) -> io::Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "0123456789").unwrap();
        let mut watched = Watched::open(path.clone()).unwrap();
        let mut bytes = vec![0; 5];
        watched.read_exact(&mut bytes).unwrap();
        // Longer than the step of a file system's clock.
        std::thread::sleep(Duration::from_millis(20));
        between(&path);
        watched.read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn a_file_that_holds_still_is_read() {
        assert_eq!(read(|_| {}).unwrap(), b"0123456789");
    }

    #[test]
    fn every_way_to_change_a_file_is_noticed() {
        let times = |path: &std::path::Path| fs::metadata(path).unwrap().modified().unwrap();
        let cases: [(&str, &dyn Fn(&std::path::Path)); 5] = [
            ("written to", &|path| fs::write(path, "9876543210").unwrap()),
            ("written to", &|path| {
                let before = times(path);
                fs::write(path, "9876543210").unwrap();
                File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
            }),
            ("another length", &|path| fs::write(path, "012345678901").unwrap()),
            ("removed", &|path| fs::remove_file(path).unwrap()),
            ("another file", &|path| {
                fs::write(path.with_extension("new"), "0123456789").unwrap();
                fs::rename(path.with_extension("new"), path).unwrap();
            }),
        ];
        for (how, change) in cases {
            let error = read(change).unwrap_err();
            assert!(ChangedWhileRead::is(&error) && error.to_string().contains(how), "{how}: {error}");
        }
    }
}
