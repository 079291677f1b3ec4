//! A moving window over a file: JSON is read step by step from a buffer of about a megabyte, whatever
//! the size of the file.

use std::io::{self, Read};

use crate::json::{Fault, Reader, foreign_encoding};

/// Bytes read at once; also the least capacity of the window.
const CHUNK: usize = 1 << 20;

/// A fault this close to the end of the window may come from the end of the window: no token but a
/// string is longer.
const LOOKAHEAD: usize = 32;

/// A file that is read step by step.
pub struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    /// Offset in the file of the first byte of the buffer.
    base: usize,
    /// Offset in the buffer of the next unread byte.
    at: usize,
    /// The file has no more bytes than the buffer.
    ended: bool,
}

/// Why a step could not be taken.
#[derive(Debug)]
pub enum Stop {
    /// The text breaks off or breaks down; the offset is that in the file.
    Fault(Fault),
    /// The file could not be read.
    Io(io::Error),
}

impl<R: Read> Window<R> {
    /// Opens the window; says so when the file is not UTF-8 text. A byte-order mark is stepped over.
    ///
    /// # Errors
    /// The file cannot be read, or holds text of another encoding.
    pub fn new(input: R) -> Result<Self, Stop> {
        let mut window = Self { input, buffer: Vec::new(), base: 0, at: 0, ended: false };
        window.fill().map_err(Stop::Io)?;
        if let Some(fault) = foreign_encoding(&window.buffer) {
            return Err(Stop::Fault(fault));
        }
        window.at = if window.buffer.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Ok(window)
    }

    /// True for a file without bytes.
    pub fn is_empty(&self) -> bool {
        self.ended && self.base == 0 && self.buffer.is_empty()
    }

    /// Takes one step: `read` consumes some JSON and is committed when it succeeds. When it meets the end
    /// of the window, it is called again with more of the file, so it must have no effect before it
    /// succeeds. Offsets inside `read` are relative to its second argument.
    ///
    /// # Errors
    /// What is wrong with the text, or with reading it.
    pub fn step<T>(&mut self, mut read: impl FnMut(&mut Reader<'_>, usize) -> Result<T, Fault>) -> Result<T, Stop> {
        loop {
            let mut reader = Reader::resume(&self.buffer, self.at);
            match read(&mut reader, self.base) {
                Ok(value) => {
                    self.at = reader.position();
                    return Ok(value);
                }
                Err(fault) => {
                    let near_end = fault.end || fault.byte + LOOKAHEAD > self.buffer.len();
                    if self.ended || !near_end {
                        return Err(Stop::Fault(Fault { byte: self.base + fault.byte, ..fault }));
                    }
                    self.fill().map_err(Stop::Io)?;
                }
            }
        }
    }

    /// Drops what was read and appends more of the file; a step longer than the window doubles it.
    fn fill(&mut self) -> io::Result<()> {
        // The byte before the next unread one belongs to the last token, which the reader looks back at.
        let done = self.at.saturating_sub(1);
        self.buffer.drain(..done);
        self.base += done;
        self.at -= done;
        let wanted = self.buffer.len().max(CHUNK);
        // All of it at once: grown step by step, it would be copied at every step.
        self.buffer.reserve(wanted);
        let read = self.input.by_ref().take(wanted as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < wanted;
        Ok(())
    }

    /// Most bytes held at once so far.
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// What is left of the input; the window has read ahead of its last step.
    pub fn into_inner(self) -> R {
        self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items of a list, read through a window that is fed in pieces.
    fn items(text: &[u8]) -> (Vec<usize>, Option<usize>) {
        let mut window = Window::new(text).map_err(|_| ()).unwrap();
        let mut sizes = Vec::new();
        let mut fault = window.step(|reader, _| reader.begin_list()).err();
        while fault.is_none() {
            let item =
                window.step(
                    |reader, _| {
                        if reader.next_item()? { reader.text().map(|text| Some(text.len())) } else { Ok(None) }
                    },
                );
            match item {
                Ok(Some(size)) => sizes.push(size),
                Ok(None) => break,
                Err(stop) => fault = Some(stop),
            }
        }
        let fault = fault.map(|stop| match stop {
            Stop::Fault(fault) => fault.byte,
            Stop::Io(_) => usize::MAX,
        });
        (sizes, fault)
    }

    #[test]
    fn a_file_larger_than_the_window_reads_like_a_small_one() {
        let sizes: Vec<usize> = (0..40).map(|n| n * 10_007 % 300_000).chain([3 * CHUNK, 5, CHUNK - 3]).collect();
        let list: Vec<String> = sizes.iter().map(|size| format!("\"{}\"", "x".repeat(*size))).collect();
        for separator in [",", " ,\n\n  "] {
            let text = format!("[{}]", list.join(separator));
            assert_eq!(items(text.as_bytes()), (sizes.clone(), None));
        }
    }

    #[test]
    fn a_fault_beyond_the_first_window_keeps_its_offset_in_the_file() {
        let text = format!("[\"{}\", \"a\" \"b\"]", "x".repeat(2 * CHUNK));
        let (found, fault) = items(text.as_bytes());
        assert_eq!((found.len(), fault), (2, Some(2 * CHUNK + 9)));
        let torn = &text.as_bytes()[..text.len() - 3];
        assert_eq!(items(torn).1, Some(2 * CHUNK + 9));
    }

    /// Bytes that come from nowhere, so that a file of any size needs no memory.
    struct Endless {
        left: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.left);
            self.left -= count;
            buffer[..count].fill(b' ');
            Ok(count)
        }
    }

    #[test]
    fn what_is_held_depends_on_the_longest_step_and_not_on_the_file() {
        let held = |megabytes: usize| {
            let item = format!("\"{}\",", "x".repeat(CHUNK / 3));
            let text = format!("[{}\"\"]", item.repeat(3 * megabytes));
            let mut window = Window::new(text.as_bytes().chain(Endless { left: CHUNK })).map_err(|_| ()).unwrap();
            window.step(|reader, _| reader.begin_list()).unwrap();
            let mut most = 0;
            while window.step(|reader, _| Ok(reader.next_item()? && reader.text().is_ok_and(|_| true))).unwrap_or(false)
            {
                most = most.max(window.held());
            }
            most
        };
        assert!(held(40) <= held(4), "{} bytes for ten times the file, {}", held(40), held(4));
        assert!(held(40) <= 4 * CHUNK);
    }
}
