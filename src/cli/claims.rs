//! `repro claims`: which printed numbers follow from the archive?

use std::collections::BTreeSet;
use std::path::Path;

use super::args;
use super::cannot_write;
use super::chain::{self, ATTENTION, Chain};
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs::Opened;
use super::multiverse;
use super::output::{Output, wrap};
use super::outputs;
use crate::claims::{self, DocumentKind, Judgement, MissingReason, lines};
use crate::pipeline;
use crate::report::did_you_mean;
use crate::statistics::readings::Counting;
use crate::verify::Level;
use crate::world::disk::{read_file, write_file};

/// Most claims that are listed one by one on a terminal.
const LISTED: usize = 60;

pub(super) fn run(arguments: &args::Claims) -> Result<Exit, Exit> {
    if let Some(document) = &arguments.suggest {
        return suggest(document, &arguments.talk);
    }
    let execution = arguments.execute.then_some(&arguments.engine);
    let prepare = |opened: &Opened| match &arguments.junit {
        Some(path) => outputs::writable(path, &opened.path),
        None => Ok(()),
    };
    let (mut chain, ()) =
        chain::run_into(&arguments.study, execution, Counting::default(), &arguments.talk, prepare, |(), _| Ok(()))?;
    let found = super::found::find(&mut chain, &arguments.from, arguments.out.as_deref())?;
    let judgements = &chain.evaluated.judgements;
    if judgements.ledgers.is_empty() {
        super::complain(
            "the study has no claims ledger",
            "name one with --claims FILE, or let the numbers of a document be found: repro claims --from paper.md",
        );
        return Err(Exit::NotCheckable);
    }
    if let Some(path) = &arguments.junit {
        write_file(path, claims::to_junit(judgements).as_bytes()).map_err(|error| cannot_write(path, &error))?;
    }
    let exit = chain.exit(&arguments.study);
    print(&chain);
    let survival = arguments.multiverse.then(|| pipeline::survival(&chain.evaluated));
    if let Some(survival) = &survival {
        multiverse::print(survival, &chain.evaluated.given.study, chain.output);
    }
    // The claims have just been told one by one; what was wrong with the files is told here.
    let told_here = |code: &str| Level::of(code) == Level::L6 && code != "bad-ledger";
    let others = chain.evaluated.findings.iter().filter(|finding| !told_here(finding.code)).cloned().collect();
    chain.output.findings(&others, 3);
    let mut result = found.map_or_else(|| judgements.to_json(), |found| found.to_json(judgements));
    if let (Some(survival), Some(members)) = (&survival, result.as_object_mut()) {
        members.insert("multiverse".to_owned(), survival.to_json());
    }
    chain.output.document(&chain.envelope("claims").result(result).done(exit));
    chain.leave();
    Ok(exit)
}

fn print(chain: &Chain) {
    let judgements = &chain.evaluated.judgements;
    chain.print_claims();
    if judgements.ledgers.iter().any(|ledger| ledger.by_words > 0) {
        chain
            .output
            .line(&wrap("                 bound by words, not by an author: correct the ledger where it is wrong", 17));
    }
    let attention = lines(judgements, &ATTENTION);
    for line in attention.iter().take(LISTED) {
        chain.output.line("");
        chain.output.line(&wrap(&format!("{}  {}", line.verdict.as_str(), line.id), 4));
        let basis = if line.basis.is_empty() { String::new() } else { format!(" (from {})", line.basis) };
        chain.output.line(&wrap(&format!("    printed {}, recomputed {}{basis}", line.printed, line.recomputed), 8));
        if !line.note.is_empty() {
            chain.output.line(&wrap(&format!("    {}", line.note), 8));
        }
        if !line.place.is_empty() {
            chain.output.line(&wrap(&format!("    {}", line.place), 8));
        }
        if !line.words.is_empty() {
            let words: Vec<String> = line.words.iter().map(|word| format!("\u{201c}{word}\u{201d}")).collect();
            chain.output.line(&wrap(&format!("    bound by its words: {}", words.join(", ")), 8));
        }
    }
    if attention.len() > LISTED {
        chain.output.line("");
        chain.output.line(&format!("... and {} more; --json lists all", attention.len() - LISTED));
    }
    chain.output.line("");
    for (reason, count) in &judgements.summary.missing {
        let word = serde_json::to_value(reason).ok().and_then(|value| value.as_str().map(str::to_owned));
        chain.output.line(&format!("not checkable    {count:>5}  {}", word.unwrap_or_default()));
        if *reason == MissingReason::NoStatistic {
            let of = |claim: &&Judgement| claim.missing == Some(*reason);
            for claim in judgements.claims.iter().filter(of).take(LISTED) {
                chain.output.line(&wrap(&format!("    {}: {}", claim.id, unanswered(claim, chain)), 8));
            }
        }
    }
}

/// Why no statistic answers a claim: what was said when it was judged, and the key that was probably meant.
fn unanswered(claim: &Judgement, chain: &Chain) -> String {
    let facts = &chain.evaluated.computed.facts;
    let mut said = claim.reason.clone().unwrap_or_default();
    for (key, value) in &claim.keys {
        let values: BTreeSet<&str> =
            facts.iter().filter_map(|fact| fact.keys.get(key.as_str())).map(String::as_str).collect();
        if values.is_empty() {
            let keys: BTreeSet<&str> = facts.iter().flat_map(|fact| fact.keys.keys()).map(String::as_str).collect();
            said.push_str(&format!("; no statistic has the key {key}{}", did_you_mean(key, keys)));
        } else if !values.contains(value.as_str()) {
            said.push_str(&format!("; none has {key}={value}{}", did_you_mean(value, values)));
        }
    }
    said
}

/// Proposes ledger entries for the numbers of a document.
fn suggest(path: &Path, talk: &args::TalkArgs) -> Result<Exit, Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let refused = |error: &dyn std::fmt::Display, help: &str| {
        super::complain(&format!("{} cannot be read: {error}", path.display()), help);
        Exit::Unreadable
    };
    let bytes = read_file(path).map_err(|error| refused(&error, "name a .md or .csv file"))?;
    let text = String::from_utf8(bytes).map_err(|error| refused(&error, "save the document as UTF-8"))?;
    let kind = match path.extension().and_then(|extension| extension.to_str()) {
        Some("md" | "markdown") => DocumentKind::Markdown,
        Some("csv") => DocumentKind::Csv,
        _ => return Err(refused(&"neither .md nor .csv", "name a Markdown document or a CSV table")),
    };
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let ledger = claims::suggest(&name, &text, kind);
    if !output.json && !output.quiet {
        output.raw(&ledger);
    }
    let document = Envelope::new("claims").result(serde_json::json!({"ledger": ledger}));
    output.document(&document.done(Exit::Good));
    Ok(Exit::Good)
}
