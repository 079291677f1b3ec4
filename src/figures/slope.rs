//! Slope chart: the same items under two formats, one line per configuration.

use super::canvas::{Anchor, Canvas, Drawing, Scale, text_width};
use crate::number;

/// One line of a slope chart. Values in percent.
#[derive(Debug, Clone, PartialEq)]
pub struct Slope {
    /// Name.
    pub name: String,
    /// Value on the left.
    pub left: f64,
    /// Value on the right.
    pub right: f64,
}

const SPACING: f64 = 17.0;

/// Draws the lines, each labelled at both ends.
pub fn slope(id: &str, title: &str, sides: (&str, &str), rows: &[Slope]) -> Drawing {
    let label = rows.iter().map(|row| text_width(&row.name, 13.0)).fold(80.0, f64::max).min(240.0) + 58.0;
    let (width, height) = (label * 2.0 + 300.0, (rows.len() as f64 * 24.0).max(300.0) + 90.0);
    let (left, right, top, bottom) = (label, width - label, 56.0, height - 26.0);
    let mut canvas = Canvas::new(width, height);
    let all = || rows.iter().flat_map(|row| [row.left, row.right]);
    let (low, high) = (all().fold(100.0, f64::min), all().fold(0.0, f64::max));
    let scale = Scale::linear((low - 2.0, high + 2.0), (bottom, top));
    for (x, text) in [(left, sides.0), (right, sides.1)] {
        canvas.line("rule", (x, top - 12.0), (x, bottom));
        canvas.text("b", (x, 26.0), Anchor::Middle, 14.0, text);
    }
    let places =
        |value: &dyn Fn(&Slope) -> f64| spread(&rows.iter().map(|row| scale.at(value(row))).collect::<Vec<_>>());
    let (at_left, at_right) = (places(&|row| row.left), places(&|row| row.right));
    for (index, row) in rows.iter().enumerate() {
        let (y1, y2) = (scale.at(row.left), scale.at(row.right));
        let class = if row.right < row.left { "l-orange" } else { "l-blue" };
        canvas.begin(&format!("{}: {} to {}", row.name, number::fixed(row.left, 1), number::fixed(row.right, 1)));
        canvas.line(class, (left, y1), (right, y2));
        for (x, y) in [(left, y1), (right, y2)] {
            canvas.circle(if row.right < row.left { "orange" } else { "blue" }, (x, y), 4.2);
        }
        let text = |value: f64| number::fixed(value, 1);
        canvas.text(
            "",
            (left - 12.0, at_left[index] + 4.5),
            Anchor::End,
            13.0,
            &format!("{}  {}", row.name, text(row.left)),
        );
        canvas.text(
            "",
            (right + 12.0, at_right[index] + 4.5),
            Anchor::Start,
            13.0,
            &format!("{}  {}", text(row.right), row.name),
        );
        canvas.end();
    }
    let said: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {} to {}", row.name, number::fixed(row.left, 1), number::fixed(row.right, 1)))
        .collect();
    canvas.finish(id, title, &format!("Slope chart from {} to {} in percent. {}.", sides.0, sides.1, said.join("; ")))
}

/// Positions of labels: near the wanted ones, never closer than the spacing.
pub(crate) fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    let mut places = wanted.to_vec();
    // Push down where labels collide, then pull each crowded group back around its middle.
    for _ in 0..60 {
        for pair in order.windows(2) {
            let overlap = SPACING - (places[pair[1]] - places[pair[0]]);
            if overlap > 0.01 {
                places[pair[0]] -= overlap / 2.0;
                places[pair[1]] += overlap / 2.0;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_order() {
        let places = spread(&[10.0, 12.0, 11.0, 100.0]);
        assert!(places[0] < places[2] && places[2] < places[1] && places[1] < places[3], "{places:?}");
        assert!(places[2] - places[0] > 16.0 && (places[3] - 100.0).abs() < 1e-9, "{places:?}");
    }
}
