//! How the commands that publish begin, and writing the versioned site.

use std::path::{Path, PathBuf};

use super::args::{OutArgs, PublishArgs, RenderArgs, TalkArgs, TranscriptChoice};
use super::chain::{self, Chain};
use super::exit::Exit;
use super::{cannot_write, front, other_content, previous};
use crate::pipeline::{Earlier, Texts, render, version_name};
use crate::site::{Options, Rendered, Transcripts};
use crate::statistics::readings::Counting;
use crate::tree::{Content, Tree};
use crate::world::disk::{Folder, write_tree};
use crate::world::{Source, memory::Memory};

/// What `build`, `site` and `bundle` have in hand before they write anything.
pub(super) struct Made {
    pub(super) chain: Chain,
    pub(super) rendered: Rendered,
}

/// Runs the chain, finds the version before and renders the site.
pub(super) fn make(arguments: &PublishArgs, talk: &TalkArgs) -> Result<Made, Exit> {
    let counting = Counting { tokens: arguments.render.tokens };
    let chain = chain::run(&arguments.study, Some(&arguments.engine), counting, talk)?;
    let earlier = previous::find(&chain, arguments, talk)?;
    let rendered = site(&chain, &arguments.render, &earlier)?;
    Ok(Made { chain, rendered })
}

/// Renders the site.
fn site(chain: &Chain, arguments: &RenderArgs, earlier: &Earlier) -> Result<Rendered, Exit> {
    let transcripts = match arguments.transcripts {
        TranscriptChoice::All => Transcripts::All,
        TranscriptChoice::Failures => Transcripts::Failures,
        TranscriptChoice::None => Transcripts::None,
    };
    let texts = match transcripts {
        Transcripts::None => Texts::default(),
        _ => {
            let study = &chain.evaluated.given.study;
            Texts::read(chain.opened.source.as_ref(), study, chain.progress.as_ref()).map_err(|error| {
                super::complain(&error.to_string(), "a folder became unreadable while the tool ran; run again");
                Exit::Unreadable
            })?
        }
    };
    render(&chain.evaluated, &texts, earlier, Options { transcripts }).map_err(|error| {
        super::complain(&format!("the site cannot be rendered: {error}"), "this is a fault of the tool; report it");
        Exit::CannotWrite
    })
}

/// Where a version of the site goes.
fn site_folder(chain: &Chain, out: &OutArgs) -> PathBuf {
    front::folder(chain, out).join(version_name(&chain.evaluated.given.study))
}

/// Writes a version of the site. One that exists stays unless its bytes are equal or `--replace` is given.
pub(super) fn write_site(chain: &Chain, rendered: &Rendered, out: &OutArgs) -> Result<PathBuf, Exit> {
    let folder = site_folder(chain, out);
    if folder.is_dir() && same(&folder, &rendered.tree) {
        return Ok(folder);
    }
    if folder.exists() && !out.replace {
        return Err(other_content(&folder));
    }
    write_tree(&folder, &rendered.tree, &Memory::default()).map_err(|error| cannot_write(&folder, &error))?;
    Ok(folder)
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
