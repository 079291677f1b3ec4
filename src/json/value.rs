//! The value tree: what one JSON text says, with nothing lost that a grader or a page could need.

use std::collections::BTreeMap;

/// A JSON value in the lenient dialect of this module.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number, also `NaN` and the infinities.
    Number(Number),
    /// A string; repaired characters appear as U+FFFD.
    Text(String),
    /// `[...]`
    List(Vec<Value>),
    /// `{...}` in the order of the file.
    Object(Object),
}

/// A number with its digits: `18446744073709551617` and `1e400` stay what they were on the page,
/// while arithmetic uses the nearest double (infinite when out of range).
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    literal: Box<str>,
    value: f64,
}

/// Object members in file order. A repeated key keeps its first position and its last value, as
/// Python's reader does. Looking a key up takes logarithmic time, because hostile programs return many.
#[derive(Debug, Clone, Default)]
pub struct Object {
    members: Vec<(String, Value)>,
    /// Positions of the members by key, once there are more than [`FEW`].
    index: BTreeMap<String, usize>,
}

/// Up to this many members are looked through one by one.
const FEW: usize = 16;

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Number {
    /// Builds a number from a literal that the reader has already validated.
    ///
    /// `NaN`, `Infinity` and `-Infinity` are literals too.
    pub fn from_literal(literal: &str) -> Self {
        let value = Self::double(literal);
        Self { literal: literal.into(), value }
    }

    /// The double nearest to a literal, as [`Self::as_f64`] of the number.
    pub fn double(literal: &str) -> f64 {
        match literal {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            digits => digits.parse().unwrap_or(f64::NAN),
        }
    }

    /// Builds a number from a double; the literal is its shortest round-trip form.
    pub fn from_f64(value: f64) -> Self {
        Self { literal: crate::number::repr(value).into(), value }
    }

    /// The characters in the file.
    pub fn literal(&self) -> &str {
        &self.literal
    }

    /// Nearest double; infinite where the literal is out of range; NaN for `NaN`.
    pub fn as_f64(&self) -> f64 {
        self.value
    }

    /// True when the literal is written as an integer (no point, no exponent).
    pub fn is_integer(&self) -> bool {
        self.literal.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    }

    /// The value as `u64` when it is a non-negative integer literal in range.
    pub fn as_u64(&self) -> Option<u64> {
        self.literal.parse().ok()
    }
}

impl Object {
    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// True without members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.index.is_empty() {
            return self.members.iter().position(|(known, _)| known == key);
        }
        self.index.get(key).copied()
    }

    /// Inserts a member; a key that exists keeps its position, takes the new value and gives the old one.
    pub fn insert(&mut self, key: String, value: Value) -> Option<Value> {
        if let Some(position) = self.position(&key) {
            return Some(std::mem::replace(&mut self.members[position].1, value));
        }
        if self.members.len() == FEW {
            self.index = self.members.iter().enumerate().map(|(at, (known, _))| (known.clone(), at)).collect();
        }
        if self.members.len() >= FEW {
            self.index.insert(key.clone(), self.members.len());
        }
        self.members.push((key, value));
        None
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|position| &self.members[position].1)
    }

    /// Takes a member out. This moves the members after it.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let position = self.position(key)?;
        // Few members are ever taken out of a large object, so the index is made anew.
        let (_, value) = self.members.remove(position);
        let many = !self.index.is_empty() && self.members.len() > FEW;
        let positions = self.members.iter().enumerate().filter(|_| many);
        self.index = positions.map(|(at, (known, _))| (known.clone(), at)).collect();
        Some(value)
    }

    /// Members in file order, to be changed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.members.iter_mut().map(|(k, v)| (k.as_str(), v))
    }

    /// Members in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members.iter().map(|(k, v)| (k.as_str(), v))
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    /// Members in file order.
    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        let mut object = Self::default();
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}

impl Value {
    /// Member of an object; `None` for other kinds.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }

    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one (booleans are not).
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The double, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(Number::as_f64)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Strict JSON for our own output: a number that JSON cannot hold (NaN, infinite, out of the
    /// range of a double) becomes a string of its literal, so that nothing is lost silently.
    pub fn to_strict(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(flag) => (*flag).into(),
            Self::Text(text) => text.clone().into(),
            Self::List(items) => items.iter().map(Self::to_strict).collect(),
            Self::Object(object) => object.iter().map(|(k, v)| (k.to_owned(), v.to_strict())).collect(),
            Self::Number(number) => {
                let exact = if number.is_integer() {
                    number.literal().parse::<i64>().ok().map(serde_json::Value::from)
                } else if number.as_f64().is_finite() {
                    serde_json::Number::from_f64(number.as_f64()).map(serde_json::Value::Number)
                } else {
                    None
                };
                exact.unwrap_or_else(|| number.literal().into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_the_digits_that_a_double_cannot_hold() {
        let big = Number::from_literal("18446744073709551617");
        assert_eq!(big.literal(), "18446744073709551617");
        assert!(big.is_integer() && big.as_u64().is_none());
        assert!(Number::from_literal("1e400").as_f64().is_infinite());
        assert_eq!(Value::Number(big).to_strict(), serde_json::json!("18446744073709551617"));
    }

    #[test]
    fn a_repeated_key_keeps_its_place_and_its_last_value() {
        let object: Object =
            [("a", true), ("b", true), ("a", false)].map(|(k, v)| (k.to_owned(), Value::Bool(v))).into_iter().collect();
        let members: Vec<_> = object.iter().map(|(k, v)| (k, v.as_bool())).collect();
        assert_eq!(members, [("a", Some(false)), ("b", Some(true))]);
    }

    #[test]
    fn many_members_are_found_where_few_are() {
        for count in [FEW - 1, FEW, FEW + 1, 40] {
            let mut object = Object::default();
            for n in 0..count {
                assert_eq!(object.insert(n.to_string(), Value::Null), None);
            }
            assert_eq!(object.insert("3".to_owned(), Value::Bool(true)), Some(Value::Null));
            assert_eq!((object.len(), object.get("3")), (count, Some(&Value::Bool(true))));
            assert_eq!(object.get(&count.to_string()), None);
            assert_eq!(object.remove("2"), Some(Value::Null));
            assert_eq!((object.get("2"), object.get("3")), (None, Some(&Value::Bool(true))));
            assert_eq!(object.insert("2".to_owned(), Value::Null), None);
            assert_eq!(object.iter().last().map(|(key, _)| key), Some("2"));
        }
    }
}
