//! From arguments to engines: which interpreters, which sandbox, which cache.

use std::path::PathBuf;
use std::sync::Arc;

use super::args::{EngineArgs, EngineName, TalkArgs};
use super::exit::Exit;
use crate::engine::{
    Cache, Cached, Engine, EngineChoice, EngineError, EngineOptions, Recorder, SandboxLevel, Twice, find_pythons, open,
    watch_interrupts,
};
use crate::report::did_you_mean;

/// Opens the engines that were asked for, each behind the cache; with `--no-cache` behind one that is empty.
pub(super) fn choose(arguments: &EngineArgs, talk: &TalkArgs) -> Result<Vec<Box<dyn Engine>>, Exit> {
    open_all(arguments, talk, None)
}

/// The same with a list of what each of them is asked: of every engine the one that executes first, then the one
/// that executes a second time.
pub(super) fn choose_recorded(
    arguments: &EngineArgs,
    talk: &TalkArgs,
) -> Result<(Vec<Box<dyn Engine>>, Vec<Arc<Recorder>>), Exit> {
    let mut recorders = Vec::new();
    let engines = open_all(arguments, talk, Some(&mut recorders))?;
    Ok((engines, recorders))
}

fn open_all(
    arguments: &EngineArgs,
    talk: &TalkArgs,
    mut recorders: Option<&mut Vec<Arc<Recorder>>>,
) -> Result<Vec<Box<dyn Engine>>, Exit> {
    watch_interrupts();
    let options = options(arguments, talk)?;
    let mut choices = Vec::new();
    if arguments.engine != EngineName::Cpython {
        choices.push(EngineChoice::Embedded);
    }
    if arguments.engine != EngineName::Embedded || !arguments.cpython.is_empty() {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let search: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let found = find_pythons(&arguments.cpython, &search).map_err(|error| explain(&error))?;
        choices.extend(found.into_iter().map(EngineChoice::CPython));
    }
    let cache = if arguments.no_cache { Cache::passing() } else { Cache::open(&folder(arguments.cache_dir.as_ref())) };
    let cache = Arc::new(cache.map_err(|error| explain(&error))?);
    let mut start = |choice: &EngineChoice, options: &EngineOptions| {
        let engine = open(choice, options).map_err(|error| explain(&error))?;
        let identity = engine.identity().clone();
        let cached = Cached::new(engine, Arc::clone(&cache));
        let Some(recorders) = recorders.as_deref_mut() else { return Ok(Box::new(cached) as Box<dyn Engine>) };
        let recorder = Arc::new(Recorder::new(identity, Arc::clone(&cache)));
        recorders.push(Arc::clone(&recorder));
        Ok(Box::new(cached.recorded_by(recorder)) as Box<dyn Engine>)
    };
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for choice in &choices {
        let first = start(choice, &options)?;
        engines.push(if arguments.once {
            first
        } else {
            let again = EngineOptions { hash_seed: SECOND_SEED, preflight: false, ..options.clone() };
            Box::new(Twice::new(first, start(choice, &again)?))
        });
    }
    Ok(engines)
}

/// Hash seed of the second execution of every program.
const SECOND_SEED: u32 = 1;

fn options(arguments: &EngineArgs, talk: &TalkArgs) -> Result<EngineOptions, Exit> {
    let worker = std::env::current_exe().map_err(|error| {
        super::complain(&format!("this program cannot find itself: {error}"), "start it by its path");
        Exit::Sandbox
    })?;
    let jobs = talk.jobs.filter(|&jobs| jobs > 0).unwrap_or_else(cores);
    let mut options = EngineOptions::new(worker, jobs);
    if let Some(name) = &arguments.sandbox {
        options.accepted = SandboxLevel::parse(name).ok_or_else(|| {
            let known: Vec<&str> = SandboxLevel::ALL.iter().map(|level| level.name()).collect();
            let near = did_you_mean(name, known.iter().copied());
            super::complain(
                &format!("no sandbox level is called {name:?}{near}"),
                &format!("levels: {}", known.join(", ")),
            );
            Exit::Usage
        })?;
    }
    Ok(options)
}

/// Cores this process may use; at least one.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The cache folder: as told, else where the system keeps caches of users.
pub(super) fn folder(told: Option<&PathBuf>) -> PathBuf {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    told.cloned()
        .or_else(|| of("XDG_CACHE_HOME").map(|cache| cache.join("repro")))
        .or_else(|| of("HOME").map(|home| home.join(".cache").join("repro")))
        .unwrap_or_else(|| std::env::temp_dir().join("repro-cache"))
}

/// An engine error for people, and the exit code it stands for.
pub(super) fn explain(error: &EngineError) -> Exit {
    let help = match error {
        EngineError::NoInterpreter { .. } => "--engine embedded needs no Python; --cpython PATH names one",
        EngineError::Sandbox { .. } => "a weaker level is accepted only by name; see docs/sandbox.md",
        EngineError::NoIsolation => "--keep-going checks everything else; run it on Linux for levels L1, L2 and L4",
        EngineError::Preflight { .. } => "no verdict of this sandbox can be trusted; `repro sandbox check` says more",
        EngineError::Cache { .. } => "--no-cache does without, --cache-dir names another folder",
        EngineError::NotInParts { .. } => "the parts are of other work; make them again with this version of the tool",
        EngineError::Interrupted => "run the same command again: it goes on where it stopped",
        _ => "run again with --jobs 1; if it stays, report it with the program named above",
    };
    super::complain(&error.to_string(), help);
    match error {
        EngineError::Cache { .. } => Exit::CannotWrite,
        EngineError::Interrupted => Exit::Interrupted,
        EngineError::NotInParts { .. } => Exit::Unreadable,
        _ => Exit::Sandbox,
    }
}
