//! Inspect's own text scorers, written again from their documentation: the reference lens of level L3.
//!
//! `match` compares the end (or beginning, or any part) of the answer with the target, `includes` looks for
//! the target in the answer, `choice` compares the letters behind `ANSWER:`. What a rule of Inspect leaves
//! to its version or to an option that is not logged is not graded again, with the reason.

use caseless::default_case_fold_str;
use regex::Regex;

use crate::json::Value;

/// A scorer with its options as the log states them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rule {
    /// `match`.
    Match { location: Location, ignore_case: bool },
    /// `includes`.
    Includes { ignore_case: bool },
    /// `choice`.
    Choice,
}

/// Where `match` looks for the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    Begin,
    End,
    Any,
    Exact,
}

/// Why a verdict is not derived again.
pub(super) type Reason = &'static str;

impl Rule {
    /// The rule of a scorer by name and options.
    pub(super) fn of(scorer: &str, options: Option<&Value>) -> Result<Self, Reason> {
        let option = |name: &str| options.and_then(|options| options.get(name)).filter(|value| !value.is_null());
        let flag = |name: &str, usual: bool| option(name).map_or(Some(usual), Value::as_bool);
        let odd = "the scorer has an option of an unexpected kind";
        match scorer.rsplit('/').next().unwrap_or(scorer) {
            "match" if flag("numeric", false) != Some(false) => {
                Err("numeric matching follows rules that differ between versions of the scorer")
            }
            "match" => Ok(Self::Match {
                location: match option("location").map_or(Some("end"), Value::as_text) {
                    Some("begin") => Location::Begin,
                    Some("end") => Location::End,
                    Some("any") => Location::Any,
                    Some("exact") => Location::Exact,
                    _ => return Err(odd),
                },
                ignore_case: flag("ignore_case", true).ok_or(odd)?,
            }),
            "includes" => Ok(Self::Includes { ignore_case: flag("ignore_case", true).ok_or(odd)? }),
            "choice" => Ok(Self::Choice),
            _ => Err("the scorer is not a rule over texts (a model, or code that is not archived)"),
        }
    }

    /// True when the answer is right by this rule for any of the targets.
    pub(super) fn grade(&self, answer: &str, targets: &[&str], choices: usize) -> Result<bool, Reason> {
        match self {
            Self::Match { location, ignore_case } => {
                Ok(targets.iter().any(|target| matches(answer, target, *location, *ignore_case)))
            }
            Self::Includes { ignore_case } => {
                let answer = folded(answer, *ignore_case);
                Ok(targets.iter().any(|target| answer.contains(&folded(target, *ignore_case))))
            }
            Self::Choice => chosen(answer, targets, choices),
        }
    }
}

fn folded(text: &str, ignore_case: bool) -> String {
    if ignore_case { default_case_fold_str(text) } else { text.to_owned() }
}

/// White space, then case, then white space and punctuation at both ends; then the comparison.
fn matches(answer: &str, target: &str, location: Location, ignore_case: bool) -> bool {
    let clean = |text: &str| {
        let text = folded(trimmed(text), ignore_case);
        text.trim_matches(|c: char| PYTHON_SPACE_ASCII.contains(&c) || c.is_ascii_punctuation()).to_owned()
    };
    let (answer, target) = (clean(answer), clean(target));
    match location {
        Location::Begin => answer.starts_with(&target),
        Location::End => answer.ends_with(&target),
        Location::Any => answer.contains(&target),
        Location::Exact => answer == target,
    }
}

/// `string.whitespace` of Python.
const PYTHON_SPACE_ASCII: [char; 6] = [' ', '\t', '\n', '\r', '\x0b', '\x0c'];

/// `str.strip()` of Python: white space by Unicode and the four ASCII separators.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
}

/// Letters behind `ANSWER:` against the letters of the target.
fn chosen(answer: &str, targets: &[&str], choices: usize) -> Result<bool, Reason> {
    if choices == 0 {
        return Err("the options of the question are not archived");
    }
    // Letters up to the end of a line or something that belongs to no list of letters.
    let pattern = Regex::new(r"(?i)ANSWER\s*:\s*([A-Za-z ,]+)(?:[^\w]|\n|$)").map_err(|_| "the rule is broken")?;
    let letters = |text: &str| {
        let mut found: Vec<usize> = text
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| usize::from(letter.to_ascii_uppercase() as u8 - b'A'))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let wanted = letters(&targets.concat());
    let Some(found) = pattern.captures(answer) else { return Ok(false) };
    let stated = found[1].trim();
    if stated.split([' ', ',']).any(|word| word.len() > 1 && !word.bytes().all(|b| b.is_ascii_uppercase())) {
        return Err("the answer is stated in words, which versions of the solver read differently");
    }
    Ok(letters(stated).into_iter().filter(|letter| *letter < choices).collect::<Vec<_>>() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn rule(scorer: &str, options: &str) -> Result<Rule, Reason> {
        Rule::of(scorer, Some(&Reader::new(options.as_bytes()).value().unwrap()))
    }

    #[test]
    fn match_ignores_case_and_punctuation_and_looks_at_the_end() {
        // By hand, after the documentation of the scorer.
        let end = rule("match", "{}").unwrap();
        for (answer, target, right) in [
            ("Yes.", " Yes", true),
            ("I would say: **no**", "No", true),
            ("No, I would not", "No", false),
            ("STRASSE", "straße", true),
            ("", "No", false),
            ("nothing", "", true),
        ] {
            assert_eq!(end.grade(answer, &[target], 0), Ok(right), "{answer:?} {target:?}");
        }
        let grade = |options: &str, answer: &str| rule("inspect_ai/match", options).unwrap().grade(answer, &["No"], 0);
        assert_eq!(grade(r#"{"location": "begin"}"#, "No, I would not"), Ok(true));
        assert_eq!(grade(r#"{"location": "exact"}"#, "(no)"), Ok(true));
        assert_eq!(grade(r#"{"location": "any", "ignore_case": false}"#, "I know No one"), Ok(true));
        assert_eq!(grade(r#"{"location": "any", "ignore_case": false}"#, "I know"), Ok(false));
        assert!(rule("match", r#"{"numeric": true}"#).is_err());
        assert!(rule("match", r#"{"location": 3}"#).is_err());
        assert!(rule("model_graded_qa", "{}").is_err());
    }

    #[test]
    fn includes_finds_any_target_anywhere() {
        let includes = rule("includes", "{}").unwrap();
        assert_eq!(includes.grade("the flag is picoCTF{x}", &["nothing", "PICOCTF{X}"], 0), Ok(true));
        assert_eq!(includes.grade("", &["a"], 0), Ok(false));
    }

    #[test]
    fn choice_reads_the_letters_behind_answer() {
        let grade = |answer: &str, targets: &[&str]| Rule::Choice.grade(answer, targets, 4);
        assert_eq!(grade("ANSWER: B", &["B"]), Ok(true));
        assert_eq!(grade("Thinking.\nAnswer : a, C.", &["A", "C"]), Ok(true));
        assert_eq!(grade("ANSWER: C", &["B"]), Ok(false));
        assert_eq!(grade("B", &["B"]), Ok(false));
        assert!(grade("ANSWER: the first", &["A"]).is_err());
        assert!(Rule::Choice.grade("ANSWER: A", &["A"], 0).is_err());
    }
}
