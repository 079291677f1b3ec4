//! `repro site`: render the versioned site.

use super::exit::Exit;
use super::front::Beside;
use super::outputs::Wants;
use super::publish::{self, Made};
use super::{args, front};

pub(super) fn run(arguments: &args::Site) -> Result<Exit, Exit> {
    let wants = Wants { site: true, bundle: false };
    let Made { mut chain, rendered, outputs, .. } = publish::make(&arguments.publish, wants, &arguments.talk)?;
    chain.evaluated.findings.extend(rendered.findings.iter().cloned());
    let site = publish::stage_site(&chain, &rendered, &outputs)?;
    site.publish()?;
    let beside = if site.is_new() { Beside::None } else { Beside::AsListed };
    front::write(&chain, &arguments.publish.out, &beside)?;
    let exit = chain.exit(&arguments.publish.study);
    chain.print_findings(1);
    chain.output.line(&format!("site     {} ({} pages)", site.folder.join("index.html").display(), rendered.pages));
    chain.print_verdict(exit);
    let mut document = chain.envelope("site");
    document.add("site", site.folder.display().to_string().into());
    document.add("pages", rendered.pages.into());
    chain.output.document(&document.done(exit));
    Ok(exit)
}
