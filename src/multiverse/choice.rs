//! The choices that a study makes on the way from records to conclusions, and how else each could be made.

use serde::Serialize;

use crate::id::ConfigKey;
use crate::number;
use crate::study::{CHOICES, Reduce, Study};

/// A choice, in the order in which choices take effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Which lens grades.
    Lens,
    /// How wide the tolerance is.
    Tolerance,
    /// What an infrastructure error counts as.
    Errors,
    /// Whether flagged problems count.
    Flagged,
    /// Which configurations are there.
    Configuration,
    /// Which runs are there.
    Run,
    /// How the runs of a configuration become one.
    Runs,
    /// What is a unit of tests and intervals.
    Unit,
}

impl Choice {
    /// Every choice.
    pub const ALL: [Self; 8] = [
        Self::Lens,
        Self::Tolerance,
        Self::Errors,
        Self::Flagged,
        Self::Configuration,
        Self::Run,
        Self::Runs,
        Self::Unit,
    ];

    /// The word for programs, and for the reasons that a declaration gives.
    pub const fn id(self) -> &'static str {
        CHOICES[self as usize]
    }

    /// The name on pages.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lens => "Grading lens",
            Self::Tolerance => "Tolerance",
            Self::Errors => "Infrastructure errors",
            Self::Flagged => "Flagged problems",
            Self::Configuration => "Configuration left out",
            Self::Run => "Run left out",
            Self::Runs => "Combining runs",
            Self::Unit => "Unit of tests and intervals",
        }
    }

    /// What the study itself does.
    pub const fn as_done(self) -> &'static str {
        match self {
            Self::Lens => "the verdicts as recorded",
            Self::Tolerance => "the declared tolerance",
            Self::Errors => "as recorded: left out, unless the record says that it counts as a failure",
            Self::Flagged => "all problems",
            Self::Configuration => "all configurations",
            Self::Run => "all runs",
            Self::Runs => "as the definition of each statistic says",
            Self::Unit => "as the definition of each statistic says",
        }
    }

    /// How it is made otherwise here, for the page about methods.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Lens => {
                "Archived answers are graded by the strict lens. What it cannot decide keeps the verdict of the \
                 reference rule. Where the values of more than one record in twenty of some configuration are not \
                 archived, the experiment and those that share problems with it keep their recorded verdicts, so that \
                 configurations are never compared under two rules."
            }
            Self::Tolerance => {
                "Archived answers are graded at other tolerances: those declared for this, else those of the sweep, \
                 else half and twice the declared one. The same rule about values that are not archived holds."
            }
            Self::Errors => {
                "Records that ended in an infrastructure error count as failures; or records that the study counts as \
                 failures for that reason are left out."
            }
            Self::Flagged => {
                "Problems are left out whose stored reference program does not reproduce its answer or does not \
                 compute it from its inputs, and problems that the authors flag; problems derived from one go with it."
            }
            Self::Configuration => {
                "Each configuration is left out in turn. A conclusion about a configuration by name is not asked \
                 without it."
            }
            Self::Run => {
                "Each run is left out in turn, from all configurations that have several. A majority is then counted \
                 of the runs that are left."
            }
            Self::Runs => {
                "The runs of a configuration become one run first: a problem is solved when most runs solve it, when \
                 any does, or when all do. With the mean, declared comparisons compare shares of solved runs; \
                 accuracies are means over runs in any case."
            }
            Self::Unit => {
                "Declared comparisons pair single records, run by run, where the study pairs problems; the interval of \
                 an accuracy is Wilson's over records where the study's is over clusters of problems."
            }
        }
    }
}

/// One way of making a choice other than the study did.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// The strict lens.
    StrictLens,
    /// Another tolerance.
    Tolerance(f64),
    /// Infrastructure errors are failures.
    ErrorsFail,
    /// Infrastructure errors that count as failures are left out.
    ErrorsOut,
    /// Flagged problems are left out.
    WithoutFlagged,
    /// A configuration is left out.
    WithoutConfiguration(ConfigKey),
    /// A run is left out.
    WithoutRun(u32),
    /// Runs are combined by this rule.
    Combined(Reduce),
    /// Records are the units.
    Records,
}

impl Setting {
    /// The choice that it makes.
    pub const fn choice(&self) -> Choice {
        match self {
            Self::StrictLens => Choice::Lens,
            Self::Tolerance(_) => Choice::Tolerance,
            Self::ErrorsFail | Self::ErrorsOut => Choice::Errors,
            Self::WithoutFlagged => Choice::Flagged,
            Self::WithoutConfiguration(_) => Choice::Configuration,
            Self::WithoutRun(_) => Choice::Run,
            Self::Combined(_) => Choice::Runs,
            Self::Records => Choice::Unit,
        }
    }

    /// The word for programs: `tolerance=0.1`.
    pub fn id(&self) -> String {
        let word = match self {
            Self::StrictLens => "strict".to_owned(),
            Self::Tolerance(tolerance) => number::repr(*tolerance),
            Self::ErrorsFail => "failures".to_owned(),
            Self::ErrorsOut | Self::WithoutFlagged => "left-out".to_owned(),
            Self::WithoutConfiguration(key) => format!("without-{key}"),
            Self::WithoutRun(run) => format!("without-{run}"),
            Self::Combined(rule) => rule.as_str().to_owned(),
            Self::Records => "records".to_owned(),
        };
        format!("{}={word}", self.choice().id())
    }

    /// The name in tables and figures.
    pub fn name(&self, study: &Study) -> String {
        match self {
            Self::StrictLens => "strict lens".to_owned(),
            Self::Tolerance(tolerance) => format!("{} %", percent(*tolerance)),
            Self::ErrorsFail => "count as failures".to_owned(),
            Self::ErrorsOut => "all left out".to_owned(),
            Self::WithoutFlagged => "left out".to_owned(),
            Self::WithoutConfiguration(key) => named(study, key),
            Self::WithoutRun(run) => format!("run {run}"),
            Self::Combined(rule) => rule.as_str().to_owned(),
            Self::Records => "records".to_owned(),
        }
    }

    /// The name where its choice does not stand beside it.
    pub fn label(&self, study: &Study) -> String {
        let name = self.name(study);
        match self {
            Self::StrictLens => name,
            Self::Tolerance(_) => format!("tolerance {name}"),
            Self::ErrorsFail | Self::ErrorsOut => format!("errors {name}"),
            Self::WithoutFlagged => "without flagged problems".to_owned(),
            Self::WithoutConfiguration(_) | Self::WithoutRun(_) => format!("without {name}"),
            Self::Combined(_) => format!("runs combined: {name}"),
            Self::Records => "records as units".to_owned(),
        }
    }

    /// A clause that fits after "when".
    pub fn clause(&self, study: &Study) -> String {
        match self {
            Self::StrictLens => "the strict lens grades".to_owned(),
            Self::Tolerance(tolerance) => format!("the tolerance is {} %", percent(*tolerance)),
            Self::ErrorsFail => "infrastructure errors count as failures".to_owned(),
            Self::ErrorsOut => "infrastructure errors that the study counts as failures are left out".to_owned(),
            Self::WithoutFlagged => "flagged problems are left out".to_owned(),
            Self::WithoutConfiguration(key) => format!("{} is left out", named(study, key)),
            Self::WithoutRun(run) => format!("run {run} is left out"),
            Self::Combined(Reduce::Majority) => "runs are combined by majority".to_owned(),
            Self::Combined(Reduce::Mean) => "comparisons use the mean over runs".to_owned(),
            Self::Combined(Reduce::Any) => "a problem is solved when any run solves it".to_owned(),
            Self::Combined(Reduce::All) => "a problem is solved only when all runs solve it".to_owned(),
            Self::Combined(Reduce::First) => "only the first run counts".to_owned(),
            Self::Records => "single records are the units of tests and intervals".to_owned(),
        }
    }
}

fn percent(share: f64) -> String {
    let text = number::repr(number::round(100.0 * share, 6));
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn named(study: &Study, key: &ConfigKey) -> String {
    study.configuration(key.as_str()).map_or_else(|| key.to_string(), |configuration| configuration.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_declaration() {
        assert_eq!(Choice::ALL.map(Choice::id), CHOICES);
        let words = Choice::ALL.map(|choice| serde_json::to_value(choice).unwrap());
        assert_eq!(words.iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>(), CHOICES);
    }

    #[test]
    fn every_setting_has_its_choice_in_its_id() {
        let study = crate::study::blank();
        for setting in [
            Setting::StrictLens,
            Setting::Tolerance(0.1),
            Setting::ErrorsFail,
            Setting::ErrorsOut,
            Setting::WithoutFlagged,
            Setting::WithoutConfiguration("a".into()),
            Setting::WithoutRun(2),
            Setting::Combined(Reduce::Any),
            Setting::Records,
        ] {
            assert!(setting.id().starts_with(&format!("{}=", setting.choice().id())));
            assert!(!setting.clause(&study).is_empty() && !setting.name(&study).is_empty());
        }
        assert_eq!(
            (Setting::Tolerance(0.1).name(&study), Setting::Tolerance(0.025).id()),
            ("10 %".into(), "tolerance=0.025".into())
        );
    }
}
