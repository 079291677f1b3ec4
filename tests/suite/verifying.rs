//! Verification of the real archive, level by level.

use repro::archive::Archive;
use repro::corpus::Corpus;
use repro::packs::recognise;
use repro::study::Study;
use repro::verify::{self, Level, Unchecked};
use repro::world::{Silent, disk::Folder};

use crate::shared::shared;

/// Study, corpus and archive of the shared data.
pub(crate) fn real() -> (Study, Corpus, Archive) {
    let source = Folder::new(&shared("atmoscoder")).unwrap();
    let study = recognise(&source).unwrap().study;
    let (corpus, _) = repro::corpus::read(&source, &study);
    let (archive, _, _) = repro::archive::read(&source, &study, &Silent, &|_, _, _| ()).unwrap();
    (study, corpus, archive)
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_expected_runs_of_the_real_archive_are_told() {
    let (study, corpus, archive) = real();
    let (summary, verdicts, _) = verify::integrity(&study, &corpus, &archive);
    assert_eq!(summary.level, Level::L0);
    assert_eq!((summary.agreed, summary.disagreed), (81, 0));
    assert_eq!(verdicts.len(), summary.total);
    assert_eq!(summary.total, summary.checked + summary.not_checkable.values().sum::<usize>());
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_stored_answers_of_the_real_archive_grade_alike() {
    let (study, _, archive) = real();
    let (summary, regraded, _) = verify::regrade(&study, &archive, repro::packs::graders());
    assert_eq!((summary.checked, summary.disagreed), (452, 0), "{:?}", regraded.differing);
    assert_eq!(summary.not_checkable[&Unchecked::VerdictOnly], 24_529);
    assert_eq!(summary.not_checkable[&Unchecked::Option], 3 * 670);
    assert_eq!(summary.not_checkable[&Unchecked::Borrowed], 75);
}

/// Both engines where a CPython is at hand.
fn engines() -> Vec<Box<dyn repro::engine::Engine>> {
    let mut engines = vec![crate::sandbox::embedded(2)];
    engines.extend(crate::sandbox::cpython(2));
    engines
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_stored_solver_reproduces_its_answer() {
    let (study, corpus, _) = real();
    let engines = engines();
    let engines: Vec<&dyn repro::engine::Engine> = engines.iter().map(|engine| &**engine).collect();
    let (summary, executed, _) = verify::reference(&study, &corpus, repro::packs::means(&engines), &Silent).unwrap();
    assert_eq!((summary.total, summary.agreed, summary.disagreed), (2769, 2769, 0));
    let passing: Vec<_> = executed.solvers.iter().filter(|s| s.accepted == Some(true)).map(|s| s.id.as_str()).collect();
    assert_eq!(passing, ["trap_air121_moist_adiabat", "trap_air_119_gen", "trap_air_120_gen"]);
    assert_eq!(executed.solvers.iter().filter(|s| s.set.as_str() == "core").map(|s| s.by_position).sum::<usize>(), 11);
    assert_eq!(executed.solvers.iter().map(|s| s.by_unit).sum::<usize>(), 0);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_archived_transcripts_replay_as_recorded() {
    let (study, corpus, archive) = real();
    let engines = engines();
    let engines: Vec<&dyn repro::engine::Engine> = engines.iter().map(|engine| &**engine).collect();
    let (summary, replayed, _) =
        verify::replay(&study, &corpus, &archive, repro::packs::means(&engines), &Silent).unwrap();
    assert_eq!((summary.total, summary.disagreed), (457, 0));
    assert_eq!((replayed.records.len(), replayed.records.iter().filter(|record| record.agrees).count()), (328, 327));
}

/// Every attempt against an independent CPython replay of the same texts: outcome, verdict, values.
#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_attempt_ends_as_in_an_independent_replay() {
    let (study, corpus, archive) = real();
    let oracle = crate::shared::lines("atmoscoder/reference/evidence-replay.jsonl");
    let engine = crate::sandbox::embedded(2);
    let (_, replayed, _) =
        verify::replay(&study, &corpus, &archive, repro::packs::means(&[&*engine]), &Silent).unwrap();
    assert_eq!((replayed.attempts.len(), oracle.len()), (457, 457));
    for line in &oracle {
        let text = |name: &str| line.get(name).and_then(|v| v.as_text()).unwrap_or("").to_owned();
        let number = |name: &str| line.get(name).and_then(repro::json::Value::as_f64).unwrap_or(-1.0);
        let file = format!("evidence/{}.json", text("source"));
        let found = replayed.attempts.iter().find(|attempt| {
            attempt.file == file
                && attempt.run.experiment.as_str() == text("exp_id")
                && attempt.run.configuration.as_str() == text("model")
                && f64::from(attempt.run.run) == number("run")
                && attempt.id.as_str() == text("id")
                && attempt.attempt as f64 == number("attempt")
        });
        let found = found.unwrap_or_else(|| panic!("no verdict for {line:?}"));
        let ok = line.get("ok").and_then(repro::json::Value::as_bool).unwrap();
        assert_eq!(found.found == repro::verify::Graded::Graded, ok, "{line:?} {found:?}");
        assert_eq!(found.passed, line.get("passed").and_then(repro::json::Value::as_bool), "{line:?}");
    }
}
