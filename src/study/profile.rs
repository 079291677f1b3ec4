//! Built-in declarations of studies whose folders are recognised without a `study.toml`.
//!
//! A profile is a declaration plus `[recognise]`, which says by what files the folder is known. Packs bring
//! profiles; this module reads them.

use serde::Deserialize;

use super::manifest;
use super::{Study, StudyError};
use crate::world::Source;

/// How a folder is recognised.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Signs {
    /// Files that must exist.
    pub(super) files: Vec<String>,
    /// Folders that must hold something.
    pub(super) folders: Vec<String>,
    /// What these files must say: a layout alone is no study.
    #[serde(default)]
    pub(super) content: Vec<Content>,
    /// Folders that may also be called otherwise.
    #[serde(default)]
    pub(super) moved: Vec<Moved>,
}

/// Words by which the content of a file is known.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Content {
    /// File.
    pub(super) file: String,
    /// Texts that all stand in it.
    pub(super) all: Vec<String>,
    /// Texts of which one stands in it.
    pub(super) any: Vec<String>,
}

/// A folder under another name.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Moved {
    /// Name used in the profile.
    from: String,
    /// Name that is used instead when only that one exists.
    to: String,
}

/// Splits a profile into its signs and its declaration.
pub(super) fn load(name: &'static str, text: &str) -> Result<(Signs, Study), StudyError> {
    let broken = |what: String| StudyError::Profile { name, what };
    let mut table: toml::Table = toml::from_str(text).map_err(|error| broken(error.to_string()))?;
    let signs = table.remove("recognise").ok_or_else(|| broken("no [recognise]".to_owned()))?;
    let signs = signs.try_into().map_err(|error: toml::de::Error| broken(error.to_string()))?;
    let study = manifest::parse(&table.to_string())
        .map_err(|objections| broken(objections.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    Ok((signs, study))
}

impl Signs {
    /// True when the listing of a folder shows all signs.
    pub(super) fn hold(&self, paths: &[&str]) -> bool {
        self.files.iter().all(|file| paths.contains(&file.as_str()))
            && self.folders.iter().all(|folder| under(paths, folder))
    }

    /// The first file that does not say what it says in this study; `None` when all do.
    pub(super) fn foreign(&self, source: &dyn Source) -> Option<&str> {
        let says = |content: &Content| {
            let bytes = source.read(&content.file).unwrap_or_default();
            let holds = |text: &String| memchr::memmem::find(&bytes, text.as_bytes()).is_some();
            content.all.iter().all(holds) && (content.any.is_empty() || content.any.iter().any(holds))
        };
        self.content.iter().find(|content| !says(content)).map(|content| content.file.as_str())
    }

    /// Points the declaration at the folders that exist.
    pub(super) fn settle(&self, study: &mut Study, paths: &[&str]) {
        for moved in self.moved.iter().filter(|moved| !under(paths, &moved.from) && under(paths, &moved.to)) {
            let published = study.published.iter_mut().map(|table| &mut table.path);
            let transcripts = study.transcripts.iter_mut().map(|file| &mut file.path);
            for path in published.chain(transcripts) {
                if let Some(rest) = path.strip_prefix(&format!("{}/", moved.from)) {
                    *path = format!("{}/{rest}", moved.to);
                }
            }
        }
    }
}

fn under(paths: &[&str], folder: &str) -> bool {
    paths.iter().any(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "[recognise]\nfiles = ['p.json']\nfolders = ['runs']\nmoved = [{ from = 'tables', to = 'csv' }]\n\
        [study]\nid = 'a'\ntitle = 'A'\nversion = '1'\ndate = '2026'\ndescription = 'x'\nlicence = 'MIT'\n\
        authors = [{ family = 'B' }]\n[grading]\ntolerance = 0.05\n[[published]]\ntable = 't'\npath = 'tables/t.csv'\n";

    #[test]
    fn a_folder_shows_its_signs_and_may_have_another_name() {
        let (signs, mut study) = load("a", PROFILE).unwrap();
        let paths = ["p.json", "runs/x.json", "csv/t.csv"];
        assert!(signs.hold(&paths) && !signs.hold(&paths[..1]));
        signs.settle(&mut study, &paths);
        assert_eq!(study.published[0].path, "csv/t.csv");
    }

    #[test]
    fn a_broken_profile_says_what_is_broken() {
        let error = load("a", "[study]").unwrap_err().to_string();
        assert!(error.contains("no [recognise]"), "{error}");
    }
}
