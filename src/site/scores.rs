//! Scores as pages show them: facts looked up by configuration and experiment.

use std::collections::BTreeMap;

use super::grid::{Grid, GridRow};
use super::sheet::Source;
use super::view::{View, keys_of};
use crate::number;
use crate::statistics::Fact;
use crate::study::Configuration;

/// The main score of a configuration on an experiment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Headline {
    /// Mean over runs, percent.
    pub mean: f64,
    /// Standard deviation over runs, points; none for one run.
    pub sd: Option<f64>,
    /// Interval over clusters of problems, percent.
    pub interval: Option<(f64, f64)>,
    /// Wilson's interval over all records, percent.
    pub wilson: Option<(f64, f64)>,
}

impl Headline {
    /// `97.6 ± 0.1`.
    pub(crate) fn printed(&self) -> String {
        match self.sd {
            Some(sd) => format!("{} ± {}", number::fixed(self.mean, 1), number::fixed(sd, 1)),
            None => number::fixed(self.mean, 1),
        }
    }
}

impl<'a> View<'a> {
    /// Keys under which facts of an experiment and configuration are filed.
    pub(crate) fn keys<'k>(&self, grid: &'k Grid<'_>, configuration: &'k Configuration) -> Vec<(&'k str, &'k str)> {
        keys_of(grid.experiment, configuration)
    }

    /// True when the study declares the number that heads its leaderboard.
    pub(crate) fn has_own_headline(&self, grid: &Grid<'_>) -> bool {
        grid.experiment.samples && self.input.study.estimators.iter().any(|estimator| estimator.headline)
    }

    /// Mean, deviation and interval of a configuration.
    pub(crate) fn headline(&self, grid: &Grid<'_>, configuration: &Configuration) -> Option<Headline> {
        let keys = self.keys(grid, configuration);
        let point = |measure| self.lookup.point("accuracy-mean-sd", measure, &keys);
        let ends = |measure| self.lookup.interval("accuracy-mean-sd", measure, &keys);
        // A study that declares its own number is headed by that; problems may have different numbers of samples.
        let study = self.input.study;
        let own = study.estimators.iter().find(|estimator| estimator.headline).filter(|_| self.has_own_headline(grid));
        if let Some(estimator) = own {
            let mut keys = keys.clone();
            keys.push(("estimator", estimator.id.as_str()));
            let judge = study.headline_judge().filter(|_| study.judges.len() > 1);
            keys.extend(judge.map(|judge| ("judge", judge.id.as_str())));
            let mean = self.lookup.point("estimate", "value", &keys)?;
            return Some(Headline { mean, sd: point("sd"), interval: ends("mean"), wilson: ends("pooled") });
        }
        Some(Headline { mean: point("mean")?, sd: point("sd"), interval: ends("mean"), wilson: ends("pooled") })
    }

    /// Keys of the facts about one run.
    pub(crate) fn keys_of_run<'k>(
        &self,
        grid: &'k Grid<'_>,
        configuration: &'k Configuration,
        number: &'k str,
    ) -> Vec<(&'k str, &'k str)> {
        let mut keys = self.keys(grid, configuration);
        keys.push(("run", number));
        keys
    }

    /// Accuracy of one run, percent.
    pub(crate) fn run_percent(&self, grid: &Grid<'_>, configuration: &Configuration, run: u32) -> Option<f64> {
        let number = run.to_string();
        self.lookup.point("accuracy-run", "percent", &self.keys_of_run(grid, configuration, &number))
    }

    /// Categories of an experiment's problems with their ids, largest first.
    pub(crate) fn categories(&self, grid: &Grid<'a>) -> Vec<(&'a str, Vec<&'a str>)> {
        let mut categories: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for problem in grid.set.iter().flat_map(|set| &set.problems) {
            if let Some(category) = &problem.category {
                categories.entry(category).or_default().push(problem.id.as_str());
            }
        }
        let mut list: Vec<_> = categories.into_iter().collect();
        list.sort_by_key(|(name, ids)| (std::cmp::Reverse(ids.len()), *name));
        list
    }

    /// Mean accuracy of a configuration in a category, percent.
    pub(crate) fn category_mean(&self, grid: &Grid<'_>, row: &GridRow<'_>, category: &str) -> Option<f64> {
        self.of_category("mean", grid, row, category)
    }

    /// Its standard deviation over runs, points.
    pub(crate) fn category_sd(&self, grid: &Grid<'_>, row: &GridRow<'_>, category: &str) -> Option<f64> {
        self.of_category("sd", grid, row, category)
    }

    fn of_category(&self, measure: &str, grid: &Grid<'_>, row: &GridRow<'_>, category: &str) -> Option<f64> {
        self.category_fact(measure, grid, row, category)?.estimate.point()
    }

    /// A measure of the accuracy in a category, as the fact.
    pub(crate) fn category_fact(
        &self,
        measure: &str,
        grid: &Grid<'_>,
        row: &GridRow<'_>,
        category: &str,
    ) -> Option<&'a Fact> {
        let mut keys = self.keys(grid, row.configuration);
        keys.push(("category", category));
        let own = self.lookup.fact("category-accuracy", measure, &keys).filter(|fact| fact.estimate.point().is_some());
        own.or_else(|| {
            let keys = [("model", row.configuration.key.as_str()), ("category", category)];
            self.lookup.fact("category-accuracy", measure, &keys)
        })
    }

    /// Positions of the problems of an experiment, those with fewest passed runs first.
    pub(crate) fn hardest_first(&self, grid: &Grid<'a>) -> Vec<usize> {
        let Some(set) = grid.set else { return Vec::new() };
        let mut keys = vec![("set", grid.experiment.set.as_str())];
        keys.extend(grid.experiment.distinguishing());
        // Without a graded run nobody solved it.
        let passes = |position: &usize| {
            let own = [&keys[..], &[("problem", set.problems[*position].id.as_str())]].concat();
            self.lookup.exact("case-count", "passes", &own).map_or(0, |passes| passes as u64)
        };
        let mut order: Vec<usize> = (0..set.problems.len()).collect();
        order.sort_by_cached_key(|position| (passes(position), *position));
        order
    }

    /// The same source with the problem set and the run files of an experiment.
    pub(crate) fn with_runs(&self, source: Source, grid: &Grid<'_>) -> Source {
        let runs: Vec<_> = grid.rows.iter().flat_map(|row| row.runs.iter().flatten()).collect();
        let digests: Vec<&[u8]> = runs.iter().map(|run| &run.digest.as_bytes()[..]).collect();
        let all = crate::digest::Digest::of_parts(digests);
        let source = match grid.set {
            Some(set) => source.with_input(set.path.clone(), set.digest),
            None => source,
        };
        source.with_input(format!("{} ({} runs)", grid.experiment.folder, runs.len()), all)
    }

    /// True when a statistic with this id has a page.
    pub(crate) fn has_method(&self, id: &str) -> bool {
        self.method_of(id) == Some(id)
    }

    /// Id of the statistic that answers to an id or another slug.
    pub(crate) fn method_of(&self, slug: &str) -> Option<&'static str> {
        let mut all = self.input.registry.statistics.iter().map(|statistic| statistic.about());
        all.find(|about| about.id == slug || about.also.contains(&slug)).map(|about| about.id)
    }
}
