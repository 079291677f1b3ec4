//! Solve matrix: all problems by all configurations, shaded by the number of runs that passed.

use super::canvas::{Anchor, Canvas, Drawing, fitted, px, text_width};

/// Rows are configurations, columns problems in the order given.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Configuration names.
    pub rows: Vec<String>,
    /// Passed and expected runs by row, then problem; `None` where no run counts.
    pub cells: Vec<Vec<Option<(u32, u32)>>>,
}

const ROW: f64 = 20.0;

/// Draws the matrix; cells of one shade are one path, so that thousands of cells stay light.
pub fn matrix(id: &str, title: &str, columns: &str, matrix: &Matrix) -> Drawing {
    let left = matrix.rows.iter().map(|name| text_width(name, 13.0)).fold(60.0, f64::max).min(230.0) + 16.0;
    let count = matrix.cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let cell = (900.0 / count as f64).clamp(1.0, 16.0);
    let (top, width) = (42.0, left + cell * count as f64 + 8.0);
    let bottom = top + ROW * matrix.rows.len() as f64;
    let mut canvas = Canvas::new(width.max(620.0), bottom + 28.0);
    let shades = ["h0", "h2", "h4", "h6", "none"];
    let mut paths = vec![String::new(); shades.len()];
    for (index, (name, cells)) in matrix.rows.iter().zip(&matrix.cells).enumerate() {
        let y = top + ROW * index as f64;
        canvas.text("", (left - 10.0, y + 14.5), Anchor::End, 13.0, &fitted(name, 13.0, 226.0));
        let mut start = 0;
        // Neighbours of one shade are one rectangle.
        while start < cells.len() {
            let shade = shade(cells[start]);
            let end = (start..cells.len()).find(|at| self::shade(cells[*at]) != shade).unwrap_or(cells.len());
            let (x, span) = (left + cell * start as f64, cell * (end - start) as f64);
            paths[shade].push_str(&format!("M{} {}h{}v{}h-{}z", px(x), px(y), px(span), px(ROW - 2.0), px(span)));
            start = end;
        }
    }
    for (class, path) in shades.iter().zip(&paths) {
        canvas.path(class, path);
    }
    canvas.text("muted", (left, bottom + 16.0), Anchor::Start, 12.0, columns);
    let mut x = left;
    for (class, text) in shades.iter().zip(["no run", "fewer than half", "more than half", "every run", "no record"]) {
        canvas.rect(class, (x, 12.0), (14.0, 14.0));
        canvas.text("muted", (x + 20.0, 23.5), Anchor::Start, 12.0, text);
        x += 40.0 + text_width(text, 12.0);
    }
    let description = format!(
        "Matrix of {} configurations by {count} problems, shaded by the share of runs that solved the problem; the problem list has the same counts as text.",
        matrix.rows.len()
    );
    canvas.finish(id, title, &description)
}

fn shade(cell: Option<(u32, u32)>) -> usize {
    match cell {
        None => 4,
        Some((0, _)) => 0,
        Some((passed, expected)) if passed >= expected => 3,
        Some((passed, expected)) if 2 * passed > expected => 2,
        Some(_) => 1,
    }
}
