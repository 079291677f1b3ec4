//! Which calls there are: final ones, later ones, attempts that failed, and cells that miss items.

use std::collections::BTreeMap;

use super::records::{CALLS, Records, Twin};
use super::verdicts::{Verdict, verdicts};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static INVENTORY: About = About {
    id: "call-inventory",
    also: &[],
    title: "Inventory of calls",
    unit: "calls",
    meaning: "How many calls were made for each model, arm and set, which of them count, why others do not, and whether \
              every item of a set was asked.",
    formula: "final = the first call marked final of a collection, model, arm and item, in the order of time; later = \
              further final ones, kept and not used; attempts = calls that are not final, by status and twin; expected = \
              items of the set; absent = expected - final.",
    source: "Run inventory of the study.",
    edge_cases: "A call without a time sorts before one with a time. A final call with an error status counts as \
                 unanswered.",
    example: "Two calls for one item, the first not final because of a sign-in: 1 final, 1 attempt.",
    keys: &[
        KeyDoc { key: "collection", meaning: "collection of calls" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "arm", meaning: "prompt" },
        KeyDoc { key: "set", meaning: "set of items" },
        KeyDoc { key: "status", meaning: "why a call is not final" },
        KeyDoc { key: "twin", meaning: "flawed or valid" },
    ],
    measures: &[
        ("final", "calls that count"),
        ("later", "further final calls of the same cell and item"),
        ("attempts", "calls that are not final"),
        ("expected", "items of the set"),
        ("absent", "items of the set without a final call"),
        ("models", "models with a final call"),
    ],
};

static GATES: About = About {
    id: "cell-gates",
    also: &[],
    title: "Gates of the cells",
    unit: "cells",
    meaning: "Whether each cell keeps what the plan demands of it before it may decide anything: few false alarms on \
              valid items, few calls without an answer. A cell that fails stays in every table.",
    formula: "false alarms: 20 × count ≤ limit × n over valid items; unanswered: 40 × count ≤ limit × n over all items of \
              the cell; passes = 1 when both hold.",
    source: "Decision rule in the study's plan.",
    edge_cases: "A limit that the plan does not state is no gate. A cell without valid items keeps the first gate.",
    example: "2 false alarms among 20 valid items against a limit of 1 per 20: fails.",
    keys: &[
        KeyDoc { key: "collection", meaning: "collection of calls" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "arm", meaning: "prompt" },
    ],
    measures: &[
        ("passes", "1 when the cell keeps its gates, else 0"),
        ("false-alarms", "false alarms, out of the valid items"),
        ("unanswered", "calls without an answer, out of all"),
        ("failing", "cells that fail a gate, out of all"),
    ],
};

static SCORE: About = About {
    id: "confidence-score",
    also: &[],
    title: "Confidence score",
    unit: "points",
    meaning: "The score that the confidence target announces to a model: a right reply wins a point, a wrong one costs \
              nine, a withheld one is worth nothing. A rejected flaw scores 0, so the score rewards withholding and not \
              detection.",
    formula: "score = solved - 9 × (wrong + accepted flaws), the whole reply taken as one answer; answering pays when the \
              probability of being right is above 9 / (1 + 9) = 0.9.",
    source: "Scoring rule of the study.",
    edge_cases: "A call without an answer scores 0.",
    example: "18 solved, 1 wrong, 1 accepted flaw: 18 - 18 = 0.",
    keys: &[
        KeyDoc { key: "collection", meaning: "collection of calls" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "arm", meaning: "prompt" },
    ],
    measures: &[("score", "points over all items of the cell"), ("mean", "points per item")],
};

/// Inventory of calls.
pub(super) struct Inventory;
/// Gates of the cells.
pub(super) struct Gates;
/// Confidence score.
pub(super) struct Score;

/// Verdicts of a collection, model and arm, over all families and sets.
fn cells(records: &Records) -> BTreeMap<(&str, &str, &str), Vec<(Twin, Verdict)>> {
    let mut cells: BTreeMap<(&str, &str, &str), Vec<(Twin, Verdict)>> = BTreeMap::new();
    for ((collection, model, arm, _, _, twin), items) in verdicts(records) {
        cells.entry((collection, model, arm)).or_default().extend(items.values().map(|verdict| (twin, *verdict)));
    }
    cells
}

impl Statistic for Inventory {
    fn about(&self) -> &'static About {
        &INVENTORY
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(CALLS) {
            output.on(INVENTORY.id, Basis::Records, &[]).put("final", Estimate::undefined(reason));
            return output;
        }
        let finals = records.finals();
        let mut rows: BTreeMap<(&str, &str, &str, &str), (usize, usize)> = BTreeMap::new();
        let mut attempts: BTreeMap<(&str, Twin), usize> = BTreeMap::new();
        for call in &records.calls {
            let Some(item) = records.items.get(&call.item) else { continue };
            if call.is_final {
                rows.entry((&call.collection, &call.model, &call.arm, &item.set)).or_default().1 += 1;
            } else {
                *attempts.entry((&call.status, item.twin)).or_default() += 1;
            }
        }
        for (collection, model, arm, item) in finals.keys() {
            let Some(item) = records.items.get(*item) else { continue };
            rows.entry((collection, model, arm, &item.set)).or_default().0 += 1;
        }
        let columns = [
            ("collection", Kind::Text, ""),
            ("model", Kind::Text, ""),
            ("arm", Kind::Text, ""),
            ("set", Kind::Text, ""),
            ("expected", Kind::Integer, "items"),
            ("final", Kind::Integer, "calls"),
            ("later", Kind::Integer, "calls"),
        ];
        let mut table = Table::new("call_inventory", "Calls by model, arm and set", &[INVENTORY.id], &columns);
        for ((collection, model, arm, set), (used, all)) in &rows {
            let keys = [("collection", *collection), ("model", *model), ("arm", *arm), ("set", *set)];
            let held = records.items.values().filter(|item| item.set == **set).count();
            let expected = records.plan.expected.get(*set).map_or(held, |n| *n as usize);
            output
                .on(INVENTORY.id, Basis::Records, &keys)
                .put("final", Estimate::count(*used))
                .put("later", Estimate::count(all - used))
                .put("expected", Estimate::count(expected))
                .put("absent", Estimate::value(expected as f64 - *used as f64));
            if *used != expected {
                let message = format!("{used} final calls for {expected} items of the set {set}");
                let place = Place::subject(format!("{collection} {model} {arm}"));
                output.findings.push(Finding::new("incomplete-cell", place, message));
            }
            let mut row: Vec<Cell> = keys.iter().map(|(_, value)| Cell::text(*value)).collect();
            row.extend([expected, *used, all - used].map(Cell::count));
            table.push(row);
        }
        for ((status, twin), count) in attempts {
            let keys = [("status", status), ("twin", twin.word())];
            output.on(INVENTORY.id, Basis::Records, &keys).put("attempts", Estimate::count(count));
        }
        let models: std::collections::BTreeSet<&str> = finals.keys().map(|(_, model, ..)| *model).collect();
        output
            .on(INVENTORY.id, Basis::Records, &[])
            .put("final", Estimate::count(finals.len()))
            .put("models", Estimate::count(models.len()));
        output.tables.push(table);
        output
    }
}

/// Whether a cell keeps the two limits.
pub(super) fn keeps(cell: &[(Twin, Verdict)], false_alarms: Option<f64>, unanswered: Option<f64>) -> bool {
    let count = |wanted: Verdict| cell.iter().filter(|(_, verdict)| *verdict == wanted).count() as f64;
    let valid = cell.iter().filter(|(twin, _)| *twin == Twin::Valid).count() as f64;
    false_alarms.is_none_or(|limit| 20.0 * count(Verdict::FalseAlarm) <= limit * valid)
        && unanswered.is_none_or(|limit| 40.0 * count(Verdict::Unanswered) <= limit * cell.len() as f64)
}

impl Statistic for Gates {
    fn about(&self) -> &'static About {
        &GATES
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        let plan = &records.plan;
        if plan.false_alarms.is_none() && plan.unanswered.is_none() {
            output.on(GATES.id, Basis::Records, &[]).put("failing", Estimate::undefined("the plan states no gate"));
            return output;
        }
        let cells = cells(&records);
        let mut failing = 0;
        for ((collection, model, arm), cell) in &cells {
            let passes = keeps(cell, plan.false_alarms, plan.unanswered);
            failing += usize::from(!passes);
            let count = |wanted: Verdict| cell.iter().filter(|(_, verdict)| *verdict == wanted).count();
            let valid = cell.iter().filter(|(twin, _)| *twin == Twin::Valid).count();
            output
                .on(GATES.id, Basis::Records, &[("collection", collection), ("model", model), ("arm", arm)])
                .put("passes", Estimate::value(f64::from(u8::from(passes))))
                .put("false-alarms", Estimate::out_of(count(Verdict::FalseAlarm), valid))
                .put("unanswered", Estimate::out_of(count(Verdict::Unanswered), cell.len()));
        }
        output.on(GATES.id, Basis::Records, &[]).put("failing", Estimate::out_of(failing, cells.len()));
        output
    }
}

/// Points of a cell.
pub(super) fn score(cell: &[(Twin, Verdict)]) -> i64 {
    let points = |verdict: Verdict| match verdict {
        Verdict::Solved => 1,
        Verdict::Wrong | Verdict::Accepted => -9,
        Verdict::Rejected | Verdict::FalseAlarm | Verdict::Unanswered => 0,
    };
    cell.iter().map(|(_, verdict)| points(*verdict)).sum()
}

impl Statistic for Score {
    fn about(&self) -> &'static About {
        &SCORE
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(CALLS) {
            output.on(SCORE.id, Basis::Records, &[]).put("score", Estimate::undefined(reason));
            return output;
        }
        for ((collection, model, arm), cell) in cells(&records) {
            let points = score(&cell) as f64;
            output
                .on(SCORE.id, Basis::Records, &[("collection", collection), ("model", model), ("arm", arm)])
                .put("score", Estimate::value(points))
                .put("mean", Estimate::value(points / cell.len() as f64));
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_rates_and_the_score_rewards_withholding() {
        let cell = |alarms: usize, unanswered: usize| {
            let mut cell = vec![(Twin::Valid, Verdict::Solved); 20 - alarms];
            cell.extend(vec![(Twin::Valid, Verdict::FalseAlarm); alarms]);
            cell.extend(vec![(Twin::Flawed, Verdict::Rejected); 20 - unanswered]);
            cell.extend(vec![(Twin::Flawed, Verdict::Unanswered); unanswered]);
            cell
        };
        let limits = (Some(1.0), Some(2.0));
        assert!(keeps(&cell(1, 2), limits.0, limits.1));
        assert!(!keeps(&cell(2, 0), limits.0, limits.1) && !keeps(&cell(0, 3), limits.0, limits.1));
        assert!(keeps(&cell(9, 9), None, None));
        assert_eq!(score(&cell(2, 5)), 18);
        assert_eq!(
            score(&[(Twin::Flawed, Verdict::Accepted), (Twin::Valid, Verdict::Wrong), (Twin::Valid, Verdict::Solved)]),
            -17
        );
    }
}
