//! `repro verify`: integrity, execution, grading; a bundle also against itself.

use std::collections::BTreeMap;
use std::path::Path;

use super::args;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::{chain, deposit, progress};
use crate::bundle::{self, Limits, Signature, Signatures, Status, Verification};
use crate::diff::{self, FileDigest};
use crate::report::{Finding, Place, Severity};
use crate::statistics::readings::Counting;
use crate::verify::{Level, LevelSummary};
use crate::world::disk::Folder;

pub(super) fn run(arguments: &args::Verify) -> Result<Exit, Exit> {
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
    let mut chain = chain::run(&study, Some(&arguments.engine), Counting::default(), &arguments.talk)?;
    chain.evaluated.findings.extend(outside);
    if let Some(verified) = &container {
        chain.evaluated.findings.extend(verified.findings.iter().cloned());
        chain.evaluated.ledger.record(level(verified));
    }
    chain.evaluated.findings.extend(signatures.findings());
    let exit = chain.exit(&arguments.study);
    chain.print_levels();
    signatures.found.iter().for_each(|signature| chain.output.line(&wrap(&line(signature), 17)));
    chain.print_claims();
    chain.print_findings(5);
    let mut document = chain.document(exit);
    if let Some(verified) = &container {
        document.insert("bundle".into(), serde_json::json!(verified));
        document.insert("signatures".into(), serde_json::json!(signatures.found));
    }
    chain.output.document(&document.into());
    chain.leave();
    Ok(exit)
}

/// Verifies the container first: a hostile one is refused before anything inside it is read.
fn container(arguments: &args::Verify) -> Result<Option<Verification>, Exit> {
    let Some(path) = arguments.study.study.as_ref().filter(|path| path.is_file()) else { return Ok(None) };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    bundle::verify(path, &Limits::default(), progress.as_ref()).map(Some).map_err(|error| deposit::explain(&error))
}

/// What a bundle without the study's files lists of them.
fn kept_outside(arguments: &args::Verify) -> Result<Option<Vec<FileDigest>>, Exit> {
    let Some(path) = arguments.study.study.as_ref().filter(|path| path.is_file()) else { return Ok(None) };
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
    let exit = Exit::of(&findings, arguments.study.allow_missing);
    let level = level(verified);
    output.line(&chain::level_line(&level));
    signatures.found.iter().for_each(|signature| output.line(&wrap(&line(signature), 17)));
    output.findings(&findings, 5);
    output.document(&serde_json::json!({
        "tool": crate::pipeline::TOOL,
        "levels": [level],
        "bundle": verified,
        "signatures": signatures.found,
        "findings": findings,
        "exit": exit.code(),
    }));
    exit
}

/// Checks the signatures beside a bundle.
fn signatures(arguments: &args::Verify) -> Result<Signatures, Exit> {
    match arguments.study.study.as_ref().filter(|path| path.is_file()) {
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
