//! Tables of a LaTeX source, and the caption of the float around them.

use super::super::model::{Passage, Table, TableRow};
use super::Reader;

/// A table that is being read.
#[derive(Default)]
pub(super) struct Grid {
    rows: Vec<Vec<Passage>>,
    row: Vec<Passage>,
}

impl Reader {
    pub(super) fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.passage);
        if let Some(grid) = self.tables.last_mut() {
            grid.row.push(cell);
        }
    }

    pub(super) fn end_row(&mut self) {
        self.end_cell();
        if let Some(grid) = self.tables.last_mut() {
            let row = std::mem::take(&mut grid.row);
            if row.iter().any(|cell| !cell.is_blank()) {
                grid.rows.push(row);
            }
        }
    }

    /// A table inside a cell is the text of that cell.
    pub(super) fn end_table(&mut self) {
        self.end_row();
        let Some(grid) = self.tables.pop() else { return };
        if !self.tables.is_empty() {
            for cell in grid.rows.iter().flatten() {
                self.passage.space();
                self.passage.push(&cell.text, cell.place(0));
            }
            return;
        }
        let heads = grid.rows.iter().take_while(|row| is_head(row)).count().clamp(1, 3);
        let mut rows = grid.rows.into_iter();
        let mut table = Table { caption: self.caption.take(), ..Table::default() };
        for row in rows.by_ref().take(heads) {
            for (at, cell) in row.into_iter().enumerate() {
                match table.heads.get_mut(at) {
                    Some(head) => {
                        head.space();
                        head.push(&cell.text, cell.place(0));
                    }
                    None => table.heads.push(cell),
                }
            }
        }
        table.rows = rows.map(|cells| TableRow { cells }).collect();
        self.builder.table(table);
    }

    /// The caption of a float: of the table that follows, or of the one before without a caption.
    pub(super) fn caption(&mut self, caption: Passage) {
        match self.builder.last_table() {
            Some(table) if table.caption.is_none() && self.passage.is_blank() => table.caption = Some(caption),
            _ => self.caption = Some(caption),
        }
    }

    /// At the end of a float a caption without a table is text (a figure).
    pub(super) fn end_float(&mut self) {
        if let Some(caption) = self.caption.take() {
            self.builder.paragraph(caption);
        }
    }
}

/// A row of heads holds no number outside words.
fn is_head(row: &[Passage]) -> bool {
    let holds = |cell: &Passage| cell.text.trim().starts_with(|c: char| c.is_ascii_digit() || "+-\u{2212}".contains(c));
    row.iter().skip(1).all(|cell| !holds(cell))
}
