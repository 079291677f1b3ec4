//! The list of versions above the folders of a site.

use std::cmp::Ordering;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::args::OutArgs;
use super::cannot_write;
use super::chain::Chain;
use super::exit::Exit;
use crate::bundle;
use crate::digest::Digest;
use crate::json::Reader;
use crate::pipeline::version_name;
use crate::review;
use crate::site::{self, Listed, Version, bundle_name, front};
use crate::study::Identity;
use crate::tree::Content;
use crate::world::disk::{read_file, write_file};

/// Where the versions of the site stand.
pub(super) fn folder(chain: &Chain, out: &OutArgs) -> PathBuf {
    folder_of(&out.out, &chain.evaluated.given.study.study.id)
}

/// The same for a study by its id.
pub(super) fn folder_of(out: &Path, id: &str) -> PathBuf {
    out.join("site").join(id)
}

/// The bundle that a version of the site is published with.
pub(super) enum Beside<'a> {
    /// It was written in the same run.
    Bundle(Digest, &'a Path),
    /// The site is what it was, so the bundle that is listed with it still belongs to it.
    AsListed,
    /// None was written, and the site is another.
    None,
}

/// Writes the list of versions above them, with this one.
pub(super) fn write(chain: &Chain, out: &OutArgs, beside: &Beside<'_>) -> Result<(), Exit> {
    let given = &chain.evaluated.given;
    let identity = &given.study.study;
    let folder = folder(chain, out);
    let mut versions = listed(&folder);
    let id = version_name(&given.study);
    let bundle = match beside {
        Beside::Bundle(digest, path) => {
            place_bundle(&folder, &bundle_name(&identity.id, &id), path, *digest)?;
            Some(*digest)
        }
        Beside::AsListed => {
            let listed = versions.iter().find(|version| version.id == id && version.archive == given.digest);
            listed.and_then(|version| version.bundle)
        }
        Beside::None => None,
    };
    let own = Version {
        id,
        date: identity.date.clone(),
        archive: given.digest,
        bundle,
        bundle_bytes: None,
        summary: review::brief(review::Known {
            archive: &given.archive,
            levels: &chain.evaluated.ledger.levels,
            judgements: &chain.evaluated.judgements,
            findings: &chain.evaluated.findings,
        }),
    };
    versions.retain(|version| version.id != own.id);
    versions.push(own);
    place_front(&folder, identity, versions)?;
    place_root(&out.out.join("site"))
}

/// Writes the list of all studies above them. A front page that somebody else wrote stays.
fn place_root(root: &Path) -> Result<(), Exit> {
    let failed = |error: io::Error| cannot_write(root, &error);
    let mut studies = Vec::new();
    for child in std::fs::read_dir(root).map_err(failed)? {
        let folder = child.map_err(failed)?.path();
        let Some(id) = folder.file_name().and_then(|name| name.to_str()) else { continue };
        let mut versions = listed(&folder);
        let (count, newest) = (versions.len(), versions.pop());
        let Some((newest, title)) = newest.zip(title(&folder)) else { continue };
        let bytes = size(&folder.join(&newest.id));
        studies.push(Listed { id: id.to_owned(), title, newest, versions: count, bytes });
    }
    let tree = site::root(&studies).map_err(|error| failed(io::Error::other(error)))?;
    let foreign = read_file(&root.join("index.html")).is_ok_and(|bytes| {
        let mark = site::MARK.as_bytes();
        !bytes.windows(mark.len()).any(|window| window == mark)
    });
    for (path, content) in tree.iter().filter(|(path, _)| !foreign || *path != "index.html") {
        if let Content::Bytes(bytes) = content {
            write_file(&root.join(path), bytes).map_err(|error| cannot_write(root, &error))?;
        }
    }
    Ok(())
}

/// The title in the list of versions of a study.
fn title(folder: &Path) -> Option<String> {
    let bytes = read_file(&folder.join("versions.json")).ok()?;
    Some(Reader::new(&bytes).value().ok()?.get("title")?.as_text()?.to_owned())
}

/// Bytes of all files below a folder; what cannot be listed counts nothing.
fn size(folder: &Path) -> u64 {
    let children = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |child: std::fs::DirEntry| match child.metadata() {
        Ok(known) if known.is_dir() => size(&child.path()),
        Ok(known) => known.len(),
        Err(_) => 0,
    };
    children.map(of).sum()
}

/// Lets a bundle and its checksum lie beside the versions too, so that they are copied with the folder of the site. On a
/// disk that can link it is one file under two names.
fn place_bundle(folder: &Path, name: &str, bundle: &Path, digest: Digest) -> Result<(), Exit> {
    let target = folder.join(name);
    let failed = |error: io::Error| cannot_write(&target, &error);
    let aside = tempfile::Builder::new().prefix(".writing-").tempdir_in(folder).map_err(failed)?;
    let new = aside.path().join(name);
    std::fs::hard_link(bundle, &new).or_else(|_| std::fs::copy(bundle, &new).map(drop)).map_err(failed)?;
    std::fs::rename(&new, &target).map_err(failed)?;
    let checksum = format!("{digest}  {name}\n");
    write_file(&folder.join(format!("{name}.sha256")), checksum.as_bytes()).map_err(failed)
}

fn place_front(folder: &Path, identity: &Identity, mut versions: Vec<Version>) -> Result<(), Exit> {
    for version in &mut versions {
        let zip = folder.join(bundle_name(&identity.id, &version.id)).metadata().ok();
        version.bundle_bytes = version.bundle.and(zip).map(|known| known.len());
    }
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
    place_bundle(&folder, &bundle_name(&identity.id, &version.id), bundle, now)?;
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
            bundle_bytes: None,
            summary: text("summary")?,
        })
    };
    list.iter().rev().filter_map(version).collect()
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
