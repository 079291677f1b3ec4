//! `repro verify`: integrity, execution, grading; a bundle also against itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::args;
use super::chain::Execution;
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs::Opened;
use super::output::{Output, wrap};
use super::{chain, deposit, inputs, progress, recompute, shard};
use crate::bundle::{self, Limits, Signature, Signatures, Status, Verification};
use crate::diff::{self, FileDigest};
use crate::pipeline::Given;
use crate::report::{Finding, Place, Severity};
use crate::statistics::readings::Counting;
use crate::verify::{Level, LevelSummary};
use crate::world::disk::Folder;

pub(super) fn run(arguments: &args::Verify) -> Result<Exit, Exit> {
    if let (Some(piece), Some(out)) = (arguments.shard, &arguments.out) {
        // A hostile container is refused before anything inside it is read.
        container(arguments)?;
        return shard::run(arguments, piece, out);
    }
    with(arguments, Execution::Here(&arguments.engine), |_| Ok(()))
}

/// Verifies with these executions. `check` looks at the study before anything is executed.
pub(super) fn with(
    arguments: &args::Verify,
    execution: Execution<'_>,
    check: impl FnOnce(&Given) -> Result<(), Exit>,
) -> Result<Exit, Exit> {
    let container = container(arguments)?;
    let signatures = signatures(arguments)?;
    let mut study = arguments.study.clone();
    let mut outside = Vec::new();
    match (kept_outside(arguments)?, &arguments.archive, &container) {
        (Some(listed), Some(folder), _) => {
            outside = compared(&listed, folder, arguments)?;
            study.study = Some(folder.clone());
        }
        (Some(listed), None, Some(verified)) => return Ok(alone(arguments, verified, &signatures, listed.len())),
        (_, None, _) => {}
        (_, Some(_), _) => {
            let help = "leave --archive out, and name the bundle or the folder alone";
            super::complain("--archive is for a bundle that holds digests instead of the study's files", help);
            return Err(Exit::Usage);
        }
    }
    let tokens = bundle_path(arguments).and_then(|path| inputs::publication(path)).is_some_and(|said| said.tokens);
    let ready = |_: &Opened| Ok(());
    let counting = Counting { tokens };
    let (mut chain, ()) =
        chain::run_into(&study, execution, counting, &arguments.talk, ready, |(), given| check(given))?;
    let damage = container.as_ref().map(Damage::of);
    let recomputed = match (bundle_path(arguments), &damage) {
        (Some(path), Some(damage)) if damage.is_none() && outside.is_empty() => Some(recompute::run(&mut chain, path)?),
        _ => None,
    };
    chain.evaluated.findings.extend(outside);
    if let Some(verified) = &container {
        chain.evaluated.findings.extend(verified.findings.iter().cloned());
        let mut level = level(verified);
        if let Some(recomputed) = &recomputed {
            let wrong = recomputed.findings.iter().filter(|finding| finding.severity > Severity::Note).count();
            level.total += recomputed.files;
            level.checked += recomputed.files;
            level.disagreed += wrong.min(recomputed.files);
            level.agreed += recomputed.files - wrong.min(recomputed.files);
            level.remark = level.remark.map(|remark| format!("{remark}; {}", recomputed.line));
        }
        chain.evaluated.ledger.record(level);
    }
    chain.evaluated.findings.extend(recomputed.into_iter().flat_map(|recomputed| recomputed.findings));
    chain.evaluated.findings.extend(signatures.findings());
    let mut exit = chain.exit(&arguments.study);
    if let Some(damage) = &damage {
        exit = damage.exit(exit);
        chain.output.line(&wrap(&damage.line(), 9));
        chain.output.line("");
    }
    chain.print_levels();
    signatures.found.iter().for_each(|signature| chain.output.line(&wrap(&line(signature), 17)));
    chain.print_claims();
    chain.print_findings(5);
    chain.print_verdict(exit);
    let mut document = chain.envelope("verify");
    if let Some(verified) = &container {
        document.add("intact", damage.as_ref().is_none_or(Damage::is_none).into());
        document.add("bundle", serde_json::json!(verified));
        document.add("signatures", serde_json::json!(signatures.found));
    }
    chain.output.document(&document.done(exit));
    chain.leave();
    Ok(exit)
}

/// What is wrong with the container, the bag and its descriptions: with the deposit as an object, whatever the
/// study in it says.
struct Damage {
    /// Entries concerned.
    places: BTreeSet<String>,
    entries: u64,
    name: String,
}

impl Damage {
    fn of(verified: &Verification) -> Self {
        let wrong = verified.findings.iter().filter(|finding| finding.severity > Severity::Note);
        Self {
            places: wrong.map(|finding| finding.place.file.clone().unwrap_or_default()).collect(),
            entries: verified.entries,
            name: verified.name.clone(),
        }
    }

    fn is_none(&self) -> bool {
        self.places.is_empty()
    }

    /// The first line: damaged or intact.
    fn line(&self) -> String {
        let named: Vec<&str> =
            self.places.iter().map(String::as_str).filter(|place| !place.is_empty()).take(3).collect();
        match self.places.len() {
            0 => format!("DEPOSIT INTACT: {} holds the {} entries that were written", self.name, self.entries),
            n => {
                let noun = if n == 1 { "entry" } else { "entries" };
                let more = if n > 3 { ", ..." } else { "" };
                let which = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join(", ")) };
                format!("DEPOSIT DAMAGED: {n} {noun}{which}; do not rely on it, get it again from its source")
            }
        }
    }

    /// Damage decides about the exit code, but for a command that could not be carried out.
    fn exit(&self, exit: Exit) -> Exit {
        let stopped = matches!(exit, Exit::Usage | Exit::Sandbox | Exit::Interrupted);
        if self.is_none() || stopped { exit } else { Exit::Damaged }
    }
}

/// The deposit that was named, if it is one: a study folder is none.
fn bundle_path(arguments: &args::Verify) -> Option<&PathBuf> {
    arguments.study.study.as_ref().filter(|path| path.exists() && !path.is_dir())
}

/// Verifies the container first: a hostile one is refused before anything inside it is read.
fn container(arguments: &args::Verify) -> Result<Option<Verification>, Exit> {
    let Some(path) = bundle_path(arguments) else { return Ok(None) };
    inputs::is_zip(path)?;
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    bundle::verify(path, &Limits::default(), progress.as_ref()).map(Some).map_err(|error| deposit::explain(&error))
}

/// What a bundle without the study's files lists of them.
fn kept_outside(arguments: &args::Verify) -> Result<Option<Vec<FileDigest>>, Exit> {
    let Some(path) = bundle_path(arguments) else { return Ok(None) };
    let listed = bundle::digests_inside(path).map_err(|error| deposit::explain(&error))?;
    let file = |(path, bytes, digest)| FileDigest { path, bytes, digest: Some(digest) };
    Ok(listed.map(|listed| listed.into_iter().map(file).collect()))
}

/// Compares a folder with the digests in a bundle.
fn compared(listed: &[FileDigest], folder: &Path, arguments: &args::Verify) -> Result<Vec<Finding>, Exit> {
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    let present =
        Folder::new(folder).and_then(|source| diff::digests(&source, progress.as_ref())).map_err(|error| {
            super::complain(&format!("{} cannot be read: {error}", folder.display()), "name the folder of the study");
            Exit::Unreadable
        })?;
    let present: BTreeMap<&str, &FileDigest> = present.iter().map(|file| (file.path.as_str(), file)).collect();
    let wanted: BTreeMap<&str, &FileDigest> = listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut findings = Vec::new();
    for (path, file) in &wanted {
        let (code, message) = match present.get(path) {
            Some(here) if here.digest == file.digest => continue,
            Some(_) => ("digest-differs", "the bundle lists another SHA-256"),
            None => ("bag-missing-file", "the bundle lists it, and the folder does not hold it"),
        };
        findings.push(Finding::new(code, Place::file(*path), message));
    }
    for path in present.keys().filter(|path| !wanted.contains_key(*path)) {
        findings.push(Finding::new("bag-unlisted-file", Place::file(*path), "the bundle does not list it"));
    }
    Ok(findings)
}

/// A bundle of digests alone: its container, manifests and descriptions are all that can be checked.
fn alone(arguments: &args::Verify, verified: &Verification, signatures: &Signatures, files: usize) -> Exit {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let message = format!(
        "the digests of {files} files are in the bundle and the files are not, so L0 to L6 were not checked: \
         give their folder with --archive DIR"
    );
    let mut findings = verified.findings.clone();
    findings.extend(signatures.findings());
    findings.push(Finding::new("archive-outside", Place::file(&verified.name), message));
    let damage = Damage::of(verified);
    let exit = damage.exit(Exit::of(&findings, arguments.study.allow_missing));
    let level = level(verified);
    output.line(&wrap(&damage.line(), 9));
    output.line("");
    output.line(&wrap(&chain::level_line(&level, chain::told(Level::L7, &findings)), 17));
    signatures.found.iter().for_each(|signature| output.line(&wrap(&line(signature), 17)));
    output.findings(&findings, 5);
    let result = serde_json::json!({
        "intact": damage.is_none(), "bundle": verified, "signatures": signatures.found,
    });
    let document = Envelope::new("verify")
        .with("levels", serde_json::json!([level]))
        .with("findings", serde_json::json!(findings))
        .result(result);
    output.document(&document.done(exit));
    exit
}

/// Checks the signatures beside a bundle.
fn signatures(arguments: &args::Verify) -> Result<Signatures, Exit> {
    match bundle_path(arguments) {
        Some(path) => bundle::signatures(path, &arguments.key).map_err(|error| deposit::explain(&error)),
        None if arguments.key.is_empty() => Ok(Signatures::default()),
        None => {
            super::complain("--key is for a bundle, and a folder has no signature", "name the zip, or leave --key out");
            Err(Exit::Usage)
        }
    }
}

/// A signature as a line of the summary.
fn line(signature: &Signature) -> String {
    let (word, detail) = match &signature.status {
        Status::Good(detail) => ("good", detail),
        Status::Wrong(detail) => ("WRONG", detail),
        Status::Unchecked(detail) => ("not checked", detail),
    };
    let name = signature.path.file_name().unwrap_or_default().to_string_lossy();
    format!("signature        {name}: {word}; {detail}")
}

fn level(verified: &Verification) -> LevelSummary {
    let mut level = LevelSummary::new(Level::L7);
    let wrong = verified.findings.iter().filter(|finding| finding.severity > Severity::Note).count();
    level.total = verified.entries as usize;
    level.checked = level.total;
    level.disagreed = wrong.min(level.total);
    level.agreed = level.total - level.disagreed;
    level.remark = Some(format!("{} payload files with two digests each", verified.payload_files));
    level
}
