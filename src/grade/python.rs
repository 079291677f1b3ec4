//! How CPython reads numbers from text and writes plain values as text.
//!
//! The published rule runs in CPython, so `float()`, `str()`, `str.strip()` and `str.lower()` decide
//! verdicts: `"1_000"`, `" 4.2 "`, Arabic digits and `True` are numbers there, `"0x10"` is not.
//! Only what a grader needs is here; nothing evaluates Python.

use crate::json::{Number, Value};

/// First code point of every run of ten decimal digits (Unicode 15, category Nd). The standard
/// promises that such runs are contiguous and start with the digit zero.
const DIGIT_ZEROS: [u32; 68] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0,
    0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x11f50,
    0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950,
    0x1fbf0,
];

/// Value of a decimal digit of any script.
///
/// ```
/// assert_eq!(repro::grade::python::digit('٤'), Some(4));
/// assert_eq!(repro::grade::python::digit('²'), None);
/// ```
pub fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).map(|d| d as u8);
    }
    let code = c as u32;
    let run = DIGIT_ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    let offset = code - DIGIT_ZEROS[run];
    (offset < 10).then_some(offset as u8)
}

/// White space as `str.isspace` and `\s` see it: Unicode white space and the four separators
/// U+001C to U+001F.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `float(text)`: the double, or `None` where CPython raises `ValueError`.
///
/// ```
/// use repro::grade::python::float;
/// assert_eq!(float(" 4_2 "), Some(42.0));
/// assert_eq!(float("٤٢"), Some(42.0));
/// assert_eq!(float("1e400"), Some(f64::INFINITY));
/// assert_eq!(float("0x10"), None);
/// ```
pub fn float(text: &str) -> Option<f64> {
    let ascii = if text.is_ascii() { text.to_owned() } else { to_ascii(text)? };
    // C white space: the separators U+001C to U+001F do not count once the text is ASCII.
    let trimmed = ascii.trim_matches(|c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}'));
    let bytes = trimmed.as_bytes();
    if !trimmed.contains('_') {
        return trimmed.parse().ok();
    }
    let between_digits =
        |at: usize| at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let sound = (0..bytes.len()).all(|at| bytes[at] != b'_' || between_digits(at));
    if sound { trimmed.replace('_', "").parse().ok() } else { None }
}

/// Digits of any script as ASCII, any white space outside ASCII as a blank; anything else outside
/// ASCII is no number.
fn to_ascii(text: &str) -> Option<String> {
    text.chars()
        .map(|c| match c {
            c if c.is_ascii() => Some(c),
            c if is_space(c) => Some(' '),
            c => digit(c).map(|d| char::from(b'0' + d)),
        })
        .collect()
}

/// What `float(value)` does with a plain value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Conversion {
    /// A double.
    Number(f64),
    /// `OverflowError`: an integer too large for a double.
    Overflow,
    /// `TypeError` or `ValueError`: not a number.
    NotANumber,
}

/// `float(value)`; booleans are 1 and 0, as in Python.
pub fn convert(value: &Value) -> Conversion {
    match value {
        Value::Bool(flag) => Conversion::Number(f64::from(u8::from(*flag))),
        Value::Number(number) if number.is_integer() && number.as_f64().is_infinite() => Conversion::Overflow,
        Value::Number(number) => Conversion::Number(number.as_f64()),
        Value::Text(text) => float(text).map_or(Conversion::NotANumber, Conversion::Number),
        Value::Null | Value::List(_) | Value::Object(_) => Conversion::NotANumber,
    }
}

/// `str(value)`: text stands for itself, everything else reads as Python would print it.
///
/// ```
/// use repro::{grade::python::text, json::Value};
/// let list = Value::List(vec![Value::Bool(true), Value::Text("it's".into())]);
/// assert_eq!(text(&list), r#"[True, "it's"]"#);
/// ```
pub fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => repr(other),
    }
}

fn repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number_text(number),
        Value::Text(text) => quoted(text),
        Value::List(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => {
            let members: Vec<_> = object.iter().map(|(k, v)| format!("{}: {}", quoted(k), repr(v))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// An integer literal keeps its digits (`-0` is `0`); a double is written by `repr`.
fn number_text(number: &Number) -> String {
    match number.literal() {
        "-0" => "0".to_owned(),
        literal if number.is_integer() => literal.to_owned(),
        _ => crate::number::repr(number.as_f64()),
    }
}

/// `repr` of a string, exact for printable text; other characters are escaped as Python does.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() && (c as u32) < 0x100 => out.extend(["\\x".to_owned(), format!("{:02x}", c as u32)]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_reads_what_cpython_reads() {
        for (text, value) in [
            ("35", 35.0),
            (" 1e-5\n", 1e-5),
            ("+.5", 0.5),
            ("5.", 5.0),
            ("1_0.2_5e1_0", 10.25e10),
            ("\u{a0}٥\u{2003}", 5.0),
            ("１２.５", 12.5),
            ("Infinity", f64::INFINITY),
            ("-INF", f64::NEG_INFINITY),
            ("1e-400", 0.0),
        ] {
            assert_eq!(float(text), Some(value), "{text:?}");
        }
        assert!(float("nan").is_some_and(f64::is_nan) && float("-NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn float_refuses_what_cpython_refuses() {
        for text in [
            "", " ", "0x10", "1__0", "_1", "1_", "1_.5", "1._5", "1e", "e5", ".", "1 2", "−5", "1,5", "\u{1c}5", "5²",
            "infinit", "nan_", "1e5f", "٥x", "++1", "1_e5",
        ] {
            assert_eq!(float(text), None, "{text:?}");
        }
    }

    #[test]
    fn str_writes_what_cpython_writes() {
        let value =
            crate::json::Reader::new(br#"[1, -0, 1.0, 1e25, NaN, "a'b", "a'\"b", {"k": null}]"#).value().unwrap();
        assert_eq!(text(&value), r#"[1, 0, 1.0, 1e+25, nan, "a'b", 'a\'"b', {'k': None}]"#);
    }
}
