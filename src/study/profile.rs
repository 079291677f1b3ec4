//! Built-in declarations of studies whose folders are recognised without a `study.toml`.
//!
//! A profile is a declaration plus `[recognise]`, which says by what files the folder is known. To add
//! one, put it into `profiles/` and name it in [`PROFILES`].

use serde::Deserialize;

use super::manifest;
use super::{Study, StudyError};

/// Name and text of each profile, in the order in which they are tried.
pub(super) const PROFILES: &[(&str, &str)] = &[("atmoscoder", include_str!("profiles/atmoscoder.toml"))];

/// How a folder is recognised.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Signs {
    /// Files that must exist.
    pub(super) files: Vec<String>,
    /// Folders that must hold something.
    pub(super) folders: Vec<String>,
    /// Folders that may also be called otherwise.
    #[serde(default)]
    pub(super) moved: Vec<Moved>,
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

    #[test]
    fn every_profile_is_a_sound_declaration() {
        for (name, text) in PROFILES {
            let (signs, study) = load(name, text).unwrap();
            assert!(!signs.files.is_empty() && !study.sets.is_empty() && !study.experiments.is_empty());
        }
    }

    #[test]
    fn atmoscoder_declares_what_its_documents_count() {
        let (_, study) = load(PROFILES[0].0, PROFILES[0].1).unwrap();
        assert_eq!(study.configurations.iter().filter(|c| c.leaderboard).count(), 16);
        // 263 run files and the 3 option files, from the table of the archive schema.
        let files: u32 = study
            .experiments
            .iter()
            .map(|e| e.runs * if e.configurations.is_empty() { 16 } else { e.configurations.len() as u32 })
            .sum();
        assert_eq!(files, 266);
        let twins = |backbone: &str| study.configurations.iter().filter(|c| c.backbone == backbone).count();
        assert_eq!((twins("gpt-5.5"), twins("Gemini-3.1-Pro"), twins("Kimi K2.6")), (2, 1, 2));
        assert_eq!(study.published.iter().filter(|t| t.path.starts_with("published/")).count(), 40);
    }

    #[test]
    fn a_folder_may_have_its_upstream_name() {
        let (signs, mut study) = load(PROFILES[0].0, PROFILES[0].1).unwrap();
        let paths = ["benchmark/core.json", "experiments/x.json", "supplement/figure_data/F1_category_sizes.csv"];
        assert!(signs.hold(&paths) && !signs.hold(&paths[..1]));
        signs.settle(&mut study, &paths);
        assert!(study.published.iter().any(|t| t.path == "supplement/figure_data/F1_category_sizes.csv"));
    }
}
