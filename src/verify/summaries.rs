//! L0, second part: numbers that files state about their records, against a recount with their own rule.

use serde::Serialize;

use super::ladder::LevelSummary;
use super::unchecked::Unchecked;
use crate::archive::{Archive, Record, Scale, StoredSummary};
use crate::corpus::{Corpus, Problem};
use crate::estimate::{Arm, Shortage, Which};
use crate::id::{ConfigKey, ExperimentId};
use crate::report::{Finding, Findings, Place};
use crate::study::{EstimatorKind, Study};

/// A stored number and what a recount gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SummaryVerdict {
    /// Name as the file has it.
    pub metric: String,
    /// Experiment.
    pub experiment: ExperimentId,
    /// Configuration.
    pub configuration: ConfigKey,
    /// Judge, where it is not the headline.
    pub judge: Option<String>,
    /// As printed in the file.
    pub stored: String,
    /// The recount in the unit of the file, or why there is none.
    pub recount: Result<f64, String>,
    /// Whether they agree; `None` when nothing could be counted.
    pub agrees: Option<bool>,
    /// Where it stands.
    pub place: Place,
}

/// Counts every stored summary again.
pub fn summaries(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    level: &mut LevelSummary,
) -> (Vec<SummaryVerdict>, Findings) {
    let mut findings = Findings::default();
    let mut verdicts = Vec::with_capacity(archive.summaries.len());
    for summary in &archive.summaries {
        let recount = recount(study, corpus, archive, summary);
        let agrees = recount.as_ref().ok().map(|found| within(summary, *found));
        match (&recount, agrees) {
            (Ok(found), Some(agrees)) => {
                level.count(agrees);
                if !agrees {
                    let message = format!(
                        "{} of {} is stored as {}, a recount gives {}",
                        summary.metric,
                        summary.configuration,
                        summary.printed,
                        crate::number::beside(*found, &summary.printed)
                    );
                    let place = summary.place.clone().with_subject(summary.configuration.as_str());
                    findings.push(Finding::new("summary-differs", place, message));
                }
            }
            (Err(shortage), _) => level.skip(reason_of(*shortage), 1),
            (Ok(_), None) => {}
        }
        verdicts.push(SummaryVerdict {
            metric: summary.metric.to_string(),
            experiment: summary.experiment.clone(),
            configuration: summary.configuration.clone(),
            judge: summary.judge.as_ref().map(ToString::to_string),
            stored: summary.printed.to_string(),
            recount: recount.map_err(|shortage| shortage.to_string()),
            agrees,
            place: summary.place.clone(),
        });
    }
    (verdicts, findings)
}

/// Shortages without their numbers, so that they can be counted.
const fn reason_of(shortage: Shortage) -> Unchecked {
    match shortage {
        Shortage::NoRecords => Unchecked::SummaryRecords,
        Shortage::FewSamples { .. } => Unchecked::SummarySamples,
        Shortage::Suspected | Shortage::NoVerdicts | Shortage::NoScores | Shortage::NoK => Unchecked::SummaryVerdicts,
    }
}

/// The recount in the unit of the file.
fn recount(study: &Study, corpus: &Corpus, archive: &Archive, summary: &StoredSummary) -> Result<f64, Shortage> {
    let own = study.experiments.iter().find(|experiment| experiment.id == summary.experiment);
    let set = own.and_then(|experiment| corpus.set(experiment.set.as_str()));
    // The records of a summary may stand in another file than the rest: in another experiment over the same set.
    let same = study.experiments.iter().filter(|e| own.is_some_and(|own| own.set == e.set && own.id != e.id));
    let belongs = |labels: &Problem| {
        let label = |name: &str| labels.labels.get(name).cloned();
        summary.stratum.iter().all(|(name, value)| label(name).as_ref() == Some(value))
    };
    let keep = |record: &Record| {
        summary.stratum.is_empty()
            || summary.stratum.iter().all(|(name, value)| record.labels.get(name) == Some(value))
            || set.and_then(|set| set.get(record.id.as_str())).is_some_and(belongs)
    };
    let mut first = None;
    for experiment in own.into_iter().chain(same) {
        let which = Which {
            experiment: experiment.id.as_str(),
            configuration: summary.configuration.as_str(),
            run: summary.run,
            judge: summary.judge.as_deref(),
            keep: &keep,
        };
        let arm = Arm::of(archive, which);
        let declared = set.map(|set| set.problems.iter().filter(|problem| belongs(problem)).count());
        let number = arm.number(summary.estimator, summary.k, summary.denominator, declared);
        let empty = arm.is_empty();
        first.get_or_insert(number);
        if !empty {
            return number.map(|number| in_unit(summary, number.value));
        }
    }
    first.unwrap_or(Err(Shortage::NoRecords)).map(|number| in_unit(summary, number.value))
}

fn in_unit(summary: &StoredSummary, value: f64) -> f64 {
    let rate = !matches!(summary.estimator, EstimatorKind::Count | EstimatorKind::Score);
    match (rate, summary.scale) {
        (true, scale) => value / scale.to_percent(),
        (false, Scale::Percent) if summary.estimator == EstimatorKind::Score => 100.0 * value,
        (false, _) => value,
    }
}

/// Whether a recount is what is stored: the same number to its last digits, or, where the print shows enough decimals to
/// be a rounded one, a number that rounds to it. A program prints one half as 0.5, so few decimals are no rounding.
fn within(summary: &StoredSummary, found: f64) -> bool {
    let distance = (summary.value - found).abs();
    if distance <= 1e-9 * summary.value.abs().max(1.0) {
        return true;
    }
    let digits = summary.printed.split(['e', 'E']).next().unwrap_or_default();
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent: i32 = summary.printed.split_once(['e', 'E']).and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let unit = 10f64.powi(exponent.saturating_sub(decimals.min(300) as i32));
    let least = match summary.scale {
        Scale::Fraction => 2,
        Scale::Percent => 1,
        Scale::Plain => 2,
    };
    decimals as i32 - exponent >= least && distance <= 0.5 * unit * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Denominator;
    use std::collections::BTreeMap;

    fn stored(printed: &str) -> StoredSummary {
        StoredSummary {
            metric: "pass@1".into(),
            estimator: EstimatorKind::PassAtK,
            k: Some(1),
            judge: None,
            experiment: "e".into(),
            configuration: "m".into(),
            run: None,
            stratum: BTreeMap::new(),
            denominator: Denominator::Recorded,
            scale: Scale::Percent,
            value: printed.parse().unwrap(),
            printed: printed.into(),
            place: Place::file("f"),
        }
    }

    #[test]
    fn a_stored_number_agrees_as_far_as_it_is_printed() {
        let third = 100.0 / 3.0;
        for (printed, agrees) in [
            ("33", false),
            ("33.3", true),
            ("33.4", false),
            ("33.33333333333333", true),
            ("33.33333333333", true),
            ("3.333e1", true),
            ("34", false),
        ] {
            assert_eq!(within(&stored(printed), third), agrees, "{printed}");
        }
    }

    #[test]
    fn a_summary_without_records_is_not_checked() {
        let archive = Archive { summaries: vec![stored("1.0")], ..Archive::default() };
        let study: Study =
            toml::from_str("[study]\nid='a'\ntitle='A'\nversion='1'\ndescription=''\n[grading]\ntolerance=0.1")
                .unwrap();
        let mut level = LevelSummary::new(crate::verify::Level::L0);
        let (verdicts, findings) = summaries(&study, &Corpus::default(), &archive, &mut level);
        assert_eq!((verdicts[0].agrees, findings.len(), level.checked, level.total), (None, 0, 0, 1));
    }
}
