//! `repro bundle`: write the deposit, set its DOI, say what a repository will do with it.

use std::path::Path;

use super::args::{self, BundleAction};
use super::envelope::Envelope;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::outputs::Wants;
use super::publish::{self, Made};
use super::{deposit, front, progress};
use crate::bundle::{self, BundleError, Repository};
use crate::digest::Digest;
use crate::report::did_you_mean;

/// Most files stored under another name, or not at all, that are listed on a terminal.
const STORED_OTHERWISE: usize = 5;

pub(super) fn run(arguments: &args::Bundle) -> Result<Exit, Exit> {
    if let Some(BundleAction::SetDoi { bundle, doi }) = &arguments.action {
        return set_doi(bundle, doi, &arguments.talk);
    }
    let repository = repository(arguments)?;
    deposit::source_date_epoch()?;
    let wants = Wants { site: false, bundle: true };
    let Made { mut chain, rendered, outputs, publication } = publish::make(&arguments.publish, wants, &arguments.talk)?;
    let (deposit, staged) = deposit::stage_bundle(&chain, &rendered, &outputs, &publication, &arguments.deposit)?;
    staged.publish(&deposit)?;
    deposit.tell_former_signatures(chain.output);
    chain.evaluated.ledger.record(deposit.level());
    chain.evaluated.findings.extend(deposit.verified.findings.iter().cloned());
    let mut exit = chain.exit(&arguments.publish.study);
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
    chain.print_findings(1);
    let advised = repository.map(|repository| advise(chain.output, repository, &deposit.path)).transpose()?;
    if let Some((advice, _)) = &advised {
        exit = exit.max(Exit::of(&advice.findings, arguments.publish.study.allow_missing));
    }
    chain.evaluated.findings.extend(deposit.storage.iter().cloned());
    chain.print_verdict(exit);
    let mut document = chain.envelope("bundle");
    document.add("bundle", serde_json::json!(deposit.written));
    document.add("bundle-path", deposit.path.display().to_string().into());
    if let Some((advice, adapted)) = &advised {
        document.add("repository", serde_json::json!(advice));
        document.add("adapted", serde_json::json!(adapted));
    }
    chain.output.document(&document.done(exit));
    Ok(exit)
}

fn repository(arguments: &args::Bundle) -> Result<Option<Repository>, Exit> {
    let Some(word) = &arguments.repository else { return Ok(None) };
    Repository::parse(word).map(Some).ok_or_else(|| {
        let known: Vec<&str> = Repository::ALL.iter().map(|(name, _)| *name).collect();
        let near = did_you_mean(word, known.iter().copied());
        super::complain(&format!("no repository is called {word:?}{near}"), &format!("known: {}", known.join(", ")));
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
    output.line(&format!("bundle   {}", path.display()));
    output.line(&format!("         sha256:{}", written.digest));
    if front::relist(path, before, written.digest)? {
        output.line("         the list of versions beside the site names it by this digest now");
    }
    deposit::former_signatures(output, path);
    let result = serde_json::json!({"bundle": written, "doi": doi});
    output.document(&Envelope::new("bundle").result(result).done(Exit::Good));
    Ok(Exit::Good)
}
