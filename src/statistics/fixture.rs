//! Small studies built by hand, for the tests of statistics.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Evidence, Output, Statistic};
use crate::archive::{Actual, Archive, Declared, Record, Run, RunKey, SubAnswer};
use crate::corpus::{Answer, Corpus, Problem, Set};
use crate::digest::Digest;
use crate::study::{Analysis, ProblemSet, Strata, Study, label};
use crate::verify::Ladder;

/// A study in memory.
pub(crate) struct Fixture {
    pub(crate) study: Study,
    pub(crate) corpus: Corpus,
    pub(crate) archive: Archive,
    pub(crate) ledger: Ladder,
    pub(crate) published: BTreeMap<String, String>,
}

impl Fixture {
    /// A study with these configurations: `(key, backbone, reasoning)`; a key that starts with `-` is kept
    /// off the leaderboard (without the dash).
    pub(crate) fn new(configurations: &[(&str, &str, bool)]) -> Self {
        let mut text = String::from(
            "[study]\nid = \"s\"\ntitle = \"S\"\nversion = \"1\"\ndate = \"2026-01-01\"\ndescription = \"d\"\n\
             licence = \"MIT\"\nauthors = []\n[grading]\ntolerance = 0.05\n",
        );
        for (key, backbone, reasoning) in configurations {
            let (key, leaderboard) = key.strip_prefix('-').map_or((*key, true), |key| (key, false));
            let setting = if *reasoning { "reasoning" } else { "non-reasoning" };
            let table = format!(
                "[[configuration]]\nkey = {key:?}\nname = \"Model {key}\"\nbackbone = {backbone:?}\n\
                 setting = {setting:?}\nleaderboard = {leaderboard}\n"
            );
            text.push_str(&table);
        }
        let study = toml::from_str(&text).unwrap();
        let (corpus, archive) = (Corpus::default(), Archive::default());
        Self { study, corpus, archive, ledger: Ladder::default(), published: BTreeMap::new() }
    }

    /// Adds a set.
    pub(crate) fn set(mut self, id: &str, kind: &str, parents: Option<&str>, problems: Vec<Problem>) -> Self {
        let (title, path) = (format!("Set {id}"), format!("{id}.json"));
        self.study.sets.push(ProblemSet {
            id: id.into(),
            title: title.clone(),
            labels: label("kind", kind),
            path: path.clone(),
            parents: parents.map(Into::into),
            optional: false,
            format: None,
            files: Vec::new(),
            columns: BTreeMap::new(),
            grader: None,
        });
        let parents = parents.map(Into::into);
        self.corpus.sets.push(Set::new(
            id.into(),
            label("kind", kind),
            title,
            path,
            Digest::of(b""),
            parents,
            problems,
        ));
        self
    }

    /// Adds an experiment of a set; `protocol` is `code`, `direct` or `option`.
    pub(crate) fn experiment(mut self, id: &str, set: &str, protocol: &str, runs: u32) -> Self {
        let text = format!("id = {id:?}\nfolder = \"f/{id}\"\nset = {set:?}\nprotocol = {protocol:?}\nruns = {runs}\n");
        self.study.experiments.push(toml::from_str(&text).unwrap());
        self
    }

    /// Declares the order of a label's values in tables.
    pub(crate) fn order(&mut self, by: &str, values: &[&str]) {
        let order = values.iter().map(|&value| value.to_owned()).collect();
        self.study.strata.push(Strata { by: by.to_owned(), order, names: BTreeMap::new() });
    }

    /// Sets an option of a pack's analyses.
    pub(crate) fn option(&mut self, name: &str, value: impl Into<toml::Value>) {
        let options = [(name.to_owned(), value.into())].into_iter().collect();
        self.study.analysis.push(Analysis { pack: None, options });
    }

    /// Adds a run: one letter per problem of the set, in file order: `P`ass, `F`ail, `U`ngradable,
    /// `E`rror, `-` no record.
    pub(crate) fn run(mut self, experiment: &str, configuration: &str, number: u32, letters: &str) -> Self {
        let declared = self.study.experiments.iter().find(|e| e.id.as_str() == experiment).unwrap();
        let set = self.corpus.set(declared.set.as_str()).unwrap();
        let asked = set.problems.iter().zip(letters.chars()).filter(|&(_, letter)| letter != '-');
        let mut records: Vec<Record> = asked.map(|(problem, letter)| record(problem, letter)).collect();
        records.sort_by(|a, b| a.id.cmp(&b.id));
        let key = RunKey { experiment: experiment.into(), configuration: configuration.into(), run: number };
        let path = format!("f/{experiment}/{configuration}.run{number}.json");
        let (digest, declared) = (Digest::of(letters.as_bytes()), Declared::default());
        self.archive.runs.push(Run { key, path, digest, bytes: 1, declared, records });
        self.archive.runs.sort_by(|a, b| a.key.cmp(&b.key));
        self
    }

    /// What statistics see.
    pub(crate) fn evidence(&self) -> Evidence<'_> {
        Evidence {
            study: &self.study,
            corpus: &self.corpus,
            archive: &self.archive,
            readings: &[],
            ledger: &self.ledger,
            published: &self.published,
            boards: None,
        }
    }

    /// Output of one statistic.
    pub(crate) fn compute(&self, statistic: &dyn Statistic) -> Output {
        statistic.compute(&self.evidence())
    }
}

/// A problem with one accepted answer of 1 per sub.
pub(crate) fn problem(id: &str, category: &str, difficulty: &str, subs: usize) -> Problem {
    let answer = |sub: usize| Answer { sub: sub.to_string().into(), value: "1".into(), unit: "m".into() };
    Problem {
        statement: format!("Statement of {id}."),
        solver: Some("def solve(): return {}".into()),
        answers: (1..=subs).map(answer).collect(),
        category: Some(category.into()),
        difficulty: Some(difficulty.into()),
        book: Some("book".into()),
        ..Problem::blank(id.into())
    }
}

/// A variant of a parent.
pub(crate) fn variant(id: &str, parent: &str, number: u32) -> Problem {
    Problem { parent: Some(parent.into()), variant: Some(number), ..problem(id, "c", "low", 1) }
}

fn record(problem: &Problem, letter: char) -> Record {
    let detail = |sub: &str| SubAnswer {
        sub: sub.into(),
        expected: ["1".into()].into(),
        expected_units: Some([Arc::from("m")].into()),
        actual: Actual::Number(if letter == 'P' { 1.0 } else { 2.0 }),
        actual_unit: Some("m".into()),
        passed: letter == 'P',
    };
    let graded = matches!(letter, 'P' | 'F');
    Record {
        passed: Some(letter == 'P'),
        details: graded.then(|| problem.subs().into_iter().map(detail).collect()),
        num_attempts: Some(u32::from(letter != 'E')),
        failed_reason: (letter == 'U').then(|| "no code in response".into()),
        error: (letter == 'E').then(|| "timeout".into()),
        ..Record::blank(problem.id.clone())
    }
}
