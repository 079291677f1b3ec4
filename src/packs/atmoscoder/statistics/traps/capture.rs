//! Failed traps that return exactly what the planted shortcut returns.

use super::setup::{Fate, Traps};
use crate::archive::{Actual, Gradability};
use crate::grade::python;
use crate::packs::atmoscoder::options::Options;
use crate::statistics::names::file_order;
use crate::statistics::tally::{RunTally, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `trap-capture`.
pub(crate) struct TrapCapture;

static ABOUT: About = About {
    id: "trap-capture",
    also: &[],
    title: "Shortcut capture",
    unit: "count",
    meaning: "Failures that are demonstrably the planted mistake: the returned values are those of the shortcut, all of \
              them and in order. Several configurations captured by one trap converge on the same mistake.",
    formula: "A failed run is captured when it returned as many values as the shortcut has, and for every pair |a - e| ≤ t × \
              |e|, or |a| < 1e-9 where e = 0 (t = the study's capture tolerance, 2 %). Per trap: captured runs of all \
              graded runs, and configurations captured at least once.",
    source: "Rule trap-capture of the study.",
    edge_cases: "A passing run is never captured, also where the grader accepts the shortcut's own values. A missing or \
                 textual value rules capture out. Where values were put in for published states the basis is `states`; \
                 where failures are archived as bare verdicts it is undefined. scalar-runs needs the values of every run.",
    example: "Shortcut (0, 10, 10): returned (0, 10.1, 9.9) is captured, (0, 10, 12) and (0, 10) are not.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "trap", meaning: "trap name" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "sub", meaning: "sub-answer, for values" },
    ],
    measures: &[
        ("captured", "captured runs: of the graded runs of a trap, of the failures of a model, of all failures"),
        ("configurations", "configurations captured at least once, of all"),
        ("failures", "failed runs, of the graded ones; also by trap and by model"),
        ("traps", "traps with a captured run, of all"),
        ("scalar-runs", "runs in which some value is the first value of the shortcut, of all"),
        ("shortcut-value", "value of the shortcut"),
        ("reference-value", "first accepted value"),
    ],
};

impl Statistic for TrapCapture {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let set = ("set", traps.set.id.as_str());
            values(&mut out, &traps, set);
            let fates = Fates::new(&traps, evidence.study.grading.capture);
            match traps.capture_basis() {
                Ok(basis) => {
                    facts(&mut out, &fates, set, basis);
                    let marked = Options::of(evidence.study).frontier;
                    let frontier = |key: &str| marked.iter().any(|own| own.as_str() == key);
                    out.tables.push(capture_table(&fates, frontier));
                    out.tables.push(state_table(&fates));
                }
                Err(reason) => {
                    let undefined = Estimate::undefined(reason);
                    out.on(ABOUT.id, Basis::Records, &[set]).put("captured", undefined.clone()).put("traps", undefined);
                }
            }
        }
        out
    }
}

/// Fates of every trap in every run of the complete configurations.
struct Fates<'t, 'a> {
    traps: &'t Traps<'a>,
    tallies: Vec<&'t Tally<'a>>,
    tolerance: f64,
}

impl<'t, 'a> Fates<'t, 'a> {
    fn new(traps: &'t Traps<'a>, tolerance: f64) -> Self {
        Self { traps, tallies: traps.complete().collect(), tolerance }
    }

    fn one(&self, run: &RunTally<'_>, at: usize) -> Option<Fate> {
        self.traps.fate(at, run.records[at]?, self.tolerance)
    }

    /// Captured, failed and graded runs of some configurations on some traps.
    fn count(&self, tallies: &[&Tally<'_>], positions: &[usize]) -> (usize, usize, usize) {
        let runs = tallies.iter().flat_map(|tally| &tally.runs);
        let fates = runs.flat_map(|run| positions.iter().filter_map(|&at| self.one(run, at)));
        fates.fold((0, 0, 0), |(captured, failed, graded), fate| {
            (captured + usize::from(fate == Fate::Captured), failed + usize::from(fate != Fate::Pass), graded + 1)
        })
    }

    /// Configurations captured at least once by a trap.
    fn captured_by(&self, at: usize) -> Vec<&'t Tally<'a>> {
        let captured = |tally: &&&Tally<'_>| tally.runs.iter().any(|run| self.one(run, at) == Some(Fate::Captured));
        self.tallies.iter().filter(captured).copied().collect()
    }
}

fn facts(out: &mut Output, fates: &Fates<'_, '_>, set: (&str, &str), basis: Basis) {
    let all = fates.traps.board.all();
    let mut with = 0;
    for &at in &all {
        let keys = [set, ("trap", fates.traps.name(at))];
        let (captured, failed, graded) = fates.count(&fates.tallies, &[at]);
        with += usize::from(captured > 0);
        out.on(ABOUT.id, basis, &keys)
            .put("captured", Estimate::out_of(captured, graded))
            .put("configurations", Estimate::out_of(fates.captured_by(at).len(), fates.tallies.len()))
            .put("scalar-runs", scalar_runs(fates, at));
        out.fact(ABOUT.id, "failures", &keys, Estimate::out_of(failed, graded), Basis::Records);
    }
    for tally in &fates.tallies {
        let keys = [set, ("model", tally.key)];
        let (captured, failed, graded) = fates.count(&[tally], &all);
        out.fact(ABOUT.id, "captured", &keys, Estimate::out_of(captured, failed), basis);
        out.fact(ABOUT.id, "failures", &keys, Estimate::out_of(failed, graded), Basis::Records);
    }
    let (captured, failed, graded) = fates.count(&fates.tallies, &all);
    out.fact(ABOUT.id, "captured", &[set], Estimate::out_of(captured, failed), basis);
    out.fact(ABOUT.id, "failures", &[set], Estimate::out_of(failed, graded), Basis::Records);
    out.fact(ABOUT.id, "traps", &[set], Estimate::out_of(with, all.len()), basis);
}

/// Runs that a test of one number instead of the whole vector would mark.
fn scalar_runs(fates: &Fates<'_, '_>, at: usize) -> Estimate {
    let Some(&(_, first)) = fates.traps.trap(at).and_then(|trap| trap.values.first()) else {
        return Estimate::undefined("the trap has no shortcut values");
    };
    let is_first = |actual: &Actual| match *actual {
        Actual::Number(value) if first == 0.0 => value.abs() < 1e-9,
        Actual::Number(value) => (value - first).abs() <= fates.tolerance * first.abs(),
        Actual::Missing | Actual::Text(_) => false,
    };
    let (mut marked, mut runs) = (0, 0);
    for record in fates.tallies.iter().flat_map(|tally| &tally.runs).filter_map(|run| run.records[at]) {
        let known = record.details.is_some() || record.gradability() == Gradability::Ungradable;
        if !known || record.details_from.is_some() {
            return Estimate::undefined("the values of some runs are not archived");
        }
        runs += 1;
        marked += usize::from(record.details.iter().flatten().any(|detail| is_first(&detail.actual)));
    }
    Estimate::out_of(marked, runs)
}

/// Values of the shortcut and of the reference, from the problem file.
fn values(out: &mut Output, traps: &Traps<'_>, set: (&str, &str)) {
    for at in traps.board.all() {
        let (Some(problem), Some(trap)) = (traps.set.get(traps.board.problems[at]), traps.trap(at)) else { continue };
        let name = ("trap", traps.name(at));
        for (sub, shortcut) in &trap.values {
            let keys = [set, name, ("sub", &**sub)];
            out.fact(ABOUT.id, "shortcut-value", &keys, Estimate::value(*shortcut), Basis::Records);
        }
        for sub in problem.subs() {
            let first = problem.answers.iter().find(|answer| *answer.sub == *sub);
            let value = first.and_then(|answer| python::float(&answer.value));
            let value = Estimate::or(value, "the accepted value is no number");
            out.fact(ABOUT.id, "reference-value", &[set, name, ("sub", sub)], value, Basis::Records);
        }
    }
}

/// Traps with a captured run: most captured first, then most configurations, then in file order.
fn capture_table(fates: &Fates<'_, '_>, frontier: impl Fn(&str) -> bool) -> Table {
    let columns = [
        ("trap", Kind::Text, ""),
        ("family", Kind::Text, ""),
        ("capture_runs", Kind::Integer, "runs"),
        ("total_runs", Kind::Integer, "runs"),
        ("capture_configs", Kind::Integer, "configurations"),
        ("total_configs", Kind::Integer, "configurations"),
        ("includes_frontier", Kind::Text, ""),
    ];
    let title = "Traps that captured at least one run";
    let mut table = Table::new("F6_1c_shortcut_capture", title, &["trap-capture"], &columns);
    let row = |at: usize| (at, fates.count(&fates.tallies, &[at]), fates.captured_by(at));
    let mut rows: Vec<_> = fates.traps.board.all().into_iter().map(row).filter(|(_, counts, _)| counts.0 > 0).collect();
    rows.sort_by(|a, b| (b.1.0, b.2.len()).cmp(&(a.1.0, a.2.len())).then(a.0.cmp(&b.0)));
    for (at, (captured, _, graded), models) in rows {
        table.push(vec![
            Cell::text(fates.traps.name(at)),
            Cell::text(fates.traps.family(at)),
            Cell::count(captured),
            Cell::count(graded),
            Cell::count(models.len()),
            Cell::count(fates.tallies.len()),
            Cell::text(if models.iter().any(|tally| frontier(tally.key)) { "yes" } else { "no" }),
        ]);
    }
    table
}

/// Every trap in every run: traps in file order, configurations as their run files sort.
fn state_table(fates: &Fates<'_, '_>) -> Table {
    let columns = [
        ("trap", Kind::Text, ""),
        ("family", Kind::Text, ""),
        ("model", Kind::Text, ""),
        ("run", Kind::Integer, ""),
        ("state", Kind::Text, ""),
    ];
    let mut table = Table::new("F18_trap_matrix", "Every trap in every run", &["trap-capture"], &columns);
    let mut tallies = fates.tallies.clone();
    tallies.sort_by(|a, b| file_order(a.key, b.key));
    for at in fates.traps.board.all() {
        for tally in &tallies {
            for run in &tally.runs {
                let state = match fates.one(run, at) {
                    Some(Fate::Pass) => "pass",
                    Some(Fate::Captured) => "captured",
                    Some(Fate::Fail) => "fail",
                    None => "excluded",
                };
                table.push(vec![
                    Cell::text(fates.traps.name(at)),
                    Cell::text(fates.traps.family(at)),
                    Cell::text(tally.key),
                    Cell::Integer(i64::from(run.run.key.run)),
                    Cell::text(state),
                ]);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn captures_by_trap_by_model_and_in_all() {
        let out = study().compute(&TrapCapture);
        let facts = Facts::new(out.facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("trap-capture", measure, keys).unwrap().estimate.clone();
        let set = ("set", "traps");
        assert_eq!(value("captured", &[set, ("trap", "a")]), Estimate::out_of(3, 6));
        assert_eq!(value("configurations", &[set, ("trap", "a")]), Estimate::out_of(1, 2));
        assert_eq!(value("captured", &[set, ("model", "m")]), Estimate::out_of(3, 6));
        assert_eq!(value("captured", &[set]), Estimate::out_of(3, 9));
        assert_eq!(value("scalar-runs", &[set, ("trap", "b")]), Estimate::out_of(2, 6));
        assert_eq!(value("shortcut-value", &[set, ("trap", "b"), ("sub", "2")]).point(), Some(0.0));
        let csv: Vec<String> = out.tables.iter().map(crate::table::to_csv).collect();
        assert_eq!(csv[0].lines().nth(1), Some("a,edge,3,6,1,2,no"));
        let states: Vec<&str> = csv[1].lines().collect();
        assert_eq!((states[1], states[4], states.len()), ("a,edge,m-r,1,pass", "a,edge,m,1,captured", 19));
    }

    #[test]
    fn values_that_were_put_in_lower_the_basis() {
        let mut study = study();
        let run = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "trap_code").unwrap();
        run.records[0].details_from = Some("shortcut_values".into());
        let facts = Facts::new(study.compute(&TrapCapture).facts);
        let fact = |measure: &str| facts.get("trap-capture", measure, &[("set", "traps"), ("trap", "a")]).unwrap();
        assert_eq!((fact("captured").basis, fact("failures").basis), (Basis::States, Basis::Records));
        assert!(fact("scalar-runs").estimate.point().is_none());
    }
}
