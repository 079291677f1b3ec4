//! `repro build`: the whole chain, all stages, one summary at the end.

use super::exit::Exit;
use super::publish::{self, Made};
use super::{args, deposit, front};

pub(super) fn run(arguments: &args::Build) -> Result<Exit, Exit> {
    deposit::source_date_epoch()?;
    let Made { mut chain, rendered } = publish::make(&arguments.publish, &arguments.talk)?;
    chain.evaluated.findings.extend(rendered.findings.iter().cloned());
    let folder = publish::write_site(&chain, &rendered, &arguments.publish.out)?;
    let deposit = deposit::write_bundle(&chain, &rendered, &arguments.publish.out, &arguments.deposit)?;
    chain.evaluated.findings.extend(deposit.verified.findings.iter().chain(deposit.storage.iter()).cloned());
    front::write(&chain, &arguments.publish.out, Some(deposit.written.digest))?;
    chain.evaluated.ledger.record(deposit.level());
    let exit = chain.exit(&arguments.publish.study);

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
    let mut document = chain.document(exit);
    document.insert("site".into(), folder.display().to_string().into());
    document.insert("pages".into(), rendered.pages.into());
    document.insert("bundle".into(), serde_json::json!(deposit.written));
    document.insert("bundle-path".into(), deposit.path.display().to_string().into());
    chain.output.document(&document.into());
    Ok(exit)
}
