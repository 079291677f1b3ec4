//! Writing the deposit: the bundle beside what was there before, and its errors for people.

use std::io;
use std::path::{Path, PathBuf};

use super::args::{ArchiveChoice, CrateChoice, DepositArgs};
use super::chain::Chain;
use super::exit::Exit;
use super::output::{Output, wrap};
use super::outputs::Outputs;
use super::{cannot_write, other_content};
use crate::bundle::{self, BuildOptions, BundleError, Limits, Verification, Written};
use crate::digest::Digest;
use crate::metadata::CrateVersion;
use crate::pipeline::{Given, Publication, contents, dated, results};
use crate::report::{Findings, Severity};
use crate::site::Rendered;
use crate::verify::{Level, LevelSummary};
use crate::world::output::exchange;

/// A written bundle and what reading it back found.
pub(super) struct Deposit {
    pub(super) path: PathBuf,
    pub(super) written: Written,
    pub(super) verified: Verification,
    /// How files of the study are stored: under another name, or not because they are links.
    pub(super) storage: Findings,
    /// False when the same bytes stood there already.
    is_new: bool,
}

impl Deposit {
    /// Says which signatures belong to the bytes that stood there before.
    pub(super) fn tell_former_signatures(&self, output: Output) {
        if self.is_new {
            former_signatures(output, &self.path);
        }
    }

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

/// Where the bundle of a study goes.
pub(super) fn target(out: &Path, given: &Given) -> PathBuf {
    let identity = &given.study.study;
    out.join("bundles").join(format!("{}-{}.zip", identity.id, identity.version))
}

/// Writes the bundle aside and verifies it by reading it back.
pub(super) fn stage_bundle(
    chain: &Chain,
    rendered: &Rendered,
    outputs: &Outputs,
    publication: &Publication,
    arguments: &DepositArgs,
) -> Result<(Deposit, Staged), Exit> {
    let source = chain.opened.source.as_ref();
    let identity = &dated(&chain.evaluated.given.study.study);
    let failed = |error| cannot_write(&outputs.out, &error);
    let results = results(&chain.evaluated, source, &rendered.tree).map_err(|error| failed(io::Error::other(error)))?;
    let inside = arguments.archive == ArchiveChoice::Files;
    let contents =
        contents(&chain.evaluated, source, results, rendered.tree.clone(), inside, publication).map_err(failed)?;
    let ro_crate = match arguments.ro_crate {
        CrateChoice::V1_1 => CrateVersion::V1_1,
        CrateChoice::V1_2 => CrateVersion::V1_2,
    };
    let options = BuildOptions { epoch: source_date_epoch()?, ro_crate };
    let plan = bundle::build(identity, contents.clone(), &options).map_err(|error| explain(&error))?;
    let storage = bundle::storage_findings(&contents, &plan);
    let path = outputs.out.join("bundles").join(format!("{}.zip", plan.name()));
    let aside = outputs.held.aside().map_err(failed)?;
    let new = aside.path().join(path.file_name().unwrap_or_default());
    let written = bundle::write(&plan, source, &new, chain.progress.as_ref()).map_err(|error| explain(&error))?;
    let staged = Staged { new, target: path.clone(), aside };
    let is_new = staged.is_new(written.digest, outputs.replace, identity.doi.as_deref())?;
    let verified =
        bundle::verify(&staged.new, &Limits::default(), chain.progress.as_ref()).map_err(|error| explain(&error))?;
    Ok((Deposit { path, written, verified, storage, is_new }, staged))
}

/// The latest moment that the time stamps of a zip can say: 2107-12-31T23:59:58Z.
const LATEST: i64 = 4_354_819_198;

/// The moment of all time stamps that the environment asks for. Commands ask before they begin, so that a
/// mistake costs no time.
pub(super) fn source_date_epoch() -> Result<Option<i64>, Exit> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH").filter(|text| !text.is_empty()) else { return Ok(None) };
    epoch(&text.to_string_lossy()).map(Some).map_err(|(what, help)| {
        super::complain(&what, &help);
        Exit::Usage
    })
}

/// Seconds since 1970 as `SOURCE_DATE_EPOCH` has them, or what is wrong and what to do.
fn epoch(text: &str) -> Result<i64, (String, String)> {
    let seconds = if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse::<i64>().ok() } else { None };
    let help = "set it to seconds since 1970, such as 1764460800, or unset it".to_owned();
    match seconds {
        None => Err((format!("SOURCE_DATE_EPOCH is {text}, which is no number of seconds since 1970"), help)),
        Some(seconds) if seconds > LATEST => {
            // Clocks that count finer: milliseconds, microseconds, nanoseconds.
            let finer = [1_000, 1_000_000, 1_000_000_000].into_iter().find(|step| seconds / step <= LATEST);
            let help = finer.map_or(help, |step| format!("in seconds that may be {}; or unset it", seconds / step));
            Err((format!("SOURCE_DATE_EPOCH is {text}, which lies after the year 2107: it is in seconds"), help))
        }
        Some(seconds) => Ok(seconds),
    }
}

/// Says which signatures belong to the bytes that the bundle had before.
pub(super) fn former_signatures(output: Output, path: &Path) {
    for signature in bundle::signature_files(path) {
        let name = signature.file_name().unwrap_or_default().to_string_lossy();
        output.line(&wrap(&format!("{name} is a signature of the former bundle: sign the new one"), 4));
    }
}

/// A bundle that is complete but has not yet taken its place.
pub(super) struct Staged {
    new: PathBuf,
    target: PathBuf,
    aside: tempfile::TempDir,
}

/// The checksum beside a bundle.
fn checksum(zip: &Path) -> PathBuf {
    zip.with_extension("zip.sha256")
}

impl Staged {
    /// True when the target does not hold these bytes yet. One that is there and is another stays unless
    /// `replace`. `doi` is the one this build has.
    fn is_new(&self, digest: Digest, replace: bool, doi: Option<&str>) -> Result<bool, Exit> {
        let there = std::fs::File::open(&self.target).and_then(|mut file| Digest::of_reader(&mut file));
        if there.as_ref().is_ok_and(|there| *there != digest) && !replace {
            return Err(match bundle::doi_of(&self.target) {
                Some(set) if doi != Some(set.as_str()) => other_doi(&self.target, &set),
                _ => other_content(&self.target),
            });
        }
        let whole = there.is_ok_and(|there| there == digest) && checksum(&self.target).is_file();
        Ok(!whole)
    }

    /// Puts the bundle and its checksum in their place. The old checksum goes aside first: at no moment does a
    /// bundle stand beside the checksum of another. After an error both are as they were.
    pub(super) fn publish(&self, deposit: &Deposit) -> Result<(), Exit> {
        if !deposit.is_new {
            return Ok(());
        }
        let (beside, kept) = (checksum(&self.target), self.aside.path().join("kept.sha256"));
        let had = match std::fs::rename(&beside, &kept) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(cannot_write(&beside, &error)),
        };
        let replaced = self.target.exists();
        let result = exchange(&self.new, &self.target).and_then(|()| {
            std::fs::rename(checksum(&self.new), &beside).inspect_err(|_| {
                let _ = if replaced { exchange(&self.new, &self.target) } else { std::fs::remove_file(&self.target) };
            })
        });
        result.map_err(|error| {
            if had {
                let _ = std::fs::rename(&kept, &beside);
            }
            cannot_write(&self.target, &error)
        })
    }
}

/// The bundle that is there was given a DOI after it was built, which a build knows nothing of.
pub(super) fn other_doi(path: &Path, doi: &str) -> Exit {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_is_in_seconds() {
        assert_eq!(epoch("1764460800"), Ok(1_764_460_800));
        assert_eq!((epoch("0"), epoch("4354819198")), (Ok(0), Ok(4_354_819_198)));
        for (text, word) in [
            ("1764460800000", "may be 1764460800;"),
            ("1764460800000000", "may be 1764460800;"),
            ("1764460800000000000", "may be 1764460800;"),
            ("4354819199", "may be 4354819;"),
        ] {
            let (what, help) = epoch(text).unwrap_err();
            assert!(what.contains("2107") && help.contains(word), "{text}: {what} {help}");
        }
        for text in ["", "-1", "+5", "1e9", "2026-01-01", " 5", "5.0", "99999999999999999999"] {
            assert!(epoch(text).unwrap_err().0.contains("no number of seconds"), "{text}");
        }
    }
}
