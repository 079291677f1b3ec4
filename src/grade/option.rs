//! The option that a response picks, read from its text.
//!
//! A letter counts only where it stands alone: `R` in `Rossby` is no option, nor is the article `A` of a
//! sentence. The last box that holds a letter decides; without one, the last statement of the form
//! `answer: B`, `the answer is (B)`, `option B`; without one, a response that is nothing but a letter.

use std::sync::LazyLock;

use regex::Regex;

use super::{boxed, pattern, python, work};

/// A statement of the answer with a letter that no letter, digit or apostrophe touches.
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(concat!(
        r"(?i:\b(?:final\s+)?(?:answer|choice|option)(?:\s+(?:is|would\s+be|must\s+be))?)\s*[:=]?\s*",
        r"(?:(?i:option|choice)\s+)?[*_$]*\(?\[?[*_$]*([A-Z])\b",
    ))
});
/// A letter in brackets, emphasis or dollar signs, and nothing else but what ends a sentence.
static ALONE: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"^[\s*_$(\[]*([A-Z])[\s*_$)\].:]*$"));
/// A letter at the begin of a box: `B`, `(B)`, `B. 5 m`, `\text{B}`.
static BOXED: LazyLock<Regex> = LazyLock::new(|| {
    pattern::python(r"^\s*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{)?[\s(\[]*(?:(?i:option)\s+)?([A-Z])(?:[\s).,:\]}]|$)")
});

/// The letter picked among `A` and the `options - 1` letters after it; `None` when the text says none.
///
/// ```
/// use repro::grade::option::letter;
/// assert_eq!(letter("Answer: B. The answer depends on R.", 4), Some('B'));
/// assert_eq!(letter(r"so \boxed{C}", 4), Some('C'));
/// assert_eq!(letter("A rough guess cannot tell.", 4), None);
/// ```
pub fn letter(text: &str, options: usize) -> Option<char> {
    work::spent(2 * text.len());
    let last = char::from(b'A' + u8::try_from(options.clamp(1, 26) - 1).unwrap_or(25));
    let offered = |letter: &char| ('A'..=last).contains(letter);
    let of = |found: regex::Captures<'_>| found.get(1).and_then(|letter| letter.as_str().chars().next());
    let boxes = boxed::contents(text).unwrap_or_default();
    let boxed = boxes.iter().rev().find_map(|content| {
        let start: &str = content.char_indices().nth(40).map_or(content, |(end, _)| &content[..end]);
        BOXED.captures(start).and_then(of).filter(offered)
    });
    let stated = || {
        let all = STATED.captures_iter(text).filter(|found| {
            let rest = found.get(1).map_or("", |letter| &text[letter.end()..]);
            !is_article(found.get(1).map_or("", |letter| letter.as_str()), rest)
        });
        all.filter_map(of).filter(offered).last()
    };
    let alone = || ALONE.captures(python::strip(text)).and_then(of).filter(offered);
    boxed.or_else(stated).or_else(alone)
}

/// `A` or `I` before another word of a sentence is no option.
fn is_article(letter: &str, rest: &str) -> bool {
    let word = |text: &str| text.chars().next().is_some_and(char::is_lowercase);
    let followed = rest.strip_prefix(' ').is_some_and(word) || rest.starts_with(['\'', '’', '-', '_']);
    matches!(letter, "A" | "I") && followed
}

/// The letter of the right option, from a stored key that is a letter or the text of an option.
pub fn key(stored: &str, options: &[String]) -> Option<char> {
    let stored = python::strip(stored).trim_matches(['(', ')', '.', '[', ']']);
    let mut letters = stored.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_ascii_alphabetic()
    {
        return Some(letter.to_ascii_uppercase());
    }
    let position = options.iter().position(|option| python::strip(option) == stored)?;
    u8::try_from(position).ok().filter(|&at| at < 26).map(|at| char::from(b'A' + at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_must_stand_alone() {
        for (text, picked) in [
            ("Answer: B. The answer depends on R.", Some('B')),
            ("The answer is (C).", Some('C')),
            ("**Answer: D**", Some('D')),
            ("Final answer is **B**", Some('B')),
            ("The formula leads to option C: \\boxed{C}", Some('C')),
            (r"\boxed{\text{B}}", Some('B')),
            (r"\boxed{B. 5 m}", Some('B')),
            (r"First \boxed{A}, no: \boxed{D}", Some('D')),
            ("Option A is too small. The answer is B", Some('B')),
            ("B", Some('B')),
            (" (C). ", Some('C')),
            ("The answer is Rossby's.", None),
            ("The answer is A good question.", None),
            ("Answer: E", None),
            ("The answer is Bernoulli", None),
            (r"\boxed{Bernoulli}", None),
            (r"\boxed{5}", None),
            ("", None),
        ] {
            assert_eq!(letter(text, 4), picked, "{text}");
        }
        assert_eq!(letter("Answer: E", 5), Some('E'));
    }

    #[test]
    fn a_key_is_a_letter_or_the_text_of_an_option() {
        let options = ["5 m".to_owned(), "7 m".to_owned()];
        assert_eq!((key("b", &options), key("(A)", &options), key("7 m", &options)), (Some('B'), Some('A'), Some('B')));
        assert_eq!(key("9 m", &options), None);
    }
}
