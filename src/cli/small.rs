//! Small commands: `cache`, `sandbox check`, `debug`.

use std::path::Path;

use super::args::{CacheAction, DebugAction, EngineArgs, SandboxAction, TalkArgs};
use super::cannot_write;
use super::envelope::Envelope;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::progress;
use super::{deposit, engines, readings};
use crate::bundle::{self, Archived, BuildOptions, BundleContents};
use crate::engine::Cache;
use crate::engine::sandbox::{check, check_limits};
use crate::study::{Adapter, Author, Identity};
use crate::tree::Tree;
use crate::world::Source as _;
use crate::world::disk::{Folder, write_tree};
use crate::world::memory::Memory;

/// `repro cache size|clear`
pub(super) fn cache(action: &CacheAction) -> Result<Exit, Exit> {
    let (arguments, clear) = match action {
        CacheAction::Size(arguments) => (arguments, false),
        CacheAction::Clear(arguments) => (arguments, true),
    };
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let folder = engines::folder(arguments.cache_dir.as_ref());
    let (readings, reading_bytes) = readings::size(&folder);
    if clear {
        readings::clear(&folder).map_err(|error| cannot_write(&folder, &error))?;
    }
    let size = if clear { Cache::clear(&folder) } else { Cache::size(&folder) };
    let size = size.map_err(|error| cannot_write(&folder, &error))?;
    let verb = if clear { "removed" } else { "remembered" };
    output.line(&format!(
        "{} executions and {} readings of run files {verb}, {} bytes, in {}",
        crate::number::grouped(size.entries),
        crate::number::grouped(readings),
        crate::number::grouped(size.bytes + reading_bytes),
        folder.display()
    ));
    let result = serde_json::json!({
        "entries": size.entries, "bytes": size.bytes, "readings": readings, "reading-bytes": reading_bytes,
        "cleared": clear
    });
    output.document(&Envelope::new("cache").result(result).done(Exit::Good));
    Ok(Exit::Good)
}

/// `repro sandbox check`
pub(super) fn sandbox(action: &SandboxAction) -> Result<Exit, Exit> {
    let SandboxAction::Check { engine, talk } = action;
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    let uncached = EngineArgs { no_cache: true, once: true, ..engine.clone() };
    let mut failed = 0;
    let mut document = Vec::new();
    for engine in engines::choose(&uncached, &TalkArgs { jobs: talk.jobs, json: talk.json, quiet: talk.quiet })? {
        let identity = engine.identity();
        output.line(&format!("{}, sandbox {} ({})", identity.version, identity.level, identity.layers.names()));
        let rows =
            check(engine.as_ref(), &check_limits(), progress.as_ref()).map_err(|error| engines::explain(&error))?;
        for row in &rows {
            failed += usize::from(!row.held);
            let mark = if row.held { "ok  " } else { "FAIL" };
            output.line(&wrap(&format!("  {mark} {:28} {}", row.name, row.found), 35));
        }
        document.push(serde_json::json!({"engine": identity, "rows": rows}));
    }
    output.line(&if failed == 0 {
        "every program ended as it should".into()
    } else {
        format!("{failed} did not end as they should")
    });
    let exit = if failed == 0 { Exit::Good } else { Exit::Sandbox };
    let result = serde_json::json!({"engines": document, "failed": failed});
    output.document(&Envelope::new("sandbox").result(result).done(exit));
    Ok(exit)
}

/// `repro debug example-study DIR`
pub(super) fn debug(action: &DebugAction) -> Result<Exit, Exit> {
    let (folder, engine, talk) = match action {
        DebugAction::ExampleStudy { folder, engine, talk } => (folder, engine, talk),
        DebugAction::Pack { folder, target, talk } => return pack(folder, target, talk),
        DebugAction::Reference { folder } => return super::manual::reference(folder),
    };
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    let engines = engines::choose(engine, talk)?;
    let Some(engine) = engines.first() else { return Err(Exit::Sandbox) };
    let tree = crate::demo::example_study(engine.as_ref(), progress.as_ref()).map_err(|error| {
        super::complain(&error.to_string(), "the study is described in src/demo/content");
        Exit::Disagrees
    })?;
    write_tree(folder, &tree, &Memory::default()).map_err(|error| cannot_write(folder, &error))?;
    output.line(&format!("wrote {} files to {}", tree.len(), folder.display()));
    let result = serde_json::json!({"wrote": folder.display().to_string(), "files": tree.len()});
    output.document(&Envelope::new("debug").result(result).done(Exit::Good));
    Ok(Exit::Good)
}

/// `repro debug pack`: what writing a bundle costs, without the stages before it.
fn pack(folder: &Path, target: &Path, talk: &TalkArgs) -> Result<Exit, Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    let source = Folder::new(folder).map_err(|error| cannot_write(folder, &error))?;
    let author = Author { family: "Nobody".to_owned(), given: None, orcid: None, affiliation: None };
    let identity = Identity {
        id: "packed".to_owned(),
        title: "A folder, packed to measure".to_owned(),
        version: "0".to_owned(),
        date: "1980-01-01".to_owned(),
        description: "No study.".to_owned(),
        licence: "MIT".to_owned(),
        authors: vec![author],
        doi: None,
        url: None,
        site: None,
        publisher: None,
        keywords: Vec::new(),
        citation: None,
        demonstration: None,
        adapter: Adapter::default(),
    };
    let contents = BundleContents {
        archive: Archived::Files(source.entries().map_err(|error| cannot_write(folder, &error))?),
        scanned: None,
        results: Tree::default(),
        site: Tree::default(),
        schemas: Tree::default(),
        steps: Vec::new(),
        environment: serde_json::Value::Null,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        lock: String::new(),
    };
    let plan =
        bundle::build(&identity, contents, &BuildOptions::default()).map_err(|error| deposit::explain(&error))?;
    let written = bundle::write(&plan, &source, target, progress.as_ref()).map_err(|error| deposit::explain(&error))?;
    output.line(&format!("{} bytes of payload, {} of zip", written.payload_bytes, written.bytes));
    output.document(&Envelope::new("debug").result(serde_json::json!(written)).done(Exit::Good));
    Ok(Exit::Good)
}
