//! Where a command may write, decided before anything runs: outside its input, into a folder that can be
//! written, that no other run is writing to, and where nothing stands that would be other bytes.

use std::path::{Component, Path, PathBuf};

use super::args::OutArgs;
use super::exit::Exit;
use super::{cannot_write, deposit, front, other_content};
use crate::bundle;
use crate::bundle::BundleSource;
use crate::diff::Snapshot;
use crate::pipeline::{Given, TOOL, version_name};
use crate::world::Source;
use crate::world::disk::read_file;
use crate::world::output::{Held, sweep};

/// The folder of outputs, locked.
pub(super) struct Outputs {
    pub(super) out: PathBuf,
    pub(super) replace: bool,
    pub(super) held: Held,
}

/// Checks and locks the folder that receives site and bundles.
pub(super) fn prepare(out: &OutArgs, study: &Path) -> Result<Outputs, Exit> {
    outside(&out.out, study)?;
    // The study must not be what a version of the site or the folder of bundles replaces.
    for below in ["site", "bundles"] {
        let target = absolute(&out.out.join(below));
        if study.is_dir() && absolute(study).starts_with(&target) {
            super::complain(
                &format!("the study lies inside {}, which this command writes", target.display()),
                "move the study, or name another folder with --out",
            );
            return Err(Exit::CannotWrite);
        }
    }
    let held = Held::new(&out.out).map_err(|error| match error.kind() {
        std::io::ErrorKind::ResourceBusy => {
            super::complain(
                &format!("{} is in use: another run of repro is writing its outputs there", shown(&out.out)),
                "wait until it ends, or name another folder with --out; nothing was changed by this run",
            );
            Exit::CannotWrite
        }
        _ => cannot_write(&out.out, &error),
    })?;
    sweep(held.folder());
    Ok(Outputs { out: out.out.clone(), replace: out.replace, held })
}

/// Checks an output that is written in one go: outside the study, and below a folder that can be written.
pub(super) fn writable(output: &Path, study: &Path) -> Result<(), Exit> {
    outside(output, study)?;
    let existing = output.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let probe = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    // What exists may be the output itself, a file that is replaced: its folder decides.
    let folder = if probe.is_file() && probe == output { probe.parent().unwrap_or(Path::new(".")) } else { probe };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    tempfile::tempfile_in(folder).map(drop).map_err(|error| cannot_write(output, &error))
}

/// Refuses an output inside the folder of the study: it would change the input while it is read, and become
/// a part of it.
pub(super) fn outside(output: &Path, study: &Path) -> Result<(), Exit> {
    if !study.is_dir() || !absolute(output).starts_with(absolute(study)) {
        return Ok(());
    }
    super::complain(
        &format!(
            "{} lies inside the study {}, which is input only: output there would become a part of it",
            shown(output),
            shown(study)
        ),
        "name a folder outside the study, such as --out ../public; nothing was written",
    );
    Err(Exit::CannotWrite)
}

fn shown(path: &Path) -> std::path::Display<'_> {
    if path.as_os_str().is_empty() { Path::new(".").display() } else { path.display() }
}

/// The path without links as far as it exists, and without `.` and `..`.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut rest = Vec::new();
    let mut existing = whole.as_path();
    loop {
        if let Ok(real) = existing.canonicalize() {
            let mut real = real;
            for part in rest.into_iter().rev() {
                match part {
                    Component::ParentDir => drop(real.pop()),
                    part => real.push(part),
                }
            }
            return real;
        }
        let Some(part) = existing.components().next_back() else { return whole };
        rest.push(part);
        let Some(above) = existing.parent() else { return whole };
        existing = above;
    }
}

/// What a command is going to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wants {
    pub(super) site: bool,
    pub(super) bundle: bool,
}

impl Outputs {
    /// Sweeps left-overs beside the versions of this study, and says at once when something stands there
    /// that must become other bytes: it was made of other files or by another version of the tool.
    pub(super) fn check(&self, given: &Given, wants: Wants) -> Result<(), Exit> {
        let versions = front::folder_of(&self.out, &given.study.study.id);
        sweep(&versions);
        sweep(&self.out.join("bundles"));
        if self.replace {
            return Ok(());
        }
        let other = |snapshot: Option<Snapshot>| {
            snapshot.is_some_and(|there| there.named.archive != given.digest.to_string() || there.named.tool != TOOL)
        };
        let version = versions.join(version_name(&given.study));
        if wants.site && version.exists() {
            let there =
                read_file(&version.join("data/snapshot.json")).ok().and_then(|text| Snapshot::parse(&text).ok());
            if there.is_none() || other(there) {
                return Err(other_content(&version));
            }
        }
        let zip = deposit::target(&self.out, given);
        if wants.bundle && zip.exists() {
            if let Some(set) = bundle::doi_of(&zip)
                && given.study.study.doi.as_deref() != Some(set.as_str())
            {
                return Err(deposit::other_doi(&zip, &set));
            }
            let there =
                BundleSource::open_payload(&zip).ok().and_then(|payload| payload.read("results/snapshot.json").ok());
            if other(there.and_then(|text| Snapshot::parse(&text).ok())) {
                return Err(other_content(&zip));
            }
        }
        Ok(())
    }
}
