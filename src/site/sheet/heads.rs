//! Heads of recomputed tables: what a column of a data file is called, in words.

use super::Head;
use crate::table::{Column, Kind};

/// Parts of the names of columns that stand for other words.
const WORDS: &[(&str, &str)] = &[
    ("acc", "accuracy"),
    ("ci", "interval"),
    ("configs", "configurations"),
    ("delta", "difference"),
    ("dagger", "mark"),
    ("hi", "to"),
    ("holm", "(Holm)"),
    ("id", "problem"),
    ("lo", "from"),
    ("log2", "log₂"),
    ("mcnemar", "McNemar"),
    ("p", "P"),
    ("p50", "median"),
    ("sd", "SD"),
    ("sub", "sub-answers"),
    ("subs", "sub-answers"),
    ("wilson", "Wilson"),
];

/// Units as heads print them; an empty one is said by the words already.
const UNITS: &[(&str, &str)] = &[("percent", "%"), ("p", ""), ("count", "")];

/// Endings of names that only repeat the unit.
const ENDINGS: &[(&str, &str)] = &[
    ("pct", "percent"),
    ("pp", "points"),
    ("pt", "points"),
    ("M", "million tokens"),
    ("run", "million tokens per run"),
];

/// Methods of intervals that name columns.
const INTERVALS: &[&str] = &["exact", "wilson"];

/// The head of a column, with its name in the files as the explanation where that is another one.
pub(super) fn head(column: &Column) -> Head {
    let mut parts: Vec<&str> = column.name.split('_').filter(|part| !part.is_empty()).collect();
    if parts.len() > 1 {
        parts.retain(|part| !ENDINGS.contains(&(*part, column.unit)));
    }
    let counted = parts.first() == Some(&"n");
    if counted && parts.len() > 1 {
        parts.remove(0);
    }
    // Both ends of an interval are named by its method: `wilson_low`.
    if let [method, end @ ("low" | "high")] = parts[..]
        && INTERVALS.contains(&method)
    {
        parts = vec![method, "interval", if end == "low" { "from" } else { "to" }];
    }
    let words: Vec<String> = parts.into_iter().map(word).collect();
    let mut text = if counted && words == ["n"] && !matches!(column.unit, "" | "count") {
        column.unit.to_owned()
    } else {
        words.join(" ")
    };
    if text == "n" {
        "count".clone_into(&mut text);
    }
    let unit = UNITS.iter().find(|(unit, _)| *unit == column.unit).map_or(column.unit, |(_, shown)| shown);
    // A count of problems called so needs no unit besides.
    let is_word = unit.starts_with(char::is_alphabetic);
    let unit = if is_word && (text == unit || text.ends_with(&format!(" {unit}"))) { "" } else { unit };
    let mut letters = text.chars();
    let text = letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>());
    let title = if text == column.name { String::new() } else { format!("{} in the data files", column.name) };
    Head { text, unit: unit.to_owned(), num: column.kind != Kind::Text, title }
}

/// A part of a name in words: `acc` is accuracy, `5pct` is at 5 %, `n346` is over 346, `p90` is the 90th percentile.
fn word(part: &str) -> String {
    if let Some((_, words)) = WORDS.iter().find(|(short, _)| *short == part) {
        return (*words).to_owned();
    }
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(share) = part.strip_suffix("pct").filter(|share| number(share)) {
        return format!("at {share} %");
    }
    if let Some(count) = part.strip_prefix('n').filter(|count| number(count)) {
        return format!("over {count}");
    }
    if let Some(share) = part.strip_prefix('p').filter(|share| number(share)) {
        return format!("{share}th percentile");
    }
    // A word with its count: `all670`.
    match part.find(|c: char| c.is_ascii_digit()) {
        Some(at) if at > 1 && number(&part[at..]) => format!("{} {}", &part[..at], &part[at..]),
        _ => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_words_and_say_a_unit_once() {
        let shown = |name: &str, unit: &'static str| {
            let head = head(&Column { name: name.to_owned(), kind: Kind::Real, unit });
            if head.unit.is_empty() { head.text } else { format!("{} [{}]", head.text, head.unit) }
        };
        for (name, unit, words) in [
            ("core_pct_n346", "percent", "Core over 346 [%]"),
            ("mean_gap_pp", "points", "Mean gap [points]"),
            ("n_parents", "parents", "Parents"),
            ("n", "problems", "Problems"),
            ("n", "count", "Count"),
            ("n_low", "problems", "Low [problems]"),
            ("mcnemar_p", "p", "McNemar P"),
            ("p_holm", "p", "P (Holm)"),
            ("ci_lo_pt", "points", "Interval from [points]"),
            ("acc_10pct", "percent", "Accuracy at 10 % [%]"),
            ("wilson_low", "percent", "Wilson interval from [%]"),
            ("exact_high", "percent", "Exact interval to [%]"),
            ("capture_runs", "runs", "Capture runs"),
            ("p90", "tokens", "90th percentile [tokens]"),
            ("option_all670", "percent", "Option all 670 [%]"),
            ("direct_tokens_M", "million tokens", "Direct tokens [million tokens]"),
            ("Dyn_mean", "percent", "Dyn mean [%]"),
        ] {
            assert_eq!(shown(name, unit), words, "{name}");
        }
    }
}
