//! `[choices]`: what a study could as well have decided otherwise, and under which its conclusions are asked again.
//!
//! A study that declares nothing gets the choices that every study of this kind makes: how answers are graded,
//! what an infrastructure error counts as, how several runs become one verdict, and what may be left out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Reduce;

/// Names of the choices, as reasons give them.
pub const NAMES: [&str; 8] = ["lens", "tolerance", "errors", "flagged", "configuration", "run", "runs", "unit"];

/// Which choices are varied, and how far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "each is one choice of the declaration, on or off")]
pub struct Choices {
    /// Whether answers are also graded by the strict lens.
    pub lens: bool,
    /// Relative tolerances beside the declared one; without any, those of the sweep.
    pub tolerances: Vec<f64>,
    /// Factors by which the declared tolerance is changed where neither these choices nor the sweep name any.
    pub tolerance_factors: Vec<f64>,
    /// Whether infrastructure errors are also counted the other way: those left out as failures, those counted as
    /// failures left out.
    pub errors: bool,
    /// Rules by which the runs of a configuration become one verdict, beside what each statistic does itself.
    pub runs: Vec<Reduce>,
    /// Whether flagged problems are also left out.
    pub flagged: bool,
    /// Problems that the authors flag, by set, beside those whose stored program this tool flags.
    pub flagged_problems: BTreeMap<String, Vec<String>>,
    /// What is left out, one at a time.
    pub leave_out: Vec<LeftOut>,
    /// Whether tests and intervals are also made over single records in place of problems.
    pub unit: bool,
    /// Most combinations over which one conclusion is asked. Where all of the choices that reach it give more, those
    /// with at most two choices made otherwise are taken.
    pub most: usize,
    /// Why a choice could as well be made otherwise, in the authors' words, by the name of the choice.
    pub reasons: BTreeMap<String, String>,
}

/// What may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Each run, from all configurations that have several.
    Runs,
    /// Each configuration.
    Configurations,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            lens: true,
            tolerances: Vec::new(),
            tolerance_factors: vec![0.5, 2.0],
            errors: true,
            runs: vec![Reduce::Majority, Reduce::Mean, Reduce::Any, Reduce::All],
            flagged: true,
            flagged_problems: BTreeMap::new(),
            leave_out: vec![LeftOut::Runs, LeftOut::Configurations],
            unit: true,
            most: 2000,
            reasons: BTreeMap::new(),
        }
    }
}

impl Choices {
    /// True for a study that declares none of its own.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl super::Study {
    /// Tolerances other than the declared one at which conclusions are asked again, in ascending order.
    pub fn other_tolerances(&self) -> Vec<f64> {
        let declared = self.grading.tolerance;
        let factors = || self.choices.tolerance_factors.iter().map(|factor| factor * declared).collect();
        let mut all: Vec<f64> = match (&self.choices.tolerances[..], &self.grading.sweep[..]) {
            ([], []) => factors(),
            ([], sweep) => sweep.to_vec(),
            (own, _) => own.to_vec(),
        };
        all.retain(|tolerance| (tolerance - declared).abs() > 1e-12);
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_declared_is_varied_as_everywhere() {
        let own: Choices = toml::from_str("lens = false\nruns = ['majority']\n").unwrap();
        assert_eq!((own.lens, own.runs.as_slice(), own.errors), (false, &[Reduce::Majority][..], true));
        assert!(toml::from_str::<Choices>("").unwrap().is_default());
        assert!(toml::from_str::<Choices>("lenses = true").is_err());
    }

    #[test]
    fn tolerances_are_declared_swept_or_steps() {
        let mut study = crate::study::blank();
        study.grading.tolerance = 0.05;
        study.grading.sweep = vec![0.1, 0.05, 0.01];
        assert_eq!(study.other_tolerances(), [0.01, 0.1]);
        study.grading.sweep.clear();
        assert_eq!(study.other_tolerances(), [0.025, 0.1]);
        study.choices.tolerances = vec![0.2];
        assert_eq!(study.other_tolerances(), [0.2]);
    }
}
