//! Opening an engine: find the interpreter, start it, look at its layers, prove them.

use super::contract::{Engine, EngineError, Identity};
use super::cpython::DRIVER;
use super::embedded::STAND_IN;
use super::options::{EngineChoice, EngineOptions};
use super::pool::{Pool, Recipe};
use super::sandbox::preflight;
use super::workplace;
use crate::digest::Digest;

/// Starts an engine. Refuses a level weaker than accepted, and a sandbox whose preflight fails.
pub fn open(choice: &EngineChoice, options: &EngineOptions) -> Result<Box<dyn Engine>, EngineError> {
    workplace::sweep(&std::env::temp_dir());
    let recipe = recipe(choice, options);
    let (first, hello) = recipe.start()?;
    let level = hello.layers.level();
    if level < options.accepted {
        return Err(EngineError::Sandbox { found: level, missing: level.missing().to_owned() });
    }
    let seed = options.hash_seed.to_le_bytes();
    let texts = [DRIVER.as_bytes(), STAND_IN.as_bytes()];
    let build = [hello.build.as_bytes(), texts[0], texts[1], env!("CARGO_PKG_VERSION").as_bytes(), &seed[..]];
    let identity = Identity {
        engine: recipe.kind.to_owned(),
        version: hello.version,
        float_sum: hello.float_sum,
        level,
        layers: hello.layers,
        revision: Digest::of_parts(build),
    };
    let pool = Pool::new(recipe, identity, first, options.jobs)?;
    if options.preflight {
        preflight(&pool)?;
        pool.forget_tally();
    }
    Ok(Box::new(pool))
}

fn recipe(choice: &EngineChoice, options: &EngineOptions) -> Recipe {
    let (kind, rest) = match choice {
        EngineChoice::Embedded => ("embedded", Vec::new()),
        EngineChoice::CPython(python) => {
            let paths = std::iter::once(&python.path).chain(&python.readable);
            ("cpython", paths.map(|path| path.display().to_string()).collect())
        }
    };
    Recipe {
        worker: options.worker.clone(),
        kind,
        without: options.without.clone(),
        hash_seed: options.hash_seed,
        rest,
    }
}
