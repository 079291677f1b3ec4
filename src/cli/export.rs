//! `repro export`: normalised records in the files of other tools.

use std::collections::BTreeMap;

use super::args::{self, ExportAs};
use super::cannot_write;
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs;
use super::output::Output;
use super::{deposit, progress};
use crate::archive::{AttemptText, Record, RunKey, Selection, TextsWanted};
use crate::export::{self, Header};
use crate::packs;
use crate::pipeline::{ReadError, TOOL, recognise};
use crate::table::to_parquet;
use crate::tree::Tree;
use crate::world::disk::write_tree;
use crate::world::memory::Memory;

pub(super) fn run(arguments: &args::Export) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    let opened = inputs::open(&arguments.study)?;
    let source = opened.source.as_ref();
    let unreadable = |error: ReadError| {
        super::complain(&error.to_string(), "`repro init` helps with a new layout");
        Exit::Unreadable
    };
    let study = recognise(source).map_err(unreadable)?.study;
    let (corpus, archive, _, findings) = packs::formats()
        .read(source, &study, Selection::default(), progress.as_ref(), &|_, _, _| ())
        .map_err(|error| unreadable(error.into()))?;
    let mut tree = Tree::default();
    let mut left = 0;
    match arguments.format {
        ExportAs::Jsonl => drop(tree.add("records.jsonl", export::json_lines(&archive))),
        ExportAs::Parquet => match to_parquet(&export::table(&archive)) {
            Ok(bytes) => drop(tree.add("records.parquet", bytes)),
            Err(error) => {
                super::complain(&format!("the records cannot be written as Parquet: {error}"), "write them as jsonl");
                return Err(Exit::CannotWrite);
            }
        },
        ExportAs::EveryEvalEver => {
            let retrieved = deposit::source_date_epoch()?.unwrap_or_else(now).to_string();
            let header = Header { retrieved: &retrieved, tool: TOOL };
            for experiment in &study.experiments {
                let mut arms: Vec<&str> = archive
                    .runs
                    .iter()
                    .filter(|run| run.key.experiment == experiment.id)
                    .map(|run| run.key.configuration.as_str())
                    .collect();
                arms.dedup();
                for arm in arms {
                    let key = arm.into();
                    let only = Selection { texts: TextsWanted::Responses, only: Some((&experiment.id, &key)) };
                    let keep = |run: &RunKey, record: &Record, texts: &[AttemptText<'_>]| {
                        let text = texts.last().map(|text| text.response.clone().into_owned()).unwrap_or_default();
                        ((run.clone(), record.id.clone()), text)
                    };
                    let (_, kept, _) = packs::formats()
                        .read_selected(source, &study, only, progress.as_ref(), &keep)
                        .map_err(|error| unreadable(error.into()))?;
                    let texts: BTreeMap<_, String> = kept.into_iter().flatten().collect();
                    let response = |run: &RunKey, record: &Record| {
                        texts.get(&(run.clone(), record.id.clone())).cloned().unwrap_or_default()
                    };
                    let (lines, written, without) =
                        export::instances(&corpus, &archive, experiment, arm, header, &response);
                    left += without;
                    let name = export::location(&study, experiment, arm);
                    let path = format!("{name}_samples.jsonl");
                    let document =
                        export::aggregate(&study, &archive, experiment, arm, header, (&path, &lines, written));
                    if let Some(document) = document {
                        let _ = tree.add(format!("{name}.json"), format!("{document:#}\n"));
                    }
                    if written > 0 {
                        let _ = tree.add(path, lines);
                    }
                }
            }
        }
    }
    write_tree(&arguments.out, &tree, &Memory::default()).map_err(|error| cannot_write(&arguments.out, &error))?;
    let records: usize = archive.runs.iter().map(|run| run.records.len()).sum();
    output.line(&format!("{records} records in {} files in {}", tree.len(), arguments.out.display()));
    if left > 0 {
        output
            .line(&format!("{left} records have no verdict and were left out: that schema knows only right and wrong"));
    }
    output.findings(&findings, 3);
    let exit = Exit::of(&findings, arguments.study.allow_missing);
    let result = serde_json::json!({
        "records": records,
        "files": tree.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        "left-out": left,
    });
    let document = Envelope::new("export").with("findings", serde_json::json!(findings)).result(result);
    output.document(&document.done(exit));
    Ok(exit)
}

/// Seconds since 1970.
#[allow(clippy::disallowed_methods, reason = "the command line alone reads the clock")]
fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
