//! `repro bundle`: write the deposit, set its DOI, say what a repository will do with it.

use std::path::Path;

use super::args::{self, BundleAction};
use super::exit::Exit;
use super::output::{Output, wrap};
use super::{build, chain, progress, publish};
use crate::bundle::{self, Repository};
use crate::statistics::readings::Counting;

pub(super) fn run(arguments: &args::Bundle) -> Result<Exit, Exit> {
    if let Some(BundleAction::SetDoi { bundle, doi }) = &arguments.action {
        return set_doi(bundle, doi, &arguments.talk);
    }
    let repository = repository(arguments)?;
    let counting = Counting { tokens: arguments.render.tokens };
    let mut chain = chain::run(&arguments.study, Some(&arguments.engine), counting, &arguments.talk)?;
    let rendered = publish::site(&chain, &arguments.render)?;
    let deposit = publish::write_bundle(&chain, &rendered, &arguments.out)?;
    chain.evaluated.ledger.record(build::deposit_level(&deposit));
    // What the study's data disagree about is in the deposit; this command answers for the deposit.
    let exit = Exit::of(&deposit.verified.findings, arguments.study.allow_missing);
    let exit = chain.held.map_or(exit, |held| held.max(exit));
    chain.output.line(&format!(
        "bundle   {} ({} entries, {} bytes)",
        deposit.path.display(),
        deposit.written.entries,
        crate::number::grouped(deposit.written.bytes)
    ));
    chain.output.line(&format!("         sha256:{}", deposit.written.digest));
    chain.output.findings(&deposit.verified.findings, 5);
    let mut document = chain.document(exit);
    document.insert("bundle".into(), serde_json::json!(deposit.written));
    document.insert("bundle-path".into(), deposit.path.display().to_string().into());
    if let Some(repository) = repository {
        let advice = advise(chain.output, repository, &deposit.path)?;
        document.insert("repository".into(), serde_json::json!(advice));
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

/// Says what the repository will do, and writes what should lie beside the bundle or around it.
fn advise(output: Output, repository: Repository, path: &Path) -> Result<bundle::Advice, Exit> {
    let advice = bundle::advise(repository, path).map_err(|error| publish::explain(&error))?;
    for finding in advice.findings.iter() {
        output.line(&wrap(&format!("  {}", finding.message), 4));
    }
    if advice.wrap {
        let outer = path.with_extension("outer.zip");
        bundle::wrap(path, &outer).map_err(|error| publish::explain(&error))?;
        output.line(&format!("  upload {} instead", outer.display()));
    }
    if !advice.beside.is_empty() {
        let folder = path.with_extension("beside");
        let written = bundle::write_beside(path, &advice.beside, &folder).map_err(|error| publish::explain(&error))?;
        output.line(&format!("  upload beside it: {} files in {}", written.len(), folder.display()));
    }
    Ok(advice)
}

fn set_doi(path: &Path, doi: &str, talk: &args::TalkArgs) -> Result<Exit, Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    let written = bundle::set_doi(path, doi, progress.as_ref()).map_err(|error| publish::explain(&error))?;
    output.line(&format!("bundle   {}\n         sha256:{}", path.display(), written.digest));
    output.document(&serde_json::json!({"bundle": written, "doi": doi}));
    Ok(Exit::Good)
}
