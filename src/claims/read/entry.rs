//! Reading the members of one entry, collecting what is wrong with them.

use std::collections::BTreeSet;

use crate::json::{Object, Value};
use crate::statistics::Keys;

/// An entry of a ledger with the mistakes found in it so far.
pub(super) struct Entry<'a> {
    object: &'a Object,
    seen: BTreeSet<&'static str>,
    /// Mistakes, each naming its member.
    pub(super) mistakes: Vec<String>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(object: &'a Object) -> Self {
        Self { object, seen: BTreeSet::new(), mistakes: Vec::new() }
    }

    /// A member of any kind; `null` counts as absent.
    pub(super) fn get(&mut self, member: &'static str) -> Option<&'a Value> {
        self.seen.insert(member);
        self.object.get(member).filter(|value| !value.is_null())
    }

    /// Notes a mistake.
    pub(super) fn wrong(&mut self, member: &str, what: &str) {
        self.mistakes.push(format!("`{member}` {what}"));
    }

    /// A text that must be there and not be blank; empty after a mistake.
    pub(super) fn required(&mut self, member: &'static str) -> String {
        match self.get(member) {
            Some(Value::Text(text)) if !text.trim().is_empty() => text.clone(),
            Some(_) => {
                self.wrong(member, "must be a text");
                String::new()
            }
            None => {
                self.wrong(member, "is missing");
                String::new()
            }
        }
    }

    /// A text that may be absent.
    pub(super) fn text(&mut self, member: &'static str) -> Option<String> {
        if let Value::Text(text) = self.get(member)? {
            return Some(text.clone());
        }
        self.wrong(member, "must be a text");
        None
    }

    /// A number that may be absent.
    pub(super) fn number(&mut self, member: &'static str) -> Option<f64> {
        let number = self.get(member)?.as_f64().filter(|number| number.is_finite());
        if number.is_none() {
            self.wrong(member, "must be a number");
        }
        number
    }

    /// A list of texts, or one text.
    pub(super) fn texts(&mut self, member: &'static str) -> Vec<String> {
        match self.get(member) {
            None => Vec::new(),
            Some(Value::Text(text)) => vec![text.clone()],
            Some(Value::List(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(|item| item.as_text().map(str::to_owned)).collect();
                texts.unwrap_or_else(|| {
                    self.wrong(member, "must be a list of texts");
                    Vec::new()
                })
            }
            Some(_) => {
                self.wrong(member, "must be a text or a list of texts");
                Vec::new()
            }
        }
    }

    /// An object of plain values, as texts.
    pub(super) fn keys(&mut self, member: &'static str) -> Keys {
        match self.get(member) {
            None => Keys::new(),
            Some(Value::Object(object)) => keys(object),
            Some(_) => {
                self.wrong(member, "must be a table of keys");
                Keys::new()
            }
        }
    }

    /// Names members that nobody asked for.
    pub(super) fn refuse_others(&mut self) {
        let unknown: Vec<String> =
            self.object.iter().map(|(key, _)| key).filter(|key| !self.seen.contains(key)).map(str::to_owned).collect();
        for member in unknown {
            self.wrong(&member, "is no member of this kind of entry");
        }
    }
}

/// Keys of a claim as texts; a list becomes its items joined by `|`.
pub(super) fn keys(object: &Object) -> Keys {
    object.iter().filter_map(|(key, value)| Some((key.to_owned(), word(value)?))).collect()
}

/// A plain value as the text it has in the file.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.literal().to_owned()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::List(items) => Some(items.iter().filter_map(word).collect::<Vec<_>>().join("|")),
        Value::Null | Value::Object(_) => None,
    }
}
