//! Writing a planned bundle: one pass over the input, one pass over the output.
//!
//! Order in the zip: declaration, bag-info, manifests, tag manifests and the index of names (room is
//! left, filled in last), the payload, and at the very end `zip-records.txt` with the SHA-256 of every
//! entry as it stands compressed in the zip. That last file is what makes a flipped bit visible even
//! where it does not change the content (deflate can say the same thing in several ways).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256, Sha512};

use super::bag::{self, Algorithm};
use super::container::{Aside, Hashes, Input, Stamp, Writer, pack_all};
use super::error::{BundleError, Changed};
use super::plan::{BundlePlan, NAMES, PlannedFile, bytes_of};
use super::swhid;
use crate::digest::Digest;
use crate::tree::Content;
use crate::world::{Entry, Progress, Source, Unit};

/// The file with the digests of compressed entries.
pub(super) const RECORDS: &str = "zip-records.txt";
/// First line of the index of names.
const NAMES_HEADER: &str = "stored,original,bytes,sha256,swhid\n";

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// SHA-256 of the zip.
    pub digest: Digest,
    /// SHA-256 of `manifest-sha256.txt`: the same for every zip with this payload.
    pub payload: Digest,
    /// Bytes of the zip.
    pub bytes: u64,
    /// Entries of the zip.
    pub entries: u64,
    /// Bytes of the payload.
    pub payload_bytes: u64,
}

/// Writes the bundle to `target`, and its checksum to `target` + `.sha256`. Both appear complete or
/// not at all; an old bundle stays until the new one takes its name.
pub fn write(
    plan: &BundlePlan,
    inputs: &dyn Source,
    target: &Path,
    progress: &dyn Progress,
) -> Result<Written, BundleError> {
    check_inputs(plan, inputs)?;
    let failed = |error| BundleError::Write { path: target.display().to_string(), error };
    let aside = Aside::new(target).map_err(failed)?;
    progress.begin_in(Unit::Bytes, "writing the bundle", plan.bytes());
    let (payload, entries) = write_zip(plan, inputs, aside.file(), progress, target)?;
    let (digest, bytes) = digest_file(aside.file()).map_err(failed)?;
    let sidecar = sidecar_path(target);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let checksum = format!("{digest}  {name}\n");
    // The old checksum goes first: at no moment does a bundle stand beside the checksum of another.
    match std::fs::remove_file(&sidecar) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    aside.commit().map_err(failed)?;
    let beside = Aside::new(&sidecar).map_err(failed)?;
    beside.file().write_all(checksum.as_bytes()).map_err(failed)?;
    beside.commit().map_err(failed)?;
    progress.finish();
    Ok(Written { digest, payload, bytes, entries, payload_bytes: plan.bytes() })
}

/// Path of the checksum beside a bundle.
pub(super) fn sidecar_path(target: &Path) -> std::path::PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// Every input must still be what it was when the plan was made.
fn check_inputs(plan: &BundlePlan, inputs: &dyn Source) -> Result<(), BundleError> {
    let wanted: Vec<(&str, u64)> = plan
        .files
        .iter()
        .filter_map(|file| match &file.content {
            Content::Input { path, bytes } => Some((path.as_str(), *bytes)),
            Content::Bytes(_) => None,
        })
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let listed = inputs.entries().map_err(|error| BundleError::Input { path: inputs.name().to_owned(), error })?;
    let entries: BTreeMap<&str, &Entry> = listed.iter().map(|entry| (entry.path.as_str(), entry)).collect();
    for (path, bytes) in wanted {
        let error: io::Error = match entries.get(path) {
            None => io::Error::new(io::ErrorKind::NotFound, "it disappeared"),
            Some(entry) if !entry.regular => {
                io::Error::new(io::ErrorKind::InvalidInput, "it is a link or a special file now, and is not followed")
            }
            Some(entry) if entry.bytes != bytes => Changed("it has another length").into(),
            Some(_) => continue,
        };
        return Err(BundleError::Input { path: path.to_owned(), error });
    }
    Ok(())
}

/// A planned file as something to pack.
struct Opened<'a> {
    file: &'a PlannedFile,
    inputs: &'a dyn Source,
}

impl Input for Opened<'_> {
    fn bytes(&self) -> u64 {
        bytes_of(&self.file.content)
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        match &self.file.content {
            Content::Bytes(bytes) => Ok(Box::new(&bytes[..])),
            Content::Input { path, .. } => self.inputs.open_as_stored(path),
        }
    }
}

/// Indices of the entries that are filled in last.
struct Front {
    info: usize,
    manifests: [usize; 2],
    tags: [usize; 2],
    names: usize,
}

fn write_zip(
    plan: &BundlePlan,
    inputs: &dyn Source,
    file: &File,
    progress: &dyn Progress,
    target: &Path,
) -> Result<(Digest, u64), BundleError> {
    let failed = |error| BundleError::Write { path: target.display().to_string(), error };
    let mut writer = Writer::new(file, Stamp::of_epoch(plan.epoch));
    let front = reserve(plan, &mut writer).map_err(failed)?;
    writer.expect(plan.files.iter().map(|file| (full(plan, &file.path), bytes_of(&file.content))));
    let opened: Vec<Opened> = plan.files.iter().map(|file| Opened { file, inputs }).collect();
    let packing: Vec<&dyn Input> = opened.iter().map(|opened| opened as &dyn Input).collect();
    pack_all(&packing, plan.level, &mut writer, &|bytes| progress.advance(bytes)).map_err(|problem| {
        match problem.file {
            None => failed(problem.error),
            Some(index) => {
                let file = &plan.files[index];
                BundleError::Input { path: file.original.clone().unwrap_or(file.path.clone()), error: problem.error }
            }
        }
    })?;
    check_digests(plan, writer.hashes())?;
    fill(plan, &mut writer, &front).map_err(failed)
}

/// What was packed must be what the other stages read, where they said what that was.
fn check_digests(plan: &BundlePlan, hashes: &[Hashes]) -> Result<(), BundleError> {
    for (file, hashes) in plan.files.iter().zip(hashes) {
        if file.expected.is_some_and(|expected| *expected.as_bytes() != hashes.sha256) {
            let path = file.original.clone().unwrap_or(file.path.clone());
            return Err(BundleError::Input { path, error: Changed("it has another SHA-256").into() });
        }
    }
    Ok(())
}

/// Writes the declaration and leaves room for everything that is known last.
fn reserve(plan: &BundlePlan, writer: &mut Writer) -> io::Result<Front> {
    writer.store(&full(plan, "bagit.txt"), bag::DECLARATION.as_bytes())?;
    let info = info_text(plan, &Digest::of(b""), &swhid::directory([]));
    let info = writer.reserve(&full(plan, "bag-info.txt"), info.len() as u64)?;
    let mut manifest = |algorithm: Algorithm| {
        let lines = payload_paths(plan).map(|path| bag::line_len(algorithm, path)).sum();
        writer.reserve(&full(plan, algorithm.manifest()), lines)
    };
    let manifests = [manifest(Algorithm::Sha256)?, manifest(Algorithm::Sha512)?];
    let mut tag = |algorithm: Algorithm| {
        let lines = TAG_FILES.iter().map(|path| bag::line_len(algorithm, path)).sum();
        writer.reserve(&full(plan, algorithm.tag_manifest()), lines)
    };
    let tags = [tag(Algorithm::Sha256)?, tag(Algorithm::Sha512)?];
    let names = writer.reserve(&full(plan, NAMES), names_csv(plan, None).len() as u64)?;
    Ok(Front { info, manifests, tags, names })
}

/// Fills the room in, adds the records and the directory. Returns the digest of the payload manifest
/// and the number of entries.
fn fill(plan: &BundlePlan, writer: &mut Writer, front: &Front) -> io::Result<(Digest, u64)> {
    let hashes = writer.hashes().to_vec();
    let names = names_csv(plan, Some(&hashes));
    writer.fill(front.names, names.as_bytes())?;
    let manifests = Algorithm::ALL.map(|algorithm| payload_manifest(plan, &hashes, names.as_bytes(), algorithm));
    let payload = Digest::of(manifests[0].as_bytes());
    let info = info_text(plan, &payload, &payload_swhid(plan, &hashes, names.as_bytes()));
    writer.fill(front.info, info.as_bytes())?;
    for (index, manifest) in front.manifests.iter().zip(&manifests) {
        writer.fill(*index, manifest.as_bytes())?;
    }
    let contents = [info.as_bytes(), bag::DECLARATION.as_bytes(), manifests[0].as_bytes(), manifests[1].as_bytes()];
    for (index, algorithm) in front.tags.iter().zip(Algorithm::ALL) {
        let lines = TAG_FILES.iter().zip(contents).map(|(path, content)| bag::line(&digest(algorithm, content), path));
        writer.fill(*index, lines.collect::<String>().as_bytes())?;
    }
    let records: String = writer.records().map(|(name, digest)| bag::line(digest, name)).collect();
    writer.store(&full(plan, RECORDS), records.as_bytes())?;
    let entries = writer.finish()?;
    Ok((payload, entries))
}

/// Tag files listed in the tag manifests, sorted.
const TAG_FILES: [&str; 4] = ["bag-info.txt", "bagit.txt", "manifest-sha256.txt", "manifest-sha512.txt"];

fn full(plan: &BundlePlan, path: &str) -> String {
    format!("{}/{path}", plan.name)
}

/// Payload paths sorted by bytes: the order of the manifests.
fn payload_paths(plan: &BundlePlan) -> impl Iterator<Item = &str> {
    let mut paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).chain([NAMES]).collect();
    paths.sort_unstable();
    paths.into_iter()
}

/// Identifier of `data/` as a folder.
fn payload_swhid(plan: &BundlePlan, hashes: &[Hashes], names: &[u8]) -> String {
    let files = plan.files.iter().map(|file| file.path.as_str()).zip(hashes.iter().map(|hashes| hashes.git));
    let all = files.chain([(NAMES, swhid::blob(names))]);
    swhid::directory(all.filter_map(|(path, blob)| Some((path.strip_prefix("data/")?, blob))))
}

fn payload_manifest(plan: &BundlePlan, hashes: &[Hashes], names: &[u8], algorithm: Algorithm) -> String {
    let of = |hashes: &Hashes| match algorithm {
        Algorithm::Sha256 => hashes.sha256.to_vec(),
        Algorithm::Sha512 => hashes.sha512.to_vec(),
    };
    let mut lines: Vec<(&str, Vec<u8>)> =
        plan.files.iter().map(|file| file.path.as_str()).zip(hashes.iter().map(of)).collect();
    lines.push((NAMES, digest(algorithm, names)));
    lines.sort();
    lines.iter().map(|(path, digest)| bag::line(digest, path)).collect()
}

fn digest(algorithm: Algorithm, content: &[u8]) -> Vec<u8> {
    match algorithm {
        Algorithm::Sha256 => Sha256::digest(content).to_vec(),
        Algorithm::Sha512 => Sha512::digest(content).to_vec(),
    }
}

/// The index of stored names; without hashes, text of the same length.
fn names_csv(plan: &BundlePlan, hashes: Option<&[Hashes]>) -> String {
    let mut out = NAMES_HEADER.to_owned();
    for (index, file) in plan.files.iter().enumerate() {
        if let Some(original) = &file.original {
            let digest = Digest::from_bytes(hashes.map_or([0; 32], |hashes| hashes[index].sha256));
            let swhid = swhid::content(&hashes.map_or([0; 20], |hashes| hashes[index].git));
            let (stored, bytes) = (&file.path, bytes_of(&file.content));
            let _ = writeln!(out, "{stored},{},{bytes},{digest},{swhid}", crate::metadata::csv_field(original));
        }
    }
    out
}

/// Text of `bag-info.txt`; its length does not depend on the digests.
fn info_text(plan: &BundlePlan, payload: &Digest, swhid: &str) -> String {
    let names = names_csv(plan, None).len() as u64;
    let mut fields = plan.info.clone();
    fields.push(("External-Identifier", format!("urn:uuid:{}", payload.uuid())));
    fields.push(("External-Identifier", swhid.to_owned()));
    fields.push(("Payload-Oxum", format!("{}.{}", plan.bytes() + names, plan.files())));
    bag::info_text(&fields)
}

/// SHA-256 and length of a whole file.
pub(super) fn digest_file(file: &File) -> io::Result<(Digest, u64)> {
    let (mut hasher, mut position, mut buffer) = (Sha256::new(), 0_u64, vec![0; 1 << 20]);
    loop {
        let read = crate::world::system::read_at(file, &mut buffer, position)?;
        if read == 0 {
            return Ok((Digest::from_bytes(hasher.finalize().into()), position));
        }
        hasher.update(&buffer[..read]);
        position += read as u64;
    }
}
