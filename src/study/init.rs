//! A commented `study.toml`: for a recognised folder, or a first one to fill in.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Adapter, Author, Grading, Identity, Study};

/// Text of a `study.toml` that declares `study`, with a comment on what each part is for. Reading it
/// gives the same declaration.
pub fn init(study: &Study) -> String {
    let mut text = format!("{HEAD}{}", root_lists(study));
    section(&mut text, STUDY, "study", &study.study);
    section(&mut text, GRADING, "grading", &study.grading);
    list(&mut text, SETS, "set", &study.sets);
    list(&mut text, CONFIGURATIONS, "configuration", &study.configurations);
    list(&mut text, EXPERIMENTS, "experiment", &study.experiments);
    list(&mut text, JUDGES, "judge", &study.judges);
    list(&mut text, ESTIMATORS, "estimator", &study.estimators);
    list(&mut text, STRATA, "strata", &study.strata);
    list(&mut text, COMPARISONS, "comparison", &study.comparisons);
    list(&mut text, ANALYSIS, "analysis", &study.analysis);
    list(&mut text, TRANSCRIPTS, "transcripts", &study.transcripts);
    list(&mut text, FILES, "file", &study.files);
    list(&mut text, CLAIMS, "claims", &study.claims);
    list(&mut text, PUBLISHED, "published", &study.published);
    text
}

/// A declaration with everything that must be said and nothing else, to be filled in by hand.
pub fn blank() -> Study {
    Study {
        study: Identity {
            id: "my-study".into(),
            title: "Title of the study".into(),
            version: "1.0".into(),
            date: "2026".into(),
            description: "What was asked of which models, and what the archive holds.".into(),
            licence: "CC-BY-4.0".into(),
            authors: vec![Author {
                family: "Family name".into(),
                given: Some("Given names".into()),
                orcid: None,
                affiliation: None,
            }],
            doi: None,
            url: None,
            site: None,
            publisher: None,
            keywords: Vec::new(),
            citation: None,
            demonstration: None,
            adapter: Adapter::RunFiles,
        },
        sets: Vec::new(),
        configurations: Vec::new(),
        experiments: Vec::new(),
        judges: Vec::new(),
        estimators: Vec::new(),
        transcripts: Vec::new(),
        files: Vec::new(),
        grading: Grading { tolerance: 0.05, sweep: vec![0.01, 0.05, 0.1], capture: 0.02, cpu_seconds: 10 },
        strata: Vec::new(),
        comparisons: Vec::new(),
        analysis: Vec::new(),
        statistics: Vec::new(),
        claims: Vec::new(),
        published: Vec::new(),
        choices: crate::study::Choices::default(),
        documents: Vec::new(),
    }
}

/// Keys of the root; they come first because TOML has no way back to it.
fn root_lists(study: &Study) -> String {
    let mut text = String::new();
    for (comment, key, items) in
        [(STATISTICS, "statistics", &study.statistics), (DOCUMENTS, "documents", &study.documents)]
    {
        text.push_str(comment);
        let value = toml::Value::Array(items.iter().map(|item| toml::Value::String(item.clone())).collect());
        let mark = if items.is_empty() { "# " } else { "" };
        let _ = write!(text, "{mark}{key} = {value}\n\n");
    }
    text
}

fn section(text: &mut String, comment: &str, name: &str, value: &impl Serialize) {
    text.push_str(comment);
    let _ = writeln!(text, "[{name}]\n{}", lines(&table(value)));
}

fn list<T: Serialize>(text: &mut String, comment: &str, name: &str, items: &[T]) {
    text.push_str(comment);
    if items.is_empty() {
        let _ = write!(text, "# [[{name}]]\n\n");
    }
    for item in items {
        let _ = writeln!(text, "[[{name}]]\n{}", lines(&table(item)));
    }
}

/// The members of a part, without those that say what is assumed anyway.
fn table(value: &impl Serialize) -> toml::Table {
    let mut table = toml::Table::try_from(value).unwrap_or_default();
    table.retain(|key, value| !is_assumed(key, value));
    table
}

/// One line per member, so that a part stays in one piece; long lists are broken.
fn lines(table: &toml::Table) -> String {
    let mut text = String::new();
    for (key, value) in table {
        match value {
            toml::Value::Array(items) if value.to_string().len() + key.len() > WIDTH => {
                let _ = writeln!(text, "{key} = [");
                for item in items {
                    let _ = writeln!(text, "    {item},");
                }
                text.push_str("]\n");
            }
            _ => {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
    }
    text
}

/// Lists longer than this are written one item to a line.
const WIDTH: usize = 110;

fn is_assumed(key: &str, value: &toml::Value) -> bool {
    match value {
        toml::Value::Boolean(flag) => *flag == (key == "listed"),
        toml::Value::Array(items) => items.is_empty(),
        toml::Value::Table(members) => members.is_empty(),
        toml::Value::String(text) => {
            matches!((key, text.as_str()), ("adapter", "run-files") | ("kind", "records") | (_, ""))
        }
        _ => false,
    }
}

const HEAD: &str = "\
# What this study declares about itself. `repro` reads it before anything else; what is declared here and
# what the folder holds are then compared. Paths are relative to this file, with forward slashes.

";

const STATISTICS: &str = "\
# Statistics to compute, by id (`repro explain` lists them). Without this line: all that apply.
";

const DOCUMENTS: &str = "\
# Markdown documents that become pages.
";

const STUDY: &str = "\
# Who, what, when. Every metadata file of the deposit is made from this part. Also known here: doi, url,
# publisher, citation, keywords, authors with given, orcid and affiliation, and `demonstration`: a sentence
# that every page carries when the study was constructed to show the tool.
";

const GRADING: &str = "\
# How answers are graded. Tolerances are relative (0.05 is five percent), absolute for an expected zero;
# `sweep` lists those of the tolerance table, `capture` decides whether an answer is that of a shortcut.
";

const ANALYSIS: &str = "\
# Options for the analyses of a pack (`pack`, then whatever the pack understands): choices that no record
# tells, such as seeds, orders that break ties, names.
";

const SETS: &str = "\
# Problem sets, in reading order: a JSON list of problems each (id, problem, code, sub_answers, ...).
# Labels are free; `kind` says what the set is made of (problems, or a word of your own; `<family>-variants` is a
# family of variants). `parents` names the set that parent_id refers to.
";

const CONFIGURATIONS: &str = "\
# Configurations, in the order of tables. Labels are free; those of one `group` whose `setting` is reasoning and
# non-reasoning are twins. `listed = false` keeps one out of every aggregate; `aliases` are other names of files
# and tables.
";

const EXPERIMENTS: &str = "\
# Experiments: one problem set, asked in one way. Labels are free and become keys of facts; `protocol` says what a
# model gives: code (a program, also where nothing is said), direct (prose) or option. Two experiments of one set
# need labels, or a `condition`, that tell them apart. Their folder holds <configuration>.run<k>.json, or
# <configuration>.json for a single run. Without `configurations`, all listed ones are expected.
";

const JUDGES: &str = "\
# Judges, where records carry verdicts of several (base and extended tests, visible and hidden ones, two harnesses).
# The headline judge's mark is the record's own.
";

const ESTIMATORS: &str = "\
# Numbers made of verdicts: kind is mean (over problems), pooled, pass-at-k, pass-hat-k (all of k), count or score.
";

const STRATA: &str = "\
# Labels of problems by which results are split, with the order and the names of their values in tables.
";

const COMPARISONS: &str = "\
# Comparisons: two arms over matched problems (`before`, `after`: an experiment, and where needed a configuration,
# judge, environment, run or labels of problems). `match` is id or parent; `reduce` is majority, mean, any, all or
# first; comparisons of one `family` are adjusted together.
";

const TRANSCRIPTS: &str = "\
# Selected records with their texts; no rate is computed from them. kind is records, annotations (what people
# judged about claims of execution) or traces (excerpts of such claims).
";

const FILES: &str = "\
# Files that analyses read whole, by the part they play. A path that ends with / names every file of a folder; md5 or
# sha256 is the checksum that the study pins.
";

const CLAIMS: &str = "\
# Claims ledgers: the printed numbers to judge.
";

const PUBLISHED: &str = "\
# Published tables to compare recomputed ones with, by the id of the recomputed table.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::manifest;

    #[test]
    fn what_is_written_reads_back_as_the_same_declaration() {
        assert_eq!(manifest::parse(&init(&blank())).unwrap(), blank());
    }

    #[test]
    fn every_part_is_explained_even_when_there_is_none() {
        let text = init(&blank());
        for part in ["[study]", "[grading]", "# [[analysis]]", "# [[set]]", "# [[experiment]]", "# documents = []"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(text.lines().all(|line| line.len() <= 120));
    }
}
