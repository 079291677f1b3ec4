//! Accuracy against tokens on a logarithmic axis; the two settings of a model are joined.

use super::canvas::{Anchor, Canvas, Drawing, Scale, text_width};
use crate::number;

/// One configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Spending {
    /// Name.
    pub name: String,
    /// Model shared by twins.
    pub backbone: String,
    /// Filled (reasoning) or hollow (not).
    pub filled: bool,
    /// Tokens per run.
    pub tokens: f64,
    /// Accuracy in percent.
    pub accuracy: f64,
    /// True when the count is a lower bound.
    pub at_least: bool,
}

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 520.0;
const SIZE: f64 = 12.0;

/// Draws the points with direct labels.
pub fn tokens(id: &str, title: &str, points: &[Spending]) -> Drawing {
    let (left, right, top, bottom) = (52.0, WIDTH - 40.0, 40.0, HEIGHT - 56.0);
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    let low = points.iter().map(|p| p.tokens).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|p| p.tokens).fold(1.0, f64::max);
    let floor = points.iter().map(|p| p.accuracy).fold(100.0, f64::min);
    let x = Scale::log((low / 1.6, high * 2.6), (left, right));
    let y = Scale::linear(((floor / 10.0).floor() * 10.0, 100.0), (bottom, top));
    for tick in y.ticks(7) {
        canvas.line("rule", (left, y.at(tick)), (right, y.at(tick)));
        canvas.text("muted", (left - 8.0, y.at(tick) + 4.0), Anchor::End, SIZE, &number::fixed(tick, 0));
    }
    for tick in decades(low / 1.6, high * 2.6) {
        canvas.line("axis", (x.at(tick), bottom), (x.at(tick), bottom + 5.0));
        canvas.text("muted", (x.at(tick), bottom + 20.0), Anchor::Middle, SIZE, &short(tick));
    }
    canvas.line("axis", (left, bottom), (right, bottom));
    canvas.text(
        "muted",
        (f64::midpoint(left, right), bottom + 42.0),
        Anchor::Middle,
        SIZE,
        "tokens per run, logarithmic",
    );
    canvas.text("muted", (left - 40.0, 20.0), Anchor::Start, SIZE, "problems solved, percent");
    for (index, point) in points.iter().enumerate() {
        for twin in points[index + 1..].iter().filter(|other| other.backbone == point.backbone) {
            canvas.line("join", (x.at(point.tokens), y.at(point.accuracy)), (x.at(twin.tokens), y.at(twin.accuracy)));
        }
    }
    let mut taken: Vec<[f64; 4]> = points.iter().map(|p| around((x.at(p.tokens), y.at(p.accuracy)))).collect();
    for point in points {
        let at = (x.at(point.tokens), y.at(point.accuracy));
        canvas.begin(&format!(
            "{}: {} percent, {} tokens",
            point.name,
            number::fixed(point.accuracy, 1),
            short(point.tokens)
        ));
        canvas.circle(if point.filled { "blue" } else { "hollow" }, at, if point.filled { 5.4 } else { 4.6 });
        if point.at_least {
            canvas.path(
                "l-grey",
                &format!("M{} {}h14m-4 -4l4 4l-4 4", super::canvas::px(at.0 + 7.0), super::canvas::px(at.1)),
            );
        }
        let (place, anchor) = label_place(at, &point.name, point.at_least, &mut taken);
        canvas.text("", place, anchor, SIZE, &point.name);
        canvas.end();
    }
    let said: Vec<String> = points
        .iter()
        .map(|p| format!("{} {} percent at {} tokens", p.name, number::fixed(p.accuracy, 1), short(p.tokens)))
        .collect();
    let description = format!(
        "Scatter plot of accuracy against tokens per run; settings of one model are joined; an arrow marks a lower bound. {}.",
        said.join("; ")
    );
    canvas.finish(id, title, &description)
}

fn around((x, y): (f64, f64)) -> [f64; 4] {
    [x - 6.0, y - 6.0, x + 6.0, y + 6.0]
}

/// The first place around a point where its label covers nothing.
fn label_place(at: (f64, f64), name: &str, arrow: bool, taken: &mut Vec<[f64; 4]>) -> ((f64, f64), Anchor) {
    let width = text_width(name, SIZE);
    let right = if arrow { 26.0 } else { 10.0 };
    let offers = [
        (right, 4.0, Anchor::Start),
        (-10.0, 4.0, Anchor::End),
        (0.0, -10.0, Anchor::Middle),
        (0.0, 19.0, Anchor::Middle),
        (right, -9.0, Anchor::Start),
        (right, 17.0, Anchor::Start),
        (-10.0, -9.0, Anchor::End),
        (-10.0, 17.0, Anchor::End),
    ];
    let area = |&(dx, dy, anchor): &(f64, f64, Anchor)| {
        let x = at.0 + dx;
        let from = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        [from, at.1 + dy - SIZE, from + width, at.1 + dy + 3.0]
    };
    let free = |area: [f64; 4]| {
        area[0] > 54.0
            && area[2] < WIDTH
            && taken.iter().all(|t| area[2] < t[0] || t[2] < area[0] || area[3] < t[1] || t[3] < area[1])
    };
    let offer = *offers.iter().find(|offer| free(area(offer))).unwrap_or(&offers[0]);
    taken.push(area(&offer));
    ((at.0 + offer.0, at.1 + offer.1), offer.2)
}

/// 1, 2 and 5 times powers of ten inside a range.
fn decades(low: f64, high: f64) -> Vec<f64> {
    (0..13)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)))
        .filter(|tick| (low..=high).contains(tick))
        .collect()
}

/// `340k`, `1.4M`.
fn short(value: f64) -> String {
    let (scaled, suffix) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let decimals = usize::from(scaled < 10.0 && scaled.fract().abs() > 1e-9);
    format!("{}{suffix}", number::fixed(scaled, decimals))
}
