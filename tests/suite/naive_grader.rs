//! The study's grading rule once more, as plainly as its description puts it, for reference versions.

/// Token, dimension, factor to the base unit.
const UNITS: &str = "m L 1; meter L 1; metre L 1; cm L 1e-2; mm L 1e-3; km L 1e3; um L 1e-6; µm L 1e-6; micron L 1e-6;
 nm L 1e-9; inch L 0.0254; inches L 0.0254; ft L 0.3048; foot L 0.3048; feet L 0.3048; mile L 1609.344;
 miles L 1609.344; s T 1; sec T 1; second T 1; seconds T 1; ms T 1e-3; millisecond T 1e-3; milliseconds T 1e-3;
 us T 1e-6; µs T 1e-6; μs T 1e-6; microsecond T 1e-6; microseconds T 1e-6; ns T 1e-9; nanosecond T 1e-9;
 nanoseconds T 1e-9; min T 60; minute T 60; minutes T 60; h T 3600; hr T 3600; hour T 3600; hours T 3600;
 day T 86400; days T 86400; yr T 31557600; year T 31557600; years T 31557600; pa P 1; hpa P 100; mb P 100; mbar P 100;
 kpa P 1000; bar P 1e5; atm P 101325; kg M 1; g M 1e-3; gram M 1e-3; grams M 1e-3; mg M 1e-6; ug M 1e-9; μg M 1e-9;
 microgram M 1e-9; micrograms M 1e-9; ng M 1e-12; tonne M 1e3; tonnes M 1e3; metricton M 1e3; dimensionless R 1;
 fraction R 1; ratio R 1; unitless R 1; 1 R 1; % R 1e-2; percent R 1e-2; j E 1; joule E 1; joules E 1; kj E 1e3;
 rad A 1; radian A 1; radians A 1; deg A 0.017453292519943295; degree A 0.017453292519943295;
 degrees A 0.017453292519943295; ° A 0.017453292519943295; k D 1; c D 1; °c D 1; ℃ D 1";

fn factor(token: &str) -> Option<(char, f64)> {
    if token.is_empty() {
        return Some(('R', 1.0));
    }
    UNITS.split(';').find_map(|entry| {
        let mut words = entry.split_whitespace();
        let found = words.next() == Some(token);
        let (dimension, factor) = (words.next()?, words.next()?);
        found.then(|| (dimension.chars().next().unwrap(), factor.parse().unwrap()))
    })
}

fn plain_text(unit: &str) -> String {
    let mut text = unit.to_lowercase().trim().to_owned();
    for mark in ["$", "\\mathrm", "\\text", "{", "}"] {
        text = text.replace(mark, "");
    }
    text
}

/// Dimension and value in the base unit of a single token.
fn scalar(value: f64, unit: &str) -> Option<(char, f64)> {
    let token = plain_text(unit).replace(' ', "");
    match token.as_str() {
        "k" | "kelvin" => Some(('t', value)),
        "c" | "°c" | "degc" | "celsius" | "℃" => Some(('t', value + 273.15)),
        token => factor(token).map(|(dimension, factor)| (dimension, value * factor)),
    }
}

/// Net exponents by dimension and value in base units of a product.
fn product(value: f64, unit: &str) -> Option<(Vec<(char, i32)>, f64)> {
    let superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut text: String = plain_text(unit)
        .chars()
        .map(|c| match c {
            '⁻' => '-',
            '·' | '×' | '*' => ' ',
            c => superscripts.iter().position(|s| *s == c).map_or(c, |digit| char::from(b'0' + digit as u8)),
        })
        .collect();
    text = text.replace("per", "/");
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > 2 || parts[0].trim().is_empty() {
        return None;
    }
    let (mut exponents, mut scaled) = (Vec::<(char, i32)>::new(), 1.0);
    for (part, sign) in parts.iter().zip([1, -1]) {
        for token in part.split_whitespace() {
            let letter = |c: char| c.is_ascii_lowercase() || "µμ%°℃".contains(c);
            let end = token.find(|c| !letter(c)).unwrap_or(token.len());
            let (letters, power) = token.split_at(end);
            let power = power.strip_prefix('^').unwrap_or(power);
            let power: i32 = if power.is_empty() { 1 } else { power.parse().ok()? };
            if letters.is_empty() {
                return None;
            }
            let (dimension, factor) = factor(letters)?;
            scaled *= factor.powi(sign * power);
            match exponents.iter_mut().find(|(known, _)| *known == dimension) {
                Some((_, net)) => *net += sign * power,
                None => exponents.push((dimension, sign * power)),
            }
        }
    }
    exponents.retain(|(_, net)| *net != 0);
    exponents.sort_unstable();
    Some((exponents, value * scaled))
}

fn near(expected: f64, actual: f64, tolerance: f64) -> bool {
    if expected == 0.0 {
        return actual.abs() < tolerance;
    }
    (actual - expected).abs() / expected.abs().max(1e-15) <= tolerance
}

/// A number, or mantissa and power of ten in loose writing.
fn loose(text: &str) -> Option<f64> {
    text.parse().ok().or_else(|| {
        let (mantissa, power) = text.split_once(['x', 'X', '×'])?;
        let power = power.trim();
        let power = power.strip_prefix("10").filter(|rest| !rest.is_empty()).unwrap_or(power).trim();
        let power: i32 = power.strip_prefix('^').unwrap_or(power).trim().parse().ok()?;
        Some(mantissa.trim().parse::<f64>().ok()? * 10_f64.powi(power))
    })
}

/// Whether a returned value passes against one accepted answer.
pub(crate) fn passes(expected: &str, unit: &str, actual: f64, actual_unit: &str, tolerance: f64) -> bool {
    let text = expected.trim();
    match text {
        "inf" | "infinity" | "\\infty" => return actual == f64::INFINITY,
        "-inf" | "-\\infty" => return actual == f64::NEG_INFINITY,
        _ => {}
    }
    if loose(text).is_some_and(|expected| near(expected, actual, tolerance)) {
        return true;
    }
    let Ok(expected) = text.parse::<f64>() else { return false };
    match (scalar(expected, unit), scalar(actual, actual_unit)) {
        (Some(a), Some(b)) if a.0 == b.0 => near(a.1, b.1, tolerance),
        _ => match (product(expected, unit), product(actual, actual_unit)) {
            (Some(a), Some(b)) if a.0 == b.0 => near(a.1, b.1, tolerance),
            _ => false,
        },
    }
}

#[test]
fn the_test_vectors_of_the_description_hold() {
    for (expected, unit, actual, actual_unit, verdict) in [
        ("1.5", "cm", 0.0146, "m", true),
        ("12.74", "°C", 10.1, "°C", true),
        ("0", "m/s", 0.05, "m/s", false),
        ("4.5e-8", "cm^3/min", 7.5e-10, "cm^3/s", true),
        ("1.5x10^3", "m", 1.5, "km", false),
        ("6.5", "K/km", 0.0065, "K/m", true),
        ("293.15", "K", 20.0, "°C", true),
        ("1e-5", "1/s", 0.036, "1/h", false),
        ("8.0", "W m^-2", 0.008, "kW m^-2", false),
    ] {
        assert_eq!(passes(expected, unit, actual, actual_unit, 0.05), verdict, "{expected} {unit}");
    }
}
