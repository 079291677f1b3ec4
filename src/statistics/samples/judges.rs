//! Two judges over the same records: where they agree and where not.

use crate::archive::Status;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "judges",
    also: &[],
    title: "Two judges side by side",
    unit: "records",
    meaning: "How often two judges give the same record the same mark and how often not: base and extended \
              tests, hidden and visible ones, two harnesses.",
    formula: "both = records that both pass; first = only the first judge passes; second = only the second; neither = none \
              of them; over records that both judged.",
    source: "A two by two table of paired marks (McNemar 1947).",
    edge_cases: "Records that one of them did not judge are left out and counted as unjudged.",
    example: "155 records pass the base tests, 137 of them the extended ones too: both 137, first 18, second 0, neither 9.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "first", meaning: "first judge" },
        KeyDoc { key: "second", meaning: "second judge" },
    ],
    measures: &[
        ("both", "records that both pass"),
        ("first", "records that only the first passes"),
        ("second", "records that only the second passes"),
        ("neither", "records that none passes"),
        ("unjudged", "records that one of them did not judge"),
    ],
};

/// Measures in the order in which they are counted.
const MEASURES: [&str; 5] = ["both", "first", "second", "neither", "unjudged"];

/// Two judges side by side.
pub(in crate::statistics) struct Judges;

impl Statistic for Judges {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut columns = vec![("experiment", Kind::Text, ""), ("model", Kind::Text, "")];
        columns.extend([("judge_a", Kind::Text, ""), ("judge_b", Kind::Text, "")]);
        columns.extend(MEASURES.map(|measure| (measure, Kind::Integer, "")));
        let mut table = Table::new("judges", "Marks of two judges over the same records", &[ABOUT.id], &columns);
        let judges = &evidence.study.judges;
        let pairs = judges.iter().enumerate().flat_map(|(at, a)| judges[at + 1..].iter().map(move |b| (a, b)));
        for (a, b) in pairs {
            for experiment in &evidence.study.experiments {
                let board = evidence.board(experiment);
                for tally in &board.tallies {
                    let mut counts = [0usize; 5];
                    let runs = evidence.archive.runs_of(experiment.id.as_str(), tally.key);
                    for record in runs.flat_map(|run| &run.records) {
                        let mark = |judge: &str| record.status(judge).and_then(Status::passed);
                        let at = match (mark(&a.id), mark(&b.id)) {
                            (Some(true), Some(true)) => 0,
                            (Some(true), Some(false)) => 1,
                            (Some(false), Some(true)) => 2,
                            (Some(false), Some(false)) => 3,
                            _ => 4,
                        };
                        counts[at] += 1;
                    }
                    let judged: usize = counts[..4].iter().sum();
                    if judged == 0 {
                        continue;
                    }
                    let mut keys = board.keys_of(tally);
                    keys.extend([("first", a.id.as_str()), ("second", b.id.as_str())]);
                    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
                    for (measure, count) in MEASURES.into_iter().zip(counts) {
                        let all = if measure == "unjudged" { judged + count } else { judged };
                        facts.put(measure, Estimate::out_of(count, all));
                    }
                    let mut row = vec![Cell::text(experiment.id.as_str()), Cell::text(tally.key)];
                    row.extend([Cell::text(a.id.as_str()), Cell::text(b.id.as_str())]);
                    row.extend(counts.map(Cell::count));
                    table.push(row);
                }
            }
        }
        if !table.rows.is_empty() {
            output.tables.push(table);
        }
        output
    }
}
