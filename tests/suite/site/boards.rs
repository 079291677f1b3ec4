//! What enters an aggregate: the same on pages and in facts, whatever else lies in the archive.

use regex::Regex;
use repro::site::Options;
use repro::statistics::Fact;
use repro::world::Source;
use repro::world::memory::Memory;
use serde_json::{Value, json};

use super::Loaded;
use super::hostile::{KEYS, study};
use super::loaded::page;

fn read(source: &Memory, path: &str) -> Value {
    serde_json::from_slice(&source.read(path).unwrap()).unwrap()
}

/// Everything that pages show of the main experiment.
fn scores(loaded: &Loaded) -> Vec<&Fact> {
    let of =
        |fact: &&Fact| ["accuracy-mean-sd", "accuracy-run", "majority-of-3", "rank-groups"].contains(&fact.statistic);
    loaded.facts.iter().filter(of).collect()
}

/// Ranks in the order of the rows of the leaderboard.
fn ranks(loaded: &Loaded) -> Vec<String> {
    let rendered = loaded.render(Options::default());
    let html = page(&rendered, "leaderboard/index.html");
    let rank = Regex::new(r#"(?s)<tr id="[^"]*"[^>]*><th.*?</th><td[^>]*>(.*?)</td>"#).unwrap();
    let tag = Regex::new("<[^>]*>").unwrap();
    rank.captures_iter(html).map(|found| tag.replace_all(&found[1], "").into_owned()).collect()
}

#[test]
fn records_of_another_set_move_no_score_and_are_named_with_their_set() {
    let sound = study();
    let before = Loaded::read(&sound);
    let path = format!("runs/{}.run1.json", KEYS[0]);
    let mut run = read(&sound, &path);
    let traps = read(&sound, "traps.json");
    let ids: Vec<&str> = traps.as_array().unwrap().iter().map(|trap| trap["id"].as_str().unwrap()).collect();
    for id in &ids {
        run["results"].as_array_mut().unwrap().push(json!({"id": id, "passed": true}));
    }
    let after = Loaded::read(&sound.clone().with(&path, run.to_string()));
    assert_eq!(scores(&before), scores(&after));
    assert_eq!(ranks(&before), ranks(&after));
    let (_, _, findings) = repro::verify::integrity(&after.study, &after.corpus, &after.archive);
    let told = findings.iter().find(|finding| finding.code == "foreign-id").expect("a finding");
    assert!(told.message.contains("the set \"traps\"") && ids.iter().all(|id| told.message.contains(id)), "{told:?}");
}

#[test]
fn a_model_that_nobody_declared_enters_nothing_and_breaks_no_link() {
    let sound = study();
    let before = Loaded::read(&sound);
    let mut run = read(&sound, &format!("runs/{}.run1.json", KEYS[0]));
    for record in run["results"].as_array_mut().unwrap() {
        record["passed"] = json!(true);
    }
    let mut more = sound;
    for number in 1..=3 {
        run["metrics"]["run"] = json!(number);
        run["metrics"]["model"] = json!("stranger");
        more = more.with(&format!("runs/stranger.run{number}.json"), run.to_string());
    }
    let after = Loaded::read(&more);
    assert_eq!(after.archive.runs.len(), before.archive.runs.len() + 3);
    let known = |loaded: &Loaded| -> Vec<Fact> {
        // What is about the archive as such counts its files.
        loaded.facts.iter().filter(|fact| fact.statistic != "archive-census").cloned().collect()
    };
    assert_eq!(known(&before), known(&after));
    let rendered = after.render(Options::default());
    let broken: Vec<_> = rendered.findings.iter().filter(|finding| finding.code == "broken-link").collect();
    assert!(broken.is_empty(), "{broken:?}");
    let (summary, _, _) = repro::verify::integrity(&after.study, &after.corpus, &after.archive);
    assert!(summary.remark.as_deref().is_some_and(|remark| remark.contains("stranger")), "{:?}", summary.remark);
}

/// Answers on which the lenses differ: one list drives the findings, the ledger and the page.
#[test]
fn page_findings_and_ledger_count_the_same_differences_of_the_lenses() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo");
    let source = repro::world::disk::Folder::new(&folder).unwrap();
    let mut loaded = Loaded::read(&source);
    let subject = repro::verify::Subject {
        source: &source,
        study: &loaded.study,
        corpus: &loaded.corpus,
        archive: &loaded.archive,
        means: repro::packs::means(&[]),
    };
    let (ladder, findings) = repro::verify::verify(subject, &repro::world::Silent).unwrap();
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for row in &ladder.lenses {
        *counts.entry(row.reason.as_str()).or_default() += 1;
    }
    assert!(counts.len() > 1, "{counts:?}");
    for (reason, count) in &counts {
        let told = findings.iter().find(|f| f.code == "lens-differs" && f.place.subject.as_deref() == Some(*reason));
        assert!(told.is_some_and(|told| told.message.starts_with(&format!("{count} answer"))), "{reason}: {told:?}");
    }
    let told = findings.iter().filter(|finding| finding.code == "lens-differs").count();
    assert_eq!(told, counts.len());
    let expected: Vec<(String, usize)> = counts.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect();
    loaded.ledger = ladder;
    let rendered = loaded.render(Options::default());
    let html = page(&rendered, "grading/index.html");
    for (reason, count) in expected {
        let row = html
            .find(&format!(">{}<", reason.replace('-', " ")))
            .map(|at| &html[at..at + html[at..].find("</tr>").unwrap()]);
        assert!(row.is_some_and(|row| row.contains(&format!(">{count}<"))), "{reason} {count}: {row:?}");
    }
}
