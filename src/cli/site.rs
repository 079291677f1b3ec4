//! `repro site`: render the versioned site.

use super::exit::Exit;
use super::publish::{self, Made};
use super::{args, front};

pub(super) fn run(arguments: &args::Site) -> Result<Exit, Exit> {
    let Made { mut chain, rendered } = publish::make(&arguments.publish, &arguments.talk)?;
    let broken = rendered.findings.iter().any(|finding| finding.code == "broken-link");
    chain.evaluated.findings.extend(rendered.findings.iter().cloned());
    let folder = publish::write_site(&chain, &rendered, &arguments.publish.out)?;
    front::write(&chain, &arguments.publish.out, None)?;
    // What the study's data disagree about is on the pages; this command answers for the pages.
    let exit = if broken { Exit::Disagrees } else { chain.held.unwrap_or(Exit::Good) };
    chain.print_findings(1);
    chain.output.line(&format!("site     {} ({} pages)", folder.join("index.html").display(), rendered.pages));
    let mut document = chain.document(exit);
    document.insert("site".into(), folder.display().to_string().into());
    document.insert("pages".into(), rendered.pages.into());
    chain.output.document(&document.into());
    Ok(exit)
}
