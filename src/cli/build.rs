//! `repro build`: the whole chain, all stages, one summary at the end.

use super::exit::Exit;
use super::front::Beside;
use super::outputs::Wants;
use super::publish::{self, Made};
use super::{args, deposit, front};

pub(super) fn run(arguments: &args::Build) -> Result<Exit, Exit> {
    deposit::source_date_epoch()?;
    let wants = Wants { site: true, bundle: true };
    let Made { mut chain, rendered, outputs, publication } = publish::make(&arguments.publish, wants, &arguments.talk)?;
    chain.evaluated.findings.extend(rendered.findings.iter().cloned());
    // Both are complete before one of them takes its place, so the two always belong together.
    let site = publish::stage_site(&chain, &rendered, &outputs)?;
    let (deposit, staged) = deposit::stage_bundle(&chain, &rendered, &outputs, &publication, &arguments.deposit)?;
    site.publish()?;
    staged.publish(&deposit).inspect_err(|_| site.take_back())?;
    deposit.tell_former_signatures(chain.output);
    chain.evaluated.findings.extend(deposit.verified.findings.iter().chain(deposit.storage.iter()).cloned());
    front::write(&chain, &arguments.publish.out, &Beside::Bundle(deposit.written.digest, &deposit.path))?;
    chain.evaluated.ledger.record(deposit.level());
    let exit = chain.exit(&arguments.publish.study);

    let folder = &site.folder;
    chain.print_levels();
    chain.print_claims();
    chain.print_findings(3);
    chain.output.line(&format!("tables   {}", chain.evaluated.computed.tables.len()));
    chain.output.line(&format!("site     {} ({} pages)", folder.join("index.html").display(), rendered.pages));
    chain.output.line(&format!(
        "bundle   {} ({} entries, {} bytes)",
        deposit.path.display(),
        deposit.written.entries,
        crate::number::grouped(deposit.written.bytes)
    ));
    chain.output.line(&format!("         sha256:{}", deposit.written.digest));
    chain.output.line("");
    chain.output.line(&format!("Look at it: open {} in a browser,", folder.join("index.html").display()));
    chain.output.line(&format!("or run `repro serve {}`.", arguments.publish.out.out.join("site").display()));
    chain.print_verdict(exit);
    let mut document = chain.envelope("build");
    document.add("site", folder.display().to_string().into());
    document.add("pages", rendered.pages.into());
    document.add("bundle", serde_json::json!(deposit.written));
    document.add("bundle-path", deposit.path.display().to_string().into());
    chain.output.document(&document.done(exit));
    Ok(exit)
}
