//! Writing the archive's JSON as a Python runner would: order kept, `NaN` bare.

use crate::json::{Number, Object, Value};

/// An object from its members, in this order.
pub(super) fn object<'k>(members: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Object>())
}

/// A text.
pub(super) fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// A whole number.
pub(super) fn whole(number: u64) -> Value {
    Value::Number(Number::from_literal(&number.to_string()))
}

/// A real number, with a point or an exponent.
pub(super) fn real(number: f64) -> Value {
    if number.is_finite() {
        return Value::Number(Number::from_f64(number));
    }
    let word = if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    Value::Number(Number::from_literal(word))
}

/// One value on one line.
pub(super) fn line(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// A list with one item to a line.
pub(super) fn lines(items: &[Value]) -> String {
    format!("[\n{}\n]\n", items.iter().map(line).collect::<Vec<_>>().join(",\n"))
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(number.literal()),
        Value::Text(text) => quote(text, out),
        Value::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (position, (key, item)) in object.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                quote(key, out);
                out.push_str(": ");
                write(item, out);
            }
            out.push('}');
        }
    }
}

fn quote(text: &str, out: &mut String) {
    // serde_json escapes exactly what JSON demands and leaves other characters as they are.
    out.push_str(&serde_json::Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    #[test]
    fn what_is_written_reads_back() {
        let value = object([
            ("b", real(f64::NAN)),
            ("a", Value::List(vec![whole(3), real(1e-5), text("x\n\"µ\""), Value::Null, Value::Bool(true)])),
        ]);
        let line = line(&value);
        assert_eq!(line, r#"{"b": NaN, "a": [3, 1e-05, "x\n\"µ\"", null, true]}"#);
        assert_eq!(self::line(&Reader::new(line.as_bytes()).value().unwrap()), line);
    }
}
