//! How documents write the names of configurations: `GPT-4o (2024-08-06)` and `GPT-4o` for `gpt-4o-2024-08-06`,
//! `Claude 3.5 Sonnet` for `claude-3-5-sonnet-20241022`, `Agentless with Claude` for `agentless_claude`.
//!
//! Names are compared run together, because they are parted differently everywhere. A short form that several
//! configurations share stands for all of them, and the number stays ambiguous.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::{Token, words};

/// Firms that stand in front of names of models.
const VENDORS: &[&str] = &["anthropic", "cohere", "deepseek-ai", "google", "meta", "mistralai", "openai", "x-ai"];

/// Endings that documents leave out beside dates.
const ENDINGS: &[&str] = &["preview", "latest", "instruct", "chat", "it", "fp16", "bf16", "exp"];

/// Words between a method and the model it runs on.
const JOINED: &[&str] = &["", "with", "using", "on", "plus", "and"];

/// Most words of a name in a text.
const LONGEST: usize = 14;

/// Fewest letters of a short form.
const SHORTEST: usize = 4;

/// Names of configurations, run together, with the keys they stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    whole: BTreeMap<String, BTreeSet<String>>,
    /// Parts that several names share (`agentless`, `claude`), with the keys that have them.
    parts: BTreeMap<String, BTreeSet<String>>,
}

impl Names {
    /// All spellings of some configurations: key and the names it is declared under.
    pub(super) fn new(all: &[(String, Vec<String>)]) -> Self {
        let mut names = Self::default();
        let full: BTreeSet<String> = all.iter().flat_map(|(_, own)| own).map(|name| run_together(name)).collect();
        for (key, own) in all {
            for name in own {
                names.add(run_together(name), key);
                for short in shorter(name) {
                    let text = run_together(&short);
                    let is_telling = text.len() >= SHORTEST && words(&short).len() > 1;
                    if is_telling && !full.contains(&text) {
                        names.add(text, key);
                    }
                }
            }
        }
        names.compounds(all, &full);
        names
    }

    fn add(&mut self, text: String, key: &str) {
        if !text.is_empty() {
            self.whole.entry(text).or_default().insert(key.to_owned());
        }
    }

    /// Names of two parts of which each stands in other names too: a method and the model it runs on.
    fn compounds(&mut self, all: &[(String, Vec<String>)], full: &BTreeSet<String>) {
        let split: Vec<(&String, Vec<String>)> = all.iter().map(|(key, _)| (key, telling_parts(key, all))).collect();
        let mut having: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
        for (key, parts) in &split {
            for part in parts {
                having.entry(part).or_default().insert(*key);
            }
        }
        for (key, parts) in &split {
            let [first, second] = parts.as_slice() else { continue };
            let shared = |part: &String| having.get(part).is_some_and(|keys| keys.len() > 1);
            if !shared(first) || !shared(second) {
                continue;
            }
            for part in [first, second] {
                self.parts.entry(part.clone()).or_default().insert((*key).clone());
            }
            let forms = JOINED.iter().map(|joint| format!("{first}{joint}{second}"));
            for text in forms.chain([format!("{second}{first}")]).filter(|text| !full.contains(text)) {
                self.add(text, key);
            }
        }
    }

    /// The longest name at the beginning of some words of a text: how many words it has, and its keys.
    pub(super) fn longest(&self, text: &str, rest: &[Token]) -> Option<(usize, &BTreeSet<String>)> {
        let mut together = String::new();
        let mut found = None;
        for (at, token) in rest.iter().take(LONGEST).enumerate() {
            if at > 0 && !joins(&text[rest[at - 1].end..token.start]) {
                break;
            }
            together.push_str(&token.word);
            found = self.whole.get(&together).map(|keys| (at + 1, keys)).or(found);
        }
        found
    }

    /// The configurations whose names have a text as one of their parts.
    pub(super) fn with_part(&self, text: &str) -> Option<&BTreeSet<String>> {
        self.parts.get(&run_together(text))
    }
}

/// True for what may stand between the words of a name.
fn joins(gap: &str) -> bool {
    gap.len() <= 3
        && gap
            .chars()
            .all(|c| matches!(c, ' ' | '\u{a0}' | '-' | '_' | '.' | '/' | '(' | ')' | '[' | ']' | '+' | ':' | '@'))
        && !gap.starts_with(". ")
        && !gap.starts_with(") (")
}

fn run_together(name: &str) -> String {
    words(name).concat()
}

fn is_gap(c: char) -> bool {
    matches!(c, '-' | '_' | ' ' | '/' | ':' | '@' | '(' | ')')
}

/// A name without date, ending or firm, in all combinations that shorten it.
fn shorter(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let mut starts: BTreeSet<String> = BTreeSet::from([lower.clone()]);
    starts.extend(lower.rsplit_once('/').map(|(_, rest)| rest.to_owned()));
    for vendor in VENDORS {
        starts
            .extend(lower.strip_prefix(vendor).and_then(|rest| rest.strip_prefix(['-', '/', ' '])).map(str::to_owned));
    }
    let mut found = Vec::new();
    for start in starts {
        let mut parts: Vec<&str> = start.split(is_gap).filter(|part| !part.is_empty()).collect();
        if start != lower {
            found.push(parts.join("-"));
        }
        while parts.len() > 1 {
            let digits =
                |part: &str, least: usize| part.len() >= least && part.bytes().all(|byte| byte.is_ascii_digit());
            let count = match parts.as_slice() {
                [.., year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => 3,
                [.., last] if digits(last, 4) || ENDINGS.contains(last) => 1,
                [.., last] if last.len() == 3 && last.starts_with('0') && digits(last, 3) => 1,
                _ => break,
            };
            parts.truncate(parts.len() - count);
            found.push(parts.join("-"));
        }
    }
    found
}

/// The parts of a key that tell it apart from the others which begin in the same way, its first one always.
fn telling_parts(key: &str, all: &[(String, Vec<String>)]) -> Vec<String> {
    let split = |key: &str| {
        let parts = key.split(|c: char| is_gap(c) || c == '.').map(run_together).filter(|part| !part.is_empty());
        parts.collect::<Vec<String>>()
    };
    let own = split(key);
    let Some(first) = own.first() else { return Vec::new() };
    let alike: Vec<Vec<String>> =
        all.iter().map(|(key, _)| split(key)).filter(|other| other.first() == Some(first)).collect();
    let everywhere = |part: &String| alike.len() > 1 && alike.iter().all(|other| other.contains(part));
    let rest = own.iter().skip(1).filter(|part| !everywhere(part)).cloned();
    std::iter::once(first.clone()).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn names(keys: &[&str]) -> Names {
        Names::new(&keys.iter().map(|key| ((*key).to_owned(), vec![(*key).to_owned()])).collect::<Vec<_>>())
    }

    fn meant(names: &Names, text: &str) -> Vec<String> {
        let found = names.longest(text, &tokens(text));
        found.map(|(_, keys)| keys.iter().cloned().collect()).unwrap_or_default()
    }

    #[test]
    fn names_are_known_without_date_ending_and_firm() {
        let names = names(&[
            "gpt-4o-2024-08-06",
            "gpt-4o-mini-2024-07-18",
            "claude-3-5-sonnet-20241022",
            "meta-llama-3.1-405b-instruct",
            "gemini-1.5-flash-001",
        ]);
        for (text, key) in [
            ("GPT-4o", "gpt-4o-2024-08-06"),
            ("GPT-4o (2024-08-06)", "gpt-4o-2024-08-06"),
            ("GPT 4o mini", "gpt-4o-mini-2024-07-18"),
            ("GPT4o-mini", "gpt-4o-mini-2024-07-18"),
            ("Claude 3.5 Sonnet", "claude-3-5-sonnet-20241022"),
            ("Llama 3.1 405B", "meta-llama-3.1-405b-instruct"),
            ("Meta-Llama-3.1-405B-Instruct", "meta-llama-3.1-405b-instruct"),
            ("Gemini 1.5 Flash", "gemini-1.5-flash-001"),
        ] {
            assert_eq!(meant(&names, text), [key], "{text}");
        }
        assert!(meant(&names, "GPT-4").is_empty() && meant(&names, "Claude, 3.5 Sonnet").is_empty());
    }

    #[test]
    fn a_short_form_of_several_stands_for_all_and_never_for_the_name_of_another() {
        let two = names(&["gpt-4o-2024-05-13", "gpt-4o-2024-08-06"]);
        assert_eq!(meant(&two, "GPT-4o").len(), 2);
        let other = names(&["gpt-4o", "gpt-4o-2024-08-06"]);
        assert_eq!(meant(&other, "GPT-4o"), ["gpt-4o"]);
    }

    #[test]
    fn a_method_and_its_model_are_a_name_in_two_parts() {
        let names = names(&[
            "agentless_claude",
            "agentless_gpt4o",
            "sweagent_claude",
            "forger.final-claude-500",
            "forger.final-gpt4o-500",
            "sweagent_gpt4o",
        ]);
        for (text, key) in [
            ("Agentless with Claude", "agentless_claude"),
            ("SWE-agent (GPT-4o)", "sweagent_gpt4o"),
            ("Forger + Claude", "forger.final-claude-500"),
        ] {
            assert_eq!(meant(&names, text), [key], "{text}");
        }
        let both = |a: &str, b: &str| {
            names.with_part(a).unwrap().intersection(names.with_part(b).unwrap()).cloned().collect::<Vec<_>>()
        };
        assert_eq!(both("SWE-agent", "GPT-4o"), ["sweagent_gpt4o"]);
    }
}
