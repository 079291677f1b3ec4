//! Rows of a table whatever holds it: CSV with any separator, JSON lines, a JSON list, Parquet. A row at a time.

use std::cell::Cell;
use std::io::{self, Read};

use super::super::items::{self, Item};
use super::super::listing::unpacked;
use super::super::objects::each;
use super::super::open::{Stream, binary};
use super::super::sink::Sink;
use crate::json::{Kind, Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::world::Source;

/// How a table is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Storage {
    /// Cells between separators.
    Separated {
        /// Separator.
        separator: u8,
        /// Whether the first row holds names; without it columns are called `1`, `2`, ...
        header: bool,
    },
    /// An object per line.
    Lines,
    /// A list of objects: the whole document, or a member of it.
    List(Option<String>),
    /// Parquet.
    Parquet,
}

/// Names of columns and the cells of one row as text; what is missing is `None`.
pub(super) type Take<'t> = &'t mut dyn FnMut(&[String], &[Option<String>], Place, &mut dyn Sink);

/// Words for a missing cell.
const MISSING: &[&str] = &["", "na", "n/a", "nan", "null", "none", "-", "–", ".", "?"];

/// Hands every row to `take`.
pub(super) fn rows(source: &dyn Source, path: &str, storage: &Storage, sink: &mut dyn Sink, take: Take<'_>) {
    match storage {
        Storage::Separated { separator, header } => separated(source, path, *separator, *header, sink, take),
        Storage::Lines => each(source, path, sink, &mut |object, place, sink| {
            let (names, cells) = cells(&object);
            take(&names, &cells, place, sink);
        }),
        Storage::List(member) => list(source, path, member.as_deref(), sink, take),
        Storage::Parquet => parquet(source, path, sink, take),
    }
}

/// Longest row of a table with separators that is read: a quote that is not closed would make one of the whole rest.
const LONGEST_ROW: usize = 1 << 24;

/// A reader that ends when a row has taken more than it may.
struct Bounded<'b, R> {
    inner: R,
    budget: &'b Cell<usize>,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.budget.get());
        let count = self.inner.read(&mut buffer[..most])?;
        self.budget.set(self.budget.get() - count);
        Ok(count)
    }
}

fn separated(source: &dyn Source, path: &str, separator: u8, header: bool, sink: &mut dyn Sink, take: Take<'_>) {
    let mut stream = match Stream::open(source, path) {
        Ok(stream) => stream,
        Err(finding) => return sink.finding(finding),
    };
    let budget = Cell::new(LONGEST_ROW);
    let bounded = Bounded { inner: &mut stream, budget: &budget };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(bounded);
    let mut names: Vec<String> = Vec::new();
    let mut record = csv::ByteRecord::new();
    let mut position = 0;
    loop {
        let at = reader.position().clone();
        let place = Place::file(path).with_line(at.line() as usize).with_record(position).with_byte(at.byte() as usize);
        budget.set(LONGEST_ROW);
        match reader.read_byte_record(&mut record) {
            Ok(_) if budget.get() == 0 => {
                let message = format!(
                    "the row is longer than {LONGEST_ROW} bytes, as when a quote is not closed; the {position} rows before \
                     it were used"
                );
                sink.finding(Finding::new("torn-file", place, message));
                break;
            }
            Ok(false) => break,
            Ok(true) => {}
            Err(error) => {
                sink.finding(Finding::new("torn-file", place, error.to_string()));
                break;
            }
        }
        if record.iter().any(|field| std::str::from_utf8(field).is_err()) {
            sink.finding(Finding::new(
                "not-utf8",
                place.clone(),
                "bytes that are not UTF-8 are read with a replacement",
            ));
        }
        let fields: Vec<String> = record.iter().map(|field| String::from_utf8_lossy(field).trim().to_owned()).collect();
        if names.is_empty() {
            names = if header { fields.clone() } else { (1..=fields.len()).map(|at| at.to_string()).collect() };
            if header {
                continue;
            }
        }
        if fields.len() != names.len() {
            let message = format!("it has {} cells, the table has {} columns", fields.len(), names.len());
            sink.finding(Finding::new("bad-record", place, message));
            position += 1;
            continue;
        }
        let cells: Vec<Option<String>> = fields.into_iter().map(present).collect();
        take(&names, &cells, place, sink);
        position += 1;
    }
    drop(reader);
    if let Some((digest, bytes)) = stream.finish() {
        sink.file(path, digest, bytes);
    }
}

/// A cell, unless it says that it is missing.
fn present(text: String) -> Option<String> {
    (!is_missing(&text)).then_some(text)
}

/// True for a cell that says that it is missing.
pub(super) fn is_missing(text: &str) -> bool {
    MISSING.contains(&text.trim().to_ascii_lowercase().as_str())
}

/// Members of an object that are single values.
pub(super) fn cells(object: &Object) -> (Vec<String>, Vec<Option<String>>) {
    let cell = |value: &Value| match value {
        Value::Text(text) => present(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => present(number.literal().to_owned()),
        Value::Null | Value::List(_) | Value::Object(_) => None,
    };
    object.iter().map(|(name, value)| (name.to_owned(), cell(value))).unzip()
}

fn list(source: &dyn Source, path: &str, member: Option<&str>, sink: &mut dyn Sink, take: Take<'_>) {
    let lists: Vec<&str> = member.into_iter().collect();
    items::read(source, path, &lists, sink, &mut |sink, item| {
        let Item::Element(position, byte, row) = item else { return };
        let place = Place::file(path).with_record(position).with_byte(byte);
        match row {
            Value::Object(object) => {
                let (names, cells) = cells(&object);
                take(&names, &cells, place, sink);
            }
            _ => sink.finding(Finding::new("bad-record", place, "a row is no object")),
        }
    });
}

fn parquet(source: &dyn Source, path: &str, sink: &mut dyn Sink, take: Take<'_>) {
    let document = match binary(source, path) {
        Ok(document) => document,
        Err(finding) => return sink.finding(finding),
    };
    sink.file(path, document.digest, document.size);
    let read = crate::table::parquet_rows(document.bytes, &mut |names, cells, row| {
        let cells: Vec<Option<String>> = cells.iter().map(|cell| cell.clone().and_then(present)).collect();
        take(names, &cells, Place::file(path).with_record(row), sink);
    });
    if let Err(error) = read {
        sink.finding(Finding::new(
            "torn-file",
            Place::file(path),
            format!("this is no Parquet that can be read: {error}"),
        ));
    }
}

/// How a file is stored, by its name and beginning; `None` for what is no table.
pub(super) fn storage(listing: &super::super::listing::Listing<'_>, path: &str) -> Option<Storage> {
    let name = unpacked(path);
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".parquet"]) {
        return Some(Storage::Parquet);
    }
    if ends(&[".jsonl", ".ndjson"]) {
        return Some(Storage::Lines);
    }
    let head = listing.head(path);
    if ends(&[".json"]) {
        return match head.trim_ascii_start().first() {
            Some(b'[') => Some(Storage::List(None)),
            Some(b'{') => member(&head).map(|member| Storage::List(Some(member))),
            _ => None,
        };
    }
    if !ends(&[".csv", ".tsv", ".tab", ".txt"]) || head.is_empty() {
        return None;
    }
    let separator = separator(&head)?;
    Some(Storage::Separated { separator, header: has_header(&head, separator) })
}

/// The first member of a document that is a list of objects.
fn member(head: &[u8]) -> Option<String> {
    let mut reader = Reader::new(head);
    reader.begin_object().ok()?;
    while let Some(key) = reader.next_key().ok()? {
        if reader.kind().ok()? == Kind::List {
            let mut inner = Reader::resume(head, reader.position());
            if inner.begin_list().is_ok() && matches!(inner.next_item(), Ok(true)) && inner.kind() == Ok(Kind::Object) {
                return Some(key.into_owned());
            }
        }
        reader.skip().ok()?;
    }
    None
}

/// The separator that splits the first lines into the same number of cells, the most of them.
fn separator(head: &[u8]) -> Option<u8> {
    let fits = |separator: &u8| {
        let rows = beginning(head, *separator, 20);
        let cells = rows.first()?.len();
        (cells > 1 && rows.iter().all(|row| row.len() == cells)).then_some((cells, *separator))
    };
    // Of equal numbers the first of the list wins.
    let found: Vec<(usize, u8)> = [b',', b'\t', b';', b'|'].iter().filter_map(fits).collect();
    let most = found.iter().map(|(cells, _)| *cells).max()?;
    found.into_iter().find(|(cells, _)| *cells == most).map(|(_, separator)| separator)
}

/// The first rows of a table, from its beginning; a row that the beginning cuts off is left out.
pub(super) fn beginning(head: &[u8], separator: u8, most: usize) -> Vec<Vec<String>> {
    let whole = match head.iter().rposition(|byte| *byte == b'\n') {
        Some(end) if head.len() >= 1 << 18 => &head[..end],
        _ => head,
    };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(whole);
    let rows = reader.byte_records().map_while(Result::ok).take(most);
    rows.map(|row| row.iter().map(|field| String::from_utf8_lossy(field).trim().to_owned()).collect()).collect()
}

/// Whether the first row holds names: none of its cells is a number, a mark or missing (but the first, an index),
/// and no two are equal.
fn has_header(head: &[u8], separator: u8) -> bool {
    let rows = beginning(head, separator, 1);
    let Some(first) = rows.first() else { return false };
    let name = |(at, cell): (usize, &String)| {
        let mark = super::columns::status(cell).is_some() && !super::columns::is_known(cell);
        let data = super::columns::number(cell).is_some() || mark;
        !data && (at == 0 || !cell.is_empty())
    };
    let mut sorted: Vec<&String> = first.iter().collect();
    sorted.sort();
    first.iter().enumerate().all(name) && sorted.windows(2).all(|pair| pair[0] != pair[1])
}
