//! What a folder seems to be: guesses of all formats, and which of them stands.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Formats;
use super::declared::Declared;
use super::listing::Listing;

/// How surely files are of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// They could be.
    Possible,
    /// Their members are those of the format, which others share in part.
    Likely,
    /// Only this format has such files.
    Certain,
}

/// Files of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// Format.
    pub format: &'static str,
    /// How surely.
    pub fit: Fit,
    /// What it was recognised by, in words.
    pub reason: String,
    /// Its files.
    pub parts: Vec<Part>,
}

/// A file and what it is for the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Path.
    pub path: String,
    /// Role in the words of the format (`problems`, `results`, `summary`).
    pub role: &'static str,
    /// Configuration it belongs to, where its name or content tells.
    pub arm: Option<String>,
}

impl Part {
    /// Whether a file belongs to this part: the file itself, or one of the folder that the part is (its path ends with
    /// `/`, or is empty for the whole study).
    fn covers(&self, path: &str) -> bool {
        self.path == path || self.path.is_empty() || (self.path.ends_with('/') && path.starts_with(&self.path))
    }
}

/// A format that nearly fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// Format.
    pub format: &'static str,
    /// How much of it is there, from 0 to 100.
    pub share: u8,
    /// The file that comes nearest.
    pub path: String,
    /// What is missing, in words that fit after "for this format lacks".
    pub missing: String,
}

/// What is recognised in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recognition {
    /// One format stands out; the others explain files that it leaves.
    One(Vec<Guess>),
    /// Several formats claim the same files as surely.
    Several(Vec<Guess>),
    /// None; what comes nearest first.
    None(Vec<Near>),
}

/// Files of a recognised folder that are named as not read.
const TOLD: usize = 5;

impl Formats<'_> {
    /// Tries all formats on a listing.
    pub fn recognise(self, listing: &Listing<'_>) -> Recognition {
        let mut guesses: Vec<Guess> = self.0.iter().filter_map(|format| format.recognise(listing)).collect();
        // Stable: formats of equal fit stay in the order of the registry.
        guesses.sort_by_key(|guess| std::cmp::Reverse(guess.fit));
        let mut kept: Vec<Guess> = Vec::new();
        for guess in guesses {
            let claims =
                |other: &Guess| other.parts.iter().any(|part| guess.parts.iter().any(|own| part.covers(&own.path)));
            match kept.iter().find(|other| claims(other)) {
                // What could be anything counts only where nothing is known better.
                None if guess.fit == Fit::Possible && !kept.is_empty() => {}
                None => kept.push(guess),
                Some(other) if other.fit == guess.fit => return Recognition::Several(vec![other.clone(), guess]),
                Some(_) => {
                    let taken = |path: &str| kept.iter().any(|other| other.parts.iter().any(|part| part.covers(path)));
                    let parts: Vec<Part> = guess.parts.iter().filter(|part| !taken(&part.path)).cloned().collect();
                    if !parts.is_empty() && guess.fit >= Fit::Likely {
                        kept.push(Guess { parts, ..guess });
                    }
                }
            }
        }
        if kept.is_empty() {
            let mut near: Vec<Near> = self.0.iter().filter_map(|format| format.near(listing)).collect();
            near.sort_by(|a, b| b.share.cmp(&a.share).then(a.format.cmp(b.format)));
            return Recognition::None(near);
        }
        Recognition::One(kept)
    }

    /// The study of a folder without a declaration, when one format stands out.
    pub fn assumed(self, listing: &Listing<'_>) -> Result<Declared, Recognition> {
        let recognition = self.recognise(listing);
        let Recognition::One(guesses) = &recognition else { return Err(recognition) };
        let mut whole: Option<Declared> = None;
        for guess in guesses {
            let Some(format) = self.find(guess.format) else { continue };
            let declared = format.declare(listing, guess);
            whole = Some(match whole {
                None => declared,
                Some(first) => first.with(declared),
            });
        }
        let mut declared = whole.ok_or(recognition)?;
        declared.tell_apart();
        declared.choose_main();
        let study = &declared.study;
        let named: BTreeSet<&str> = study
            .experiments
            .iter()
            .flat_map(|experiment| experiment.files.iter().map(|file| file.path.as_str()))
            .chain(study.sets.iter().map(|set| set.path.as_str()))
            .collect();
        // A file that cannot be read is no reason to leave it out without a word.
        let unread: Vec<String> = listing
            .unreadable()
            .iter()
            .filter(|finding| finding.place.file.as_deref().is_some_and(|path| !named.contains(path)))
            .map(|finding| format!("{} is not read: {}", finding.place, finding.message))
            .chain(listing.links().iter().map(|link| format!("{link} is not read: links are not followed")))
            .take(TOLD)
            .collect();
        declared.assumed.extend(unread);
        Ok(declared)
    }
}

impl Recognition {
    /// Why a folder cannot be read without a declaration, and what would help.
    pub fn explain(&self, formats: Formats<'_>) -> String {
        let mut text = String::new();
        match self {
            Self::One(guesses) => {
                for guess in guesses {
                    let _ = writeln!(text, "  {}: {}", guess.format, guess.reason);
                }
            }
            Self::Several(guesses) => {
                let _ = writeln!(text, "  several formats fit as well:");
                for guess in guesses {
                    let _ = writeln!(text, "    {}: {}", guess.format, guess.reason);
                }
                let _ = writeln!(text, "  say which with `format = \"...\"` in study.toml");
            }
            Self::None(near) => {
                let _ = writeln!(text, "  looked for the formats {}: none fits", formats.ids().join(", "));
                for near in near.iter().take(3) {
                    let title = formats.find(near.format).map_or(near.format, |format| format.about().title);
                    let _ =
                        writeln!(text, "  nearest is {} ({title}): {} lacks {}", near.format, near.path, near.missing);
                }
            }
        }
        text
    }
}
