//! What is no claim.

use super::{Number, Role, Rule, Unit};

/// Words before a number that refers to a part of a document.
const PARTS: &[&str] = &[
    "algorithm",
    "appendices",
    "appendix",
    "box",
    "case",
    "chapter",
    "chapters",
    "ch",
    "column",
    "definition",
    "eq",
    "eqs",
    "equation",
    "equations",
    "example",
    "experiment",
    "fig",
    "figs",
    "figure",
    "figures",
    "finding",
    "findings",
    "footnote",
    "item",
    "items",
    "lemma",
    "line",
    "lines",
    "listing",
    "note",
    "page",
    "pages",
    "panel",
    "part",
    "parts",
    "phase",
    "point",
    "pp",
    "question",
    "ref",
    "refs",
    "row",
    "rule",
    "rules",
    "sec",
    "section",
    "sections",
    "stage",
    "stages",
    "step",
    "steps",
    "suppl",
    "supplementary",
    "tab",
    "table",
    "tables",
    "task",
    "theorem",
    "tier",
    "§",
    "§§",
    "run",
    "sub",
    "gate",
    "gates",
    "version",
    "seed",
    "seeds",
    "level",
];

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];

/// Sets the rule of every number that is no claim.
pub(super) fn apply(text: &str, found: &mut [Number]) {
    let mut after_part = false;
    for at in 0..found.len() {
        let (before, rest) = (&text[..found[at].start], &text[found[at].after..]);
        let gap = if at == 0 { before } else { &text[found[at - 1].after..found[at].start] };
        // `Tables 1, 2 and 3`: what is listed after a reference refers as well.
        let listed = matches!(gap.trim(), "," | "and" | "\u{2013}" | "-" | ", and" | "&" | "or" | "to" | "/");
        let refers = refers(before) || (after_part && at > 0 && listed);
        after_part = refers && found[at].rule.is_none_or(|rule| rule == Rule::Reference);
        if found[at].rule.is_some() {
            continue;
        }
        found[at].rule = rule(text, before, rest, &found[at], refers);
    }
}

fn rule(text: &str, before: &str, rest: &str, number: &Number, refers: bool) -> Option<Rule> {
    let whole = number.is_whole() && number.unit == Unit::None;
    if refers && number.unit == Unit::None && number.role != Role::Spread(0) {
        let word = before.trim_end().rsplit(' ').next().unwrap_or("").to_lowercase();
        return Some(if word == "version" { Rule::Version } else { Rule::Reference });
    }
    if is_address(text, number) {
        return Some(Rule::Code);
    }
    if whole && is_citation(before, rest) {
        return Some(Rule::Citation);
    }
    if ["st", "nd", "rd", "th"].iter().any(|end| rest.starts_with(end)) && whole {
        return Some(Rule::Ordinal);
    }
    if whole && is_item(before, rest) {
        return Some(Rule::Ordinal);
    }
    if is_date(before, rest, number) {
        return Some(Rule::Date);
    }
    if number.unit == Unit::Measure {
        return Some(Rule::Measurement);
    }
    if before.ends_with(['^', '√', '_', '\\']) || rest.starts_with(['^', '√']) || rest.starts_with("·") {
        return Some(Rule::Formula);
    }
    if before.ends_with(['v', 'V']) && before.chars().rev().nth(1).is_none_or(|c| !c.is_alphanumeric()) {
        return Some(Rule::Version);
    }
    None
}

/// True behind a word that refers to a part of a document.
fn refers(before: &str) -> bool {
    let before = before.trim_end_matches(['.', ' ', '\u{a0}', '~', 'S', '(', '#']);
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | ',' | ';')).next().unwrap_or("");
    let word = word.trim_start_matches(['*', '"']).to_lowercase();
    !word.is_empty() && (PARTS.contains(&word.as_str()) || word.ends_with('§'))
}

fn is_address(text: &str, number: &Number) -> bool {
    let space = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '|');
    let start = text[..number.start].rfind(space).map_or(0, |at| at + 1);
    let start = (start..=number.start).find(|at| text.is_char_boundary(*at)).unwrap_or(number.start);
    let token = &text[start..number.start];
    let token = &token[token.len().saturating_sub(80).min(token.len())..token.len()].to_lowercase();
    token.contains("://") || token.contains("doi") || token.contains("arxiv") || token.contains("www.")
}

/// `[12]`, `[12, 14–16]`: a bracket that holds whole numbers only.
fn is_citation(before: &str, rest: &str) -> bool {
    let inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '\u{2013}' | '-' | '\u{a0}');
    before.trim_end_matches(inside).ends_with('[') && rest.trim_start_matches(inside).starts_with(']')
}

/// `(1)` or `1.` at the beginning.
fn is_item(before: &str, rest: &str) -> bool {
    let first = before.trim().is_empty() && rest.starts_with(['.', ')']) && rest[1..].starts_with(' ');
    let bracketed = before.ends_with('(') && rest.starts_with(") ") && before[..before.len() - 1].ends_with([' ', ',']);
    let listed = bracketed && before.trim_end_matches('(').trim_end().ends_with([':', ';', ',']);
    first || listed
}

fn is_date(before: &str, rest: &str, number: &Number) -> bool {
    let word = before.trim_end_matches([' ', ',', '\u{a0}']).rsplit(' ').next().unwrap_or("").to_lowercase();
    let next = rest.trim_start_matches([' ', ',']).split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let month = |word: &str| MONTHS.contains(&word.trim_end_matches('.'));
    if number.is_whole() && number.value < 2100.0 && (month(&word) && word != "may" || month(&next.to_lowercase())) {
        return next != "may" && next != "march";
    }
    let year = number.text.len() == 4 && (1900.0..2100.0).contains(&number.value) && number.unit == Unit::None;
    if !year {
        return before.ends_with('-') && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit());
    }
    // `2000 samples` counts something; `in 2024` does not.
    let counts = next.len() > 3 && next.ends_with('s') && next.starts_with(char::is_lowercase);
    !counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_seen_through_punctuation() {
        assert!(refers("see Fig. ") && refers("(Supplementary Table S") && refers("in **§"));
        assert!(!refers("we solve ") && !refers(""));
    }
}
