//! Objects of the embedded interpreter as JSON text, the way Python's `json` writes them.
//!
//! Reads the built-in content of objects only: an `items` method that lies or an `__eq__` that is
//! always true is never called. Whatever JSON cannot hold becomes the text of its `str()`.

use std::fmt::Write as _;

use rustpython_vm::builtins::{PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyStr, PyTuple};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use crate::engine::program::write_text;
use crate::number;

/// Nesting beyond which a returned value is too large.
const DEEPEST: usize = 200;
/// Digits beyond which CPython refuses to write an integer.
const DIGITS: usize = 4300;

/// The text, or the news that there is too much of it.
#[derive(Debug)]
pub(super) enum Encoded {
    Text(String),
    TooLarge,
}

/// A list of `[key, value]` pairs in the order of `entries`.
pub(super) fn encode_entries(entries: &Py<PyDict>, limit: usize, vm: &VirtualMachine) -> PyResult<Encoded> {
    let mut encoder = Encoder { out: String::from("["), limit, above: vec![entries.as_object().get_id()], vm };
    for (index, (key, value)) in entries.items_vec().into_iter().enumerate() {
        encoder.out.push_str(if index == 0 { "[" } else { ",[" });
        encoder.key(&key)?;
        encoder.out.push(',');
        if !encoder.value(&value)? {
            return Ok(Encoded::TooLarge);
        }
        encoder.out.push(']');
    }
    encoder.out.push(']');
    Ok(if encoder.out.len() > limit { Encoded::TooLarge } else { Encoded::Text(encoder.out) })
}

/// The results of calls, one entry each, with the kind of each container in front: a list and a tuple of
/// equal items are different values to Python.
pub(super) struct PlainEntries<'a> {
    encoder: Encoder<'a>,
    count: usize,
}

impl<'a> PlainEntries<'a> {
    /// No entry yet; at most `limit` bytes.
    pub(super) fn new(limit: usize, vm: &'a VirtualMachine) -> Self {
        Self { encoder: Encoder { out: String::from("["), limit, above: Vec::new(), vm }, count: 0 }
    }

    /// Adds what a call returned; false when there is too much.
    pub(super) fn returned(&mut self, value: &PyObject) -> PyResult<bool> {
        self.begin();
        let fits = self.encoder.plain(value)?;
        self.encoder.out.push(']');
        Ok(fits && self.encoder.out.len() <= self.encoder.limit)
    }

    /// Adds the exception that left a call; false when there is too much.
    pub(super) fn raised(&mut self, kind: &str, message: &str) -> bool {
        self.begin();
        self.encoder.out.push_str("[\"!\",");
        write_text(kind, &mut self.encoder.out);
        self.encoder.out.push(',');
        write_text(message, &mut self.encoder.out);
        self.encoder.out.push_str("]]");
        self.encoder.out.len() <= self.encoder.limit
    }

    fn begin(&mut self) {
        let mark = if self.count == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(self.encoder.out, "{mark}[\"{}\",", self.count);
        self.count += 1;
    }

    /// All entries.
    pub(super) fn finish(mut self) -> Encoded {
        self.encoder.out.push(']');
        Encoded::Text(self.encoder.out)
    }
}

struct Encoder<'a> {
    out: String,
    limit: usize,
    above: Vec<usize>,
    vm: &'a VirtualMachine,
}

impl Encoder<'_> {
    /// Writes one value; false when there is too much.
    fn value(&mut self, value: &PyObject) -> PyResult<bool> {
        if self.out.len() > self.limit {
            return Ok(false);
        }
        if self.vm.is_none(value) {
            self.out.push_str("null");
        } else if let Some(text) = value.downcast_ref::<PyStr>() {
            self.text(text);
        } else if let Some(integer) = value.downcast_ref::<PyInt>() {
            self.integer(value, integer)?;
        } else if let Some(float) = value.downcast_ref::<PyFloat>() {
            self.out.push_str(&float_text(float.to_f64()));
        } else if let Some(list) = value.downcast_ref::<PyList>() {
            let items = list.borrow_vec().to_vec();
            return self.within(value, |encoder| encoder.list(&items));
        } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
            return self.within(value, |encoder| encoder.list(tuple.as_slice()));
        } else if let Some(dict) = value.downcast_ref::<PyDict>() {
            return self.within(value, |encoder| encoder.dict(dict));
        } else {
            let text = value.str(self.vm)?;
            self.text(&text);
        }
        Ok(true)
    }

    /// Writes one value with the kinds of its containers; false when there is too much.
    fn plain(&mut self, value: &PyObject) -> PyResult<bool> {
        if self.out.len() > self.limit {
            return Ok(false);
        }
        if let Some(list) = value.downcast_ref::<PyList>() {
            let items = list.borrow_vec().to_vec();
            return self.within(value, |encoder| encoder.marked('l', &items));
        }
        if let Some(tuple) = value.downcast_ref::<PyTuple>() {
            return self.within(value, |encoder| encoder.marked('t', tuple.as_slice()));
        }
        if let Some(set) = value.downcast_ref::<PySet>() {
            let items = set.elements();
            return self.within(value, |encoder| encoder.marked('s', &items));
        }
        if let Some(set) = value.downcast_ref::<PyFrozenSet>() {
            let items = set.elements();
            return self.within(value, |encoder| encoder.marked('s', &items));
        }
        if let Some(dict) = value.downcast_ref::<PyDict>() {
            return self.within(value, |encoder| encoder.marked_pairs(dict));
        }
        let known = self.vm.is_none(value)
            || value.downcast_ref::<PyStr>().is_some()
            || value.downcast_ref::<PyInt>().is_some()
            || value.downcast_ref::<PyFloat>().is_some();
        if known {
            return self.value(value);
        }
        if let Some(bytes) = value.downcast_ref::<PyBytes>() {
            self.out.push_str("[\"b\",\"");
            for byte in bytes.as_bytes() {
                // Writing to a string cannot fail.
                let _ = write!(self.out, "{byte:02x}");
            }
            self.out.push_str("\"]");
        } else if let Some(complex) = value.downcast_ref::<PyComplex>() {
            let complex = complex.to_complex();
            let (real, imaginary) = (float_text(complex.re), float_text(complex.im));
            self.out.push_str(&format!("[\"c\",{real},{imaginary}]"));
        } else {
            self.out.push_str("[\"o\",");
            write_text(&value.class().name(), &mut self.out);
            self.out.push(']');
        }
        Ok(true)
    }

    fn marked(&mut self, mark: char, items: &[PyObjectRef]) -> PyResult<bool> {
        self.out.push_str(&format!("[\"{mark}\""));
        for item in items {
            self.out.push(',');
            if !self.plain(item)? {
                return Ok(false);
            }
        }
        self.out.push(']');
        Ok(true)
    }

    fn marked_pairs(&mut self, dict: &PyDict) -> PyResult<bool> {
        self.out.push_str("[\"d\"");
        for (key, item) in dict.items_vec() {
            self.out.push_str(",[");
            if !self.plain(&key)? {
                return Ok(false);
            }
            self.out.push(',');
            if !self.plain(&item)? {
                return Ok(false);
            }
            self.out.push(']');
        }
        self.out.push(']');
        Ok(true)
    }

    fn within(&mut self, value: &PyObject, write: impl FnOnce(&mut Self) -> PyResult<bool>) -> PyResult<bool> {
        let id = value.get_id();
        if self.above.contains(&id) {
            return Err(self.vm.new_value_error("Circular reference detected"));
        }
        if self.above.len() >= DEEPEST {
            return Ok(false);
        }
        self.above.push(id);
        let fits = write(self)?;
        self.above.pop();
        Ok(fits)
    }

    fn list(&mut self, items: &[PyObjectRef]) -> PyResult<bool> {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if !self.value(item)? {
                return Ok(false);
            }
        }
        self.out.push(']');
        Ok(true)
    }

    fn dict(&mut self, dict: &PyDict) -> PyResult<bool> {
        self.out.push('{');
        for (index, (key, item)) in dict.items_vec().into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.key(&key)?;
            self.out.push(':');
            if !self.value(&item)? {
                return Ok(false);
            }
        }
        self.out.push('}');
        Ok(true)
    }

    fn key(&mut self, key: &PyObject) -> PyResult<()> {
        if let Some(text) = key.downcast_ref::<PyStr>() {
            self.text(text);
            return Ok(());
        }
        self.out.push('"');
        if self.vm.is_none(key) {
            self.out.push_str("null");
        } else if let Some(integer) = key.downcast_ref::<PyInt>() {
            self.integer(key, integer)?;
        } else if let Some(float) = key.downcast_ref::<PyFloat>() {
            self.out.push_str(&float_text(float.to_f64()));
        } else {
            let kind = key.class().name().to_string();
            return Err(self.vm.new_type_error(format!("keys must be str, int, float, bool or None, not {kind}")));
        }
        self.out.push('"');
        Ok(())
    }

    fn integer(&mut self, object: &PyObject, integer: &PyInt) -> PyResult<()> {
        if object.is(&self.vm.ctx.true_value) {
            self.out.push_str("true");
        } else if object.is(&self.vm.ctx.false_value) {
            self.out.push_str("false");
        } else {
            let digits = integer.as_bigint().to_string();
            if digits.trim_start_matches('-').len() > DIGITS {
                let message = format!("Exceeds the limit ({DIGITS} digits) for integer string conversion");
                return Err(self.vm.new_value_error(message));
            }
            self.out.push_str(&digits);
        }
        Ok(())
    }

    /// Text in quotes; everything outside printable ASCII is escaped, lone surrogates included.
    fn text(&mut self, text: &PyStr) {
        self.out.push('"');
        for point in text.as_wtf8().code_points() {
            match (point.to_char(), point.to_u32()) {
                (Some('"'), _) => self.out.push_str("\\\""),
                (Some('\\'), _) => self.out.push_str("\\\\"),
                (Some(c @ ' '..='~'), _) => self.out.push(c),
                (_, wide @ 0x1_0000..) => {
                    let rest = wide - 0x1_0000;
                    self.unit(0xd800 + (rest >> 10));
                    self.unit(0xdc00 + (rest & 0x3ff));
                }
                (_, unit) => self.unit(unit),
            }
        }
        self.out.push('"');
    }

    fn unit(&mut self, unit: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "\\u{unit:04x}");
    }
}

fn float_text(value: f64) -> String {
    match value {
        nan if nan.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        finite => number::repr(finite),
    }
}
