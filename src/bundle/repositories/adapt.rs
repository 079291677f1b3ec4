//! Writing what a repository needs: the outer zip, the parts, the files to put beside the bundle.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::{Advice, Repository, Upload};
use crate::bundle::container::{Aside, Limits};
use crate::bundle::error::BundleError;
use crate::bundle::source::{MOST, open_container};
use crate::bundle::write::{digest_file, sidecar_path};
use crate::digest::Hasher;

/// What was written for a repository.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Adapted {
    /// What to upload in place of the bundle; empty when that goes in as it is, or not at all.
    pub instead: Vec<PathBuf>,
    /// What to put beside it.
    pub beside: Vec<PathBuf>,
}

/// Writes what the advice asks for: `X.outer.zip` or the folder `X.parts`, and the folder `X.beside`.
pub fn adapt(repository: Repository, advice: &Advice, path: &Path) -> Result<Adapted, BundleError> {
    let instead = match advice.upload {
        Upload::Whole | Upload::Refused => Vec::new(),
        Upload::Wrapped => {
            let outer = path.with_extension("outer.zip");
            wrap(path, &outer)?;
            vec![outer]
        }
        Upload::Parts { bytes, .. } => split(path, bytes, &path.with_extension("parts"))?,
    };
    let folder = path.with_extension(format!("beside-{}", repository.word()));
    let beside = write_beside(path, &advice.beside, &folder)?;
    Ok(Adapted { instead, beside })
}

/// Writes files of the bag beside the bundle, for repositories that show them. Returns their paths.
pub fn write_beside(path: &Path, inside: &[String], folder: &Path) -> Result<Vec<PathBuf>, BundleError> {
    let (container, root) = open_container(path, &Limits::default())?;
    let mut written = Vec::new();
    for short in inside {
        let content = container
            .read(&format!("{root}/{short}"), MOST)
            .map_err(|error| BundleError::Read { path: path.display().to_string(), error })?;
        let target = folder.join(flat(short));
        write_whole(&target, &content)?;
        written.push(target);
    }
    Ok(written)
}

/// A name without folders: what stands behind `data/` and one folder, with hyphens for further ones.
fn flat(short: &str) -> String {
    let below = short.strip_prefix("data/").unwrap_or(short);
    let below = below.split_once('/').map_or(below, |(_, rest)| rest);
    below.replace('/', "-")
}

fn write_whole(target: &Path, content: &[u8]) -> Result<(), BundleError> {
    crate::world::disk::write_file(target, content)
        .map_err(|error| BundleError::Write { path: target.display().to_string(), error })
}

/// Puts the bundle at `path` into an outer zip at `target`, for repositories that unpack what they get.
/// Unpacking the outer one gives the bundle back byte for byte. It is stored, not compressed again, and
/// has no moment of its own: the stamps inside are those of the bundle.
pub fn wrap(path: &Path, target: &Path) -> Result<(), BundleError> {
    let read = |error| BundleError::Read { path: path.display().to_string(), error };
    let failed = |error| BundleError::Write { path: target.display().to_string(), error };
    let mut bundle = File::open(path).map_err(read)?;
    let bytes = bundle.metadata().map_err(read)?.len();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let aside = Aside::new(target).map_err(failed)?;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .system(System::Unix)
        .unix_permissions(0o644)
        // Only where a number needs it, as everywhere.
        .large_file(bytes >= u64::from(u32::MAX));
    let mut outer = ZipWriter::new(aside.file());
    outer.start_file(name, options).map_err(|error| failed(error.into()))?;
    let copied = io::copy(&mut bundle, &mut outer).map_err(failed)?;
    if copied != bytes {
        return Err(read(io::Error::new(io::ErrorKind::InvalidData, "it changed while it was copied")));
    }
    outer.finish().map_err(|error| failed(error.into()))?;
    aside.commit().map_err(failed)
}

/// Cuts the bundle into files of at most `most` bytes, `X.zip.001` and so on, in `folder`, with their
/// digests and a text that says how they are joined. Returns all files written.
pub fn split(path: &Path, most: u64, folder: &Path) -> Result<Vec<PathBuf>, BundleError> {
    let read = |error| BundleError::Read { path: path.display().to_string(), error };
    let mut bundle = File::open(path).map_err(read)?;
    let bytes = bundle.metadata().map_err(read)?.len();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (digest, _) = digest_file(&bundle).map_err(read)?;
    bundle.seek(SeekFrom::Start(0)).map_err(read)?;
    let (mut written, mut sums, mut names) = (Vec::new(), String::new(), Vec::new());
    for index in 1..=bytes.div_ceil(most.max(1)).max(1) {
        let part = format!("{name}.{index:03}");
        let target = folder.join(&part);
        let failed = |error| BundleError::Write { path: target.display().to_string(), error };
        let aside = Aside::new(&target).map_err(failed)?;
        let (mut hasher, mut left, mut buffer) = (Hasher::default(), most, vec![0; 1 << 20]);
        while left > 0 {
            let room = left.min(buffer.len() as u64) as usize;
            let count = bundle.read(&mut buffer[..room]).map_err(read)?;
            if count == 0 {
                break;
            }
            hasher.update(&buffer[..count]);
            aside.file().write_all(&buffer[..count]).map_err(failed)?;
            left -= count as u64;
        }
        aside.commit().map_err(failed)?;
        sums.push_str(&format!("{}  {part}\n", hasher.finish()));
        names.push(part);
        written.push(target);
    }
    let texts = [
        (folder.join(format!("{name}.parts.sha256")), sums),
        (folder.join(sidecar_path(Path::new(&name))), format!("{digest}  {name}\n")),
        (folder.join("JOIN.txt"), joining(&name, &names)),
    ];
    for (target, text) in texts {
        write_whole(&target, text.as_bytes())?;
        written.push(target);
    }
    Ok(written)
}

/// How the parts become the bundle again, on any system.
fn joining(name: &str, parts: &[String]) -> String {
    format!(
        "{name} in {} parts, because the repository takes no file of its size.\n\n\
         Fetch all of them into one folder, then, on Linux and macOS:\n\n    \
         sha256sum --check {name}.parts.sha256\n    cat {} > {name}\n    sha256sum --check {name}.sha256\n\n\
         On Windows:\n\n    copy /b {} {name}\n    certutil -hashfile {name} SHA256\n\n\
         7-Zip opens {name}.001 as the whole. Read README.md inside {name} next.\n",
        parts.len(),
        parts.join(" "),
        parts.join("+"),
    )
}
