//! `repro merge`: what one machine would have said, from the parts of several.

use std::path::PathBuf;

use super::args::{self, EngineArgs, EngineName, StudyArgs};
use super::chain::Execution;
use super::exit::Exit;
use super::{engines, verify};
use crate::engine::{PartError, Parts, Recorded};
use crate::pipeline::TOOL;

pub(super) fn run(arguments: &args::Merge) -> Result<Exit, Exit> {
    let parts = Parts::gather(&arguments.parts).map_err(|error| explain(&error))?;
    let header = parts.header.clone();
    if header.tool != TOOL {
        super::complain(
            &format!("the parts were made by {}, and this is {TOOL}", header.tool),
            "merge with the version that made them",
        );
        return Err(Exit::Unreadable);
    }
    for (path, part) in &parts.repeated {
        super::remark(&format!("{} is part {part} again; it changes nothing", path.display()));
    }
    let study = arguments.study.clone().unwrap_or_else(|| PathBuf::from(&header.path));
    let verify = args::Verify {
        study: StudyArgs {
            study: Some(study.clone()),
            claims: arguments.claims.clone(),
            allow_missing: arguments.allow_missing,
            keep_going: false,
            offline_strict: false,
            include: header.include.clone(),
        },
        key: Vec::new(),
        archive: None,
        shard: None,
        out: None,
        engine: EngineArgs {
            engine: EngineName::Embedded,
            cpython: Vec::new(),
            sandbox: None,
            once: header.once,
            no_cache: true,
            cache_dir: None,
        },
        talk: arguments.talk.clone(),
    };
    let engines = Recorded::engines(parts).map_err(|error| engines::explain(&error))?;
    verify::with(&verify, Execution::Given(engines), |given| {
        let digest = given.digest.to_string();
        if digest == header.archive {
            return Ok(());
        }
        super::complain(
            &format!(
                "the parts are of {} with the digest sha256:{}, and {} has sha256:{digest}",
                header.study,
                header.archive,
                study.display()
            ),
            "name the study that the parts were made from with --study",
        );
        Err(Exit::Unreadable)
    })
}

/// Why parts cannot be merged, and the exit code for it: a lost part is missing evidence, everything else is
/// unreadable.
fn explain(error: &PartError) -> Exit {
    let help = match error {
        PartError::Lost { .. } => "run the shares with these numbers, and merge again",
        PartError::Mixed { .. } => {
            "merge only parts of one study, made with one version, one engine and one number of parts"
        }
        PartError::Contradiction { .. } => "run this share again, and give one file for it",
        PartError::Damaged { .. } => "run this share again",
        PartError::None | PartError::Io { .. } | PartError::NoPart { .. } => {
            "name the files that `repro verify --shard K/N --out FILE` wrote"
        }
    };
    super::complain(&error.to_string(), help);
    match error {
        PartError::Lost { .. } => Exit::NotCheckable,
        _ => Exit::Unreadable,
    }
}
