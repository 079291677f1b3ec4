//! The text that Python's `str()` gives a value: what a grader written in Python saw and stored.

use std::fmt::Write as _;

use super::value::{Number, Value};
use crate::number;

impl Number {
    /// `str()` of the number as Python reads it: an integer keeps all its digits, a float takes its
    /// shortest form (`1E3` reads `1000.0`, `1e400` reads `inf`).
    pub fn python_text(&self) -> String {
        match self.literal() {
            "-0" => "0".to_owned(),
            literal if self.is_integer() => literal.to_owned(),
            _ => number::repr(self.as_f64()),
        }
    }
}

impl Value {
    /// `str()` of the value: a text is itself, `null` is `None`, containers show the `repr()` of
    /// their members.
    ///
    /// ```
    /// use repro::json::Reader;
    /// let value = Reader::new(br#"{"low": 1.0, "unit": "m's", "ok": [true, null]}"#).value().unwrap();
    /// assert_eq!(value.python_text(), r#"{'low': 1.0, 'unit': "m's", 'ok': [True, None]}"#);
    /// ```
    pub fn python_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => {
                let mut out = String::new();
                repr(other, &mut out);
                out
            }
        }
    }
}

impl Value {
    /// The text of Python's `json.dumps(value, ensure_ascii=False)`, for comparing with files that Python
    /// wrote; with `sorted` as `sort_keys=True` gives it.
    ///
    /// ```
    /// use repro::json::Reader;
    /// let value = Reader::new(br#"{"b":[1.0,"\u00e9\n"],"a":null}"#).value().unwrap();
    /// assert_eq!(value.python_json(false), "{\"b\": [1.0, \"é\\n\"], \"a\": null}");
    /// assert_eq!(value.python_json(true), "{\"a\": null, \"b\": [1.0, \"é\\n\"]}");
    /// ```
    pub fn python_json(&self, sorted: bool) -> String {
        let mut out = String::new();
        dump(self, sorted, &mut out);
        out
    }
}

fn dump(value: &Value, sorted: bool, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) if number.as_f64().is_nan() => out.push_str("NaN"),
        Value::Number(number) if number.as_f64().is_infinite() && !number.is_integer() => {
            out.push_str(if number.as_f64() > 0.0 { "Infinity" } else { "-Infinity" });
        }
        Value::Number(number) => out.push_str(&number.python_text()),
        Value::Text(text) => dump_text(text, out),
        Value::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                out.push_str(if position > 0 { ", " } else { "" });
                dump(item, sorted, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<(&str, &Value)> = object.iter().collect();
            if sorted {
                members.sort_by_key(|(name, _)| *name);
            }
            out.push('{');
            for (position, (name, member)) in members.into_iter().enumerate() {
                out.push_str(if position > 0 { ", " } else { "" });
                dump_text(name, out);
                out.push_str(": ");
                dump(member, sorted, out);
            }
            out.push('}');
        }
    }
}

/// A string as Python's `json` writes it: the short escapes it knows, four digits for other controls.
fn dump_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn repr(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&number.python_text()),
        Value::Text(text) => quote(text, out),
        Value::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                repr(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (position, (key, member)) in object.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                quote(key, out);
                out.push_str(": ");
                repr(member, out);
            }
            out.push('}');
        }
    }
}

/// `repr()` of a string: single quotes unless only double quotes avoid an escape. Characters that
/// Python calls unprintable are escaped for the ranges that occur in practice (controls, separators).
fn quote(text: &str, out: &mut String) {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == mark => out.extend(['\\', c]),
            c if (c as u32) < 0x20 || (0x7f..0xa1).contains(&(c as u32)) || c == '\u{ad}' => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(mark);
}

#[cfg(test)]
mod tests {
    use crate::json::Reader;

    #[test]
    fn text_is_what_python_prints() {
        // Right-hand sides printed by CPython 3.11: str(json.loads(text)).
        for (text, printed) in [
            ("7", "7"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1E3", "1000.0"),
            ("1e400", "inf"),
            ("NaN", "nan"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("5e-6", "5e-06"),
            ("true", "True"),
            ("null", "None"),
            (r#""a'b""#, "a'b"),
            (r#"["a'b", "a\"b", "a'\"b", "x\ny\u0001\u00e9\u2028"]"#, r#"["a'b", 'a"b', 'a\'"b', 'x\ny\x01é\u2028']"#),
            (r#"{"a": [], "b": {}}"#, "{'a': [], 'b': {}}"),
        ] {
            assert_eq!(Reader::new(text.as_bytes()).value().unwrap().python_text(), printed, "{text}");
        }
    }
}
