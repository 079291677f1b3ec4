//! Primitives of a figure, and the only place that knows plotters.
//!
//! Plotters chooses axis ticks (linear and logarithmic ranges). Its SVG writer is not used: it rounds to
//! whole pixels, fixes colours as attributes and cannot carry classes, titles or descriptions, which
//! dark mode, print and screen readers need.

use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{IntoLogRange, LogCoord};

use super::style;
use crate::markup::escape;
use crate::number;

/// A finished figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Id, also the file name.
    pub id: String,
    /// Short title.
    pub title: String,
    /// What it shows, in words, for those who cannot see it.
    pub description: String,
    width: u32,
    height: u32,
    body: String,
}

impl Drawing {
    /// SVG for a page that has the classes in its stylesheet.
    pub fn inline(&self) -> String {
        let id = escape(&self.id);
        format!(
            "<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">{}{}</svg>",
            self.width,
            self.height,
            self.width,
            self.height,
            self.words(&id),
            self.body
        )
    }

    /// SVG file that stands alone.
    pub fn standalone(&self) -> String {
        let id = escape(&self.id);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">{}<style>{}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>{}</svg>\n",
            self.width,
            self.height,
            self.width,
            self.height,
            self.words(&id),
            style::STANDALONE,
            self.body
        )
    }

    fn words(&self, id: &str) -> String {
        format!(
            "<title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
            escape(&self.title),
            escape(&self.description)
        )
    }
}

/// Where text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Collects primitives. Coordinates are pixels of the view box, written to a tenth.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    body: String,
}

impl Canvas {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width: width.ceil() as u32, height: height.ceil() as u32, body: String::new() }
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.push(format!("<path class=\"{class}\" d=\"M{} {}L{} {}\"/>", px(x1), px(y1), px(x2), px(y2)));
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.push(format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            px(x),
            px(y),
            px(width.max(0.0)),
            px(height.max(0.0))
        ));
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.push(format!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", px(x), px(y), px(radius)));
    }

    /// A square standing on its corner.
    pub(crate) fn diamond(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.push(format!(
            "<path class=\"{class}\" d=\"M{} {}l{r} {r}l-{r} {r}l-{r} -{r}z\"/>",
            px(x),
            px(y - radius),
            r = px(radius)
        ));
    }

    /// Path data made of many small pieces of one class.
    pub(crate) fn path(&mut self, class: &str, data: &str) {
        if !data.is_empty() {
            self.push(format!("<path class=\"{class}\" d=\"{data}\"/>"));
        }
    }

    /// Text with its baseline at `y`; `size` in pixels.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, size: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.push(format!(
            "<text{class} x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}>{}</text>",
            px(x),
            px(y),
            px(size),
            escape(text)
        ));
    }

    /// Text turned by -45 degrees around its start, for column headers.
    pub(crate) fn slanted(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        self.push(format!(
            "<text transform=\"translate({} {}) rotate(-45)\" font-size=\"{}\">{}</text>",
            px(x),
            px(y),
            px(size),
            escape(text)
        ));
    }

    /// Opens a group with a tooltip; [`Canvas::end`] closes it.
    pub(crate) fn begin(&mut self, tooltip: &str) {
        self.push(format!("<g><title>{}</title>", escape(tooltip)));
    }

    pub(crate) fn end(&mut self) {
        self.push("</g>".to_owned());
    }

    fn push(&mut self, markup: String) {
        self.body.push_str(&markup);
        self.body.push('\n');
    }

    pub(crate) fn finish(self, id: &str, title: &str, description: &str) -> Drawing {
        Drawing {
            id: id.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
            width: self.width,
            height: self.height,
            body: self.body,
        }
    }
}

/// A coordinate as text: at most one decimal, no negative zero.
pub(crate) fn px(value: f64) -> String {
    let text = number::fixed(value, 1);
    text.strip_suffix(".0").map_or(text.clone(), ToOwned::to_owned)
}

/// Numbers with a minus sign in place of the hyphen, as a page sets them.
pub(crate) fn minus(numbers: &str) -> String {
    numbers.replace('-', "\u{2212}")
}

/// Width of text in pixels, estimated from classes of characters; errs on the wide side.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let em: f64 = number::plain_sum(text.chars().map(|c| match c {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' | ' ' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.9,
        c if c.is_ascii_uppercase() => 0.68,
        c if c.is_ascii() => 0.57,
        c if (c as u32) > 0x2e80 => 1.05,
        _ => 0.62,
    }));
    em * size
}

/// A text cut to a width, with an ellipsis.
pub(crate) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) + size > width {
            break;
        }
    }
    kept.push('…');
    kept
}

/// A mapping from values to pixels, with ticks.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// Values `low..high` on pixels `from..to`.
    pub(crate) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, from, to, log: false }
    }

    /// The same on a logarithmic axis; both ends above zero.
    pub(crate) fn log((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let low = low.max(f64::MIN_POSITIVE);
        Self { low, high: if high > low { high } else { low * 10.0 }, from, to, log: true }
    }

    /// Pixel of a value, kept inside the axis.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// About `wanted` round values on the axis.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<f64> {
        let points = BoldPoints(wanted);
        if self.log {
            let axis: LogCoord<f64> = (self.low..self.high).log_scale().into();
            return axis.key_points(points);
        }
        RangedCoordf64::from(self.low..self.high).key_points(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_labels_stay_text_in_both_forms() {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.text("b", (1.0, 2.0), Anchor::End, 12.0, "<5 & >3 µg </svg><script>");
        let drawing = canvas.finish("x\"y", "<t>", "a & b");
        for svg in [drawing.inline(), drawing.standalone()] {
            assert!(!svg.contains("<script") && !svg.contains("<t>") && svg.contains("&lt;5 &amp; &gt;3 µg"), "{svg}");
            assert!(svg.contains("<title id=") && svg.contains("<desc id="));
        }
    }

    #[test]
    fn axes_have_round_ticks_and_stay_inside() {
        let scale = Scale::linear((40.0, 100.0), (0.0, 600.0));
        assert_eq!(scale.ticks(7), [40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]);
        assert_eq!((scale.at(70.0), scale.at(1000.0)), (300.0, 600.0));
        let log = Scale::log((1e5, 1e8), (0.0, 300.0));
        assert!((log.at(1e6) - 100.0).abs() < 1e-9);
        assert!(log.ticks(4).iter().all(|t| (1e5..=1e8).contains(t)));
    }
}
