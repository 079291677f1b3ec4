//! Reviews of problems and their answers: what was removed, repaired, and compared with an answer key.

use std::collections::BTreeMap;

use crate::archive::Reviewed;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `cross-keycheck`.
pub(crate) struct CrossKeycheck;

const ID: &str = "cross-keycheck";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Reviews and answer keys",
    unit: "count",
    meaning: "What the archived reviews of problems say: how many were removed or repaired, and how the stored answers \
              compare with official keys.",
    formula: "listed = distinct problems in the lists of one name (removed, repaired) over all review files; rows = \
              entries of a file that compares; verdict = those with one verdict; stored and official = the values \
              compared, by position.",
    source: "Rule of the study for its comparison with answer keys; the review files are archived beside the problems.",
    edge_cases: "Undefined where no review is archived. A problem without an official value has no value there.",
    example: "Two passes that list 2 and 6 removed problems, all different: listed = 8.",
    keys: &[
        KeyDoc { key: "list", meaning: "name of the list in the review" },
        KeyDoc { key: "prefix", meaning: "letters before the first underscore of the problem's id" },
        KeyDoc { key: "file", meaning: "name of the review file" },
        KeyDoc { key: "verdict", meaning: "verdict as written" },
        KeyDoc { key: "problem", meaning: "problem id" },
        KeyDoc { key: "sub", meaning: "position of the value, from 1" },
    ],
    measures: &[
        ("listed", "problems in the lists of a name"),
        ("rows", "entries compared"),
        ("verdict", "entries with a verdict"),
        ("stored", "value stored when it was compared"),
        ("official", "value of the official key"),
    ],
};

impl Statistic for CrossKeycheck {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let reviewed = &evidence.archive.annotations.reviewed;
        if reviewed.is_empty() {
            output.fact(ID, "listed", &[], Estimate::undefined("no review is archived"), Basis::Records);
            return output;
        }
        lists(&mut output, reviewed);
        comparisons(&mut output, reviewed);
        output
    }
}

/// Distinct problems by list, and by list and prefix.
fn lists(output: &mut Output, reviewed: &[Reviewed]) {
    let mut lists: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for entry in reviewed.iter().filter(|entry| !entry.list.is_empty()) {
        let id = entry.id.as_str();
        let prefix = id.split_once('_').map_or("", |(prefix, _)| prefix);
        lists.entry(&entry.list).or_default().insert(id, prefix);
    }
    for (list, problems) in lists {
        output.fact(ID, "listed", &[("list", list)], Estimate::count(problems.len()), Basis::Records);
        let mut by_prefix: BTreeMap<&str, usize> = BTreeMap::new();
        problems.values().for_each(|prefix| *by_prefix.entry(prefix).or_default() += 1);
        for (prefix, count) in by_prefix {
            let keys = [("list", list), ("prefix", prefix)];
            output.fact(ID, "listed", &keys, Estimate::count(count), Basis::Records);
        }
    }
}

/// Verdicts by file, and the values compared; of a problem compared twice the first values stand.
fn comparisons(output: &mut Output, reviewed: &[Reviewed]) {
    let mut verdicts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut values: BTreeMap<(&'static str, &str, usize), f64> = BTreeMap::new();
    for entry in reviewed {
        if let Some(verdict) = &entry.verdict {
            *verdicts.entry(&entry.file).or_default().entry(verdict).or_default() += 1;
        }
        let sides = [("stored", entry.stored.as_slice()), ("official", entry.official.as_deref().unwrap_or_default())];
        for (measure, numbers) in sides {
            for (at, &number) in numbers.iter().enumerate() {
                values.entry((measure, entry.id.as_str(), at + 1)).or_insert(number);
            }
        }
    }
    for (file, verdicts) in verdicts {
        let rows: usize = verdicts.values().sum();
        output.fact(ID, "rows", &[("file", file)], Estimate::count(rows), Basis::Records);
        for (verdict, count) in verdicts {
            let keys = [("file", file), ("verdict", verdict)];
            output.fact(ID, "verdict", &keys, Estimate::out_of(count, rows), Basis::Records);
        }
    }
    for ((measure, problem, sub), value) in values {
        let sub = sub.to_string();
        let keys = [("problem", problem), ("sub", sub.as_str())];
        output.fact(ID, measure, &keys, Estimate::value(value), Basis::Records);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::Fixture;

    #[test]
    fn a_problem_counts_once_and_values_keep_their_position() {
        let entry = |list: &str, id: &str, verdict: Option<&str>, official: Option<Vec<f64>>| Reviewed {
            file: "check".into(),
            list: list.into(),
            id: id.into(),
            verdict: verdict.map(Into::into),
            stored: if verdict.is_some() { vec![2.5, 3.0] } else { Vec::new() },
            official,
        };
        let mut study = Fixture::new(&[]);
        study.archive.annotations.reviewed = vec![
            entry("removed", "env_1", None, None),
            entry("removed", "env_1", None, None),
            entry("removed", "eco_2", None, None),
            entry("", "env_1", Some("MISMATCH"), Some(vec![51.0])),
            entry("", "eco_9", Some("MATCH"), None),
        ];
        let facts = Facts::new(study.compute(&CrossKeycheck).facts);
        let value = |measure: &str, keys: &[(&str, &str)]| facts.get(ID, measure, keys).unwrap().estimate.point();
        assert_eq!(value("listed", &[("list", "removed")]), Some(2.0));
        assert_eq!(value("listed", &[("list", "removed"), ("prefix", "env")]), Some(1.0));
        assert_eq!(value("verdict", &[("file", "check"), ("verdict", "MATCH")]), Some(1.0));
        assert_eq!(value("official", &[("problem", "env_1"), ("sub", "1")]), Some(51.0));
        assert_eq!(value("stored", &[("problem", "env_1"), ("sub", "2")]), Some(3.0));
        assert!(facts.get(ID, "official", &[("problem", "eco_9"), ("sub", "1")]).is_none());
    }
}
