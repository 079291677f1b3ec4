//! Units as a careful reader understands them, for the strict lens only.
//!
//! SI with prefixes, the units of the atmospheric sciences, LaTeX and typographic spellings, numeric
//! prefactors (`10^-6 m^-1`), counted things (`molecules cm^-3`), remarks in subscripts (`kg_air`). Signs
//! that look alike are one sign (compatibility forms of Unicode, slashes, dashes, dots). Text
//! that is not understood has no reading; it is never guessed. Where a slash leaves two readings open
//! (`J/kg K`), both are returned.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::python;

/// Powers of base units.
pub type Powers = BTreeMap<&'static str, i32>;

/// One reading of a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Powers of base units, zeros left out; empty for a pure number.
    pub powers: Powers,
    /// Factor to the product of base units.
    pub factor: f64,
    /// Added after the factor, for a temperature that stands alone.
    pub offset: f64,
}

/// Units: names, factor, powers, whether SI prefixes apply.
type SiRow = (&'static [&'static str], f64, &'static [(&'static str, i32)], bool);

const UNITS: &[SiRow] = &[
    (&["m", "meter", "meters", "metre", "metres"], 1.0, &[("m", 1)], true),
    (&["g", "gram", "grams"], 1e-3, &[("kg", 1)], true),
    (&["s", "sec", "second", "seconds"], 1.0, &[("s", 1)], true),
    (&["K", "kelvin", "Kelvin"], 1.0, &[("K", 1)], true),
    (&["°C", "degC", "C", "celsius", "Celsius"], 1.0, &[("K", 1)], false),
    (&["°F", "degF", "F", "fahrenheit", "Fahrenheit"], 5.0 / 9.0, &[("K", 1)], false),
    (&["mol", "mole", "moles"], 1.0, &[("mol", 1)], true),
    (&["A", "ampere", "amperes"], 1.0, &[("A", 1)], true),
    (&["N", "newton", "newtons"], 1.0, &[("kg", 1), ("m", 1), ("s", -2)], true),
    (&["Pa", "pascal", "pascals"], 1.0, &[("kg", 1), ("m", -1), ("s", -2)], true),
    (&["J", "joule", "joules"], 1.0, &[("kg", 1), ("m", 2), ("s", -2)], true),
    (&["W", "watt", "watts"], 1.0, &[("kg", 1), ("m", 2), ("s", -3)], true),
    (&["V", "volt", "volts"], 1.0, &[("kg", 1), ("m", 2), ("s", -3), ("A", -1)], true),
    (&["Ω", "ohm", "ohms"], 1.0, &[("kg", 1), ("m", 2), ("s", -3), ("A", -2)], true),
    (&["Hz", "hertz"], 1.0, &[("s", -1)], true),
    (&["Å", "angstrom", "angstroms"], 1e-10, &[("m", 1)], false),
    (&["eV"], 1.602_176_634e-19, &[("kg", 1), ("m", 2), ("s", -2)], true),
    (&["cal", "calorie", "calories"], 4.184, &[("kg", 1), ("m", 2), ("s", -2)], true),
    (&["Btu", "BTU"], 1_055.055_852_62, &[("kg", 1), ("m", 2), ("s", -2)], false),
    (&["bar", "bars"], 1e5, &[("kg", 1), ("m", -1), ("s", -2)], true),
    (&["mb"], 100.0, &[("kg", 1), ("m", -1), ("s", -2)], false),
    (&["atm"], 101_325.0, &[("kg", 1), ("m", -1), ("s", -2)], false),
    (&["torr", "Torr", "mmHg"], 101_325.0 / 760.0, &[("kg", 1), ("m", -1), ("s", -2)], false),
    (&["L", "l", "liter", "liters", "litre", "litres"], 1e-3, &[("m", 3)], true),
    (&["M"], 1e3, &[("mol", 1), ("m", -3)], false),
    (&["min", "minute", "minutes"], 60.0, &[("s", 1)], false),
    (&["h", "hr", "hrs", "hour", "hours"], 3600.0, &[("s", 1)], false),
    (&["d", "day", "days"], 86_400.0, &[("s", 1)], false),
    (&["yr", "year", "years", "a"], 31_557_600.0, &[("s", 1)], false),
    (&["in", "inch", "inches"], 0.0254, &[("m", 1)], false),
    (&["ft", "foot", "feet"], 0.3048, &[("m", 1)], false),
    (&["mi", "mile", "miles"], 1609.344, &[("m", 1)], false),
    (&["micron", "microns"], 1e-6, &[("m", 1)], false),
    (&["kn", "kt", "knot", "knots"], 1852.0 / 3600.0, &[("m", 1), ("s", -1)], false),
    (&["lb", "lbs", "pound", "pounds"], 0.453_592_37, &[("kg", 1)], false),
    (&["t", "tonne", "tonnes", "metricton"], 1e3, &[("kg", 1)], true),
    (&["ton", "tons"], 907.184_74, &[("kg", 1)], false),
    (&["PVU"], 1e-6, &[("K", 1), ("m", 2), ("kg", -1), ("s", -1)], false),
    (&["rad", "radian", "radians", "sr", "steradian"], 1.0, &[], true),
    (&["°", "deg", "degree", "degrees"], std::f64::consts::PI / 180.0, &[], false),
    (&["%", "percent"], 1e-2, &[], false),
    (&["‰", "permil"], 1e-3, &[], false),
    (&["ppm", "ppmv", "ppmV"], 1e-6, &[], false),
    (&["ppb", "ppbv", "ppbV"], 1e-9, &[], false),
    (&["ppt", "pptv", "pptV"], 1e-12, &[], false),
    (&["dimensionless", "unitless", "fraction", "ratio", "none", "number", "factor"], 1.0, &[], false),
    // Counted things: the number is what matters.
    (&["molecule", "molecules", "molec", "molec."], 1.0, &[], false),
    (&["particle", "particles", "atom", "atoms", "photon", "photons", "drop", "drops", "droplet"], 1.0, &[], false),
    (&["droplets", "crystal", "crystals", "collision", "collisions", "flash", "flashes"], 1.0, &[], false),
    (&["plate", "plates", "event", "events", "unit", "units", "count", "counts"], 1.0, &[], false),
];

const PREFIXES: &[(&str, f64)] = &[
    ("da", 1e1),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("µ", 1e-6),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
];

/// Offsets to kelvin of temperatures that stand alone.
fn offset(name: &str) -> f64 {
    match name {
        "°C" | "degC" | "C" | "celsius" | "Celsius" | "c" => 273.15,
        "°F" | "degF" | "F" | "fahrenheit" | "Fahrenheit" => 459.67 * 5.0 / 9.0,
        _ => 0.0,
    }
}

/// A word as a unit: exact spelling, then with a prefix, then in lower case (`hpa`, `KM`).
fn word(name: &str) -> Option<(f64, Powers)> {
    let find = |name: &str| UNITS.iter().find(|(names, ..)| names.contains(&name));
    let prefixed = |name: &str| {
        PREFIXES.iter().find_map(|&(prefix, scale)| {
            let &(_, factor, powers, prefixable) = find(name.strip_prefix(prefix)?)?;
            prefixable.then(|| (factor * scale, powers.iter().copied().collect()))
        })
    };
    let exact = |name: &str| find(name).map(|&(_, factor, powers, _)| (factor, powers.iter().copied().collect()));
    let loose = || {
        let lower = name.to_lowercase();
        let spelling = match lower.as_str() {
            "pa" => "Pa",
            "hpa" => "hPa",
            "kpa" => "kPa",
            "k" => "K",
            "c" | "°c" => "°C",
            "j" => "J",
            "kj" => "kJ",
            "mbar" => "mbar",
            other => other,
        };
        exact(spelling).or_else(|| prefixed(spelling))
    };
    exact(name).or_else(|| prefixed(name)).or_else(loose)
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Word(String),
    Power(i32),
    Slash,
    Open,
    Close,
}

/// Raised digits and signs; their position is their meaning.
const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";

/// One sign for signs that look alike and that Unicode does not hold for compatible.
fn look_alike(c: char) -> char {
    match c {
        // Minus, hyphens and dashes.
        '\u{2212}' | '\u{2010}'..='\u{2013}' | '\u{fe63}' | '\u{ff0d}' => '-',
        // Division slash, fraction slash, full-width slash.
        '\u{2215}' | '\u{2044}' | '\u{ff0f}' => '/',
        // Dot operator, bullet operator, bullet, middle dots of other scripts.
        '\u{22c5}' | '\u{2219}' | '\u{2022}' | '\u{387}' | '\u{30fb}' => '·',
        // Masculine ordinal, ring above.
        'º' | '\u{2da}' => '°',
        // Modifier minus: as raised as a superscript minus.
        '\u{2d7}' => '⁻',
        other => other,
    }
}

/// LaTeX and typography as plain text: one sign per meaning, wrappers gone.
pub fn plain(text: &str) -> String {
    let mut text: String = text.nfc().map(look_alike).collect();
    for (from, to) in [
        ("\\left", ""),
        ("\\right", ""),
        ("^{\\circ}", "°"),
        ("^\\circ", "°"),
        ("^circ", "°"),
        ("\\circ", "°"),
        ("\\degree", "°"),
        ("\\cdot", " "),
        ("\\times", " "),
        ("\\mu", "µ"),
        ("\\%", "%"),
        ("\\mathrm", ""),
        ("\\mathit", ""),
        ("\\operatorname", ""),
        ("\\textrm", ""),
        ("\\text", ""),
        ("\\mbox", ""),
        ("\\rm", ""),
        ("\\quad", " "),
        ("\\,", " "),
        ("\\;", " "),
        ("\\:", " "),
        ("\\!", ""),
        ("\\ ", " "),
        ("~", " "),
        ("$", ""),
        ("{", ""),
        ("}", ""),
    ] {
        text = text.replace(from, to);
    }
    let mut out = String::with_capacity(text.len());
    let mut raised = false;
    for c in text.chars() {
        let digit = SUPERSCRIPTS.chars().position(|s| s == c);
        if digit.is_some() && !raised {
            out.push('^');
        }
        raised = digit.is_some();
        match digit {
            Some(10) => out.push('-'),
            Some(11) => out.push('+'),
            Some(digit) => out.push_str(&digit.to_string()),
            None if matches!(c, '·' | '×' | '*') => out.push(' '),
            None if c.is_ascii() => out.push(c),
            // The compatibility form: the ohm sign is an omega, a full-width letter a letter.
            None => out.extend(std::iter::once(c).nfkc().map(|c| if c == 'μ' { 'µ' } else { look_alike(c) })),
        }
    }
    let words: Vec<_> = out.split(python::is_space).filter(|word| !word.is_empty()).collect();
    words.join(" ").replace("° C", "°C").replace("° F", "°F").replace("^ ", "^")
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, length) = match c {
            ' ' => (None, 1),
            '/' => (Some(Token::Slash), 1),
            '(' if text[..text.len() - rest.len()].ends_with(char::is_alphanumeric) => (None, remark(rest)?),
            '(' | '[' => (Some(Token::Open), 1),
            ')' | ']' => (Some(Token::Close), 1),
            '^' => {
                let (value, length) = integer(rest[1..].trim_start_matches('('))?;
                let skipped = rest[1..].len() - rest[1..].trim_start_matches('(').len();
                let closing = usize::from(skipped > 0 && rest[1 + skipped + length..].starts_with(')'));
                (Some(Token::Power(value)), 1 + skipped + length + closing)
            }
            '-' | '+' | '0'..='9' if matches!(tokens.last(), Some(Token::Word(_))) && !rest.starts_with("10^") => {
                let (value, length) = integer(rest)?;
                (Some(Token::Power(value)), length)
            }
            '0'..='9' => {
                let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
                (Some(Token::Number(rest[..length].parse().ok()?)), length)
            }
            c if c.is_alphabetic() || matches!(c, '°' | '%' | '‰' | 'µ') => {
                let length = rest
                    .find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%' | '‰' | '.' | '_' | 'µ')))
                    .unwrap_or(rest.len());
                let word = &rest[..length];
                (Some(if word == "per" { Token::Slash } else { Token::Word(word.to_owned()) }), length)
            }
            _ => return None,
        };
        // A blank ends a word, so that `m 2` is not `m2`.
        if c == ' ' && matches!(tokens.last(), Some(Token::Word(_))) {
            rest = rest.trim_start_matches(' ');
            if rest.starts_with(|c: char| c.is_ascii_digit()) && !rest.starts_with("10^") {
                return None;
            }
            continue;
        }
        tokens.extend(token);
        rest = &rest[length..];
    }
    Some(tokens)
}

/// Length of a short remark in brackets that touches a word, as in `g(C)`; other text in that place could
/// be a factor, so it is not understood.
fn remark(text: &str) -> Option<usize> {
    let inside = text[1..].split(')').next()?;
    (inside.len() <= 3 && inside.chars().all(char::is_alphabetic)).then_some(inside.len() + 2)
}

fn integer(text: &str) -> Option<(i32, usize)> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let value = text[..sign + digits].parse().ok()?;
    // A fractional power has no integer dimension; such units are compared as text.
    (digits > 0 && !text[sign + digits..].starts_with('.')).then_some((value, sign + digits))
}

/// How far a slash reaches.
#[derive(Clone, Copy, PartialEq)]
enum Slash {
    /// To the next factor only.
    Next,
    /// To the end of the group.
    Rest,
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    slash: Slash,
}

impl Parser<'_> {
    fn group(&mut self, depth: usize) -> Option<Unit> {
        let mut unit = Unit { powers: Powers::new(), factor: 1.0, offset: 0.0 };
        let mut sign = 1;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            let factor = match token {
                Token::Slash => {
                    sign = -1;
                    continue;
                }
                Token::Close if depth > 0 => break,
                // A stray bracket is left over from trimming; it groups nothing.
                Token::Close => continue,
                Token::Open if depth < 8 => self.group(depth + 1)?,
                Token::Open | Token::Power(_) => return None,
                Token::Number(value) => Unit { powers: Powers::new(), factor: *value, offset: 0.0 },
                Token::Word(name) => {
                    let name = name.split('_').next().unwrap_or(name);
                    let (factor, powers) = word(name)?;
                    Unit { powers, factor, offset: offset(name) }
                }
            };
            let power = match self.tokens.get(self.at) {
                Some(Token::Power(power)) => {
                    self.at += 1;
                    sign * power
                }
                _ => sign,
            };
            unit.multiply(&factor, power);
            if self.slash == Slash::Next {
                sign = 1;
            }
        }
        Some(unit)
    }
}

impl Unit {
    fn multiply(&mut self, other: &Self, power: i32) {
        for (base, exponent) in &other.powers {
            *self.powers.entry(base).or_default() += exponent * power;
        }
        self.factor *= other.factor.powi(power);
        // An offset survives only where the temperature stands alone.
        self.offset = if self.offset == 0.0 && power == 1 { other.offset } else { 0.0 };
    }
}

/// All readings of a unit text; empty when it is not understood. Blank text is a pure number.
pub fn readings(text: &str) -> Vec<Unit> {
    let Some(tokens) = tokens(&plain(text)) else {
        return Vec::new();
    };
    let factors = tokens.iter().filter(|t| matches!(t, Token::Word(_) | Token::Open)).count();
    let mut readings: Vec<Unit> = Vec::new();
    for slash in [Slash::Rest, Slash::Next] {
        let Some(mut unit) = (Parser { tokens: &tokens, at: 0, slash }).group(0) else {
            continue;
        };
        unit.powers.retain(|_, exponent| *exponent != 0);
        if factors != 1 {
            unit.offset = 0.0;
        }
        if unit.factor.is_finite() && unit.factor != 0.0 && !readings.contains(&unit) {
            readings.push(unit);
        }
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Unit {
        readings(text).first().cloned().unwrap_or_else(|| panic!("{text} is not understood"))
    }

    #[test]
    fn spellings_of_one_unit_agree() {
        for group in [
            &["m/s", "m s^-1", "m s^{-1}", "m·s⁻¹", "\\mathrm{m \\ s}^{-1}", "m \\cdot s^{-1}"][..],
            &["W m^-2", "W/m^2", "W*m^-2", "W·m⁻²", "\\mathrm{W\\,m^{-2}}", "watts per m2"],
            &["hPa", "mb", "mbar", "hpa", "100 Pa"],
            &["°C/km", "K km^-1", "^\\circ\\text{C km}^{-1}", "10^-3 K/m"],
            &["molecules cm^-3", "cm^-3", "molec. cm^-3", "cm-3"],
        ] {
            let expected = first(group[0]);
            for text in group {
                let unit = first(text);
                assert_eq!(unit.powers, expected.powers, "{text}");
                assert!((unit.factor / expected.factor - 1.0).abs() < 1e-12, "{text}");
            }
        }
    }

    #[test]
    fn signs_that_look_alike_are_one_sign() {
        for (alike, plain) in [
            ("m∕s", "m/s"),
            ("m⁄s", "m/s"),
            ("\u{b5}m", "\u{3bc}m"),
            ("\u{212b}", "\u{c5}"),
            ("Å", "0.1 nm"),
            ("\u{2126} m", "Ω m"),
            ("kΩ", "1000 ohm"),
            ("\u{212a}", "K"),
            ("mK", "0.001 K"),
            ("m s\u{2013}1", "m s^-1"),
            ("m•s⁻¹", "m s^-1"),
            ("㎞", "km"),
            ("ｍ／ｓ", "m/s"),
            ("℃", "°C"),
            ("˚C", "°C"),
            ("㎏ m⁻³", "kg m^-3"),
            ("℉", "°F"),
            ("s⁺¹", "s"),
            ("㎧", "m/s"),
            ("A\u{30a}", "Å"),
        ] {
            let (left, right) = (first(alike), first(plain));
            assert_eq!((&left.powers, left.offset), (&right.powers, right.offset), "{alike}");
            assert!((left.factor / right.factor - 1.0).abs() < 1e-12, "{alike}");
        }
    }

    #[test]
    fn scales_and_prefixes() {
        assert_eq!(first("kW m^-2").factor, 1e3);
        assert_eq!(first("µm").factor, 1e-6);
        assert_eq!(first("dam").factor, 10.0);
        assert_eq!(first("10^-6 m^-1").factor, 1e-6);
        assert_eq!(first("% per 100 m").factor, 1e-4);
        assert_eq!(first("g(C) yr^-1"), first("g/yr"));
        assert_eq!(first("M").powers, first("mol/L").powers);
        assert!((first("cm^3/min").factor - 1e-6 / 60.0).abs() < 1e-22);
    }

    #[test]
    fn an_offset_belongs_to_a_temperature_alone() {
        assert_eq!(first("°C").offset, 273.15);
        assert_eq!(first("^circC").offset, 273.15);
        assert_eq!(first("°C/h").offset, 0.0);
        assert_eq!(first("K").offset, 0.0);
    }

    #[test]
    fn an_open_slash_has_two_readings() {
        let readings = readings("J/kg K");
        assert_eq!(readings.len(), 2);
        assert_eq!(readings[0].powers, first("J kg^-1 K^-1").powers);
        assert_eq!(readings[1].powers, first("J K/(kg)").powers);
    }

    #[test]
    fn what_is_not_understood_has_no_reading() {
        for text in ["SI", "pH", "GFLOPS", "(mm/h)^1.4", "p_s", "x = hPa", "<b>m</b>", "m 2", "J(kg K)"] {
            assert_eq!(readings(text), [], "{text}");
        }
    }
}
