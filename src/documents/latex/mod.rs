//! LaTeX: sections, paragraphs, tables, included files, macros that stand for numbers and units, and the
//! commands of `siunitx`.
//!
//! This is a reader for what a paper prints, not TeX: macros without conditions are expanded a few levels
//! deep, unknown commands give their arguments, and what a macro prints has the place of the command that brought
//! it. Included files are put in before the text is read ([`inline`]).

mod commands;
mod inline;
mod source;
mod table;

use super::model::{Builder, Document, Form, Passage};
use crate::report::{Finding, Place};
pub(super) use inline::inline;
use source::{Scan, Token};

/// How deep macros and included files may nest.
const DEEPEST: usize = 8;
/// Most bytes that macros and included files may add.
const MOST: usize = 16 << 20;

/// Reads a LaTeX document; what it still includes is not there.
pub(super) fn read(file: &str, text: &str, findings: &mut Vec<Finding>) -> Document {
    let mut reader = Reader::new();
    reader.run(text, None, 0);
    reader.flush();
    for name in &reader.absent {
        let place = Place::file(file).with_subject(name);
        findings.push(Finding::new("missing-file", place, format!("`{name}` is included and is not there")));
    }
    reader.builder.document(file, Form::Latex)
}

/// What the reader has in hand.
struct Reader {
    builder: Builder,
    passage: Passage,
    macros: std::collections::BTreeMap<String, String>,
    absent: Vec<String>,
    tables: Vec<table::Grid>,
    caption: Option<Passage>,
    /// Environments whose text is not shown.
    hidden: usize,
    added: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            builder: Builder::default(),
            passage: Passage::default(),
            macros: std::collections::BTreeMap::new(),
            absent: Vec::new(),
            tables: Vec::new(),
            caption: None,
            hidden: 0,
            added: 0,
        }
    }

    /// Reads a text. `fixed` is the place of everything in it, when it was brought by a command.
    fn run(&mut self, text: &str, fixed: Option<usize>, depth: usize) {
        let mut scan = Scan::new(text);
        while let Some((at, token)) = scan.next() {
            let place = fixed.unwrap_or(at);
            match token {
                Token::Words(words) => self.words(words, place),
                Token::Break => {
                    if self.tables.is_empty() {
                        self.flush();
                    }
                }
                Token::Space => self.passage.space(),
                Token::Cell if !self.tables.is_empty() => self.end_cell(),
                Token::Line if !self.tables.is_empty() => self.end_row(),
                Token::Cell | Token::Line => self.passage.space(),
                Token::Command(name) => self.command(name, &mut scan, place, fixed, depth),
            }
        }
    }

    fn words(&mut self, words: &str, place: usize) {
        if self.hidden == 0 {
            self.passage.push(words, place);
        }
    }

    /// The text of an argument as a passage of its own.
    fn apart(&mut self, argument: (usize, &str), fixed: Option<usize>, depth: usize) -> Passage {
        let outer = std::mem::take(&mut self.passage);
        self.argument(argument, fixed, depth);
        std::mem::replace(&mut self.passage, outer)
    }

    /// Reads an argument in place.
    fn argument(&mut self, (at, text): (usize, &str), fixed: Option<usize>, depth: usize) {
        if depth >= DEEPEST {
            return;
        }
        match fixed {
            Some(place) => self.run(text, Some(place), depth + 1),
            // Places inside the argument count from where it begins.
            None => self.shifted(text, at, depth + 1),
        }
    }

    fn shifted(&mut self, text: &str, by: usize, depth: usize) {
        let mut scan = Scan::new(text);
        while let Some((at, token)) = scan.next() {
            let place = by + at;
            match token {
                Token::Words(words) => self.words(words, place),
                Token::Break | Token::Space | Token::Cell | Token::Line => self.passage.space(),
                Token::Command(name) => self.command(name, &mut scan, place, Some(place), depth),
            }
        }
    }

    fn flush(&mut self) {
        let passage = std::mem::take(&mut self.passage);
        if self.hidden == 0 {
            self.builder.paragraph(passage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Body;

    const PAPER: &str = "\\newcommand{\\acc}{95.6}\n\\begin{document}\n\\section{Results}\n% 7 is a comment\nIt has \
                         $12$ problems, \\acc\\% of \\num{1308}; see~\\cite{a2020}.\n\n\\input{tab}\n\\end{document}\n";
    const TABLE: &str = "\\begin{table}\\caption{Main accuracy}\\begin{tabular}{lr}\\toprule\nmodel & acc (\\%) \\\\\n\
                         \\midrule\nA & $95.6 \\pm 0.1$ \\\\\nB & \\textbf{91.0} \\\\\n\\end{tabular}\\end{table}";

    #[test]
    fn macros_included_files_and_tables_are_read() {
        let mut findings = Vec::new();
        let beside = |name: &str| (name == "tab.tex" || name == "tab").then(|| TABLE.as_bytes().to_vec());
        let paper = inline(PAPER, &beside);
        let document = read("p.tex", &paper, &mut findings);
        assert!(findings.is_empty());
        let Body::Paragraph(words) = &document.blocks[1].body else { panic!("{document:?}") };
        assert_eq!(words.text.trim(), "It has 12 problems, 95.6% of 1308; see .");
        assert_eq!(&paper[words.place(words.text.find("12").unwrap())..][..2], "12");
        let Body::Table(table) = &document.blocks[2].body else { panic!("{document:?}") };
        assert_eq!(table.caption.as_ref().unwrap().text, "Main accuracy");
        assert_eq!(table.heads[1].text.trim(), "acc (%)");
        assert_eq!(table.rows[0].cells[1].text.trim(), "95.6 ± 0.1");
        assert_eq!(table.rows[1].cells[1].text.trim(), "91.0");
        let cell = &table.rows[0].cells[1];
        assert_eq!(
            &paper[cell.place(cell.text.find("0.1").unwrap())..][..3],
            "0.1",
            "what was included has its own place"
        );
        assert_eq!(document.blocks[2].headings, ["Results"]);
    }

    #[test]
    fn a_macro_that_calls_itself_ends() {
        let mut findings = Vec::new();
        let document = read("p.tex", "\\newcommand{\\a}{x\\a\\a}\\a \\input{none}", &mut findings);
        assert!(document.blocks.len() <= 1);
        assert_eq!(findings[0].code, "missing-file");
    }
}
