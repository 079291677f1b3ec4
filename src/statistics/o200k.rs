//! Counting tokens of the public o200k tokenizer, fast enough for an archive of gigabytes.
//!
//! A text is split into pieces by the tokenizer's published pattern, and each piece is encoded on its
//! own. The pattern is walked by hand here, because a general regular expression costs more than
//! everything else; and the count of a short piece is remembered, because a text consists of the same few
//! ten thousand words. Tests compare pieces with the
//! pattern in a general library, and counts with the library that brings the vocabulary.
//!
//! The pattern, as alternatives in order, with `X` any character but a letter, a digit, CR or LF, `U` an
//! upper-case or title-case letter, `l` a lower-case letter and `B` a letter without case or a mark:
//!
//! 1. `X? (U|B)* (l|B)+`, then perhaps an English contraction such as `'s`;
//! 2. `X? (U|B)+ (l|B)*`, likewise;
//! 3. one to three digits;
//! 4. perhaps a blank, then characters that are neither blank, letter nor digit, then CR, LF or `/`;
//! 5. white space up to its last CR or LF;
//! 6. white space at the end of the text;
//! 7. white space but for its last character, when that leaves any;
//! 8. white space.

use std::cell::RefCell;
use std::sync::LazyLock;

use regex::Regex;

use super::byte_pairs::Vocabulary;

/// Number of tokens of a text.
///
/// ```
/// assert_eq!(repro::statistics::o200k::count("hello world"), 2);
/// ```
pub fn count(text: &str) -> u64 {
    thread_local! {
        static COUNTER: RefCell<Counter> = RefCell::new(Counter::new());
    }
    COUNTER.with_borrow_mut(|counter| counter.count(text))
}

/// Ranks of tokens that stand for text; those of control tokens are higher.
const TEXT: u32 = 199_998;

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let library = tiktoken_rs::o200k_base().unwrap_or_else(|error| panic!("a vocabulary of this program: {error}"));
    Vocabulary::of(&library, TEXT)
});

/// What a character is to the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Anything else.
    Other,
    /// Upper-case or title-case letter.
    Upper,
    /// Lower-case letter.
    Lower,
    /// Letter without case.
    Caseless,
    /// Mark: no letter, but it joins letters.
    Mark,
    /// Digit of any script.
    Digit,
    /// White space but CR and LF.
    Blank,
    /// CR or LF.
    Break,
}

use Class::{Blank, Break, Caseless, Digit, Lower, Mark, Other, Upper};

/// Classes of all characters, by code point.
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let all: String = ('\0'..=char::MAX).collect();
    let mut classes = vec![Other; char::MAX as usize + 1];
    let properties = [
        (r"[\p{Lu}\p{Lt}]+", Upper),
        (r"\p{Ll}+", Lower),
        (r"[\p{Lm}\p{Lo}]+", Caseless),
        (r"\p{M}+", Mark),
        (r"\p{N}+", Digit),
        (r"\s+", Blank),
        (r"[\r\n]+", Break),
    ];
    for (pattern, class) in properties {
        let pattern = Regex::new(pattern).unwrap_or_else(|error| panic!("a pattern of this program: {error}"));
        for found in pattern.find_iter(&all) {
            found.as_str().chars().for_each(|c| classes[c as usize] = class);
        }
    }
    classes
});

/// A text with the classes of its characters.
#[derive(Clone, Copy)]
struct Text<'t> {
    text: &'t str,
    classes: &'static [Class],
}

impl Text<'_> {
    /// Class and length in bytes of the character at an offset; `None` at the end.
    #[inline]
    fn at(self, offset: usize) -> Option<(Class, usize)> {
        let byte = *self.text.as_bytes().get(offset)?;
        if byte.is_ascii() {
            return Some((self.classes[byte as usize], 1));
        }
        let c = self.text[offset..].chars().next()?;
        Some((self.classes[c as usize], c.len_utf8()))
    }

    /// End of the longest run of characters of some classes.
    #[inline]
    fn run(self, mut from: usize, of: impl Fn(Class) -> bool) -> usize {
        while let Some((class, length)) = self.at(from)
            && of(class)
        {
            from += length;
        }
        from
    }

    /// End of the piece that begins at an offset, which is not the end of the text.
    fn piece(self, from: usize) -> usize {
        let Some((class, length)) = self.at(from) else { return from };
        match class {
            Upper | Lower | Caseless => self.word(from).unwrap_or(from + length),
            Mark => self.lower(from + length).or_else(|| self.lower(from)).map_or(from + length, |e| self.suffix(e)),
            Digit => self.digits(from),
            Break => self.space(from),
            Blank | Other => match self.word(from + length) {
                Some(end) => end,
                None => self.symbols(from).unwrap_or_else(|| self.space(from)),
            },
        }
    }

    /// End of a word by alternatives 1 and 2, without the leading `X`.
    fn word(self, from: usize) -> Option<usize> {
        let end = self.lower(from).or_else(|| {
            let end = self.run(from, |class| class == Upper);
            (end > from).then_some(end)
        })?;
        Some(self.suffix(end))
    }

    /// Alternative 1 without `X`: the upper-case part takes what it can and gives back characters that
    /// both parts allow until the lower-case part has one.
    #[inline]
    fn lower(self, from: usize) -> Option<usize> {
        let mut at = from;
        let mut shared = None;
        while let Some((class, length)) = self.at(at) {
            match class {
                Upper => at += length,
                Caseless | Mark => {
                    at += length;
                    shared = Some(at);
                }
                Lower => return Some(self.run(at, |class| matches!(class, Lower | Caseless | Mark))),
                _ => break,
            }
        }
        shared
    }

    /// Steps over an English contraction. Case is ignored as the pattern's library ignores it, for which
    /// a long s is an s.
    #[inline]
    fn suffix(self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[from..];
        if rest.first() != Some(&b'\'') {
            return from;
        }
        let letter = |at: usize| rest.get(at).map(u8::to_ascii_lowercase);
        match (letter(1), letter(2)) {
            (Some(b's' | b't' | b'm' | b'd'), _) => from + 2,
            (Some(b'r' | b'v'), Some(b'e')) | (Some(b'l'), Some(b'l')) => from + 3,
            _ if self.text[from + 1..].starts_with('ſ') => from + 1 + 'ſ'.len_utf8(),
            _ => from,
        }
    }

    fn digits(self, from: usize) -> usize {
        let mut at = from;
        for _ in 0..3 {
            match self.at(at) {
                Some((Digit, length)) => at += length,
                _ => break,
            }
        }
        at
    }

    /// Alternative 4.
    fn symbols(self, from: usize) -> Option<usize> {
        let begin = if self.text.as_bytes()[from] == b' ' { from + 1 } else { from };
        let end = self.run(begin, |class| matches!(class, Other | Mark));
        if end == begin {
            return None;
        }
        let tail = self.text.as_bytes()[end..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count();
        Some(end + tail)
    }

    /// Alternatives 5 to 8.
    fn space(self, from: usize) -> usize {
        let (mut at, mut broken, mut last) = (from, None, from);
        while let Some((class @ (Blank | Break), length)) = self.at(at) {
            last = at;
            at += length;
            if class == Break {
                broken = Some(at);
            }
        }
        match broken {
            Some(end) => end,
            None if at == self.text.len() || last == from => at,
            None => last,
        }
    }
}

/// Pieces of up to this many bytes are remembered.
const SHORT: usize = 15;

/// Number of slots, as a power of two; a text of the trade has some thirty thousand distinct pieces.
const SLOTS: u32 = 16;

/// Counts pieces, remembering short ones. A slot holds one piece as its exact bytes and length.
struct Counter {
    known: Vec<(u128, u32)>,
    classes: &'static [Class],
}

impl Counter {
    fn new() -> Self {
        // No piece has the key 0: a key holds the length of its piece, which is at least 1.
        Self { known: vec![(0, 0); 1 << SLOTS], classes: &CLASSES }
    }

    fn count(&mut self, text: &str) -> u64 {
        let walk = Text { text, classes: self.classes };
        let (mut from, mut count) = (0, 0);
        while from < text.len() {
            let end = walk.piece(from);
            count += u64::from(self.piece(text, from, end));
            from = end;
        }
        count
    }

    #[inline]
    fn piece(&mut self, text: &str, from: usize, end: usize) -> u32 {
        let encode = || VOCABULARY.count(&text.as_bytes()[from..end]) as u32;
        let length = end - from;
        if length > SHORT {
            return encode();
        }
        let key = key(text.as_bytes(), from, length);
        let slot = &mut self.known[slot(key)];
        if slot.0 != key {
            *slot = (key, encode());
        }
        slot.1
    }
}

/// The bytes of a short piece and its length in one number.
#[inline]
fn key(text: &[u8], from: usize, length: usize) -> u128 {
    let mut bytes = [0; 16];
    match text.get(from..from + 16) {
        Some(window) => bytes.copy_from_slice(window),
        None => bytes[..length].copy_from_slice(&text[from..from + length]),
    }
    let kept = u128::from_le_bytes(bytes) & ((1 << (8 * length)) - 1);
    kept | (length as u128) << 120
}

#[inline]
fn slot(key: u128) -> usize {
    let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
    (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> (64 - SLOTS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tiktoken_rs::o200k_base_singleton;

    fn pieces(text: &str) -> Vec<&str> {
        let walk = Text { text, classes: &CLASSES };
        let mut pieces = Vec::new();
        let mut from = 0;
        while from < text.len() {
            let end = walk.piece(from);
            pieces.push(&text[from..end]);
            from = end;
        }
        pieces
    }

    /// The published pattern as it stands, walked by a general library.
    static PATTERN: LazyLock<fancy_regex::Regex> = LazyLock::new(|| {
        let letters = |upper: &str, lower: &str| {
            format!(
                r"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]{upper}[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]{lower}(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            )
        };
        let others = [r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"];
        let all = [&[letters("*", "+"), letters("+", "*")][..], &others.map(String::from)].concat();
        fancy_regex::Regex::new(&all.join("|")).unwrap()
    });

    fn check(text: &str) {
        let published: Vec<_> = PATTERN.find_iter(text).map(|found| found.unwrap().as_str()).collect();
        assert_eq!(pieces(text), published, "{text:?}");
        assert_eq!(count(text), o200k_base_singleton().count_ordinary(text) as u64, "{text:?}");
    }

    #[test]
    fn a_piece_of_a_megabyte_is_counted() {
        for unit in ["a", "Z", " ", "\n", "-", "\u{301}", "日", "\u{a0}", "'s"] {
            let text = unit.repeat((1 << 20) / unit.len());
            assert!(count(&text) > 0, "{unit:?}");
            assert!(count(&format!("{text}x")) > 1, "{unit:?}");
        }
    }

    #[test]
    fn pieces_are_those_of_the_library() {
        for text in [
            "",
            "Hello HELLO helloWorld HELLOworld don't DON'T we'Re it'ſ x'",
            "def solve():\n    return {'1': {'value': 1234567.5e-10, 'unit': 'm s^-1'}}\n\n\n",
            "a  b   c\t\td \n \n  e\r\n\r\nf   ",
            "\u{a0}x \u{a0} \u{2003}y",
            "¼ ²³ ١٢٣٤ x²",
            "日本語テキストABCdef かなカナ",
            "e\u{301}a\u{301}\u{301} \u{301}\u{301}A \u{301}9 (\u{301}",
            "ǅungla ʰA Aʰb ʰʰ AʰB",
            "http://a/b//c/\n/ }}//\r\n x",
            "≈ 2.5×10⁻³ W m⁻² … — “quoted” 🙂🙂",
        ] {
            check(text);
        }
    }

    #[test]
    fn a_remembered_piece_counts_what_a_new_one_counts() {
        let text = "the same words, the same words, and a considerably-longer-unhyphenatable thing ".repeat(3);
        check(&text);
        check(&text);
    }

    proptest! {
        #[test]
        fn any_text_is_split_as_the_library_splits_it(text in "\\PC{0,40}") {
            check(&text);
        }

        #[test]
        fn mixed_classes_are_split_as_the_library_splits_them(text in "[aAbſ'stSTrevEld ʰ\u{301}日ǅ1²٣ \t\n\r/.,(\u{a0}🙂]{0,30}") {
            check(&text);
        }
    }
}
