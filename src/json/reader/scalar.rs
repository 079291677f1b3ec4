//! Numbers, with the words Python writes for those JSON has not, and the three words of JSON.

use super::super::value::Number;
use super::{Reader, Result};

impl<'a> Reader<'a> {
    /// Consumes a number, `NaN`, `Infinity` or `-Infinity`.
    pub fn number(&mut self) -> Result<Number> {
        self.literal().map(Number::from_literal)
    }

    /// Consumes a number as its characters; [`Number::double`] gives their value.
    pub fn literal(&mut self) -> Result<&'a str> {
        self.peek();
        let start = self.at;
        for word in ["NaN", "Infinity", "-Infinity"] {
            if self.bytes[start..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(word);
            }
        }
        let mut at = start;
        let digits = |at: &mut usize| {
            let from = *at;
            while self.bytes.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            *at > from
        };
        if self.bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let whole = at;
        let mut sound = digits(&mut at);
        sound &= self.bytes.get(whole) != Some(&b'0') || at == whole + 1;
        if self.bytes.get(at) == Some(&b'.') {
            at += 1;
            sound &= digits(&mut at);
        }
        if matches!(self.bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            if matches!(self.bytes.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            sound &= digits(&mut at);
        }
        if !sound {
            self.at = at;
            return self.fault("a number that is not complete");
        }
        self.at = at;
        Ok(std::str::from_utf8(&self.bytes[start..at]).unwrap_or("NaN"))
    }

    /// Consumes `true` or `false`.
    pub fn boolean(&mut self) -> Result<bool> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            _ => self.word("false").map(|()| false),
        }
    }

    /// Consumes `null`.
    pub fn null(&mut self) -> Result<()> {
        self.peek();
        self.word("null")
    }

    fn word(&mut self, word: &'static str) -> Result<()> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            self.fault(format!("expected {word}"))
        }
    }
}
