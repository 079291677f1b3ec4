//! Programs under tests: real archives of other benchmarks, replayed, and programs that try to pass otherwise.

use std::io::Read as _;

use repro::corpus::{Assembly, Tests};
use repro::engine::{Engine, Limits, Outcome, Program, Status};
use repro::grade::graders::{Checks, Given, Graders, Judged, Rule};
use repro::grade::tested::{Calls, End, Plan};
use repro::grade::{Judgement, Reason};
use repro::json::Value;
use repro::world::Silent;

use crate::sandbox::{cpython, embedded};
use crate::shared::{parse, shared};

fn end(outcome: &Outcome) -> End {
    match outcome.status {
        Status::Ok => End::Whole,
        Status::MissingModule { .. } => End::Unknown,
        _ => End::Broken,
    }
}

/// Both lenses on every answer: the whole texts and the calls run in one batch, each in its own process.
fn judged(engine: &dyn Engine, tests: &[(Tests, String, Option<Assembly>)]) -> Vec<(Judged, Outcome)> {
    let plans: Vec<Plan> = tests.iter().map(|(tests, answer, assembly)| Plan::new(tests, answer, *assembly)).collect();
    let mut programs = Vec::new();
    for plan in &plans {
        programs.push(Program::script(plan.script.as_str()));
        let calls = plan.assertions.calls.clone();
        programs.push(Program::with_calls(plan.program.as_str(), plan.function.clone(), calls));
    }
    let outcomes = engine.run(&programs, &Limits::default(), &Silent).unwrap();
    let one = |((plan, (tests, ..)), outcomes): ((&Plan, &(Tests, String, Option<Assembly>)), &[Outcome])| {
        let calls = match end(&outcomes[1]) {
            End::Whole => Calls::Made(&outcomes[1].returned),
            End::Broken => Calls::Broken,
            End::Unknown => Calls::Unknown,
        };
        let checks = Checks { answers: &[], tests: Some(tests), choice: None };
        let given = Given::Ran { plan, script: end(&outcomes[0]), calls };
        let judged = Graders::CORE.of(None, &checks).judge(&checks, &given, Rule { tolerance: 0.0 }).unwrap();
        (judged, outcomes[0].clone())
    };
    plans.iter().zip(tests).zip(outcomes.chunks(2)).map(one).collect()
}

fn engines() -> Vec<Box<dyn Engine>> {
    [Some(embedded(2)), cpython(2)].into_iter().flatten().collect()
}

fn tests(code: &str) -> Tests {
    Tests {
        prompt: "def f(x):\n".into(),
        entry_point: "f".into(),
        code: code.into(),
        assembly: Assembly::Function,
        reference: None,
    }
}

/// Ways to pass `assert candidate(2) == 3` without returning 3, and what each lens says of them on both engines.
#[test]
fn no_trick_passes_the_strict_lens() {
    let code = "def check(candidate):\n    assert candidate(2) == 3\n    assert abs(candidate(2) - 3) < 1e-9\n";
    let whole = |program: &str| (tests(code), program.to_owned(), Some(Assembly::WholeFile));
    let equal = "class E:\n    def __eq__(self, o):\n        return True\n    def __sub__(self, o):\n        return 0\ndef f(x):\n    return E()\n";
    // The call of `check` finds another `check` only if the program could define it later: through builtins.
    let abs = "import builtins\nbuiltins.abs = lambda x: 0\nclass I(int):\n    def __eq__(self, o):\n        return True\n    __hash__ = None\ndef f(x):\n    return I(7)\n";
    let exits = "import sys\ndef f(x):\n    sys.exit(0)\n";
    let raises = "def f(x):\n    raise ValueError('3')\n";
    let programs = [whole("def f(x):\n    return x + 1\n"), whole(equal), whole(abs), whole(exits), whole(raises)];
    for engine in engines() {
        let found = judged(&*engine, &programs);
        let told: Vec<_> = found.iter().map(|(judged, _)| (judged.reference, judged.strict)).collect();
        let fail = Judgement::Fail;
        assert_eq!(
            told,
            [
                (Some(true), Judgement::Pass),
                (Some(true), fail(Reason::NotPlainData)),
                (Some(true), fail(Reason::AssertionFails)),
                (Some(false), fail(Reason::CallRaises)),
                (Some(false), fail(Reason::CallRaises)),
            ],
            "{}",
            engine.identity().version
        );
        assert_eq!(found[1].0.difference, Some(Reason::NotPlainData));
    }
    if let Some(engine) = cpython(1) {
        let ends = whole("import os\ndef f(x):\n    os._exit(0)\n");
        let found = judged(&*engine, &[ends]);
        assert_eq!((found[0].0.reference, found[0].0.strict), (Some(false), Judgement::Fail(Reason::CallEnds)));
    }
}

/// The second program passes only where the first ran before it in the same interpreter.
#[test]
fn a_program_that_lives_on_what_another_left_fails_alone() {
    let code = "def check(candidate):\n    assert candidate(2) == 3\n";
    let first = "import builtins\nbuiltins.table = {2: 3}\ndef f(x):\n    return table[x]\n";
    let second = "def f(x):\n    return table[x]\n";
    let both = [first, second].map(|program| (tests(code), program.to_owned(), Some(Assembly::WholeFile)));
    for engine in engines() {
        let found = judged(&*engine, &both);
        let reference: Vec<_> = found.iter().map(|(judged, _)| judged.reference).collect();
        assert_eq!(reference, [Some(true), Some(false)], "{}", engine.identity().version);
        assert_eq!(found[1].0.strict, Judgement::Fail(Reason::CallRaises));
    }
}

#[test]
fn a_missing_module_is_no_failure() {
    let code = "def check(candidate):\n    assert candidate(2) == 3\n";
    let program = (tests(code), "import a_module_of_nobody\n".to_owned(), Some(Assembly::WholeFile));
    for engine in engines() {
        let found = judged(&*engine, std::slice::from_ref(&program));
        assert_eq!(found[0].0.reference, None);
        assert_eq!(found[0].0.strict, Judgement::Undecided(Reason::NotExecuted));
    }
}

fn gzipped(path: &str) -> Vec<Value> {
    let mut text = String::new();
    let file = std::fs::File::open(shared(path)).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(parse).collect()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_text).unwrap_or_default()
}

/// HumanEval: 164 problems with prompt, tests and canonical solution.
fn human_eval() -> Vec<(String, Tests)> {
    let problem = |value: &Value| {
        let tests = Tests {
            prompt: text(value, "prompt").into(),
            entry_point: text(value, "entry_point").into(),
            code: text(value, "test").into(),
            assembly: Assembly::Body,
            reference: Some(text(value, "canonical_solution").into()),
        };
        (text(value, "task_id").to_owned(), tests)
    };
    gzipped("formats/human-eval/HumanEval.jsonl.gz").iter().map(problem).collect()
}

/// Problems with a statement that only running can judge, read off the test code with Python's `ast` module.
const NOT_SPLIT: [&str; 6] =
    ["HumanEval/32", "HumanEval/38", "HumanEval/44", "HumanEval/50", "HumanEval/53", "HumanEval/151"];

#[test]
#[cfg_attr(not(has_shared), ignore = "../shared is absent")]
fn canonical_solutions_pass_their_own_tests_under_both_lenses() {
    let problems = human_eval();
    let answers: Vec<_> = problems
        .iter()
        .map(|(_, tests)| (tests.clone(), tests.reference.as_deref().unwrap().to_owned(), None))
        .collect();
    for engine in engines() {
        let found = judged(&*engine, &answers);
        for ((id, _), (judged, outcome)) in problems.iter().zip(&found) {
            let version = &engine.identity().version;
            if let Status::MissingModule { name } = &outcome.status {
                assert!(EMBEDDED_LACKS.contains(&name.as_str()) && !version.starts_with("CPython"), "{id}: {name}");
                continue;
            }
            assert_eq!(judged.reference, Some(true), "{id} on {version}: {}", outcome.message);
            let whole = NOT_SPLIT.contains(&id.as_str());
            let strict = if whole { Judgement::Undecided(Reason::TestsNotSplit) } else { Judgement::Pass };
            assert_eq!(judged.strict, strict, "{id} on {version}: {:?}", judged.failed);
        }
    }
}

/// Modules of the standard library that the embedded interpreter does not have and that these tests name.
const EMBEDDED_LACKS: [&str; 1] = ["hashlib"];

/// Stored and replayed verdicts of an archive over HumanEval: how many agree, how many there are.
fn replay(engine: &dyn Engine, records: &[Value], program: &str, verdict: &str) -> (usize, usize, usize) {
    let problems = human_eval();
    let mut answers = Vec::new();
    for record in records {
        let (_, tests) = problems.iter().find(|(id, _)| id == text(record, "task_id")).unwrap();
        let answer = text(record, program);
        let starts = answer.starts_with("def ") || answer.contains("\ndef ") && answer.contains(&*tests.entry_point);
        let assembly = if program == "solution" && starts { Assembly::Function } else { Assembly::Body };
        answers.push((tests.clone(), answer.to_owned(), Some(assembly)));
    }
    let found = judged(engine, &answers);
    let mut agree = 0;
    let mut unknown = 0;
    for (record, (judged, outcome)) in records.iter().zip(&found) {
        let stored = record.get(verdict) == Some(&Value::Bool(true));
        match judged.reference {
            None => unknown += 1,
            Some(passed) if passed == stored => agree += 1,
            Some(_) => eprintln!("differs: {} stored {stored}: {}", text(record, "task_id"), outcome.message),
        }
        if judged.reference == Some(true) {
            assert!(!matches!(judged.strict, Judgement::Fail(_)), "{}: {:?}", text(record, "task_id"), judged.failed);
        }
    }
    (agree, unknown, records.len())
}

const WIZARD: &str = "formats/human-eval/wizardcoder";

/// The one results file below a folder whose records hold a member.
fn results(folder: &str, member: &str) -> Vec<Vec<Value>> {
    fn walk(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.to_string_lossy().contains(".jsonl") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&shared(folder), &mut paths);
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let mut bytes = Vec::new();
        std::fs::File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
        let mut text = String::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        } else {
            text.push_str(&String::from_utf8_lossy(&bytes));
        }
        text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect::<Vec<Value>>()
    };
    let mut found: Vec<Vec<Value>> = paths.iter().map(read).collect();
    found.retain(|records| records.first().is_some_and(|first| first.get(member).is_some()));
    found.dedup();
    found
}

#[test]
#[cfg_attr(not(has_shared), ignore = "../shared is absent")]
fn stored_verdicts_of_greedy_programs_are_those_of_the_tests() {
    let files = results(WIZARD, "passed");
    let records: Vec<Value> = files.into_iter().find(|records| records.len() == 164).unwrap();
    assert_eq!(records.iter().filter(|record| record.get("passed") == Some(&Value::Bool(true))).count(), 98);
    for engine in engines() {
        let (agree, unknown, all) = replay(&*engine, &records, "completion", "passed");
        assert_eq!((agree + unknown, all), (164, 164), "{}", engine.identity().version);
        let lacking = if engine.identity().version.starts_with("CPython") { 0 } else { 2 };
        assert!(unknown <= lacking, "{unknown} programs cannot be judged on {}", engine.identity().version);
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "../shared is absent")]
fn stored_verdicts_of_debugged_programs_are_those_of_the_hidden_tests() {
    let files = results("formats/paper-jsonl/ldb", "is_solved");
    let records: Vec<Value> = files.into_iter().flatten().collect();
    assert_eq!(records.len(), 328);
    let Some(engine) = cpython(2) else { return };
    assert_eq!(replay(&*engine, &records, "solution", "is_solved"), (328, 0, 328));
}
