//! Taking members of the kinds that records have; another kind is a fault of that member only.

use std::borrow::Cow;
use std::sync::Arc;

use super::intern::Interner;
use crate::json::{Fault, Kind, Number, Reader, Value};

/// A member that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MemberFault {
    /// Offset of the member in its text.
    pub(super) byte: usize,
    /// What is wrong, as a sentence that begins with the name of the member.
    pub(super) what: String,
}

/// A reader with the places where texts are shared and faults are kept.
pub(super) struct Pull<'r, 'a> {
    /// Source.
    pub(super) reader: &'r mut Reader<'a>,
    /// Shared texts.
    pub(super) intern: &'r mut Interner,
    /// Members of the wrong kind.
    pub(super) faults: Vec<MemberFault>,
    /// Members nobody knows, by name.
    pub(super) unknown: Vec<String>,
}

type Pulled<T> = Result<Option<T>, Fault>;

impl<'r, 'a> Pull<'r, 'a> {
    /// Starts without faults.
    pub(super) fn new(reader: &'r mut Reader<'a>, intern: &'r mut Interner) -> Self {
        Self { reader, intern, faults: Vec::new(), unknown: Vec::new() }
    }

    /// Keeps a fault of the member that begins here.
    pub(super) fn fault(&mut self, what: String) {
        self.faults.push(MemberFault { byte: self.reader.position(), what });
    }

    /// Steps over a member of the wrong kind; `null` is simply absent.
    pub(super) fn wrong(&mut self, name: &str, wanted: &str) -> Result<(), Fault> {
        if self.reader.kind()? != Kind::Null {
            self.fault(format!("{name} is not {wanted}"));
        }
        self.skip()
    }

    /// Steps over a value.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        self.reader.skip()?;
        Ok(())
    }

    /// A text.
    pub(super) fn text(&mut self, name: &str) -> Pulled<Cow<'a, str>> {
        match self.reader.kind()? {
            Kind::Text => self.reader.text().map(Some),
            _ => self.wrong(name, "a text").map(|()| None),
        }
    }

    /// Steps over a text that nobody wants; true when it holds more than white space.
    pub(super) fn passed_text(&mut self, name: &str) -> Result<bool, Fault> {
        match self.reader.kind()? {
            Kind::Text => self.reader.pass_text(),
            _ => self.wrong(name, "a text").map(|()| false),
        }
    }

    /// A text that many records share.
    pub(super) fn shared(&mut self, name: &str) -> Pulled<Arc<str>> {
        Ok(self.text(name)?.map(|text| self.intern.text(&text)))
    }

    /// A text, or the text that Python gives another value; `null` and the empty text are absent.
    pub(super) fn said(&mut self) -> Pulled<Arc<str>> {
        let text = match self.reader.kind()? {
            Kind::Text => self.reader.text()?,
            Kind::Null => {
                self.reader.null()?;
                return Ok(None);
            }
            _ => Cow::Owned(self.reader.value()?.python_text()),
        };
        Ok(if text.is_empty() { None } else { Some(self.intern.text(&text)) })
    }

    /// The text Python gives a value of any kind, `null` included.
    pub(super) fn python_text(&mut self) -> Result<Arc<str>, Fault> {
        let text = match self.reader.kind()? {
            Kind::Text => self.reader.text()?,
            _ => Cow::Owned(self.reader.value()?.python_text()),
        };
        Ok(self.intern.text(&text))
    }

    /// A count; `3.0` counts as 3.
    pub(super) fn count(&mut self, name: &str) -> Pulled<u64> {
        if self.reader.kind()? != Kind::Number {
            return self.wrong(name, "a whole number").map(|()| None);
        }
        let byte = self.reader.position();
        let literal = self.reader.literal()?;
        let whole = literal.parse().ok().or_else(|| {
            let value = Number::double(literal);
            ((0.0..1e15).contains(&value) && value.fract() == 0.0).then_some(value as u64)
        });
        if whole.is_none() {
            self.faults.push(MemberFault { byte, what: format!("{name} is not a whole number: {literal}") });
        }
        Ok(whole)
    }

    /// A flag.
    pub(super) fn flag(&mut self, name: &str) -> Pulled<bool> {
        match self.reader.kind()? {
            Kind::Bool => self.reader.boolean().map(Some),
            _ => self.wrong(name, "true or false").map(|()| None),
        }
    }

    /// What Python's `bool()` says of a value: a flag, a text that explains it, an object.
    pub(super) fn truthy(&mut self) -> Result<bool, Fault> {
        let value = self.reader.value()?;
        Ok(match &value {
            Value::Null => false,
            Value::Bool(flag) => *flag,
            Value::Number(number) => number.as_f64() != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::List(items) => !items.is_empty(),
            Value::Object(object) => !object.is_empty(),
        })
    }

    /// Steps over a member that is not known, remembering its name.
    pub(super) fn unknown(&mut self, name: String) -> Result<(), Fault> {
        self.unknown.push(name);
        self.skip()
    }
}
