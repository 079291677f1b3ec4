//! What systems call differently: files read at a place, the identity and times of a file, modes.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Reads at a place of a file, whatever its position is; as few bytes as the system gives.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buffer, offset);
}

/// Fills a buffer from a place of a file.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes bytes to a place of a file.
pub fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        #[cfg(unix)]
        let written = std::os::unix::fs::FileExt::write_at(file, bytes, offset);
        #[cfg(windows)]
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset);
        match written {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// What tells a file from every other; two equal values where the system does not say.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    #[cfg(unix)]
    return (std::os::unix::fs::MetadataExt::dev(metadata), std::os::unix::fs::MetadataExt::ino(metadata));
    #[cfg(windows)]
    return (0, std::os::windows::fs::MetadataExt::creation_time(metadata));
}

/// When the content changed, in a unit of the system; only good to be compared.
pub fn modified(metadata: &Metadata) -> (i64, i64) {
    #[cfg(unix)]
    return (std::os::unix::fs::MetadataExt::mtime(metadata), std::os::unix::fs::MetadataExt::mtime_nsec(metadata));
    #[cfg(windows)]
    return (0, std::os::windows::fs::MetadataExt::last_write_time(metadata).cast_signed());
}

/// When content or attributes changed, where the system keeps that: it cannot be set back by a program.
pub fn changed(metadata: &Metadata) -> (i64, i64) {
    #[cfg(unix)]
    return (std::os::unix::fs::MetadataExt::ctime(metadata), std::os::unix::fs::MetadataExt::ctime_nsec(metadata));
    #[cfg(windows)]
    return modified(metadata);
}

/// Sets who may read, write and enter, where a file has such a mode.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    return std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(windows)]
    {
        let _ = (path, mode);
        Ok(())
    }
}

/// Writes the names in a folder to its disk, where a folder can be opened for that.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return File::open(folder)?.sync_all();
    #[cfg(windows)]
    {
        let _ = folder;
        Ok(())
    }
}
