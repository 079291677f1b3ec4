//! The content of an answer: a text at hand, or a stretch of a file that streams out a piece at a time, so that
//! memory is one piece per connection whatever the file's size.

use std::fs::File;
use std::io::{self, Read};

/// Bytes of one piece.
const PIECE: u64 = 64 << 10;

/// A text, or a stretch of a file.
pub(super) enum Content {
    /// Bytes at hand.
    Text(Vec<u8>),
    /// What is left of a file.
    File {
        /// Open at the next byte.
        file: File,
        /// Bytes to come.
        left: u64,
    },
}

impl Content {
    /// The next piece; `None` at the end.
    pub(super) fn piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Text(text) if text.is_empty() => Ok(None),
            Self::Text(text) => Ok(Some(std::mem::take(text))),
            Self::File { left: 0, .. } => Ok(None),
            Self::File { file, left } => {
                let mut piece = Vec::new();
                match file.by_ref().take(PIECE.min(*left)).read_to_end(&mut piece)? {
                    0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter")),
                    read => {
                        *left -= read as u64;
                        Ok(Some(piece))
                    }
                }
            }
        }
    }
}
