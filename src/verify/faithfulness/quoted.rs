//! What there is to say about programs that do not compute: one finding for each cause.
//!
//! Programs of many runs that hold the answers of one problem, or of problems that derive from it, have one cause:
//! what that problem asks. They are one finding.

use std::collections::{BTreeMap, BTreeSet};

use super::programs::{ProgramAudit, Quoting};
use crate::corpus::Corpus;
use crate::report::{Finding, Place};
use crate::study::Study;

/// One finding for each problem from which nothing more is derived upwards.
pub fn quoted(study: &Study, corpus: &Corpus, rows: &[ProgramAudit]) -> Vec<Finding> {
    let mut groups: BTreeMap<String, Vec<&ProgramAudit>> = BTreeMap::new();
    for row in rows {
        groups.entry(origin(study, corpus, row)).or_default().push(row);
    }
    groups.iter().map(|(id, rows)| finding(id, rows)).collect()
}

/// The problem that a record's problem derives from in the end.
fn origin(study: &Study, corpus: &Corpus, row: &ProgramAudit) -> String {
    let experiment = study.experiment(row.run.experiment.as_str());
    let set = experiment.map_or("", |experiment| experiment.set.as_str());
    corpus.origin(set, row.id.as_str()).to_owned()
}

fn finding(id: &str, rows: &[&ProgramAudit]) -> Finding {
    let derived = rows.iter().map(|row| row.id.as_str()).filter(|other| *other != id).collect::<BTreeSet<_>>().len();
    let configurations = rows.iter().map(|row| row.run.configuration.as_str()).collect::<BTreeSet<_>>().len();
    let passed = rows.iter().filter(|row| row.passed == Some(true)).count();
    let count = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let of = |quoting: Quoting| rows.iter().filter(|row| row.quoting == quoting).count();
    let kinds = [Quoting::All, Quoting::Some, Quoting::InputsIgnored].map(|quoting| (of(quoting), quoting.meaning()));
    let kinds: Vec<String> =
        kinds.iter().filter(|(n, _)| *n > 0).map(|(n, meaning)| format!("in {n} {meaning}")).collect();
    let others = match derived {
        0 => String::new(),
        n => format!(
            ", among them those for {}",
            count(n, "problem that derives from it", "problems that derive from it")
        ),
    };
    let message = format!(
        "{}{others}, by {}: {}; {passed} passed",
        count(rows.len(), "graded program", "graded programs"),
        count(configurations, "configuration", "configurations"),
        kinds.join(", ")
    );
    Finding::new("program-quotes", Place::subject(id), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::RunKey;
    use crate::corpus::{Problem, Set};
    use crate::digest::Digest;
    use crate::study::Labels;

    fn row(experiment: &str, configuration: &str, id: &str, passed: bool) -> ProgramAudit {
        let run = RunKey { experiment: experiment.into(), configuration: configuration.into(), run: 1 };
        let (file, answers) = (String::new(), vec!["1".to_owned()]);
        let (record, attempt, inputs) = (0, 0, 1);
        ProgramAudit {
            run,
            id: id.into(),
            file,
            record,
            attempt,
            quoting: Quoting::All,
            answers,
            inputs,
            passed: Some(passed),
        }
    }

    /// Programs for a problem, for its variant and for a variant of that are one finding; another problem is another.
    #[test]
    fn programs_of_one_problem_and_what_derives_from_it_are_one_finding() {
        let derived = |id: &str, parent: &str| Problem { parent: Some(parent.into()), ..Problem::blank(id.into()) };
        let study: Study = toml::from_str(
            "[study]\nid = \"s\"\ntitle = \"S\"\nversion = \"1\"\ndate = \"2026-01-01\"\ndescription = \"d\"\n\
             licence = \"MIT\"\nauthors = []\n[grading]\ntolerance = 0.05\n\
             [[experiment]]\nid = \"core_code\"\nfolder = \"a\"\nset = \"core\"\nruns = 1\n\
             [[experiment]]\nid = \"words_code\"\nfolder = \"b\"\nset = \"words\"\nruns = 1\n",
        )
        .unwrap();
        let set = |id: &str, parents: Option<&str>, problems: Vec<Problem>| {
            let (title, digest) = (id.to_owned(), Digest::of(b""));
            Set::new(id.into(), Labels::new(), title.clone(), title, digest, parents.map(Into::into), problems)
        };
        let corpus = Corpus {
            sets: vec![
                set("core", None, vec![Problem::blank("p".into()), Problem::blank("q".into())]),
                set("words", Some("core"), vec![derived("p_w", "p")]),
            ],
        };
        let rows = [
            row("core_code", "a", "p", true),
            row("core_code", "b", "p", false),
            row("words_code", "a", "p_w", true),
            row("core_code", "a", "q", true),
        ];
        let told = quoted(&study, &corpus, &rows);
        let said: Vec<(&str, &str)> =
            told.iter().map(|f| (f.place.subject.as_deref().unwrap(), f.message.as_str())).collect();
        assert_eq!(
            said,
            [
                (
                    "p",
                    "3 graded programs, among them those for 1 problem that derives from it, by 2 configurations: in 3 \
                     every answer is written in the program; 2 passed"
                ),
                ("q", "1 graded program, by 1 configuration: in 1 every answer is written in the program; 1 passed"),
            ]
        );
        assert!(quoted(&study, &corpus, &[]).is_empty());
    }
}
