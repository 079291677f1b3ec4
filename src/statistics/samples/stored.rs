//! Numbers that files state about themselves, beside a recount.

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "stored-summary",
    also: &[],
    title: "Stored numbers, counted again",
    unit: "numbers",
    meaning: "How many of the numbers that the files of a configuration state about their records (pass@k, resolved, means) \
              a recount with the same rule and the same denominator confirms.",
    formula: "agree = stored numbers that are the recount to their last digits, or that the recount rounds to where they \
              are printed rounded; differ = the others; unchecked = those without records to count.",
    source: "The rule of each format's own summary.",
    edge_cases: "A stored number whose records are not archived is unchecked, never confirmed.",
    example: "A file that states pass@1 = 0.5 over two problems of which one passed: agree 1.",
    keys: &[KeyDoc { key: "experiment", meaning: "experiment" }, KeyDoc { key: "model", meaning: "configuration" }],
    measures: &[
        ("agree", "stored numbers that a recount confirms"),
        ("differ", "stored numbers that a recount does not confirm"),
        ("unchecked", "stored numbers that cannot be counted again"),
    ],
};

/// Stored numbers, counted again.
pub(in crate::statistics) struct Stored;

impl Statistic for Stored {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let columns = [
            ("experiment", Kind::Text, ""),
            ("model", Kind::Text, ""),
            ("metric", Kind::Text, ""),
            ("stored", Kind::Text, ""),
            ("recount", Kind::Real, ""),
            ("verdict", Kind::Text, ""),
            ("file", Kind::Text, ""),
        ];
        let mut table =
            Table::new("stored_summaries", "Numbers that files state, counted again", &[ABOUT.id], &columns);
        let mut arms = std::collections::BTreeMap::new();
        for row in &evidence.ledger.summaries {
            let counts: &mut [usize; 3] = arms.entry((&row.experiment, &row.configuration)).or_default();
            let (at, verdict) = match row.agrees {
                Some(true) => (0, "agrees"),
                Some(false) => (1, "differs"),
                None => (2, "not checked"),
            };
            counts[at] += 1;
            table.push(vec![
                Cell::text(row.experiment.as_str()),
                Cell::text(row.configuration.as_str()),
                Cell::text(row.metric.as_str()),
                Cell::text(row.stored.as_str()),
                match &row.recount {
                    Ok(value) => Cell::full(*value),
                    Err(reason) => Cell::Undefined(reason.as_str().into()),
                },
                Cell::text(verdict),
                Cell::text(row.place.to_string()),
            ]);
        }
        for ((experiment, model), counts) in arms {
            let keys = [("experiment", experiment.as_str()), ("model", model.as_str())];
            let all = counts.iter().sum();
            let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
            for (measure, count) in ["agree", "differ", "unchecked"].into_iter().zip(counts) {
                facts.put(measure, Estimate::out_of(count, all));
            }
        }
        if !table.rows.is_empty() {
            output.tables.push(table);
        }
        output
    }
}
