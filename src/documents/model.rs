//! The model of a document: blocks in order, each under its headings, with places in the file.

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Markdown with pipe tables.
    Markdown,
    /// HTML.
    Html,
    /// LaTeX.
    Latex,
    /// Text in paragraphs.
    Plain,
    /// One table as comma-separated values.
    Csv,
    /// The text layer of a PDF.
    Pdf,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Name it was read under.
    pub file: String,
    /// How it is written.
    pub form: Form,
    /// Its blocks in order.
    pub blocks: Vec<Block>,
}

/// A block under its headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Headings above it, outermost first.
    pub headings: Vec<String>,
    /// What it is.
    pub body: Body,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A heading (also the last of the headings of what follows).
    Heading(Passage),
    /// A paragraph, an item of a list, a note.
    Paragraph(Passage),
    /// A table.
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Caption, where the form has one.
    pub caption: Option<Passage>,
    /// Heads of the columns; several rows of heads are joined.
    pub heads: Vec<Passage>,
    /// Rows.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableRow {
    /// Cells.
    pub cells: Vec<Passage>,
}

/// Text with the place of its parts in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// The text that a reader sees.
    pub text: String,
    /// Where parts of the text stand: offset in the text, byte in the file.
    spans: Vec<(usize, usize)>,
    /// Ranges of the text that are code or an address.
    pub code: Vec<(usize, usize)>,
    /// True for lines of a table whose columns could not be told apart: they are no sentence.
    pub rows: bool,
}

impl Passage {
    /// Adds text that stands at a byte of the file.
    pub fn push(&mut self, text: &str, at: usize) {
        self.spans.push((self.text.len(), at));
        self.text.push_str(text);
    }

    /// Adds code or an address.
    pub fn push_code(&mut self, text: &str, at: usize) {
        let start = self.text.len();
        self.push(text, at);
        self.code.push((start, self.text.len()));
    }

    /// Adds a space where words would run together.
    pub fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// Byte in the file of an offset in the text.
    pub fn place(&self, offset: usize) -> usize {
        let after = self.spans.partition_point(|(start, _)| *start <= offset);
        self.spans[..after].last().map_or(0, |(start, at)| at + (offset - start))
    }

    /// True when an offset lies in code or an address.
    pub fn is_code(&self, offset: usize) -> bool {
        let after = self.code.partition_point(|(start, _)| *start <= offset);
        self.code[..after].last().is_some_and(|(_, end)| offset < *end)
    }

    /// An empty passage for lines; `rows` where they are those of a table.
    pub fn of_lines(rows: bool) -> Self {
        Self { rows, ..Self::default() }
    }

    /// A passage of one part.
    pub fn of(text: &str, at: usize) -> Self {
        let mut passage = Self::default();
        passage.push(text, at);
        passage
    }

    /// True without any visible character.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Collects blocks under a running path of headings.
#[derive(Debug, Default)]
pub(super) struct Builder {
    headings: Vec<(u8, String)>,
    blocks: Vec<Block>,
}

impl Builder {
    pub(super) fn heading(&mut self, level: u8, passage: Passage) {
        if passage.is_blank() {
            return;
        }
        self.headings.retain(|(known, _)| *known < level);
        self.headings.push((level, passage.text.trim().to_owned()));
        self.push(Body::Heading(passage));
    }

    pub(super) fn paragraph(&mut self, passage: Passage) {
        if !passage.is_blank() {
            self.push(Body::Paragraph(passage));
        }
    }

    pub(super) fn table(&mut self, table: Table) {
        if !table.rows.is_empty() || !table.heads.is_empty() {
            self.push(Body::Table(table));
        }
    }

    /// The table that was read last, when nothing came after it.
    pub(super) fn last_table(&mut self) -> Option<&mut Table> {
        match &mut self.blocks.last_mut()?.body {
            Body::Table(table) => Some(table),
            _ => None,
        }
    }

    fn push(&mut self, body: Body) {
        let headings = self.headings.iter().map(|(_, text)| text.clone()).collect();
        self.blocks.push(Block { headings, body });
    }

    pub(super) fn document(self, file: &str, form: Form) -> Document {
        Document { file: file.to_owned(), form, blocks: self.blocks }
    }
}
