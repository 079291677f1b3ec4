//! `repro build`: the whole chain, all stages, one summary at the end.

use super::args;
use super::exit::Exit;
use super::{chain, previous, publish};
use crate::statistics::readings::Counting;
use crate::verify::{Level, LevelSummary};

pub(super) fn run(arguments: &args::Build) -> Result<Exit, Exit> {
    publish::source_date_epoch()?;
    let counting = Counting { tokens: arguments.render.tokens };
    let mut chain = chain::run(&arguments.study, Some(&arguments.engine), counting, &arguments.talk)?;
    let earlier = previous::find(
        &chain,
        &arguments.study,
        &arguments.engine,
        &arguments.render,
        (&arguments.out, &arguments.talk),
    )?;
    let rendered = publish::site(&chain, &arguments.render, &earlier)?;
    chain.evaluated.findings.extend(rendered.findings.iter().cloned());
    let folder = publish::write_site(&chain, &rendered, &arguments.out)?;
    let deposit = publish::write_bundle(&chain, &rendered, &arguments.out, &arguments.deposit)?;
    chain.evaluated.findings.extend(deposit.verified.findings.iter().chain(deposit.storage.iter()).cloned());
    publish::write_front(&chain, &arguments.out, Some(deposit.written.digest))?;
    chain.evaluated.ledger.record(deposit_level(&deposit));
    let exit = chain.exit(&arguments.study);

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
    chain.output.line(&format!("or run `repro serve {}`.", arguments.out.out.join("site").display()));
    let mut document = chain.document(exit);
    document.insert("site".into(), folder.display().to_string().into());
    document.insert("pages".into(), rendered.pages.into());
    document.insert("bundle".into(), serde_json::json!(deposit.written));
    document.insert("bundle-path".into(), deposit.path.display().to_string().into());
    chain.output.document(&document.into());
    Ok(exit)
}

/// L7 in numbers: entries of the written bundle that read back as they should.
pub(super) fn deposit_level(deposit: &publish::Deposit) -> LevelSummary {
    let mut level = LevelSummary::new(Level::L7);
    let wrong = deposit.verified.findings.iter().filter(|finding| finding.severity > crate::report::Severity::Note);
    let wrong = wrong.count().min(deposit.verified.entries as usize);
    level.total = deposit.verified.entries as usize;
    level.checked = level.total;
    level.agreed = level.total - wrong;
    level.disagreed = wrong;
    level.remark = Some("read back from the bundle".to_owned());
    level
}
