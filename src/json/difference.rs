//! Where two JSON values differ, leaf by leaf.
//!
//! Two rules make a difference something a person can record. A list whose length changed is one change,
//! at the path of the list: which of its items is which is not knowable. A member that only one side has
//! is one change at the path of the member, whatever it holds.

use std::collections::BTreeMap;

use super::path::FieldPath;
use super::value::{Number, Object, Value};

/// A place where two values differ. A side without the place is `None`, which is not the same as `null`.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed<'v> {
    /// Where.
    pub path: FieldPath,
    /// On the first side.
    pub before: Option<&'v Value>,
    /// On the second side.
    pub after: Option<&'v Value>,
}

/// Every place where the values differ, in the order of the first value (members that only the second has
/// follow those of their object). Work grows with the size of the two values.
pub fn differences<'v>(before: &'v Value, after: &'v Value) -> Vec<Changed<'v>> {
    let mut found = Vec::new();
    walk(&FieldPath::root(), before, after, &mut found);
    found
}

/// True when two values say the same: objects whatever the order of their members, numbers by value
/// (`1` and `1.0` are one number, integers beyond a double are compared digit by digit), `NaN` equals `NaN`.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let others = by_name(b);
            a.len() == b.len() && a.iter().all(|(name, a)| others.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    if a.literal() == b.literal() {
        return true;
    }
    let wide = |number: &Number| number.is_integer() && number.as_f64().abs() >= 9_007_199_254_740_992.0;
    let finite = a.as_f64().is_finite() && b.as_f64().is_finite();
    finite && !wide(a) && !wide(b) && a.as_f64() == b.as_f64()
}

fn by_name(object: &Object) -> BTreeMap<&str, &Value> {
    object.iter().collect()
}

fn walk<'v>(path: &FieldPath, before: &'v Value, after: &'v Value, found: &mut Vec<Changed<'v>>) {
    match (before, after) {
        (Value::Object(a), Value::Object(b)) => {
            let (mine, others) = (by_name(a), by_name(b));
            for (name, value) in a.iter() {
                match others.get(name) {
                    Some(other) => walk(&path.member(name), value, other, found),
                    None => found.push(Changed { path: path.member(name), before: Some(value), after: None }),
                }
            }
            for (name, value) in b.iter().filter(|(name, _)| !mine.contains_key(name)) {
                found.push(Changed { path: path.member(name), before: None, after: Some(value) });
            }
        }
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            for (position, (a, b)) in a.iter().zip(b).enumerate() {
                walk(&path.position(position), a, b, found);
            }
        }
        (a, b) if same(a, b) => {}
        (a, b) => found.push(Changed { path: path.clone(), before: Some(a), after: Some(b) }),
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

    fn paths(a: &str, b: &str) -> Vec<String> {
        differences(&value(a), &value(b)).iter().map(|changed| changed.path.to_string()).collect()
    }

    #[test]
    fn changes_are_named_by_the_path_of_the_leaf() {
        assert_eq!(paths(r#"{"a": [1, {"b": "x"}], "c": 1}"#, r#"{"c": 1, "a": [1, {"b": "y"}]}"#), ["a[1].b"]);
        assert_eq!(paths(r#"{"a": 1}"#, r#"{"b": 1}"#), ["a", "b"]);
        assert_eq!(paths(r#"{"a": null}"#, "{}"), ["a"]);
        assert_eq!(paths("[1]", r#"{"0": 1}"#), [""]);
    }

    #[test]
    fn a_list_of_another_length_is_one_change() {
        assert_eq!(paths(r#"{"t": ["a", "b", "c"]}"#, r#"{"t": ["b", "c"]}"#), ["t"]);
        assert_eq!(paths(r#"{"t": []}"#, r#"{"t": [[]]}"#), ["t"]);
    }

    #[test]
    fn numbers_are_compared_by_value_and_never_through_a_double_that_cannot_hold_them() {
        assert!(paths("[1, 1e2, NaN]", "[1.0, 100, NaN]").is_empty());
        assert_eq!(paths("18446744073709551617", "18446744073709551618"), [""]);
        assert_eq!(paths("[1e400]", "[Infinity]"), ["[0]"]);
        assert_eq!(paths("1", r#""1""#), [""]);
    }

    fn any() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            (-9_i32..9).prop_map(|n| Value::Number(Number::from_f64(f64::from(n)))),
            "[ab]{0,2}".prop_map(Value::Text),
        ];
        use proptest::prelude::any;
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
                prop::collection::vec(("[abc]", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// Putting every change into the first value gives the second.
        #[test]
        fn the_changes_are_exactly_what_leads_from_one_to_the_other(a in any(), b in any()) {
            let mut made = a.clone();
            for changed in differences(&a, &b) {
                prop_assert!(changed.path.put(&mut made, changed.after.cloned()));
            }
            prop_assert!(same(&made, &b));
            prop_assert_eq!(differences(&a, &b).is_empty(), same(&a, &b));
        }
    }
}
