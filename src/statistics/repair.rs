//! What repeated attempts bring: accuracy by repair budget, first attempts that run, and the rest.

use super::moments::mean;
use super::tally::{Board, RunTally, Tally};
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::archive::{AttemptOutcome, Gradability, Record, State};
use crate::table::{Cell, Kind, Table};

/// The statistic `repair-budget`.
pub(super) struct Repair;

const ID: &str = "repair-budget";

static ABOUT: About = About {
    id: ID,
    also: &["repair-share", "first-attempt-executable", "unrecoverable"],
    title: "Repair attempts",
    unit: "percent",
    meaning: "How accuracy grows when an answer that could not be run is fed back with its error. A wrong answer that \
              runs is final, so the accuracy at k attempts is exact and needs no resampling.",
    formula: "acc(k) = mean over runs of 100 × #(passed with at most k attempts) / #(graded); share = mean over runs \
              of #(passed with more than one attempt) / #passed; executable = mean over runs of 100 × #(first attempt \
              graded) / #records; unrecoverable = mean over runs of #(failed without a gradable answer).",
    source: "Rules of the study for its repair table and its prompt comparison.",
    edge_cases: "Undefined when numbers of attempts or outcomes are not archived; an unknown number of attempts is \
                 not 1, but a stored 0 counts as 1.",
    example: "Of 4 records 2 pass at once, 1 passes at the third attempt, 1 fails: acc(1) = 50, acc(2) = 50, acc(3) = \
              75; share = 33.3.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where the experiment has one" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "budget", meaning: "attempts allowed, 1 to 5" },
    ],
    measures: &[
        ("accuracy", "accuracy at a budget"),
        ("share", "passes that needed repair"),
        ("executable", "records whose first attempt was graded"),
        ("unrecoverable", "records without any gradable answer, per run"),
        ("unrecoverable-any", "problems unrecoverable in at least one run"),
    ],
};

/// Largest number of content attempts.
const BUDGETS: u32 = 5;

impl Statistic for Repair {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let main = evidence.main_experiment().map(|experiment| &experiment.id);
        for board in evidence.boards().filter(|board| board.experiment.choice.is_none()) {
            let budgets: Vec<_> = board.tallies.iter().map(|tally| budgets(tally)).collect();
            for (tally, budgets) in board.tallies.iter().zip(&budgets) {
                add_budget_facts(&mut output, &board, tally, budgets);
                add_outcome_facts(&mut output, &board, tally);
            }
            if Some(&board.experiment.id) == main && budgets.iter().any(Result::is_ok) {
                output.tables.push(table(&board, &budgets));
            }
        }
        output
    }
}

/// Accuracy at each budget and the share of passes that needed repair, in percent.
struct Budgets {
    accuracy: Vec<f64>,
    share: Option<f64>,
}

fn budgets(tally: &Tally<'_>) -> Result<Budgets, String> {
    tally.complete()?;
    let records = || tally.runs.iter().flat_map(|run| run.records.iter().flatten());
    if records().any(|record| record.num_attempts.is_none()) {
        return Err("the number of attempts is not archived".to_owned());
    }
    let over_runs = |value: &dyn Fn(&RunTally<'_>) -> Option<f64>| {
        let values: Vec<f64> = tally.runs.iter().filter_map(value).collect();
        mean(&values)
    };
    let at = |budget: u32| {
        over_runs(&|run| {
            let within = |record: &&&Record| attempts(record) <= budget;
            let passed = passes(run).filter(|record| within(record)).count();
            let graded = run.counts().graded();
            (graded > 0).then(|| 100.0 * passed as f64 / graded as f64)
        })
        .ok_or("nothing was graded")
    };
    let accuracy = (1..=BUDGETS).map(at).collect::<Result<_, _>>()?;
    let share = over_runs(&|run| {
        let repaired = passes(run).filter(|record| attempts(record) > 1).count();
        let passed = passes(run).count();
        (passed > 0).then(|| 100.0 * repaired as f64 / passed as f64)
    });
    Ok(Budgets { accuracy, share })
}

fn passes<'a>(run: &'a RunTally<'a>) -> impl Iterator<Item = &'a &'a Record> {
    run.records.iter().flatten().filter(|record| record.state() == State::Pass)
}

fn attempts(record: &Record) -> u32 {
    record.num_attempts.unwrap_or(1).max(1)
}

fn add_budget_facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, budgets: &Result<Budgets, String>) {
    let mut keys = board.keys_of(tally);
    let numbers: Vec<String> = (1..=BUDGETS).map(|budget| budget.to_string()).collect();
    for (at, budget) in numbers.iter().enumerate() {
        keys.push(("budget", budget));
        let estimate = match budgets {
            Ok(budgets) => Estimate::value(budgets.accuracy[at]),
            Err(reason) => Estimate::undefined(reason),
        };
        output.fact(ID, "accuracy", &keys, estimate, Basis::Records);
        keys.pop();
    }
    let share = match budgets {
        Ok(Budgets { share: Some(share), .. }) => Estimate::value(*share),
        Ok(_) => Estimate::undefined("nothing passed"),
        Err(reason) => Estimate::undefined(reason),
    };
    output.fact(ID, "share", &keys, share, Basis::Records);
}

fn add_outcome_facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>) {
    let keys = board.keys_of(tally);
    let (executable, unrecoverable, any) = match outcomes(tally) {
        Ok((executable, unrecoverable, any)) => {
            (Estimate::value(executable), Estimate::value(unrecoverable), Estimate::count(any))
        }
        Err(reason) => {
            let undefined = || Estimate::undefined(reason.as_str());
            (undefined(), undefined(), undefined())
        }
    };
    output.fact(ID, "executable", &keys, executable, Basis::Records);
    output.fact(ID, "unrecoverable", &keys, unrecoverable, Basis::Records);
    output.fact(ID, "unrecoverable-any", &keys, any, Basis::Records);
}

/// First attempts graded (percent), unrecoverable records (mean over runs), unrecoverable problems.
fn outcomes(tally: &Tally<'_>) -> Result<(f64, f64, usize), String> {
    tally.complete()?;
    let mut executable = Vec::new();
    let mut unrecoverable = Vec::new();
    let mut ever = std::collections::BTreeSet::new();
    for run in &tally.runs {
        let mut first = 0_usize;
        let mut lost = 0_usize;
        for record in run.records.iter().flatten() {
            let outcomes = record.attempts.as_ref().ok_or("the outcomes of attempts are not archived")?;
            first += usize::from(outcomes.first().is_some_and(|attempt| attempt.outcome == AttemptOutcome::Graded));
            if record.state() == State::Fail && record.gradability() == Gradability::Ungradable {
                lost += 1;
                ever.insert(record.id.as_str());
            }
        }
        executable.push(100.0 * first as f64 / run.records.len() as f64);
        unrecoverable.push(lost as f64);
    }
    Ok((mean(&executable).ok_or("no run")?, mean(&unrecoverable).ok_or("no run")?, ever.len()))
}

/// The published layout: complete configurations by what repair brings them, largest first.
fn table(board: &Board<'_>, budgets: &[Result<Budgets, String>]) -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("setting", Kind::Text, ""),
        ("acc_k1", Kind::Real, "percent"),
        ("acc_k2", Kind::Real, "percent"),
        ("acc_k3", Kind::Real, "percent"),
        ("acc_k4", Kind::Real, "percent"),
        ("acc_k5", Kind::Real, "percent"),
        ("repair_share_of_passes_pct", Kind::Real, "percent"),
    ];
    let mut table = Table::new("repair_budget", "Accuracy by number of attempts allowed", &[ID], &columns);
    let mut rows: Vec<(&Tally<'_>, &Budgets)> = board
        .tallies
        .iter()
        .zip(budgets)
        .filter(|(tally, _)| tally.on_leaderboard())
        .filter_map(|(tally, budgets)| Some((tally, budgets.as_ref().ok()?)))
        .collect();
    let gain = |budgets: &Budgets| budgets.accuracy[BUDGETS as usize - 1] - budgets.accuracy[0];
    rows.sort_by(|a, b| gain(b.1).total_cmp(&gain(a.1)).then_with(|| a.0.name().cmp(b.0.name())));
    for (tally, budgets) in rows {
        let setting = tally.configuration.map_or("", |configuration| configuration.setting());
        let mut row = vec![Cell::text(tally.name()), Cell::text(setting)];
        row.extend(budgets.accuracy.iter().map(|&accuracy| Cell::fixed(accuracy, 1)));
        row.push(budgets.share.map_or_else(|| Cell::Undefined("nothing passed".into()), |share| Cell::fixed(share, 1)));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn accuracy_grows_with_the_budget_and_unknown_attempts_are_not_one() {
        let problems = ["p1", "p2", "p3", "p4"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPF");
        for (record, attempts) in study.archive.runs[0].records.iter_mut().zip([1, 0, 3, 5]) {
            record.num_attempts = Some(attempts);
        }
        let output = Repair.compute(&study.evidence());
        let value = |measure: &str, budget: Option<&str>| {
            let found = output
                .facts
                .iter()
                .find(|fact| fact.measure == measure && fact.keys.get("budget").map(String::as_str) == budget);
            found.and_then(|fact| fact.estimate.point())
        };
        assert_eq!(value("accuracy", Some("1")), Some(50.0));
        assert_eq!(value("accuracy", Some("2")), Some(50.0));
        assert_eq!(value("accuracy", Some("3")), Some(75.0));
        assert!((value("share", None).unwrap() - 100.0 / 3.0).abs() < 1e-12);
        study.archive.runs[0].records[0].num_attempts = None;
        let output = Repair.compute(&study.evidence());
        assert!(output.facts.iter().filter(|fact| fact.measure == "accuracy").all(|f| f.estimate.point().is_none()));
    }
}
