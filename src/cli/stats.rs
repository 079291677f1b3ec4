//! `repro stats`: every statistic, recomputed from records, as tables and facts.

use super::args;
use super::cannot_write;
use super::chain;
use super::exit::Exit;
use super::inputs::Opened;
use super::outputs;
use crate::pipeline::Computed;
use crate::report::Findings;
use crate::statistics::readings::Counting;
use crate::table::{to_csv, to_parquet};
use crate::tree::Tree;
use crate::verify::Level;
use crate::world::disk::write_tree;
use crate::world::memory::Memory;

pub(super) fn run(arguments: &args::Stats) -> Result<Exit, Exit> {
    let execution = arguments.execute.then_some(&arguments.engine);
    let prepare = |opened: &Opened| match &arguments.out {
        Some(folder) => outputs::writable(folder, &opened.path),
        None => Ok(()),
    };
    let counting = Counting { tokens: arguments.tokens };
    let (chain, ()) = chain::run_into(&arguments.study, execution, counting, &arguments.talk, prepare, |(), _| Ok(()))?;
    let computed = &chain.evaluated.computed;
    if let Some(folder) = &arguments.out {
        let tree = tables(computed);
        write_tree(folder, &tree, &Memory::default()).map_err(|error| cannot_write(folder, &error))?;
        chain.output.line(&format!("{} tables in {}", computed.tables.len(), folder.display()));
    }
    // Claims are another command's answer: here only what was read and computed counts.
    let own: Findings =
        chain.evaluated.findings.iter().filter(|finding| Level::of(finding.code) != Level::L6).cloned().collect();
    let exit = Exit::of(&own, arguments.study.allow_missing);
    let exit = chain.held.map_or(exit, |held| held.max(exit));
    let defined = computed.facts.iter().filter(|fact| fact.estimate.point().is_some()).count();
    let all = computed.facts.iter().count();
    chain.output.line(&format!("statistics  {defined} values, {} undefined with a reason", all - defined));
    chain.output.line(&format!("tables      {}", computed.tables.len()));
    chain.output.findings(&own, 3);
    let mut document = chain.envelope("stats");
    document.add("values", defined.into());
    document.add("undefined", (all - defined).into());
    document.add("tables", computed.tables.iter().map(|table| table.id.clone()).collect());
    chain.output.document(&document.done(exit));
    chain.leave();
    Ok(exit)
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
