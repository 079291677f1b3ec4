//! Sentences of a passage: where they begin and end. Full stops inside numbers, of abbreviations and of
//! initials end nothing.

/// A sentence as a range of its passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "ca", "cf", "ch", "e.g", "eq", "eqs", "fig", "figs", "i.e", "no", "p", "pp", "ref", "refs", "resp",
    "sec", "st", "suppl", "tab", "vs", "dr", "vol",
];

/// The sentences of a text in order; together they cover all of its words.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some(&(next, closing)) = chars.peek() {
            if !matches!(closing, '"' | '\'' | '\u{201d}' | '\u{2019}' | ')' | ']') {
                break;
            }
            end = next + closing.len_utf8();
            chars.next();
        }
        let rest = &text[end..];
        let next = rest.trim_start().chars().next();
        let is_end = rest.is_empty()
            || (rest.starts_with(char::is_whitespace)
                && (next.is_none_or(|c| !c.is_lowercase()) || begins_with_name(rest))
                && !(c == '.' && is_abbreviation(&text[start..at])));
        if is_end {
            push(&mut found, text, start, end);
            start = end;
        }
    }
    push(&mut found, text, start, text.len());
    found
}

/// `gpt-4o solves`, `openhands_claude leads`: a sentence may begin with a name that is written small.
fn begins_with_name(rest: &str) -> bool {
    let word = rest.split_whitespace().next().unwrap_or("");
    word.contains('_') || word.contains('-') && word.contains(|c: char| c.is_ascii_digit())
}

fn push(found: &mut Vec<Sentence>, text: &str, start: usize, end: usize) {
    let part = &text[start..end];
    if !part.trim().is_empty() {
        let lead = part.len() - part.trim_start().len();
        found.push(Sentence { start: start + lead, end: start + part.trim_end().len() });
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[')).next().unwrap_or("");
    let lower = word.to_lowercase();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    is_initial || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_inside_numbers_and_abbreviations_end_nothing() {
        let text = "It is 97.6% (see Fig. 3). Others, e.g. B, are at 9. \"So?\" Yes";
        let parts: Vec<&str> = sentences(text).iter().map(|s| &text[s.start..s.end]).collect();
        assert_eq!(parts, ["It is 97.6% (see Fig. 3).", "Others, e.g. B, are at 9.", "\"So?\"", "Yes"]);
        let text = "It is 5. gpt-4o is 6, and so on. less";
        assert_eq!(sentences(text).len(), 2);
    }
}
