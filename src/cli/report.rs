//! `repro report`: two pages that a reviewer can paste or attach.

use super::args;
use super::cannot_write;
use super::chain;
use super::exit::Exit;
use crate::issues::Issues;
use crate::pipeline::{self, Evaluated, TOOL};
use crate::review::{self, Review, to_html, to_markdown};
use crate::statistics::readings::Counting;
use crate::world::disk::write_file;

pub(super) fn run(arguments: &args::Report) -> Result<Exit, Exit> {
    let html = match &arguments.out {
        None => false,
        Some(path) => match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => true,
            Some("md" | "markdown") => false,
            _ => {
                let what = format!("{} is neither .md nor .html", path.display());
                super::complain(&what, "end the name of the report in .md or .html; a browser prints HTML as PDF");
                return Err(Exit::Usage);
            }
        },
    };
    let chain = chain::run(&arguments.study, Some(&arguments.engine), Counting::default(), &arguments.talk)?;
    let review = of(&chain.evaluated, &chain.evaluated.issues());
    let text = if html { to_html(&review) } else { to_markdown(&review) };
    let exit = chain.exit(&arguments.study);
    match &arguments.out {
        Some(path) => {
            write_file(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))?;
            chain.output.line(&review.verdict);
            chain.output.line(&format!("wrote {}", path.display()));
        }
        None if !chain.output.json && !chain.output.quiet => chain.output.raw(&text),
        None => {}
    }
    let document = chain.envelope("report").result(serde_json::json!({"verdict": review.verdict, "report": text}));
    chain.output.document(&document.done(exit));
    chain.leave();
    Ok(exit)
}

fn of(evaluated: &Evaluated, issues: &Issues) -> Review {
    let computed = &evaluated.computed;
    let survival = pipeline::survival(evaluated);
    review::of(&review::Subject {
        study: &evaluated.given.study,
        archive: &evaluated.given.archive,
        ledger: &evaluated.ledger,
        judgements: &evaluated.judgements,
        survival: &survival,
        findings: &evaluated.findings,
        issues,
        computed: (computed.facts.iter().filter(|fact| fact.estimate.point().is_some()).count(), computed.tables.len()),
        digest: evaluated.given.digest,
        tool: TOOL,
    })
}
