//! Markdown, with pipe tables, footnotes and the code left out.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::model::{Builder, Document, Form, Passage, Table, TableRow};

/// Reads a Markdown document.
pub(super) fn read(file: &str, text: &str) -> Document {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut walk = Walk::default();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        walk.event(event, range.start);
    }
    walk.flush();
    walk.builder.document(file, Form::Markdown)
}

/// What the walk has in hand.
#[derive(Default)]
struct Walk {
    builder: Builder,
    passage: Passage,
    table: Option<Table>,
    row: Option<TableRow>,
    in_head: bool,
    /// Depth of blocks whose text is no prose: code, deleted text.
    hidden: usize,
    /// Depth of links that are addresses.
    address: usize,
}

impl Walk {
    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words) if self.hidden == 0 && self.address == 0 => self.passage.push(&words, at),
            Event::Text(words) if self.hidden == 0 => self.passage.push_code(&words, at),
            // The back tick stands before the text.
            Event::Code(words) if self.hidden == 0 => self.passage.push_code(&words, at + 1),
            Event::SoftBreak | Event::HardBreak => self.passage.space(),
            Event::InlineHtml(words) if words.starts_with("<br") => self.passage.space(),
            Event::FootnoteReference(_) => self.passage.space(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.flush();
                self.hidden += 1;
            }
            Tag::Strikethrough | Tag::Image { .. } => self.hidden += 1,
            Tag::Link { link_type: pulldown_cmark::LinkType::Autolink, .. } => self.address += 1,
            Tag::Table(_) => {
                self.flush();
                self.table = Some(Table::default());
            }
            Tag::TableHead => self.in_head = true,
            Tag::TableRow => self.row = Some(TableRow::default()),
            Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_) => {
                self.flush();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock | TagEnd::Strikethrough | TagEnd::Image => self.hidden = self.hidden.saturating_sub(1),
            TagEnd::Link => self.address = self.address.saturating_sub(1),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.passage);
                match (&mut self.table, &mut self.row) {
                    (Some(table), _) if self.in_head => table.heads.push(cell),
                    (_, Some(row)) => row.cells.push(cell),
                    _ => {}
                }
            }
            TagEnd::TableHead => self.in_head = false,
            TagEnd::TableRow => {
                if let (Some(table), Some(row)) = (&mut self.table, self.row.take()) {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.builder.table(table);
                }
            }
            TagEnd::Heading(level) => {
                let passage = std::mem::take(&mut self.passage);
                self.builder.heading(depth(level), passage);
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::FootnoteDefinition => self.flush(),
            _ => {}
        }
    }

    fn flush(&mut self) {
        if self.table.is_none() {
            self.builder.paragraph(std::mem::take(&mut self.passage));
        }
    }
}

const fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Body;

    #[test]
    fn tables_and_paragraphs_keep_their_places() {
        let text =
            "# A\n\n## B\n\nIt has *12* problems, `x1`.\n\n| m | acc |\n|---|--:|\n| a | 95.6 |\n\n```\n7\n```\n";
        let document = read("a.md", text);
        let bodies: Vec<&Body> = document.blocks.iter().map(|block| &block.body).collect();
        let Body::Paragraph(words) = bodies[2] else { panic!("{bodies:?}") };
        assert_eq!(words.text, "It has 12 problems, x1.");
        let at = words.text.find("12").unwrap();
        assert_eq!(&text[words.place(at)..][..2], "12");
        assert!(words.is_code(words.text.find("x1").unwrap()) && !words.is_code(at));
        let Body::Table(table) = bodies[3] else { panic!("{bodies:?}") };
        assert_eq!((table.heads[1].text.as_str(), table.rows[0].cells[1].text.as_str()), ("acc", "95.6"));
        assert_eq!(&text[table.rows[0].cells[1].place(0)..][..4], "95.6");
        assert_eq!(document.blocks[3].headings, ["A", "B"]);
        assert_eq!(document.blocks.len(), 4, "code is no claim");
    }
}
