//! HTML: headings, paragraphs, tables with captions; scripts, styles and code left out.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::model::{Builder, Document, Form, Passage, Table, TableRow};

/// Reads an HTML document. Any bytes are some HTML, so nothing can fail.
pub(super) fn read(file: &str, text: &str) -> Document {
    let mut walk = Walk::default();
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(text, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => walk.start(&String::from_utf8_lossy(&tag.name), tag.self_closing),
            Token::EndTag(tag) => walk.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(words) => walk.words(&String::from_utf8_lossy(&words.value), words.span.start),
            _ => {}
        }
    }
    walk.flush();
    walk.builder.document(file, Form::Html)
}

/// What the walk has in hand. Tables inside tables are read as text of the outer cell.
#[derive(Default)]
struct Walk {
    builder: Builder,
    passage: Passage,
    heading: Option<u8>,
    table: Option<Grid>,
    tables: usize,
    hidden: usize,
    code: usize,
}

#[derive(Default)]
struct Grid {
    table: Table,
    row: Vec<Passage>,
    all_heads: bool,
    in_caption: bool,
}

const HIDDEN: &[&str] = &["script", "style", "pre", "template", "svg", "math", "noscript", "del", "nav"];
const BLOCKS: &[&str] = &[
    "p",
    "div",
    "li",
    "section",
    "article",
    "blockquote",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "figure",
    "figcaption",
    "body",
    "header",
    "footer",
    "main",
    "aside",
    "br",
    "hr",
];

impl Walk {
    fn start(&mut self, name: &str, closed: bool) {
        if HIDDEN.contains(&name) && !closed {
            self.hidden += 1;
        }
        match name {
            "code" | "kbd" | "samp" if !closed => self.code += 1,
            "table" => {
                self.tables += 1;
                if self.tables == 1 {
                    self.flush();
                    self.table = Some(Grid::default());
                }
            }
            "tr" if self.tables == 1 => self.end_row(),
            "td" | "th" if self.tables == 1 => {
                self.end_cell();
                if let Some(grid) = &mut self.table {
                    grid.all_heads = (grid.row.is_empty() || grid.all_heads) && name == "th";
                }
                // The cell is open from here on.
                self.passage = Passage::default();
                if let Some(grid) = &mut self.table {
                    grid.row.push(Passage::default());
                }
            }
            "caption" if self.tables == 1 => {
                if let Some(grid) = &mut self.table {
                    grid.in_caption = true;
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.tables == 0 => {
                self.flush();
                self.heading = name[1..].parse().ok();
            }
            _ if BLOCKS.contains(&name) => {
                if self.tables == 0 {
                    self.flush();
                } else {
                    self.passage.space();
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if HIDDEN.contains(&name) {
            self.hidden = self.hidden.saturating_sub(1);
        }
        match name {
            "code" | "kbd" | "samp" => self.code = self.code.saturating_sub(1),
            "table" => {
                if self.tables == 1 {
                    self.end_row();
                    if let Some(grid) = self.table.take() {
                        self.builder.table(grid.table);
                    }
                    self.passage = Passage::default();
                }
                self.tables = self.tables.saturating_sub(1);
            }
            "td" | "th" if self.tables == 1 => self.end_cell(),
            "tr" if self.tables == 1 => self.end_row(),
            "caption" if self.tables == 1 => {
                let caption = std::mem::take(&mut self.passage);
                if let Some(grid) = &mut self.table {
                    grid.in_caption = false;
                    grid.table.caption = Some(caption);
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                if let Some(level) = self.heading.take() {
                    let passage = std::mem::take(&mut self.passage);
                    self.builder.heading(level, passage);
                }
            }
            _ if BLOCKS.contains(&name) && self.tables == 0 => self.flush(),
            _ => {}
        }
    }

    fn words(&mut self, words: &str, at: usize) {
        if self.hidden > 0 {
            return;
        }
        let open = self.table.as_ref().is_none_or(|grid| grid.in_caption || !grid.row.is_empty());
        if !open {
            return;
        }
        if self.code > 0 {
            self.passage.push_code(words, at);
        } else {
            self.passage.push(words, at);
        }
    }

    /// Puts the text in hand into the open cell.
    fn end_cell(&mut self) {
        let passage = std::mem::take(&mut self.passage);
        if let Some(cell) = self.table.as_mut().and_then(|grid| grid.row.last_mut())
            && cell.text.is_empty()
        {
            *cell = passage;
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        let Some(grid) = &mut self.table else { return };
        let cells = std::mem::take(&mut grid.row);
        if cells.is_empty() {
            return;
        }
        let heads = std::mem::take(&mut grid.all_heads) && grid.table.rows.is_empty();
        if heads && grid.table.heads.is_empty() {
            grid.table.heads = cells;
        } else if heads && grid.table.heads.len() == cells.len() {
            for (head, more) in grid.table.heads.iter_mut().zip(cells) {
                head.space();
                head.push(&more.text, more.place(0));
            }
        } else if grid.table.heads.is_empty() && grid.table.rows.is_empty() {
            grid.table.heads = cells;
        } else {
            grid.table.rows.push(TableRow { cells });
        }
    }

    fn flush(&mut self) {
        if self.heading.is_none() && self.table.is_none() {
            self.builder.paragraph(std::mem::take(&mut self.passage));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Body;

    #[test]
    fn a_page_gives_headings_paragraphs_and_tables() {
        let text = "<h2>Res &amp; ults</h2><p>It has <b>12</b> problems.<script>7</script></p><table><caption>Main</caption>\
                    <tr><th>m<th>acc</tr><tr><th>a</th><td>95.6</td></tr></table>";
        let document = read("a.html", text);
        assert_eq!(document.blocks.len(), 3, "{document:?}");
        assert_eq!(document.blocks[2].headings, ["Res & ults"]);
        let Body::Paragraph(words) = &document.blocks[1].body else { panic!() };
        assert_eq!(words.text, "It has 12 problems.");
        assert_eq!(&text[words.place(7)..][..2], "12");
        let Body::Table(table) = &document.blocks[2].body else { panic!() };
        assert_eq!(table.caption.as_ref().unwrap().text, "Main");
        assert_eq!((table.heads.len(), table.rows[0].cells[1].text.as_str()), (2, "95.6"));
    }
}
