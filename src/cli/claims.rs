//! `repro claims`: which printed numbers follow from the archive?

use std::path::Path;

use super::args;
use super::cannot_write;
use super::chain::{self, ATTENTION, Chain};
use super::exit::Exit;
use super::output::{Output, wrap};
use crate::claims::{self, DocumentKind, lines};
use crate::statistics::readings::Counting;
use crate::world::disk::{read_file, write_file};

/// Most claims that are listed one by one on a terminal.
const LISTED: usize = 60;

pub(super) fn run(arguments: &args::Claims) -> Result<Exit, Exit> {
    if let Some(document) = &arguments.suggest {
        return suggest(document, &arguments.talk);
    }
    let execution = arguments.execute.then_some(&arguments.engine);
    let mut chain = chain::run(&arguments.study, execution, Counting::default(), &arguments.talk)?;
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
    // The claims have just been told one by one; what was wrong with the files is told here.
    let others = chain.evaluated.findings.iter().filter(|finding| !finding.code.contains("claim")).cloned().collect();
    chain.output.findings(&others, 3);
    chain.output.document(&found.map_or_else(|| judgements.to_json(), |found| found.to_json(judgements)));
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
    }
    if attention.len() > LISTED {
        chain.output.line(&format!("\n... and {} more; --json lists all", attention.len() - LISTED));
    }
    chain.output.line("");
    for (reason, count) in &judgements.summary.missing {
        let reason = serde_json::to_value(reason).ok().and_then(|value| value.as_str().map(str::to_owned));
        chain.output.line(&format!("not checkable    {count:>5}  {}", reason.unwrap_or_default()));
    }
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
    output.document(&serde_json::json!({"ledger": ledger}));
    Ok(Exit::Good)
}
