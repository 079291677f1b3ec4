//! How much of each arm is there: counted where the files do not say it themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::{Archive, Coverage};
use crate::corpus::Corpus;
use crate::report::{Finding, Place};
use crate::study::Study;

/// Adds a row for every arm of an experiment with a format that has none yet, sorts them, and tells arms whose
/// problems have different numbers of samples.
pub(super) fn complete(study: &Study, corpus: &Corpus, archive: &mut Archive) -> Vec<Finding> {
    let mut findings = Vec::new();
    for experiment in study.experiments.iter().filter(|experiment| experiment.format.is_some()) {
        let declared = corpus.set(experiment.set.as_str()).map(|set| set.problems.len() as u64);
        let mut arms: BTreeMap<_, BTreeMap<&str, usize>> = BTreeMap::new();
        for run in archive.runs.iter().filter(|run| run.key.experiment == experiment.id) {
            let ids = arms.entry((&run.key.configuration, run.path.as_str())).or_default();
            run.records.iter().for_each(|record| *ids.entry(record.id.as_str()).or_default() += 1);
        }
        let mut by_configuration: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        for ((configuration, path), ids) in &arms {
            by_configuration.entry((*configuration).clone()).or_default().extend(ids.keys());
            findings.extend(experiment.samples.then(|| ragged(path, configuration.as_str(), ids)).flatten());
        }
        let rows: Vec<Coverage> = by_configuration
            .into_iter()
            .filter(|(configuration, _)| {
                let same = |row: &Coverage| row.experiment == experiment.id && row.configuration == *configuration;
                !archive.coverage.iter().any(same)
            })
            .map(|(configuration, ids)| {
                let known = |id: &&&str| corpus.set(experiment.set.as_str()).is_none_or(|set| set.get(id).is_some());
                let recorded = ids.iter().filter(known).count() as u64;
                Coverage {
                    experiment: experiment.id.clone(),
                    configuration,
                    run: None,
                    declared,
                    submitted: None,
                    recorded,
                    absent: declared.map(|declared| declared.saturating_sub(recorded)),
                }
            })
            .collect();
        archive.coverage.extend(rows);
    }
    let key = |row: &Coverage| (row.experiment.clone(), row.configuration.clone(), row.run);
    archive.coverage.sort_by_cached_key(key);
    findings
}

/// Problems with another number of samples than most.
fn ragged(path: &str, configuration: &str, ids: &BTreeMap<&str, usize>) -> Option<Finding> {
    let mut by_count: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    ids.iter().for_each(|(id, count)| by_count.entry(*count).or_default().push(id));
    let (usual, _) = by_count.iter().max_by_key(|(_, ids)| ids.len())?;
    let others: Vec<String> = by_count
        .iter()
        .filter(|(count, _)| *count != usual)
        .flat_map(|(count, ids)| ids.iter().map(move |id| format!("{id} ({count})")))
        .collect();
    if others.is_empty() {
        return None;
    }
    let more = if others.len() > 5 { ", ..." } else { "" };
    let named = others.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let samples: usize = ids.values().sum();
    let message = format!(
        "{samples} samples of {} problems: most have {usual}, {} do not: {named}{more}",
        ids.len(),
        others.len()
    );
    Some(Finding::new("ragged-samples", Place::file(path).with_subject(configuration), message))
}
