//! Accuracy of every configuration: mean, single runs, interval, printed value.

use super::canvas::{Anchor, Canvas, Drawing, Scale, fitted, text_width};
use crate::number;

/// One configuration. Values in percent.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// Name.
    pub name: String,
    /// Filled (reasoning) or hollow (not).
    pub filled: bool,
    /// Mean over runs.
    pub mean: f64,
    /// Text printed at the end of the row.
    pub printed: String,
    /// Single runs.
    pub runs: Vec<f64>,
    /// Interval around the mean, where there is one.
    pub interval: Option<(f64, f64)>,
}

const ROW: f64 = 26.0;
const TOP: f64 = 40.0;
const SIZE: f64 = 13.0;

/// Draws the rows in the order given.
pub fn accuracy(id: &str, title: &str, interval: &str, rows: &[Accuracy]) -> Drawing {
    let label = rows.iter().map(|row| text_width(&row.name, SIZE)).fold(80.0, f64::max).min(230.0);
    let printed = rows.iter().map(|row| text_width(&row.printed, SIZE)).fold(60.0, f64::max);
    let width = 780.0;
    // Printed values are bold, which is wider; the widest whisker ends with a tick that needs room too.
    let (left, right) = (label + 18.0, width - 1.12 * printed - 30.0);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut canvas = Canvas::new(width, bottom + 46.0);
    let lowest = rows.iter().flat_map(|r| [r.mean, r.interval.map_or(r.mean, |i| i.0)]).fold(100.0, f64::min);
    let scale = Scale::linear(((lowest / 10.0).floor().max(0.0) * 10.0, 100.0), (left, right));

    for (index, _) in rows.iter().enumerate().filter(|(index, _)| index % 2 == 0) {
        canvas.rect("band", (0.0, TOP + ROW * index as f64), (width, ROW));
    }
    for tick in scale.ticks(8) {
        let x = scale.at(tick);
        canvas.line("rule", (x, TOP), (x, bottom));
        canvas.text("muted", (x, bottom + 18.0), Anchor::Middle, 12.0, &number::fixed(tick, 0));
    }
    canvas.line("axis", (left, bottom), (right, bottom));
    canvas.text("muted", (f64::midpoint(left, right), bottom + 38.0), Anchor::Middle, 12.0, "problems solved, percent");
    legend(&mut canvas, left, interval, rows.iter().any(|row| row.filled));
    for (index, row) in rows.iter().enumerate() {
        draw_row(&mut canvas, &scale, row, TOP + ROW * (index as f64 + 0.5), (left, label, width));
    }
    canvas.finish(id, title, &describe(rows))
}

/// Settings are told apart where a configuration has one that is marked.
fn legend(canvas: &mut Canvas, left: f64, interval: &str, settings: bool) {
    let (y, mut x) = (18.0, left);
    let mut entry = |canvas: &mut Canvas, text: &str, draw: &dyn Fn(&mut Canvas, f64)| {
        draw(canvas, x + 7.0);
        canvas.text("muted", (x + 18.0, y + 4.0), Anchor::Start, 12.0, text);
        x += 34.0 + text_width(text, 12.0);
    };
    if settings {
        entry(canvas, "reasoning", &|c, x| c.circle("blue", (x, y), 5.0));
        entry(canvas, "non-reasoning", &|c, x| c.circle("hollow", (x, y), 4.4));
    }
    entry(canvas, "single run", &|c, x| c.line("tick", (x, y - 6.0), (x, y + 6.0)));
    if !interval.is_empty() {
        entry(canvas, interval, &|c, x| c.line("whisker", (x - 8.0, y), (x + 8.0, y)));
    }
}

fn draw_row(canvas: &mut Canvas, scale: &Scale, row: &Accuracy, y: f64, (left, label, width): (f64, f64, f64)) {
    canvas.begin(&format!("{}: {}", row.name, row.printed));
    canvas.text("", (left - 10.0, y + 4.5), Anchor::End, SIZE, &fitted(&row.name, SIZE, label + 6.0));
    if let Some((low, high)) = row.interval {
        canvas.line("whisker", (scale.at(low), y), (scale.at(high), y));
        for end in [low, high] {
            canvas.line("whisker", (scale.at(end), y - 4.0), (scale.at(end), y + 4.0));
        }
    }
    for run in &row.runs {
        canvas.line("tick", (scale.at(*run), y - 8.0), (scale.at(*run), y + 8.0));
    }
    canvas.circle(
        if row.filled { "blue" } else { "hollow" },
        (scale.at(row.mean), y),
        if row.filled { 5.4 } else { 4.6 },
    );
    canvas.text("b", (width - 8.0, y + 4.5), Anchor::End, SIZE, &row.printed);
    canvas.end();
}

fn describe(rows: &[Accuracy]) -> String {
    let said: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, row.printed)).collect();
    format!("Dot plot of accuracy in percent, one row per configuration, best first. {}.", said.join("; "))
}
