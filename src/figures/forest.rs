//! Forest plot: differences with intervals around a zero line.

use super::canvas::{Anchor, Canvas, Drawing, Scale, fitted, minus, text_width};
use crate::number;

/// One row of a forest plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// Name.
    pub name: String,
    /// Difference.
    pub value: f64,
    /// Interval, where there is one.
    pub interval: Option<(f64, f64)>,
    /// Text at the end of the row.
    pub printed: String,
    /// True where the row stands out (an adjusted p below the level).
    pub strong: bool,
}

const ROW: f64 = 24.0;
const TOP: f64 = 34.0;

/// Draws the rows in the order given.
pub fn forest(id: &str, title: &str, unit: &str, sides: (&str, &str), rows: &[Forest]) -> Drawing {
    let label = rows.iter().map(|row| text_width(&row.name, 13.0)).fold(80.0, f64::max).min(230.0);
    let printed = rows.iter().map(|row| text_width(&row.printed, 12.5)).fold(60.0, f64::max).min(330.0);
    let width = (label + printed + 420.0).max(760.0);
    let (left, right) = (label + 18.0, width - printed - 22.0);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut canvas = Canvas::new(width, bottom + 46.0);
    let ends = rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unwrap_or((row.value, row.value));
        [low, high, row.value, 0.0]
    });
    let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let margin = ((high - low) * 0.05).max(0.5);
    let scale = Scale::linear(((low - margin).floor(), (high + margin).ceil()), (left, right));
    for index in (0..rows.len()).step_by(2) {
        canvas.rect("band", (0.0, TOP + ROW * index as f64), (width, ROW));
    }
    for tick in scale.ticks(7) {
        canvas.line("rule", (scale.at(tick), TOP), (scale.at(tick), bottom));
        let text =
            if tick == 0.0 { "0".to_owned() } else { minus(&number::signed(tick, usize::from(tick.fract() != 0.0))) };
        canvas.text("muted", (scale.at(tick), bottom + 18.0), Anchor::Middle, 12.0, &text);
    }
    canvas.line("axis", (scale.at(0.0), TOP - 4.0), (scale.at(0.0), bottom));
    canvas.text("muted", (f64::midpoint(left, right), bottom + 38.0), Anchor::Middle, 12.0, unit);
    canvas.text("muted", (scale.at(0.0) - 8.0, TOP - 12.0), Anchor::End, 12.0, &format!("← {}", sides.0));
    canvas.text("muted", (scale.at(0.0) + 8.0, TOP - 12.0), Anchor::Start, 12.0, &format!("{} →", sides.1));
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        canvas.begin(&format!("{}: {}", row.name, row.printed));
        canvas.text("", (left - 10.0, y + 4.5), Anchor::End, 13.0, &fitted(&row.name, 13.0, label + 6.0));
        if let Some((low, high)) = row.interval {
            canvas.line("whisker", (scale.at(low), y), (scale.at(high), y));
            for end in [low, high] {
                canvas.line("whisker", (scale.at(end), y - 4.0), (scale.at(end), y + 4.0));
            }
        }
        let (class, size) = if row.strong { ("orange", 5.2) } else { ("blue", 4.8) };
        canvas.rect(class, (scale.at(row.value) - size, y - size), (size * 2.0, size * 2.0));
        canvas.text(if row.strong { "b" } else { "" }, (width - 8.0, y + 4.5), Anchor::End, 12.5, &minus(&row.printed));
        canvas.end();
    }
    let said: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, row.printed)).collect();
    canvas.finish(id, title, &format!("Forest plot of differences in {unit}, one row per name. {}.", said.join("; ")))
}
