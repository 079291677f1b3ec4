//! From arguments to a study: which folder or bundle, and ledgers outside of it.

use std::path::{Path, PathBuf};

use super::args::StudyArgs;
use super::exit::Exit;
use crate::bundle::{self, BundleSource};
use crate::formats::{self, Listing};
use crate::pipeline::{Given, Outside, kept_ledger, read};
use crate::statistics::readings::Counting;
use crate::world::disk::{Folder, read_file};
use crate::world::{Beside, Progress, Source};

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
    let opened = if arguments.offline_strict {
        Folder::new(&path).map(|folder| Box::new(folder) as Box<dyn Source>)
    } else {
        folder(&path)
    };
    let source = opened
        .map_err(|error| failed(&error, "name the folder of a study, or a bundle; `repro init` helps with new ones"))?;
    Ok(Opened { source, path, is_bundle: false })
}

/// A folder, with the problem files beside it that its results are of and that it does not hold itself.
pub(super) fn folder(path: &Path) -> std::io::Result<Box<dyn Source>> {
    let inside = Folder::new(path)?;
    let known = crate::packs::recognise(&inside);
    let wanted: Vec<String> = match &known {
        Ok(known) => {
            let paths = known.study.sets.iter().filter(|set| set.format.is_some()).map(|set| set.path.clone());
            paths.filter(|path| !path.is_empty() && !path.contains('/') && !inside.exists(path)).collect()
        }
        Err(_) => formats::BESIDE.iter().map(|name| (*name).to_owned()).collect(),
    };
    let parent = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned));
    let (false, Some(parent)) = (wanted.is_empty(), parent) else { return Ok(Box::new(inside)) };
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).filter(|name| parent.join(name).is_file()).collect();
    if wanted.is_empty() {
        return Ok(Box::new(inside));
    }
    let both = Beside::new(inside, Folder::new(&parent)?, &wanted);
    // Without a declaration a file beside belongs to the study only when its results are of it.
    let used = |name: &String| match (&known, Listing::new(&both)) {
        (Ok(_), _) => true,
        (Err(_), Ok(listing)) => {
            formats::assumed(&listing).is_ok_and(|declared| declared.study.sets.iter().any(|set| set.path == *name))
        }
        (Err(_), Err(_)) => false,
    };
    let used: Vec<String> = both.added().iter().filter(|name| used(name)).cloned().collect();
    let used: Vec<&str> = used.iter().map(String::as_str).collect();
    Ok(Box::new(Beside::new(Folder::new(path)?, Folder::new(&parent)?, &used)))
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
