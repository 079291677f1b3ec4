//! Every question about a declaration, answered in one place.

use super::{Configuration, Experiment, ProblemSet, Strata, Study};
use crate::id::ConfigKey;

/// Two configurations that differ in their setting alone.
#[derive(Debug, Clone, Copy)]
pub struct Twins<'a> {
    /// Without a reasoning phase.
    pub plain: &'a Configuration,
    /// With one.
    pub reasoning: &'a Configuration,
}

/// The two settings that make twins.
const SETTINGS: [&str; 2] = ["non-reasoning", "reasoning"];

impl Configuration {
    /// True for the member of a pair of twins that reasons before it answers.
    pub fn reasons(&self) -> bool {
        self.setting() == SETTINGS[1]
    }
}

impl Study {
    /// A set by id.
    pub fn set(&self, id: &str) -> Option<&ProblemSet> {
        self.sets.iter().find(|set| set.id.as_str() == id)
    }

    /// The first set of a kind.
    pub fn set_of_kind(&self, kind: &str) -> Option<&ProblemSet> {
        self.sets.iter().find(|set| set.kind() == kind)
    }

    /// An experiment by id.
    pub fn experiment(&self, id: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.id.as_str() == id)
    }

    /// The experiment of a set under a protocol, without a condition.
    pub fn experiment_on(&self, set: &str, protocol: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|e| e.set.as_str() == set && e.protocol() == protocol && e.condition.is_none())
    }

    /// The experiment that the leaderboard shows: the one declared as such; else the first over a set that is
    /// derived from no other, without a condition.
    pub fn main_experiment(&self) -> Option<&Experiment> {
        let original = |e: &&Experiment| {
            e.condition.is_none() && self.set(e.set.as_str()).is_some_and(|set| set.parents.is_none())
        };
        let declared = self.experiments.iter().find(|experiment| experiment.main);
        declared.or_else(|| self.experiments.iter().find(original))
    }

    /// True for experiments over the problems of the main one, without a condition.
    pub fn asks_main_problems(&self, experiment: &Experiment) -> bool {
        experiment.condition.is_none() && self.main_experiment().is_some_and(|main| main.set == experiment.set)
    }

    /// The grader that the set of an experiment declares.
    pub fn declared_grader(&self, experiment: &str) -> Option<&str> {
        self.set(self.experiment(experiment)?.set.as_str())?.grader.as_deref()
    }

    /// A configuration by key.
    pub fn configuration(&self, key: &str) -> Option<&Configuration> {
        self.configurations.iter().find(|configuration| configuration.key.as_str() == key)
    }

    /// A configuration by key, display name or another declared name; an exact key wins over a name that another
    /// configuration happens to carry, and a name over an alias.
    pub fn configuration_named(&self, name: &str) -> Option<&Configuration> {
        let named = || self.configurations.iter().find(|configuration| configuration.name == name);
        self.configuration(name).or_else(named).or_else(|| self.aliased(name))
    }

    /// A configuration by what its files are called: its key, else an alias. Display names are no file names.
    pub fn configuration_of_file(&self, name: &str) -> Option<&Configuration> {
        self.configuration(name).or_else(|| self.aliased(name))
    }

    fn aliased(&self, name: &str) -> Option<&Configuration> {
        self.configurations.iter().find(|c| c.aliases.iter().any(|alias| alias == name))
    }

    /// Configurations that enter aggregates, in declared order.
    pub fn listed(&self) -> impl Iterator<Item = &Configuration> + Clone {
        self.configurations.iter().filter(|configuration| configuration.leaderboard)
    }

    /// True when an experiment is declared for a configuration: by its own list, else when it is listed.
    pub fn expects(&self, experiment: &Experiment, configuration: &Configuration) -> bool {
        if experiment.configurations.is_empty() {
            configuration.leaderboard
        } else {
            experiment.configurations.contains(&configuration.key)
        }
    }

    /// Keys of the configurations that an experiment is declared for: its own list, else the listed ones.
    pub fn expected<'s>(&'s self, experiment: &'s Experiment) -> Vec<&'s ConfigKey> {
        if experiment.configurations.is_empty() {
            self.listed().map(|configuration| &configuration.key).collect()
        } else {
            experiment.configurations.iter().collect()
        }
    }

    /// Groups of the leaderboard with one configuration of each setting, in the order in which the plain one is
    /// declared. A group with several of one setting is no pair.
    pub fn twins(&self) -> Vec<Twins<'_>> {
        let pair = |plain: &&Configuration| plain.setting() == SETTINGS[0];
        let of = |c| {
            let [plain, reasoning] = SETTINGS.map(|setting| self.member(c, setting));
            Some(Twins { plain: plain?, reasoning: reasoning? })
        };
        self.listed().filter(pair).filter_map(|c| of(&c.backbone)).collect()
    }

    /// The one listed configuration of a group with a setting; nothing where there are several.
    pub fn member(&self, group: &str, setting: &str) -> Option<&Configuration> {
        let mut found = self.listed().filter(|c| c.backbone == group && c.setting() == setting);
        found.next().filter(|_| found.next().is_none())
    }

    /// The other setting of the same model.
    pub fn twin(&self, configuration: &Configuration) -> Option<&Configuration> {
        self.configurations.iter().find(|other| {
            other.backbone == configuration.backbone
                && other.setting() != configuration.setting()
                && other.leaderboard == configuration.leaderboard
        })
    }

    /// Keys of a group of listed configurations: `leaderboard`, `reasoning`, `plain` or `twins`.
    pub fn group(&self, name: &str) -> Option<Vec<&str>> {
        let keys = |keep: &dyn Fn(&Configuration) -> bool| {
            Some(self.listed().filter(|c| keep(c)).map(|c| c.key.as_str()).collect())
        };
        match name {
            "leaderboard" => keys(&|_| true),
            "reasoning" => keys(&|c| c.setting() == SETTINGS[1]),
            "plain" => keys(&|c| c.setting() == SETTINGS[0]),
            "twins" => keys(&|c| self.listed().any(|o| o.backbone == c.backbone && o.setting() != c.setting())),
            _ => None,
        }
    }

    /// How the values of a label are ordered and named.
    pub fn strata(&self, by: &str) -> Option<&Strata> {
        self.strata.iter().find(|strata| strata.by == by)
    }
}
