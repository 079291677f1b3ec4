//! How the commands that publish begin, and the versioned site on its way to its place.

use std::io;
use std::path::{Path, PathBuf};

use super::args::{PublishArgs, RenderArgs, TalkArgs, TranscriptChoice};
use super::chain::{self, Chain};
use super::exit::Exit;
use super::outputs::{self, Outputs, Wants};
use super::{cannot_write, front, other_content, previous, secrets};
use crate::pipeline::{Earlier, Publication, RunTexts, render, version_name};
use crate::site::{Options, Rendered, Transcripts, outside};
use crate::statistics::readings::Counting;
use crate::tree::{Content, Tree};
use crate::world::disk::Folder;
use crate::world::output::{exchange, fill};
use crate::world::{Source, memory::Memory};

/// What `build`, `site` and `bundle` have in hand before they write anything.
pub(super) struct Made {
    pub(super) chain: Chain,
    pub(super) rendered: Rendered,
    pub(super) outputs: Outputs,
    pub(super) publication: Publication,
}

/// Looks at the outputs, runs the chain, finds the version before and renders the site.
pub(super) fn make(arguments: &PublishArgs, wants: Wants, talk: &TalkArgs) -> Result<Made, Exit> {
    let counting = Counting { tokens: arguments.render.tokens };
    let (mut chain, outputs) = chain::run_into(
        &arguments.study,
        Some(&arguments.engine),
        counting,
        talk,
        |opened| outputs::prepare(&arguments.out, &opened.path),
        |outputs, given| outputs.check(given, wants),
    )?;
    let secrets = secrets::scan(chain.opened.source.as_ref(), &arguments.study.include, chain.progress.as_ref());
    chain.about_folder.extend(secrets);
    let earlier = previous::find(&chain, arguments, talk)?;
    let rendered = site(&chain, &arguments.render, &earlier)?;
    let publication = Publication::new(
        &chain.evaluated,
        &earlier,
        transcripts(arguments.render.transcripts),
        arguments.render.tokens,
    );
    Ok(Made { chain, rendered, outputs, publication })
}

fn transcripts(choice: TranscriptChoice) -> Transcripts {
    match choice {
        TranscriptChoice::All => Transcripts::All,
        TranscriptChoice::Failures => Transcripts::Failures,
        TranscriptChoice::None => Transcripts::None,
    }
}

/// The texts that pages show.
pub(super) fn texts(chain: &Chain, transcripts: Transcripts) -> Result<RunTexts, Exit> {
    if transcripts == Transcripts::None {
        return Ok(RunTexts::default());
    }
    let study = &chain.evaluated.given.study;
    RunTexts::read(chain.opened.source.as_ref(), study, chain.progress.as_ref()).map_err(|error| {
        super::complain(&error.to_string(), "a folder became unreadable while the tool ran; run again");
        Exit::Unreadable
    })
}

/// Renders the site.
fn site(chain: &Chain, arguments: &RenderArgs, earlier: &Earlier) -> Result<Rendered, Exit> {
    let transcripts = transcripts(arguments.transcripts);
    let texts = texts(chain, transcripts)?;
    render(&chain.evaluated, &texts, earlier, Options { transcripts }).map_err(|error| {
        super::complain(&format!("the site cannot be rendered: {error}"), "this is a fault of the tool; report it");
        Exit::CannotWrite
    })
}

/// A version of the site that is written and has not taken its place yet.
pub(super) struct StagedSite {
    /// Where it goes.
    pub(super) folder: PathBuf,
    /// Where it is; `None` when the same bytes stand there already.
    new: Option<PathBuf>,
    /// True when another version stood there, which is kept aside until the end.
    replaces: bool,
    _aside: Option<tempfile::TempDir>,
}

impl StagedSite {
    /// False when the same bytes stood there already.
    pub(super) const fn is_new(&self) -> bool {
        self.new.is_some()
    }

    /// Takes its place by one rename.
    pub(super) fn publish(&self) -> Result<(), Exit> {
        let Some(new) = &self.new else { return Ok(()) };
        exchange(new, &self.folder).map_err(|error| cannot_write(&self.folder, &error))
    }

    /// Undoes [`StagedSite::publish`], because what belongs to it could not be published.
    pub(super) fn take_back(&self) {
        let Some(new) = &self.new else { return };
        let undone = if self.replaces { exchange(new, &self.folder) } else { std::fs::rename(&self.folder, new) };
        if let Err(error) = undone {
            cannot_write(&self.folder, &error);
        }
    }
}

/// Writes a version of the site aside. One that exists stays unless its bytes are equal or `--replace` is
/// given.
pub(super) fn stage_site(chain: &Chain, rendered: &Rendered, outputs: &Outputs) -> Result<StagedSite, Exit> {
    let given = &chain.evaluated.given;
    let version = version_name(&given.study);
    let folder = front::folder_of(&outputs.out, &given.study.study.id).join(&version);
    let tree = outside(&rendered.tree, &version).map_err(|error| cannot_write(&folder, &io::Error::other(error)))?;
    if folder.is_dir() && same(&folder, &tree) {
        return Ok(StagedSite { folder, new: None, replaces: false, _aside: None });
    }
    let replaces = folder.exists();
    if replaces && !outputs.replace {
        return Err(other_content(&folder));
    }
    let failed = |error| cannot_write(&folder, &error);
    let aside = outputs.held.aside().map_err(failed)?;
    let new = aside.path().join("site");
    fill(&new, &tree, &Memory::default()).map_err(failed)?;
    Ok(StagedSite { folder, new: Some(new), replaces, _aside: Some(aside) })
}

/// True when the folder holds exactly the files of the tree.
fn same(folder: &Path, tree: &Tree) -> bool {
    let Ok(source) = Folder::new(folder) else { return false };
    let Ok(entries) = source.entries() else { return false };
    let content = |entry: &crate::world::Entry| match tree.get(&entry.path) {
        Some(Content::Bytes(bytes)) => {
            bytes.len() as u64 == entry.bytes && source.read(&entry.path).is_ok_and(|read| *read == **bytes)
        }
        _ => false,
    };
    entries.len() == tree.len() && entries.iter().all(content)
}
