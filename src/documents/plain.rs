//! Plain text: paragraphs between blank lines, numbered or short lines as headings, tables of aligned
//! columns or tabs.

use super::model::{Builder, Document, Form, Passage, Table, TableRow};

/// Reads plain text, or the text layer of a PDF.
pub(super) fn read(file: &str, text: &str, form: Form) -> Document {
    let mut builder = Builder::default();
    let mut at = 0;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            flush(&mut builder, &mut lines);
        } else {
            lines.push((at, line.trim_end()));
        }
        at += line.len();
    }
    flush(&mut builder, &mut lines);
    builder.document(file, form)
}

fn flush(builder: &mut Builder, lines: &mut Vec<(usize, &str)>) {
    let lines = std::mem::take(lines);
    if let [(at, line)] = lines.as_slice()
        && let Some(level) = heading(line)
    {
        builder.heading(level, Passage::of(line, *at));
        return;
    }
    if let Some(table) = table(&lines) {
        builder.table(table);
        return;
    }
    let mut passage = Passage::of_lines(are_rows(&lines));
    for (at, line) in &lines {
        // A word that was broken at the end of a line is put together again.
        if passage.text.ends_with('-') && line.starts_with(char::is_lowercase) {
            passage.text.pop();
        } else {
            passage.space();
        }
        passage.push(line, *at);
    }
    builder.paragraph(passage);
}

/// The level of a heading: `2.1 Results`, `# Results`, or a short line without a full stop.
fn heading(line: &str) -> Option<u8> {
    let line = line.trim();
    let first = line.split_whitespace().next()?;
    let rest = line[first.len()..].trim();
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number && rest.starts_with(char::is_uppercase) && rest.len() < 120 && !rest.ends_with('.') {
        let dots = first.trim_end_matches('.').bytes().filter(|byte| *byte == b'.').count();
        return u8::try_from(dots + 2).ok();
    }
    let is_short = line.len() < 120 && !line.contains(". ") && !line.ends_with(['.', ':', ';', ',', '?']);
    (is_short && line.starts_with(char::is_uppercase) && !line.bytes().any(|byte| byte.is_ascii_digit())).then_some(1)
}

/// True for lines that all end in a number and not in a full stop, as the rows of a table do.
fn are_rows(lines: &[(usize, &str)]) -> bool {
    let is_row = |line: &str| {
        let last = line.split_whitespace().last().unwrap_or("").trim_end_matches(['%', ')', '*', '\u{2020}']);
        let digits = last.bytes().filter(u8::is_ascii_digit).count();
        digits > 0
            && last.chars().all(|c| c.is_ascii_digit() || "+-\u{2212}.,/(\u{b1}".contains(c))
            && !last.ends_with(['.', ','])
    };
    // The first line may hold the heads.
    lines.len() > 1 && lines.iter().skip(1).all(|(_, line)| is_row(line)) && (lines.len() > 2 || is_row(lines[0].1))
}

/// Columns parted by tabs or by two or more spaces, the same number in every line.
fn table(lines: &[(usize, &str)]) -> Option<Table> {
    if lines.len() < 2 {
        return None;
    }
    let rows: Vec<Vec<Passage>> = lines.iter().map(|(at, line)| columns(*at, line)).collect();
    let width = rows[0].len();
    if width < 2 || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let mut rows = rows.into_iter();
    let heads = rows.next()?;
    Some(Table { caption: None, heads, rows: rows.map(|cells| TableRow { cells }).collect() })
}

fn columns(at: usize, line: &str) -> Vec<Passage> {
    let mut cells = Vec::new();
    let mut start = 0;
    let bytes = line.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let gap = bytes[end] == b'\t' || (bytes[end] == b' ' && bytes.get(end + 1) == Some(&b' '));
        if gap {
            if end > start {
                cells.push(Passage::of(&line[start..end], at + start));
            }
            while end < bytes.len() && matches!(bytes[end], b' ' | b'\t') {
                end += 1;
            }
            start = end;
        } else {
            end += 1;
        }
    }
    if start < bytes.len() {
        cells.push(Passage::of(&line[start..], at + start));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Body;

    #[test]
    fn rows_whose_columns_are_lost_are_no_sentence() {
        let rows = |text: &str| {
            let document = read("a.txt", text, Form::Pdf);
            let Body::Paragraph(words) = &document.blocks[0].body else { panic!("{document:?}") };
            words.rows
        };
        assert!(rows("model acc n\nalpha 61.2 24\nbeta 5.0 24\n"));
        assert!(!rows("It solves 61.2% of 24\nproblems, and the other one 5.0%\nof them.\n"));
    }

    #[test]
    fn headings_paragraphs_and_aligned_tables_are_told_apart() {
        let text = "2.1 Results\n\nA para-\ngraph of two lines.\n\nmodel   acc\na b     95.6\n";
        let document = read("a.txt", text, Form::Plain);
        assert!(matches!(&document.blocks[0].body, Body::Heading(_)));
        let Body::Paragraph(words) = &document.blocks[1].body else { panic!() };
        assert_eq!(words.text, "A paragraph of two lines.");
        let Body::Table(table) = &document.blocks[2].body else { panic!("{:?}", document.blocks[2]) };
        assert_eq!(table.rows[0].cells[0].text, "a b");
        assert_eq!(&text[table.rows[0].cells[1].place(0)..][..4], "95.6");
    }
}
