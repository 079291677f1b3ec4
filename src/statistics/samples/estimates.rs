//! Every declared estimator, for every configuration and judge, and by the labels of problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::applies;
use crate::archive::{Denominator, Record};
use crate::estimate::{Arm, Number, Shortage, Which};
use crate::statistics::tally::Board;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::study::{Estimator, EstimatorKind, Study};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "estimate",
    also: &[],
    title: "Declared estimators",
    unit: "percent",
    meaning: "The numbers that the study derives from its verdicts: a mean over problems, a share of all samples, pass@k or \
              pass^k, for every configuration and every judge, and for problems of one label.",
    formula: "For a problem with n counted records of which c passed: mean is c/n, pass-at-k is 1 - C(n-c, k)/C(n, k), \
              pass-hat-k is C(c, k)/C(n, k); each is averaged over problems and given in percent. pooled is the sum of c \
              over the sum of n. count is the number of problems with c > 0. score is the mean over problems of the mean \
              stored score, in the unit of the score.",
    source: "pass@k after Chen et al. (2021), equation 1; pass^k after Yao et al. (2024).",
    edge_cases: "Records that nobody judged are not counted. A problem with fewer than k counted records leaves pass@k and \
                 pass^k undefined: an estimate from fewer samples would be a guess. A configuration of which every record \
                 ended with a timeout or an error has no rate. Where each problem has one record, mean has Wilson's \
                 interval.",
    example: "Two problems, one with two of three samples passed and one with none of one: mean 33.3, pooled 50.0.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "estimator", meaning: "id of the estimator" },
        KeyDoc { key: "judge", meaning: "judge; absent where the study has only one" },
        KeyDoc { key: "label", meaning: "label by which problems are chosen; absent for all problems" },
        KeyDoc { key: "value", meaning: "value of that label" },
    ],
    measures: &[("value", "the estimate"), ("problems", "problems with a record that counts")],
};

/// Most values of a label that is taken apart.
const VALUES: usize = 40;

/// Declared estimators.
pub(in crate::statistics) struct Estimates;

impl Statistic for Estimates {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut table = Table::new(
            "estimates",
            "Declared estimators by configuration and judge",
            &[ABOUT.id],
            &[
                ("experiment", Kind::Text, ""),
                ("model", Kind::Text, ""),
                ("judge", Kind::Text, ""),
                ("estimator", Kind::Text, ""),
                ("value", Kind::Real, "percent"),
                ("problems", Kind::Integer, ""),
            ],
        );
        for experiment in evidence.study.experiments.iter().filter(|e| applies(evidence.study, e)) {
            let board = evidence.board(experiment);
            for tally in &board.tallies {
                one(&mut output, &mut table, evidence, &board, tally.key);
            }
        }
        if !table.rows.is_empty() {
            output.tables.push(table);
        }
        output
    }
}

/// Judges to go over: those that are declared, else the one stored mark.
fn judges(study: &Study) -> Vec<Option<&str>> {
    match study.judges.len() {
        0 | 1 => vec![None],
        _ => study.judges.iter().map(|judge| Some(judge.id.as_str())).collect(),
    }
}

fn one(output: &mut Output, table: &mut Table, evidence: &Evidence<'_>, board: &Board<'_>, model: &str) {
    let study = evidence.study;
    for judge in judges(study) {
        let arm = |keep: &dyn Fn(&Record) -> bool| {
            let experiment = board.experiment.id.as_str();
            Arm::of(evidence.archive, Which { experiment, configuration: model, run: None, judge, keep })
        };
        let all = arm(&|_| true);
        for estimator in &study.estimators {
            let mut keys = board.keys();
            keys.extend([("model", model), ("estimator", estimator.id.as_str())]);
            keys.extend(judge.map(|judge| ("judge", judge)));
            let number = number(&all, estimator);
            let problems = all.counted();
            let cell = number.as_ref().map_or_else(
                |reason| Cell::Undefined(reason.to_string().into()),
                |number| Cell::rounded(number.value, 4),
            );
            table.push(vec![
                Cell::text(board.experiment.id.as_str()),
                Cell::text(model),
                Cell::text(judge.unwrap_or_default()),
                Cell::text(estimator.id.as_str()),
                cell,
                Cell::count(problems),
            ]);
            output
                .on(ABOUT.id, Basis::Records, &keys)
                .put("value", estimate(number))
                .put("problems", Estimate::count(problems));
        }
        let Some(headline) = headline(study) else { continue };
        for (label, values) in labels(board) {
            for value in values {
                let keep = |record: &Record| {
                    let problem = board.set.and_then(|set| set.get(record.id.as_str()));
                    problem.is_some_and(|problem| problem.labels.get(&label) == Some(&value))
                };
                let arm = arm(&keep);
                let mut keys = board.keys();
                keys.extend([("model", model), ("estimator", headline.id.as_str())]);
                keys.extend(judge.map(|judge| ("judge", judge)));
                keys.extend([("label", &*label), ("value", &*value)]);
                output
                    .on(ABOUT.id, Basis::Records, &keys)
                    .put("value", estimate(number(&arm, headline)))
                    .put("problems", Estimate::count(arm.counted()));
            }
        }
    }
}

/// The estimator that stands first on pages.
pub(super) fn headline(study: &Study) -> Option<&Estimator> {
    study.estimators.iter().find(|estimator| estimator.headline).or_else(|| study.estimators.first())
}

fn number(arm: &Arm<'_>, estimator: &Estimator) -> Result<Number, Shortage> {
    arm.number(estimator.kind, estimator.k, Denominator::Graded, None).map(|number| match estimator.kind {
        // Scores between 0 and 1 are shown like every rate.
        EstimatorKind::Score => Number { value: 100.0 * number.value, ..number },
        _ => number,
    })
}

fn estimate(number: Result<Number, Shortage>) -> Estimate {
    match number {
        Err(shortage) => Estimate::undefined(shortage.to_string()),
        Ok(Number { count: Some((passed, all)), value }) if value <= 100.0 && passed <= all => {
            let share = Estimate::share(passed as usize, all as usize);
            if share.point().is_some_and(|point| (point - value).abs() < 1e-9) { share } else { Estimate::value(value) }
        }
        Ok(number) => Estimate::value(number.value),
    }
}

/// Labels of the problems of a board that are worth a row each.
fn labels(board: &Board<'_>) -> BTreeMap<Arc<str>, BTreeSet<Arc<str>>> {
    let mut found: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for problem in board.set.iter().flat_map(|set| &set.problems) {
        for (label, value) in &problem.labels {
            found.entry(label.clone()).or_default().insert(value.clone());
        }
    }
    found.retain(|_, values| (2..=VALUES).contains(&values.len()));
    found
}
