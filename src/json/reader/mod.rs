//! A pull reader over bytes: the caller walks objects and lists and takes only what it needs, so a
//! file of several hundred megabytes never becomes a tree.

mod scalar;
mod text;
mod value;

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Why reading cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {byte}")]
pub struct Fault {
    /// Offset of the offending byte from the start of the text.
    pub byte: usize,
    /// What was found or missing.
    pub what: Cow<'static, str>,
    /// True when the bytes ended where more were needed: with more bytes, reading could go on.
    pub end: bool,
}

/// Something that was read with a replacement; the caller reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Offset of the first replaced byte.
    pub byte: usize,
    /// What was replaced.
    pub what: &'static str,
}

impl Repair {
    /// True when bytes of another encoding were replaced, not merely an odd character.
    pub fn is_encoding(&self) -> bool {
        self.what == NOT_UTF8
    }
}

/// A key that stands in its object before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Offset behind the repeated key.
    pub byte: usize,
    /// The key.
    pub key: String,
}

/// Keys of one object as they go by, so that a repeated one is noticed.
#[derive(Debug, Default)]
pub struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    many: BTreeSet<Cow<'a, str>>,
}

/// Up to this many keys are compared one by one.
const FEW: usize = 32;

impl<'a> Keys<'a> {
    /// Adds a key; true when it was there before.
    pub fn add(&mut self, key: Cow<'a, str>) -> bool {
        if self.few.contains(&key) || self.many.contains(&key) {
            return true;
        }
        if self.few.len() < FEW {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        false
    }
}

/// What is said of bytes that are not UTF-8.
const NOT_UTF8: &str = "bytes that are not UTF-8";

/// What kind of value comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, `NaN` or an infinity.
    Number,
    /// A string.
    Text,
    /// `[`
    List,
    /// `{`
    Object,
}

/// Pull reader. Methods consume exactly one value or one piece of punctuation.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    repairs: Vec<Repair>,
    repeats: Vec<Repeat>,
}

type Result<T> = std::result::Result<T, Fault>;

impl<'a> Reader<'a> {
    /// Reads from `bytes`; a UTF-8 byte-order mark is skipped.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at, repairs: Vec::new(), repeats: Vec::new() }
    }

    /// Reads on at `at`, where another reader stopped; what was last consumed must still be in `bytes`.
    pub fn resume(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, repairs: Vec::new(), repeats: Vec::new() }
    }

    /// Offset of the next unread byte.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Takes the repairs made since the last call.
    pub fn take_repairs(&mut self) -> Vec<Repair> {
        std::mem::take(&mut self.repairs)
    }

    /// Takes the repeated keys noticed since the last call.
    pub fn take_repeats(&mut self) -> Vec<Repeat> {
        std::mem::take(&mut self.repeats)
    }

    fn fault<T>(&self, what: impl Into<Cow<'static, str>>) -> Result<T> {
        Err(Fault { byte: self.at, what: what.into(), end: self.at >= self.bytes.len() })
    }

    fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Kind of the next value, without consuming it.
    pub fn kind(&mut self) -> Result<Kind> {
        match self.peek() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::List),
            Some(b'"') => Ok(Kind::Text),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => Ok(Kind::Number),
            Some(byte) => self.fault(format!("unexpected {:?}", char::from(byte))),
            None => self.fault("the text ends where a value is expected"),
        }
    }

    /// Consumes `{`. Continue with [`Self::next_key`] until it returns `None`.
    pub fn begin_object(&mut self) -> Result<()> {
        self.expect(b'{')
    }

    /// Consumes `[`. Continue with [`Self::next_item`] until it returns `false`.
    pub fn begin_list(&mut self) -> Result<()> {
        self.expect(b'[')
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        match self.peek() {
            Some(byte) if byte == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(byte) => self.fault(format!("expected {:?}, found {:?}", char::from(wanted), char::from(byte))),
            None => self.fault(format!("the text ends where {:?} is expected", char::from(wanted))),
        }
    }

    /// Next key of the object whose `{` was consumed, or `None` after consuming its `}`.
    pub fn next_key(&mut self) -> Result<Option<Cow<'a, str>>> {
        if !self.advance(b'{', b'}')? {
            return Ok(None);
        }
        let key = self.text()?;
        self.expect(b':')?;
        Ok(Some(key))
    }

    /// [`Self::next_key`], noticing a key that `keys` has seen: in Python the last one counts.
    pub fn next_member(&mut self, keys: &mut Keys<'a>) -> Result<Option<Cow<'a, str>>> {
        let key = self.next_key()?;
        if let Some(key) = &key
            && keys.add(key.clone())
        {
            self.repeats.push(Repeat { byte: self.at, key: key.clone().into_owned() });
        }
        Ok(key)
    }

    /// True when another item of the list follows; false after consuming its `]`.
    pub fn next_item(&mut self) -> Result<bool> {
        self.advance(b'[', b']')
    }

    /// Steps over a comma or a closing bracket. Whether this is the first member is read off the last
    /// token: a string ends with a quote, so an opening bracket there is the container's own.
    fn advance(&mut self, open: u8, close: u8) -> Result<bool> {
        let before = self.bytes[..self.at].iter().rev().find(|b| !b.is_ascii_whitespace());
        let first = before == Some(&open);
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            Some(b',') if !first => {
                self.at += 1;
                if self.peek() == Some(close) {
                    return self.fault("a comma before the closing bracket");
                }
                Ok(true)
            }
            Some(_) if first => Ok(true),
            Some(byte) => self.fault(format!("expected a comma, found {:?}", char::from(byte))),
            None => self.fault("the text ends inside a list or an object"),
        }
    }

    /// Succeeds when only white space is left.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fault("text after the end of the value"),
        }
    }
}

#[cfg(test)]
mod tests;
