//! Two executions under another hash seed, directory and clock.

use repro::engine::{self, Engine, EngineChoice, EngineOptions, Limits, Program, Twice};
use repro::world::Silent;

use super::{embedded, options, python};

const HASH: &str = "def solve():\n    return {'1': hash('a' * 9)}\n";
const CLOCK: &str = "import time\ndef solve():\n    return {'1': time.time()}\n";
const RANDOM: &str = "import random\ndef solve():\n    return {'1': random.random()}\n";
const ORDER: &str = "def solve():\n    return {'1': ''.join({'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'})}\n";
const ADDRESS: &str = "def solve():\n    return {'1': str(object())}\n";
const STEADY: &str =
    "import random\nrandom.seed(7)\ndef solve():\n    return {'1': random.gauss(0, 1), '2': sorted({'b', 'a'})}\n";
const RAISES: &str = "def solve():\n    raise ValueError(str(object()))\n";

fn names(choice: &EngineChoice, first: Box<dyn Engine>) -> Vec<&'static str> {
    let second = EngineOptions { hash_seed: 12_345, preflight: false, ..options(1) };
    let twice = Twice::new(first, engine::open(choice, &second).unwrap());
    let programs = [HASH, CLOCK, RANDOM, ORDER, STEADY, RAISES].map(Program::new);
    let outcomes = twice.run(&programs, &Limits::default(), &Silent).unwrap();
    outcomes.iter().map(|outcome| outcome.status.name()).collect()
}

const EXPECTED: [&str; 6] =
    ["nondeterministic", "nondeterministic", "nondeterministic", "nondeterministic", "ok", "error"];
/// Sets of the embedded interpreter keep the order in which they were filled, under any seed.
const EXPECTED_EMBEDDED: [&str; 6] = ["nondeterministic", "nondeterministic", "nondeterministic", "ok", "ok", "error"];

#[test]
fn what_depends_on_seed_clock_or_chance_is_no_verdict_embedded() {
    assert_eq!(names(&EngineChoice::Embedded, embedded(1)), EXPECTED_EMBEDDED);
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn what_depends_on_seed_clock_or_chance_is_no_verdict_cpython() {
    let python = python().unwrap();
    let choice = EngineChoice::CPython(python);
    let first = engine::open(&choice, &options(1)).unwrap();
    assert_eq!(names(&choice, first), EXPECTED);
}

#[test]
fn one_engine_repeats_itself() {
    let programs = vec![Program::new(HASH), Program::new(ORDER), Program::new(ADDRESS), Program::new(STEADY)];
    let engine = embedded(1);
    let first = engine.run(&programs, &Limits::default(), &Silent).unwrap();
    let other = embedded(2);
    let second = other.run(&programs, &Limits::default(), &Silent).unwrap();
    assert_eq!(format!("{:?}", first[0].returned), format!("{:?}", second[0].returned));
    assert_eq!(format!("{:?}", first[1].returned), format!("{:?}", second[1].returned));
    assert_eq!(format!("{:?}", first[3].returned), format!("{:?}", second[3].returned));
}
