//! L0: is the archive what the study says it is?
//!
//! The expected matrix (experiment, configuration, run, problem) is compared with what was read, and the
//! counts stored with a run with a recount of its records. Files themselves were judged while they were
//! read; their digests are a matter of the bundle. Absent runs are told once per experiment.

use std::collections::{BTreeMap, BTreeSet};

use super::ladder::{Level, LevelSummary};
use super::records;
use super::rows::{RunState, RunVerdict};
use super::unchecked::Unchecked;
use crate::archive::{Archive, Run, RunKey, State};
use crate::corpus::{Corpus, Set};
use crate::id::ConfigKey;
use crate::report::{Finding, Findings, Place, nearest};
use crate::study::{Experiment, Study};

/// How many ids a message names before it counts.
const NAMED: usize = 5;
/// How many ids are named where each is needed to mend the archive.
const ALL_NAMED: usize = 200;

/// Configurations an experiment is declared for: its own list, else the leaderboard.
pub fn expected_configurations<'s>(experiment: &'s Experiment, study: &'s Study) -> Vec<&'s ConfigKey> {
    study.expected(experiment)
}

/// Compares declared and read.
pub fn integrity(study: &Study, corpus: &Corpus, archive: &Archive) -> (LevelSummary, Vec<RunVerdict>, Findings) {
    let mut summary = LevelSummary::new(Level::L0);
    let mut findings = Findings::default();
    let mut verdicts = Vec::new();
    for experiment in &study.experiments {
        let set = corpus.set(experiment.set.as_str());
        let mut absent: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let mut expected = 0;
        for configuration in expected_configurations(experiment, study) {
            // Samples differ in number; only the first of each problem is owed.
            let found = archive.runs_of(experiment.id.as_str(), configuration.as_str()).map(|run| run.key.run).max();
            let owed = if experiment.samples { found.unwrap_or(1) } else { experiment.runs };
            for number in 1..=owed {
                expected += 1;
                let key =
                    RunKey { experiment: experiment.id.clone(), configuration: configuration.clone(), run: number };
                let verdict = if let Some(run) = archive.run(&key) {
                    let whole = !experiment.samples || number == 1;
                    one(run, study, corpus, Owed { set, whole }, &mut findings)
                } else {
                    absent.entry(configuration.as_str()).or_default().push(number);
                    blank(key, RunState::Absent)
                };
                count(&mut summary, &verdict);
                verdicts.push(verdict);
            }
        }
        let stray = strays(experiment, study, archive);
        findings.extend(tell_absent(experiment, expected, &absent, &stray));
    }
    verdicts.sort_by(|a, b| a.run.cmp(&b.run));
    summary.remark = undeclared(study, archive);
    (summary, verdicts, findings)
}

/// What there is beside the declared runs. It enters no aggregate, and whoever reads the summary is told.
fn undeclared(study: &Study, archive: &Archive) -> Option<String> {
    let known = |key: &ConfigKey| study.configurations.iter().any(|configuration| configuration.key == *key);
    let unknown: Vec<&Run> = archive.runs.iter().filter(|run| !known(&run.key.configuration)).collect();
    let keys: BTreeSet<&str> = unknown.iter().map(|run| run.key.configuration.as_str()).collect();
    (!unknown.is_empty()).then(|| {
        let named = keys.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = if keys.len() > NAMED { ", ..." } else { "" };
        format!("{} runs of configurations that are not declared enter no aggregate: {named}{more}", unknown.len())
    })
}

fn count(summary: &mut LevelSummary, verdict: &RunVerdict) {
    match verdict.state {
        RunState::Complete => summary.count(true),
        RunState::Differs => summary.count(false),
        RunState::NoSet => summary.skip(Unchecked::NoSet, 1),
        RunState::Absent => summary.skip(Unchecked::NoRun, 1),
    }
}

fn blank(run: RunKey, state: RunState) -> RunVerdict {
    RunVerdict { run, state, records: 0, missing: 0, unknown: 0, undecided: 0, metrics: Vec::new() }
}

/// One finding for all absent runs of an experiment.
fn tell_absent(
    experiment: &Experiment,
    expected: usize,
    absent: &BTreeMap<&str, Vec<u32>>,
    strays: &[&str],
) -> Option<Finding> {
    let missing: usize = absent.values().map(Vec::len).sum();
    if missing == 0 {
        return None;
    }
    let folder = experiment.files.first().map_or(&experiment.folder, |file| &file.path);
    let place = Place::file(folder).with_subject(experiment.id.as_str());
    if missing == expected {
        let code = if experiment.optional { "optional-absent" } else { "missing-run" };
        return Some(Finding::new(code, place, format!("none of the {expected} expected runs is archived")));
    }
    let named: Vec<_> = absent.iter().take(NAMED).map(|(key, runs)| format!("{key} run {}", list(runs))).collect();
    let more = if absent.len() > NAMED { ", ..." } else { "" };
    let meant = meant(absent, strays);
    let message = format!("{missing} of {expected} expected runs are absent: {}{more}{meant}", named.join(", "));
    Some(Finding::new("missing-run", place, message))
}

/// Names of the files that were read as runs of an experiment and that nothing declares.
fn strays<'a>(experiment: &Experiment, study: &Study, archive: &'a Archive) -> Vec<&'a str> {
    let expected = expected_configurations(experiment, study);
    let declared = |key: &RunKey| expected.contains(&&key.configuration) && (1..=experiment.runs).contains(&key.run);
    let of = archive.runs.iter().filter(|run| run.key.experiment == experiment.id && !declared(&run.key));
    of.filter_map(|run| run.path.rsplit('/').next()).collect()
}

/// A file that is there under nearly the name of one that is not.
fn meant(absent: &BTreeMap<&str, Vec<u32>>, strays: &[&str]) -> String {
    let wanted: Vec<String> =
        absent.iter().flat_map(|(key, runs)| runs.iter().map(move |run| format!("{key}.run{run}.json"))).collect();
    let mut said = Vec::new();
    for &stray in strays {
        if let Some(near) = nearest(stray, wanted.iter().map(String::as_str)).filter(|_| said.len() < NAMED) {
            said.push(format!("; {stray} is not declared: did you mean {near}?"));
        }
    }
    said.concat()
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// What a run owes.
#[derive(Clone, Copy)]
struct Owed<'a> {
    /// The set its experiment asks, when it is archived.
    set: Option<&'a Set>,
    /// Whether it owes a record for every problem.
    whole: bool,
}

/// Checks one run that was read.
fn one(
    run: &Run,
    study: &Study,
    corpus: &Corpus,
    Owed { set, whole }: Owed<'_>,
    findings: &mut Findings,
) -> RunVerdict {
    findings.extend(records::told(run));
    let mut verdict = blank(run.key.clone(), RunState::NoSet);
    verdict.records = run.records.len();
    verdict.undecided = run.records.iter().filter(|r| r.passed.is_none() && r.state() != State::Excluded).count();
    verdict.metrics = recount(run);
    verdict.metrics.extend(tolerance(run, study));
    for difference in &verdict.metrics {
        findings.push(Finding::new("metrics-differ", Place::file(&run.path), difference));
    }
    let Some(set) = set else {
        return verdict;
    };
    let recorded: BTreeSet<&str> = run.records.iter().map(|record| record.id.as_str()).collect();
    let absent = |id: &&str| whole && !recorded.contains(id);
    let missing: Vec<&str> = set.problems.iter().map(|p| p.id.as_str()).filter(absent).collect();
    let unknown: Vec<&str> = recorded.iter().copied().filter(|id| set.get(id).is_none()).collect();
    if !missing.is_empty() {
        let message =
            format!("{} of {} problems have no record: {}", missing.len(), set.problems.len(), names(&missing));
        // One file may hold the runs of many configurations.
        let place = Place::file(&run.path).with_subject(run.key.configuration.as_str());
        findings.push(Finding::new("missing-records", place, message));
    }
    findings.extend(tell_unknown(run, corpus, set, (&unknown, &missing)));
    if verdict.undecided > 0 {
        let message = format!("{} records have no verdict; they count as failed", verdict.undecided);
        findings.push(Finding::new("missing-verdict", Place::file(&run.path), message));
    }
    (verdict.missing, verdict.unknown) = (missing.len(), unknown.len());
    let sound = missing.is_empty() && unknown.is_empty() && verdict.undecided == 0 && verdict.metrics.is_empty();
    verdict.state = if sound { RunState::Complete } else { RunState::Differs };
    verdict
}

/// Ids that the set of an experiment does not hold: those of another set by that set, the others together, each with
/// the missing id that was probably meant.
fn tell_unknown(run: &Run, corpus: &Corpus, set: &Set, (unknown, missing): (&[&str], &[&str])) -> Vec<Finding> {
    let mut by_set: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
    for &id in unknown {
        let other = corpus.sets.iter().find(|other| other.id != set.id && other.get(id).is_some());
        by_set.entry(other.map(|other| other.id.as_str())).or_default().push(id);
    }
    let tell = |(other, ids): (Option<&str>, Vec<&str>)| {
        let (code, what) = match other {
            Some(other) => ("foreign-id", format!("problems of the set {other:?} and not of {:?}", set.id.as_str())),
            None => ("unknown-id", format!("problems that {} does not hold", set.id)),
        };
        let shown = ids.iter().take(ALL_NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = if ids.len() > ALL_NAMED { ", ..." } else { "" };
        let slip = |id: &&str| {
            nearest(id, missing.iter().copied()).map(|near| format!("; {id} is not known: did you mean {near}?"))
        };
        let meant: String = match other {
            Some(_) => String::new(),
            None => ids.iter().filter_map(slip).take(NAMED).collect(),
        };
        let message = format!("{} records name {what}; they enter no rate: {shown}{more}{meant}", ids.len());
        Finding::new(code, Place::file(&run.path), message)
    };
    by_set.into_iter().map(tell).collect()
}

/// A run that was graded at another tolerance than the study's.
fn tolerance(run: &Run, study: &Study) -> Option<String> {
    let stored = run.declared.tolerance.filter(|stored| *stored != study.grading.tolerance)?;
    let [stored, wanted] = [stored, study.grading.tolerance].map(crate::number::repr);
    Some(format!("tolerance is stored as {stored}, the study grades at {wanted}"))
}

fn names(ids: &[&str]) -> String {
    let shown = ids.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if ids.len() > NAMED { format!("{shown}, ...") } else { shown }
}

/// Stored counts that differ from a recount, in words.
///
/// A record whose infrastructure error counts as a failure may be stored under either heading, so errors
/// and failures are allowed to trade these records.
fn recount(run: &Run) -> Vec<String> {
    let states: Vec<State> = run.records.iter().map(crate::archive::Record::state).collect();
    let of = |wanted: State| states.iter().filter(|state| **state == wanted).count() as u64;
    let (passed, failed, excluded) = (of(State::Pass), of(State::Fail), of(State::Excluded));
    let either_way = run.records.iter().filter(|r| r.error_as_fail && r.state() == State::Fail).count() as u64;
    let declared = &run.declared;
    let mut differences = Vec::new();
    let mut compare = |name: &str, stored: Option<u64>, found: u64, slack: std::ops::RangeInclusive<u64>| {
        if let Some(stored) = stored.filter(|stored| !slack.contains(stored)) {
            differences.push(format!("{name} is stored as {stored}, a recount gives {found}"));
        }
    };
    let total = run.records.len() as u64;
    compare("total", declared.total, total, total..=total);
    compare("passed", declared.passed, passed, passed..=passed);
    compare("failed", declared.failed, failed, failed - either_way..=failed);
    compare("errors", declared.errors, excluded, excluded..=excluded + either_way);
    if let Some(stored) = declared.accuracy {
        let rate = |graded: u64| if graded == 0 { 0.0 } else { passed as f64 / graded as f64 };
        // Runners round to four decimals or not at all.
        let near = |rate: f64| (rate - stored).abs() <= 0.5e-4 + 1e-9;
        if ![passed + failed, passed + failed - either_way, total].into_iter().any(|graded| near(rate(graded))) {
            let stored = crate::number::repr(stored);
            let found = crate::number::beside(rate(passed + failed), &stored);
            differences.push(format!("accuracy is stored as {stored}, a recount gives {found}"));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Declared, Record};
    use crate::digest::Digest;

    fn record(id: &str, passed: Option<bool>, error: Option<&str>, as_fail: bool) -> Record {
        Record { passed, error: error.map(Into::into), error_as_fail: as_fail, ..Record::blank(id.into()) }
    }

    fn run(records: Vec<Record>, declared: Declared) -> Run {
        let key = RunKey { experiment: "e".into(), configuration: "c".into(), run: 1 };
        Run { key, path: "e/c.run1.json".into(), digest: Digest::of(b""), bytes: 0, declared, records }
    }

    fn declared(total: u64, passed: u64, failed: u64, errors: u64, accuracy: f64) -> Declared {
        let some = |value| Some(value);
        Declared {
            total: some(total),
            passed: some(passed),
            failed: some(failed),
            errors: some(errors),
            accuracy: Some(accuracy),
            ..Declared::default()
        }
    }

    fn records() -> Vec<Record> {
        vec![
            record("a", Some(true), None, false),
            record("b", Some(false), None, false),
            record("c", None, Some("http 500"), false),
        ]
    }

    #[test]
    fn a_recount_finds_every_stale_number() {
        assert!(recount(&run(records(), declared(3, 1, 1, 1, 0.5))).is_empty());
        assert!(recount(&run(records(), Declared::default())).is_empty());
        let stale = recount(&run(records(), declared(4, 2, 2, 0, 0.9)));
        assert_eq!(stale.len(), 5, "{stale:?}");
        assert_eq!(stale[0], "total is stored as 4, a recount gives 3");
    }

    #[test]
    fn an_error_that_counts_as_failure_may_stand_under_either_heading() {
        let mut records = records();
        records[2] = record("c", Some(false), Some("http 500"), true);
        assert!(recount(&run(records.clone(), declared(3, 1, 2, 0, 1.0 / 3.0))).is_empty());
        assert!(recount(&run(records.clone(), declared(3, 1, 1, 1, 0.5))).is_empty());
        assert_eq!(recount(&run(records, declared(3, 1, 0, 2, 1.0))).len(), 3);
    }

    #[test]
    fn a_run_without_its_set_is_counted_as_such_and_records_without_verdict_are_told() {
        let mut findings = Findings::default();
        let run = run(vec![record("a", None, None, false)], Declared::default());
        let study: Study = toml::from_str(
            "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
             authors=[{family='B'}]\n[grading]\ntolerance=0.05\n",
        )
        .unwrap();
        let verdict = one(&run, &study, &Corpus::default(), Owed { set: None, whole: true }, &mut findings);
        assert_eq!((verdict.state, verdict.undecided), (RunState::NoSet, 1));
    }
}
