//! Numbers and units in `\boxed{...}`, read as the study read prose answers.
//!
//! The study's reader takes the first number of each box and calls the rest its unit. It does not know a
//! minus sign U+2212, a bare power of ten or a thousands group in LaTeX; those misreadings are repeated
//! here and found by comparison with [`super::prose`].
//!
//! Boxes are slices of the response, found in one pass. Because each box is read to its end, a response
//! whose boxes are nested deeper than [`DEEPEST`] is not read at all: the work stays proportional to the
//! length of the response. (The study's reader has no such bound; no answer of a model comes near it.)

use std::sync::LazyLock;

use regex::Regex;

use super::{pattern, python, work};

/// Boxes inside boxes, an unclosed one counting to the end of the response.
pub const DEEPEST: usize = 64;

static OPENING: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"\\boxed\s*\{"));
/// Digits with comma groups, else a scientific form, else a plain decimal. A blank before the caret ends
/// the power (`10 ^ 8` is 10); braces around an exponent belong to the number.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(concat!(
        r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?",
        r"|[-+]?\d*\.?\d+\s*(?:[eE]\s*|(?:\\times|\\cdot|×|x)\s*10\^?)\{?[-+]?\d+\}?",
        r"|[-+]?\d*\.?\d+",
    ))
});
static POWER: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"\s*(?:\\times|\\cdot|×|x)\s*10\^?\{?([-+]?\d+)\}?"));
static WRAPPER: LazyLock<Regex> =
    LazyLock::new(|| pattern::python(r"\\(?:mathrm|text|rm|mbox|textrm|operatorname)\s*\{([^}]*)\}"));
static SPACING: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"\\[,;:!\s]|\\quad|\\qquad|~"));

/// A number with the text that was left of its box.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Value; infinite when the text overflows.
    pub value: f64,
    /// Unit, possibly empty, possibly not a unit at all.
    pub unit: String,
}

/// What the boxes of a response say.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes<'a> {
    /// Contents of all boxes in order; nested boxes appear again on their own.
    pub contents: Vec<&'a str>,
    /// Reading of each box; `None` without a number.
    pub parsed: Vec<Option<Quantity>>,
    /// Distinct subs that want an answer.
    pub need: usize,
}

/// Why a prose answer cannot be graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The response is blank.
    #[error("empty response")]
    Empty,
    /// No box holds a number.
    #[error("no boxed answer")]
    NoBox,
    /// Boxes inside boxes beyond [`DEEPEST`].
    #[error("boxes nested too deep to be read")]
    Nested,
}

/// Contents of every `\boxed{...}`, braces balanced; an unclosed box runs to the end of the text.
///
/// # Errors
/// When boxes are nested deeper than [`DEEPEST`].
///
/// ```
/// use repro::grade::boxed::contents;
/// assert_eq!(contents(r"\boxed{a \boxed{b}} \boxed{c").unwrap(), [r"a \boxed{b}", "b", "c"]);
/// ```
pub fn contents(text: &str) -> Result<Vec<&str>, Unreadable> {
    work::spent(text.len());
    let starts: Vec<usize> = OPENING.find_iter(text).map(|opening| opening.end()).collect();
    let mut ends = vec![text.len(); starts.len()];
    // Open boxes with the depth of braces outside them.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    let mut depth = 0_usize;
    let first = starts.first().map_or(text.len(), |start| start - 1);
    for (at, byte) in text.bytes().enumerate().skip(first) {
        match byte {
            b'{' => {
                if starts.get(next) == Some(&(at + 1)) {
                    open.push((next, depth));
                    next += 1;
                    if open.len() > DEEPEST {
                        return Err(Unreadable::Nested);
                    }
                }
                depth += 1;
            }
            b'}' => {
                // Outside of all boxes a closing brace closes nothing that matters.
                depth = depth.saturating_sub(usize::from(!open.is_empty()));
                if let Some(&(which, outside)) = open.last()
                    && depth == outside
                {
                    ends[which] = at;
                    open.pop();
                }
            }
            _ => {}
        }
        if open.is_empty() {
            depth = 0;
        }
    }
    Ok(starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect())
}

/// First number of a box and what is left as its unit.
pub fn quantity(content: &str) -> Option<Quantity> {
    work::spent(content.len());
    let found = NUMBER.find(content)?;
    let digits = POWER.replace_all(&found.as_str().replace(',', ""), "e$1").into_owned();
    let digits: String = digits.chars().filter(|&c| !python::is_space(c) && !matches!(c, '{' | '}')).collect();
    let value = python::float(&digits)?;
    let rest = format!("{} {}", &content[..found.start()], &content[found.end()..]);
    Some(Quantity { value, unit: unit(&rest) })
}

/// The text around a number as a unit: LaTeX wrappers and spacing removed, blanks squeezed, words that
/// mean "no unit" dropped.
pub fn unit(text: &str) -> String {
    let text = WRAPPER.replace_all(text, "$1");
    let text = SPACING.replace_all(&text, " ");
    let plain: String = text
        .chars()
        .filter_map(|c| match c {
            '$' | '\\' | '{' | '}' => None,
            '\u{2212}' => Some('-'),
            '·' => Some(' '),
            other => Some(other),
        })
        .collect();
    let words: Vec<_> = plain.split(python::is_space).filter(|word| !word.is_empty()).collect();
    let squeezed = words.join(" ");
    let unit = squeezed.trim_matches([' ', '.', ',', ':', ';', '(', ')', '[', ']']);
    match unit.to_lowercase().as_str() {
        "dimensionless" | "unitless" | "none" | "n/a" | "ratio" | "-" => String::new(),
        _ => unit.to_owned(),
    }
}

impl<'a> Boxes<'a> {
    /// Reads the boxes of a response to a problem with `need` distinct subs.
    ///
    /// # Errors
    /// When the response is blank, or its boxes are nested too deep.
    pub fn read(response: &'a str, need: usize) -> Result<Self, Unreadable> {
        if python::strip(response).is_empty() {
            return Err(Unreadable::Empty);
        }
        let contents = contents(response)?;
        let parsed = contents.iter().map(|content| quantity(content)).collect();
        Ok(Self { contents, parsed, need })
    }

    /// The quantities that are graded, keyed `1`, `2`, ... by the study: the last `need` when there are
    /// more, all of them when there are fewer.
    ///
    /// # Errors
    /// When no box holds a number.
    pub fn answers(&self) -> Result<Vec<&Quantity>, Unreadable> {
        let all: Vec<_> = self.parsed.iter().flatten().collect();
        if all.is_empty() {
            return Err(Unreadable::NoBox);
        }
        Ok(all[all.len().saturating_sub(self.need)..].to_vec())
    }

    /// The note stored with the record.
    pub fn note(&self) -> String {
        let numbers = self.parsed.iter().flatten().count();
        let units = self.parsed.iter().flatten().filter(|quantity| !quantity.unit.is_empty()).count();
        format!("boxes={} nums={numbers} need={} units={units}", self.contents.len(), self.need)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> (f64, String) {
        let quantity = quantity(content).unwrap_or_else(|| panic!("{content}"));
        (quantity.value, quantity.unit)
    }

    /// Decided by the study's own reader.
    #[test]
    fn a_blank_before_the_caret_ends_a_power_and_braces_belong_to_it() {
        for (content, value, unit) in [
            (r"3.0 \times 10 ^ 8", 3.0, "times 10 ^ 8"),
            ("1.5e{-3} m", 0.0015, "m"),
            ("1.5E{3} m", 1500.0, "m"),
            (r"3.0\times 10^{ -8 }", 3.0, "times 10^ -8"),
            (r"1.5 \times 10^{-3}\ \mathrm{m}", 0.0015, "m"),
            (r"2 \cdot 10^{4} Pa", 20_000.0, "Pa"),
            ("2x10^4", 20_000.0, ""),
            ("1.5 x 10 Pa", 1.5, "x 10 Pa"),
        ] {
            assert_eq!(read(content), (value, unit.to_owned()), "{content}");
        }
    }

    #[test]
    fn braces_outside_of_boxes_do_not_matter() {
        assert_eq!(contents("}} {a} \\boxed{1 {m}} } \\boxed {2}").unwrap(), ["1 {m}", "2"]);
        assert_eq!(contents("{ \\boxed{1} {{ \\boxed{2").unwrap(), ["1", "2"]);
    }

    #[test]
    fn nesting_is_bounded() {
        assert_eq!(contents(&"\\boxed{".repeat(DEEPEST)).unwrap().len(), DEEPEST);
        let deep = "\\boxed{".repeat(400_000);
        assert_eq!(contents(&deep), Err(Unreadable::Nested));
        assert_eq!(Boxes::read(&deep, 1).unwrap_err(), Unreadable::Nested);
    }
}
