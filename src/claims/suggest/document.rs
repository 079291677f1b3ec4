//! Tables of a document, as plain text with line numbers.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::table::read_csv;

/// Kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// Markdown with pipe tables.
    Markdown,
    /// One table as comma-separated values.
    Csv,
}

impl DocumentKind {
    /// By the ending of a file name.
    pub fn of(file: &str) -> Option<Self> {
        let ending = file.rsplit('.').next()?.to_ascii_lowercase();
        match ending.as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// A table of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentTable {
    /// Heading under which it stands; empty at the beginning of a document.
    pub heading: String,
    /// Headings of the columns.
    pub header: Vec<String>,
    /// Line in the document, from 1, and cells of each row.
    pub rows: Vec<(usize, Vec<String>)>,
}

/// All tables of a document. A CSV that cannot be read has none.
pub fn tables(text: &str, kind: DocumentKind) -> Vec<DocumentTable> {
    match kind {
        DocumentKind::Markdown => markdown(text),
        DocumentKind::Csv => match read_csv(text) {
            Ok((header, rows)) => {
                let rows = rows.into_iter().enumerate().map(|(at, row)| (at + 2, row)).collect();
                vec![DocumentTable { heading: String::new(), header, rows }]
            }
            Err(_) => Vec::new(),
        },
    }
}

/// What the walk through a document has in hand.
#[derive(Default)]
struct Walk {
    heading: String,
    in_heading: bool,
    table: Option<DocumentTable>,
    row: Option<(usize, Vec<String>)>,
    cell: Option<String>,
}

fn markdown(text: &str) -> Vec<DocumentTable> {
    let mut walk = Walk::default();
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let line = 1 + text[..range.start].matches('\n').count();
        match event {
            Event::Start(tag) => walk.start(&tag, line),
            Event::End(tag) => found.extend(walk.end(tag)),
            Event::Text(words) | Event::Code(words) => walk.words(&words),
            Event::SoftBreak | Event::HardBreak => walk.words(" "),
            _ => {}
        }
    }
    found
}

impl Walk {
    fn start(&mut self, tag: &Tag<'_>, line: usize) {
        match tag {
            Tag::Heading { level, .. } if *level <= HeadingLevel::H6 => {
                self.in_heading = true;
                self.heading.clear();
            }
            Tag::Table(_) => {
                self.table = Some(DocumentTable { heading: self.heading.clone(), ..DocumentTable::default() });
            }
            Tag::TableHead | Tag::TableRow => self.row = Some((line, Vec::new())),
            Tag::TableCell => self.cell = Some(String::new()),
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        if let Some(cell) = &mut self.cell {
            cell.push_str(words);
        } else if self.in_heading {
            self.heading.push_str(words);
        }
    }

    fn end(&mut self, tag: TagEnd) -> Option<DocumentTable> {
        match tag {
            TagEnd::Heading(_) => self.in_heading = false,
            TagEnd::TableCell => {
                if let (Some(cell), Some((_, cells))) = (self.cell.take(), &mut self.row) {
                    cells.push(cell.trim().to_owned());
                }
            }
            TagEnd::TableHead => {
                if let (Some((_, cells)), Some(table)) = (self.row.take(), &mut self.table) {
                    table.header = cells;
                }
            }
            TagEnd::TableRow => {
                if let (Some(row), Some(table)) = (self.row.take(), &mut self.table) {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => return self.table.take(),
            _ => {}
        }
        None
    }
}
