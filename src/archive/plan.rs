//! Which file is which run, by its path alone.

use std::collections::BTreeMap;

use super::record::RunKey;
use crate::id::ConfigKey;
use crate::report::{Finding, Findings, Place};
use crate::study::{ChoiceLayout, Experiment, Study};
use crate::world::{Clutter, Entry, clutter};

/// A file to read as a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// Path inside the study.
    pub(super) path: String,
    /// Size as listed.
    pub(super) bytes: u64,
    /// Run it is by its path.
    pub(super) key: RunKey,
    /// Layout.
    pub(super) layout: Layout,
    /// False when the study declares no such configuration or run.
    pub(super) declared: bool,
}

/// How a run is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// `{"metrics", "results"}`.
    RunFile,
    /// A line per problem with a score.
    EvaluationLines,
}

/// Finds the runs among the files of a study, in path order, and says what the other files below the
/// folders of experiments are not.
pub(super) fn plan(entries: &[Entry], study: &Study, findings: &mut Findings) -> Vec<Planned> {
    let mut planned: BTreeMap<RunKey, Planned> = BTreeMap::new();
    for entry in entries {
        if !entry.regular {
            let (code, message) = if entry.path.ends_with('/') {
                ("unreadable-file", "the folder cannot be listed")
            } else {
                ("not-followed", "a link or special file; its target was not read")
            };
            findings.push(Finding::new(code, Place::file(&entry.path), message));
            continue;
        }
        // Where clutter was not left out before, it still is no run.
        if let Some((kind, _)) = clutter(&entry.path)
            && matches!(kind, Clutter::System | Clutter::Editor)
        {
            findings.push(Finding::new("not-a-run", Place::file(&entry.path), format!("it was {}", kind.words())));
            continue;
        }
        let found = study.experiments.iter().find_map(|experiment| run(entry, experiment, study));
        let Some(found) = found else {
            if is_stray(&entry.path, study) {
                let message = "the name of no run of a declared experiment";
                findings.push(Finding::new("not-a-run", Place::file(&entry.path), message));
            }
            continue;
        };
        match planned.get(&found.key) {
            Some(first) => {
                let message = format!("the same run as {}, which is used", first.path);
                findings.push(Finding::new("duplicate-run", Place::file(&entry.path), message));
            }
            None => drop(planned.insert(found.key.clone(), found)),
        }
    }
    planned.into_values().collect()
}

/// The run a file is for an experiment, if its path says so.
fn run(entry: &Entry, experiment: &Experiment, study: &Study) -> Option<Planned> {
    if experiment.format.is_some() {
        return None;
    }
    let rest = entry.path.strip_prefix(&experiment.folder)?.strip_prefix('/')?;
    let (name, number, layout) = match experiment.choice {
        Some(ChoiceLayout::EvaluationLines) => (rest.strip_suffix("/evaluation.jsonl")?, None, Layout::EvaluationLines),
        None => {
            let stem = rest.strip_suffix(".json")?;
            let (name, number) = split_run(stem, study);
            (name, number, Layout::RunFile)
        }
    };
    if name.contains('/') || name.is_empty() {
        return None;
    }
    let known = configuration(name, study);
    let configuration = known.cloned().unwrap_or_else(|| ConfigKey::from(name));
    let run = number.unwrap_or(1);
    let declared =
        known.is_some() && expects(experiment, &configuration, study) && (1..=experiment.runs).contains(&run);
    Some(Planned {
        path: entry.path.clone(),
        bytes: entry.bytes,
        key: RunKey { experiment: experiment.id.clone(), configuration, run },
        layout,
        declared,
    })
}

/// Splits `<configuration>.run<k>`. A configuration that is itself called so wins.
fn split_run<'n>(stem: &'n str, study: &Study) -> (&'n str, Option<u32>) {
    if configuration(stem, study).is_some() {
        return (stem, None);
    }
    let split = stem.rsplit_once(".run").and_then(|(name, digits)| {
        let sound = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        sound.then(|| digits.parse().ok()).flatten().map(|number| (name, number))
    });
    match split {
        Some((name, number)) => (name, Some(number)),
        None => (stem, None),
    }
}

/// Configuration by key, else by alias.
pub(super) fn configuration<'s>(name: &str, study: &'s Study) -> Option<&'s ConfigKey> {
    study.configuration_of_file(name).map(|configuration| &configuration.key)
}

/// True when the experiment is declared for this configuration.
fn expects(experiment: &Experiment, key: &ConfigKey, study: &Study) -> bool {
    match study.configuration(key.as_str()) {
        Some(configuration) => study.expects(experiment, configuration),
        None => experiment.configurations.contains(key),
    }
}

/// A file in the neighbourhood of run files that nothing else in the declaration names.
fn is_stray(path: &str, study: &Study) -> bool {
    let top = |folder: &str| folder.split('/').next().map(|top| format!("{top}/")).unwrap_or_default();
    let native = || study.experiments.iter().filter(|experiment| experiment.format.is_none());
    native().any(|experiment| path.starts_with(&top(&experiment.folder)))
        && !study.sets.iter().any(|set| set.path == path)
        && !study.transcripts.iter().any(|file| file.path == path)
        && !study.claims.iter().any(|ledger| ledger.path == path)
        && !study.published.iter().any(|table| table.path == path)
        && !study.documents.iter().any(|document| document == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::recognise;
    use crate::world::Source;
    use crate::world::memory::Memory;

    const STUDY: &str = "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
        authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
        [[set]]\nid='p'\ntitle='P'\nkind='problems'\npath='p.json'\n\
        [[configuration]]\nkey='m'\nname='M'\nbackbone='M'\nsetting='reasoning'\naliases=['M-1']\n\
        [[configuration]]\nkey='m.run2'\nname='N'\nbackbone='N'\nsetting='reasoning'\nleaderboard=false\n\
        [[experiment]]\nid='e'\nfolder='runs/e'\nset='p'\nprotocol='code'\nruns=2\n\
        [[experiment]]\nid='o'\nfolder='runs/o'\nset='p'\nprotocol='option'\nruns=1\nchoice='evaluation-lines'\n";

    fn planned(paths: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut source = Memory::default().with("study.toml", STUDY);
        for path in paths {
            source = source.with(path, "x");
        }
        let study = recognise(&source, &[]).unwrap().study;
        let mut findings = Findings::default();
        let plan = plan(&source.entries().unwrap(), &study, &mut findings);
        let show = |p: &Planned| {
            let mark = if p.declared { "" } else { " (undeclared)" };
            format!("{}/{}/{}{mark}", p.key.experiment, p.key.configuration, p.key.run)
        };
        (plan.iter().map(show).collect(), findings.iter().map(|f| format!("{} {}", f.code, f.place)).collect())
    }

    #[test]
    fn names_of_runs() {
        let (runs, strays) = planned(&[
            "runs/e/m.run1.json",
            "runs/e/m.run10.json",
            "runs/e/x.run1.json",
            "runs/o/M-1/evaluation.jsonl",
        ]);
        assert_eq!(runs, ["e/m/1", "e/m/10 (undeclared)", "e/x/1 (undeclared)", "o/m/1"]);
        assert!(strays.is_empty(), "{strays:?}");
    }

    #[test]
    fn a_configuration_named_like_a_run_is_itself() {
        assert_eq!(planned(&["runs/e/m.run2.json"]).0, ["e/m.run2/1 (undeclared)"]);
    }

    #[test]
    fn strays_and_doubles_are_named() {
        let (runs, found) = planned(&[
            "runs/e/M-1.run1.json",
            "runs/e/m.run1.json",
            "runs/e/old/m.run1.json",
            "runs/notes.txt",
            "runs/o/m/evaluation.jsonl.bak",
            "p.json",
        ]);
        assert_eq!(runs, ["e/m/1"]);
        assert_eq!(
            found,
            [
                "duplicate-run runs/e/m.run1.json",
                "not-a-run runs/e/old/m.run1.json",
                "not-a-run runs/notes.txt",
                "not-a-run runs/o/m/evaluation.jsonl.bak"
            ]
        );
    }
}
