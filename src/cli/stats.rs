//! `repro stats`: every statistic, recomputed from records, as tables and facts.

use super::args;
use super::exit::Exit;
use super::output::Output;
use super::{inputs, progress};
use crate::pipeline::{Computed, compute};
use crate::report::Findings;
use crate::statistics::readings::Counting;
use crate::table::{to_csv, to_parquet};
use crate::tree::Tree;
use crate::verify::Ledger;
use crate::world::disk::write_tree;

pub(super) fn run(arguments: &args::Stats) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    let opened = inputs::open(&arguments.study)?;
    let counting = Counting { tokens: arguments.tokens };
    let given = inputs::load(&opened, &arguments.study, counting, progress.as_ref())?;
    let computed = compute(&given, &Ledger::default());
    let mut findings = given.findings.clone();
    findings.extend(computed.findings.iter().cloned());
    if let Some(folder) = &arguments.out {
        let tree = tables(&computed);
        write_tree(folder, &tree, opened.source.as_ref()).map_err(|error| {
            super::complain(
                &format!("{} cannot be written: {error}", folder.display()),
                "check the folder and its disk",
            );
            Exit::CannotWrite
        })?;
        output.line(&format!("{} tables in {}", computed.tables.len(), folder.display()));
    }
    summary(output, &computed, &findings);
    Ok(Exit::of(&findings, arguments.study.allow_missing))
}

/// Every table in three formats, and the facts.
fn tables(computed: &Computed) -> Tree {
    let mut tree = Tree::default();
    for table in &computed.tables {
        let _ = tree.add(format!("{}.csv", table.id), to_csv(table));
        let _ = tree.add(format!("{}.json", table.id), format!("{:#}\n", table.to_json()));
        if let Ok(bytes) = to_parquet(table) {
            let _ = tree.add(format!("{}.parquet", table.id), bytes);
        }
    }
    let facts: Vec<_> = computed.facts.iter().filter_map(|fact| serde_json::to_value(fact).ok()).collect();
    let _ = tree.add("facts.json", format!("{:#}\n", serde_json::Value::Array(facts)));
    tree
}

fn summary(output: Output, computed: &Computed, findings: &Findings) {
    let defined = computed.facts.iter().filter(|fact| fact.estimate.point().is_some()).count();
    let all = computed.facts.iter().count();
    output.line(&format!("statistics  {defined} values, {} undefined with a reason", all - defined));
    output.line(&format!("tables      {}", computed.tables.len()));
    output.findings(findings, 3);
    output.document(&serde_json::json!({
        "values": defined, "undefined": all - defined,
        "tables": computed.tables.iter().map(|table| &table.id).collect::<Vec<_>>(),
        "findings": findings,
    }));
}
