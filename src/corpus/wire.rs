//! From a stored object to a [`Problem`]: what each member must be, and what is said when it is not.

use std::sync::Arc;

use super::problem::{Answer, Choice, Problem, Shortcut};
use crate::id::ProblemId;
use crate::json::{Object, Value};

/// A problem and what is wrong with it; without an id there is no problem.
pub(super) struct Reading {
    /// The problem.
    pub(super) problem: Option<Problem>,
    /// One sentence per fault.
    pub(super) faults: Vec<String>,
    /// Sentences on what is not there: faults where other problems of the set have it.
    pub(super) lacks: Vec<&'static str>,
}

/// Reads one stored object; `derived` when the study holds the set that it derives from.
pub(super) fn problem(value: Value, derived: bool) -> Reading {
    let Value::Object(object) = value else {
        return Reading { problem: None, faults: vec!["it is not an object".to_owned()], lacks: Vec::new() };
    };
    let mut members = Members { object, faults: Vec::new() };
    let id = match members.take("id") {
        Some(Value::Text(id)) => id,
        Some(_) => {
            return Reading { problem: None, faults: vec!["its id is not a text".to_owned()], lacks: Vec::new() };
        }
        None => return Reading { problem: None, faults: vec!["it has no id".to_owned()], lacks: Vec::new() },
    };
    let problem = Problem {
        id: ProblemId::from(id),
        statement: members.text("problem").unwrap_or_default(),
        solver: members.text("code").map(Arc::from),
        answers: members.answers(),
        category: members.text("category").map(Arc::from),
        difficulty: members.text("difficulty").map(Arc::from),
        book: members.text("book").map(Arc::from),
        topic: members.text("topic").map(Arc::from),
        variant: members.count("variant"),
        shortcut: members.shortcut(),
        choice: if derived { None } else { members.choice() },
        parent: members.text("parent_id").map(ProblemId::from),
        ..Problem::blank(ProblemId::from(""))
    };
    let mut lacks = Vec::new();
    if problem.statement.is_empty() {
        lacks.push("it has no statement");
    }
    if problem.answers.is_empty() {
        lacks.push("it has no accepted answer, so no answer can pass");
    }
    let Members { object, faults } = members;
    Reading { problem: Some(Problem { extra: Value::Object(object), ..problem }), faults, lacks }
}

/// Members that are still to be read, and the faults so far.
struct Members {
    object: Object,
    faults: Vec<String>,
}

impl Members {
    /// Takes a member out; `null` counts as absent.
    fn take(&mut self, key: &str) -> Option<Value> {
        self.object.remove(key).filter(|value| !value.is_null())
    }

    fn text(&mut self, key: &str) -> Option<String> {
        if let Value::Text(text) = self.take(key)? {
            return Some(text);
        }
        self.faults.push(format!("its {key} is not a text"));
        None
    }

    fn count(&mut self, key: &str) -> Option<u32> {
        let value = self.take(key)?;
        let count = value.as_number().and_then(crate::json::Number::as_u64).and_then(|n| u32::try_from(n).ok());
        if count.is_none() {
            self.faults.push(format!("its {key} is not a whole number"));
        }
        count
    }

    fn real(&mut self, key: &str) -> Option<f64> {
        let value = self.take(key)?;
        if value.as_f64().is_none() {
            self.faults.push(format!("its {key} is not a number"));
        }
        value.as_f64()
    }

    /// `[{sub, value, unit}]`; an entry without a value is a fault and is left out.
    fn answers(&mut self) -> Vec<Answer> {
        let entries = match self.take("sub_answers") {
            Some(Value::List(entries)) => entries,
            Some(_) => {
                self.faults.push("its sub_answers is not a list".to_owned());
                return Vec::new();
            }
            None => return Vec::new(),
        };
        let mut answers = Vec::with_capacity(entries.len());
        for (position, entry) in entries.iter().enumerate() {
            let value = entry.get("value").filter(|value| matches!(value, Value::Text(_) | Value::Number(_)));
            let (Some(sub), Some(value)) = (entry.get("sub"), value) else {
                self.faults.push(format!("answer {position} lacks a sub or a value that is a text or a number"));
                continue;
            };
            answers.push(Answer {
                sub: sub.python_text().into(),
                value: value.python_text().into(),
                unit: entry.get("unit").map(Value::python_text).unwrap_or_default().into(),
            });
        }
        answers
    }

    /// A wrong way that is stored with the problem; nothing where no member speaks of one.
    fn shortcut(&mut self) -> Option<Shortcut> {
        const MEMBERS: [&str; 3] = ["shortcut", "shortcut_code", "shortcut_values"];
        if MEMBERS.iter().all(|member| self.object.get(member).is_none_or(Value::is_null)) {
            return None;
        }
        let stored = self.take("shortcut_values");
        let mut shortcut_values = Vec::new();
        match &stored {
            Some(Value::Object(values)) => {
                for (sub, value) in values.iter() {
                    match value.as_f64() {
                        Some(value) => shortcut_values.push((sub.into(), value)),
                        None => self.faults.push(format!("its shortcut value {sub:?} is not a number")),
                    }
                }
            }
            Some(_) => self.faults.push("its shortcut_values is not an object".to_owned()),
            None => {}
        }
        Some(Shortcut {
            family: self.text("trap_type").unwrap_or_default().into(),
            words: self.text("shortcut").unwrap_or_default(),
            program: self.text("shortcut_code").map(Arc::from),
            values: shortcut_values,
            separation: self.real("separation"),
        })
    }

    /// Templates are named by `parent_id`; options and key only where they were imported too.
    fn choice(&mut self) -> Option<Choice> {
        const MEMBERS: [&str; 3] = ["parent_id", "options", "answer_key"];
        if MEMBERS.iter().all(|member| self.object.get(member).is_none_or(Value::is_null)) {
            return None;
        }
        let options = match self.take("options") {
            Some(Value::List(options)) => options.iter().map(Value::python_text).collect(),
            Some(Value::Object(options)) => options.iter().map(|(_, option)| option.python_text()).collect(),
            Some(_) => {
                self.faults.push("its options is neither a list nor an object".to_owned());
                Vec::new()
            }
            None => Vec::new(),
        };
        let key = self.text("answer_key");
        let template = self.text("parent_id").unwrap_or_default().into();
        Some(Choice { template, options, key })
    }
}
