//! Published tables that a study declares, judged like those that a ledger names.
//!
//! `[[published]]` of `study.toml` says which recomputed table a file prints. A ledger can say the same and
//! more (key columns, a digest); a file that a ledger of the study names is judged there only.

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::{Ledger, PublishedTable};
use crate::study::Study;
use crate::table::Table;

/// What stands in place of a format where tables come from the declaration.
pub(super) const DECLARED: &str = "study.toml";

/// A ledger of the declared tables whose files are archived and that no other ledger names; `None` without any.
pub fn declared(
    study: &Study,
    ledgers: &[Ledger],
    tables: &[Table],
    published: &BTreeMap<String, String>,
) -> Option<Ledger> {
    let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".csv").to_owned();
    let named: BTreeSet<String> =
        ledgers.iter().flat_map(|ledger| &ledger.published).map(|table| stem(&table.file)).collect();
    let own = study.published.iter().filter(|table| {
        let stem = stem(&table.path);
        published.contains_key(&stem) && !named.contains(&stem)
    });
    let table = |declared: &crate::study::Published| PublishedTable {
        id: declared.table.clone(),
        area: "published tables".to_owned(),
        file: declared.path.clone(),
        sha256: None,
        rows: None,
        table: declared.table.clone(),
        keys: tables.iter().find(|table| table.id == declared.table).map(keys).unwrap_or_default(),
        values: Vec::new(),
        needs: Vec::new(),
    };
    let published: Vec<PublishedTable> = own.map(table).collect();
    (!published.is_empty()).then(|| Ledger {
        file: "study.toml".to_owned(),
        dialect: DECLARED.to_owned(),
        published,
        ..Ledger::default()
    })
}

/// The first columns of a table that tell its rows apart.
fn keys(table: &Table) -> Vec<String> {
    let distinct = |count: usize| {
        let rows: BTreeSet<Vec<String>> =
            table.rows.iter().map(|row| row.iter().take(count).map(crate::table::Cell::printed).collect()).collect();
        rows.len() == table.rows.len()
    };
    let count = (1..table.columns.len()).find(|&count| distinct(count)).unwrap_or(1);
    table.columns.iter().take(count).map(|column| column.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Sources, Verdict, judge};
    use crate::statistics::Facts;
    use crate::table::{Cell, Kind};

    #[test]
    fn cells_of_a_declared_table_are_judged_and_a_foreign_separator_is_said() {
        let study: Study = toml::from_str(
            "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
             authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
             [[published]]\ntable='T'\npath='tables/T.csv'\n",
        )
        .unwrap();
        let mut table = Table::new("T", "t", &["x"], &[("model", Kind::Text, ""), ("acc", Kind::Real, "percent")]);
        table.push(vec![Cell::text("a"), Cell::fixed(91.7, 1)]);
        table.push(vec![Cell::text("b"), Cell::fixed(80.2, 1)]);
        let (facts, tables) = (Facts::new(Vec::new()), [table]);
        let judged = |text: &str| {
            let published: BTreeMap<String, String> = [("T".to_owned(), text.to_owned())].into();
            let ledger = declared(&study, &[], &tables, &published).unwrap();
            let judgements = judge(&[ledger], &Sources::new(&study, &facts, &tables, &published));
            let codes: Vec<_> = judgements.findings.iter().map(|finding| finding.code).collect();
            (judgements.tables[0].verdicts.clone(), codes)
        };
        let (verdicts, codes) = judged("model,acc\na,91.7\nb,80.2\n");
        assert_eq!((verdicts.get(&Verdict::Reproduced), codes.as_slice()), (Some(&2), &[][..]));
        let (verdicts, codes) = judged("model,acc\na,19.7\nb,80.2\n");
        assert_eq!((verdicts.get(&Verdict::Differs), codes.as_slice()), (Some(&1), &["table-differs"][..]));
        let (_, codes) = judged("model;acc\na;91.7\nb;80.2\n");
        assert_eq!(codes, ["unreadable-table"]);
    }
}
