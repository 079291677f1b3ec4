//! Whole values: passed over, or as a tree.

use std::ops::Range;

use super::super::value::{Object, Value};
use super::{Kind, Reader, Repair, Repeat, Result};

/// Nesting beyond this depth is kept as a remark in the tree instead of as structure.
const DEPTH: usize = 256;

impl Reader<'_> {
    /// Skips one value of any depth without recursion; returns its byte range.
    pub fn skip(&mut self) -> Result<Range<usize>> {
        self.kind()?;
        let start = self.at;
        let mut open: Vec<u8> = Vec::new();
        loop {
            // Here a value begins.
            let kind = self.kind()?;
            match kind {
                Kind::Object | Kind::List => {
                    open.push(self.bytes[self.at]);
                    self.at += 1;
                }
                Kind::Text => self.skip_text()?,
                Kind::Number => self.number().map(drop)?,
                Kind::Bool => self.boolean().map(drop)?,
                Kind::Null => self.null()?,
            }
            // Step to where the next value begins, closing what ends before it.
            loop {
                let another = match open.last() {
                    None => return Ok(start..self.at),
                    Some(b'[') => self.next_item()?,
                    Some(_) => self.skip_key()?,
                };
                if another {
                    break;
                }
                open.pop();
            }
        }
    }

    fn skip_key(&mut self) -> Result<bool> {
        let another = self.advance(b'{', b'}')?;
        if another {
            self.skip_text()?;
            self.expect(b':')?;
        }
        Ok(another)
    }

    /// Consumes one value as a tree. Containers nested deeper than 256 become a remark in square
    /// brackets and a [`Repair`]; of a repeated key the last value stays, with a [`Repeat`].
    pub fn value(&mut self) -> Result<Value> {
        self.value_at(0)
    }

    fn value_at(&mut self, depth: usize) -> Result<Value> {
        Ok(match self.kind()? {
            Kind::Null => self.null().map(|()| Value::Null)?,
            Kind::Bool => Value::Bool(self.boolean()?),
            Kind::Number => Value::Number(self.number()?),
            Kind::Text => Value::Text(self.text()?.into_owned()),
            Kind::List | Kind::Object if depth >= DEPTH => {
                let span = self.skip()?;
                self.repairs.push(Repair { byte: span.start, what: "nesting deeper than 256 levels" });
                Value::Text(format!("[{} bytes nested deeper than {DEPTH} levels]", span.len()))
            }
            Kind::List => {
                self.begin_list()?;
                let mut items = Vec::new();
                while self.next_item()? {
                    items.push(self.value_at(depth + 1)?);
                }
                Value::List(items)
            }
            Kind::Object => {
                self.begin_object()?;
                let mut object = Object::default();
                while let Some(key) = self.next_key()? {
                    let (byte, key) = (self.at, key.into_owned());
                    let value = self.value_at(depth + 1)?;
                    if object.insert(key.clone(), value).is_some() {
                        self.repeats.push(Repeat { byte, key });
                    }
                }
                Value::Object(object)
            }
        })
    }
}
