//! Numbers in words: `three of nine`, `none of the`, `half`, `a third`.

use super::{Bound, Number, Role, Rule, Unit};

const WORDS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("half", 50.0),
];

/// Adds spelled numbers and keeps the order of the text.
pub(super) fn add(text: &str, found: &mut Vec<Number>) {
    let mut more = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain(std::iter::once((text.len(), ' ')));
    for (at, c) in ends {
        match (start, c.is_alphabetic()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                more.extend(word(text, from, at));
                start = None;
            }
            _ => {}
        }
    }
    if !more.is_empty() {
        found.extend(more);
        found.sort_by_key(|number| number.start);
    }
}

fn word(text: &str, start: usize, end: usize) -> Option<Number> {
    let printed = &text[start..end];
    if printed.len() > 9 {
        return None;
    }
    let lower = printed.to_ascii_lowercase();
    let (_, value) = WORDS.iter().find(|(word, _)| *word == lower)?;
    // `one-by-one`, `two-sided`, `in one`: parts of other words are not numbers of anything.
    let glued = text[end..].starts_with('-') || text[..start].ends_with(['-', '_', '/']);
    let is_half = lower == "half";
    let pronoun = lower == "one" && !text[end..].trim_start().starts_with("of ");
    Some(Number {
        start,
        end,
        after: end,
        place: 0,
        text: printed.to_owned(),
        value: *value,
        decimals: 0,
        unit: if is_half { Unit::Percent } else { Unit::None },
        bound: Bound::Exact,
        role: Role::Value,
        rule: (glued || pronoun).then_some(Rule::Name),
    })
}
