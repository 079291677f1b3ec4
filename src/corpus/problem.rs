//! A problem and the sets of a corpus.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::checks::Tests;
use crate::digest::Digest;
use crate::id::{ProblemId, SetId};
use crate::json::Value;
use crate::study::{self, Labels};

/// All problem sets of a study that could be read.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// Sets in declared order.
    pub sets: Vec<Set>,
}

/// One problem set.
#[derive(Debug, Clone)]
pub struct Set {
    /// Id.
    pub id: SetId,
    /// Labels; `kind` says what it is made of.
    pub labels: Labels,
    /// Name on pages.
    pub title: String,
    /// File inside the study.
    pub path: String,
    /// Digest of that file.
    pub digest: Digest,
    /// Set that parents belong to.
    pub parents: Option<SetId>,
    /// Problems in file order.
    pub problems: Vec<Problem>,
    /// Position by id.
    index: BTreeMap<ProblemId, usize>,
}

/// One problem, or what derives from one.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Id, unique in its set.
    pub id: ProblemId,
    /// Statement as plain text with LaTeX.
    pub statement: String,
    /// Stored reference solver (Python source), when there is one.
    pub solver: Option<Arc<str>>,
    /// Accepted answers in stored order. Several entries with one `sub` are alternatives.
    pub answers: Vec<Answer>,
    /// Subject category.
    pub category: Option<Arc<str>>,
    /// Difficulty level.
    pub difficulty: Option<Arc<str>>,
    /// Source book.
    pub book: Option<Arc<str>>,
    /// Topic inside the category.
    pub topic: Option<Arc<str>>,
    /// Problem this one was derived from.
    pub parent: Option<ProblemId>,
    /// Number of the variant among its siblings, from 1.
    pub variant: Option<u32>,
    /// A wrong way that the problem invites, where one is stored with it.
    pub shortcut: Option<Shortcut>,
    /// Options and where it was imported from, where it derives from no problem of the study.
    pub choice: Option<Choice>,
    /// Test code that judges programs, where that is the check.
    pub tests: Option<Tests>,
    /// Free labels (platform, difficulty, date, split ...).
    pub labels: BTreeMap<Arc<str>, Arc<str>>,
    /// Every other member of the stored object, in file order, for analyses of one study.
    pub extra: Value,
}

/// One accepted answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Key of the sub-answer, any text, also empty.
    pub sub: Arc<str>,
    /// Accepted value as Python would print it: the text of a text, `str()` of a number.
    pub value: Arc<str>,
    /// Unit as written.
    pub unit: Arc<str>,
}

/// A wrong way to an answer, with the program that takes it: a record that returns its values went that way.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortcut {
    /// Family of such ways (`regime_boundary`, ...).
    pub family: Arc<str>,
    /// What it does, in words.
    pub words: String,
    /// Program that takes it.
    pub program: Option<Arc<str>>,
    /// Values it returns, in stored order, by sub-answer key.
    pub values: Vec<(Arc<str>, f64)>,
    /// Stored separation between shortcut and answer, as a fraction.
    pub separation: Option<f64>,
}

/// An imported multiple-choice instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Template this instance was made from; empty where none is named.
    pub template: Arc<str>,
    /// Options in order, as text.
    pub options: Vec<String>,
    /// Letter or text of the right one, when stored.
    pub key: Option<String>,
}

impl Problem {
    /// A problem of which nothing is known but its id.
    pub fn blank(id: ProblemId) -> Self {
        Self {
            id,
            statement: String::new(),
            solver: None,
            answers: Vec::new(),
            category: None,
            difficulty: None,
            book: None,
            topic: None,
            parent: None,
            variant: None,
            shortcut: None,
            choice: None,
            tests: None,
            labels: BTreeMap::new(),
            extra: Value::Null,
        }
    }

    /// Distinct sub-answer keys in first-seen order: the units of grading.
    pub fn subs(&self) -> Vec<&str> {
        let mut subs: Vec<&str> = Vec::new();
        for answer in &self.answers {
            if !subs.contains(&&*answer.sub) {
                subs.push(&answer.sub);
            }
        }
        subs
    }
}

impl Set {
    /// A set from its problems; the caller has reported duplicate ids (the first one is found here).
    pub fn new(
        id: SetId,
        labels: Labels,
        title: String,
        path: String,
        digest: Digest,
        parents: Option<SetId>,
        problems: Vec<Problem>,
    ) -> Self {
        let mut index = BTreeMap::new();
        for (position, problem) in problems.iter().enumerate() {
            index.entry(problem.id.clone()).or_insert(position);
        }
        Self { id, labels, title, path, digest, parents, problems, index }
    }

    /// What it is made of; empty where the study does not say.
    pub fn kind(&self) -> &str {
        study::kind(&self.labels)
    }

    /// True for a set that is derived from no other.
    pub fn is_original(&self) -> bool {
        study::is_original(&self.labels)
    }

    /// The family of variants that it is.
    pub fn family(&self) -> Option<&str> {
        study::family(&self.labels)
    }

    /// Problem by id.
    pub fn get(&self, id: &str) -> Option<&Problem> {
        self.index.get(id).map(|&position| &self.problems[position])
    }

    /// Position of a problem in the file, by id.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }
}

impl Corpus {
    /// Set by id.
    pub fn set(&self, id: &str) -> Option<&Set> {
        self.sets.iter().find(|set| set.id.as_str() == id)
    }

    /// First set of a kind.
    pub fn of_kind(&self, kind: &str) -> Option<&Set> {
        self.sets.iter().find(|set| set.kind() == kind)
    }

    /// The problem that one derives from in the end: itself, where it derives from none.
    pub fn origin<'a>(&'a self, set: &str, id: &'a str) -> &'a str {
        let (mut set, mut id) = (self.set(set), id);
        // A circle of parents ends here.
        for _ in 0..self.sets.len() {
            let Some(own) = set else { break };
            let Some(parent) = own.get(id).and_then(|problem| problem.parent.as_ref()) else { break };
            id = parent.as_str();
            set = own.parents.as_ref().and_then(|parents| self.set(parents.as_str()));
        }
        id
    }

    /// First set that is derived from no other.
    pub fn original(&self) -> Option<&Set> {
        self.sets.iter().find(|set| set.is_original())
    }
}
