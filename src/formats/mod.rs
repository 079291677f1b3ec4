//! Formats: one file for each layout of files that people have; from files to a study, problems and records.
//!
//! A [`Format`] recognises its files, declares the study that they are, and reads them into a [`Sink`]: problems,
//! records with their texts (which stream by and are dropped), numbers that the files state about themselves, and
//! findings. What is read passes through the same chain as every other study. The registry is [`ALL`]; a new format is
//! one file and one line in it.

mod bfcl;
mod coverage;
mod declared;
mod guess;
mod helm;
mod inspect;
mod items;
mod listing;
mod lists;
mod livecodebench;
mod lm_eval;
mod names;
mod objects;
mod open;
mod passk;
mod problems;
mod promptfoo;
mod quiet;
mod read;
mod sink;
mod spots;
mod strangers;
mod swe_bench;
mod tau_bench;

mod cruxeval;
mod evalplus;
mod human_eval;
mod paper;
mod tables;

pub use declared::{Declared, compare_judges, configuration, experiment, identity, set, study};
pub use guess::{Fit, Guess, Near, Part, Recognition};
pub use listing::Listing;
pub use names::{arms, slug};
pub use open::{Document, Line, Lines, document};
pub use sink::{Request, Sink};
pub use strangers::strangers;

/// A layout of files.
pub trait Format: Sync {
    /// Stable kebab-case id, as `format = "..."` in a `study.toml` names it.
    fn id(&self) -> &'static str;

    /// What it reads and what it cannot check.
    fn about(&self) -> &'static About;

    /// Whether files of a listing are of this layout, and what each of them is.
    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess>;

    /// What is missing for this layout in a listing that nothing recognises; `None` when nothing looks like it.
    fn near(&self, _listing: &Listing<'_>) -> Option<Near> {
        None
    }

    /// The study that the files are, with everything that could be read off them, and what was assumed.
    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared;

    /// Reads the sets and experiments of a request. Texts must stream: nothing may hold whole files of them. What is
    /// wrong with a file is a finding with its place, never a panic and never silent.
    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink);
}

/// What a format is, for `repro explain`, error messages and documentation.
#[derive(Debug)]
pub struct About {
    /// Title.
    pub title: &'static str,
    /// What it reads, in a sentence.
    pub reads: &'static str,
    /// What cannot be checked for it, and why, in a sentence.
    pub cannot_check: &'static str,
}

/// Every format, most particular first.
pub const ALL: &[&dyn Format] = &[
    &inspect::Inspect,
    &swe_bench::SweBench,
    &helm::Helm,
    &lm_eval::LmEval,
    &bfcl::Bfcl,
    &tau_bench::TauBench,
    &promptfoo::Promptfoo,
    &livecodebench::LiveCodeBench,
    &evalplus::EvalPlus,
    &cruxeval::CruxEval,
    &human_eval::HumanEval,
    &paper::PaperLines,
    &tables::Tables,
];

/// Names of problem files that folders of results share and that may stand beside them.
pub const BESIDE: &[&str] =
    &["HumanEval.jsonl.gz", "HumanEval.jsonl", "MbppPlus.jsonl.gz", "MbppPlus.jsonl", "mbpp.jsonl.gz", "mbpp.jsonl"];

/// The formats that a study may be of: those of here, and those of packs.
#[derive(Clone, Copy)]
pub struct Formats<'r>(pub &'r [&'static dyn Format]);

impl Formats<'static> {
    /// Those of here alone.
    pub const CORE: Self = Self(ALL);
}

impl Formats<'_> {
    /// Format by id.
    pub fn find(self, id: &str) -> Option<&'static dyn Format> {
        self.0.iter().find(|format| format.id() == id).copied()
    }

    /// Ids in the order in which they are tried.
    pub fn ids(self) -> Vec<&'static str> {
        self.0.iter().map(|format| format.id()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_format_says_what_it_is() {
        let mut seen = BTreeSet::new();
        for format in ALL {
            let about = format.about();
            assert!(seen.insert(format.id()), "{} twice", format.id());
            assert!(format.id().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(!about.title.is_empty() && !about.reads.is_empty() && !about.cannot_check.is_empty());
        }
    }

    #[test]
    fn nothing_is_recognised_in_an_empty_folder() {
        let source = crate::world::memory::Memory::default();
        let listing = Listing::new(&source).unwrap();
        assert!(ALL.iter().all(|format| format.recognise(&listing).is_none()));
    }
}
