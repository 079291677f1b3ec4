//! The study that files are, as far as they tell.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::ConfigKey;
use crate::study::{
    Arm, Comparison, Configuration, Experiment, Grading, Identity, Judge, Matching, ProblemSet, Reduce, Study, blank,
    label,
};

/// A declaration made from files, and what was assumed for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The study.
    pub study: Study,
    /// One sentence for each thing that no file says and that was assumed.
    pub assumed: Vec<String>,
}

impl Declared {
    /// Joined with what another format declares of files that this one leaves: sets, configurations and experiments
    /// that are new. Ids that both use get the format's name behind them.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        let study = &mut self.study;
        let sets: BTreeSet<String> = study.sets.iter().map(|set| set.id.to_string()).collect();
        let mut renamed = BTreeMap::new();
        for set in other.study.sets {
            // The same problems known by their ids only add nothing.
            if set.path.is_empty() && set.files.is_empty() && !study.sets.is_empty() {
                renamed.insert(set.id.clone(), study.sets[0].id.clone());
                continue;
            }
            let id = free(set.id.as_str(), &sets);
            renamed.insert(set.id.clone(), id.as_str().into());
            study.sets.push(ProblemSet { id: id.as_str().into(), ..set });
        }
        for configuration in other.study.configurations {
            if study.configurations.iter().all(|known| known.key != configuration.key) {
                study.configurations.push(configuration);
            }
        }
        let known: BTreeSet<String> = study.experiments.iter().map(|experiment| experiment.id.to_string()).collect();
        for experiment in other.study.experiments {
            let id = free(experiment.id.as_str(), &known).as_str().into();
            let set = renamed.get(&experiment.set).cloned().unwrap_or_else(|| experiment.set.clone());
            // Two experiments of one set need a condition that tells them apart.
            let condition = experiment.condition.clone().or_else(|| experiment.format.clone());
            study.experiments.push(Experiment { id, set, condition, ..experiment });
        }
        for judge in other.study.judges {
            if study.judges.iter().all(|known| known.id != judge.id) {
                study.judges.push(crate::study::Judge { headline: false, ..judge });
            }
        }
        for estimator in other.study.estimators {
            if study.estimators.iter().all(|known| known.id != estimator.id) {
                study.estimators.push(crate::study::Estimator { headline: false, ..estimator });
            }
        }
        self.assumed.extend(other.assumed);
        self
    }
}

impl Declared {
    /// The leaderboard shows the experiment with the most configurations, and of these the first, unless its format
    /// says which.
    pub(super) fn choose_main(&mut self) {
        let study = &mut self.study;
        if study.experiments.iter().any(|experiment| experiment.main) {
            return;
        }
        let size = |experiment: &Experiment| experiment.configurations.len();
        let most = study.experiments.iter().map(size).max();
        let now = study.main_experiment().map(size);
        if now == most {
            return;
        }
        if let Some(largest) = study.experiments.iter_mut().find(|experiment| Some(size(experiment)) == most) {
            largest.main = true;
            self.assumed.push(format!("the leaderboard shows {}, which has the most configurations", largest.id));
        }
    }
}

impl Declared {
    /// Gives experiments that ask one set in one way a condition each: their facts need names.
    pub(super) fn tell_apart(&mut self) {
        let mut seen = BTreeSet::new();
        for experiment in &mut self.study.experiments {
            let keys = |experiment: &Experiment| {
                let labels = experiment.distinguishing();
                let labels: Vec<_> =
                    labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                (experiment.set.clone(), labels)
            };
            if !seen.insert(keys(experiment)) {
                experiment.condition = Some(experiment.id.to_string());
                seen.insert(keys(experiment));
            }
        }
    }
}

fn free(id: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    std::iter::once(id.to_owned()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or_default()
}

/// Identity of which only a name is known. Authors, licence and date are left empty: nobody may invent them.
pub fn identity(id: &str, title: &str, description: &str) -> Identity {
    Identity {
        id: super::slug(id),
        title: title.to_owned(),
        version: "1".to_owned(),
        date: String::new(),
        description: description.to_owned(),
        licence: String::new(),
        authors: Vec::new(),
        ..blank().study
    }
}

/// Each judge against the one before it, over every experiment: two judges are a comparison like any other.
pub fn compare_judges(study: &mut Study) {
    let mut found = Vec::new();
    for experiment in &study.experiments {
        for pair in study.judges.windows(2) {
            let arm = |judge: &Judge| Arm {
                title: Some(judge.title.clone()),
                experiment: experiment.id.clone(),
                configuration: None,
                judge: Some(judge.id.clone()),
                environment: None,
                run: None,
                problems: BTreeMap::new(),
            };
            let (before, after) = (&pair[0], &pair[1]);
            found.push(Comparison {
                id: super::slug(&format!("{}-{}-{}", experiment.id, before.id, after.id)),
                title: format!("{} and {}", before.title, after.title),
                before: arm(before),
                after: arm(after),
                matching: Matching::default(),
                reduce: Reduce::default(),
                family: None,
                unit: crate::study::Unit::default(),
                strata: Vec::new(),
                seed: 1,
            });
        }
    }
    study.comparisons.extend(found);
}

/// A study with nothing in it but its identity.
pub fn study(identity: Identity) -> Study {
    let grading = Grading { sweep: Vec::new(), ..blank().grading };
    Study { study: identity, grading, ..blank() }
}

/// A set that a format reads.
pub fn set(id: &str, title: &str, path: &str, format: &str) -> ProblemSet {
    ProblemSet {
        id: id.into(),
        title: title.to_owned(),
        labels: label("kind", "problems"),
        path: path.to_owned(),
        parents: None,
        optional: false,
        format: Some(format.to_owned()),
        files: Vec::new(),
        columns: BTreeMap::new(),
        grader: None,
    }
}

/// An experiment that a format reads.
pub fn experiment(id: &str, set: &str, format: &str) -> Experiment {
    Experiment {
        id: id.into(),
        folder: String::new(),
        set: set.into(),
        labels: label("protocol", "code"),
        main: false,
        runs: 1,
        configurations: Vec::new(),
        condition: None,
        optional: false,
        choice: None,
        format: Some(format.to_owned()),
        files: Vec::new(),
        columns: BTreeMap::new(),
        samples: true,
    }
}

/// A configuration of which only the name is known.
pub fn configuration(key: &str) -> Configuration {
    Configuration {
        key: ConfigKey::from(key),
        name: key.to_owned(),
        backbone: key.to_owned(),
        labels: BTreeMap::new(),
        leaderboard: true,
        tokens_are_lower_bound: false,
        aliases: Vec::new(),
    }
}
