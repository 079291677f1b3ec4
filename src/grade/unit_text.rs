//! The unit written next to a value anywhere in a prose response (section 2.7).
//!
//! The value is looked for as text in several precisions, because a response rarely prints the digits
//! that were graded. What follows the number is a unit when its first word begins with a token of the
//! study's table. The recorded cases fix the precisions tried only up to ones that never matter in them.

use std::sync::LazyLock;

use regex::Regex;

use super::{pattern, python, units};
use crate::number;

/// Blanks and LaTeX spacing, then a wrapped or a bare run of characters that units are written with.
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(concat!(
        r"^(?:\\[,;:! ]|\\quad|~|\s)*",
        r"(?:\\(?:mathrm|text|operatorname|rm|mbox|textrm)\s*\{\s*([^}]*)\}",
        r"|([A-Za-zµμ°℃%][A-Za-z0-9µμ°℃%/^{}\-+.·*\s²³⁻¹]*))",
    ))
});

/// The unit next to `value` in `text`; empty when there is none. At most two words are kept.
///
/// ```
/// use repro::grade::unit_text::unit_of;
/// assert_eq!(unit_of("so the height is 188.95 km above ground", 188.949), "km above");
/// assert_eq!(unit_of("12 ppm", 12.0), "");
/// ```
pub fn unit_of(text: &str, value: f64) -> String {
    for digits in spellings(value) {
        let mut from = 0;
        while let Some(offset) = text[from..].find(&digits) {
            let end = from + offset + digits.len();
            let Some(captures) = UNIT.captures(&text[end..]) else {
                from = end;
                continue;
            };
            let raw = captures.get(1).or_else(|| captures.get(2)).map_or("", |found| found.as_str());
            let unit = first_words(raw);
            if is_known(&unit) {
                return unit;
            }
            // What was read as a unit is not searched again, as in the study's scan.
            from = end + captures.get(0).map_or(0, |found| found.end());
        }
    }
    String::new()
}

/// Ways to print the value: shortest exact digits, 6 to 3 significant digits, at most 2, 1 and 0 decimals.
fn spellings(value: f64) -> Vec<String> {
    let exact = number::repr(value);
    let mut all = vec![exact.strip_suffix(".0").unwrap_or(&exact).to_owned()];
    all.extend([6, 5, 4, 3].map(|digits| number::general(value, digits)));
    all.extend([2, 1, 0].map(|decimals| {
        let text = number::fixed(value, decimals);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }));
    let mut seen = Vec::new();
    all.retain(|text| !seen.contains(text) && (seen.push(text.clone()), true).1);
    all
}

fn first_words(raw: &str) -> String {
    let plain = raw.replace(['{', '}'], "");
    let words: Vec<_> = plain.split(python::is_space).filter(|word| !word.is_empty()).collect();
    let squeezed = words.join(" ");
    let trimmed = squeezed.trim_matches([' ', '.', ',']);
    trimmed.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The letters before the first digit, sign, caret or slash are a token of the table.
fn is_known(unit: &str) -> bool {
    let first = unit.split([' ', '/', '^']).next().unwrap_or("");
    let letters = first.split(|c: char| c == '-' || python::digit(c).is_some()).next().unwrap_or("");
    !letters.is_empty() && units::factor(&letters.to_lowercase()).is_some()
}
