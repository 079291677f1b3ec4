//! The log of the first audit pass and of the rounds of changes.

use std::collections::BTreeMap;

use super::benchmark::document;
use super::gate::LEDGER;
use crate::change_ledger::Entries;
use crate::json::Value;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Role of the file with the facts of the log.
pub(super) const LOG: &str = "cleaning-log";

static ABOUT: About = About {
    id: "cleaning-log",
    also: &[],
    title: "The log of the audit",
    unit: "defects",
    meaning: "How many defects the first pass over all problems confirmed, added up by field and, separately, by problem; \
              and how many entries each round of changes has, as the log says and as the ledger shows.",
    formula: "confirmed = sum over the rows of fields, by severity and by mode; by problem = sum over the rows of \
              problems; blocker-problems = problems with at least one blocker; gap = confirmed by field minus confirmed \
              by problem; entries-listed = lines of the archived ledger with this round.",
    source: "Log of the study.",
    edge_cases: "The two sums may differ, and then both are shown. A round of which only some entries are archived has \
                 fewer lines than the log says.",
    example: "97 + 108 + 61 + 107 + 22 + 2 by field are 397.",
    keys: &[
        KeyDoc { key: "by", meaning: "field or problem" },
        KeyDoc { key: "severity", meaning: "blocker, major or minor" },
        KeyDoc { key: "modes", meaning: "all, or with_background only" },
        KeyDoc { key: "split", meaning: "test or dev" },
        KeyDoc { key: "round", meaning: "round of changes" },
    ],
    measures: &[
        ("confirmed", "confirmed defects"),
        ("blockers", "blockers among them"),
        ("gap", "confirmed by field minus confirmed by problem"),
        ("blocker-problems", "problems with a blocker"),
        ("problems", "problems in the log"),
        ("steps", "steps in the log"),
        ("entries-stated", "entries of a round as the log says"),
        ("entries-listed", "entries of a round in the archived ledger"),
    ],
};

/// The log of the audit.
pub(super) struct CleaningLog;

/// A row of the map of problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogRow {
    /// Problem.
    pub(super) problem: String,
    /// Short name.
    pub(super) name: String,
    /// Split.
    pub(super) split: String,
    /// Steps.
    pub(super) steps: u64,
    /// Confirmed defects.
    pub(super) confirmed: u64,
    /// Blockers among them.
    pub(super) blockers: u64,
}

fn number(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_number).and_then(crate::json::Number::as_u64).unwrap_or(0)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_text).unwrap_or_default()
}

/// Rows of problems, in the order of the log.
pub(super) fn rows(file: &Value) -> Vec<LogRow> {
    let listed = file.get("per_problem").and_then(Value::as_list).unwrap_or_default();
    let row = |value: &Value| LogRow {
        problem: text(value, "problem_id").to_owned(),
        name: text(value, "short_name").to_owned(),
        split: text(value, "split").to_owned(),
        steps: number(value, "steps"),
        confirmed: number(value, "confirmed_defects"),
        blockers: number(value, "blockers"),
    };
    listed.iter().map(row).collect()
}

impl Statistic for CleaningLog {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let materials = &evidence.archive.materials;
        let mut output = Output::default();
        let Some(file) = document(materials, LOG) else {
            let reason = format!("not archived: {LOG}");
            output.on(ABOUT.id, Basis::States, &[]).put("gap", Estimate::undefined(reason));
            return output;
        };
        let fields = file
            .get("first_pass_audit")
            .and_then(|pass| pass.get("by_field"))
            .and_then(Value::as_list)
            .unwrap_or_default();
        let value = |n: u64| Estimate::count(n as usize);
        let severities = ["blocker", "major", "minor"];
        let of = |field: &Value| severities.iter().map(|severity| number(field, severity)).sum::<u64>();
        let by_field: u64 = fields.iter().map(of).sum();
        output.on(ABOUT.id, Basis::States, &[("by", "field")]).put("confirmed", value(by_field));
        for severity in severities {
            let sum = fields.iter().map(|field| number(field, severity)).sum();
            let keys = [("by", "field"), ("severity", severity)];
            output.on(ABOUT.id, Basis::States, &keys).put("confirmed", value(sum));
        }
        let mut by_mode: BTreeMap<&str, u64> = BTreeMap::new();
        for field in fields {
            *by_mode.entry(text(field, "modes")).or_default() += of(field);
        }
        for (modes, sum) in by_mode {
            output.on(ABOUT.id, Basis::States, &[("by", "field"), ("modes", modes)]).put("confirmed", value(sum));
        }
        let rows = rows(&file);
        let confirmed: u64 = rows.iter().map(|row| row.confirmed).sum();
        let with_blocker = rows.iter().filter(|row| row.blockers > 0).count();
        output
            .on(ABOUT.id, Basis::States, &[("by", "problem")])
            .put("confirmed", value(confirmed))
            .put("blockers", value(rows.iter().map(|row| row.blockers).sum()));
        output
            .on(ABOUT.id, Basis::States, &[])
            .put("gap", Estimate::value(by_field as f64 - confirmed as f64))
            .put("blocker-problems", Estimate::out_of(with_blocker, rows.len()))
            .put("problems", Estimate::count(rows.len()))
            .put("steps", value(rows.iter().map(|row| row.steps).sum()));
        for split in ["test", "dev"] {
            let count = rows.iter().filter(|row| row.split == split).count();
            output.on(ABOUT.id, Basis::States, &[("split", split)]).put("problems", Estimate::count(count));
        }
        let ledger = materials.all(LEDGER);
        let (entries, _) = Entries::read(ledger.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())));
        for round in file.get("rounds").and_then(Value::as_list).unwrap_or_default() {
            let name = text(round, "round");
            let listed = entries.of_round(name).len();
            let listed = if listed == 0 {
                Estimate::undefined("no entry of this round is archived")
            } else {
                Estimate::count(listed)
            };
            output
                .on(ABOUT.id, Basis::States, &[("round", name)])
                .put("entries-stated", value(number(round, "entries")))
                .put("entries-listed", listed);
        }
        output.tables.push(table(&rows));
        output
    }
}

fn table(rows: &[LogRow]) -> Table {
    let columns = [
        ("problem", Kind::Text, ""),
        ("name", Kind::Text, ""),
        ("split", Kind::Text, ""),
        ("steps", Kind::Integer, "steps"),
        ("confirmed", Kind::Integer, "defects"),
        ("blockers", Kind::Integer, "defects"),
    ];
    let mut table = Table::new("cleaning_log", "Confirmed defects of the first pass by problem", &[ABOUT.id], &columns);
    for row in rows {
        table.push(vec![
            Cell::text(row.problem.as_str()),
            Cell::text(row.name.as_str()),
            Cell::text(row.split.as_str()),
            Cell::count(row.steps as usize),
            Cell::count(row.confirmed as usize),
            Cell::count(row.blockers as usize),
        ]);
    }
    table
}
