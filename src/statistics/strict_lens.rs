//! What the strict lens would change: accuracy cells that would print differently, ranks that would move.

use std::collections::{BTreeMap, BTreeSet};

use super::moments::mean;
use super::tally::{RunTally, Tally};
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::archive::{RunKey, State};
use crate::number;
use crate::report::{Finding, Place};
use crate::table::{Cell, Kind, Table};
use crate::verify::{LensVerdicts, Unchecked};

/// The statistic `strict-lens`.
pub(super) struct StrictLens;

const ID: &str = "strict-lens";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Accuracy under the strict lens",
    unit: "percent",
    meaning: "Whether a published accuracy or rank depends on the leniency of the study's grading rule: every \
              accuracy is computed again with the verdicts of the strict lens where these are decided.",
    formula: "strict = mean over runs of 100 × (passes - lost + gained) / graded; lost = records that pass under the \
              study's rule and fail under the strict lens, gained the reverse; least = the same when every pass that \
              the strict lens cannot decide fails too. A cell changes when reference and strict differ at one decimal, \
              as tables print it. Ranks are those of the main experiment, by mean accuracy.",
    source: "Both lenses are described on the page about grading; verdicts are those of level L3 and of replayed \
             answers.",
    edge_cases: "A record without archived values keeps its verdict under both lenses and is counted as open, so that a \
                 cell with open records is unchanged only as far as can be seen. Where less than half of the graded records \
                 can be decided, how much would change is undefined. Undefined where runs are missing.",
    example: "Of 100 records 90 pass; 3 of these only because an answer in pascal was accepted for hectopascal, and 1 \
              has no archived unit: reference 90.0, strict 87.0, least 86.0.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where the experiment has one" },
        KeyDoc { key: "model", meaning: "configuration key; absent for counts over all" },
    ],
    measures: &[
        ("reference", "accuracy under the study's rule, mean over runs"),
        ("strict", "accuracy under the strict lens, mean over runs"),
        ("least", "the same with undecided passes as failures"),
        ("lost", "records that would fail"),
        ("gained", "records that would pass"),
        ("undecided", "passes that the strict lens cannot decide"),
        ("open", "graded records without archived values"),
        ("judged", "graded records that the strict lens decides, out of all"),
        ("cells", "accuracy cells compared"),
        ("cells-changed", "cells that would print differently"),
        ("ranks", "configurations with a rank"),
        ("ranks-changed", "configurations whose rank would be another one"),
    ],
};

/// Most changes that a finding names; the table has all.
const NAMED: usize = 8;

/// Share of graded records that the strict lens must decide before it is said what would change.
const LEAST_JUDGED: f64 = 0.5;

impl Statistic for StrictLens {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn orders(&self) -> &'static [&'static str] {
        &["ranks-changed"]
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let changes = Changes::of(evidence);
        let main = evidence.main_experiment().map(|main| &main.id);
        let mut rows = Vec::new();
        for board in evidence.boards().filter(|board| board.experiment.choice.is_none()) {
            let mut seen = Vec::new();
            for tally in board.in_order() {
                let keys = board.keys_of(tally);
                match Seen::of(tally, &changes) {
                    Ok(found) => {
                        found.add_facts(&mut output, &keys);
                        seen.push((tally.key, tally.name(), tally.on_leaderboard(), found));
                    }
                    Err(missing) => {
                        output.fact(ID, "strict", &keys, Estimate::undefined(missing), Basis::Records);
                    }
                }
            }
            let ranked = main == Some(&board.experiment.id);
            let ranks = if ranked { ranks(&seen) } else { BTreeMap::new() };
            rows.extend(seen.into_iter().map(|(key, name, _, seen)| CellRow {
                experiment: board.experiment.id.as_str(),
                name,
                ranks: ranks.get(key).copied(),
                seen,
            }));
        }
        summarise(&mut output, &rows);
        output
    }
}

/// Records whose verdict the strict lens changes, and what it cannot decide, by run.
struct Changes<'a> {
    differing: BTreeMap<&'a RunKey, BTreeSet<&'a str>>,
    verdicts: BTreeMap<&'a RunKey, &'a LensVerdicts>,
}

impl<'a> Changes<'a> {
    fn of(evidence: &Evidence<'a>) -> Self {
        let mut differing: BTreeMap<&RunKey, BTreeSet<&str>> = BTreeMap::new();
        for row in evidence.ledger.lenses.iter().filter(|row| row.record_differs) {
            differing.entry(&row.run).or_default().insert(row.id.as_str());
        }
        let verdicts = evidence.ledger.verdicts.iter().map(|verdicts| (&verdicts.run, verdicts)).collect();
        Self { differing, verdicts }
    }
}

/// One configuration under both lenses.
struct Seen {
    reference: f64,
    strict: f64,
    least: f64,
    lost: usize,
    gained: usize,
    undecided: usize,
    open: usize,
    graded: usize,
}

impl Seen {
    fn of(tally: &Tally<'_>, changes: &Changes<'_>) -> Result<Self, String> {
        tally.complete()?;
        let runs: Vec<RunSeen> = tally.runs.iter().map(|run| RunSeen::of(run, changes)).collect();
        let over_runs = |passes: &dyn Fn(&RunSeen) -> usize| {
            let percents: Vec<f64> = runs.iter().map(|run| 100.0 * passes(run) as f64 / run.graded as f64).collect();
            mean(&percents).ok_or_else(|| "no run".to_owned())
        };
        if runs.iter().any(|run| run.graded == 0) {
            return Err("nothing was graded".to_owned());
        }
        let strict = |run: &RunSeen| run.passed - run.lost + run.gained;
        let sum = |of: &dyn Fn(&RunSeen) -> usize| runs.iter().map(of).sum();
        Ok(Self {
            reference: over_runs(&|run| run.passed)?,
            strict: over_runs(&strict)?,
            least: over_runs(&|run| strict(run).saturating_sub(run.undecided))?,
            lost: sum(&|run| run.lost),
            gained: sum(&|run| run.gained),
            undecided: sum(&|run| run.undecided),
            open: sum(&|run| run.open),
            graded: sum(&|run| run.graded),
        })
    }

    fn add_facts(&self, output: &mut Output, keys: &[(&str, &str)]) {
        let mut writer = output.on(ID, Basis::Records, keys);
        writer.put("reference", Estimate::value(self.reference)).put("strict", Estimate::value(self.strict));
        writer.put("least", Estimate::value(self.least));
        for (measure, count) in
            [("lost", self.lost), ("gained", self.gained), ("undecided", self.undecided), ("open", self.open)]
        {
            writer.put(measure, Estimate::count(count));
        }
    }

    /// Graded records on which the strict lens says something.
    fn judged(&self) -> usize {
        self.graded.saturating_sub(self.open + self.undecided)
    }

    /// Whether the cell of a table would print another number.
    fn changes(&self) -> bool {
        number::fixed(self.reference, 1) != number::fixed(self.strict, 1)
    }
}

/// One run under both lenses.
struct RunSeen {
    passed: usize,
    graded: usize,
    lost: usize,
    gained: usize,
    undecided: usize,
    open: usize,
}

impl RunSeen {
    fn of(run: &RunTally<'_>, changes: &Changes<'_>) -> Self {
        let counts = run.counts();
        let none = BTreeSet::new();
        let differing = changes.differing.get(&run.run.key).unwrap_or(&none);
        let of_state = |state: State| {
            let records = run.records.iter().flatten().filter(|record| differing.contains(record.id.as_str()));
            records.filter(|record| record.state() == state).count()
        };
        let verdicts = changes.verdicts.get(&run.run.key);
        Self {
            passed: counts.passed,
            graded: counts.graded(),
            lost: of_state(State::Pass),
            gained: of_state(State::Fail),
            undecided: verdicts.map_or(0, |verdicts| verdicts.undecided),
            open: run.records.iter().flatten().filter(|record| is_open(record)).count(),
        }
    }
}

/// Graded, but its values are not archived.
fn is_open(record: &crate::archive::Record) -> bool {
    record.state() != State::Excluded
        && crate::verify::not_regradable(record)
            .is_some_and(|reason| !matches!(reason, Unchecked::Ungradable | Unchecked::NoAnswer))
}

/// A row of the table.
struct CellRow<'a> {
    experiment: &'a str,
    name: &'a str,
    ranks: Option<(usize, usize)>,
    seen: Seen,
}

/// Ranks on the leaderboard under both lenses, from 1; equal means share the better rank.
fn ranks<'a>(seen: &[(&'a str, &'a str, bool, Seen)]) -> BTreeMap<&'a str, (usize, usize)> {
    let listed: Vec<_> = seen.iter().filter(|(_, _, on_leaderboard, _)| *on_leaderboard).collect();
    let grid = |mean: f64| (mean * 1e9).round() as i64;
    let rank = |of: &dyn Fn(&Seen) -> f64, own: &Seen| {
        1 + listed.iter().filter(|(_, _, _, other)| grid(of(other)) > grid(of(own))).count()
    };
    let both = |own: &Seen| (rank(&|seen| seen.reference, own), rank(&|seen| seen.strict, own));
    listed.iter().map(|(key, _, _, own)| (*key, both(own))).collect()
}

fn summarise(output: &mut Output, rows: &[CellRow<'_>]) {
    let changed: Vec<&CellRow<'_>> = rows.iter().filter(|row| row.seen.changes()).collect();
    let ranked: Vec<(&CellRow<'_>, (usize, usize))> = rows.iter().filter_map(|row| Some((row, row.ranks?))).collect();
    let moved: Vec<_> = ranked.iter().filter(|(_, (reference, strict))| reference != strict).collect();
    // What stays the same because it could not be judged says nothing about how much would change.
    let share = |rows: &mut dyn Iterator<Item = &CellRow<'_>>| {
        rows.fold((0, 0), |(judged, graded), row| (judged + row.seen.judged(), graded + row.seen.graded))
    };
    let cells = share(&mut rows.iter());
    let ranks = share(&mut ranked.iter().map(|(row, _)| *row));
    let enough = |(judged, graded): (usize, usize)| judged as f64 >= LEAST_JUDGED * graded as f64;
    let or = |judged: (usize, usize), count: usize| {
        let reason = format!("the strict lens decides {} of {} graded records only", judged.0, judged.1);
        if enough(judged) { Estimate::count(count) } else { Estimate::undefined(reason) }
    };
    for (measure, estimate) in [
        ("judged", Estimate::out_of(cells.0, cells.1)),
        ("cells", Estimate::count(rows.len())),
        ("cells-changed", or(cells, changed.len())),
        ("ranks", Estimate::count(ranked.len())),
        ("ranks-changed", or(ranks, moved.len())),
    ] {
        output.fact(ID, measure, &[], estimate, Basis::Records);
    }
    if rows.is_empty() {
        return;
    }
    output.tables.push(table(rows));
    let named = |texts: Vec<String>| {
        let more = texts.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
        let colon = if texts.is_empty() { "" } else { ": " };
        format!("{colon}{}{rest}", texts.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; "))
    };
    let cell = |row: &&CellRow<'_>| {
        let texts = [row.seen.reference, row.seen.strict].map(|value| number::fixed(value, 1));
        format!("{} in {} {} → {}", row.name, row.experiment, texts[0], texts[1])
    };
    let rank =
        |(row, (reference, strict)): &&(&CellRow<'_>, (usize, usize))| format!("{} {reference} → {strict}", row.name);
    let open: usize = rows.iter().map(|row| row.seen.open).sum();
    let unseen = if open > 0 {
        format!(" ({open} graded records have no archived values and keep theirs)")
    } else {
        String::new()
    };
    let told = [
        ("accuracy", changed.len(), rows.len(), "cells", named(changed.iter().map(cell).collect()), cells),
        ("ranks", moved.len(), ranked.len(), "ranks", named(moved.iter().map(rank).collect()), ranks),
    ];
    // Nothing is said where nothing changes, nor where too little could be judged.
    for (subject, changed, all, what, names, _) in
        told.into_iter().filter(|(_, changed, _, _, _, judged)| *changed > 0 && enough(*judged))
    {
        let message = format!("{changed} of {all} {what} would change under the strict lens{unseen}{names}");
        output.findings.push(Finding::new("lens-differs", Place::subject(subject), message));
    }
}

fn table(rows: &[CellRow<'_>]) -> Table {
    let columns = [
        ("experiment", Kind::Text, ""),
        ("model", Kind::Text, ""),
        ("reference_acc", Kind::Real, "percent"),
        ("strict_acc", Kind::Real, "percent"),
        ("least_acc", Kind::Real, "percent"),
        ("cell_changes", Kind::Text, ""),
        ("reference_rank", Kind::Integer, ""),
        ("strict_rank", Kind::Integer, ""),
        ("lost", Kind::Integer, "records"),
        ("gained", Kind::Integer, "records"),
        ("undecided", Kind::Integer, "records"),
        ("open", Kind::Integer, "records"),
    ];
    let mut table = Table::new("strict_lens", "Accuracy under both grading lenses", &[ID], &columns);
    for CellRow { experiment, name, ranks, seen } in rows {
        let rank = |of: fn((usize, usize)) -> usize| {
            ranks.map_or_else(|| Cell::Undefined("not ranked".into()), |ranks| Cell::count(of(ranks)))
        };
        table.push(vec![
            Cell::text(*experiment),
            Cell::text(*name),
            Cell::fixed(seen.reference, 1),
            Cell::fixed(seen.strict, 1),
            Cell::fixed(seen.least, 1),
            Cell::text(if seen.changes() { "yes" } else { "no" }),
            rank(|ranks| ranks.0),
            rank(|ranks| ranks.1),
            Cell::count(seen.lost),
            Cell::count(seen.gained),
            Cell::count(seen.undecided),
            Cell::count(seen.open),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Actual;
    use crate::grade::Reason;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::verify::{LensRow, Shown};

    fn differs(configuration: &str, id: &str) -> LensRow {
        LensRow {
            run: RunKey { experiment: "core_code".into(), configuration: configuration.into(), run: 1 },
            id: id.into(),
            sub: "1".into(),
            reason: Reason::WrongUnitAccepted,
            reference: true,
            strict: false,
            record_differs: true,
            expected: "100".into(),
            expected_unit: "hPa".into(),
            actual: Shown(Actual::Number(100.0)),
            actual_unit: Some("Pa".into()),
        }
    }

    #[test]
    fn a_changed_verdict_moves_the_cell_and_the_rank() {
        let problems = ["p1", "p2", "p3", "p4"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true), ("b", "B", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPF")
            .run("core_code", "b", 1, "PPFF");
        study.ledger.lenses = vec![differs("a", "p1"), differs("a", "p1"), differs("a", "p2")];
        let out = study.compute(&StrictLens);
        let facts = Facts::new(out.facts);
        let on = |model: &'static str| [("model", model), ("protocol", "code"), ("set", "core")];
        let value = |measure: &str, keys: &[(&str, &str)]| facts.get(ID, measure, keys).unwrap().estimate.point();
        assert_eq!([value("reference", &on("a")), value("strict", &on("a"))], [Some(75.0), Some(25.0)]);
        assert_eq!([value("lost", &on("a")), value("gained", &on("a"))], [Some(2.0), Some(0.0)]);
        assert_eq!(value("strict", &on("b")), Some(50.0));
        assert_eq!([value("cells", &[]), value("cells-changed", &[])], [Some(2.0), Some(1.0)]);
        assert_eq!([value("ranks", &[]), value("ranks-changed", &[])], [Some(2.0), Some(2.0)]);
        let told: Vec<_> = out.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert!(told[0].contains("1 of 2 cells") && told[0].contains("Model a in core_code 75.0 → 25.0"), "{told:?}");
        assert!(told[1].contains("Model a 1 → 2"), "{told:?}");
        assert_eq!(facts.get(ID, "judged", &[]).unwrap().estimate, Estimate::out_of(8, 8));
    }

    #[test]
    fn what_could_not_be_judged_or_does_not_change_is_no_statement() {
        let problems = || ["p1", "p2", "p3", "p4"].map(|id| problem(id, "c", "low", 1)).into();
        let study = || {
            Fixture::new(&[("a", "A", true), ("b", "B", true)])
                .set("core", "problems", None, problems())
                .experiment("core_code", "core", "code", 1)
                .run("core_code", "a", 1, "PPPF")
                .run("core_code", "b", 1, "PPFF")
        };
        // Nothing changes: nothing is said.
        assert!(study().compute(&StrictLens).findings.is_empty());
        // Six of eight verdicts have no archived values: nothing can be said.
        let mut open = study();
        for record in open.archive.runs.iter_mut().flat_map(|run| run.records.iter_mut().skip(1)) {
            record.details = None;
        }
        let out = open.compute(&StrictLens);
        assert!(out.findings.is_empty());
        let facts = Facts::new(out.facts);
        assert_eq!(facts.get(ID, "judged", &[]).unwrap().estimate, Estimate::out_of(2, 8));
        let reason = "the strict lens decides 2 of 8 graded records only";
        assert_eq!(facts.get(ID, "ranks-changed", &[]).unwrap().estimate, Estimate::undefined(reason));
    }
}
