//! Texts in a study that have the form of a key, looked for before anything is published.
//!
//! Only forms that well-known services give their keys: a rule that guesses would name hashes and model
//! output. What is found is shown by its beginning alone.

use std::io::Read as _;

use rayon::prelude::*;
use regex::bytes::Regex;

use crate::report::{Finding, Place};
use crate::world::{Progress, Source, Unit};

/// Who issues a key, and its form.
const FORMS: &[(&str, &str)] = &[
    ("private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("AWS access key", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7][A-Z0-9]{15}\b"),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{22,}"),
    ("GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_-]{20,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("OpenRouter key", r"\bsk-or-(?:v1-)?[0-9a-f]{32,}"),
    ("OpenAI key", r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9]{32,}"),
    ("Google API key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("Google OAuth token", r"\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{28}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}|\bapi_org_[A-Za-z0-9]{30,}"),
    ("Groq key", r"\bgsk_[A-Za-z0-9]{40,}"),
    ("xAI key", r"\bxai-[A-Za-z0-9]{40,}"),
    ("Replicate token", r"\br8_[A-Za-z0-9]{36,}"),
    ("Perplexity key", r"\bpplx-[A-Za-z0-9]{40,}"),
    ("Fireworks key", r"\bfw_[A-Za-z0-9]{24,}\b"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{20,}"),
    ("Slack webhook", r"hooks\.slack\.com/services/T[A-Za-z0-9]{6,}/B[A-Za-z0-9]{6,}/[A-Za-z0-9]{16,}"),
    ("Stripe key", r"\b[srp]k_live_[0-9a-zA-Z]{16,}|\b[sr]k_test_[0-9a-zA-Z]{16,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{40,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("Telegram token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{64}"),
    ("Databricks token", r"\bdapi[a-f0-9]{32}\b"),
    ("Azure storage key", r"AccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    ("Weights & Biases key", r"(?i)\bwandb[_-]?api[_-]?key\W{1,4}[0-9a-f]{40}\b"),
    ("Vault token", r"\bhvs\.[A-Za-z0-9_-]{24,}"),
    ("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    (
        "password in an address",
        r"\b(?:https?|ftp|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)://[^\s/:@'\x22<>\\{}$]+:[^\s/:@'\x22<>\\{}$]{6,}@",
    ),
];

/// Bytes read at once; a key that begins near the end of one is seen in the next.
const PIECE: usize = 4 << 20;
/// Longest key, with room.
const OVERLAP: usize = 4096;
/// Most keys that are told of one file.
const TOLD: usize = 5;

/// Looks through every file of a study; a file named with `--include` was looked at by its owner. One that
/// cannot be read was told by others.
pub(super) fn scan(source: &dyn Source, include: &[String], progress: &dyn Progress) -> Vec<Finding> {
    let entries = source.entries().unwrap_or_default();
    let looked_at = |path: &str| include.iter().any(|named| named == path);
    let files: Vec<_> = entries.into_iter().filter(|entry| entry.regular && !looked_at(&entry.path)).collect();
    let forms: Vec<(&str, Regex)> =
        FORMS.iter().filter_map(|(name, form)| Some((*name, Regex::new(form).ok()?))).collect();
    progress.begin_in(Unit::Bytes, "looking for keys", files.iter().map(|entry| entry.bytes).sum());
    let found = files.par_iter().with_max_len(1).flat_map_iter(|entry| {
        let found = file(source, &entry.path, &forms);
        progress.advance(entry.bytes);
        found
    });
    let found = found.collect();
    progress.finish();
    found
}

fn file(source: &dyn Source, path: &str, forms: &[(&str, Regex)]) -> Vec<Finding> {
    let Ok(mut reader) = source.open_as_stored(path) else { return Vec::new() };
    let mut found = Vec::new();
    let (mut window, mut kept, mut line) = (Vec::new(), 0, 1);
    loop {
        let read = reader.by_ref().take(PIECE as u64).read_to_end(&mut window);
        if read.is_err() || window.len() == kept {
            return found;
        }
        for (name, form) in forms {
            for hit in form.find_iter(&window) {
                // What lies in the overlap alone was seen before.
                if hit.end() <= kept {
                    continue;
                }
                let at = line + lines(&window[..hit.start()]);
                let message = format!("it has the form of {} {name} ({})", article(name), shown(hit.as_bytes()));
                found.push(Finding::new("secret-found", Place::file(path).with_line(at), message));
                if found.len() == TOLD {
                    return found;
                }
            }
        }
        let cut = window.len().saturating_sub(OVERLAP);
        line += lines(&window[..cut]);
        window.drain(..cut);
        kept = window.len();
    }
}

fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// `an` before a letter that is spoken with a vowel first.
fn article(name: &str) -> &'static str {
    let letters_of_their_own = name.chars().take(2).all(char::is_uppercase);
    let spoken = if letters_of_their_own { "AEFHILMNORSX" } else { "AEIOaeio" };
    if name.starts_with(|first| spoken.contains(first)) { "an" } else { "a" }
}

/// The beginning of a key and its length.
fn shown(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(key);
    if text.starts_with("-----BEGIN") {
        return text.into_owned();
    }
    let begin: String = match text.split_once("://") {
        Some((scheme, _)) => format!("{scheme}://"),
        None => text.chars().take(6).collect(),
    };
    format!("{begin}..., {} characters", text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Silent;
    use crate::world::memory::Memory;

    fn found(text: &str) -> Vec<String> {
        let source = Memory::default().with("a.txt", text);
        scan(&source, &[], &Silent).into_iter().map(|f| format!("{} {}", f.place, f.message)).collect()
    }

    #[test]
    fn keys_of_known_forms_are_found_and_not_repeated() {
        // Made up; put together here so that no scanner takes this file for one that holds keys.
        for (name, key) in [
            ("AWS access key", format!("AKIA{}", "IOSFODNN7EXAMPLE")),
            ("GitHub token", format!("ghp_{}", "a1".repeat(18))),
            ("OpenAI key", format!("sk-proj-{}", "Ab3".repeat(12))),
            ("Anthropic key", format!("sk-ant-api03-{}", "x9_".repeat(12))),
            ("Hugging Face token", format!("hf_{}", "aB".repeat(17))),
            ("Google API key", format!("AIza{}", "Sy3".repeat(11) + "ab")),
            ("private key", format!("-----BEGIN OPENSSH {}-----", "PRIVATE KEY")),
            ("password in an address", "https://user:secret123@example.org/x.git".to_owned()),
        ] {
            let told = found(&format!("first\nkey = \"{key}\"\n"));
            assert_eq!(told.len(), 1, "{name}: {told:?}");
            assert!(told[0].starts_with("a.txt, line 2 ") && told[0].contains(name), "{told:?}");
            assert!(name == "private key" || !told[0].contains(&key), "{told:?}");
        }
    }

    #[test]
    fn ordinary_text_holds_no_key() {
        let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let text = format!(
            "sha256:{digest} sk-learn task-based-evaluation sk-1 https://example.org:8080/a@b hf_short AKIA \
             https://user@example.org eyJ.eyJ gpt-5.5 risk-adjusted-accuracy-of-something-very-long"
        );
        assert_eq!(found(&text), Vec::<String>::new());
    }

    #[test]
    fn a_key_across_two_pieces_is_found_once_and_an_included_file_is_its_owners_word() {
        let key = format!("ghp_{}", "a1".repeat(18));
        let text = format!("{}{key}{}", " ".repeat(PIECE - 10), "\n".repeat(OVERLAP * 2));
        assert_eq!(found(&text).len(), 1);
        let source = Memory::default().with("a.txt", key);
        assert!(scan(&source, &["a.txt".to_owned()], &Silent).is_empty());
    }
}
