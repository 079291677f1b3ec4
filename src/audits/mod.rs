//! Audits: checks that need no ledger, each with its own question.
//!
//! An [`Audit`] looks at something the study holds anyway (accepted answers, stored programs, documents, judged
//! claims) and raises what an expert would want to look at. It says how much it looked at, and that there was
//! nothing to look at where there was nothing. The registry is [`ALL`]; a new audit is one file and one line in
//! it. False alarms are worse than misses: what may be meant so is not raised.

mod captions;
mod inputs;
mod old_copy;
mod other_aggregate;
mod parents;
mod percentages;
mod rounded_twice;
mod shortcuts;
mod units;
mod wrong_constant;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::claims::{Judgements, Sources};
use crate::corpus::Corpus;
use crate::documents::Document;
use crate::report::{Finding, Place};
use crate::study::Study;
use crate::verify::Ladder;

/// What audits may look at.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The declaration.
    pub study: &'a Study,
    /// The questions and what they accept.
    pub corpus: &'a Corpus,
    /// What execution and grading found.
    pub ladder: &'a Ladder,
    /// Judged claims.
    pub judgements: &'a Judgements,
    /// What claims are judged against.
    pub sources: &'a Sources<'a>,
    /// The study's documents.
    pub documents: &'a [Document],
}

/// What an audit is.
#[derive(Debug, PartialEq, Eq)]
pub struct About {
    /// Stable kebab-case id.
    pub id: &'static str,
    /// Title of its page.
    pub title: &'static str,
    /// The question it answers.
    pub question: &'static str,
    /// What it looks at and when it raises something.
    pub method: &'static str,
    /// What it counts, in the plural (`accepted answers`).
    pub items: &'static str,
    /// Why there may be nothing to look at.
    pub nothing: &'static str,
    /// Code of its findings.
    pub code: &'static str,
}

/// A check that needs no ledger.
pub trait Audit: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// True when what it raises is about claims that were judged.
    fn is_about_claims(&self) -> bool {
        false
    }

    /// Looks at everything. The order of what is raised is that of the study.
    fn look(&self, subject: &Subject<'_>) -> Looked;
}

/// Every audit, in the order of the pages.
pub const ALL: &[&dyn Audit] = &[
    &shortcuts::Shortcuts,
    &parents::Parents,
    &units::Units,
    &wrong_constant::WrongConstant,
    &inputs::Inputs,
    &captions::Captions,
    &percentages::Percentages,
    &other_aggregate::OtherAggregate,
    &rounded_twice::RoundedTwice,
    &old_copy::OldCopy,
];

/// What an audit saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Looked {
    /// Things it looked at.
    pub checked: usize,
    /// What it raised.
    pub raised: Vec<Raised>,
}

/// Something that an audit raised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Raised {
    /// Where.
    pub place: Place,
    /// What was seen, in one sentence without a full stop.
    pub says: String,
    /// How a printed number came about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Set of the problem that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

/// How a wrong printed number came about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case", tag = "origin")]
pub enum Origin {
    /// Rounded to more decimals first, and then again.
    RoundedTwice {
        /// Decimals of the first rounding.
        first: usize,
    },
    /// Computed from values that had been rounded.
    RoundedBefore {
        /// Decimals to which they had been.
        decimals: usize,
    },
    /// The value of another way to aggregate the same runs.
    OtherAggregate {
        /// Which it is.
        printed: &'static str,
        /// Which was meant.
        meant: &'static str,
    },
    /// A copy of a number that elsewhere is printed as it is recomputed.
    OldCopy {
        /// The number elsewhere.
        current: String,
        /// Where.
        place: String,
    },
}

impl Origin {
    /// The words for people, to stand after a semicolon.
    pub fn words(&self) -> String {
        let decimals = |count: &usize| match count {
            0 => "whole numbers".to_owned(),
            1 => "1 decimal".to_owned(),
            n => format!("{n} decimals"),
        };
        match self {
            Self::RoundedTwice { first } => format!("rounding to {} first, and then again, gives it", decimals(first)),
            Self::RoundedBefore { decimals: count } => {
                format!("the values behind it, rounded to {} first, give it", decimals(count))
            }
            Self::OtherAggregate { printed, meant } => format!("it is the {printed}, not the {meant}"),
            Self::OldCopy { current, place } => format!("{place} prints {current}, which agrees"),
        }
    }
}

/// What an audit found out about a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// Ledger.
    pub ledger: String,
    /// Claim.
    pub claim: String,
    /// How its number came about.
    pub origin: Origin,
}

/// An audit with what it saw.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// The audit.
    pub about: &'static About,
    /// What it saw.
    pub looked: Looked,
}

impl Audited {
    /// What it has to say, as findings.
    pub fn findings(&self) -> impl Iterator<Item = Finding> + '_ {
        let code = self.about.code;
        self.looked.raised.iter().map(move |raised| Finding::new(code, raised.place.clone(), raised.says.clone()))
    }

    /// What it found out about claims.
    pub fn concerns(&self) -> impl Iterator<Item = Concern> + '_ {
        self.looked.raised.iter().filter_map(|raised| {
            let (ledger, claim) = (raised.place.file.clone()?, raised.place.subject.clone()?);
            Some(Concern { ledger, claim, origin: raised.origin.clone()? })
        })
    }

    /// How much it looked at, in a sentence.
    pub fn line(&self) -> String {
        let About { items, nothing, .. } = self.about;
        let count = |n: usize| crate::number::grouped(n as u64);
        match (self.looked.checked, self.looked.raised.len()) {
            (0, _) => format!("Not checkable: {nothing}."),
            (checked, 0) => format!("Looked at {} {items}; nothing was raised.", count(checked)),
            (checked, raised) => format!("Looked at {} {items} and raised {}.", count(checked), count(raised)),
        }
    }

    /// Strict JSON.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "id": self.about.id,
            "code": self.about.code,
            "question": self.about.question,
            "items": self.about.items,
            "checked": self.looked.checked,
            "raised": self.looked.raised,
        })
    }
}

/// Lets every audit look.
pub fn audit(subject: &Subject<'_>) -> Vec<Audited> {
    ALL.iter().map(|audit| Audited { about: audit.about(), looked: audit.look(subject) }).collect()
}

/// True for codes of findings that are about a claim by its id.
pub fn is_about_claims(code: &str) -> bool {
    ALL.iter().any(|audit| audit.is_about_claims() && audit.about().code == code)
}

impl Looked {
    /// The same with what was raised for several problems of one origin said once, at the first of them, and the
    /// others counted: what derives from a problem inherits its faults.
    fn by_origin(self, subject: &Subject<'_>) -> Self {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let mut raised: Vec<Raised> = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        for one in self.raised {
            let id = one.place.subject.as_deref().unwrap_or_default();
            let origin = subject.corpus.origin(one.set.as_deref().unwrap_or_default(), id).to_owned();
            match first.get(&origin) {
                Some(&at) => others[at] += 1,
                None => {
                    first.insert(origin, raised.len());
                    raised.push(one);
                    others.push(0);
                }
            }
        }
        for (one, others) in raised.iter_mut().zip(others).filter(|(_, others)| *others > 0) {
            let noun = if others == 1 { "answer or program" } else { "answers or programs" };
            one.says
                .push_str(&format!("; likewise {others} more {noun} of this problem and of those that derive from it"));
        }
        Self { checked: self.checked, raised }
    }
}

impl Raised {
    /// About a problem of a set.
    fn problem(set: &crate::corpus::Set, id: &str, says: String) -> Self {
        let place = Place::file(&set.path).with_subject(id);
        Self { place, says, origin: None, set: Some(set.id.as_str().to_owned()) }
    }

    /// About a printed number.
    fn claim(claim: &crate::claims::Judgement, origin: Origin) -> Self {
        let place = Place::file(&claim.ledger).with_subject(&claim.id);
        let says = format!("{} is printed in {}; {}", claim.printed, claim.source, origin.words());
        Self { place, says, origin: Some(origin), set: None }
    }
}

#[cfg(test)]
mod tests;
