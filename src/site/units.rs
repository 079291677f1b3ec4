//! Numbers and units as pages print them, by one rule for what is printed and for what is recomputed.

use crate::number;

/// A unit in print: powers raised, products with a point, micro as µ. What is no power stays as the study has it.
pub(crate) fn unit(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let mut ahead = rest.clone();
        let signed = letter == '^' && ahead.next_if(|next| matches!(next, '-' | '+' | '\u{2212}')).is_some();
        match letter {
            '^' if ahead.peek().is_some_and(char::is_ascii_digit) => {
                if signed && rest.next() != Some('+') {
                    out.push('⁻');
                }
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    out.push(raised(digit));
                }
            }
            '*' => out.push('·'),
            '_' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

const fn raised(digit: char) -> char {
    match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

/// A number with its unit: `43.28 %`, `1 point`, `2.4 points`, `5 m s⁻¹`; counts and texts stand alone.
pub(crate) fn with_unit(text: &str, name: &str) -> String {
    match name {
        "" | "count" | "counts" | "text" | "p" | "P" => text.to_owned(),
        "percent" if text.contains('%') => text.to_owned(),
        "percent" => format!("{text} %"),
        "points" | "point" | "pp" => {
            let one = matches!(text.trim_start_matches(['+', '-', '\u{2212}']), "1" | "1.0" | "1.00");
            format!("{text} {}", if one { "point" } else { "points" })
        }
        other => format!("{text} {}", unit(other)),
    }
}

/// A decimal text with groups of thousands and a true minus.
pub(crate) fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("\u{2212}", digits),
        None => ("", text),
    };
    let (whole, rest) = digits.split_at(digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    match whole.parse::<u64>() {
        Ok(value) if whole.len() > 3 => format!("{sign}{}{rest}", number::grouped(value)),
        _ => format!("{sign}{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_printed_as_people_write_them() {
        let shown = ["m s^-1", "W/m^2", "kg*m^-3", "ug/m^3", "µ^", "degrees_C", "10^5 Pa", "m^+2"].map(unit);
        assert_eq!(shown, ["m s⁻¹", "W/m²", "kg·m⁻³", "ug/m³", "µ^", "degrees C", "10⁵ Pa", "m²"]);
    }

    #[test]
    fn one_rule_gives_a_number_its_unit() {
        assert_eq!(with_unit("43.28", "percent"), "43.28 %");
        assert_eq!(with_unit("43.0%", "percent"), "43.0%");
        assert_eq!([with_unit("1", "points"), with_unit("\u{2212}1.0", "points")], ["1 point", "\u{2212}1.0 point"]);
        assert_eq!([with_unit("2.4", "points"), with_unit("12", "count")], ["2.4 points", "12"]);
        assert_eq!(with_unit("5", "m s^-1"), "5 m s⁻¹");
    }

    #[test]
    fn thousands_stand_in_groups_and_minus_is_minus() {
        let shown = ["83040.5", "-1234", "999", "1e-05", "12345678", "-0.5", "nan"].map(grouped);
        assert_eq!(shown, ["83,040.5", "\u{2212}1,234", "999", "1e-05", "12,345,678", "\u{2212}0.5", "nan"]);
    }
}
