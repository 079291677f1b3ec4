//! `repro diff`: what changed between two versions of a study.

use std::path::Path;

use super::args;
use super::exit::Exit;
use super::inputs::{self, Opened};
use super::output::{Output, wrap};
use super::progress;
use crate::diff::{Difference, Row, Side, Snapshot, compare, digests, in_line};
use crate::pipeline::{compute, judge, named};
use crate::statistics::readings::Counting;
use crate::verify::Ledger;
use crate::world::Progress;

/// Most changes of one level that are listed on a terminal.
const LISTED: usize = 20;

pub(super) fn run(arguments: &args::Diff) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    let a = version(&arguments.a, progress.as_ref())?;
    let b = version(&arguments.b, progress.as_ref())?;
    let difference = compare(&a, &b);
    print(output, &difference);
    output.document(&serde_json::json!(difference));
    Ok(if difference.is_empty() { Exit::Good } else { Exit::Disagrees })
}

/// Reads a side. Statistics are recomputed from its records, so two deposits are compared under one rule.
fn version(path: &Path, progress: &dyn Progress) -> Result<Snapshot, Exit> {
    let arguments = args::StudyArgs {
        study: Some(path.to_owned()),
        claims: Vec::new(),
        allow_missing: true,
        keep_going: true,
        offline_strict: false,
    };
    let opened: Opened = inputs::open(&arguments)?;
    let given = inputs::load(&opened, &arguments, Counting::default(), progress)?;
    let computed = compute(&given, &Ledger::default());
    let (judgements, _) = judge(&given, &computed);
    let files = digests(opened.source.as_ref(), progress).map_err(|error| {
        super::complain(&format!("{} cannot be read: {error}", path.display()), "check its files");
        Exit::Unreadable
    })?;
    let side = Side {
        files: Some(&files),
        corpus: &given.corpus,
        archive: &given.archive,
        facts: Some(&computed.facts),
        claims: Some(&judgements.claims),
    };
    Ok(Snapshot::of(named(&given), &side))
}

fn print(output: Output, difference: &Difference) {
    for (level, rows) in difference.levels() {
        let counts: Vec<String> = Difference::counts(rows)
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(change, count)| format!("{count} {}", change.word()))
            .collect();
        let counts = if counts.is_empty() { "no difference".to_owned() } else { counts.join(", ") };
        output.line(&format!("{level:12} {counts}"));
        rows.iter().take(LISTED).for_each(|row| output.line(&wrap(&format!("  {}", line(row)), 6)));
        if rows.len() > LISTED {
            output.line(&format!("  ... and {} more; --json lists all", rows.len() - LISTED));
        }
    }
}

/// A text that is read rather than compared at a glance.
fn long(text: &str) -> bool {
    text.len() > 80 || text.contains('\n')
}

fn line(row: &Row) -> String {
    let member = if row.member.is_empty() { String::new() } else { format!(" {}", row.member) };
    let values = match (&row.before, &row.after) {
        (Some(before), Some(after)) if long(before) || long(after) => format!(": {}", in_line(before, after)),
        (Some(before), Some(after)) => format!(": {before} -> {after}"),
        (Some(one), None) | (None, Some(one)) => format!(": {one}"),
        (None, None) => String::new(),
    };
    format!("{} {}{member}{values}", row.change.word(), row.subject)
}
