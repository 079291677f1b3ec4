//! The study's unit table and its two ways to read a unit: as one token, or as a product.
//!
//! The table is closed (87 tokens): litres, moles, watts, newtons, ppm and Fahrenheit have no entry, so
//! answers in them can only match as bare numbers. Values are multiplied in the study's order, because
//! a verdict can hang on the last digit.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::memo::Memo;
use super::outcome::Overflow;
use super::python;

/// A base dimension of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Metre.
    Length,
    /// Second.
    Time,
    /// Pascal.
    Pressure,
    /// Kilogram.
    Mass,
    /// A pure number.
    Ratio,
    /// Joule.
    Energy,
    /// Radian.
    Angle,
    /// Kelvin as a difference; reached only inside products.
    Interval,
    /// Kelvin above absolute zero; reached only by a token alone.
    Temperature,
}

/// One row of the table: dimension, factor to the base unit, tokens after lower-casing.
pub type UnitRow = (Dimension, f64, &'static [&'static str]);

/// The table of multiplicative units. The micro sign (U+00B5) and the Greek letter (U+03BC) are
/// different tokens; only the spellings listed are known.
pub const TABLE: &[UnitRow] = &[
    (Dimension::Length, 1.0, &["m", "meter", "metre"]),
    (Dimension::Length, 1e-2, &["cm"]),
    (Dimension::Length, 1e-3, &["mm"]),
    (Dimension::Length, 1e3, &["km"]),
    (Dimension::Length, 1e-6, &["um", "\u{b5}m", "micron"]),
    (Dimension::Length, 1e-9, &["nm"]),
    (Dimension::Length, 0.0254, &["inch", "inches"]),
    (Dimension::Length, 0.3048, &["ft", "foot", "feet"]),
    (Dimension::Length, 1609.344, &["mile", "miles"]),
    (Dimension::Time, 1.0, &["s", "sec", "second", "seconds"]),
    (Dimension::Time, 1e-3, &["ms", "millisecond", "milliseconds"]),
    (Dimension::Time, 1e-6, &["us", "\u{b5}s", "\u{3bc}s", "microsecond", "microseconds"]),
    (Dimension::Time, 1e-9, &["ns", "nanosecond", "nanoseconds"]),
    (Dimension::Time, 60.0, &["min", "minute", "minutes"]),
    (Dimension::Time, 3600.0, &["h", "hr", "hour", "hours"]),
    (Dimension::Time, 86_400.0, &["day", "days"]),
    (Dimension::Time, 31_557_600.0, &["yr", "year", "years"]),
    (Dimension::Pressure, 1.0, &["pa"]),
    (Dimension::Pressure, 100.0, &["hpa", "mb", "mbar"]),
    (Dimension::Pressure, 1000.0, &["kpa"]),
    (Dimension::Pressure, 1e5, &["bar"]),
    (Dimension::Pressure, 101_325.0, &["atm"]),
    (Dimension::Mass, 1.0, &["kg"]),
    (Dimension::Mass, 1e-3, &["g", "gram", "grams"]),
    (Dimension::Mass, 1e-6, &["mg"]),
    (Dimension::Mass, 1e-9, &["ug", "\u{3bc}g", "microgram", "micrograms"]),
    (Dimension::Mass, 1e-12, &["ng"]),
    (Dimension::Mass, 1e3, &["tonne", "tonnes", "metricton"]),
    (Dimension::Ratio, 1.0, &["", "dimensionless", "fraction", "ratio", "unitless", "1"]),
    (Dimension::Ratio, 1e-2, &["%", "percent"]),
    (Dimension::Energy, 1.0, &["j", "joule", "joules"]),
    (Dimension::Energy, 1e3, &["kj"]),
    (Dimension::Angle, 1.0, &["rad", "radian", "radians"]),
    (Dimension::Angle, 0.017_453_292_519_943_295, &["deg", "degree", "degrees", "\u{b0}"]),
    (Dimension::Interval, 1.0, &["k", "c", "\u{b0}c", "\u{2103}"]),
];

/// Absolute temperatures: offset to kelvin, tokens.
pub const TEMPERATURES: &[(f64, &[&str])] =
    &[(0.0, &["k", "kelvin"]), (273.15, &["c", "\u{b0}c", "degc", "celsius", "\u{2103}"])];

/// Dimension and factor of a token of the multiplicative table.
pub fn factor(token: &str) -> Option<(Dimension, f64)> {
    TABLE.iter().find(|(_, _, tokens)| tokens.contains(&token)).map(|&(dimension, factor, _)| (dimension, factor))
}

/// Offset of an absolute temperature.
pub fn offset(token: &str) -> Option<f64> {
    TEMPERATURES.iter().find(|(_, tokens)| tokens.contains(&token)).map(|&(offset, _)| offset)
}

/// Lower case, trimmed, without dollar signs, braces and the two LaTeX wrappers the study knows.
fn bare(unit: &str) -> String {
    let lower = unit.to_lowercase();
    let trimmed = python::strip(&lower);
    if !trimmed.contains(['$', '\\', '{', '}']) {
        return trimmed.to_owned();
    }
    ["$", "\\mathrm", "\\text", "{", "}"].iter().fold(trimmed.to_owned(), |text, part| text.replace(part, ""))
}

/// How a single token turns a value into its base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Multiply.
    Factor(Dimension, f64),
    /// Add: an absolute temperature.
    Offset(f64),
}

impl Scale {
    /// What the result measures.
    pub fn dimension(self) -> Dimension {
        match self {
            Self::Factor(dimension, _) => dimension,
            Self::Offset(_) => Dimension::Temperature,
        }
    }

    /// The value in the base unit.
    pub fn apply(self, value: f64) -> f64 {
        match self {
            Self::Factor(_, factor) => value * factor,
            Self::Offset(offset) => value + offset,
        }
    }
}

/// Reads a unit as one token of the table; temperatures are absolute here.
pub fn scalar(unit: &str) -> Option<Scale> {
    thread_local! {
        static KNOWN: Memo<Option<Scale>> = const { Memo::new() };
    }
    KNOWN.with(|known| known.get(unit, read_scalar))
}

fn read_scalar(unit: &str) -> Option<Scale> {
    let token = bare(unit).replace(' ', "");
    match offset(&token) {
        Some(offset) => Some(Scale::Offset(offset)),
        None => factor(&token).map(|(dimension, factor)| Scale::Factor(dimension, factor)),
    }
}

/// A unit read as a product of powers.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// Net exponents, zeros left out.
    pub signature: BTreeMap<Dimension, i64>,
    /// Product of the factors, in the order written.
    pub factor: f64,
}

/// Reads a unit as a product (`kg m^-2/s`, `W`-like symbols have no entry).
///
/// At most one slash; `per` is a slash wherever it occurs, also inside words; something must stand
/// left of the slash.
///
/// # Errors
/// When a power leaves the range of a double; the study's rule stops there.
pub fn compound(unit: &str) -> Result<Option<Rc<Product>>, Overflow> {
    thread_local! {
        static KNOWN: Memo<Result<Option<Rc<Product>>, Overflow>> = const { Memo::new() };
    }
    KNOWN.with(|known| known.get(unit, |unit| Ok(read_compound(unit)?.map(Rc::new))))
}

fn read_compound(unit: &str) -> Result<Option<Product>, Overflow> {
    let text: String = bare(unit).chars().map(plain_character).collect();
    let text = text.replace("per", "/");
    let mut sides = text.split('/');
    let (above, below) = (sides.next().unwrap_or(""), sides.next().unwrap_or(""));
    if sides.next().is_some() || python::strip(above).is_empty() {
        return Ok(None);
    }
    let mut product = Product { signature: BTreeMap::new(), factor: 1.0 };
    for (side, sign) in [(above, 1), (below, -1)] {
        for token in side.split(python::is_space).filter(|token| !token.is_empty()) {
            let Some((dimension, factor, exponent)) = power(token)? else {
                return Ok(None);
            };
            let exponent = sign * exponent;
            *product.signature.entry(dimension).or_default() += exponent;
            product.factor *= raise(factor, exponent)?;
        }
    }
    product.signature.retain(|_, exponent| *exponent != 0);
    Ok(Some(product))
}

/// Superscripts become plain digits, signs of multiplication become blanks.
fn plain_character(c: char) -> char {
    match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from(b'4' + (c as u32 - '⁴' as u32) as u8),
        '⁻' => '-',
        '·' | '×' | '*' => ' ',
        other => other,
    }
}

/// One token: letters of the table, an optional caret, an optional exponent (1 when absent), which may
/// have a minus sign and no plus.
fn power(token: &str) -> Result<Option<(Dimension, f64, i64)>, Overflow> {
    let is_letter = |c: char| c.is_ascii_lowercase() || matches!(c, '\u{b5}' | '\u{3bc}' | '%' | '\u{b0}' | '\u{2103}');
    let letters = token.find(|c| !is_letter(c)).unwrap_or(token.len());
    let (name, rest) = token.split_at(letters);
    if name.is_empty() {
        return Ok(None);
    }
    let rest = rest.strip_prefix('^').unwrap_or(rest);
    let exponent = match rest {
        "" => Some(1),
        signed if signed.starts_with('+') => None,
        digits => integer(digits)?,
    };
    Ok(factor(name).zip(exponent).map(|((dimension, factor), exponent)| (dimension, factor, exponent)))
}

/// `int(text)` for an optional sign and decimal digits of any script; other text is no exponent.
///
/// # Errors
/// For integers beyond 32 bits: as exponents they are out of range whatever the base.
pub(super) fn integer(text: &str) -> Result<Option<i64>, Overflow> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() {
        return Ok(None);
    }
    let mut value = 0_i64;
    for c in digits.chars() {
        let Some(digit) = python::digit(c) else {
            return Ok(None);
        };
        value = (value * 10 + i64::from(digit)).min(i64::from(u32::MAX) + 1);
    }
    if value > i64::from(u32::MAX) { Err(Overflow) } else { Ok(Some(if negative { -value } else { value })) }
}

/// `base ** exponent` of CPython: the C library's `pow`, and an error where it overflows.
pub(super) fn raise(base: f64, exponent: i64) -> Result<f64, Overflow> {
    let power = base.powf(exponent as f64);
    if power.is_infinite() { Err(Overflow) } else { Ok(power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_87_tokens_and_none_twice() {
        let mut tokens: Vec<_> = TABLE.iter().flat_map(|(_, _, tokens)| tokens.iter()).collect();
        assert_eq!(tokens.len(), 87);
        tokens.sort_unstable();
        tokens.dedup();
        assert_eq!(tokens.len(), 87);
    }

    #[test]
    fn wrappers_blanks_and_case_do_not_matter() {
        for unit in ["km", " KM ", "$\\mathrm{km}$", "\\text{k m}", "{K}m"] {
            assert_eq!(scalar(unit), Some(Scale::Factor(Dimension::Length, 1e3)), "{unit}");
        }
        assert_eq!(scalar("\\textrm{km}"), None);
        assert_eq!(scalar("\u{3bc}m"), None);
    }

    #[test]
    fn a_temperature_is_absolute_alone_and_an_interval_in_a_product() {
        assert_eq!(scalar("° C"), Some(Scale::Offset(273.15)));
        let product = compound("K/km").unwrap().unwrap();
        assert_eq!(product.signature, BTreeMap::from([(Dimension::Length, -1), (Dimension::Interval, 1)]));
        assert_eq!(product.factor, 1e-3);
    }

    #[test]
    fn products_parse_as_published() {
        for unit in ["m2", "s-1", "m s-1", "m/m", "kg·m⁻²", "mm per day", "m/"] {
            assert!(compound(unit).unwrap().is_some(), "{unit}");
        }
        for unit in ["1/s", "h2o", "10^-6 m^-1", "percent", "m/s/s", "", "/s", "m^", "W m^-2", "m^+2", "m+2"] {
            let expected = unit == "m^";
            assert_eq!(compound(unit).unwrap().is_some(), expected, "{unit}");
        }
        assert!(compound("m/m").unwrap().unwrap().signature.is_empty());
    }

    #[test]
    fn a_power_out_of_range_is_an_error() {
        assert!(compound("km^200").is_err());
        assert_eq!(compound("km^-200").unwrap().unwrap().factor, 0.0);
    }
}
