//! A place inside a JSON value: `sub_steps[2].test_cases[0]`.
//!
//! Names are joined by points, positions stand in brackets and count from 0. A name that holds a point,
//! a bracket, a quote or a blank, or none of any character, is written quoted in brackets: `a["b.c"][0]`.

use std::fmt;

use super::value::{Object, Value};

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A member of an object.
    Member(String),
    /// A position in a list, from 0.
    Position(usize),
}

/// A path from the root of a value; the root itself is the empty path.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath(Vec<Step>);

/// A text that is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no path of a field: {what}")]
pub struct PathFault {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub what: &'static str,
}

/// Most steps of a path; the reader refuses values that are nested deeper.
const DEEPEST: usize = 512;

impl FieldPath {
    /// The root.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// Reads the written form.
    ///
    /// # Errors
    /// When brackets or quotes do not close, a position is no number, or a name is empty.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        let fault = |what| PathFault { text: text.to_owned(), what };
        let (mut steps, mut rest, mut first) = (Vec::new(), text, true);
        while !rest.is_empty() {
            if steps.len() == DEEPEST {
                return Err(fault("it has too many steps"));
            }
            if let Some(inside) = rest.strip_prefix("[\"") {
                let (name, after) = quoted(inside).ok_or_else(|| fault("a quoted name does not end with \"]"))?;
                steps.push(Step::Member(name));
                rest = after;
            } else if let Some(inside) = rest.strip_prefix('[') {
                let (digits, after) = inside.split_once(']').ok_or_else(|| fault("a bracket does not close"))?;
                let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let position = digits.parse().ok().filter(|_| plain);
                steps.push(Step::Position(position.ok_or_else(|| fault("a position is no whole number"))?));
                rest = after;
            } else {
                let name = if first { Some(rest) } else { rest.strip_prefix('.') };
                let name = name.ok_or_else(|| fault("a point is missing between two names"))?;
                let end = name.find(['.', '[']).unwrap_or(name.len());
                if end == 0 {
                    return Err(fault("a name is empty"));
                }
                steps.push(Step::Member(name[..end].to_owned()));
                rest = &name[end..];
            }
            first = false;
        }
        Ok(Self(steps))
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// True for the root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path of a member of the value here.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        self.with(Step::Member(name.to_owned()))
    }

    /// The path of a position of the list here.
    #[must_use]
    pub fn position(&self, position: usize) -> Self {
        self.with(Step::Position(position))
    }

    fn with(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// True when this path is the other one or leads to a value that holds it.
    pub fn holds(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// This path, then the paths of the values that hold it, up to the root.
    pub fn upwards(&self) -> impl Iterator<Item = Self> + use<'_> {
        (0..=self.0.len()).rev().map(|length| Self(self.0[..length].to_vec()))
    }

    /// The value at this place.
    pub fn find<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(root, |here, step| match step {
            Step::Member(name) => here.get(name),
            Step::Position(position) => here.as_list()?.get(*position),
        })
    }

    /// The value with what stands here replaced; `None` takes a member out. A member that is not there yet
    /// is added, a position behind the end of its list is appended, and a place whose surroundings do not
    /// exist is left alone: then the answer is false.
    pub fn put(&self, root: &mut Value, value: Option<Value>) -> bool {
        let Some((last, way)) = self.0.split_last() else {
            *root = value.unwrap_or(Value::Null);
            return true;
        };
        let mut here = root;
        for step in way {
            let next = match (step, here) {
                (Step::Member(name), Value::Object(object)) => object.get_mut(name),
                (Step::Position(position), Value::List(items)) => items.get_mut(*position),
                _ => None,
            };
            match next {
                Some(next) => here = next,
                None => return false,
            }
        }
        match (last, here, value) {
            (Step::Member(name), Value::Object(object), Some(value)) => drop(object.insert(name.clone(), value)),
            (Step::Member(name), Value::Object(object), None) => return object.remove(name).is_some(),
            (Step::Position(position), Value::List(items), Some(value)) if *position < items.len() => {
                items[*position] = value;
            }
            (Step::Position(position), Value::List(items), Some(value)) if *position == items.len() => {
                items.push(value);
            }
            (Step::Position(position), Value::List(items), None) if *position < items.len() => {
                items.remove(*position);
            }
            _ => return false,
        }
        true
    }
}

/// The name up to the closing quote and bracket, and what follows.
fn quoted(inside: &str) -> Option<(String, &str)> {
    let (mut name, mut characters) = (String::new(), inside.char_indices());
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => name.push(characters.next()?.1),
            '"' => return Some((name, inside[at + 1..].strip_prefix(']')?)),
            c => name.push(c),
        }
    }
    None
}

impl Object {
    /// The value of `key`, to be changed.
    fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.iter_mut().find(|(name, _)| *name == key).map(|(_, value)| value)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Position(position) => write!(f, "[{position}]")?,
                Step::Member(name) => {
                    let odd = |c: char| matches!(c, '.' | '[' | ']' | '"' | '\\') || c.is_whitespace();
                    if name.is_empty() || name.contains(odd) {
                        write!(f, "[\"{}\"]", name.replace('\\', "\\\\").replace('"', "\\\""))?;
                    } else {
                        write!(f, "{}{name}", if index == 0 { "" } else { "." })?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;
    use proptest::prelude::*;

    fn value(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    #[test]
    fn written_paths_lead_to_their_values() {
        let root = value(r#"{"a": [{"b": 1}, {"b.c": [2]}], "": 3}"#);
        for (text, found) in [
            ("a[0].b", Some("1")),
            (r#"a[1]["b.c"][0]"#, Some("2")),
            (r#"[""]"#, Some("3")),
            ("a[2]", None),
            ("x", None),
        ] {
            let path = FieldPath::parse(text).unwrap();
            assert_eq!(path.to_string(), text);
            assert_eq!(path.find(&root).map(Value::python_text).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_paths_are_refused() {
        for text in ["a[", "a[x]", "a[-1]", "a[+1]", "a..b", ".a", "a[0]b", r#"["a]"#, "a[]", r#"["a"x]"#] {
            assert!(FieldPath::parse(text).is_err(), "{text}");
        }
        assert!(FieldPath::parse("").unwrap().is_root());
        assert!(FieldPath::parse(&"[0]".repeat(100_000)).is_err());
    }

    #[test]
    fn values_are_replaced_added_and_taken_out() {
        let put = |text: &str, path: &str, new: Option<&str>| {
            let mut root = value(text);
            let done = FieldPath::parse(path).unwrap().put(&mut root, new.map(value));
            (done, root.to_strict().to_string())
        };
        let case = |text: &str| (true, text.to_owned());
        assert_eq!(put(r#"{"a":[1,2]}"#, "a[1]", Some("5")), case(r#"{"a":[1,5]}"#));
        assert_eq!(put(r#"{"a":[1]}"#, "a[1]", Some("5")), case(r#"{"a":[1,5]}"#));
        assert_eq!(put(r#"{"a":1}"#, "b", Some("2")), case(r#"{"a":1,"b":2}"#));
        assert_eq!(put(r#"{"a":1,"b":2}"#, "a", None), case(r#"{"b":2}"#));
        assert_eq!(put(r#"{"a":1}"#, "", Some("[]")), case("[]"));
        assert!(!put(r#"{"a":1}"#, "b.c", Some("2")).0);
        assert!(!put(r#"{"a":[1]}"#, "a[3]", Some("2")).0);
    }

    proptest! {
        #[test]
        fn any_path_reads_back_as_it_was(
            steps in prop::collection::vec(prop_oneof![".*".prop_map(Step::Member), (0_usize..99).prop_map(Step::Position)], 0..6)
        ) {
            let path = FieldPath(steps);
            prop_assert_eq!(FieldPath::parse(&path.to_string()), Ok(path));
        }
    }
}
