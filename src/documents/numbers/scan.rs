//! Numerals in a text, with the unit behind them.

use super::{Bound, Number, Role, Rule, Unit};

/// Most characters of one numeral; longer runs of digits are ids.
const LONGEST: usize = 24;

/// All numerals in order.
pub(super) fn scan(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let digit = at + offset;
        let start = begin(text, digit, at);
        let end = finish(text, digit);
        at = end;
        let before = text[..start].chars().next_back();
        let hyphened = text[..start].strip_suffix('-').is_some_and(|word| word.ends_with(char::is_alphabetic));
        if hyphened || before.is_some_and(|c| c.is_alphanumeric() || c == '_') || end - digit > LONGEST {
            // Digits inside a word belong to it, with all that follows.
            at = word_end(text, end);
            found.extend(number(text, start, end.min(digit + LONGEST)).map(|n| Number { rule: Some(Rule::Name), ..n }));
            continue;
        }
        if let Some(mut number) = number(text, start, end) {
            unit(text, &mut number);
            at = number.after.max(at);
            if is_glued(text, &number) {
                number.rule = Some(Rule::Name);
                at = word_end(text, number.after);
            }
            found.push(number);
        }
    }
    found
}

/// Takes a sign and a leading point in front of the first digit.
fn begin(text: &str, digit: usize, least: usize) -> usize {
    let mut start = digit;
    if text[least..start].ends_with('.') && !text[..start - 1].ends_with(|c: char| c.is_alphanumeric() || c == '.') {
        start -= 1;
    }
    let head = &text[least..start];
    for sign in ["+", "-", "\u{2212}", "\u{2013}"] {
        if let Some(before) = head.strip_suffix(sign) {
            let last = text[..least + before.len()].chars().next_back();
            // Behind a word, a digit or a bracket it is a hyphen or a dash between numbers.
            let is_sign = last.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, ')' | '%' | '.' | '_' | ']')));
            let is_dash = sign == "\u{2013}" && last.is_some_and(char::is_whitespace);
            if is_sign && !is_dash {
                return least + before.len();
            }
        }
    }
    start
}

/// The end of digits, thousands, decimals and exponent.
fn finish(text: &str, digit: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        at
    };
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = digits(digit);
    if end - digit <= 3 {
        // Commas part groups of three.
        while bytes.get(end) == Some(&b',') && digits(end + 1) == end + 4 {
            end += 4;
        }
    }
    if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end = digits(end + 1);
        // A second point makes it a version or an address.
        while bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
            end = digits(end + 1);
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if is_digit(end + 1 + sign) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

fn number(text: &str, start: usize, end: usize) -> Option<Number> {
    let printed = text.get(start..end)?;
    let plain = printed.replace(['\u{2212}', '\u{2013}'], "-").replace(',', "");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    let is_version = plain.bytes().filter(|byte| *byte == b'.').count() > 1;
    let value: f64 = if is_version { 0.0 } else { plain.parse().ok()? };
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((plain, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| i32::try_from(digits.len()).unwrap_or(0));
    value.is_finite().then(|| Number {
        start,
        end,
        after: end,
        place: 0,
        text: printed.to_owned(),
        value,
        decimals: decimals.saturating_sub(exponent.parse().unwrap_or(0)),
        unit: Unit::None,
        bound: Bound::Exact,
        role: Role::Value,
        rule: is_version.then_some(Rule::Version),
    })
}

/// Units by what follows a number, longest first; `true` when they may follow a space.
const UNITS: &[(&str, Unit)] = &[
    ("percentage points", Unit::Points),
    ("percentage point", Unit::Points),
    ("percent", Unit::Percent),
    ("points", Unit::Points),
    ("point", Unit::Points),
    ("%", Unit::Percent),
    ("\u{d7}", Unit::Times),
    ("-fold", Unit::Times),
    ("fold", Unit::Times),
    ("times", Unit::Times),
    ("million", Unit::Million),
    ("thousand", Unit::Thousand),
    ("-point", Unit::Points),
    ("-pt", Unit::Points),
    ("pts", Unit::Points),
    ("pt", Unit::Points),
    ("pp", Unit::Points),
    ("M", Unit::Million),
    ("k", Unit::Thousand),
    ("K", Unit::Thousand),
    ("x", Unit::Times),
];

/// Units of measurement, which make a number a quantity of the world.
const MEASURES: &[&str] = &[
    "km", "m", "cm", "mm", "nm", "µm", "μm", "hPa", "kPa", "Pa", "mbar", "bar", "atm", "kg", "g", "mg", "°C", "°",
    "°F", "s", "ms", "min", "h", "hours", "hour", "days", "day", "weeks", "months", "years", "year", "seconds",
    "second", "minutes", "minute", "W", "kW", "J", "kJ", "mol", "ppm", "ppb", "Hz", "GHz", "GB", "MB", "KB", "TB",
    "GiB", "MiB", "cores", "CPUs", "GPUs", "km/h", "m/s", "ft", "inch", "inches", "mol/L", "d", "hr", "yr", "s.f.",
    "kcal", "V", "N", "m²", "m³", "km²",
];

fn unit(text: &str, number: &mut Number) {
    let rest = &text[number.end..];
    let spaced = rest.trim_start_matches(['\u{a0}', '\u{202f}', '\u{2009}', ' ']);
    let gap = rest.len() - spaced.len();
    let ends = |word: &str, rest: &str| {
        let symbol = word == "%" || word == "\u{d7}";
        symbol || !rest[word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    if gap > 2 {
        return;
    }
    if let Some((word, unit)) = UNITS.iter().find(|(word, _)| spaced.starts_with(word) && ends(word, spaced)) {
        // `3 × 10^5` and `5 × 346` are products, `2 x` is a variable.
        let product = spaced[word.len()..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if *unit == Unit::Times && product && (*word == "\u{d7}" || *word == "x") {
            number.rule.get_or_insert(Rule::Formula);
            return;
        }
        if *word == "x" && gap > 0 || matches!(*word, "k" | "K") && gap > 0 && number.decimals > 1 {
            return;
        }
        number.unit = *unit;
        number.after = number.end + gap + word.len();
        return;
    }
    let word = spaced.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | '(' | '|')).next();
    let word = word.unwrap_or("").trim_end_matches(['.', ':']);
    if MEASURES.contains(&word) {
        number.unit = Unit::Measure;
        number.after = number.end + gap + word.len();
    }
}

/// True when letters or an underscore follow at once: `9B`, `13b`, `3D`, `5th`.
fn is_glued(text: &str, number: &Number) -> bool {
    if number.after > number.end {
        return false;
    }
    let rest = &text[number.end..];
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|end| rest.starts_with(end));
    !ordinal && rest.starts_with(|c: char| c.is_alphabetic() || c == '_')
        || rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) && is_name_like(rest)
}

/// `3.5-397B` goes on as a name, `36-pt` and `5-fold` do not.
fn is_name_like(rest: &str) -> bool {
    let word: &str = rest[1..].split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '.')).next().unwrap_or("");
    word.bytes().any(|byte| byte.is_ascii_digit())
}

fn word_end(text: &str, at: usize) -> usize {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let end = text[at..].find(|c: char| !inside(c)).map_or(text.len(), |offset| at + offset);
    at + text[at..end].trim_end_matches(['-', '.', '/']).len()
}
