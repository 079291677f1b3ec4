//! Numbers as a careful reader reads them, for the strict lens only.
//!
//! A minus sign U+2212, `×10⁻³`, `10^{-5}`, `1{,}234`, `1\,234`, `7/8` and `x = 5` are read for what they
//! mean. What can mean two things (`1.234,5`, `1,23`, `12-15`) is *ambiguous* and has no value.

use std::sync::LazyLock;

use regex::Regex;

use super::boxed::{self, Quantity};
use super::{pattern, python, si, work};

static FRACTION: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"\\[dt]?frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}"));
static MANTISSA: LazyLock<Regex> =
    LazyLock::new(|| pattern::python(r"[-+]?(?:\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)"));
static POWER: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(r"^(?:[eE]\s*([-+]?\d+)|\s*(?:x|X)?\s*10\s*\^\s*\(?\s*([-+]?\d+)\s*\)?|\^\(?([-+]?\d+)\)?)")
});
static UNCERTAINTY: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"^\s*(?:±|\\pm|\+/-)\s*\d*\.?\d+"));
static AMBIGUOUS: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"^(?:,\d|\.\d|\s*(?:-|–|\bto\b)\s*\d)"));
static DENOMINATOR: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"^\s*/\s*(\d+\.?\d*)(?:\s|$)"));

/// What a text says about a number.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// A number and the text after it as its unit.
    Quantity(Quantity),
    /// More than one number could be meant.
    Ambiguous,
    /// No number.
    Nothing,
}

/// Reads the content of a box, or any short text that states one quantity.
///
/// ```
/// use repro::grade::prose::{Reading, read};
/// let value = |text| match read(text) { Reading::Quantity(q) => Some(q.value), _ => None };
/// assert_eq!(value("\u{2212}5.2 K"), Some(-5.2));
/// assert_eq!(value("10^{-5}"), Some(1e-5));
/// assert_eq!(value("1{,}234\\,\\mathrm{m}"), Some(1234.0));
/// assert_eq!(read("1.234,5"), Reading::Ambiguous);
/// ```
pub fn read(text: &str) -> Reading {
    work::spent(text.len());
    let text = FRACTION.replace_all(text, "$1/$2 ");
    let text =
        ["\\approx", "\\simeq", "\\sim", "\\equiv", "≈", "≃"].iter().fold(text.into_owned(), |t, m| t.replace(m, "="));
    let text = si::plain(&text);
    let stated = text.rsplit('=').next().unwrap_or(&text);
    let Some(found) = MANTISSA.find(stated) else {
        return Reading::Nothing;
    };
    let rest = &stated[found.end()..];
    if AMBIGUOUS.is_match(rest) {
        return Reading::Ambiguous;
    }
    let digits = found.as_str().replace([',', ' '], "");
    let (Some(value), rest) = scaled(&digits, rest) else {
        return Reading::Nothing;
    };
    let rest = UNCERTAINTY.replace(rest, "");
    Reading::Quantity(Quantity { value, unit: unit(&rest) })
}

/// Applies what follows a mantissa: a power of ten, a power of the number itself, a denominator.
fn scaled<'a>(digits: &str, rest: &'a str) -> (Option<f64>, &'a str) {
    if let Some(captures) = POWER.captures(rest) {
        let group = |index: usize| captures.get(index).map(|found| found.as_str());
        let length = captures.get(0).map_or(0, |found| found.len());
        if let Some(power) = group(3) {
            // `10^-5` is a power of ten; another base is no number we would guess.
            let value = (digits == "10").then(|| python::float(&format!("1e{power}"))).flatten();
            return (value, &rest[length..]);
        }
        let power = group(1).or_else(|| group(2)).unwrap_or("0");
        return (python::float(&format!("{digits}e{power}")), &rest[length..]);
    }
    if let Some(captures) = DENOMINATOR.captures(rest) {
        let below = captures.get(1).and_then(|found| python::float(found.as_str())).filter(|&below| below != 0.0);
        let length = captures.get(0).map_or(0, |found| found.len());
        let value = python::float(digits).zip(below).map(|(above, below)| above / below);
        return (value, &rest[length..]);
    }
    (python::float(digits), rest)
}

fn unit(rest: &str) -> String {
    let trimmed = rest.trim_matches([' ', '.', ',', ':', ';']);
    // A bracket pair around the whole, or the closing half of one around the number.
    let trimmed = trimmed.strip_prefix(')').unwrap_or(trimmed).trim_start();
    let inner = trimmed.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|t| !t.contains(['(', ')']));
    boxed::unit(inner.unwrap_or(trimmed))
}

/// Reads an accepted value: what CPython reads, else a stated number without a unit.
pub fn number(text: &str) -> Option<f64> {
    let text = python::strip(text);
    python::float(text).or_else(|| match read(text) {
        Reading::Quantity(quantity) if quantity.unit.is_empty() => Some(quantity.value),
        _ => None,
    })
}

/// Reads all boxes of a response as the strict lens does and keeps the last `need`, as the study does.
pub fn answers(response: &str, need: usize) -> Vec<Reading> {
    let contents = boxed::contents(response).unwrap_or_default();
    let all: Vec<_> = contents.into_iter().map(read).collect();
    let stated: Vec<_> = all.into_iter().filter(|reading| *reading != Reading::Nothing).collect();
    stated[stated.len().saturating_sub(need)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(text: &str) -> (f64, String) {
        match read(text) {
            Reading::Quantity(quantity) => (quantity.value, quantity.unit),
            other => panic!("{other:?} for {text}"),
        }
    }

    #[test]
    fn forms_that_the_study_misreads() {
        for (text, value, unit) in [
            ("−5.2 K", -5.2, "K"),
            ("4.1×10⁻³ kg", 4.1e-3, "kg"),
            ("10^{-5}", 1e-5, ""),
            ("1{,}234 m", 1234.0, "m"),
            ("7,387 \\times 10^3", 7_387_000.0, ""),
            ("3.0\\times 10^{ -8 }", 3.0e-8, ""),
            ("1\\,234\\ \\mathrm{m}", 1234.0, "m"),
            ("7/8 m", 0.875, "m"),
            ("\\frac{1}{2}\\,\\text{s}", 0.5, "s"),
            ("x = 0.622 g/m^3", 0.622, "g/m^3"),
            ("\\approx 5\\ \\mathrm{m\\,s^{-1}}", 5.0, "m s^-1"),
            ("5.0 \\pm 0.1 K", 5.0, "K"),
            ("5 (m)", 5.0, "m"),
            ("(1.5e-3) \\%", 1.5e-3, "%"),
        ] {
            assert_eq!(pair(text), (value, unit.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_can_mean_two_things_has_no_value() {
        for text in ["1.234,5", "1,23 m", "12-15", "12 – 15 m", "1,234,56"] {
            assert_eq!(read(text), Reading::Ambiguous, "{text}");
        }
        assert_eq!(read("see text"), Reading::Nothing);
        assert_eq!(read("2^{3}"), Reading::Nothing);
    }

    #[test]
    fn accepted_values_in_words_of_typesetting() {
        assert_eq!(number("1.5×10^-3"), Some(1.5e-3));
        assert_eq!(number("1.5 x 10^{3}"), Some(1500.0));
        assert_eq!(number("1.5x3"), None);
        assert_eq!(number("about"), None);
    }
}
