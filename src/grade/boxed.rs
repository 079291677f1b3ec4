//! Numbers and units in `\boxed{...}`, read as the study read prose answers.
//!
//! The study's reader takes the first number of each box and calls the rest its unit. It does not know a
//! minus sign U+2212, a bare power of ten or a thousands group in LaTeX; those misreadings are repeated
//! here and found by comparison with [`super::prose`].

use std::sync::LazyLock;

use regex::Regex;

use super::{pattern, python};

static OPENING: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"\\boxed\s*\{"));
/// Digits with comma groups, else a scientific form, else a plain decimal.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(concat!(
        r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?",
        r"|[-+]?\d*\.?\d+\s*(?:[eE]\s*[-+]?\d+|(?:\\times|\\cdot|×|x)\s*10\s*\^?\s*\{?[-+]?\d+\}?)",
        r"|[-+]?\d*\.?\d+",
    ))
});
static POWER: LazyLock<Regex> =
    LazyLock::new(|| pattern::python(r"\s*(?:\\times|\\cdot|×|x)\s*10\s*\^?\s*\{?([-+]?\d+)\}?"));
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
pub struct Boxes {
    /// Contents of all boxes in order; nested boxes appear again on their own.
    pub contents: Vec<String>,
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
}

/// Contents of every `\boxed{...}`, braces balanced; an unclosed box runs to the end of the text.
pub fn contents(text: &str) -> Vec<String> {
    let body = |start: usize| {
        let mut depth = 1_usize;
        for (at, c) in text[start..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return &text[start..start + at];
            }
        }
        &text[start..]
    };
    OPENING.find_iter(text).map(|opening| body(opening.end()).to_owned()).collect()
}

/// First number of a box and what is left as its unit.
pub fn quantity(content: &str) -> Option<Quantity> {
    let found = NUMBER.find(content)?;
    let digits = POWER.replace_all(&found.as_str().replace(',', ""), "e$1").into_owned();
    let digits: String = digits.chars().filter(|&c| !python::is_space(c)).collect();
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

impl Boxes {
    /// Reads the boxes of a response to a problem with `need` distinct subs.
    ///
    /// # Errors
    /// When the response is blank.
    pub fn read(response: &str, need: usize) -> Result<Self, Unreadable> {
        if python::strip(response).is_empty() {
            return Err(Unreadable::Empty);
        }
        let contents = contents(response);
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
