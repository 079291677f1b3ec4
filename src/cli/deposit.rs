//! Writing the deposit: the bundle beside what was there before, and its errors for people.

use std::io;
use std::path::{Path, PathBuf};

use super::args::{ArchiveChoice, CrateChoice, DepositArgs, OutArgs};
use super::chain::Chain;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::{cannot_write, other_content};
use crate::bundle::{self, BuildOptions, BundleError, Limits, Verification, Written};
use crate::digest::Digest;
use crate::metadata::CrateVersion;
use crate::pipeline::{contents, dated, results};
use crate::report::{Findings, Severity};
use crate::site::Rendered;
use crate::verify::{Level, LevelSummary};

/// A written bundle and what reading it back found.
pub(super) struct Deposit {
    pub(super) path: PathBuf,
    pub(super) written: Written,
    pub(super) verified: Verification,
    /// How files of the study are stored: under another name, or not because they are links.
    pub(super) storage: Findings,
}

impl Deposit {
    /// L7 in numbers: entries of the written bundle that read back as they should.
    pub(super) fn level(&self) -> LevelSummary {
        let mut level = LevelSummary::new(Level::L7);
        let wrong = self.verified.findings.iter().filter(|finding| finding.severity > Severity::Note);
        let wrong = wrong.count().min(self.verified.entries as usize);
        level.total = self.verified.entries as usize;
        level.checked = level.total;
        level.agreed = level.total - wrong;
        level.disagreed = wrong;
        level.remark = Some("read back from the bundle".to_owned());
        level
    }
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
