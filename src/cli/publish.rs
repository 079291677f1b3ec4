//! Writing what the chain made: the versioned site and the bundle.

use std::cmp::Ordering;
use std::io;
use std::path::{Path, PathBuf};

use super::args::{ArchiveChoice, CrateChoice, DepositArgs, OutArgs, RenderArgs, TranscriptChoice};
use super::chain::Chain;
use super::exit::Exit;
use super::output::{Output, wrap};
use crate::bundle::{self, BuildOptions, BundleError, Limits, Verification, Written};
use crate::digest::Digest;
use crate::json::Reader;
use crate::metadata::CrateVersion;
use crate::pipeline::{Earlier, Texts, contents, dated, render, results, version_name};
use crate::report::{Findings, Severity};
use crate::site::{Options, Rendered, Transcripts, Version, front};
use crate::tree::{Content, Tree};
use crate::world::disk::{Folder, read_file, write_file, write_tree};
use crate::world::{Source, memory::Memory};

/// Renders the site.
pub(super) fn site(chain: &Chain, arguments: &RenderArgs, earlier: &Earlier) -> Result<Rendered, Exit> {
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
    versions.sort_by(in_order);
    let tree = front(identity, &versions).map_err(|error| cannot_write(&folder, &io::Error::other(error)))?;
    for (path, content) in tree.iter() {
        if let Content::Bytes(bytes) = content {
            write_file(&folder.join(path), bytes).map_err(|error| cannot_write(&folder, &error))?;
        }
    }
    Ok(())
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

/// A written bundle and what reading it back found.
pub(super) struct Deposit {
    pub(super) path: PathBuf,
    pub(super) written: Written,
    pub(super) verified: Verification,
    /// How files of the study are stored: under another name, or not because they are links.
    pub(super) storage: Findings,
}

/// Writes the bundle and verifies it by reading it back.
pub(super) fn write_bundle(
    chain: &Chain,
    rendered: &Rendered,
    out: &OutArgs,
    arguments: &DepositArgs,
) -> Result<Deposit, Exit> {
    let source = chain.opened.source.as_ref();
    let identity = dated(&chain.evaluated.given.study.study);
    let results = results(&chain.evaluated, source, &rendered.tree)
        .map_err(|error| cannot_write(&out.out, &io::Error::other(error)))?;
    let inside = arguments.archive == ArchiveChoice::Files;
    let contents = contents(&chain.evaluated, source, results, rendered.tree.clone(), inside)
        .map_err(|error| cannot_write(&out.out, &error))?;
    let ro_crate = match arguments.ro_crate {
        CrateChoice::V1_1 => CrateVersion::V1_1,
        CrateChoice::V1_2 => CrateVersion::V1_2,
    };
    let options = BuildOptions { epoch: source_date_epoch()?, ro_crate };
    let plan = bundle::build(&identity, contents.clone(), &options).map_err(|error| explain(&error))?;
    let storage = bundle::storage_findings(&contents, &plan);
    let path = out.out.join("bundles").join(format!("{}.zip", plan.name()));
    let staged = Staged::new(&path);
    let written =
        bundle::write(&plan, source, &staged.path, chain.progress.as_ref()).map_err(|error| explain(&error))?;
    let is_new = staged.publish(&path, written.digest, out.replace, identity.doi.as_deref())?;
    if is_new {
        former_signatures(chain.output, &path);
    }
    let verified =
        bundle::verify(&path, &Limits::default(), chain.progress.as_ref()).map_err(|error| explain(&error))?;
    Ok(Deposit { path, written, verified, storage })
}

/// The moment of all time stamps that the environment asks for. Commands ask before they begin, so that a
/// mistake costs no time.
pub(super) fn source_date_epoch() -> Result<Option<i64>, Exit> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|text| !text.is_empty()) else { return Ok(None) };
    let seconds = text.to_str().and_then(|text| text.parse().ok());
    if seconds.is_none() {
        super::complain(
            &format!("SOURCE_DATE_EPOCH is {}, which is no number of seconds", text.display()),
            "set it to seconds since 1970, such as 1764460800, or unset it",
        );
        return Err(Exit::Usage);
    }
    Ok(seconds)
}

/// Says which signatures belong to the bytes that the bundle had before.
pub(super) fn former_signatures(output: Output, path: &Path) {
    for signature in bundle::signature_files(path) {
        let name = signature.file_name().unwrap_or_default().to_string_lossy();
        output.line(&wrap(&format!("{name} is a signature of the former bundle: sign the new one"), 4));
    }
}

/// A bundle that is complete but has not yet taken its place. Its folder has a fixed name, so that what a
/// killed run left is used up by the next one.
struct Staged {
    folder: PathBuf,
    path: PathBuf,
    /// Set once this process has written it.
    complete: bool,
}

impl Staged {
    fn new(target: &Path) -> Self {
        let name = target.file_name().unwrap_or_default();
        let folder = target.with_file_name(format!(".{}.staged", name.to_string_lossy()));
        Self { path: folder.join(name), folder, complete: false }
    }

    /// Puts the bundle and its checksum in their place. One that is there stays untouched when it is the same,
    /// and stays when it is another one unless `replace`. `doi` is the one this build has. True when the target
    /// has other bytes now.
    fn publish(mut self, target: &Path, digest: Digest, replace: bool, doi: Option<&str>) -> Result<bool, Exit> {
        self.complete = true;
        let there = std::fs::File::open(target).and_then(|mut file| Digest::of_reader(&mut file));
        let beside = |path: &Path| path.with_extension("zip.sha256");
        if there.as_ref().is_ok_and(|there| *there == digest) && beside(target).is_file() {
            return Ok(false);
        }
        if there.is_ok_and(|there| there != digest) && !replace {
            return Err(match bundle::doi_of(target) {
                Some(set) if doi != Some(set.as_str()) => other_doi(target, &set),
                _ => other_content(target),
            });
        }
        // The old checksum goes first: at no moment does a bundle stand beside the checksum of another.
        let _ = std::fs::remove_file(beside(target));
        std::fs::rename(&self.path, target)
            .and_then(|()| std::fs::rename(beside(&self.path), beside(target)))
            .map(|()| true)
            .map_err(|error| cannot_write(target, &error))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Never more than its own: another process may be writing the same bundle here, and holds the lock.
        if self.complete {
            let _ = std::fs::remove_file(&self.path);
            let _ = std::fs::remove_file(self.path.with_extension("zip.sha256"));
        }
        let _ = std::fs::remove_dir(&self.folder);
    }
}

fn other_content(path: &Path) -> Exit {
    super::complain(
        &format!("{} exists with other content", path.display()),
        "give the study a new version, or replace this one with --replace; a published version should stay",
    );
    Exit::CannotWrite
}

/// The bundle that is there was given a DOI after it was built, which a build knows nothing of.
fn other_doi(path: &Path, doi: &str) -> Exit {
    super::complain(
        &format!(
            "{} exists with other content: it has the DOI {doi}, set by `repro bundle set-doi`, and this build has \
             not, because study.toml does not name it",
            path.display()
        ),
        "keep the file, a deposit with a DOI should stay; or give the study a new version; or build over it with \
         --replace and set the DOI again",
    );
    Exit::CannotWrite
}

/// A bundle error for people, and the exit code it stands for.
pub(super) fn explain(error: &BundleError) -> Exit {
    let findings: Findings = error.findings();
    let said: Vec<String> = findings.iter().map(|f| format!("  {} {}: {}", f.code, f.place, f.message)).collect();
    let what = if said.is_empty() { error.to_string() } else { format!("{error}\n{}", said.join("\n")) };
    let remedy = findings.iter().next().map(crate::report::Finding::remedy).unwrap_or_default();
    let (exit, help) = match error {
        BundleError::Identity(_) => (Exit::Unreadable, "add these to [study] of study.toml (`repro init` writes one)"),
        BundleError::Input { .. } => (Exit::Unreadable, "an input changed or vanished while it was read; run again"),
        BundleError::Read { .. } => (Exit::Unreadable, "check that the file is a complete bundle"),
        BundleError::Refused { .. } => {
            (Exit::Unreadable, "nothing of it was read; get the bundle again from its source")
        }
        BundleError::Doi(_) => (Exit::Usage, "a DOI looks like 10.5281/zenodo.123"),
        _ => (Exit::CannotWrite, "check the folder and its disk; what existed before is intact"),
    };
    super::complain(&what, if remedy.is_empty() { help } else { remedy });
    exit
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
