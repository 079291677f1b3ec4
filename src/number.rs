//! The only place that turns numbers into text, and the only place that adds doubles.
//!
//! Formatting follows Python, because the published tables were written by Python and must come out
//! byte for byte: [`repr`] is `repr(float)`, [`round`] is `round(x, n)`, [`fixed`] is `f"{x:.nf}"`.
//! Sums run in the order given; [`sum`] is the compensated sum of CPython 3.12 and later, which one
//! published cell needs, and [`plain_sum`] the ordinary one.

/// Decimal text with `decimals` places, rounded half to even on the exact binary value; a negative
/// zero loses its sign, as the published tables print it. NaN and infinities read `nan`, `inf`, `-inf`.
///
/// ```
/// assert_eq!(repro::number::fixed(0.125, 2), "0.12");
/// assert_eq!(repro::number::fixed(-0.04, 1), "0.0");
/// ```
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| b == b'0' || b == b'.') => digits.to_owned(),
        _ => text,
    }
}

/// [`fixed`] with an explicit plus sign for values that do not print as negative.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// Python's `round(value, decimals)`: the double nearest to the correctly rounded decimal.
pub fn round(value: f64, decimals: usize) -> f64 {
    if value.is_finite() { fixed(value, decimals).parse().unwrap_or(value) } else { value }
}

/// Python's `repr` of a float: shortest digits that round-trip, exponent form below 1e-4 and from
/// 1e16 on, always with a point or an exponent.
///
/// ```
/// assert_eq!(repro::number::repr(1e-5), "1e-05");
/// assert_eq!(repro::number::repr(35.0), "35.0");
/// ```
pub fn repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat(usize::try_from(-exponent - 1).unwrap_or(0)));
    };
    if whole == 0 {
        return format!("{sign}0.{digits}");
    }
    let padded = format!("{digits:0<width$}", width = whole + 1);
    format!("{sign}{}.{}", &padded[..whole], &padded[whole..])
}

/// Shortest digits that round-trip, in exponent form. Where two candidates of that length are equally
/// near (the value ends in a 5 beyond them), Python takes the even one and Rust's formatter does not.
fn shortest(value: f64) -> String {
    let text = format!("{value:e}");
    let digits = text.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count();
    let rounded = format!("{value:.places$e}", places = digits.saturating_sub(1));
    if rounded.parse() == Ok(value) { rounded } else { text }
}

/// C's `%.{digits}g`: `digits` significant digits without trailing zeros, exponent form below 1e-4 and
/// from ten to the power `digits` on. `digits` is at least 1.
///
/// ```
/// assert_eq!(repro::number::general(13219.0, 3), "1.32e+04");
/// assert_eq!(repro::number::general(358.667, 4), "358.7");
/// ```
pub fn general(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return repr(value);
    }
    let digits = digits.max(1);
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
    };
    if (-4..digits as i32).contains(&exponent) {
        return trim(&format!("{value:.*}", (digits as i32 - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
}

/// `digits` significant digits, rounded half to even on the exact binary value, without an exponent and with
/// all digits kept: 1/8 with two reads `0.12`, 1 reads `1.0`. Zero reads `0`; `digits` is at least 1.
///
/// ```
/// assert_eq!(repro::number::significant(0.125, 2), "0.12");
/// assert_eq!(repro::number::significant(28.0 / 32768.0, 2), "0.00085");
/// assert_eq!(repro::number::significant(123.4, 2), "120");
/// ```
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() || value == 0.0 {
        return fixed(value, 0);
    }
    let scientific = format!("{value:.*e}", digits.max(1) - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let decimals = digits.max(1) as i32 - 1 - exponent;
    let rounded: f64 = scientific.parse().unwrap_or(value);
    fixed(rounded, decimals.max(0) as usize)
}

/// A value beside a printed one: one decimal more than printed, and as many more as it takes to differ from the
/// print where the values do.
///
/// ```
/// assert_eq!(repro::number::beside(91.666_666_666_666_67, "91.7"), "91.67");
/// assert_eq!(repro::number::beside(0.501, "0.5"), "0.501");
/// assert_eq!(repro::number::beside(12.0, "11"), "12.0");
/// ```
pub fn beside(value: f64, printed: &str) -> String {
    let digits = printed.trim_end_matches('%').split(['e', 'E']).next().unwrap_or_default();
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let stated: Option<f64> = printed.trim_end_matches('%').parse().ok();
    let apart = |text: &String| match stated {
        Some(stated) => stated == value || text.parse() != Ok(stated),
        None => true,
    };
    (decimals + 1..=15).map(|decimals| fixed(value, decimals)).find(apart).unwrap_or_else(|| repr(value))
}

/// Integer with thin thousands groups for pages: `83040` becomes `83,040`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Compensated sum (Neumaier), left to right, as CPython 3.12 and later add floats.
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() { (total - next) + value } else { (value - next) + total };
        total = next;
    }
    if lost != 0.0 && lost.is_finite() { total + lost } else { total }
}

/// Ordinary left-to-right sum.
pub fn plain_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |total, value| total + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::excessive_precision, reason = "the tie is the point")]
    fn repr_writes_what_python_writes() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1_215_366_448_489.281_25_f64, "1215366448489.2812"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (100.0, "100.0"),
            (-123.456, "-123.456"),
            (0.001, "0.001"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
        ] {
            assert_eq!(repr(value), text);
        }
    }

    #[test]
    fn rounding_is_half_even_on_the_exact_value() {
        assert_eq!(fixed(2.675, 2), "2.67");
        assert_eq!(fixed(0.5, 0), "0");
        assert_eq!(fixed(1.5, 0), "2");
        assert_eq!(round(-2.5, 0), -2.0);
        assert_eq!(signed(-0.04, 1), "+0.0");
    }

    #[test]
    fn the_compensated_sum_keeps_what_the_plain_sum_loses() {
        let values = [1.0, 1e100, 1.0, -1e100];
        assert_eq!(sum(values), 2.0);
        assert_eq!(plain_sum(values), 0.0);
        assert_eq!(sum([0.1; 10]), 1.0);
    }

    #[test]
    fn general_writes_what_c_writes() {
        for (value, digits, text) in [
            (0.0, 6, "0"),
            (1e22, 6, "1e+22"),
            (0.000_123_456_7, 3, "0.000123"),
            (0.000_012_345, 3, "1.23e-05"),
            (999_999.5, 6, "1e+06"),
            (-41.9446, 3, "-41.9"),
            (100.0, 3, "100"),
            (100.0, 2, "1e+02"),
        ] {
            assert_eq!(general(value, digits), text);
        }
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 83_040, 1_000_000].map(grouped), ["0", "999", "1,000", "83,040", "1,000,000"]);
    }
}
