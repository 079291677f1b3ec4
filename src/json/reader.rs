//! A pull reader over bytes: the caller walks objects and lists and takes only what it needs, so a
//! file of several hundred megabytes never becomes a tree.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::value::{Number, Object, Value};

/// Nesting beyond this depth is kept as a remark in the tree instead of as structure.
const DEPTH: usize = 256;

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
}

type Result<T> = std::result::Result<T, Fault>;

impl<'a> Reader<'a> {
    /// Reads from `bytes`; a UTF-8 byte-order mark is skipped.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at, repairs: Vec::new() }
    }

    /// Reads on at `at`, where another reader stopped; what was last consumed must still be in `bytes`.
    pub fn resume(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, repairs: Vec::new() }
    }

    /// Offset of the next unread byte.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Takes the repairs made since the last call.
    pub fn take_repairs(&mut self) -> Vec<Repair> {
        std::mem::take(&mut self.repairs)
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

    /// Skips one value of any depth without recursion; returns its byte range.
    pub fn skip(&mut self) -> Result<Range<usize>> {
        self.kind()?;
        let start = self.at;
        let mut open: Vec<u8> = Vec::new();
        loop {
            // Here a value begins.
            let kind = self.kind()?;
            match kind {
                Kind::Object | Kind::List => {
                    open.push(self.bytes[self.at]);
                    self.at += 1;
                }
                Kind::Text => self.skip_text()?,
                Kind::Number => self.number().map(drop)?,
                Kind::Bool => self.boolean().map(drop)?,
                Kind::Null => self.null()?,
            }
            // Step to where the next value begins, closing what ends before it.
            loop {
                let another = match open.last() {
                    None => return Ok(start..self.at),
                    Some(b'[') => self.next_item()?,
                    Some(_) => self.skip_key()?,
                };
                if another {
                    break;
                }
                open.pop();
            }
        }
    }

    fn skip_key(&mut self) -> Result<bool> {
        let another = self.advance(b'{', b'}')?;
        if another {
            self.skip_text()?;
            self.expect(b':')?;
        }
        Ok(another)
    }

    fn skip_text(&mut self) -> Result<()> {
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

    /// Consumes one value as a tree. Containers nested deeper than 256 become a remark in square
    /// brackets and a [`Repair`].
    pub fn value(&mut self) -> Result<Value> {
        self.value_at(0)
    }

    fn value_at(&mut self, depth: usize) -> Result<Value> {
        Ok(match self.kind()? {
            Kind::Null => self.null().map(|()| Value::Null)?,
            Kind::Bool => Value::Bool(self.boolean()?),
            Kind::Number => Value::Number(self.number()?),
            Kind::Text => Value::Text(self.text()?.into_owned()),
            Kind::List | Kind::Object if depth >= DEPTH => {
                let span = self.skip()?;
                self.repairs.push(Repair { byte: span.start, what: "nesting deeper than 256 levels" });
                Value::Text(format!("[{} bytes nested deeper than {DEPTH} levels]", span.len()))
            }
            Kind::List => {
                self.begin_list()?;
                let mut items = Vec::new();
                while self.next_item()? {
                    items.push(self.value_at(depth + 1)?);
                }
                Value::List(items)
            }
            Kind::Object => {
                self.begin_object()?;
                let mut object = Object::default();
                while let Some(key) = self.next_key()? {
                    let key = key.into_owned();
                    object.insert(key, self.value_at(depth + 1)?);
                }
                Value::Object(object)
            }
        })
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Value> {
        let mut reader = Reader::new(text.as_bytes());
        let value = reader.value()?;
        reader.end()?;
        Ok(value)
    }

    #[test]
    fn python_only_tokens_are_numbers() {
        let value = read(r#"{"a": NaN, "b": -Infinity, "c": Infinity, "d": 1e400}"#).unwrap();
        assert!(value.get("a").unwrap().as_f64().unwrap().is_nan());
        assert_eq!(value.get("b").unwrap().as_f64(), Some(f64::NEG_INFINITY));
        assert_eq!(value.get("d").unwrap().as_number().unwrap().literal(), "1e400");
    }

    #[test]
    fn order_of_members_is_the_order_of_the_file() {
        let value = read(r#"{"tau":1,"alpha":2,"10":3}"#).unwrap();
        let keys: Vec<_> = value.as_object().unwrap().iter().map(|(k, _)| k).collect();
        assert_eq!(keys, ["tau", "alpha", "10"]);
    }

    #[test]
    fn damaged_characters_are_replaced_and_reported() {
        let mut reader = Reader::new(b"[\"\\ud800x\", \"a\xff\", \"b\x01\", \"\\ud83d\\ude00\"]");
        let value = reader.value().unwrap();
        assert_eq!(value.as_list().unwrap()[0].as_text(), Some("\u{fffd}x"));
        assert_eq!(value.as_list().unwrap()[3].as_text(), Some("😀"));
        let whats: Vec<_> = reader.take_repairs().into_iter().map(|r| r.what).collect();
        assert_eq!(whats, ["a lone surrogate", "bytes that are not UTF-8", "a raw control character"]);
    }

    #[test]
    fn a_text_that_is_passed_over_is_told_like_one_that_is_read() {
        let texts: [&[u8]; 8] = [
            br#""a\u0041\ud800 \q""#,
            b"\"a\\n\x01\xff\\ud83d\"",
            br#""a\\\"\n\ud83d\ude00b" "#,
            br#""  \n""#,
            br#""\n x""#,
            br#""""#,
            br#""x\u12""#,
            b"\"x",
        ];
        for text in texts {
            let (mut read, mut passed) = (Reader::new(text), Reader::new(text));
            let told = read.text().map(|text| !text.trim().is_empty());
            assert_eq!(passed.pass_text(), told, "{text:?}");
            assert_eq!(passed.take_repairs(), read.take_repairs(), "{text:?}");
            assert_eq!(passed.position(), read.position(), "{text:?}");
        }
    }

    #[test]
    fn nesting_of_any_depth_neither_crashes_nor_hides_what_follows() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let value = read(&format!("[{deep}, 7]")).unwrap();
        assert_eq!(value.as_list().unwrap()[1].as_f64(), Some(7.0));
    }

    #[test]
    fn faults_name_their_byte() {
        for (text, byte) in [("{\"a\":", 5), ("[1,]", 3), ("[1 2]", 3), ("\"abc", 0), ("[1]x", 3), ("{,}", 1), ("-", 1)]
        {
            assert_eq!(read(text).unwrap_err().byte, byte, "{text}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Reader::new(&bytes).value();
            let _ = Reader::new(&bytes).skip();
        }

        #[test]
        fn strict_json_reads_as_serde_json_does(text in r#"[\[\]{}:,"a-c0-9.e\- \\]{0,40}"#) {
            let strict: std::result::Result<serde_json::Value, _> = serde_json::from_str(&text);
            if let Ok(strict) = strict {
                let ours = read(&text).unwrap();
                prop_assert!(Reader::new(text.as_bytes()).skip().is_ok());
                if !format!("{strict}").contains('.') && !format!("{strict}").contains('e') {
                    prop_assert_eq!(ours.to_strict(), strict);
                }
            } else {
                // Strict readers also refuse numbers out of range, which we keep.
                prop_assert!(read(&text).is_err() || text.contains('e'), "accepted {}", text);
            }
        }
    }
}
