//! From a folder to its declaration.

use std::fmt::Write as _;
use std::io;

use super::check::Objection;
use super::profile;
use super::{Study, licence_text, manifest, own_licences};
use crate::world::Source;

/// Name of the declaration at the root of a study.
pub const MANIFEST: &str = "study.toml";

/// A folder whose layout is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// What it declares.
    pub study: Study,
    /// Where the declaration came from.
    pub origin: Origin,
}

/// Where a declaration came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The `study.toml` of the folder.
    Manifest,
    /// A built-in profile, by name.
    Profile(&'static str),
}

/// Why a folder cannot be read as a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The folder could not be listed, or its `study.toml` not be read.
    #[error("{name}: {what}: {error}")]
    Io {
        /// Name of the source as the user typed it.
        name: String,
        /// What was tried.
        what: &'static str,
        /// What happened.
        error: io::Error,
    },
    /// Neither a `study.toml` nor a known layout.
    #[error("{name} is not a study that this tool knows.\n{looked_for}{hint}")]
    Unknown {
        /// Name of the source as the user typed it.
        name: String,
        /// What was looked for, one line each.
        looked_for: String,
        /// What to do.
        hint: String,
    },
    /// A `study.toml` that cannot be used.
    #[error("{MANIFEST} of {name} cannot be used:\n{}", lines(.objections))]
    Manifest {
        /// Name of the source as the user typed it.
        name: String,
        /// Everything that is wrong with it, in the order of the file.
        objections: Vec<Objection>,
    },
    /// A built-in profile is broken: a mistake in this program.
    #[error("the built-in profile {name} is broken: {what}")]
    Profile {
        /// Profile.
        name: &'static str,
        /// What is wrong.
        what: String,
    },
}

fn lines(objections: &[Objection]) -> String {
    objections.iter().map(|objection| format!("  {objection}")).collect::<Vec<_>>().join("\n")
}

/// Recognises a folder or bundle: its `study.toml` decides; without one, built-in profiles (name and
/// text) are tried in order.
///
/// # Errors
/// When the folder cannot be read, its declaration cannot be used, or nothing fits.
pub fn recognise(source: &dyn Source, profiles: &[(&'static str, &'static str)]) -> Result<Recognised, StudyError> {
    let name = source.name().to_owned();
    if source.exists(MANIFEST) {
        let bytes = source.read(MANIFEST).map_err(|error| StudyError::Io {
            name: name.clone(),
            what: "study.toml cannot be read",
            error,
        })?;
        return read_manifest(&bytes)
            .and_then(|study| has_licence_text(source, study))
            .map(|study| Recognised { study, origin: Origin::Manifest })
            .map_err(|objections| StudyError::Manifest { name, objections });
    }
    let entries = source.entries().map_err(|error| StudyError::Io {
        name: name.clone(),
        what: "the files cannot be listed",
        error,
    })?;
    let paths: Vec<&str> = entries.iter().filter(|entry| entry.regular).map(|entry| entry.path.as_str()).collect();
    let mut looked_for = format!("  looked for {MANIFEST} at its root: absent\n");
    for &(profile, text) in profiles {
        let (signs, mut study) = profile::load(profile, text)?;
        let foreign = if signs.hold(&paths) { signs.foreign(source) } else { None };
        if let Some(file) = foreign {
            let _ = writeln!(
                looked_for,
                "  it has the layout of {}, and {file} is not that study's: another study needs a {MANIFEST}",
                study.study.title
            );
            continue;
        }
        if signs.hold(&paths) {
            signs.settle(&mut study, &paths);
            return Ok(Recognised { study, origin: Origin::Profile(profile) });
        }
        let wanted =
            [signs.files.join(", "), signs.folders.iter().map(|f| format!("{f}/")).collect::<Vec<_>>().join(", ")];
        let _ = writeln!(
            looked_for,
            "  looked for the layout of {}: {}: not all present",
            study.study.title,
            wanted.join(" and ")
        );
    }
    Err(StudyError::Unknown { name, looked_for, hint: hint(&paths) })
}

/// The declaration in the text of a built-in profile.
///
/// # Errors
/// When the profile is broken.
pub fn load(name: &'static str, text: &str) -> Result<Study, StudyError> {
    Ok(profile::load(name, text)?.1)
}

fn read_manifest(bytes: &[u8]) -> Result<Study, Vec<Objection>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        vec![Objection {
            key: String::new(),
            line: Some(line),
            message: format!("byte {} is not UTF-8", error.valid_up_to()),
            remedy: "Save the file as UTF-8.".to_owned(),
        }]
    })?;
    manifest::parse(text)
}

/// A licence of one's own is nothing without its text.
fn has_licence_text(source: &dyn Source, study: Study) -> Result<Study, Vec<Objection>> {
    let lacking = own_licences(&study.study.licence);
    let lacking = lacking.into_iter().find(|name| licence_text(name, |path| source.exists(path)).is_none());
    let Some(name) = lacking else { return Ok(study) };
    Err(vec![Objection {
        key: "study.licence".to_owned(),
        line: None,
        message: format!("the study does not hold the text of {name}"),
        remedy: format!("Put it into LICENSES/{name}.txt, or into LICENSE, at the root of the study."),
    }])
}

/// The most likely mistake, from what is there instead.
fn hint(paths: &[&str]) -> String {
    let mut roots = paths.iter().filter_map(|path| {
        let root = path.strip_suffix(MANIFEST).or_else(|| path.strip_suffix("benchmark/core.json"))?;
        root.strip_suffix('/')
    });
    if paths.is_empty() {
        return "The folder holds no files; name the folder that contains study.toml, or benchmark/ and experiments/."
            .into();
    }
    match roots.next() {
        Some(root) => format!("A study seems to be in its subfolder {root}/: name that folder."),
        None => format!("Name the folder that contains them, or write a {MANIFEST} (`repro init DIR` starts one)."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    #[test]
    fn an_unknown_folder_says_what_was_looked_for_and_what_to_do() {
        let error = recognise(&Memory::default().with("x/y/study.toml", ""), &[]).unwrap_err().to_string();
        assert!(error.contains("looked for study.toml") && error.contains("subfolder x/y/"), "{error}");
        let error = recognise(&Memory::default(), &[]).unwrap_err().to_string();
        assert!(error.contains("holds no files"), "{error}");
    }

    #[test]
    fn a_manifest_in_another_encoding_is_named() {
        let study = Memory::default().with(MANIFEST, b"[study]\nid = '\xff'".to_vec());
        assert!(recognise(&study, &[]).unwrap_err().to_string().contains("line 2: byte 14 is not UTF-8"));
    }
}
