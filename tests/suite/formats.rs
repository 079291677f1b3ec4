//! Real result files of other benchmarks, against the independent recounts that came with them, and the hand-made
//! copies that must be told from them.

use std::collections::BTreeMap;

use crate::shared::shared;
use repro::archive::{Archive, Denominator, Record, Selection, State, Status};
use repro::corpus::Corpus;
use repro::estimate::{Arm, Which};
use repro::formats;
use repro::pipeline::recognise;
use repro::report::{Findings, Severity};
use repro::study::{EstimatorKind, Study};
use repro::verify::{Level, LevelSummary, SummaryVerdict, summaries};
use repro::world::disk::Folder;
use repro::world::{Beside, Silent, Source};

struct Loaded {
    study: Study,
    corpus: Corpus,
    archive: Archive,
    findings: Findings,
    stored: Vec<SummaryVerdict>,
}

fn load(source: &dyn Source) -> Loaded {
    let study = recognise(source).unwrap().study;
    let (corpus, archive, _, mut findings) =
        repro::packs::formats().read(source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    let (stored, told) = summaries(&study, &corpus, &archive, &mut LevelSummary::new(Level::L0));
    findings.extend(told.iter().cloned());
    // What init writes down reads back as the same study.
    assert_eq!(written(&study), study);
    Loaded { study, corpus, archive, findings, stored }
}

fn written(study: &Study) -> Study {
    let memory = repro::world::memory::Memory::default().with("study.toml", repro::study::init(study));
    recognise(&memory).unwrap().study
}

fn folder(path: &str) -> Loaded {
    load(&Folder::new(&shared(&format!("formats/{path}"))).unwrap())
}

impl Loaded {
    fn codes(&self) -> Vec<(&'static str, usize)> {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        self.findings.iter().for_each(|finding| *counts.entry(finding.code).or_default() += 1);
        counts.into_iter().collect()
    }

    fn number(&self, experiment: &str, arm: &str, judge: Option<&str>, kind: EstimatorKind, k: Option<u32>) -> f64 {
        let which = Which { experiment, configuration: arm, run: None, judge, keep: &|_| true };
        Arm::of(&self.archive, which).number(kind, k, Denominator::Graded, None).unwrap().value
    }

    fn passed(&self, experiment: &str, arm: &str, judge: &str) -> (usize, usize) {
        let runs = self.archive.runs_of(experiment, arm);
        let records: Vec<&Record> = runs.flat_map(|run| &run.records).collect();
        let passed = |record: &&&Record| match judge {
            "" => record.state() == State::Pass,
            judge => record.status(judge) == Some(Status::Pass),
        };
        (records.iter().filter(passed).count(), records.len())
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn human_eval_with_tables_of_pass_at_k() {
    let bia = folder("human-eval/bia");
    let first = bia.study.experiments[0].id.as_str();
    assert_eq!(bia.corpus.sets.len(), 1);
    assert_eq!(bia.corpus.sets[0].problems.len(), 57);
    assert!(bia.corpus.sets[0].problems.iter().all(|problem| problem.tests.is_some()));
    let arms: Vec<usize> = bia
        .study
        .experiments
        .iter()
        .map(|e| bia.archive.runs.iter().filter(|r| r.key.experiment == e.id).count())
        .collect();
    assert_eq!(arms, [20, 270], "two arms of ten samples with programs, 27 with verdicts");
    let claude = "claude-3-5-sonnet-20241022";
    for (k, value) in [(1, 0.6368), (5, 0.7249), (10, 0.7544)] {
        let found = bia.number(first, claude, None, EstimatorKind::PassAtK, Some(k)) / 100.0;
        assert!((found - value).abs() < 5e-5, "pass@{k} {found}");
    }
    for (k, value) in [(1, 0.3333), (5, 0.5537), (10, 0.7018)] {
        let found = bia.number(first, "gpt-3.5-turbo-1106", None, EstimatorKind::PassAtK, Some(k)) / 100.0;
        assert!((found - value).abs() < 5e-5, "pass@{k} {found}");
    }
    assert!(bia.stored.len() >= 27 && bia.stored.iter().all(|row| row.agrees == Some(true)), "{:?}", bia.stored);
    assert_eq!(bia.codes(), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn human_eval_with_and_without_verdicts_and_its_problems_beside() {
    let inside = Folder::new(&shared("formats/human-eval/wizardcoder")).unwrap();
    let outside = Folder::new(&shared("formats/human-eval")).unwrap();
    let wizard = load(&Beside::new(inside, outside, &["HumanEval.jsonl.gz"]));
    let verdicts = "T0.0_N1_reproduce.results.59.8";
    assert_eq!(wizard.passed("humaneval", verdicts, ""), (98, 164));
    let without = "T0.0_N1_humaneval_wizardcoder33b_v1.1";
    let runs: Vec<_> = wizard.archive.runs_of("humaneval", without).collect();
    assert!(runs[0].records.iter().all(|record| record.state() == State::Excluded));
    assert_eq!(wizard.corpus.set("HumanEval").unwrap().problems.len(), 164);
    assert_eq!(wizard.codes(), [("not-recorded", 2)]);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn evalplus_counts_base_and_both() {
    let codecor = folder("evalplus/codecor");
    for (arm, base, both, all) in [
        ("CodeCoR_result", 155, 137, 164),
        ("samples_codecor_gpt_4", 142, 127, 164),
        ("samples_codecot_gpt_4", 137, 126, 164),
        ("codecor_eval_results_", 56, 49, 164),
        ("self-planning_humaneval_samples", 72, 62, 164),
        ("scot_humaneval_samples", 37, 33, 164),
        ("samples_codecor", 133, 121, 164),
        ("updated_codecor", 304, 260, 399),
    ] {
        let experiment = if all == 164 { "humaneval" } else { "mbpp" };
        assert_eq!(codecor.passed(experiment, arm, "base"), (base, all), "{arm}");
        assert_eq!(codecor.passed(experiment, arm, "plus"), (both, all), "{arm}");
    }
    let ragged = "samples_codecot";
    assert_eq!(codecor.passed("humaneval", ragged, "base"), (115, 165));
    let value = |kind| codecor.number("humaneval", ragged, Some("base"), kind, None);
    assert!((value(EstimatorKind::Pooled) - 69.70).abs() < 5e-3 && (value(EstimatorKind::Mean) - 69.82).abs() < 5e-3);
    assert_eq!(codecor.codes(), [("ragged-samples", 1)]);
    assert!(codecor.findings.iter().next().unwrap().message.contains("HumanEval/16 (2)"));
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn nothing_but_timeouts_is_no_ability_of_zero() {
    let timed_out = folder("evalplus/all-timed-out");
    assert_eq!(timed_out.codes(), [("environment-suspected", 1)]);
    let records: Vec<&Record> = timed_out.archive.runs.iter().flat_map(|run| &run.records).collect();
    assert_eq!(records.len(), 164);
    assert!(records.iter().all(|record| record.status("plus") == Some(Status::Timeout)));
    assert!(records.iter().all(|record| record.state() == State::Excluded && record.attempts.is_some()));
    let arm = timed_out.study.configurations[0].key.as_str();
    let which = Which { experiment: "humaneval", configuration: arm, run: None, judge: Some("base"), keep: &|_| true };
    let none = Arm::of(&timed_out.archive, which).number(EstimatorKind::Mean, None, Denominator::Graded, None);
    assert_eq!(none.unwrap_err(), repro::estimate::Shortage::Suspected);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn a_papers_lines_have_two_judges() {
    let ldb = folder("paper-jsonl/ldb");
    let arms: Vec<&str> = ldb.study.configurations.iter().map(|c| c.key.as_str()).collect();
    assert_eq!(arms.len(), 2, "{arms:?}");
    let (gpt35, gpt4o) = (arms[0], arms[1]);
    assert!(gpt35.contains("gpt-3.5") && gpt4o.contains("gpt-4o"), "{arms:?}");
    let experiment = ldb.study.experiments[0].id.as_str();
    let passed = |arm: &str, judge: &str| ldb.passed(experiment, arm, judge).0;
    assert_eq!([passed(gpt35, "is_solved"), passed(gpt35, "is_passing")], [136, 144]);
    assert_eq!([passed(gpt4o, "is_solved"), passed(gpt4o, "is_passing")], [161, 162]);
    let odd = ldb.archive.runs.iter().flat_map(|run| &run.records).filter(|record| {
        record.status("is_passing") == Some(Status::Fail) && record.status("is_solved") == Some(Status::Pass)
    });
    assert_eq!(odd.count(), 1);
    assert_eq!(ldb.corpus.sets[0].problems.iter().filter(|problem| problem.tests.is_some()).count(), 164);
    assert!(ldb.findings.iter().all(|finding| finding.severity == Severity::Note), "{:?}", ldb.findings);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn cruxeval_has_everything() {
    let crux = folder("cruxeval/codellama-7b");
    assert_eq!(crux.corpus.sets[0].problems.len(), 800);
    let arm = crux.study.configurations[0].key.as_str();
    assert_eq!(crux.passed("input-prediction", arm, ""), (2876, 8000));
    assert_eq!(crux.passed("output-prediction", arm, ""), (2737, 8000));
    assert_eq!(crux.stored.len(), 4);
    assert!(crux.stored.iter().all(|row| row.agrees == Some(true)), "{:?}", crux.stored);
    let five = crux.number("input-prediction", arm, None, EstimatorKind::PassAtK, Some(5));
    assert!((five - 44.991).abs() < 5e-4, "{five}");
    assert_eq!(crux.codes(), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn a_leaderboard_of_rates_is_a_study_of_scores() {
    let table = folder("tables/livecodebench-leaderboard");
    let records = table.archive.runs.iter().map(|run| run.records.len()).sum::<usize>();
    // The file lists 28 models, and its rows are of 16 of them.
    assert_eq!((records, table.study.configurations.len()), (5583, 16));
    assert!(table.archive.runs.iter().flat_map(|run| &run.records).all(|record| record.score.is_some()));
    assert!(table.corpus.sets[0].problems.iter().all(|problem| problem.labels.contains_key("difficulty")));
    assert!(table.archive.coverage.iter().any(|row| row.absent > Some(0)), "items differ between models");
    assert_eq!(table.codes(), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn a_removed_line_shows_in_the_recount() {
    let name = "data/samples_gpt-3.5-turbo-1106.jsonl_results.jsonl";
    let root = shared("formats/human-eval/bia");
    let read = |path: &str| std::fs::read(root.join(path)).unwrap();
    let text = String::from_utf8(read(name)).unwrap();
    // A sample that passes, of a problem on which others fail: without it the share is another one.
    let parsed: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fails = |task: &serde_json::Value| parsed.iter().any(|row| row["task_id"] == *task && row["passed"] == false);
    let gone = parsed.iter().position(|row| row["passed"] == true && fails(&row["task_id"])).unwrap();
    let kept: Vec<&str> = text.lines().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| line).collect();
    let csv = "data/samples_gpt-3.5-turbo-1106_passk_results.csv";
    let problems = "data/human-eval-bia.jsonl";
    let source = repro::world::memory::Memory::default()
        .with(name, kept.join("\n"))
        .with(csv, read(csv))
        .with(problems, read(problems));
    let damaged = load(&source);
    let codes: Vec<&str> = damaged.codes().into_iter().map(|(code, _)| code).collect();
    assert!(codes.contains(&"summary-differs") && codes.contains(&"ragged-samples"), "{codes:?}");
}

#[test]
fn an_unknown_layout_names_the_nearest_format_and_what_it_lacks() {
    let source = repro::world::memory::Memory::default()
        .with("out.jsonl", "{\"task_id\": \"a/1\", \"answer\": 3}\n{\"task_id\": \"a/2\", \"answer\": 4}\n");
    let error = recognise(&source).unwrap_err().to_string();
    assert!(error.contains("nearest is") && error.contains("out.jsonl lacks"), "{error}");
    assert!(error.contains("--skeleton"), "{error}");
}

#[test]
fn an_unknown_folder_says_which_of_its_files_hold_no_text() {
    let source = repro::world::memory::Memory::default()
        .with("a.jsonl", "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n")
        .with("b.csv", b"\xff\xfet\0a\0".to_vec());
    let error = recognise(&source).unwrap_err().to_string();
    assert!(error.contains("a.jsonl: a Git LFS pointer") && error.contains("b.csv, byte 0: UTF-16"), "{error}");
}

#[test]
fn every_format_has_a_page_and_is_listed() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats");
    let index = std::fs::read_to_string(root.join("README.md")).unwrap();
    for format in formats::ALL {
        assert!(root.join(format!("{}.md", format.id())).is_file(), "{} has no page", format.id());
        assert!(index.contains(&format!("| `{}` |", format.id())), "{} is not listed", format.id());
    }
}
