//! Kinds that further public archives of the formats brought up, each as a small file written for the test.

use repro::archive::{Archive, Record, Selection, State};
use repro::corpus::Corpus;
use repro::formats::Listing;
use repro::packs::formats;
use repro::pipeline::recognise;
use repro::report::Findings;
use repro::study::{Study, init};
use repro::world::Silent;
use repro::world::memory::Memory;

fn load(source: &Memory) -> (Study, Corpus, Archive, Findings) {
    let study = formats()
        .assumed(&Listing::new(source).unwrap())
        .unwrap_or_else(|none| panic!("{}", none.explain(formats())))
        .study;
    // What is assumed is a declaration without objections.
    let written = Memory::default().with("study.toml", init(&study));
    assert_eq!(recognise(&written).unwrap_or_else(|error| panic!("{error}")).study, study);
    let read = formats().read(source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    (study, read.0, read.1, read.3)
}

/// Passed and failed problems of a configuration, by id.
fn marks(archive: &Archive, configuration: &str) -> Vec<(String, bool)> {
    let runs = archive.runs.iter().filter(|run| run.key.configuration.as_str() == configuration);
    let mark = |record: &Record| (record.id.to_string(), record.state() == State::Pass);
    runs.flat_map(|run| run.records.iter().map(mark)).collect()
}

#[test]
fn score_files_may_count_the_questions_that_result_files_name() {
    let results: String = (0..4).map(|n| format!("{{\"id\": \"simple_{n}\", \"result\": \"f()\"}}\n")).collect();
    let score = "{\"accuracy\": 0.5, \"correct_count\": 2, \"total_count\": 4}\n\
                 {\"id\": 1, \"valid\": false, \"error_type\": \"e\", \"prompt\": {\"id\": \"simple_0\"}}\n\
                 {\"id\": 4, \"valid\": false, \"error_type\": \"e\", \"prompt\": \"no object\"}\n";
    let source = Memory::default()
        .with("result/m/gorilla_openfunctions_v1_test_simple_result.json", results)
        .with("score/m/simple_score.json", score);
    let (_, _, archive, findings) = load(&source);
    let expected = [("simple_0", false), ("simple_1", true), ("simple_2", true), ("simple_3", false)];
    assert_eq!(marks(&archive, "m"), expected.map(|(id, passed)| (id.to_owned(), passed)));
    assert!(findings.iter().all(|finding| finding.code != "outside-benchmark"), "{findings:?}");
    assert!(archive.recounts.iter().all(|recount| recount.agrees() == Some(true)));
}

#[test]
fn samples_and_models_are_counted_over_the_whole_file() {
    // Three passes over many long lines: the second sample of a problem stands far behind the first.
    let filler = "x".repeat(2000);
    let line = |n: usize, model: &str| {
        format!("{{\"task_id\": \"T/{n}\", \"completion\": \"{filler}\", \"passed\": true, \"model\": \"{model}\"}}\n")
    };
    let one: String = (0..3).flat_map(|_| (0..200).map(|n| line(n, "a"))).collect();
    let (study, _, archive, _) = load(&Memory::default().with("samples.jsonl", one.clone()));
    assert_eq!((study.experiments[0].runs, archive.runs.len()), (3, 3));
    let other: String = (0..200).map(|n| line(n, "b")).collect();
    let (study, ..) = load(&Memory::default().with("samples.jsonl", one + &other));
    let keys: Vec<&str> = study.configurations.iter().map(|configuration| configuration.key.as_str()).collect();
    assert_eq!((keys, study.experiments[0].runs), (vec!["a", "b"], 3));
}

#[test]
fn tables_of_pass_at_k_alone_are_a_study_of_stated_numbers() {
    let source = Memory::default()
        .with("samples_a_passk_results.csv", ",pass@1,pass@10\n0,0.25,0.5\n")
        .with("samples_b_passk_results.csv", ",pass@1,pass@10\n0,0.75,0.875\n");
    let (study, _, archive, findings) = load(&source);
    let keys: Vec<&str> = study.configurations.iter().map(|configuration| configuration.key.as_str()).collect();
    assert_eq!((keys, archive.runs.len(), archive.summaries.len()), (vec!["a", "b"], 0, 4));
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn documents_with_tests_are_run_again() {
    let results = r#"{"results": {"humaneval": {"alias": "humaneval", "pass@1,create_test": 1.0}},
        "configs": {"humaneval": {}}, "n-samples": {"humaneval": {"original": 1, "effective": 1}},
        "config": {"model": "m"}, "versions": {"humaneval": 1}, "n-shot": {"humaneval": 0}}"#;
    let sample = r#"{"doc_id": 0, "doc": {"task_id": "HumanEval/0", "prompt": "def f(x):\n", "test": "def check(c):\n    assert c(1) == 1\n", "entry_point": "f", "canonical_solution": "    return x\n"}, "target": "", "arguments": [["def f(x):\n"]], "resps": [["    return x\n"]], "filtered_resps": [["def f(x):\n    return x\n"]], "filter": "create_test", "metrics": ["pass@1"], "pass@1": 1.0}"#;
    let source = Memory::default()
        .with("m/results_2026-01-01T00-00-00.json", results)
        .with("m/samples_humaneval_2026-01-01T00-00-00.jsonl", format!("{sample}\n"));
    let (_, corpus, archive, _) = load(&source);
    let tests = corpus.sets[0].problems[0].tests.as_ref().unwrap();
    assert!(tests.reference.is_some() && tests.entry_point.as_ref() == "f");
    let record = &archive.runs[0].records[0];
    assert_eq!(tests.program("def f(x):\n    return x\n", record.assembly).matches("def f(x):").count(), 1);
}

#[test]
fn logs_that_ask_one_set_in_one_way_get_a_condition() {
    let log = |task: &str| {
        format!(
            "{{\"status\": \"success\", \"eval\": {{\"task\": \"{task}\", \"model\": \"m\", \"dataset\": {{\"name\": \"d\", \"samples\": 1}}}}, \
             \"samples\": [{{\"id\": 1, \"epoch\": 1, \"input\": \"q\", \"target\": \"a\", \"scores\": {{\"match\": {{\"value\": \"C\"}}}}}}]}}"
        )
    };
    let source = Memory::default().with("one.json", log("first")).with("two.json", log("second"));
    let (study, _, archive, _) = load(&source);
    assert_eq!((study.experiments.len(), archive.runs.len()), (2, 2));
}

#[test]
fn documents_of_tau2_hold_their_tasks_and_trials() {
    let trial = |task: usize, trial: usize, reward: f64| {
        format!(
            "{{\"id\": \"u{task}{trial}\", \"task_id\": \"{task}\", \"trial\": {trial}, \
             \"reward_info\": {{\"reward\": {reward:.1}}}, \"messages\": [{{\"role\": \"assistant\", \"content\": \"hello\"}}]}}"
        )
    };
    let document = |model: &str, rewards: [f64; 4]| {
        let trials: Vec<String> =
            rewards.iter().enumerate().map(|(at, reward)| trial(at / 2, at % 2, *reward)).collect();
        format!(
            "{{\"timestamp\": \"t\", \"info\": {{\"agent_info\": {{\"llm\": \"{model}\"}}, \
             \"environment_info\": {{\"domain_name\": \"retail\"}}}}, \"tasks\": [{{\"id\": \"0\", \"user_scenario\": \
             {{\"instructions\": {{\"reason_for_call\": \"a refund\"}}}}}}, {{\"id\": \"1\"}}], \"simulations\": [{}]}}",
            trials.join(", ")
        )
    };
    let source = Memory::default()
        .with("x_retail.json", document("alpha", [1.0, 1.0, 0.0, 1.0]))
        .with("y_retail.json", document("beta", [0.0, 0.0, 0.0, 0.0]));
    let (study, corpus, archive, findings) = load(&source);
    assert!(findings.is_empty(), "{findings:?}");
    let keys: Vec<&str> = study.configurations.iter().map(|configuration| configuration.key.as_str()).collect();
    assert_eq!(
        (keys, study.experiments[0].id.as_str(), study.experiments[0].runs),
        (vec!["alpha", "beta"], "retail", 2)
    );
    assert_eq!(corpus.sets[0].problems[0].statement, "a refund");
    let passed = marks(&archive, "alpha").into_iter().filter(|(_, passed)| *passed).count();
    assert_eq!((passed, archive.runs.len()), (3, 4));
}
