//! How many problems have which property.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::{Problem, Set};
use crate::id::ProblemId;
use crate::json::Object;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "corpus-count",
    also: &[],
    title: "Composition of the problem sets",
    unit: "problems",
    meaning: "What the benchmark consists of: problems by set, category, difficulty, book, family of shortcuts and template, and \
              how many have variants.",
    formula: "n = number of problems of the set with the property; share = 100 n / problems of the set.",
    source: "Rule corpus-count of the study.",
    edge_cases: "A declared set whose file is not there is undefined. Problems without a label are in no group. per-parent is \
                 undefined when parents have different numbers of variants. Problems without a family are in no group.",
    example: "116 of 436 problems are on atmospheric dynamics: n 116, share 26.6.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "category", meaning: "category; alone or with difficulty" },
        KeyDoc { key: "difficulty", meaning: "level of difficulty; alone or with category" },
        KeyDoc { key: "book", meaning: "source book" },
        KeyDoc { key: "family", meaning: "family of shortcuts; for variants their own family" },
        KeyDoc { key: "member", meaning: "further member of the stored problems, for how many carry it" },
    ],
    measures: &[
        ("n", "problems with the property"),
        ("share", "percent of the set"),
        ("categories", "distinct categories"),
        ("difficulties", "distinct levels of difficulty"),
        ("books", "distinct books; with category: of its problems"),
        ("families", "distinct families of shortcuts"),
        ("templates", "distinct templates of multiple-choice instances"),
        ("parents", "distinct parents"),
        ("per-parent", "problems per parent, where it is the same for all"),
        ("with-variants", "problems with variants of the family, out of the set or of its category"),
        ("without-variants", "problems without variants of the family, out of the set or of its category"),
    ],
};

/// Composition of the problem sets.
pub(in crate::statistics) struct CorpusCount;

impl Statistic for CorpusCount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for declared in &evidence.study.sets {
            let Some(set) = evidence.corpus.set(declared.id.as_str()) else {
                let reason = Estimate::undefined(format!("the file of set {} is not there", declared.id));
                output.on(ABOUT.id, Basis::Records, &[("set", declared.id.as_str())]).put("n", reason);
                continue;
            };
            totals(&mut output, set);
            groups(&mut output, set);
            variants(&mut output, evidence, set);
        }
        let main = evidence.corpus.original();
        output.tables.extend(main.map(|set| composition(evidence, set)));
        output
    }
}

/// Labels of a problem that group it: key and value.
fn labels(problem: &Problem) -> Vec<(&'static str, &str)> {
    let family = problem.shortcut.as_ref().map(|shortcut| &*shortcut.family);
    let labels = [
        ("category", problem.category.as_deref()),
        ("difficulty", problem.difficulty.as_deref()),
        ("book", problem.book.as_deref()),
        ("family", family),
    ];
    labels.into_iter().filter_map(|(key, label)| Some((key, label?))).collect()
}

fn distinct<'s>(set: &'s Set, label: impl Fn(&'s Problem) -> Option<&'s str>) -> BTreeSet<&'s str> {
    set.problems.iter().filter_map(label).collect()
}

fn totals(output: &mut Output, set: &Set) {
    let mut parents: BTreeMap<&ProblemId, usize> = BTreeMap::new();
    set.problems
        .iter()
        .filter_map(|problem| problem.parent.as_ref())
        .for_each(|id| *parents.entry(id).or_default() += 1);
    let sizes: BTreeSet<usize> = parents.values().copied().collect();
    let mut facts = output.on(ABOUT.id, Basis::Records, &[("set", set.id.as_str())]);
    facts.put("n", Estimate::count(set.problems.len()));
    let templates = distinct(set, |problem| {
        problem.choice.as_ref().map(|choice| &*choice.template).filter(|name| !name.is_empty())
    });
    for (measure, found) in [
        ("categories", distinct(set, |problem| problem.category.as_deref())),
        ("difficulties", distinct(set, |problem| problem.difficulty.as_deref())),
        ("books", distinct(set, |problem| problem.book.as_deref())),
        ("families", distinct(set, |problem| problem.shortcut.as_ref().map(|shortcut| &*shortcut.family))),
        ("templates", templates),
    ] {
        if !found.is_empty() {
            facts.put(measure, Estimate::count(found.len()));
        }
    }
    if let (Some(low), Some(high)) = (sizes.first(), sizes.last()) {
        let unequal = format!("from {low} to {high}");
        facts.put("parents", Estimate::count(parents.len()));
        facts.put("per-parent", Estimate::or((low == high).then_some(*low as f64), &unequal));
    }
}

fn groups(output: &mut Output, set: &Set) {
    let mut counts: BTreeMap<Vec<(&str, &str)>, usize> = BTreeMap::new();
    for problem in &set.problems {
        for label in labels(problem) {
            *counts.entry(vec![label]).or_default() += 1;
        }
        if let (Some(category), Some(difficulty)) = (problem.category.as_deref(), problem.difficulty.as_deref()) {
            *counts.entry(vec![("category", category), ("difficulty", difficulty)]).or_default() += 1;
        }
        let members = problem.extra.as_object().into_iter().flat_map(Object::iter);
        for (member, _) in members.filter(|(_, value)| !value.is_null()) {
            *counts.entry(vec![("member", member)]).or_default() += 1;
        }
    }
    for (labels, count) in counts {
        let keys = [&[("set", set.id.as_str())], labels.as_slice()].concat();
        output
            .on(ABOUT.id, Basis::Records, &keys)
            .put("n", Estimate::count(count))
            .put("share", Estimate::percent(count, set.problems.len()));
    }
    for category in distinct(set, |problem| problem.category.as_deref()) {
        let inside = |problem: &&Problem| problem.category.as_deref() == Some(category);
        let books: BTreeSet<_> =
            set.problems.iter().filter(inside).filter_map(|problem| problem.book.as_deref()).collect();
        let keys = [("set", set.id.as_str()), ("category", category)];
        output.on(ABOUT.id, Basis::Records, &keys).put("books", Estimate::count(books.len()));
    }
}

/// Ids that have variants of a family.
fn varied<'a>(evidence: &Evidence<'a>, set: &Set, family: &str) -> Option<BTreeSet<&'a ProblemId>> {
    let derived = |other: &&Set| other.family() == Some(family) && other.parents.as_ref() == Some(&set.id);
    let variants = evidence.corpus.sets.iter().find(derived)?;
    Some(variants.problems.iter().filter_map(|variant| variant.parent.as_ref()).collect())
}

fn variants(output: &mut Output, evidence: &Evidence<'_>, set: &Set) {
    let families: BTreeSet<&str> = evidence.corpus.sets.iter().filter_map(Set::family).collect();
    for family in families {
        let Some(parents) = varied(evidence, set, family) else { continue };
        let with = set.problems.iter().filter(|problem| parents.contains(&problem.id)).count();
        let n = set.problems.len();
        output
            .on(ABOUT.id, Basis::Records, &[("set", set.id.as_str()), ("family", family)])
            .put("with-variants", Estimate::out_of(with, n))
            .put("without-variants", Estimate::out_of(n - with, n));
        for category in distinct(set, |problem| problem.category.as_deref()) {
            let own = || set.problems.iter().filter(|problem| problem.category.as_deref() == Some(category));
            let (with, n) = (own().filter(|problem| parents.contains(&problem.id)).count(), own().count());
            output
                .on(ABOUT.id, Basis::Records, &[("set", set.id.as_str()), ("family", family), ("category", category)])
                .put("with-variants", Estimate::out_of(with, n))
                .put("without-variants", Estimate::out_of(n - with, n));
        }
    }
}

/// Whether the problem file says that other numbers could be put in. Not every such problem has variants.
fn variantable(problem: &Problem) -> Option<bool> {
    problem.extra.get("numeric_variantable").and_then(crate::json::Value::as_bool)
}

fn composition(evidence: &Evidence<'_>, set: &Set) -> Table {
    let mut levels: Vec<&str> =
        evidence.study.strata("difficulty").into_iter().flat_map(|strata| &strata.order).map(String::as_str).collect();
    let found = distinct(set, |problem| problem.difficulty.as_deref());
    levels.retain(|level| found.contains(level));
    let known: BTreeSet<&str> = levels.iter().copied().collect();
    levels.extend(found.difference(&known));
    let names: Vec<String> = levels.iter().map(|level| format!("n_{level}")).collect();
    let mut columns = vec![("category", Kind::Text, ""), ("n_total", Kind::Integer, "problems")];
    columns.extend(names.iter().map(|name| (name.as_str(), Kind::Integer, "problems")));
    columns.extend([("n_numeric_variantable", Kind::Integer, "problems"), ("n_books", Kind::Integer, "books")]);
    let title = "Problems by category: difficulty, numeric variants, source books";
    let mut table = Table::new("composition", title, &[ABOUT.id], &columns);
    let flagged = set.problems.iter().any(|problem| variantable(problem).is_some());
    let mut row = |name: &str, problems: &[&Problem]| {
        let level = |level: &&str| problems.iter().filter(|p| p.difficulty.as_deref() == Some(level)).count();
        let books: BTreeSet<_> = problems.iter().filter_map(|problem| problem.book.as_deref()).collect();
        let mut cells = vec![Cell::text(name), Cell::count(problems.len())];
        cells.extend(levels.iter().map(level).map(Cell::count));
        cells.push(if flagged {
            Cell::count(problems.iter().filter(|problem| variantable(problem) == Some(true)).count())
        } else {
            Cell::Undefined("no problem says whether its numbers could be varied".into())
        });
        cells.push(Cell::count(books.len()));
        table.push(cells);
    };
    let mut categories: BTreeMap<&str, Vec<&Problem>> = BTreeMap::new();
    for problem in &set.problems {
        categories.entry(problem.category.as_deref().unwrap_or("(none)")).or_default().push(problem);
    }
    let mut categories: Vec<_> = categories.into_iter().collect();
    categories.sort_by_key(|(_, problems)| std::cmp::Reverse(problems.len()));
    for (category, problems) in &categories {
        row(category, problems);
    }
    row("ALL", &set.problems.iter().collect::<Vec<_>>());
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};
    use crate::table::to_csv;

    fn study() -> Fixture {
        let flagged = |problem: crate::corpus::Problem, variantable: bool| {
            let flag = ("numeric_variantable".to_owned(), crate::json::Value::Bool(variantable));
            let extra = crate::json::Value::Object([flag].into_iter().collect());
            crate::corpus::Problem { extra, ..problem }
        };
        // Two problems could be varied; one of them has variants, and so has one that could not.
        let problems = vec![
            flagged(problem("p1", "x", "low", 1), false),
            flagged(problem("p2", "y", "high", 1), true),
            flagged(problem("p3", "y", "low", 1), true),
        ];
        let variants = vec![variant("v1", "p1", 1), variant("v2", "p1", 2), variant("v3", "p2", 1)];
        let mut study = Fixture::new(&[])
            .set("core", "problems", None, problems)
            .set("numeric", "numeric-variants", Some("core"), variants)
            .set("words", "words-variants", Some("core"), Vec::new());
        study.corpus.sets.pop();
        study
    }

    #[test]
    fn groups_parents_and_absent_sets() {
        let facts = Facts::new(study().compute(&CorpusCount).facts);
        let get = |measure, keys: &[(&str, &str)]| facts.get("corpus-count", measure, keys).unwrap().estimate.clone();
        assert_eq!(get("n", &[("set", "core"), ("category", "y")]), Estimate::count(2));
        assert_eq!(get("share", &[("set", "core"), ("difficulty", "low")]), Estimate::percent(2, 3));
        assert_eq!(get("n", &[("set", "core"), ("category", "y"), ("difficulty", "low")]), Estimate::count(1));
        assert_eq!(get("with-variants", &[("set", "core"), ("family", "numeric")]), Estimate::out_of(2, 3));
        assert_eq!(get("per-parent", &[("set", "numeric")]), Estimate::undefined("from 1 to 2"));
        assert_eq!(get("parents", &[("set", "numeric")]), Estimate::count(2));
        assert_eq!(get("n", &[("set", "words")]), Estimate::undefined("the file of set words is not there"));
    }

    #[test]
    fn the_composition_lists_large_categories_first() {
        let text =
            "category,n_total,n_high,n_low,n_numeric_variantable,n_books\ny,2,1,1,2,1\nx,1,0,1,0,1\nALL,3,1,2,2,1\n";
        assert_eq!(to_csv(&study().compute(&CorpusCount).tables[0]), text);
    }
}
