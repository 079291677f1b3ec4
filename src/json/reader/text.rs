//! Strings: where they end, what their escapes mean, what is damaged in them.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::{Fault, NOT_UTF8, Reader, Repair, Result};

impl<'a> Reader<'a> {
    /// Consumes a string. It is borrowed from the bytes unless it holds an escape or damage.
    pub fn text(&mut self) -> Result<Cow<'a, str>> {
        self.expect(b'"')?;
        let start = self.at;
        let (end, escaped) = self.end_of_text(start)?;
        let raw = &self.bytes[start..end];
        self.note_control_bytes(raw, start);
        self.at = end + 1;
        match std::str::from_utf8(raw) {
            Ok(text) if !escaped => Ok(Cow::Borrowed(text)),
            Ok(text) => self.unescape(text, start).map(Cow::Owned),
            Err(error) => {
                self.repairs.push(Repair { byte: start + error.valid_up_to(), what: NOT_UTF8 });
                self.unescape_damaged(start, end).map(Cow::Owned)
            }
        }
    }

    /// Consumes a string without building it, with the faults and repairs of [`Self::text`]; true when it
    /// holds more than white space.
    pub fn pass_text(&mut self) -> Result<bool> {
        self.expect(b'"')?;
        let start = self.at;
        if !self.bytes.get(start).is_some_and(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\')) {
            // Rare: the first character does not tell, so the text is looked at.
            self.at = start - 1;
            return Ok(!self.text()?.trim().is_empty());
        }
        let (end, escaped) = self.end_of_text(start)?;
        let raw = &self.bytes[start..end];
        self.note_control_bytes(raw, start);
        if let Err(error) = std::str::from_utf8(raw) {
            self.repairs.push(Repair { byte: start + error.valid_up_to(), what: NOT_UTF8 });
        }
        let mut from = start;
        while escaped && let Some(length) = memchr(b'\\', &self.bytes[from..end]) {
            self.at = from + length + 1;
            self.escape()?;
            from = self.at;
        }
        self.at = end + 1;
        Ok(true)
    }

    /// Offset of the quote that ends the string whose text begins at `start`, and whether there is an
    /// escape before it.
    fn end_of_text(&mut self, start: usize) -> Result<(usize, bool)> {
        let mut from = match memchr2(b'"', b'\\', &self.bytes[start..]) {
            Some(length) if self.bytes[start + length] == b'"' => return Ok((start + length, false)),
            Some(length) => start + length,
            None => self.bytes.len(),
        };
        while let Some(length) = memchr(b'"', &self.bytes[from..]) {
            let quote = from + length;
            let slashes = self.bytes[start..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
            if slashes % 2 == 0 {
                return Ok((quote, true));
            }
            from = quote + 1;
        }
        self.at = self.bytes.len();
        Err(Fault { byte: start - 1, what: "a string that never ends".into(), end: true })
    }

    fn note_control_bytes(&mut self, raw: &[u8], start: usize) {
        // Without an early exit the loop runs over many bytes at once.
        if raw.iter().fold(u8::MAX, |least, byte| least.min(*byte)) < 0x20 {
            let offset = raw.iter().position(|byte| *byte < 0x20).unwrap_or(0);
            self.repairs.push(Repair { byte: start + offset, what: "a raw control character" });
        }
    }

    fn unescape(&mut self, text: &str, start: usize) -> Result<String> {
        let end = self.at;
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        while let Some(length) = memchr(b'\\', &text.as_bytes()[from..]) {
            out.push_str(&text[from..from + length]);
            self.at = start + from + length + 1;
            out.push(self.escape()?);
            from = self.at - start;
        }
        out.push_str(&text[from..]);
        self.at = end;
        Ok(out)
    }

    /// The same for bytes that are not UTF-8: what does not fit becomes U+FFFD, piece by piece.
    fn unescape_damaged(&mut self, start: usize, end: usize) -> Result<String> {
        let mut out = String::new();
        let mut from = start;
        while let Some(length) = memchr(b'\\', &self.bytes[from..end]) {
            out.push_str(&String::from_utf8_lossy(&self.bytes[from..from + length]));
            self.at = from + length + 1;
            out.push(self.escape()?);
            from = self.at;
        }
        out.push_str(&String::from_utf8_lossy(&self.bytes[from..end]));
        self.at = end + 1;
        Ok(out)
    }

    fn escape(&mut self) -> Result<char> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return self.fault("the text ends inside an escape");
        };
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => {
                self.at -= 1;
                return self.fault(format!("unknown escape \\{}", char::from(byte)));
            }
        })
    }

    fn unicode_escape(&mut self) -> Result<char> {
        let begin = self.at - 2;
        let high = self.hex4()?;
        if let Some(c) = char::from_u32(high) {
            return Ok(c);
        }
        if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        self.repairs.push(Repair { byte: begin, what: "a lone surrogate" });
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return self.fault("four hexadecimal digits expected after \\u");
        };
        self.at += 4;
        let text = std::str::from_utf8(digits).unwrap_or("0");
        Ok(u32::from_str_radix(text, 16).unwrap_or(0))
    }

    pub(super) fn skip_text(&mut self) -> Result<()> {
        self.expect(b'"')?;
        let start = self.at - 1;
        loop {
            match memchr2(b'"', b'\\', &self.bytes[self.at..]) {
                Some(length) if self.bytes[self.at + length] == b'"' => {
                    self.at += length + 1;
                    return Ok(());
                }
                Some(length) => self.at = (self.at + length + 2).min(self.bytes.len()),
                None => {
                    self.at = self.bytes.len();
                    return Err(Fault { byte: start, what: "a string that never ends".into(), end: true });
                }
            }
        }
    }
}
