//! Which numbers belong together: spreads, ranges, intervals, counts out of totals; and how a number is
//! meant.

use super::{Bound, Number, Role, Rule, Unit};

/// Sets roles, bounds and shared units.
pub(super) fn relate(text: &str, found: &mut [Number]) {
    for at in 0..found.len() {
        let before = if at == 0 { 0 } else { found[at - 1].after };
        let lead = text[before..found[at].start].trim_end_matches(['(', '[', '$', '*', ' ', '\u{a0}', '\u{2009}']);
        let (bound, role) = meant(lead);
        found[at].bound = bound;
        if let Some(role) = role {
            found[at].role = role;
        }
    }
    for at in 1..found.len() {
        let (left, right) = (&found[at - 1], &found[at]);
        if left.rule.is_some() || right.rule.is_some() || left.role != Role::Value {
            continue;
        }
        let between = &text[left.after..right.start];
        let Some((first, second)) = pair(text, between, left, right, at) else { continue };
        if matches!(first, Role::Low(_)) && found[at - 1].unit == Unit::None {
            found[at - 1].unit = found[at].unit;
        }
        found[at - 1].role = first;
        found[at].role = second;
        if !matches!(second, Role::Spread(_)) {
            found[at].bound = Bound::Exact;
        }
    }
}

fn meant(lead: &str) -> (Bound, Option<Role>) {
    let lower = lead.to_lowercase();
    let ends = |words: &[&str]| {
        words.iter().any(|word| {
            lower.strip_suffix(word).is_some_and(|rest| {
                !word.starts_with(char::is_alphabetic) || !rest.ends_with(|c: char| c.is_alphanumeric())
            })
        })
    };
    let bound = if ends(&["≥", ">=", "at least", "no fewer than", "no less than"]) {
        Bound::AtLeast
    } else if ends(&["≤", "<=", "at most", "no more than", "up to", "within"]) {
        Bound::AtMost
    } else if ends(&[">", "more than", "over", "above", "exceeds", "exceeding", "greater than"]) {
        Bound::MoreThan
    } else if ends(&["<", "fewer than", "less than", "under", "below"]) {
        Bound::LessThan
    } else if ends(&["≈", "~", "\u{223c}", "about", "roughly", "approximately", "around", "nearly", "almost", "some"])
    {
        Bound::About
    } else {
        Bound::Exact
    };
    let bare = lower.trim_end_matches(['=', '<', '>', '≈', '≤', '≥', ' ', '\u{a0}']);
    let named = |word: &str| {
        bare.len() < lower.len()
            && bare.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()))
    };
    let role = if named("p") || named("p-value") {
        Some(Role::Probability)
    } else if named("n") {
        Some(Role::Size)
    } else {
        None
    };
    (bound, role)
}

fn pair(text: &str, between: &str, left: &Number, right: &Number, at: usize) -> Option<(Role, Role)> {
    let bare = between.trim_matches([' ', '\u{a0}', '\u{2009}', '$', '*', '%']);
    if matches!(bare, "±" | "+/-" | "\u{2213}") {
        return Some((Role::Value, Role::Spread(at - 1)));
    }
    if right.role != Role::Value {
        return None;
    }
    let range = (Role::Low(at), Role::High(at - 1));
    let is_dash = matches!(bare, "\u{2013}" | "-" | "\u{2212}" | "\u{2014}" | "to" | "through");
    if is_dash && left.value <= right.value && (bare != "\u{2014}") && !is_date(text, left, right) {
        return Some(range);
    }
    let bracketed = matches!(bare, "," | ";")
        && text[..left.start].trim_end().ends_with(['[', '('])
        && text[right.after..].trim_start().starts_with([']', ')'])
        && (left.decimals > 0 || right.decimals > 0 || left.text.starts_with(['+', '-', '\u{2212}']));
    if bracketed && left.value <= right.value {
        return Some(range);
    }
    let words: Vec<&str> = between.split_whitespace().collect();
    let of = matches!(words.as_slice(), ["of"] | ["of", "the" | "all" | "these" | "our" | "its" | "those"])
        || matches!(words.as_slice(), ["out", "of"] | ["out", "of", "the"] | ["of", "the", "full"]);
    let slash = between == "/" || between == " / ";
    let counts = left.is_whole() && right.is_whole() && left.value <= right.value && right.value > 0.0;
    if counts && (of || slash) && left.unit == Unit::None && right.unit == Unit::None && right.rule != Some(Rule::Date)
    {
        return Some((Role::Count(at), Role::OutOf(at - 1)));
    }
    None
}

/// `2026-08-01`, `2019-2021`.
fn is_date(text: &str, left: &Number, right: &Number) -> bool {
    let year = |number: &Number| number.text.len() == 4 && (1900.0..2100.0).contains(&number.value);
    year(left) && (year(right) || text[right.after..].starts_with('-'))
}
