//! From arguments to a study: which folder or bundle, and ledgers outside of it.

use std::path::{Path, PathBuf};

use super::args::StudyArgs;
use super::exit::Exit;
use crate::bundle::{self, BundleSource};
use crate::pipeline::{Given, Outside, kept_ledger, read};
use crate::statistics::readings::Counting;
use crate::world::disk::{Folder, read_file};
use crate::world::{Progress, Source};

/// Folder with the studies that ship with the tool.
const SHIPPED: &str = "results";

/// An opened study.
pub(super) struct Opened {
    pub(super) source: Box<dyn Source>,
    pub(super) path: PathBuf,
    pub(super) is_bundle: bool,
}

/// Opens the study that was asked for, or the one that ships with the tool.
pub(super) fn open(arguments: &StudyArgs) -> Result<Opened, Exit> {
    let path = match &arguments.study {
        Some(path) => path.clone(),
        None => shipped()?,
    };
    let failed = |error: &dyn std::fmt::Display, help: &str| {
        super::complain(&format!("{} cannot be opened: {error}", path.display()), help);
        Exit::Unreadable
    };
    if path.is_file() {
        let source = BundleSource::open(&path)
            .map_err(|error| failed(&error, "a study is a folder, or a bundle written by `repro bundle`"))?;
        if bundle::digests_inside(&path).is_ok_and(|listed| listed.is_some()) {
            let help = "name the folder of the study; `repro verify` takes both: verify BUNDLE --archive DIR";
            return Err(failed(&"it holds the digests of its study and not the files", help));
        }
        return Ok(Opened { source: Box::new(source), path, is_bundle: true });
    }
    let folder = Folder::new(&path)
        .map_err(|error| failed(&error, "name the folder of a study, or a bundle; `repro init` helps with new ones"))?;
    Ok(Opened { source: Box::new(folder), path, is_bundle: false })
}

fn shipped() -> Result<PathBuf, Exit> {
    let mut studies: Vec<PathBuf> = std::fs::read_dir(SHIPPED)
        .into_iter()
        .flatten()
        .flatten()
        .map(|child| child.path())
        .filter(|path| path.join("study.toml").is_file())
        .collect();
    studies.sort();
    studies.into_iter().next().ok_or_else(|| {
        super::complain(
            "no study was named and there is none in ./results",
            "name a folder or a bundle: repro build STUDY",
        );
        Exit::Usage
    })
}

/// Reads a study with everything that belongs to it. Ledgers that the study names but does not hold are
/// looked for beside it, unless `--offline-strict`.
pub(super) fn load(
    opened: &Opened,
    arguments: &StudyArgs,
    counting: Counting,
    progress: &dyn Progress,
) -> Result<Given, Exit> {
    let mut named = Vec::new();
    for path in &arguments.claims {
        let bytes = read_file(path).map_err(|error| {
            super::complain(
                &format!("{} cannot be read: {error}", path.display()),
                "name a claims ledger with --claims",
            );
            Exit::Unreadable
        })?;
        named.push((path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()), bytes));
    }
    let beside = |path: &str| {
        if opened.is_bundle {
            kept(&opened.path, path)
        } else if arguments.offline_strict {
            None
        } else {
            beside(&opened.path, path)
        }
    };
    read(opened.source.as_ref(), counting, &Outside { named, beside: &beside }, progress).map_err(|error| {
        super::complain(
            &error.to_string(),
            "`repro explain exit-3` says what is needed; `repro init` helps with a new layout",
        );
        Exit::Unreadable
    })
}

/// A ledger that stood beside the study and was put into its bundle.
fn kept(bundle: &Path, path: &str) -> Option<Vec<u8>> {
    BundleSource::open_payload(bundle).ok()?.read(&format!("results/{}", kept_ledger(path))).ok()
}

/// A file next to the folder of a study.
fn beside(study: &Path, path: &str) -> Option<Vec<u8>> {
    let parent = study.canonicalize().ok()?.parent()?.to_owned();
    read_file(&parent.join(path)).ok()
}
