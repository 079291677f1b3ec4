//! Archives of other people's harnesses: reports, logs, run folders. What `../shared/formats` holds is compared with the
//! recounts made for it by hand and by other programs (its SOURCE.md files).

use std::collections::BTreeMap;

use repro::archive::{Archive, AttemptText, Record, RunKey, Selection, State, Status};
use repro::corpus::Corpus;
use repro::formats::Listing;
use repro::packs::formats;
use repro::report::Findings;
use repro::study::Study;
use repro::verify::{Level, LevelSummary, Subject, verify};
use repro::world::disk::Folder;
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

use crate::shared::shared;

/// A folder that was read without any declaration.
struct Seen {
    study: Study,
    corpus: Corpus,
    archive: Archive,
    levels: Vec<LevelSummary>,
    findings: Findings,
}

fn see(source: &dyn Source) -> Seen {
    let listing = Listing::new(source).unwrap();
    let declared =
        formats().assumed(&listing).unwrap_or_else(|recognition| panic!("{}", recognition.explain(formats())));
    let study = declared.study;
    let silent = |_: &RunKey, _: &Record, _: &[AttemptText<'_>]| {};
    let (corpus, archive, _, mut findings) =
        formats().read(source, &study, Selection::default(), &Silent, &silent).unwrap();
    let subject =
        Subject { source, study: &study, corpus: &corpus, archive: &archive, means: repro::packs::means(&[]) };
    let (ledger, told) = verify(subject, &Silent).unwrap();
    findings.extend(told.iter().cloned());
    Seen { study, corpus, archive, levels: ledger.levels, findings }
}

fn shared_folder(path: &str) -> Seen {
    see(&Folder::new(&shared(&format!("formats/{path}"))).unwrap())
}

impl Seen {
    fn level(&self, level: Level) -> (usize, usize, usize) {
        self.levels.iter().find(|l| l.level == level).map_or((0, 0, 0), |l| (l.total, l.checked, l.agreed))
    }

    /// Passed and counted records by experiment and configuration.
    fn rates(&self) -> BTreeMap<(String, String), (usize, usize)> {
        let mut rates: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
        for run in &self.archive.runs {
            let rate = rates.entry((run.key.experiment.to_string(), run.key.configuration.to_string())).or_default();
            for record in &run.records {
                rate.0 += usize::from(record.state() == State::Pass);
                rate.1 += usize::from(record.state() != State::Excluded);
            }
        }
        rates
    }

    /// Findings by code.
    fn codes(&self) -> BTreeMap<&'static str, usize> {
        let mut codes = BTreeMap::new();
        self.findings.iter().for_each(|finding| *codes.entry(finding.code).or_default() += 1);
        codes
    }
}

/// Code and message of every finding.
fn told(seen: &Seen) -> Vec<(&'static str, String)> {
    seen.findings.iter().map(|finding| (finding.code, finding.message.clone())).collect()
}

fn passed(seen: &Seen, experiment: &str, configuration: &str) -> (usize, usize) {
    seen.rates().get(&(experiment.to_owned(), configuration.to_owned())).copied().unwrap_or_default()
}

/// pass^k in percent from the number of passes of each problem: C(c, k)/C(n, k), by hand.
fn pass_hat(seen: &Seen, k: u64) -> f64 {
    let mut marks: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for record in seen.archive.runs.iter().flat_map(|run| &run.records) {
        let own = marks.entry(record.id.as_str()).or_default();
        own.0 += u64::from(record.passed == Some(true));
        own.1 += 1;
    }
    let choose = |n: u64| (0..k).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product::<f64>();
    100.0 * marks.values().map(|(c, n)| choose(*c) / choose(*n)).sum::<f64>() / marks.len() as f64
}

// ---- What ../shared/formats holds: numbers from its SOURCE.md files, which were counted by other programs.

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn twenty_reports_over_one_benchmark() {
    let seen = shared_folder("swe-bench/rust-swe-bench");
    let resolved: BTreeMap<String, usize> = seen
        .rates()
        .into_iter()
        .map(|((_, arm), (pass, n))| {
            assert_eq!(n, 500, "{arm}");
            (arm, pass)
        })
        .collect();
    assert_eq!(resolved.len(), 20);
    assert_eq!((resolved["openhands_claude"], resolved["rustforger.final-claude-500"]), (106, 143));
    assert_eq!(seen.level(Level::L0), (160, 160, 160));
    let codes = seen.codes();
    let expected = [("incomplete-and-submitted", 13), ("outside-benchmark", 2), ("result-without-prediction", 1)];
    assert_eq!(codes, expected.into_iter().collect(), "{:?}", told(&seen));
    let messages = told(&seen);
    let says =
        |code: &str, words: &str| messages.iter().any(|(own, message)| *own == code && message.starts_with(words));
    assert!(says(
        "incomplete-and-submitted",
        "359 instances are listed as incomplete and as submitted (90 of them resolved)"
    ));
    assert!(says("outside-benchmark", "511 instances are submitted, and the benchmark has 500"));
    assert!(says(
        "outside-benchmark",
        "92 instances are not part of the benchmark of 500 (91 of them submitted, 0 resolved)"
    ));
    // 306 predictions are stored of 411 submitted; 82 of the others had no patch.
    assert!(says(
        "result-without-prediction",
        "23 instances are in the report without a stored prediction (0 of them resolved)"
    ));
    let arm = seen.archive.coverage.iter().find(|row| row.configuration.as_str() == "agentless_claude").unwrap();
    assert_eq!((arm.declared, arm.submitted, arm.recorded, arm.absent), (Some(500), Some(411), 411, Some(89)));
    // Tasks solved by the new system only.
    let by = |new: bool| -> std::collections::BTreeSet<&str> {
        let runs =
            seen.archive.runs.iter().filter(|run| run.key.configuration.as_str().starts_with("rustforger") == new);
        let records = runs.flat_map(|run| &run.records).filter(|record| record.state() == State::Pass);
        records.map(|record| record.id.as_str()).collect()
    };
    assert_eq!(by(true).difference(&by(false)).count(), 46);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn logs_of_an_evaluation_framework() {
    let seen = shared_folder("inspect/inspect_scout");
    let model = "openai/gpt-4o-mini";
    assert_eq!((passed(&seen, "popularity", model), passed(&seen, "security_guide", model)), ((63, 100), (11, 16)));
    assert_eq!(seen.level(Level::L0).1, seen.level(Level::L0).2);
    assert_eq!(seen.level(Level::L3), (116, 100, 100));
    assert_eq!(told(&seen), []);
    let zstd = shared_folder("inspect/zstd-logs");
    let grounded = zstd.archive.recounts.iter().find(|recount| &*recount.metric == "accuracy").unwrap();
    assert_eq!((grounded.stored, grounded.agrees()), (0.75, Some(true)));
    assert_eq!(told(&zstd), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn logs_that_are_incomplete_unscored_or_twins() {
    let seen = shared_folder("inspect/inspect_ai");
    let stored = |path: &str| {
        let own = |r: &&repro::archive::Recount| r.place.file.as_deref().is_some_and(|file| file.contains(path));
        let accuracy = seen.archive.recounts.iter().filter(own).find(|recount| &*recount.metric == "accuracy").unwrap();
        (accuracy.stored, accuracy.agrees())
    };
    assert_eq!(stored("log_streaming.eval"), (0.75, Some(true)));
    assert_eq!(stored("mj7khqpMM4GBCfVQozKgzB"), (0.8, Some(true)));
    // Samples are absent, their reductions are not.
    assert_eq!(stored("no-samples").1, Some(true));
    assert_eq!(stored("5EAmX6wjMFqea6WY7XHzZp").1, None);
    let codes = seen.codes();
    assert_eq!(codes.get("same-evaluation"), Some(&1));
    assert_eq!(codes.get("not-judged"), Some(&1));
    assert_eq!(codes.get("evaluation-unfinished"), Some(&2));
    assert!(!codes.contains_key("summary-differs") && !codes.contains_key("regrade-differs"), "{codes:?}");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn run_folders_of_a_benchmark_of_benchmarks() {
    let seen = shared_folder("helm/every_eval_ever");
    // 25 + 50 + 46 means without perturbation, the sizes of splits (1 + 2 + 2), and those under perturbations.
    let plain = seen.archive.recounts.iter().filter(|recount| !recount.stratum.contains_key("perturbation"));
    let counted = plain.filter(|recount| recount.agrees() == Some(true) && &*recount.metric != "num_instances").count();
    assert!(counted >= 25 + 50 + 46, "{counted}");
    assert_eq!(seen.level(Level::L0).1, seen.level(Level::L0).2);
    let mean = |metric: &str, split: &str| {
        let own = |r: &&repro::archive::Recount| {
            &*r.metric == metric && r.stratum.get("split").is_some_and(|s| &**s == split)
        };
        let of = seen.archive.recounts.iter().filter(own).filter(|r| !r.stratum.contains_key("perturbation"));
        of.map(|recount| recount.again.clone().unwrap().0).collect::<Vec<_>>()
    };
    assert_eq!(mean("exact_match", "valid"), [0.3, 0.0, 0.0]);
    assert!((mean("exact_match", "test")[0] - 1.0 / 9.0).abs() < 1e-12);
    assert!((mean("f1_score", "test")[0] - 0.174_242_424).abs() < 1e-8);
    let l3 = seen.level(Level::L3);
    assert_eq!((l3.1, l3.2), (90, 90));
    assert_eq!(told(&seen), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn results_with_a_part_of_their_samples_and_results_without_any() {
    let seen = shared_folder("lm-eval/every_eval_ever");
    let messages = told(&seen);
    let says =
        |words: &str| messages.iter().any(|(code, message)| *code == "samples-absent" && message.starts_with(words));
    assert!(says("4990 of 5000 evaluated documents have no line"), "{messages:?}");
    assert!(says("1 of its 2 tasks have numbers and no samples file"), "{messages:?}");
    assert_eq!(seen.archive.runs.iter().map(|run| run.records.len()).sum::<usize>(), 10);
    assert!(seen.archive.recounts.iter().all(|recount| recount.agrees().is_none()));
    let old = shared_folder("lm-eval/pythia-old");
    assert_eq!((old.archive.runs.len(), old.archive.recounts.len()), (0, 396));
    assert_eq!(old.codes(), [("optional-absent", 1), ("samples-absent", 2)].into_iter().collect());
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn score_files_that_list_failures_only() {
    let seen = shared_folder("bfcl/bfcl-result");
    assert_eq!(passed(&seen, "simple", "gpt-4o-2024-05-13"), (363, 400));
    assert_eq!(passed(&seen, "relevance", "gpt-4o-2024-05-13"), (198, 240));
    assert_eq!(seen.archive.runs.iter().map(|run| run.records.len()).sum::<usize>(), 1760);
    let (_, checked, agreed) = seen.level(Level::L0);
    // 3 numbers of 12 score files, 5 columns of 49 rows, 12 runs.
    assert_eq!((checked, agreed), (36 + 245 + 12, 36 + 245 + 12));
    assert_eq!(told(&seen), []);
    let inferred = seen.archive.runs.iter().flat_map(|run| &run.records).filter(|r| r.verdicts[0].inferred).count();
    let passes = seen.rates().values().map(|(pass, _)| pass).sum::<usize>();
    assert_eq!(inferred, passes);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn trials_of_agents() {
    let seen = shared_folder("tau-bench/tau-bench");
    let estimators: Vec<&str> = seen.study.estimators.iter().map(|estimator| estimator.id.as_str()).collect();
    assert_eq!(estimators, ["pass^1", "pass^2", "pass^3", "pass^4"]);
    for (k, published) in [(1, 42.0), (2, 27.3), (3, 22.0), (4, 20.0)] {
        assert!((pass_hat(&seen, k) - published).abs() < 0.05, "pass^{k}");
    }
    assert_eq!(told(&seen), []);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn tests_of_prompts_and_submissions_to_contests() {
    let seen = shared_folder("promptfoo/prompt-eval-workbench");
    assert_eq!(passed(&seen, "tests", "openai:chat:gpt-4o-mini"), (2, 3));
    assert_eq!((seen.level(Level::L0), seen.level(Level::L3)), ((12, 12, 12), (3, 3, 3)));
    assert_eq!(told(&seen), []);
    let seen = shared_folder("livecodebench/submissions");
    let set = &seen.corpus.sets[0];
    let mut strata: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for record in &seen.archive.runs[0].records {
        let difficulty = set.get(record.id.as_str()).and_then(|problem| problem.difficulty.as_deref()).unwrap();
        let own = strata.entry(difficulty).or_default();
        own.0 += usize::from(record.passed == Some(true));
        own.1 += 1;
    }
    assert_eq!(strata.values().map(|(pass, _)| pass).sum::<usize>(), 602);
    assert_eq!(
        strata.iter().map(|(name, own)| (*name, own.1)).collect::<Vec<_>>(),
        [("easy", 279), ("hard", 270), ("medium", 331)]
    );
    assert!((strata["hard"].0 as f64 / 270.0 - 0.348).abs() < 5e-4);
    let empty = seen.archive.runs[0].records.iter().filter(|r| r.verdicts[0].status == Status::Empty).count();
    assert_eq!((empty, seen.level(Level::L0)), (6, (881, 881, 881)));
    assert_eq!(told(&seen), []);
}

// ---- Small files written for the test: sound, contradictory and damaged.

#[test]
fn a_zero_sum_of_reports_is_read_with_its_contradictions() {
    let report = r#"{"total_instances": 3, "submitted_instances": 3, "resolved_instances": 2, "submitted_ids": ["o__r-1", "o__r-2"],
        "resolved_ids": ["o__r-1"], "unresolved_ids": ["o__r-2"], "incomplete_ids": ["o__r-3"], "schema_version": 2}"#;
    let predictions = "{\"instance_id\": \"o__r-1\", \"model_patch\": \"d\"}\n{torn\n{\"instance_id\": \"o__r-1\", \"model_patch\": \"e\"}\n\
        {\"instance_id\": 3, \"model_patch\": \"e\"}\n";
    let seen = see(&Memory::default().with("reports/m.json", report).with("preds/m.jsonl", predictions));
    assert_eq!(passed(&seen, "swe-bench", "m"), (1, 3));
    assert_eq!(
        seen.codes(),
        [("bad-record", 2), ("counted-twice", 1), ("result-without-prediction", 1), ("summary-differs", 2)]
            .into_iter()
            .collect(),
        "{:?}",
        told(&seen)
    );
    let differs: Vec<String> =
        told(&seen).into_iter().filter(|(code, _)| *code == "summary-differs").map(|(_, m)| m).collect();
    assert_eq!(
        differs,
        [
            "resolved_instances is stored as 2, a recount over 1 values gives 1.0",
            "submitted_instances is stored as 3, a recount over 2 values gives 2.0"
        ]
    );
    assert_eq!(seen.corpus.sets[0].problems[0].labels.get("repository").map(|l| &**l), Some("o/r"));
}

#[test]
fn a_log_with_epochs_partial_credit_and_damage() {
    let sample = |id: &str, epoch: u32, value: &str, answer: &str| {
        format!(
            r#"{{"id": {id}, "epoch": {epoch}, "input": "q", "target": "yes", "output": {{"completion": "{answer}"}},
            "scores": {{"match": {{"value": {value}}}}}}}"#
        )
    };
    let samples = [
        sample("1", 1, "\"C\"", "Yes"),
        sample("1", 2, "\"P\"", "maybe"),
        sample("2", 1, "\"C\"", "no"),
        sample("2", 2, "NaN", "yes"),
        r#"{"id": 3, "epoch": 1, "error": {"message": "boom"}}"#.to_owned(),
        "17".to_owned(),
        sample("1", 1, "\"I\"", "again"),
    ];
    let log = format!(
        r#"{{"status": "success", "eval": {{"task": "t", "model": "m", "config": {{"epochs": 2}},
        "scorers": [{{"name": "match", "options": {{}}}}]}}, "results": {{"total_samples": 6, "completed_samples": 5, "scores":
        [{{"name": "match", "scorer": "match", "metrics": {{"accuracy": {{"value": 0.875}}, "mean": {{"value": 0.5}}}}}}]}},
        "samples": [{}], "reductions": [{{"scorer": "match", "samples": [{{"sample_id": 1, "value": 0.75}},
        {{"sample_id": 2, "value": 0.5}}]}}]"#,
        samples.join(",")
    );
    let seen = see(&Memory::default().with("log.json", log));
    // Partial credit is no pass; what the scorer left out and what ended with an error are outside.
    assert_eq!(passed(&seen, "t", "m"), (2, 3));
    let codes = seen.codes();
    assert_eq!((codes["bad-record"], codes["duplicate-id"], codes["torn-file"]), (1, 1, 1));
    let differs: Vec<String> =
        told(&seen).into_iter().filter(|(code, _)| *code == "summary-differs").map(|(_, m)| m).collect();
    assert_eq!(differs.len(), 2, "{differs:?}");
    let regraded: Vec<String> =
        told(&seen).into_iter().filter(|(code, _)| *code == "regrade-differs").map(|(_, m)| m).collect();
    assert_eq!(regraded, ["match stored it as right; by its rule it is wrong"]);
}

#[test]
fn score_files_with_a_failure_too_many() {
    let score = "{\"accuracy\": 0.5, \"correct_count\": 2, \"total_count\": 4}\n{\"id\": 1, \"valid\": false, \"error_type\": \"e\"}\n\
        {\"id\": 1, \"valid\": false}\n{\"id\": 9, \"valid\": false}\nnot json\n";
    let result = "{\"idx\": 0, \"result\": \"f()\"}\n{\"idx\": 1, \"result\": [1]}\n{\"idx\": 2, \"result\": \"\"}\n{\"idx\": 3, \"result\": \"\"}\n";
    let files = Memory::default().with("score/m/simple_score.json", score).with("result/m/simple_result.json", result);
    let seen = see(&files);
    assert_eq!(passed(&seen, "simple", "m"), (3, 4));
    let codes = seen.codes();
    assert_eq!((codes["counted-twice"], codes["outside-benchmark"], codes["bad-record"]), (1, 1, 1));
    assert!(!codes.contains_key("summary-differs"), "2 failures of 4: {:?}", told(&seen));
    // Without the result file the questions are counted up to the total.
    let alone = see(&Memory::default().with("score/m/simple_score.json", score));
    assert_eq!(passed(&alone, "simple", "m"), (3, 5));
}

#[test]
fn trials_with_parts_of_a_reward_and_without_a_task() {
    let trials = r#"[{"task_id": 0, "trial": 0, "reward": 1.0, "traj": [{"role": "assistant", "content": "done"}]},
        {"task_id": 0, "trial": 1, "reward": 0.5, "traj": []}, {"trial": 0, "reward": 1.0}, {"task_id": 1, "trial": -1, "reward": 0},
        {"task_id": 1, "trial": 0, "reward": "high"}, {"task_id": 1"#;
    let seen = see(&Memory::default().with("m-retail.json", trials));
    assert_eq!(passed(&seen, "retail", "m-retail"), (1, 2));
    let codes = seen.codes();
    assert_eq!((codes["bad-record"], codes["bad-member"], codes["torn-file"]), (2, 1, 1));
}

#[test]
fn rows_of_two_columns_with_an_error_and_a_wrong_count() {
    let row = |column: u32, test: u32, success: bool, more: &str| {
        format!(
            r#"{{"promptIdx": {column}, "testIdx": {test}, "provider": {{"id": "p"}}, "success": {success}, "score": {},
            "vars": {{"q": "x"}}, "response": {{"output": "Paris"}}, {more}}}"#,
            u8::from(success)
        )
    };
    let graded = r#""gradingResult": {"pass": true, "componentResults": [{"pass": true, "assertion": {"type": "equals", "value": "paris"}}]}"#;
    let rows = [
        row(0, 0, true, graded),
        row(1, 0, false, graded),
        row(0, 1, false, r#""error": "timeout", "failureReason": 2"#),
    ];
    let file = format!(
        r#"{{"evalId": "e", "results": {{"version": 3, "results": [{}], "stats": {{"successes": 2, "failures": 1,
        "errors": 1}}}}, "config": {{}}}}"#,
        rows.join(",")
    );
    let seen = see(&Memory::default().with("out.json", file));
    assert_eq!((passed(&seen, "tests", "p (prompt 1)"), passed(&seen, "tests", "p (prompt 2)")), ((1, 1), (0, 1)));
    let messages = told(&seen);
    assert!(messages.iter().any(|(code, m)| *code == "summary-differs" && m.starts_with("successes is stored as 2")));
    assert_eq!(messages.iter().filter(|(code, _)| *code == "regrade-differs").count(), 2, "case matters to equals");
}

#[test]
fn a_submission_with_lists_of_unequal_length() {
    let list = r#"[{"question_id": "a", "difficulty": "easy", "contest_date": "2024-03-01T00:00:00", "code_list": ["x", " "],
        "graded_list": [true, false], "pass@1": 50.0, "metadata": ["{}", "{\"error_code\": -3}"]},
        {"question_id": "b", "code_list": ["x"], "graded_list": [true, false], "pass@1": 1.0}, {"code_list": []}]"#;
    let seen = see(&Memory::default().with("one/eval_all.json", list));
    let codes = seen.codes();
    assert_eq!((codes["bad-member"], codes["bad-record"], codes["summary-differs"]), (1, 1, 1), "{:?}", told(&seen));
    let problem = seen.corpus.sets[0].get("a").unwrap();
    assert_eq!(problem.labels.get("month").map(|month| &**month), Some("2024-03"));
    let statuses: Vec<Status> =
        seen.archive.runs.iter().filter_map(|run| run.get("a").map(|record| record.verdicts[0].status)).collect();
    assert_eq!(statuses, [Status::Pass, Status::Empty]);
}

#[test]
fn a_run_folder_with_a_wrong_mean() {
    let spec = r#"{"name": "qa:model=o_m", "adapter_spec": {"model": "o/m"}, "metric_specs": [{"args": {"names": ["exact_match"]}}]}"#;
    let state = |id: &str, answer: &str| {
        format!(
            r#"{{"instance": {{"id": "{id}", "split": "test", "input": {{"text": "q"}}, "references": [{{"output": {{"text": "yes"}},
            "tags": ["correct"]}}]}}, "train_trial_index": 0, "result": {{"completions": [{{"text": "{answer}", "logprob": -1}}]}}}}"#
        )
    };
    let row = |id: &str, sum: u32| {
        format!(
            r#"{{"instance_id": "{id}", "train_trial_index": 0, "stats": [{{"name": {{"name": "exact_match", "split": "test"}},
            "count": 1, "sum": {sum}}}]}}"#
        )
    };
    let files = Memory::default()
        .with("runs/qa/run_spec.json", spec)
        .with(
            "runs/qa/scenario_state.json",
            format!(r#"{{"request_states": [{}, {}]}}"#, state("a", " yes"), state("b", "yes")),
        )
        .with("runs/qa/per_instance_stats.json", format!("[{}, {}]", row("a", 1), row("b", 0)))
        .with(
            "runs/qa/stats.json",
            r#"[{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 0.6, "mean": 0.6},
            {"name": {"name": "training", "split": "test"}, "count": 0, "mean": null}]"#,
        );
    let seen = see(&files);
    assert_eq!(passed(&seen, "qa", "o/m"), (1, 2));
    assert_eq!(
        told(&seen),
        [
            ("regrade-differs", "exact_match stored it as wrong; by its rule it is right".to_owned()),
            (
                "summary-differs",
                "exact_match (split test) is stored as 0.6, a recount over 2 values gives 0.50".to_owned()
            ),
        ]
    );
}

#[test]
fn samples_of_two_filters_and_a_pointer() {
    let results = r#"{"results": {"t": {"alias": "t", "em,strict": 0.5, "em_stderr,strict": "N/A", "em,loose": 0.75}, "u": {"em,none": 1.0}},
        "versions": {}, "n-samples": {"t": {"original": 4, "effective": 2}, "u": {"original": 9, "effective": 9}},
        "config": {"model": "hf", "model_args": "pretrained=a/b"}}"#;
    let line = |doc: u32, filter: &str, value: f64| {
        format!(
            r#"{{"doc_id": {doc}, "target": "7", "filtered_resps": ["7"], "filter": "{filter}", "metrics": ["em"], "em": {value}}}"#
        )
    };
    let lines = [
        line(0, "strict", 1.0),
        line(1, "strict", 0.0),
        line(0, "loose", 1.0),
        line(1, "loose", 1.0),
        line(1, "loose", 0.0),
    ];
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n";
    let files = Memory::default()
        .with("a__b/results_2026-01-21T03-44-18.458309.json", results)
        .with("a__b/samples_t_2026-01-21T03-44-18.458309.jsonl", lines.join("\n"))
        .with("a__b/samples_u_2026-01-21T03-44-18.458309.jsonl", pointer);
    let seen = see(&files);
    assert_eq!(passed(&seen, "t", "a/b"), (1, 2));
    let record = &seen.archive.runs[0].records[1];
    assert_eq!(
        record.verdicts.iter().map(|v| (&*v.judge, v.status)).collect::<Vec<_>>(),
        [("em,strict", Status::Fail), ("em,loose", Status::Pass)]
    );
    let codes = seen.codes();
    for (code, count) in [("duplicate-id", 1), ("file-elsewhere", 1), ("part-of-data-set", 1), ("summary-differs", 1)] {
        assert_eq!(codes.get(code), Some(&count), "{code}: {:?}", told(&seen));
    }
}

#[test]
fn damage_of_every_kind_costs_no_more_than_it_must() {
    let report: &[u8] = br#"{"total_instances": 1, "resolved_ids": ["a"], "submitted_ids": ["a"], "x": 1}"#;
    let log: &[u8] =
        br#"{"status": "success", "eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "epoch": 1}]}"#;
    let trials: &[u8] =
        br#"[{"task_id": 0, "trial": 0, "reward": 1.0, "traj": []}, {"task_id": 1, "trial": 0, "reward": 0}]"#;
    for (name, whole) in [("report.json", report), ("log.json", log), ("airline.json", trials)] {
        for cut in 0..whole.len() {
            for byte in [b'"', b'{', b']', 0xff, 0x00, b'9'] {
                let mut bytes = whole.to_vec();
                bytes[cut] = byte;
                for content in [bytes, whole[..cut].to_vec()] {
                    let source = Memory::default().with(name, content);
                    let listing = Listing::new(&source).unwrap();
                    if let Ok(declared) = formats().assumed(&listing) {
                        let silent = |_: &RunKey, _: &Record, _: &[AttemptText<'_>]| {};
                        formats().read(&source, &declared.study, Selection::default(), &Silent, &silent).unwrap();
                    }
                }
            }
        }
    }
}
