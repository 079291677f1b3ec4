//! The unit written next to a value anywhere in a prose response.
//!
//! The value is looked for as text in several precisions, because a response rarely prints the digits
//! that were graded. What follows the number is a unit when its first word begins with a token of the
//! study's table, or when the whole is one of a few products that the table does not hold. The recorded
//! cases fix the precisions tried only up to ones that never matter in them.

use std::sync::LazyLock;

use regex::Regex;

use super::{pattern, python, units, work};
use crate::number;

/// Blanks and LaTeX spacing, then a wrapped or a bare run of characters that units are written with.
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    let wrapped = r"\\(?:mathrm|text|operatorname|rm|mbox|textrm)\s*\{\s*([^}]*)\}";
    pattern::python(&format!("^{SPACING}(?:{wrapped}|({BARE}))"))
});
/// The same where no brace closes any more: a wrapper that never ends is not looked at to the end of the
/// text again and again.
static UNWRAPPED: LazyLock<Regex> = LazyLock::new(|| pattern::python(&format!("^{SPACING}({BARE})")));
const SPACING: &str = r"(?:\\[,;:! ]|\\quad|~|\s)*";
const BARE: &str = r"[A-Za-zµμ°℃%][A-Za-z0-9µμ°℃%/^{}\-+.·*\s²³⁻¹]*";

/// Units that the reader knows as a whole, in any case and with or without braces around exponents.
const PRODUCTS: &[&str] = &[
    "m/s",
    "m s^-1",
    "km/s",
    "cm/s",
    "mm/s",
    "km/h",
    "w/m^2",
    "w m^-2",
    "j/kg",
    "kg/m^3",
    "g/m^3",
    "g/cm^3",
    "mol/l",
    "mg/l",
    "ug/m^3",
    "molecules/cm^3",
    "cm^3/s",
    "cm^3/min",
    "m^3/s",
    "m^2/s",
    "s^-1",
    "day^-1",
];

/// The unit next to `value` in `text`; empty when there is none. At most two words are kept.
///
/// ```
/// use repro::grade::unit_text::unit_of;
/// assert_eq!(unit_of("so the height is 188.95 km above ground", 188.949), "km above");
/// assert_eq!(unit_of(r"a flux of 240 \mathrm{W m^-2}.", 240.0), "W m^-2");
/// assert_eq!(unit_of("12 ppm", 12.0), "");
/// ```
pub fn unit_of(text: &str, value: f64) -> String {
    let last_brace = text.rfind('}').unwrap_or(0);
    for digits in spellings(value) {
        let mut from = 0;
        work::spent(text.len());
        while let Some(offset) = text[from..].find(&digits) {
            let end = from + offset + digits.len();
            let pattern = if end <= last_brace { &UNIT } else { &UNWRAPPED };
            let Some(captures) = pattern.captures(&text[end..]) else {
                from = end;
                continue;
            };
            work::spent(captures.get(0).map_or(0, |found| found.len()));
            let raw = captures.iter().skip(1).flatten().next().map_or("", |found| found.as_str());
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

/// The letters before the first digit, sign, caret or slash are a token of the table, or the whole is one
/// of the products.
fn is_known(unit: &str) -> bool {
    if PRODUCTS.contains(&&*unit.to_lowercase()) {
        return true;
    }
    let first = unit.split([' ', '/', '^']).next().unwrap_or("");
    let letters = first.split(|c: char| c == '-' || python::digit(c).is_some()).next().unwrap_or("");
    !letters.is_empty() && units::factor(&letters.to_lowercase()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decided by the study's own reader: whole products are known, and only as a whole.
    #[test]
    fn products_outside_the_table_are_known_in_any_case() {
        for (text, unit) in [
            ("so F = 240 W/m^2.", "W/m^2"),
            ("240 w m^{-2}", "w m^-2"),
            ("240 mol/L", "mol/L"),
            (r"240~\mathrm{Molecules/cm^3}", "Molecules/cm^3"),
            ("240 MOL/L", "MOL/L"),
            ("240 DAY^{-1}", "DAY^-1"),
            ("240 ug/m^3", "ug/m^3"),
            ("240 mol/L above ground", ""),
            ("240 W", ""),
            ("240 mol", ""),
        ] {
            assert_eq!(unit_of(text, 240.0), unit, "{text}");
        }
        for product in PRODUCTS {
            assert_eq!(unit_of(&format!("240 {product}"), 240.0), *product);
        }
    }
}
