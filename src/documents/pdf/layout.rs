//! Characters with their places as lines of text. Pieces of a line that stand apart are cells; lines whose cells
//! stand under one another are a table, written with its columns parted by two spaces and an empty cell as a dash.
//! Lines are taken in the order in which the file prints them, so that columns of a page stay apart.
//!
//! Browsers print the spaces between words, so there a gap without one parts cells; TeX prints none, so there only a
//! wide gap does.

use std::fmt::Write;

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// Gap between letters of two words, in sizes of the letters.
const WORD: f64 = 0.1;
/// Gap between two cells.
const CELL: f64 = 0.9;
/// How far letters of a line stand up or down.
const RAISED: f64 = 0.5;
/// Gap between two lines of different paragraphs.
const PARAGRAPH: f64 = 1.5;

/// Most lines of a table.
const TALLEST: usize = 200;
/// Most lines in front of a table, and behind it, that may stand otherwise.
const AROUND: usize = 3;

/// A stretch of letters without a gap that may part cells.
#[derive(Debug, Clone, Default)]
struct Piece {
    text: String,
    left: f64,
    right: f64,
    /// True where only a narrow gap without a printed space stands in front.
    close: bool,
}

/// A line of a page.
#[derive(Debug, Clone, Default)]
struct Line {
    pieces: Vec<Piece>,
    /// Distance from the top of the page.
    down: f64,
    size: f64,
}

impl Line {
    /// Puts pieces together between which only narrow gaps stand.
    fn join(&mut self) {
        let mut joined: Vec<Piece> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            match joined.last_mut().filter(|_| piece.close) {
                Some(last) => {
                    last.text.push(' ');
                    last.text.push_str(&piece.text);
                    last.right = piece.right;
                }
                None => joined.push(piece),
            }
        }
        self.pieces = joined;
    }
}

/// Collects the letters of a file.
#[derive(Debug, Default)]
pub(super) struct Layout {
    lines: Vec<Line>,
    height: f64,
    text: String,
    /// Spaces that the page prints.
    spaces: usize,
    /// True behind one of them.
    spaced: bool,
}

impl Layout {
    /// The text of all pages.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn put(&mut self, left: f64, down: f64, width: f64, size: f64, letters: &str) {
        let right = left + width;
        let new = |text: &str, close: bool| Piece { text: text.to_owned(), left, right, close };
        let same = self.lines.last().is_some_and(|line| {
            let last = line.pieces.last().map_or(f64::MIN, |piece| piece.right);
            (line.down - down).abs() < RAISED * line.size.max(size) && left > last - RAISED * size
        });
        let spaced = std::mem::replace(&mut self.spaced, letters.trim().is_empty());
        self.spaces += usize::from(self.spaced);
        if !same {
            if !letters.trim().is_empty() {
                self.lines.push(Line { pieces: vec![new(letters.trim_start(), false)], down, size });
            }
            return;
        }
        let Some(line) = self.lines.last_mut() else { return };
        let Some(piece) = line.pieces.last_mut() else { return };
        let gap = left - piece.right;
        if letters.trim().is_empty() {
            // A printed space widens the gap to what follows and is written when something does.
            return;
        }
        if gap > CELL * size || gap > 2.0 * WORD * size && !spaced {
            line.pieces.push(new(letters, gap <= CELL * size));
            return;
        }
        if gap > WORD * size && !piece.text.ends_with(' ') {
            piece.text.push(' ');
        }
        piece.text.push_str(letters);
        piece.right = right;
    }

    /// Writes the lines of a page.
    fn write(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        if std::mem::take(&mut self.spaces) < lines.len() {
            lines.iter_mut().for_each(Line::join);
        }
        let mut at = 0;
        while at < lines.len() {
            let wide = lines[at..].iter().take_while(|line| line.pieces.len() > 1).count();
            if let Some((skipped, used, rows)) = table(&lines[at..at + wide]) {
                for line in &lines[at..at + skipped] {
                    self.line(line);
                }
                self.text.push_str("\n\n");
                for row in rows {
                    let _ = writeln!(self.text, "{}", row.join("  "));
                }
                self.text.push('\n');
                at += used;
                continue;
            }
            let before = at.checked_sub(1).map(|before| &lines[before]);
            if before.is_some_and(|before| (lines[at].down - before.down).abs() > PARAGRAPH * lines[at].size) {
                self.text.push('\n');
            }
            self.line(&lines[at]);
            at += 1;
        }
    }

    fn line(&mut self, line: &Line) {
        let pieces: Vec<&str> = line.pieces.iter().map(|piece| piece.text.trim_end()).collect();
        let _ = writeln!(self.text, "{}", pieces.join(" "));
    }
}

/// Lines of several pieces as rows of a table, where each piece stands in one column: how many lines in front are
/// none of it (a line of heads that stands otherwise), and how many it has taken. Lines behind it may be a footer.
fn table(lines: &[Line]) -> Option<(usize, usize, Vec<Vec<String>>)> {
    let lines = &lines[..lines.len().min(TALLEST)];
    let ends = (0..=AROUND).filter_map(|behind| lines.len().checked_sub(behind));
    let all = (0..=AROUND).flat_map(|skipped| ends.clone().map(move |end| (skipped, end)));
    let mut all: Vec<(usize, usize)> = all.filter(|(skipped, end)| skipped + 1 < *end).collect();
    all.sort_by_key(|(skipped, end)| std::cmp::Reverse(end - skipped));
    all.into_iter().find_map(|(skipped, end)| Some((skipped, end, rows(&lines[skipped..end])?)))
}

fn rows(lines: &[Line]) -> Option<Vec<Vec<String>>> {
    let widest = lines.iter().map(|line| line.pieces.len()).max()?;
    let model = lines.iter().find(|line| line.pieces.len() == widest)?;
    let mut columns: Vec<(f64, f64)> = model.pieces.iter().map(|piece| (piece.left, piece.right)).collect();
    let of = |columns: &[(f64, f64)], piece: &Piece| {
        let mut within =
            columns.iter().enumerate().filter(|(_, (left, right))| piece.left < *right && *left < piece.right);
        let found = within.next();
        found.filter(|_| within.next().is_none()).map(|(column, _)| column)
    };
    // Columns are as wide as their widest cells.
    for line in lines {
        for piece in &line.pieces {
            let column = of(&columns, piece)?;
            columns[column] = (columns[column].0.min(piece.left), columns[column].1.max(piece.right));
        }
    }
    if columns.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return None;
    }
    let mut rows = Vec::new();
    for line in lines {
        let mut cells = vec![String::new(); widest];
        for piece in &line.pieces {
            let cell = &mut cells[of(&columns, piece)?];
            if !cell.is_empty() {
                return None;
            }
            piece.text.trim().clone_into(cell);
        }
        for cell in &mut cells {
            // Two spaces part columns; in a cell they are one.
            *cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
            if cell.is_empty() {
                "\u{2014}".clone_into(cell);
            }
        }
        rows.push(cells);
    }
    Some(rows)
}

impl OutputDev for Layout {
    fn begin_page(&mut self, _: u32, page: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        self.height = page.ury - page.lly;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.write();
        self.text.push('\n');
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        letters: &str,
    ) -> Result<(), OutputError> {
        let across = font_size * (place.m11 + place.m21);
        let along = font_size * (place.m12 + place.m22);
        let size = (across * along).abs().sqrt();
        if size.is_finite() && size > 0.0 && place.m31.is_finite() && place.m32.is_finite() {
            self.put(place.m31, self.height - place.m32, width * size, size, letters);
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words at places, each letter half a size wide.
    fn set(words: &[(f64, f64, &str)]) -> String {
        printed(words, false)
    }

    /// The same, with spaces printed in front of letters that stand behind a small gap.
    fn printed(words: &[(f64, f64, &str)], spaces: bool) -> String {
        let mut layout = Layout { height: 100.0, ..Layout::default() };
        for (left, down, word) in words {
            for (at, letter) in word.chars().enumerate().filter(|(_, letter)| spaces || *letter != ' ') {
                layout.put(left + 5.0 * at as f64, *down, 5.0, 10.0, &letter.to_string());
            }
        }
        layout.write();
        layout.into_text()
    }

    #[test]
    fn aligned_cells_are_a_table_and_an_empty_one_is_a_dash() {
        let text = set(&[
            (0.0, 0.0, "Before the table."),
            (60.0, 20.0, "acc"),
            (100.0, 20.0, "n"),
            (0.0, 40.0, "alpha"),
            (60.0, 40.0, "61.2"),
            (100.0, 40.0, "24"),
            (0.0, 60.0, "beta x"),
            (60.0, 60.0, "5.0"),
            (0.0, 80.0, "After it."),
        ]);
        let table: Vec<&str> = text.split("\n\n").map(str::trim).collect();
        assert!(table.contains(&"\u{2014}  acc  n\nalpha  61.2  24\nbeta x  5.0  \u{2014}"), "{text}");
    }

    #[test]
    fn where_spaces_are_printed_a_gap_without_one_parts_cells() {
        let rows = [(0.0, 0.0, "the model"), (49.0, 0.0, "its acc"), (0.0, 20.0, "alpha one"), (49.0, 20.0, "61.2 %")];
        assert!(printed(&rows, true).contains("the model  its acc\nalpha one  61.2 %"), "{}", printed(&rows, true));
        assert!(!printed(&rows, false).contains("  "), "{}", printed(&rows, false));
    }

    #[test]
    fn wide_gaps_that_do_not_stand_under_one_another_are_words() {
        let text = set(&[(0.0, 0.0, "one"), (40.0, 0.0, "two"), (0.0, 12.0, "longer than it"), (90.0, 12.0, "four")]);
        assert_eq!(text, "one two\nlonger than it four\n");
    }
}
