//! Numbers and texts as few bytes: whole numbers of variable length, every text once.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Writes.
#[derive(Debug, Default)]
pub struct PackedWriter {
    known: BTreeMap<Box<str>, u64>,
    texts: Vec<u8>,
    body: Vec<u8>,
}

/// Reads what a writer wrote; `None` where the bytes are not that.
#[derive(Debug)]
pub struct PackedReader<'a> {
    texts: Vec<Arc<str>>,
    body: &'a [u8],
}

fn push(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn pull(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

impl PackedWriter {
    /// A whole number.
    pub fn number(&mut self, number: u64) {
        push(&mut self.body, number);
    }

    /// A double, bit by bit.
    pub fn real(&mut self, real: f64) {
        self.body.extend_from_slice(&real.to_bits().to_le_bytes());
    }

    /// A flag.
    pub fn flag(&mut self, flag: bool) {
        self.body.push(u8::from(flag));
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        let number = match self.known.get(text) {
            Some(number) => *number,
            None => {
                let number = self.known.len() as u64;
                push(&mut self.texts, text.len() as u64);
                self.texts.extend_from_slice(text.as_bytes());
                self.known.insert(text.into(), number);
                number
            }
        };
        push(&mut self.body, number);
    }

    /// Something that may be absent.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// Several of a kind.
    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(items.len() as u64);
        items.for_each(|item| write(self, item));
    }

    /// All bytes.
    pub fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        push(&mut out, self.known.len() as u64);
        out.extend_from_slice(&self.texts);
        out.extend_from_slice(&self.body);
        out
    }
}

impl<'a> PackedReader<'a> {
    /// Begins; `share` gives the shared copy of a text.
    pub fn new(mut bytes: &'a [u8], mut share: impl FnMut(&str) -> Arc<str>) -> Option<Self> {
        let count = pull(&mut bytes)?;
        let mut texts = Vec::new();
        for _ in 0..count {
            let length = usize::try_from(pull(&mut bytes)?).ok()?;
            let (text, rest) = bytes.split_at_checked(length)?;
            texts.push(share(std::str::from_utf8(text).ok()?));
            bytes = rest;
        }
        Some(Self { texts, body: bytes })
    }

    /// A whole number.
    pub fn number(&mut self) -> Option<u64> {
        pull(&mut self.body)
    }

    /// A double.
    pub fn real(&mut self) -> Option<f64> {
        let (bits, rest) = self.body.split_at_checked(8)?;
        self.body = rest;
        Some(f64::from_bits(u64::from_le_bytes(bits.try_into().ok()?)))
    }

    /// A flag.
    pub fn flag(&mut self) -> Option<bool> {
        let (&byte, rest) = self.body.split_first()?;
        self.body = rest;
        (byte <= 1).then_some(byte == 1)
    }

    /// A text.
    pub fn text(&mut self) -> Option<Arc<str>> {
        let number = usize::try_from(self.number()?).ok()?;
        self.texts.get(number).cloned()
    }

    /// Something that may be absent.
    pub fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Some(None) }
    }

    /// Several of a kind.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    /// True when nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.body.is_empty()
    }
}
