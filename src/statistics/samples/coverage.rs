//! How much of each configuration is there: declared, submitted, recorded, absent.

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "coverage",
    also: &[],
    title: "Coverage",
    unit: "problems",
    meaning: "How many problems a configuration should have answered, how many answers were handed in, how many have a \
              record, and how many have none. A rate says little without it.",
    formula: "declared = problems of the set; submitted = problems for which the archive says that an answer was handed \
              in; recorded = problems with a record; absent = declared - recorded.",
    source: "Counts.",
    edge_cases: "Where the archive does not say what was handed in, submitted is undefined. Where no problem set is \
                 declared, the problems that records name count as declared.",
    example: "A benchmark of 500 problems and 480 records: declared 500, recorded 480, absent 20.",
    keys: &[
        KeyDoc { key: "experiment", meaning: "experiment" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "run", meaning: "run, where coverage is stated for each" },
    ],
    measures: &[
        ("declared", "problems of the set"),
        ("submitted", "problems with an answer handed in"),
        ("recorded", "problems with a record"),
        ("absent", "problems without one"),
    ],
};

/// Coverage.
pub(in crate::statistics) struct Coverage;

impl Statistic for Coverage {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let columns = [
            ("experiment", Kind::Text, ""),
            ("model", Kind::Text, ""),
            ("run", Kind::Text, ""),
            ("declared", Kind::Integer, ""),
            ("submitted", Kind::Integer, ""),
            ("recorded", Kind::Integer, ""),
            ("absent", Kind::Integer, ""),
        ];
        let mut table =
            Table::new("coverage", "Problems declared, submitted, recorded and absent", &[ABOUT.id], &columns);
        for row in &evidence.archive.coverage {
            let run = row.run.map(|run| run.to_string());
            let mut keys = vec![("experiment", row.experiment.as_str()), ("model", row.configuration.as_str())];
            keys.extend(run.as_deref().map(|run| ("run", run)));
            let known = |count: Option<u64>, reason: &str| Estimate::or(count.map(|count| count as f64), reason);
            output
                .on(ABOUT.id, Basis::Records, &keys)
                .put("declared", known(row.declared, "the problem set is not archived"))
                .put("submitted", known(row.submitted, "the archive does not say what was handed in"))
                .put("recorded", Estimate::count(row.recorded as usize))
                .put("absent", known(row.absent, "the problem set is not archived"));
            let cell = |count: Option<u64>| match count {
                Some(count) => Cell::count(count as usize),
                None => Cell::Undefined("not stated".into()),
            };
            table.push(vec![
                Cell::text(row.experiment.as_str()),
                Cell::text(row.configuration.as_str()),
                Cell::text(run.clone().unwrap_or_default()),
                cell(row.declared),
                cell(row.submitted),
                cell(Some(row.recorded)),
                cell(row.absent),
            ]);
        }
        if !table.rows.is_empty() {
            output.tables.push(table);
        }
        output
    }
}
