//! The digest of what passes by.

use std::io::{self, Read};

use crate::digest::{Digest, Hasher};

/// A reader that hashes and counts the bytes it hands on.
pub struct Tee<R> {
    inner: R,
    hasher: Hasher,
    bytes: u64,
}

impl<R: Read> Tee<R> {
    /// Over a reader at its beginning.
    pub fn new(inner: R) -> Self {
        Self { inner, hasher: Hasher::default(), bytes: 0 }
    }

    /// Reads what is left; digest and number of all bytes.
    ///
    /// # Errors
    /// The rest cannot be read.
    pub fn finish(mut self) -> io::Result<(Digest, u64)> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.so_far())
    }

    /// Digest and number of the bytes that have passed.
    pub fn so_far(self) -> (Digest, u64) {
        (self.hasher.finish(), self.bytes)
    }
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_all_bytes_however_many_were_read() {
        let text = b"some bytes, read in part";
        let mut tee = Tee::new(text.as_slice());
        tee.read_exact(&mut [0; 5]).unwrap();
        assert_eq!(tee.finish().unwrap(), (Digest::of(text), text.len() as u64));
        let mut tee = Tee::new(text.as_slice());
        tee.read_exact(&mut [0; 5]).unwrap();
        assert_eq!(tee.so_far(), (Digest::of(b"some "), 5));
    }
}
