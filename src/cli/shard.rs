//! `repro verify --shard K/N`: one of several shares of the work, written as a part.

use std::path::Path;

use super::args::{self, Piece};
use super::chain::{executions_line, threads};
use super::envelope::Envelope;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::readings::Readings;
use super::{cannot_write, engines, inputs, outputs, progress};
use crate::digest::Digest;
use crate::engine::{Engine, PartEngine, PartHeader, Recorder, Tally, forget_interrupts, write_part};
use crate::packs;
use crate::pipeline::TOOL;
use crate::statistics::readings::Counting;
use crate::verify::{Share, StreamError, Subject, execute};
use crate::world::output::write_file;

pub(super) fn run(arguments: &args::Verify, piece: Piece, out: &Path) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    threads(&arguments.talk);
    let opened = inputs::open(&arguments.study)?;
    outputs::writable(out, &opened.path)?;
    if let Some(cache) = &arguments.engine.cache_dir {
        outputs::outside(cache, &opened.path)?;
    }
    let (engines, recorders) = engines::choose_recorded(&arguments.engine, &arguments.talk)?;
    let readings = Readings::of(&arguments.engine);
    let given = inputs::load(&opened, &arguments.study, Counting::default(), readings.as_ref(), progress.as_ref())?;
    let share = Share::new(&given.corpus, &given.archive, piece.number, piece.of);
    let borrowed: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
    let subject = Subject {
        source: opened.source.as_ref(),
        study: &given.study,
        corpus: &given.corpus,
        archive: &given.archive,
        means: packs::means(&borrowed),
    };
    let executed = execute(subject, &share, progress.as_ref());
    forget_interrupts();
    executed.map_err(|error| match error {
        StreamError::Engine(error) => engines::explain(&error),
        error @ StreamError::Archive(_) => {
            super::complain(&error.to_string(), "check the files of the study and run again");
            Exit::Unreadable
        }
    })?;
    let identity = &given.study.study;
    let header = PartHeader {
        tool: TOOL.to_owned(),
        study: format!("{} {}", identity.id, identity.version),
        path: opened.path.display().to_string(),
        include: arguments.study.include.clone(),
        archive: given.digest.to_string(),
        part: piece.number,
        of: piece.of,
        units: share.units,
        bytes: share.bytes,
        once: arguments.engine.once,
        engines: recorders.iter().map(|recorder| PartEngine::of(recorder.identity())).collect(),
    };
    let recorded: Vec<&Recorder> = recorders.iter().map(AsRef::as_ref).collect();
    let bytes = write_part(&header, &recorded);
    write_file(out, &bytes).map_err(|error| cannot_write(out, &error))?;
    let digest = Digest::of(&bytes);
    let tally = engines.iter().fold(Tally::default(), |tally, engine| tally + engine.tally());
    let settled: u64 = engines.iter().map(|engine| engine.settled()).sum();
    output.line(&wrap(&format!("study            {}, sha256:{}", header.study, given.digest), 17));
    let bytes_of = crate::number::grouped(share.bytes);
    let (number, of, units) = (piece.number, piece.of, share.units);
    let line = format!("share            {number} of {of}: {units} problems, {bytes_of} bytes of programs and answers");
    output.line(&wrap(&line, 17));
    output.line(&wrap(&executions_line(tally, settled), 17));
    output.line(&format!("part             {}, sha256:{digest}", out.display()));
    output.line(&wrap("                 `repro merge` of all parts says what holds", 17));
    let result = serde_json::json!({
        "part": header, "file": out.display().to_string(), "digest": digest.to_string(),
        "executions": {"run": tally.executed, "from-cache": tally.remembered, "equal": tally.repeated},
    });
    output.document(&Envelope::new("verify").result(result).done(Exit::Good));
    std::mem::forget(given);
    Ok(Exit::Good)
}
