//! The six stages in order. Each takes what the stages before it made and returns a value; none of them
//! prints, and what is wrong with the data travels as findings.

mod given;

use crate::report::Findings;
use crate::statistics::{self, Evidence, Facts};
use crate::table::Table;
use crate::verify::Ledger;

pub use given::{Given, Outside, ReadError, read};

/// Statistics of a study.
#[derive(Debug, Default)]
pub struct Computed {
    /// Single values.
    pub facts: Facts,
    /// Tables in published layout, sorted by id.
    pub tables: Vec<Table>,
    /// What the statistics had to say.
    pub findings: Findings,
}

/// Computes every statistic from what was given and verified.
pub fn compute(given: &Given, ledger: &Ledger) -> Computed {
    let evidence = Evidence {
        study: &given.study,
        corpus: &given.corpus,
        archive: &given.archive,
        readings: &given.readings,
        ledger,
        published: &given.published,
    };
    let output = statistics::compute_all(&evidence);
    let mut tables = output.tables;
    tables.sort_by(|a, b| a.id.cmp(&b.id));
    Computed { facts: Facts::new(output.facts), tables, findings: output.findings.into_iter().collect() }
}
