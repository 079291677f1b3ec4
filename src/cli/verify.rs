//! `repro verify`: integrity, execution, grading; a bundle also against itself.

use super::args;
use super::exit::Exit;
use super::publish;
use super::{chain, progress};
use crate::bundle::{self, Limits, Verification};
use crate::report::Severity;
use crate::statistics::readings::Counting;
use crate::verify::{Level, LevelSummary};

pub(super) fn run(arguments: &args::Verify) -> Result<Exit, Exit> {
    let container = container(arguments)?;
    let mut chain = chain::run(&arguments.study, Some(&arguments.engine), Counting::default(), &arguments.talk)?;
    if let Some(verified) = &container {
        chain.evaluated.findings.extend(verified.findings.iter().cloned());
        chain.evaluated.ledger.record(level(verified));
    }
    let exit = chain.exit(&arguments.study);
    chain.print_levels();
    chain.print_claims();
    chain.print_findings(5);
    let mut document = chain.document(exit);
    if let Some(verified) = &container {
        document.insert("bundle".into(), serde_json::json!(verified));
    }
    chain.output.document(&document.into());
    Ok(exit)
}

/// Verifies the container first: a hostile one is refused before anything inside it is read.
fn container(arguments: &args::Verify) -> Result<Option<Verification>, Exit> {
    let Some(path) = arguments.study.study.as_ref().filter(|path| path.is_file()) else { return Ok(None) };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    bundle::verify(path, &Limits::default(), progress.as_ref()).map(Some).map_err(|error| publish::explain(&error))
}

fn level(verified: &Verification) -> LevelSummary {
    let mut level = LevelSummary::new(Level::L7);
    let wrong = verified.findings.iter().filter(|finding| finding.severity > Severity::Note).count();
    level.total = verified.entries as usize;
    level.checked = level.total;
    level.disagreed = wrong.min(level.total);
    level.agreed = level.total - level.disagreed;
    level.remark = Some(format!("{} payload files with two digests each", verified.payload_files));
    level
}
