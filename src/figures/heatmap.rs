//! A matrix of percentages: shade and printed number, missing cells hatched by a dash.

use super::canvas::{Anchor, Canvas, Drawing, fitted, text_width};
use crate::number;

/// Rows by columns of percentages.
#[derive(Debug, Clone, PartialEq)]
pub struct Heatmap {
    /// Row names.
    pub rows: Vec<String>,
    /// Column names with a small second line (counts).
    pub columns: Vec<(String, String)>,
    /// Values in percent by row, then column.
    pub values: Vec<Vec<Option<f64>>>,
}

const SIZE: f64 = 12.0;
const ROW: f64 = 27.0;
const COLUMN: f64 = 56.0;

/// Draws the matrix; shades are steps of the range of the values.
pub fn heatmap(id: &str, title: &str, unit: &str, map: &Heatmap) -> Drawing {
    let left = map.rows.iter().map(|name| text_width(name, 13.0)).fold(60.0, f64::max).min(230.0) + 16.0;
    let slant = map.columns.iter().map(|(name, _)| text_width(name, SIZE)).fold(40.0, f64::max).min(200.0);
    let top = slant * 0.71 + 40.0;
    let columns = map.columns.len() as f64;
    let width = left + COLUMN * columns + slant * 0.71 + 10.0;
    let height = top + ROW * map.rows.len() as f64 + 52.0;
    let mut canvas = Canvas::new(width, height);
    let all = || map.values.iter().flatten().flatten().copied();
    let low = (all().fold(100.0, f64::min) / 10.0).floor() * 10.0;
    for (column, (name, note)) in map.columns.iter().enumerate() {
        let x = left + COLUMN * (column as f64 + 0.5);
        canvas.slanted((x - 2.0, top - 24.0), SIZE, &fitted(name, SIZE, 200.0));
        canvas.text("muted", (x, top - 8.0), Anchor::Middle, 11.0, note);
    }
    for (index, (name, values)) in map.rows.iter().zip(&map.values).enumerate() {
        let y = top + ROW * index as f64;
        canvas.text("", (left - 10.0, y + 18.0), Anchor::End, 13.0, &fitted(name, 13.0, 226.0));
        for (column, value) in values.iter().enumerate() {
            let x = left + COLUMN * column as f64;
            let (shade, ink, text) = match value {
                Some(value) => {
                    let step = shade(*value, low);
                    (SHADES[step], if step >= 4 { "t-light" } else { "t-dark" }, number::fixed(*value, 1))
                }
                None => ("none", "muted", "–".to_owned()),
            };
            canvas.rect(shade, (x + 0.5, y + 0.5), (COLUMN - 1.0, ROW - 1.0));
            canvas.text(ink, (x + COLUMN / 2.0, y + 17.8), Anchor::Middle, SIZE, &text);
        }
    }
    key(&mut canvas, left, top + ROW * map.rows.len() as f64 + 16.0, low, unit);
    let description = format!(
        "Matrix of {} rows and {} columns; each cell prints its value in {unit} and is shaded by it. The data table has the same numbers.",
        map.rows.len(),
        map.columns.len()
    );
    canvas.finish(id, title, &description)
}

const SHADES: [&str; 7] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6"];

fn shade(value: f64, low: f64) -> usize {
    let share = (value - low) / (100.0 - low).max(1e-9);
    ((share * 7.0).floor().max(0.0) as usize).min(6)
}

fn key(canvas: &mut Canvas, left: f64, y: f64, low: f64, unit: &str) {
    for (index, class) in SHADES.iter().enumerate() {
        let x = left + 44.0 * index as f64;
        canvas.rect(class, (x, y), (44.0, 10.0));
        let value = low + (100.0 - low) * index as f64 / 7.0;
        canvas.text("muted", (x, y + 24.0), Anchor::Middle, 11.0, &number::fixed(value, 0));
    }
    canvas.text("muted", (left + 44.0 * 7.0, y + 24.0), Anchor::Middle, 11.0, "100");
    canvas.text("muted", (left + 44.0 * 7.0 + 22.0, y + 10.0), Anchor::Start, 11.0, unit);
}
