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
use crate::report::Severity;
use crate::site::{Version, front};
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

/// Writes the list of versions above them, with this one.
pub(super) fn write(chain: &Chain, out: &OutArgs, bundle: Option<Digest>) -> Result<(), Exit> {
    let given = &chain.evaluated.given;
    let identity = &given.study.study;
    let folder = folder(chain, out);
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
    place_front(&folder, identity, versions)?;
    // Hosts that run Jekyll look for this file at the root of what they publish, and nowhere else.
    let root = out.out.join("site").join(".nojekyll");
    if root.exists() { Ok(()) } else { write_file(&root, b"").map_err(|error| cannot_write(&root, &error)) }
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
