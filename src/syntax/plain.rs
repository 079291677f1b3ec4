//! Plain values of Python: what a literal says and what a call returned, and when two of them are equal.
//!
//! Two values are compared here, outside any interpreter, so no `__eq__` that a program wrote takes part. The
//! rules are Python's: `1 == 1.0 == True`, a list equals no tuple, sets and dictionaries have no order, NaN
//! equals nothing. What is no plain value equals nothing either.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::json::{Number, Value};
use crate::number;

/// A value that has no behaviour of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Plain {
    /// `None`
    None,
    /// `True` or `False`
    Bool(bool),
    /// An integer: decimal digits, with a sign when it is negative.
    Int(String),
    /// A double.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text.
    Text(String),
    /// Bytes, as hexadecimal digits.
    Bytes(String),
    /// `[...]`
    List(Vec<Plain>),
    /// `(...)`
    Tuple(Vec<Plain>),
    /// `{...}` without values.
    Set(Vec<Plain>),
    /// `{...}` with values.
    Dict(Vec<(Plain, Plain)>),
    /// Anything else, by the name of its type.
    Other(String),
}

impl Plain {
    /// Reads the form in which an engine returns what a call returned: `["l", ...]` for a list, `["t", ...]`
    /// for a tuple, `["s", ...]`, `["d", [key, value], ...]`, `["b", hexadecimal]`, `["c", real, imaginary]`,
    /// `["o", type]`; everything else stands for itself.
    pub fn returned(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => Self::None,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::number(number),
            Value::Text(text) => Self::Text(text.clone()),
            Value::Object(_) => return None,
            Value::List(parts) => {
                let (mark, rest) = parts.split_first()?;
                let all = || rest.iter().map(Self::returned).collect::<Option<Vec<_>>>();
                match (mark.as_text()?, rest) {
                    ("l", _) => Self::List(all()?),
                    ("t", _) => Self::Tuple(all()?),
                    ("s", _) => Self::Set(all()?),
                    ("d", pairs) => Self::Dict(pairs.iter().map(pair).collect::<Option<Vec<_>>>()?),
                    ("b", [Value::Text(digits)]) => Self::Bytes(digits.clone()),
                    ("c", [Value::Number(real), Value::Number(imaginary)]) => {
                        Self::Complex(real.as_f64(), imaginary.as_f64())
                    }
                    ("o", [Value::Text(kind)]) => Self::Other(kind.clone()),
                    _ => return None,
                }
            }
        })
    }

    fn number(number: &Number) -> Self {
        if number.is_integer() { Self::Int(number.literal().to_owned()) } else { Self::Float(number.as_f64()) }
    }

    /// Python's `==`.
    pub fn equals(&self, other: &Self) -> bool {
        match (self.key(), other.key()) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        }
    }

    /// Python's truth; `None` for what may decide that itself.
    pub fn truth(&self) -> Option<bool> {
        Some(match self {
            Self::None => false,
            Self::Bool(flag) => *flag,
            Self::Int(digits) => digits != "0",
            Self::Float(value) => *value != 0.0,
            Self::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Self::Text(text) | Self::Bytes(text) => !text.is_empty(),
            Self::List(items) | Self::Tuple(items) | Self::Set(items) => !items.is_empty(),
            Self::Dict(pairs) => !pairs.is_empty(),
            Self::Other(_) => return None,
        })
    }

    /// Order of two numbers or two texts; `None` where Python has none or asks the values.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(left), Self::Text(right)) => Some(left.cmp(right)),
            (Self::Int(left), Self::Int(right)) => Some(integers(left, right)),
            _ => self.as_f64()?.partial_cmp(&other.as_f64()?),
        }
    }

    /// The double of a real number or truth value.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Bool(flag) => Some(f64::from(u8::from(*flag))),
            Self::Int(digits) => digits.parse().ok(),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// An integer or truth value that fits.
    pub fn as_i128(&self) -> Option<i128> {
        match self {
            Self::Bool(flag) => Some(i128::from(*flag)),
            Self::Int(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Items of a list, tuple or set.
    pub fn items(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) | Self::Tuple(items) | Self::Set(items) => Some(items),
            _ => None,
        }
    }

    /// How many of these differ.
    pub fn distinct(items: &[Self]) -> usize {
        let keys: Vec<Option<String>> = items.iter().map(Self::key).collect();
        let equal_to_nothing = keys.iter().filter(|key| key.is_none()).count();
        equal_to_nothing + keys.into_iter().flatten().collect::<BTreeSet<_>>().len()
    }

    /// The name of the type of the first part that is no plain value.
    pub fn foreign(&self) -> Option<&str> {
        match self {
            Self::Other(kind) => Some(kind),
            Self::List(items) | Self::Tuple(items) | Self::Set(items) => items.iter().find_map(Self::foreign),
            Self::Dict(pairs) => pairs.iter().find_map(|(key, value)| key.foreign().or_else(|| value.foreign())),
            _ => None,
        }
    }

    /// As Python writes it.
    pub fn text(&self) -> String {
        let joined = |items: &[Self]| items.iter().map(Self::text).collect::<Vec<_>>().join(", ");
        match self {
            Self::None => "None".to_owned(),
            Self::Bool(true) => "True".to_owned(),
            Self::Bool(false) => "False".to_owned(),
            Self::Int(digits) => digits.clone(),
            Self::Float(value) => number::repr(*value),
            Self::Complex(real, imaginary) => format!("({}+{}j)", number::repr(*real), number::repr(*imaginary)),
            Self::Text(text) => format!("{text:?}"),
            Self::Bytes(digits) => format!("bytes.fromhex('{digits}')"),
            Self::List(items) => format!("[{}]", joined(items)),
            Self::Tuple(items) if items.len() == 1 => format!("({},)", items[0].text()),
            Self::Tuple(items) => format!("({})", joined(items)),
            Self::Set(items) if items.is_empty() => "set()".to_owned(),
            Self::Set(items) => format!("{{{}}}", joined(items)),
            Self::Dict(pairs) => {
                let pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("{}: {}", key.text(), value.text())).collect();
                format!("{{{}}}", pairs.join(", "))
            }
            Self::Other(kind) => format!("<{kind}>"),
        }
    }

    /// Text that two values share when they are equal; `None` for a value that equals nothing. Comparing
    /// texts keeps the work of sets and dictionaries near their size.
    fn key(&self) -> Option<String> {
        let mut key = String::new();
        self.write_key(&mut key).then_some(key)
    }

    fn write_key(&self, out: &mut String) -> bool {
        let mut sequence = |mark: char, items: &[Self]| {
            out.push(mark);
            let whole = items.iter().all(|item| item.write_key(out));
            out.push(')');
            whole
        };
        match self {
            Self::None => out.push('N'),
            Self::Bool(flag) => out.push_str(if *flag { "i1;" } else { "i0;" }),
            Self::Int(digits) => number_key(digits, out),
            Self::Float(value) => return float_key(*value, out),
            Self::Complex(real, imaginary) if *imaginary == 0.0 => return float_key(*real, out),
            Self::Complex(real, imaginary) => {
                out.push('c');
                return float_key(*real, out) && float_key(*imaginary, out);
            }
            Self::Text(text) => sized('s', text, out),
            Self::Bytes(digits) => sized('b', digits, out),
            Self::List(items) => return sequence('l', items),
            Self::Tuple(items) => return sequence('t', items),
            Self::Set(items) => {
                let Some(mut keys) = items.iter().map(Self::key).collect::<Option<Vec<_>>>() else { return false };
                keys.sort_unstable();
                keys.dedup();
                out.push('S');
                keys.iter().for_each(|key| out.push_str(key));
                out.push(')');
            }
            Self::Dict(pairs) => {
                let mut members = BTreeMap::new();
                for (key, value) in pairs {
                    let (Some(key), Some(value)) = (key.key(), value.key()) else { return false };
                    members.insert(key, value);
                }
                out.push('D');
                members.iter().for_each(|(key, value)| out.push_str(&format!("{key}{value}")));
                out.push(')');
            }
            Self::Other(_) => return false,
        }
        true
    }
}

fn pair(pair: &Value) -> Option<(Plain, Plain)> {
    let [key, value] = pair.as_list()? else { return None };
    Some((Plain::returned(key)?, Plain::returned(value)?))
}

/// Texts with their length in front, so that no text can imitate the end of another.
fn sized(mark: char, text: &str, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{mark}{}:{text}", text.len());
}

fn number_key(digits: &str, out: &mut String) {
    out.push('i');
    out.push_str(if digits == "-0" { "0" } else { digits });
    out.push(';');
}

/// A float that is an integer is that integer, to the last digit.
fn float_key(value: f64, out: &mut String) -> bool {
    if value.is_nan() {
        return false;
    }
    if value.is_finite() && value.fract() == 0.0 {
        number_key(&format!("{value:.0}"), out);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, "f{value:e};");
    }
    true
}

/// Order of integers of any length, written without leading zeros.
fn integers(left: &str, right: &str) -> Ordering {
    let size = |text: &str| (text.trim_start_matches('-').len(), text.trim_start_matches('-').to_owned());
    match (left.starts_with('-'), right.starts_with('-')) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => size(left).cmp(&size(right)),
        (true, true) => size(right).cmp(&size(left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn read(json: &str) -> Plain {
        Plain::returned(&Reader::new(json.as_bytes()).value().unwrap()).unwrap()
    }

    #[test]
    fn equality_is_that_of_python() {
        // Each line as a Python prompt answers it.
        let equal = [
            ("1", "1.0"),
            ("true", "1"),
            ("0.0", "-0.0"),
            ("false", "-0.0"),
            ("9007199254740993", "9007199254740993"),
            ("10000000000000000000000", "1e22"),
            (r#"["l",1,["t",2]]"#, r#"["l",1.0,["t",2.0]]"#),
            (r#"["s",1,2]"#, r#"["s",2,1,1.0]"#),
            (r#"["d",["a",1],["b",2]]"#, r#"["d",["b",2],["a",true]]"#),
            (r#"["d",["a",1],["a",2]]"#, r#"["d",["a",2]]"#),
            (r#"["c",2.0,0.0]"#, "2"),
        ];
        for (left, right) in equal {
            assert!(read(left).equals(&read(right)), "{left} {right}");
        }
        let different = [
            ("9007199254740993", "9007199254740992.0"),
            ("NaN", "NaN"),
            ("null", "false"),
            ("null", "0"),
            (r#""1""#, "1"),
            (r#"["l",1]"#, r#"["t",1]"#),
            (r#"["l",1,2]"#, r#"["l",2,1]"#),
            (r#"["l","a","b"]"#, r#"["l","as1:b"]"#),
            (r#"["s"]"#, r#"["d"]"#),
            (r#"["o","Equal"]"#, r#"["o","Equal"]"#),
            (r#"["l",["o","Equal"]]"#, r#"["l",["o","Equal"]]"#),
            (r#"["b","31"]"#, r#""1""#),
            ("0.1", "0.10000000000000002"),
        ];
        for (left, right) in different {
            assert!(!read(left).equals(&read(right)), "{left} {right}");
        }
    }

    #[test]
    fn order_and_truth_are_those_of_python() {
        let order = |left: &str, right: &str| read(left).order(&read(right));
        assert_eq!(order("-10", "-9"), Some(Ordering::Less));
        assert_eq!(order("100000000000000000001", "100000000000000000000"), Some(Ordering::Greater));
        assert_eq!(order("2.5", "true"), Some(Ordering::Greater));
        assert_eq!((order("1", "\"1\""), order("NaN", "1")), (None, None));
        let truth = |text: &str| read(text).truth();
        assert_eq!((truth("0"), truth("0.0"), truth(r#"["l"]"#)), (Some(false), Some(false), Some(false)));
        assert_eq!((truth(r#"["l",0]"#), truth(r#"["o","x"]"#)), (Some(true), None));
        assert_eq!(read(r#"["t",1,["d",[1,["o","Lie"]]]]"#).foreign(), Some("Lie"));
    }
}
