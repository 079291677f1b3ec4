//! How the commands that publish begin, and writing the versioned site.

use std::cmp::Ordering;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::args::{OutArgs, PublishArgs, RenderArgs, TalkArgs, TranscriptChoice};
use super::chain::{self, Chain};
use super::exit::Exit;
use super::previous;
use crate::bundle;
use crate::digest::Digest;
use crate::json::Reader;
use crate::pipeline::{Earlier, Texts, render, version_name};
use crate::report::Severity;
use crate::site::{Options, Rendered, Transcripts, Version, front};
use crate::statistics::readings::Counting;
use crate::study::Identity;
use crate::tree::{Content, Tree};
use crate::world::disk::{Folder, read_file, write_file, write_tree};
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

/// Where the versions of the site stand.
pub(super) fn front_folder(chain: &Chain, out: &OutArgs) -> PathBuf {
    out.out.join("site").join(&chain.evaluated.given.study.study.id)
}

/// Where a version of the site goes.
fn site_folder(chain: &Chain, out: &OutArgs) -> PathBuf {
    front_folder(chain, out).join(version_name(&chain.evaluated.given.study))
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

/// Writes the list of versions above them, with this one.
pub(super) fn write_front(chain: &Chain, out: &OutArgs, bundle: Option<Digest>) -> Result<(), Exit> {
    let given = &chain.evaluated.given;
    let identity = &given.study.study;
    let folder = front_folder(chain, out);
    let findings = &chain.evaluated.findings;
    let own = Version {
        id: version_name(&given.study),
        date: identity.date.clone(),
        archive: given.digest,
        bundle,
        summary: format!(
            "{} disagree, {} missing, {} unreadable",
            findings.count(Severity::Disagrees),
            findings.count(Severity::Missing),
            findings.count(Severity::Unreadable)
        ),
    };
    let mut versions = listed(&folder);
    versions.retain(|version| version.id != own.id);
    versions.push(own);
    place_front(&folder, identity, versions)
}

fn place_front(folder: &Path, identity: &Identity, mut versions: Vec<Version>) -> Result<(), Exit> {
    versions.sort_by(in_order);
    let tree = front(identity, &versions).map_err(|error| cannot_write(folder, &io::Error::other(error)))?;
    for (path, content) in tree.iter() {
        if let Content::Bytes(bytes) = content {
            write_file(&folder.join(path), bytes).map_err(|error| cannot_write(folder, &error))?;
        }
    }
    Ok(())
}

/// Lists a bundle by the digest it has now, where the site that was published beside it lists the digest it
/// had. True when it is listed there.
pub(super) fn relist(bundle: &Path, before: Digest, now: Digest) -> Result<bool, Exit> {
    let Some(identity) = bundle::identity_of(bundle) else { return Ok(false) };
    // The name comes out of a file that anybody may have made.
    let mut parts = Path::new(&identity.id).components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        return Ok(false);
    }
    let folder = bundle.with_file_name("..").join("site").join(&identity.id);
    let mut versions = listed(&folder);
    let Some(version) = versions.iter_mut().find(|version| version.bundle == Some(before)) else { return Ok(false) };
    version.bundle = Some(now);
    place_front(&folder, &identity, versions)?;
    Ok(true)
}

/// Versions that stand in a folder, oldest first.
pub(super) fn listed(folder: &Path) -> Vec<Version> {
    let mut versions: Vec<Version> =
        read_file(&folder.join("versions.json")).map_or_else(|_| Vec::new(), |bytes| known(&bytes));
    versions.sort_by(in_order);
    versions
}

fn in_order(a: &Version, b: &Version) -> Ordering {
    order((&a.date, &a.id), (&b.date, &b.id))
}

/// The order of versions: by date, those of one day by name, in which 1.10 comes after 1.9.
pub(super) fn order(a: (&str, &str), b: (&str, &str)) -> Ordering {
    fn parts(name: &str) -> Vec<(u64, &str)> {
        let number = |part: &str| part.parse().unwrap_or(u64::MAX);
        name.split(['.', '-', '_']).map(|part| (number(part), part)).collect()
    }
    a.0.cmp(b.0).then_with(|| parts(a.1).cmp(&parts(b.1)))
}

/// Versions listed by an earlier run, oldest first; an entry that cannot be read is left out, and its
/// folder stays as it is.
fn known(bytes: &[u8]) -> Vec<Version> {
    let Ok(value) = Reader::new(bytes).value() else { return Vec::new() };
    let list = value.get("versions").and_then(|list| list.as_list()).unwrap_or_default();
    let version = |entry: &crate::json::Value| {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_text()).map(str::to_owned);
        Some(Version {
            id: text("id")?,
            date: text("date")?,
            archive: Digest::parse(&text("archive")?)?,
            bundle: text("bundle").and_then(|digest| Digest::parse(&digest)),
            summary: text("summary")?,
        })
    };
    list.iter().rev().filter_map(version).collect()
}

pub(super) fn other_content(path: &Path) -> Exit {
    super::complain(
        &format!("{} exists with other content", path.display()),
        "give the study a new version, or replace this one with --replace; a published version should stay",
    );
    Exit::CannotWrite
}

pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Exit {
    super::complain(
        &format!("{} cannot be written: {error}", path.display()),
        "check the folder and its disk; what existed before is intact",
    );
    Exit::CannotWrite
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_one_day_are_in_the_order_of_their_numbers() {
        let mut names = ["1.10", "1.9", "2", "1.9-rc1", "x", "1.9.1"];
        names.sort_by(|a, b| order(("2026-01-02", a), ("2026-01-02", b)));
        assert_eq!(names, ["1.9", "1.9.1", "1.9-rc1", "1.10", "2", "x"]);
        assert!(order(("2025-12-31", "9"), ("2026-01-01", "1")).is_lt());
    }
}
