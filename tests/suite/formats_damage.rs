//! Damage to files of every format: what is cut off, stands twice, or says that it is another's. Nothing of it is silent.

use repro::archive::{Archive, Selection, State};
use repro::formats::Listing;
use repro::packs::formats;
use repro::pipeline::recognise;
use repro::report::Findings;
use repro::study::Study;
use repro::world::Silent;
use repro::world::memory::Memory;

use crate::cli::Lab;

/// Small files of a format, written for the test; the first one holds the records.
struct Kind {
    name: &'static str,
    files: Vec<(&'static str, String)>,
    /// A record as it stands in the first file, and how two of them are put behind each other.
    record: String,
    between: &'static str,
}

impl Kind {
    fn source(&self, records: &str) -> Memory {
        let rest = self.files.iter().skip(1);
        rest.fold(Memory::default().with(self.files[0].0, records), |source, (path, text)| {
            source.with(path, text.as_str())
        })
    }

    fn study(&self) -> Study {
        let source = self.source(&self.files[0].1);
        let listing = Listing::new(&source).unwrap();
        formats().assumed(&listing).unwrap_or_else(|none| panic!("{}: {}", self.name, none.explain(formats()))).study
    }

    fn load(&self, study: &Study, records: &str) -> (Archive, Findings) {
        let (_, archive, _, findings) =
            formats().read(&self.source(records), study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
        (archive, findings)
    }
}

/// A kind whose records are elements of the first file, `{}` in its frame.
fn kind(
    name: &'static str,
    path: &'static str,
    frame: &str,
    records: &[String],
    between: &'static str,
    rest: &[(&'static str, &str)],
) -> Kind {
    let text = frame.replacen("{}", &records.join(between), 1);
    let mut files = vec![(path, text)];
    files.extend(rest.iter().map(|(path, text)| (*path, (*text).to_owned())));
    Kind { name, files, record: records[1].clone(), between }
}

fn kinds() -> Vec<Kind> {
    let lines = |line: &dyn Fn(usize) -> String| (0..3).map(line).collect::<Vec<String>>();
    let human = lines(&|n| {
        format!(r#"{{"task_id": "T/{n}", "completion": "    return {n}", "result": "passed", "passed": true}}"#)
    });
    let paper = lines(&|n| {
        format!(
            r#"{{"task_id": "T/{n}", "prompt": "p", "solution": "x = {n}", "is_solved": true, "test": "assert x"}}"#
        )
    });
    let plus = lines(&|n| {
        format!(r#""T/{n}": [{{"task_id": "T/{n}", "solution": "x", "base_status": "pass", "plus_status": "fail"}}]"#)
    });
    let crux = lines(&|n| format!(r#""s{n}": ["2", "3"]"#));
    let code = lines(&|n| {
        format!(
            r#"{{"question_id": "q{n}", "code_list": ["x"], "graded_list": [true], "pass@1": 1.0, "metadata": ["{{}}"]}}"#
        )
    });
    let log = lines(&|n| {
        format!(r#"{{"id": {n}, "epoch": 1, "input": "q", "target": "y", "scores": {{"match": {{"value": "C"}}}}}}"#)
    });
    let state = |n: usize| {
        format!(
            r#"{{"instance": {{"id": "i{n}", "split": "test", "input": {{"text": "q"}}, "references": []}},
            "train_trial_index": 0, "result": {{"completions": [{{"text": "y", "logprob": -1}}]}}}}"#
        )
    };
    let helm = lines(&|n| {
        format!(
            r#"{{"instance_id": "i{n}", "train_trial_index": 0, "stats": [{{"name": {{"name": "exact_match", "split": "test"}},
            "count": 1, "sum": 1}}]}}"#
        )
    });
    let states = format!(r#"{{"request_states": [{}]}}"#, (0..3).map(state).collect::<Vec<_>>().join(", "));
    let harness = lines(&|n| {
        format!(
            r#"{{"doc_id": {n}, "target": "7", "filtered_resps": ["7"], "filter": "none", "metrics": ["em"], "em": 1.0}}"#
        )
    });
    let results = r#"{"results": {"t": {"alias": "t", "em,none": 1.0}}, "versions": {},
        "n-samples": {"t": {"original": 3, "effective": 3}}, "config": {"model": "hf", "model_args": "pretrained=a/b"}}"#;
    let score = lines(&|n| format!(r#"{{"id": {}, "valid": false, "error_type": "e"}}"#, n + 1));
    let trials = lines(&|n| format!(r#"{{"task_id": {n}, "trial": 0, "reward": 1.0, "traj": []}}"#));
    let prompts = lines(&|n| {
        format!(
            r#"{{"promptIdx": 0, "testIdx": {n}, "provider": {{"id": "p"}}, "success": true, "score": 1, "vars": {{"q": "x"}},
            "response": {{"output": "Paris"}}}}"#
        )
    });
    let rows = lines(&|n| format!(r#"{{"task": "t{n}", "model": "m", "passed": true}}"#));
    let patches =
        lines(&|n| format!(r#"{{"instance_id": "o__r-{n}", "model_name_or_path": "m", "model_patch": "d"}}"#));
    let report = r#"{"total_instances": 3, "submitted_instances": 3, "resolved_instances": 1, "submitted_ids": ["o__r-0",
        "o__r-1", "o__r-2"], "resolved_ids": ["o__r-1"], "unresolved_ids": ["o__r-0", "o__r-2"], "schema_version": 2}"#;
    vec![
        kind("human-eval", "m.jsonl", "{}\n", &human, "\n", &[]),
        kind("paper-jsonl", "m.jsonl", "{}\n", &paper, "\n", &[]),
        kind("evalplus", "m_eval_results.json", r#"{"date": "d", "eval": {{}}}"#, &plus, ", ", &[]),
        kind(
            "cruxeval",
            "sample_scored_m_output.json",
            r#"{"raw_generations": {{}}, "raw_scored_generations": {"s0": [true, false], "s1": [true, false], "s2": [true, false]}}"#,
            &crux,
            ", ",
            &[],
        ),
        kind("livecodebench", "m/eval_all.json", "[{}]", &code, ", ", &[]),
        kind(
            "inspect",
            "log.json",
            r#"{"status": "success", "eval": {"task": "t", "model": "m", "scorers": [{"name": "match"}]}, "samples": [{}]}"#,
            &log,
            ", ",
            &[],
        ),
        kind(
            "helm",
            "runs/qa/per_instance_stats.json",
            "[{}]",
            &helm,
            ", ",
            &[
                (
                    "runs/qa/run_spec.json",
                    r#"{"name": "qa:model=o_m", "adapter_spec": {"model": "o/m"}, "metric_specs": [{"args": {"names": ["exact_match"]}}]}"#,
                ),
                ("runs/qa/scenario_state.json", &states),
                ("runs/qa/stats.json", "[]"),
            ],
        ),
        kind(
            "lm-eval",
            "a__b/samples_t_2026-01-21T03-44-18.458309.jsonl",
            "{}\n",
            &harness,
            "\n",
            &[("a__b/results_2026-01-21T03-44-18.458309.json", results)],
        ),
        kind(
            "bfcl",
            "score/m/simple_score.json",
            "{\"accuracy\": 0.25, \"correct_count\": 1, \"total_count\": 4}\n{}\n",
            &score,
            "\n",
            &[],
        ),
        kind("tau-bench", "m-retail.json", "[{}]", &trials, ", ", &[]),
        kind(
            "promptfoo",
            "out.json",
            r#"{"evalId": "e", "results": {"version": 3, "results": [{}], "stats": {"successes": 3, "failures": 0, "errors": 0}}, "config": {}}"#,
            &prompts,
            ", ",
            &[],
        ),
        kind("table", "m.jsonl", "{}\n", &rows, "\n", &[]),
        kind("swe-bench", "preds/m.jsonl", "{}\n", &patches, "\n", &[("reports/m.json", report)]),
    ]
}

#[test]
fn nothing_that_is_cut_off_is_silent() {
    for kind in kinds() {
        let study = kind.study();
        let whole = kind.files[0].1.trim_end();
        let (sound, _) = kind.load(&study, whole);
        assert!(sound.runs.iter().any(|run| !run.records.is_empty()), "{} has no records", kind.name);
        let (_, before) = kind.load(&study, &kind.files[0].1);
        for cut in (1..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            // Whole lines that are missing leave a whole file; what they held is counted as absent elsewhere.
            if whole.as_bytes()[cut] == b'\n' || whole.as_bytes()[cut - 1] == b'\n' && kind.between == "\n" {
                continue;
            }
            let (archive, findings) = kind.load(&study, &whole[..cut]);
            assert!(findings.len() > before.len(), "{}: a cut at byte {cut} is not told", kind.name);
            assert!(archive.runs.len() <= sound.runs.len(), "{}: byte {cut}", kind.name);
        }
    }
}

#[test]
fn what_stands_twice_is_told_or_is_another_sample() {
    for kind in kinds() {
        let study = kind.study();
        let (sound, _) = kind.load(&study, &kind.files[0].1);
        let twice = kind.files[0].1.replacen(&kind.record, &[kind.record.as_str(); 2].join(kind.between), 1);
        let (archive, findings) = kind.load(&study, &twice);
        let told = findings.iter().any(|finding| matches!(finding.code, "duplicate-id" | "counted-twice"));
        let sampled = archive.runs.len() > sound.runs.len();
        assert!(told || sampled, "{}: {findings:?}", kind.name);
    }
}

#[test]
fn a_line_of_another_model_is_told_where_the_study_says_whose_the_file_is() {
    let all = kinds();
    let human = &all[0];
    let study = human.study();
    let other = human.files[0].1.replacen("\"passed\": true}", "\"passed\": true, \"model\": \"other\"}", 1);
    let (archive, findings) = human.load(&study, &other);
    assert!(findings.iter().any(|finding| finding.code == "identity-differs"), "{findings:?}");
    assert_eq!(archive.runs.len(), 1);
    // Without a declaration the lines themselves say whose they are.
    let named = |model: &str| {
        human.files[0].1.replace("\"passed\": true}", &format!("\"passed\": true, \"model\": \"{model}\"}}"))
    };
    let source = Memory::default()
        .with("all.jsonl", format!("{}{}", named("a"), named("b").replace("passed\": true", "passed\": false")));
    let study = formats().assumed(&Listing::new(&source).unwrap()).unwrap().study;
    let (_, archive, _, _) = formats().read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    let passes = |run: &repro::archive::Run| run.records.iter().filter(|record| record.state() == State::Pass).count();
    let seen: Vec<_> = archive.runs.iter().map(|run| (run.key.configuration.to_string(), passes(run))).collect();
    assert_eq!(seen, [("a".to_owned(), 3), ("b".to_owned(), 0)]);
}

#[test]
fn ten_unknown_layouts_are_called_by_what_they_are_or_lack() {
    for (path, text, words) in [
        ("out.jsonl", "{\"task_id\": \"a/1\", \"answer\": 3}\n", "lacks"),
        ("a.csv", "task,model,passed\n", "rows: below the names"),
        ("a.csv", "task,note\nx,hello there\ny,well well\n", "a column of marks"),
        ("m_eval_results.json", "{\"date\": \"d\", \"hash\": \"h\"}", "the member eval"),
        ("data.jsonl", "{\"code\": \"x\", \"input\": \"1\", \"output\": \"2\", \"id\": \"s0\"}\n", "raw_generations"),
        ("r.json", "{\"gpt\": {\"p1\": true}, \"claude\": {\"p1\": false}}", "an object of objects"),
        ("r.json", "{\"name\": \"p\", \"language\": \"lua\", \"tests\": \"\", \"results\": []}", "MultiPL-E"),
        ("x/.aider.results.json", "{\"testcase\": \"x\", \"model\": \"m\", \"tests_outcomes\": [true]}", "aider"),
        ("results.xlsx", "PK", "save its sheet as CSV"),
        ("results.csv.zst", "x", "gzip"),
        ("results.yaml", "- task: a\n", "YAML"),
    ] {
        let source = Memory::default().with(path, text);
        let error = recognise(&source).unwrap_err().to_string();
        assert!(error.contains(words), "{path}: {error}");
    }
}

#[test]
fn both_schemas_of_evalplus_are_executed_again_on_both_engines() {
    let problem = |n: usize| {
        format!(
            "{{\"task_id\": \"Toy/{n}\", \"prompt\": \"def f(x):\\n\", \"entry_point\": \"f\", \"canonical_solution\": \"    return x + {n}\\n\", \
             \"test\": \"def check(c):\\n    assert c(1) == {}\\n\"}}\n",
            n + 1
        )
    };
    let lab = Lab::empty();
    let program = |n: usize| format!("def f(x):\\n    return x + {n}\\n");
    let new = |n: usize, base: &str, plus: &str| {
        format!(
            "\"Toy/{n}\": [{{\"task_id\": \"Toy/{n}\", \"solution\": \"{}\", \"base_status\": \"{base}\", \"plus_status\": \"{plus}\"}}]",
            program(if base == "pass" { n } else { 9 })
        )
    };
    let old = |n: usize, base: &str, plus: &str| {
        format!("\"Toy/{n}\": {{\"nfiles\": 1, \"base\": [[\"{base}\", []]], \"plus\": [[\"{plus}\", []]]}}")
    };
    let body =
        |n: usize, add: usize| format!("{{\"task_id\": \"Toy/{n}\", \"completion\": \"    return x + {add}\\n\"}}\n");
    lab.write("e/HumanEval.jsonl", (0..3).map(problem).collect::<String>());
    lab.write(
        "e/new_eval_results.json",
        format!("{{\"eval\": {{{}, {}, {}}}}}", new(0, "pass", "pass"), new(1, "pass", "fail"), new(2, "fail", "pass")),
    );
    lab.write(
        "e/old_eval_results.json",
        format!(
            "{{\"eval\": {{{}, {}, {}}}}}",
            old(0, "success", "success"),
            old(1, "success", "failed"),
            old(2, "failed", "failed")
        ),
    );
    lab.write("e/old.jsonl", body(0, 0) + &body(1, 1) + &body(2, 9));
    let engine = if cfg!(has_python3) { "--engine both" } else { "" };
    let done = lab.run(&format!("verify e {engine} --json"));
    let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let level = |id: &str| {
        let levels = document["levels"].as_array().unwrap().clone();
        let found = levels.into_iter().find(|level| level["level"] == id).unwrap();
        (found["checked"].clone(), found["agreed"].clone())
    };
    assert_eq!(level("L1"), (3.into(), 3.into()), "{}", done.stdout);
    assert_eq!(level("L2"), (6.into(), 6.into()), "{}", done.stdout);
}
