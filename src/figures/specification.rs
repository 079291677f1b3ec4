//! Specification curve: what a conclusion rests on under every combination of choices, sorted, and below each
//! combination which choices are made otherwise (Simonsohn, Simmons and Nelson 2020).

use super::canvas::{Anchor, Canvas, Drawing, Scale, fitted, minus, px, text_width};
use crate::number;

/// A curve. Neighbouring combinations may stand in one column, so that thousands fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Specifications {
    /// Names of the settings, one row each.
    pub rows: Vec<String>,
    /// Columns, sorted by value.
    pub columns: Vec<SpecificationColumn>,
    /// What the value is held against, where it is.
    pub threshold: Option<f64>,
    /// What the value is, at the axis.
    pub value: String,
    /// Number of combinations in all columns.
    pub of: usize,
}

/// Combinations that stand together.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecificationColumn {
    /// Smallest and largest value; nothing where the conclusion has no number.
    pub values: Option<(f64, f64)>,
    /// In how many the conclusion holds.
    pub holds: usize,
    /// How many they are.
    pub of: usize,
    /// By row, in how many of them the choice is made so.
    pub made: Vec<usize>,
    /// True for the column of what the study did.
    pub as_done: bool,
}

const ROW: f64 = 18.0;
const TOP: f64 = 40.0;
const CURVE: f64 = 150.0;
/// Shades from none to all of a column.
const SHADES: [&str; 5] = ["h1", "h2", "h3", "h4", "h5"];

/// Draws the curve above the matrix of choices.
pub fn specification(id: &str, title: &str, curve: &Specifications) -> Drawing {
    let label = curve.rows.iter().map(|row| text_width(row, 12.5)).fold(90.0, f64::max).min(260.0);
    let left = label + 20.0;
    let count = curve.columns.len().max(1) as f64;
    let cell = (720.0 / count).clamp(2.0, 22.0);
    let right = left + cell * count;
    let values: Vec<(f64, f64)> = curve.columns.iter().filter_map(|column| column.values).collect();
    let height = if values.is_empty() { 26.0 } else { CURVE };
    let matrix = TOP + height + 14.0;
    let bottom = matrix + ROW * curve.rows.len() as f64;
    let mut canvas = Canvas::new((right + 16.0).max(640.0), bottom + 26.0);
    legend(&mut canvas, left);
    let at = |index: usize| left + cell * index as f64;
    if values.is_empty() {
        for (index, column) in curve.columns.iter().enumerate() {
            canvas.rect(class(column), (at(index), TOP), (cell - 0.4, 22.0));
        }
    } else {
        let ends = || values.iter().flat_map(|(low, high)| [*low, *high]).chain(curve.threshold);
        let (low, high) = ends().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let margin = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) / 2.0 };
        let scale = Scale::linear((low - margin, high + margin), (TOP + CURVE, TOP));
        axis(&mut canvas, &scale, left, right, curve);
        for (index, column) in curve.columns.iter().enumerate() {
            let Some((low, high)) = column.values else { continue };
            let (top, end) = (scale.at(high), scale.at(low));
            let grown = (end - top).max(4.0);
            canvas.rect(class(column), (at(index) + 0.3, f64::midpoint(top, end) - grown / 2.0), (cell - 0.6, grown));
        }
    }
    if let Some(index) = curve.columns.iter().position(|column| column.as_done) {
        let x = at(index) + cell / 2.0;
        canvas.line("tick", (x, TOP - 8.0), (x, bottom));
        canvas.text("muted", (x + 4.0, TOP - 2.0), Anchor::Start, 11.0, "as the study did it");
    }
    let mut paths = vec![String::new(); SHADES.len()];
    for (row, name) in curve.rows.iter().enumerate() {
        let y = matrix + ROW * row as f64;
        if row % 2 == 0 {
            canvas.rect("band", (0.0, y), (right, ROW));
        }
        canvas.text("", (left - 10.0, y + 13.0), Anchor::End, 12.5, &fitted(name, 12.5, label + 6.0));
        for (index, column) in curve.columns.iter().enumerate() {
            let made = column.made.get(row).copied().unwrap_or(0);
            if made == 0 || column.of == 0 {
                continue;
            }
            let shade = (made * SHADES.len() - 1) / column.of;
            let (x, width, tall) = (at(index), cell - 0.4, ROW - 4.0);
            paths[shade.min(SHADES.len() - 1)].push_str(&format!(
                "M{} {}h{}v{}h-{}z",
                px(x),
                px(y + 2.0),
                px(width),
                px(tall),
                px(width)
            ));
        }
    }
    for (class, path) in SHADES.iter().zip(&paths) {
        canvas.path(class, path);
    }
    canvas.text(
        "muted",
        (left, bottom + 18.0),
        Anchor::Start,
        12.0,
        "combinations, sorted; below each, what was chosen otherwise",
    );
    let holds: usize = curve.columns.iter().map(|column| column.holds).sum();
    let description = format!(
        "Specification curve over {} combinations of choices; the conclusion holds in {holds}. The table below has the same by choice.",
        curve.of
    );
    canvas.finish(id, title, &description)
}

const fn class(column: &SpecificationColumn) -> &'static str {
    if column.holds == column.of {
        "blue"
    } else if column.holds == 0 {
        "orange"
    } else {
        "grey"
    }
}

fn legend(canvas: &mut Canvas, left: f64) {
    let mut x = left;
    for (class, text) in [("blue", "holds"), ("orange", "does not"), ("grey", "some of each")] {
        canvas.rect(class, (x, 8.0), (12.0, 12.0));
        canvas.text("muted", (x + 18.0, 18.5), Anchor::Start, 12.0, text);
        x += 40.0 + text_width(text, 12.0);
    }
}

fn axis(canvas: &mut Canvas, scale: &Scale, left: f64, right: f64, curve: &Specifications) {
    for tick in scale.ticks(5) {
        let y = scale.at(tick);
        canvas.line("rule", (left, y), (right, y));
        canvas.text("muted", (left - 8.0, y + 4.0), Anchor::End, 11.5, &minus(&number::general(tick, 4)));
    }
    if let Some(threshold) = curve.threshold {
        canvas.line("axis", (left, scale.at(threshold)), (right, scale.at(threshold)));
    }
    canvas.text("muted", (4.0, TOP + 4.0), Anchor::Start, 11.5, &fitted(&curve.value, 11.5, left - 60.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_stays_text_and_every_column_is_drawn() {
        let column = |holds: usize, value: Option<f64>| SpecificationColumn {
            values: value.map(|v| (v, v)),
            holds,
            of: 2,
            made: vec![holds],
            as_done: holds == 2,
        };
        let curve = Specifications {
            rows: vec!["<script>".to_owned()],
            columns: vec![column(0, Some(-1.0)), column(1, Some(0.5)), column(2, Some(3.0))],
            threshold: Some(0.0),
            value: "points".to_owned(),
            of: 6,
        };
        let svg = specification("s", "S", &curve).standalone();
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script"));
        assert_eq!(["class=\"blue\"", "class=\"orange\"", "class=\"grey\""].map(|c| svg.matches(c).count()), [2, 2, 2]);
        let none = Specifications { columns: vec![column(2, None)], ..curve };
        assert!(specification("s", "S", &none).inline().contains("holds in 2"));
    }
}
