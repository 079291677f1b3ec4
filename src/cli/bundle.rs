//! `repro bundle`: write the deposit, set its DOI, say what a repository will do with it.

use std::path::Path;

use super::args::{self, BundleAction};
use super::exit::Exit;
use super::output::{Output, wrap};
use super::publish::{self, Made};
use super::{deposit, front, progress};
use crate::bundle::{self, BundleError, Repository};
use crate::digest::Digest;

/// Most files stored under another name, or not at all, that are listed on a terminal.
const STORED_OTHERWISE: usize = 5;

pub(super) fn run(arguments: &args::Bundle) -> Result<Exit, Exit> {
    if let Some(BundleAction::SetDoi { bundle, doi }) = &arguments.action {
        return set_doi(bundle, doi, &arguments.talk);
    }
    let repository = repository(arguments)?;
    deposit::source_date_epoch()?;
    let Made { mut chain, rendered } = publish::make(&arguments.publish, &arguments.talk)?;
    let deposit = deposit::write_bundle(&chain, &rendered, &arguments.publish.out, &arguments.deposit)?;
    chain.evaluated.ledger.record(deposit.level());
    // What the study's data disagree about is in the deposit; this command answers for the deposit.
    let exit = Exit::of(&deposit.verified.findings, arguments.publish.study.allow_missing);
    let mut exit = chain.held.map_or(exit, |held| held.max(exit));
    chain.output.line(&format!(
        "bundle   {} ({} entries, {} bytes)",
        deposit.path.display(),
        deposit.written.entries,
        crate::number::grouped(deposit.written.bytes)
    ));
    chain.output.line(&format!("         sha256:{}", deposit.written.digest));
    for finding in deposit.storage.iter().take(STORED_OTHERWISE) {
        chain.output.line(&wrap(&format!("  {}: {}", finding.place, finding.message), 4));
    }
    if deposit.storage.len() > STORED_OTHERWISE {
        let more = deposit.storage.len() - STORED_OTHERWISE;
        chain.output.line(&format!("  ... and {more} more; metadata/names.csv and --json list all"));
    }
    chain.output.findings(&deposit.verified.findings, 5);
    let advised = repository.map(|repository| advise(chain.output, repository, &deposit.path)).transpose()?;
    if let Some((advice, _)) = &advised {
        exit = exit.max(Exit::of(&advice.findings, arguments.publish.study.allow_missing));
    }
    chain.evaluated.findings.extend(deposit.storage.iter().cloned());
    let mut document = chain.document(exit);
    document.insert("bundle".into(), serde_json::json!(deposit.written));
    document.insert("bundle-path".into(), deposit.path.display().to_string().into());
    if let Some((advice, adapted)) = &advised {
        document.insert("repository".into(), serde_json::json!(advice));
        document.insert("adapted".into(), serde_json::json!(adapted));
    }
    chain.output.document(&document.into());
    Ok(exit)
}

fn repository(arguments: &args::Bundle) -> Result<Option<Repository>, Exit> {
    let Some(word) = &arguments.repository else { return Ok(None) };
    Repository::parse(word).map(Some).ok_or_else(|| {
        let known: Vec<&str> = Repository::ALL.iter().map(|(name, _)| *name).collect();
        super::complain(&format!("no repository is called {word:?}"), &format!("known: {}", known.join(", ")));
        Exit::Usage
    })
}

/// Says what the repository will do, and writes what should lie beside the bundle or take its place.
fn advise(output: Output, repository: Repository, path: &Path) -> Result<(bundle::Advice, bundle::Adapted), Exit> {
    let advice = bundle::advise(repository, path).map_err(|error| deposit::explain(&error))?;
    for finding in advice.findings.iter() {
        output.line(&wrap(&format!("  {}", finding.message), 4));
    }
    let adapted = bundle::adapt(repository, &advice, path).map_err(|error| deposit::explain(&error))?;
    for file in &adapted.instead {
        output.line(&format!("  upload {} instead", file.display()));
    }
    if let Some(folder) = adapted.beside.first().and_then(|file| file.parent()) {
        output.line(&format!("  upload beside it: {} files in {}", adapted.beside.len(), folder.display()));
    }
    Ok((advice, adapted))
}

fn set_doi(path: &Path, doi: &str, talk: &args::TalkArgs) -> Result<Exit, Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    let digest = || std::fs::File::open(path).and_then(|mut file| Digest::of_reader(&mut file));
    let before =
        digest().map_err(|error| deposit::explain(&BundleError::Read { path: path.display().to_string(), error }))?;
    let written = bundle::set_doi(path, doi, progress.as_ref()).map_err(|error| deposit::explain(&error))?;
    output.line(&format!("bundle   {}\n         sha256:{}", path.display(), written.digest));
    if front::relist(path, before, written.digest)? {
        output.line("         the list of versions beside the site names it by this digest now");
    }
    deposit::former_signatures(output, path);
    output.document(&serde_json::json!({"bundle": written, "doi": doi}));
    Ok(Exit::Good)
}
