//! What kinds of defects there are: nature, direction, subtype, source.

use std::collections::BTreeMap;

use super::audit::Audit;
use super::defects::Defect;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "defect-taxonomy",
    also: &[],
    title: "Kinds of defects",
    unit: "defects",
    meaning: "How many defect records there are, and how the counted ones divide by nature (scientific or surface), by \
              effect on a correct solution (direction), by subtype and by where they were found (source).",
    formula: "n = records with these labels among those that count as defects; records = all records; \
              downstream = records left out because they follow from another change; problems = distinct problems of \
              counted records.",
    source: "Defect records of the study; its tables of natures, directions and subtypes.",
    edge_cases: "A record that states nothing about counting counts. A label that a record lacks is the empty text. \
                 Without the file: undefined.",
    example: "Of three records, one follows from another: records 3, counted 2, downstream 1.",
    keys: &[
        KeyDoc { key: "nature", meaning: "scientific or surface" },
        KeyDoc { key: "direction", meaning: "too-strict/wrong, leaky/too-easy or neutral-cleanup" },
        KeyDoc { key: "subtype", meaning: "kind within its nature" },
        KeyDoc { key: "source", meaning: "ledger (found in review) or inferred (recovered from the difference)" },
    ],
    measures: &[
        ("n", "counted defects with these labels"),
        ("records", "records, counted or not"),
        ("counted", "counted defects"),
        ("downstream", "records that are not counted"),
        ("problems", "problems with a counted defect"),
    ],
};

/// Kinds of defects.
pub(super) struct Taxonomy;

impl Statistic for Taxonomy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        if let Some(reason) = audit.without_defects() {
            output.on(ABOUT.id, Basis::Records, &[]).put("records", Estimate::undefined(reason));
            return output;
        }
        let counted: Vec<&Defect> = audit.defects.iter().filter(|defect| defect.counted).collect();
        let mut problems: Vec<&str> = counted.iter().map(|defect| defect.problem.as_str()).collect();
        problems.sort_unstable();
        problems.dedup();
        output
            .on(ABOUT.id, Basis::Records, &[])
            .put("records", Estimate::count(audit.defects.len()))
            .put("counted", Estimate::count(counted.len()))
            .put("downstream", Estimate::count(audit.defects.len() - counted.len()))
            .put("problems", Estimate::count(problems.len()));
        let labels: [&[(&str, fn(&Defect) -> &str)]; 6] = [
            &[("nature", |d| &d.nature)],
            &[("direction", |d| &d.direction)],
            &[("source", |d| &d.source)],
            &[("nature", |d| &d.nature), ("direction", |d| &d.direction)],
            &[("nature", |d| &d.nature), ("subtype", |d| &d.subtype)],
            &[("nature", |d| &d.nature), ("direction", |d| &d.direction), ("subtype", |d| &d.subtype)],
        ];
        for keys in labels {
            for (values, n) in count(&counted, keys) {
                let keys: Vec<(&str, &str)> = keys.iter().map(|(key, _)| *key).zip(values).collect();
                output.on(ABOUT.id, Basis::Records, &keys).put("n", Estimate::count(n));
            }
        }
        output.tables.extend([cells(&counted), records(&audit.defects)]);
        output
    }
}

fn count<'d>(defects: &[&'d Defect], keys: &[(&str, fn(&Defect) -> &str)]) -> BTreeMap<Vec<&'d str>, usize> {
    let mut cells = BTreeMap::new();
    for &defect in defects {
        *cells.entry(keys.iter().map(|(_, of)| of(defect)).collect()).or_insert(0) += 1;
    }
    cells
}

fn cells(counted: &[&Defect]) -> Table {
    let columns = [
        ("nature", Kind::Text, ""),
        ("direction", Kind::Text, ""),
        ("subtype", Kind::Text, ""),
        ("n", Kind::Integer, "defects"),
    ];
    let mut table =
        Table::new("defect_taxonomy", "Counted defects by nature, direction and subtype", &[ABOUT.id], &columns);
    let keys: [(&str, fn(&Defect) -> &str); 3] =
        [("nature", |d| &d.nature), ("direction", |d| &d.direction), ("subtype", |d| &d.subtype)];
    for (values, n) in count(counted, &keys) {
        let mut row: Vec<Cell> = values.into_iter().map(Cell::text).collect();
        row.push(Cell::count(n));
        table.push(row);
    }
    table
}

fn records(defects: &[Defect]) -> Table {
    let names = [
        "defect",
        "problem",
        "step",
        "nature",
        "direction",
        "subtype",
        "source",
        "round",
        "confidence",
        "counted",
        "fields",
    ];
    let columns = names.map(|name| (name, Kind::Text, ""));
    let mut table = Table::new("defect_records", "Defect records", &[ABOUT.id], &columns);
    for d in defects {
        let fields = d.fields.join("; ");
        let counted = if d.counted { "yes" } else { "no" };
        let row = [
            &d.id,
            &d.problem,
            &d.step,
            &d.nature,
            &d.direction,
            &d.subtype,
            &d.source,
            &d.round,
            &d.confidence,
            counted,
            &fields,
        ];
        table.push(row.into_iter().map(Cell::text).collect());
    }
    table
}
