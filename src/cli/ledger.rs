//! `repro ledger check`: the gate that an author runs before a corrected benchmark is published.

use std::path::Path;

use super::args::{LedgerAction, LedgerArgs, LedgerCheck};
use super::envelope::Envelope;
use super::exit::Exit;
use super::output::{Output, wrap};
use crate::change_ledger::{Baseline, Entries, Gate, Items, Round, Scope, check};
use crate::number::grouped;
use crate::report::{Finding, Findings, Place};
use crate::world::Source as _;
use crate::world::disk::{Folder, read_file};

/// Most faults of one kind that are listed on a terminal.
const LISTED: usize = 20;

pub(super) fn run(arguments: &LedgerArgs) -> Result<Exit, Exit> {
    match &arguments.action {
        LedgerAction::Check(arguments) => gate(arguments),
    }
}

fn gate(arguments: &LedgerCheck) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let mut findings = Findings::default();
    let tree = |files: &[(String, Vec<u8>)], findings: &mut Findings| {
        let given = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        let (items, told) = Items::read(given, arguments.id.as_deref());
        findings.extend(told);
        items
    };
    let new = tree(&files(&arguments.new, "the release")?, &mut findings);
    if new.is_empty() {
        super::complain(
            &format!("{} holds no item", arguments.new.display()),
            "name a JSON or JSONL file, or a folder of them; --id names the member that tells items apart",
        );
        return Err(Exit::Unreadable);
    }
    let old = match baseline(&arguments.old)? {
        Some(files) => Some(tree(&files, &mut findings)).filter(|old| !old.is_empty()),
        None => None,
    };
    if old.is_none() {
        let message = "nothing stands for the tree before the changes: unrecorded changes, and what was before, are not checkable";
        findings.push(Finding::new("ledger-no-baseline", Place::file(arguments.old.display().to_string()), message));
    }
    let ledger = files(&arguments.ledger, "the ledger")?;
    let (entries, told) = Entries::read(ledger.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    findings.extend(told);
    let entries = match &arguments.round {
        Some(round) if entries.of_round(round).is_empty() => {
            super::complain(
                &format!("the ledger has no entry of a round {round:?}"),
                &format!("its rounds are {}", entries.rounds().join(", ")),
            );
            return Err(Exit::Usage);
        }
        Some(round) => entries.of_round(round),
        None => entries,
    };
    let scope = if arguments.part { Scope::Part } else { Scope::Whole };
    let gate = check((old.as_ref(), Baseline::Given), &new, &entries, scope, None);
    findings.extend(gate.faults.iter().map(crate::change_ledger::Fault::finding));
    // Missing evidence is never accepted here: a ledger that was not compared is not confirmed.
    let exit = Exit::of(&findings, false);
    print(output, &gate, (old.as_ref(), &new), exit);
    output.findings(&findings, LISTED);
    output.document(&document(&gate, (old.as_ref(), &new), &findings, exit));
    Ok(exit)
}

/// The files of the older tree; `None` when there is none.
fn baseline(path: &Path) -> Result<Option<Vec<(String, Vec<u8>)>>, Exit> {
    if path.as_os_str() == "-" || !path.exists() { Ok(None) } else { files(path, "the older tree").map(Some) }
}

/// A file, or the JSON and JSONL files of a folder, sorted by path.
fn files(path: &Path, what: &str) -> Result<Vec<(String, Vec<u8>)>, Exit> {
    let failed = |error: std::io::Error| {
        super::complain(
            &format!("{what}, {}, cannot be read: {error}", path.display()),
            "name a JSON or JSONL file, or a folder of them",
        );
        Exit::Unreadable
    };
    if !path.is_dir() {
        return Ok(vec![(path.display().to_string(), read_file(path).map_err(failed)?)]);
    }
    let folder = Folder::new(path).map_err(failed)?;
    let json = |path: &str| [".json", ".jsonl", ".ndjson"].iter().any(|extension| path.ends_with(extension));
    let entries = folder.entries().map_err(failed)?;
    let wanted = entries.into_iter().filter(|entry| entry.regular && json(&entry.path));
    wanted.map(|entry| folder.read(&entry.path).map(|bytes| (entry.path, bytes)).map_err(failed)).collect()
}

fn print(output: Output, gate: &Gate, (old, new): (Option<&Items>, &Items), exit: Exit) {
    let count = |n: usize| grouped(n as u64);
    let before = old.map_or_else(|| "no tree before".to_owned(), |old| format!("{} items before", count(old.len())));
    output.line(&format!("trees            {before}, {} after, {} compared", count(new.len()), count(gate.compared)));
    for round in &gate.rounds {
        output.line(&wrap(&format!("round {:11}{}", round.name, told(gate, round)), 17));
    }
    if gate.baseline == Baseline::Absent {
        output.line("changes          not checkable without a tree before");
    } else {
        let recorded = gate.recorded();
        let line = format!(
            "changes          {} changed fields, {} recorded, {} not; {} items added, {} deleted",
            count(gate.changes.len()),
            count(recorded),
            count(gate.changes.len() - recorded),
            count(gate.added.len()),
            count(gate.deleted.len())
        );
        output.line(&wrap(&line, 17));
    }
    let result = match exit {
        Exit::Good => "ledger and release agree, both ways",
        Exit::Disagrees => "ledger and release disagree",
        Exit::NotCheckable => "not checkable",
        _ => "not all could be read",
    };
    output.line(&format!("result           {result}"));
    output.line("");
}

fn told(gate: &Gate, round: &Round) -> String {
    let count = |n: usize| grouped(n as u64);
    let mut parts = vec![
        format!("{} entries", count(round.entries)),
        format!("{} of {} fields as recorded after", count(round.after.right), count(round.after.checked)),
    ];
    if round.before.checked > 0 {
        parts.push(format!("{} of {} as before", count(round.before.right), count(round.before.checked)));
    }
    if round.superseded > 0 {
        parts.push(format!("{} superseded by later entries", count(round.superseded)));
    }
    if round.outside > 0 {
        parts.push(format!("{} about other items", count(round.outside)));
    }
    if gate.baseline != Baseline::Absent {
        parts.push(format!("{} changed fields", count(round.changes)));
    }
    parts.join("; ")
}

fn document(gate: &Gate, (old, new): (Option<&Items>, &Items), findings: &Findings, exit: Exit) -> serde_json::Value {
    let changes: Vec<serde_json::Value> = gate
        .changes
        .iter()
        .map(|change| {
            serde_json::json!({
                "item": change.item,
                "field": change.path.to_string(),
                "entries": change.entries,
                "recorded": !change.entries.is_empty(),
            })
        })
        .collect();
    let result = serde_json::json!({
        "items": {"before": old.map(Items::len), "after": new.len(), "compared": gate.compared},
        "baseline": gate.baseline,
        "passes": gate.passes() && exit == Exit::Good,
        "rounds": gate.rounds,
        "changes": changes,
        "added": gate.added,
        "deleted": gate.deleted,
        "faults": gate.faults,
    });
    Envelope::new("ledger").with("findings", serde_json::json!(findings)).result(result).done(exit)
}
