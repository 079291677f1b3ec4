//! Passes that exist only because units were reconciled.

use std::collections::BTreeMap;

use crate::archive::{Actual, Gradability, Record, SubAnswer};
use crate::grade::plain;
use crate::statistics::names::file_order;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `unit-rescue`.
pub(crate) struct UnitRescue;

const ID: &str = "unit-rescue";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Unit reconciliation",
    unit: "count",
    meaning: "How many passing sub-answers pass only after a conversion of units, and between which units.",
    formula: "Over all runs of the main experiment: a passing sub-answer with a numeric value is rescued when its bare \
              number is outside the tolerance of every accepted value. Rescues are tabulated by the first accepted \
              unit and the answered unit; answers without a unit count as dimensionless.",
    source: "Rule of the study for its table of unit rescues.",
    edge_cases: "Undefined when passing records have no stored sub-answers. Equal units on both sides can occur: \
                 degrees Celsius are compared as kelvin.",
    example: "Accepted 1.5 cm, answered 0.0146 m: passes, and its bare number does not, so it is rescued (cm, m).",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key, for rescues of one configuration" },
        KeyDoc { key: "expected", meaning: "first accepted unit" },
        KeyDoc { key: "answered", meaning: "answered unit, or dimensionless" },
    ],
    measures: &[
        ("count", "rescued sub-answers"),
        ("passing", "passing sub-answers with a numeric value"),
        ("share", "rescued of passing"),
    ],
};

/// Answered units that mean "no unit".
const NO_UNIT: [&str; 7] = ["", "dimensionless", "fraction", "unitless", "1", "-", "none"];

/// Rescues of one configuration.
#[derive(Default)]
struct Rescues {
    passing: usize,
    by_units: BTreeMap<(String, String), usize>,
}

impl Rescues {
    fn rescued(&self) -> usize {
        self.by_units.values().sum()
    }

    fn add(&mut self, detail: &SubAnswer, tolerance: f64) {
        let Actual::Number(actual) = detail.actual else { return };
        if !detail.passed {
            return;
        }
        self.passing += 1;
        let bare = |expected: &str| plain(expected, actual).is_ok_and(|distance| distance.within(tolerance));
        if detail.expected.iter().any(|expected| bare(expected)) {
            return;
        }
        let expected = detail.expected_units.iter().flat_map(|units| units.iter()).next();
        let answered = detail.actual_unit.as_deref().unwrap_or("").trim();
        let answered = if NO_UNIT.contains(&answered.to_lowercase().as_str()) { "dimensionless" } else { answered };
        let pair = (expected.map_or("", |unit| unit.trim()).to_owned(), answered.to_owned());
        *self.by_units.entry(pair).or_default() += 1;
    }
}

impl Statistic for UnitRescue {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(board) = evidence.main_board() else { return output };
        let tolerance = evidence.study.grading.tolerance;
        let mut all = Rescues::default();
        let mut by_model: Vec<(&str, &str, usize)> = Vec::new();
        let mut reason = None;
        for tally in board.leaderboard() {
            let keys = [("model", tally.key)];
            let records = || tally.runs.iter().flat_map(|run| run.records.iter().flatten().copied());
            if let Err(why) = tally.complete().and_then(|()| values_are_archived(records())) {
                output.fact(ID, "count", &keys, Estimate::undefined(&why), Basis::Records);
                reason.get_or_insert(why);
                continue;
            }
            let mut own = Rescues::default();
            records().flat_map(|record| record.details.iter().flatten()).for_each(|detail| own.add(detail, tolerance));
            output.fact(ID, "count", &keys, Estimate::count(own.rescued()), Basis::Records);
            output.fact(ID, "passing", &keys, Estimate::count(own.passing), Basis::Records);
            by_model.push((tally.key, tally.name(), own.rescued()));
            all.passing += own.passing;
            own.by_units.into_iter().for_each(|(pair, count)| *all.by_units.entry(pair).or_default() += count);
        }
        if let Some(why) = reason {
            output.fact(ID, "count", &[], Estimate::undefined(why), Basis::Records);
            return output;
        }
        output.fact(ID, "count", &[], Estimate::count(all.rescued()), Basis::Records);
        output.fact(ID, "passing", &[], Estimate::count(all.passing), Basis::Records);
        output.fact(ID, "share", &[], Estimate::percent(all.rescued(), all.passing), Basis::Records);
        for ((expected, answered), &count) in &all.by_units {
            let keys = [("expected", expected.as_str()), ("answered", answered.as_str())];
            output.fact(ID, "count", &keys, Estimate::count(count), Basis::Records);
        }
        if !by_model.is_empty() {
            output.tables.extend([pairs_table(&all), totals_table(&all, by_model)]);
        }
        output
    }
}

fn values_are_archived<'a>(mut records: impl Iterator<Item = &'a Record>) -> Result<(), String> {
    let bare = |record: &Record| {
        record.gradability() == Gradability::Unknown || (record.passed == Some(true) && record.details.is_none())
    };
    if records.any(bare) { Err("only verdicts are archived, not the answers".to_owned()) } else { Ok(()) }
}

/// Pairs by count, descending; equal counts by units, because the published order among them is that in which
/// answers came in, which no archive keeps.
fn pairs_table(all: &Rescues) -> Table {
    let columns = [("expected_unit", Kind::Text, ""), ("answered_unit", Kind::Text, ""), ("count", Kind::Integer, "")];
    let mut table = Table::new("F21_unit_rescue", "Passes by unit reconciliation, by pair of units", &[ID], &columns);
    let mut pairs: Vec<_> = all.by_units.iter().collect();
    pairs.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    for ((expected, answered), &count) in pairs {
        table.push(vec![Cell::text(expected.as_str()), Cell::text(answered.as_str()), Cell::count(count)]);
    }
    table
}

/// Configurations by count, descending; equal counts as their run files sort.
fn totals_table(all: &Rescues, mut by_model: Vec<(&str, &str, usize)>) -> Table {
    let columns = [("model", Kind::Text, ""), ("rescued", Kind::Integer, "")];
    let mut table = Table::new("F21b_unit_totals", "Passes by unit reconciliation, by configuration", &[ID], &columns);
    by_model.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| file_order(a.0, b.0)));
    for (_, name, count) in by_model {
        table.push(vec![Cell::text(name), Cell::count(count)]);
    }
    table.push(vec![Cell::text("__total_passing__"), Cell::count(all.passing)]);
    table.push(vec![Cell::text("__total_rescued__"), Cell::count(all.rescued())]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(expected: &str, unit: &str, actual: f64, answered: Option<&str>, passed: bool) -> SubAnswer {
        SubAnswer {
            sub: "1".into(),
            expected: [expected.into()].into(),
            expected_units: Some([unit.into()].into()),
            actual: Actual::Number(actual),
            actual_unit: answered.map(Into::into),
            passed,
        }
    }

    #[test]
    fn only_passes_whose_bare_number_fails_are_rescues() {
        let mut rescues = Rescues::default();
        rescues.add(&detail("1.5", "cm", 0.0146, Some("m"), true), 0.05);
        rescues.add(&detail("35", "%", 0.35, Some("Fraction"), true), 0.05);
        rescues.add(&detail("100", "hPa", 100.0, Some("Pa"), true), 0.05);
        rescues.add(&detail("1.5", "cm", 0.9, Some("m"), false), 0.05);
        let pairs: Vec<_> = rescues.by_units.into_iter().collect();
        assert_eq!(pairs, [(("%".into(), "dimensionless".into()), 1), (("cm".into(), "m".into()), 1)]);
        assert_eq!(rescues.passing, 3);
    }
}
