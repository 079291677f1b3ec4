//! From arguments to a study: which folder or bundle, and ledgers outside of it.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::args::StudyArgs;
use super::exit::Exit;
use super::readings::{Readings, maker};
use crate::archive::Store;
use crate::bundle::{self, BundleSource};
use crate::formats::{self, Listing};
use crate::packs;
use crate::pipeline::{Given, Outside, Publication, kept_ledger, read};
use crate::statistics::readings::Counting;
use crate::world::disk::{Folder, read_file};
use crate::world::{Beside, LeftOut, Progress, Source, StudyFolder};

/// Folder with the studies that ship with the tool.
const SHIPPED: &str = "results";

/// An opened study.
pub(super) struct Opened {
    pub(super) source: Box<dyn Source>,
    pub(super) path: PathBuf,
    pub(super) is_bundle: bool,
    /// What lies in the folder and is no part of the study.
    pub(super) left_out: Vec<LeftOut>,
    /// With what choices a bundle was published, as it says.
    pub(super) publication: Option<Publication>,
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
    if path.exists() && !path.is_dir() {
        is_zip(&path)?;
        let source = BundleSource::open(&path)
            .map_err(|error| failed(&error, "a study is a folder, or a bundle written by `repro bundle`"))?;
        if bundle::digests_inside(&path).is_ok_and(|listed| listed.is_some()) {
            let help = "name the folder of the study; `repro verify` takes both: verify BUNDLE --archive DIR";
            return Err(failed(&"it holds the digests of its study and not the files", help));
        }
        let source = Box::new(StudyFolder::whole(source));
        let publication = publication(&path);
        return Ok(Opened { source, path, is_bundle: true, left_out: Vec::new(), publication });
    }
    let opened = if arguments.offline_strict {
        Folder::new(&path).map(|folder| Box::new(folder) as Box<dyn Source>)
    } else {
        folder(&path)
    };
    let source = opened
        .map_err(|error| failed(&error, "name the folder of a study, or a bundle; `repro init` helps with new ones"))?;
    let source = StudyFolder::sifted(source, arguments.include.clone());
    let left_out = source.left_out().map_err(|error| failed(&error, "check that the folder can be listed"))?;
    Ok(Opened { source: Box::new(source), path, is_bundle: false, left_out, publication: None })
}

/// Refuses a file that is no zip by its first bytes, before anything else is said of it.
pub(super) fn is_zip(path: &Path) -> Result<(), Exit> {
    let mut begin = Vec::new();
    let read = std::fs::metadata(path).and_then(|metadata| {
        if !metadata.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        std::fs::File::open(path)?.take(4).read_to_end(&mut begin)
    });
    let (what, help) = match read {
        Err(error) => (format!("{} cannot be opened: {error}", path.display()), "check its permissions"),
        // A zip begins with an entry, an empty one with its end record.
        Ok(_) if begin == b"PK\x03\x04" || begin == b"PK\x05\x06" => return Ok(()),
        Ok(_) => (
            format!("{} is neither a study folder nor a zip", path.display()),
            "name the folder of a study, or the zip that `repro bundle` wrote; a download may have given a page instead",
        ),
    };
    super::complain(&what, help);
    Err(Exit::Unreadable)
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
        (Err(_), Ok(listing)) => packs::formats()
            .assumed(&listing)
            .is_ok_and(|declared| declared.study.sets.iter().any(|set| set.path == *name)),
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

/// Reads a study with everything that belongs to it. Ledgers that the study names but does not hold are taken
/// from those named with `--claims`, and from nowhere else: a study decides about no file outside of it.
pub(super) fn load(
    opened: &Opened,
    arguments: &StudyArgs,
    counting: Counting,
    store: Option<&Readings>,
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
    for name in opened.publication.iter().flat_map(|publication| &publication.ledgers) {
        named.extend(kept(&opened.path, name).map(|bytes| (name.clone(), bytes)));
    }
    let beside = |path: &str| {
        if opened.is_bundle {
            return kept(&opened.path, path);
        }
        let named = arguments.claims.iter().find(|named| named.ends_with(path))?;
        read_file(named).ok()
    };
    let memory = store.and_then(|store| Some((store as &dyn Store, maker()?)));
    read(opened.source.as_ref(), counting, &Outside { named, beside: &beside, memory }, progress).map_err(|error| {
        super::complain(
            &error.to_string(),
            "`repro explain exit-3` says what is needed; `repro init` helps with a new layout",
        );
        Exit::Unreadable
    })
}

pub(super) fn publication(bundle: &Path) -> Option<Publication> {
    let text = BundleSource::open_payload(bundle).ok()?.read("provenance/environment.json").ok()?;
    Publication::of(&serde_json::from_slice(&text).ok()?)
}

/// A ledger that stood beside the study and was put into its bundle.
fn kept(bundle: &Path, path: &str) -> Option<Vec<u8>> {
    BundleSource::open_payload(bundle).ok()?.read(&format!("results/{}", kept_ledger(path))).ok()
}
