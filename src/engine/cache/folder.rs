//! The folder of segments.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;
use tempfile::TempDir;

use super::record::{CHECKSUM, HEAD, LARGEST, decode, encode};
use crate::digest::Digest;
use crate::engine::contract::EngineError;
use crate::engine::outcome::Outcome;
use crate::world::system::{read_exact_at, write_all_at};

const MAGIC: &[u8; 16] = b"repro-outcomes-2";
/// [`CHECKSUM`] as a distance in a file.
const CHECKSUM_LENGTH: i64 = 8;
/// More segments than this are merged when the cache is opened.
const SEGMENTS: usize = 32;

/// What a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CacheSize {
    /// Remembered outcomes.
    pub entries: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Files.
    pub segments: u64,
}

#[derive(Debug, Clone, Copy)]
struct Location {
    segment: usize,
    offset: u64,
    /// Payload and checksum.
    length: usize,
}

/// What this process wrote itself.
#[derive(Debug, Default)]
struct Own {
    file: Option<File>,
    end: u64,
    /// Offset and length of payload and checksum.
    index: BTreeMap<Digest, (u64, usize)>,
}

/// Where a remembered outcome comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// An earlier run.
    Earlier,
    /// This process, which executed an equal program.
    Here,
}

/// An open cache.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    segments: Vec<File>,
    index: BTreeMap<Digest, Location>,
    own: Mutex<Own>,
    /// Set for a cache that ends with this process; it goes with the folder.
    _passing: Option<TempDir>,
}

impl Cache {
    /// Opens the cache in `folder`, which is made when it does not exist.
    pub fn open(folder: &Path) -> Result<Self, EngineError> {
        let refused = |error: io::Error| EngineError::Cache { path: folder.to_owned(), reason: error.to_string() };
        fs::create_dir_all(folder).map_err(refused)?;
        let mut cache = Self::read(folder).map_err(refused)?;
        if cache.segments.len() > SEGMENTS {
            cache.merge().map_err(refused)?;
            cache = Self::read(folder).map_err(refused)?;
        }
        Ok(cache)
    }

    /// A cache that starts empty and ends with this process: equal programs are still executed once.
    pub fn passing() -> Result<Self, EngineError> {
        let folder = std::env::temp_dir();
        let refused = |error: io::Error| EngineError::Cache { path: folder.clone(), reason: error.to_string() };
        let held = tempfile::Builder::new().prefix("repro-outcomes-").tempdir_in(&folder).map_err(refused)?;
        let empty = Self::read(held.path()).map_err(refused)?;
        Ok(Self { _passing: Some(held), ..empty })
    }

    fn read(folder: &Path) -> io::Result<Self> {
        let mut cache = Self {
            folder: folder.to_owned(),
            segments: Vec::new(),
            index: BTreeMap::new(),
            own: Mutex::default(),
            _passing: None,
        };
        for path in segment_paths(folder)? {
            // It may have been merged away, or cleared, between listing and opening.
            if let Ok(file) = File::open(&path) {
                cache.index_segment(file)?;
            }
        }
        Ok(cache)
    }

    /// Takes up the records of a segment as far as their lengths make sense.
    fn index_segment(&mut self, file: File) -> io::Result<()> {
        let end = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        let mut magic = [0; 16];
        if reader.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Ok(());
        }
        let mut offset = MAGIC.len() as u64;
        let segment = self.segments.len();
        let mut head = [0; HEAD];
        while reader.read_exact(&mut head).is_ok() {
            let (length, key) = head.split_at(4);
            let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
            let body = length as usize + CHECKSUM;
            let start = offset + HEAD as u64;
            let Ok(key) = key.try_into() else { break };
            if length > LARGEST || start + body as u64 > end {
                break;
            }
            self.index.insert(Digest::from_bytes(key), Location { segment, offset: start, length: body });
            reader.seek_relative(i64::from(length) + CHECKSUM_LENGTH)?;
            offset = start + body as u64;
        }
        self.segments.push(file);
        Ok(())
    }

    /// The outcome remembered for `key`, if its record checks.
    pub fn get(&self, key: &Digest) -> Option<Outcome> {
        self.find(key).map(|(outcome, _)| outcome)
    }

    /// The same with where it comes from.
    pub(super) fn find(&self, key: &Digest) -> Option<(Outcome, Origin)> {
        let Some(location) = self.index.get(key) else {
            let own = self.own.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let &(offset, length) = own.index.get(key)?;
            let mut body = vec![0; length];
            read_exact_at(own.file.as_ref()?, &mut body, offset).ok()?;
            return Some((decode(key, &body)?, Origin::Here));
        };
        let mut body = vec![0; location.length];
        read_exact_at(self.segments.get(location.segment)?, &mut body, location.offset).ok()?;
        Some((decode(key, &body)?, Origin::Earlier))
    }

    /// Remembers an outcome for the rest of this run and for later ones, unless a busy machine may have caused it.
    pub fn put(&self, key: &Digest, outcome: &Outcome) -> Result<(), EngineError> {
        let Some(record) = Some(outcome).filter(|outcome| !outcome.by_clock).and_then(|one| encode(key, one)) else {
            return Ok(());
        };
        let refused = |error: io::Error| EngineError::Cache { path: self.folder.clone(), reason: error.to_string() };
        let mut own = self.own.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if own.file.is_none() {
            own.file = Some(new_segment(&self.folder).map_err(refused)?);
            own.end = MAGIC.len() as u64;
        }
        let begin = own.end + HEAD as u64;
        if let Some(file) = &own.file {
            // One write for one record: a crash tears at most the last.
            write_all_at(file, &record, own.end).map_err(refused)?;
        }
        own.end += record.len() as u64;
        own.index.insert(*key, (begin, record.len() - HEAD));
        Ok(())
    }

    /// Copies all sound records into one new segment and removes the old ones, except those that a
    /// running process still writes.
    fn merge(&self) -> io::Result<()> {
        let mut idle = Vec::new();
        for path in segment_paths(&self.folder)? {
            if let Ok(file) = File::open(&path)
                && file.try_lock().is_ok()
            {
                idle.push((path, file));
            }
        }
        let mut merged = new_segment(&self.folder)?;
        for key in self.index.keys() {
            if let Some(record) = self.get(key).and_then(|outcome| encode(key, &outcome)) {
                merged.write_all(&record)?;
            }
        }
        merged.sync_all()?;
        idle.iter().try_for_each(|(path, _)| fs::remove_file(path))
    }

    /// What the cache in `folder` holds; nothing when there is none.
    pub fn size(folder: &Path) -> io::Result<CacheSize> {
        if !folder.is_dir() {
            return Ok(CacheSize::default());
        }
        let cache = Self::read(folder)?;
        let bytes = cache.segments.iter().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum();
        Ok(CacheSize { entries: cache.index.len() as u64, bytes, segments: cache.segments.len() as u64 })
    }

    /// Removes every segment; says what was there. Nothing else in the folder is touched.
    pub fn clear(folder: &Path) -> io::Result<CacheSize> {
        let before = Self::size(folder)?;
        if folder.is_dir() {
            for path in segment_paths(folder)? {
                fs::remove_file(path)?;
            }
        }
        Ok(before)
    }
}

fn segment_paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "segment") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// A segment of this process, locked while it is written.
fn new_segment(folder: &Path) -> io::Result<File> {
    let file = tempfile::Builder::new().suffix(".segment").rand_bytes(16).tempfile_in(folder)?;
    let (mut file, _) = file.keep().map_err(|error| error.error)?;
    // A file system without locks only means that merging may take this segment early.
    let _ = file.try_lock();
    file.write_all(MAGIC)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::answers;
    use std::fs::OpenOptions;

    fn key(number: u32) -> Digest {
        Digest::of(&number.to_le_bytes())
    }

    #[test]
    fn what_one_process_wrote_the_next_finds() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = answers(&[("1", "42", "K")]);
        let (first, second) = (Cache::open(folder.path()).unwrap(), Cache::open(folder.path()).unwrap());
        first.put(&key(1), &outcome).unwrap();
        second.put(&key(2), &outcome).unwrap();
        let later = Cache::open(folder.path()).unwrap();
        assert_eq!(
            (later.get(&key(1)), later.get(&key(2)), later.get(&key(3))),
            (Some(outcome.clone()), Some(outcome), None)
        );
        let size = Cache::size(folder.path()).unwrap();
        assert_eq!((size.entries, size.segments), (2, 2));
        assert_eq!(Cache::clear(folder.path()).unwrap(), size);
        assert_eq!(Cache::size(folder.path()).unwrap(), CacheSize::default());
    }

    #[test]
    fn a_timeout_of_a_busy_machine_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let timeout = |by_clock| Outcome { by_clock, ..Outcome::of(crate::engine::Status::Timeout) };
        let cache = Cache::open(folder.path()).unwrap();
        cache.put(&key(1), &timeout(true)).unwrap();
        cache.put(&key(2), &timeout(false)).unwrap();
        let later = Cache::open(folder.path()).unwrap();
        assert_eq!((later.get(&key(1)), later.get(&key(2))), (None, Some(timeout(false))));
    }

    #[test]
    fn what_this_run_wrote_it_finds_itself_and_a_passing_cache_leaves_nothing() {
        let cache = Cache::passing().unwrap();
        let folder = cache.folder.clone();
        let (first, second) = (answers(&[("1", "42", "K")]), answers(&[("1", "43", "K")]));
        cache.put(&key(1), &first).unwrap();
        cache.put(&key(2), &second).unwrap();
        assert_eq!(cache.find(&key(1)), Some((first, Origin::Here)));
        assert_eq!((cache.get(&key(2)), cache.get(&key(3))), (Some(second), None));
        assert!(folder.is_dir());
        drop(cache);
        assert!(!folder.exists());
    }

    #[test]
    fn a_torn_or_damaged_record_is_a_miss_and_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = answers(&[("1", "42", "K")]);
        let cache = Cache::open(folder.path()).unwrap();
        for number in 0..3 {
            cache.put(&key(number), &outcome).unwrap();
        }
        drop(cache);
        let path = segment_paths(folder.path()).unwrap().remove(0);
        let file = OpenOptions::new().write(true).open(path).unwrap();
        let end = file.metadata().unwrap().len();
        file.set_len(end - 5).unwrap();
        write_all_at(&file, b"?", 16 + HEAD as u64 + 6).unwrap();
        let later = Cache::open(folder.path()).unwrap();
        assert_eq!((later.get(&key(0)), later.get(&key(2))), (None, None));
        assert_eq!(later.get(&key(1)), Some(outcome));
    }

    #[test]
    fn many_segments_become_few_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = answers(&[("1", "42", "K")]);
        let count = SEGMENTS as u32 + 2;
        for number in 0..count {
            let cache = Cache::read(folder.path()).unwrap();
            cache.put(&key(number), &outcome).unwrap();
        }
        let merged = Cache::open(folder.path()).unwrap();
        assert!((0..count).all(|number| merged.get(&key(number)).is_some()));
        assert_eq!(Cache::size(folder.path()).unwrap().segments, 1);
    }
}
