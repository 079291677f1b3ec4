//! Both answer formats of an imported set, instance by instance.

use super::audit::{Audit, template};
use crate::archive::{Gradability, Record};
use crate::corpus::Set;
use crate::grade::sweep;
use crate::statistics::Evidence;
use crate::statistics::names::without_setting;
use crate::statistics::tally::{Board, RunOutcome, Tally};
use crate::study::Configuration;

/// A multiple-choice set with the boards of both formats.
#[derive(Debug, Clone)]
pub(super) struct Formats<'a> {
    /// The set.
    pub(super) set: &'a Set,
    /// Computed answers.
    code: Board<'a>,
    /// Option answers.
    option: Option<Board<'a>>,
    /// Its audit.
    pub(super) audit: Result<Audit<'a>, String>,
}

/// Which instances count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subset {
    /// All of them.
    All,
    /// Those on templates that are not condemned.
    Clean,
    /// Those on condemned templates.
    Defective,
}

impl Subset {
    /// Word in keys.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Clean => "clean",
            Self::Defective => "defective",
        }
    }
}

/// A model that was asked in at least one format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model<'f, 'a> {
    /// Configuration key.
    pub(super) key: &'a str,
    /// Declaration.
    pub(super) configuration: Option<&'a Configuration>,
    code: Option<&'f Tally<'a>>,
    option: Option<&'f Tally<'a>>,
}

/// Right and all answers.
pub(super) type Share = (usize, usize);

impl<'a> Evidence<'a> {
    /// Multiple-choice sets that are asked as computations.
    pub(super) fn formats(&self) -> Vec<Formats<'a>> {
        let declared = self.study.sets.iter().filter(|set| set.kind() == "multiple-choice");
        let formats = declared.filter_map(|declared| {
            let id = declared.id.as_str();
            let code = self.board(self.experiment(id, "code")?);
            let option = self.experiment(id, "option").map(|option| self.board(option));
            let set = code.set?;
            Some(Formats { set, code, option, audit: Audit::read(set, self.study) })
        });
        formats.collect()
    }
}

impl<'a> Formats<'a> {
    /// Positions of the instances of a subset.
    ///
    /// # Errors
    /// When the set has no audit to tell subsets apart.
    pub(super) fn positions(&self, subset: Subset) -> Result<Vec<usize>, String> {
        if subset == Subset::All {
            return Ok(self.code.all());
        }
        let audit = self.audit.as_ref().map_err(Clone::clone)?;
        Ok(self.code.positions(|problem| audit.condemns(problem) == (subset == Subset::Defective)))
    }

    /// Positions of the instances of a template.
    pub(super) fn instances_of(&self, name: &str) -> Vec<usize> {
        self.code.positions(|problem| template(problem) == Some(name))
    }

    /// Id of the instance at a position.
    pub(super) fn id(&self, at: usize) -> &'a str {
        self.code.problems[at]
    }

    /// Models of either format: those with computed answers in declared order, then the others.
    pub(super) fn models(&self) -> Vec<Model<'_, 'a>> {
        let mut models: Vec<Model<'_, 'a>> = Vec::new();
        let of = |board: &'_ Board<'a>, key: &str| board.tallies.iter().position(|tally| tally.key == key);
        let tallies = self.code.tallies.iter().chain(self.option.iter().flat_map(|board| &board.tallies));
        for tally in tallies {
            if models.iter().all(|model| model.key != tally.key) {
                models.push(Model {
                    key: tally.key,
                    configuration: tally.configuration,
                    code: of(&self.code, tally.key).map(|at| &self.code.tallies[at]),
                    option: self.option.as_ref().and_then(|board| Some(&board.tallies[of(board, tally.key)?])),
                });
            }
        }
        models
    }

    /// [`Formats::models`] by computed accuracy, descending; models without one last.
    pub(super) fn by_code_accuracy(&self) -> Vec<Model<'_, 'a>> {
        let share = |model: &Model<'_, '_>| model.code(&self.code.all()).ok().filter(|share| share.1 > 0);
        let mut models = self.models();
        // Fractions compared as whole numbers; the sort is stable.
        models.sort_by(|a, b| match (share(a), share(b)) {
            (Some((a, m)), Some((b, n))) => (b * m).cmp(&(a * n)),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        models
    }
}

impl<'f, 'a> Model<'f, 'a> {
    /// Name in multiple-choice tables: the display name without a setting.
    pub(super) fn name(&self) -> &'a str {
        without_setting(self.configuration.map_or(self.key, |configuration| &configuration.name))
    }

    /// Whether option answers are archived.
    pub(super) fn has_option(&self) -> bool {
        self.option.is_some_and(|tally| !tally.runs.is_empty())
    }

    fn run(tally: Option<&'f Tally<'a>>, format: &str) -> Result<&'f Tally<'a>, String> {
        let tally = tally.ok_or_else(|| format!("no {format} answers were asked of this model"))?;
        if tally.runs.is_empty() {
            return Err(format!("no {format} answers of this model are archived"));
        }
        tally.complete().map_err(|reason| format!("{format} answers: {reason}"))?;
        Ok(tally)
    }

    /// Computed answers that are right, of those graded.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn code(&self, positions: &[usize]) -> Result<Share, String> {
        let counts = Self::run(self.code, "computed")?.counts_of(positions);
        Ok((counts.passed, counts.graded()))
    }

    /// Option answers that are right, of all.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn option(&self, positions: &[usize]) -> Result<Share, String> {
        // Both boards list the problems of one file, so positions agree.
        let counts = Self::run(self.option, "option")?.counts_of(positions);
        Ok((counts.passed, counts.graded()))
    }

    /// Verdicts of both formats at a position, where both are graded: option, then computed.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn verdicts(&self, positions: &[usize]) -> Result<Vec<(usize, bool, bool)>, String> {
        let (code, option) = (Self::run(self.code, "computed")?, Self::run(self.option, "option")?);
        let graded = |outcome: RunOutcome| match outcome {
            RunOutcome::Pass => Some(true),
            RunOutcome::Fail => Some(false),
            RunOutcome::Excluded | RunOutcome::Absent => None,
        };
        let both = |&at: &usize| Some((at, graded(option.runs[0].outcomes[at])?, graded(code.runs[0].outcomes[at])?));
        Ok(positions.iter().filter_map(both).collect())
    }

    /// The computed record at a position.
    pub(super) fn code_record(&self, at: usize) -> Option<&'a Record> {
        self.code?.runs.first()?.records[at]
    }

    /// The option record at a position.
    pub(super) fn option_record(&self, at: usize) -> Option<&'a Record> {
        self.option?.runs.first()?.records[at]
    }

    /// Key of the option run.
    pub(super) fn option_run(&self) -> Option<&'a crate::archive::RunKey> {
        Some(&self.option?.runs.first()?.run.key)
    }

    /// Computed answers that are right at another tolerance, of those graded.
    ///
    /// # Errors
    /// What is missing; bare verdicts cannot be graded again.
    pub(super) fn code_at(&self, positions: &[usize], tolerance: f64) -> Result<Share, String> {
        let tally = Self::run(self.code, "computed")?;
        let (mut right, mut graded) = (0, 0);
        for run in &tally.runs {
            for &at in positions {
                let Some(record) = run.records[at].filter(|_| run.outcomes[at] != RunOutcome::Excluded) else {
                    continue;
                };
                graded += 1;
                match &record.details {
                    Some(details) => right += usize::from(sweep(details, &record.regraded, &[tolerance])[0]),
                    None if record.gradability() == Gradability::Ungradable => {}
                    None => return Err("only verdicts are archived, not the computed answers".into()),
                }
            }
        }
        Ok((right, graded))
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;

    #[test]
    fn shares_and_subsets() {
        let study = study();
        let formats = &study.evidence().formats()[0];
        let models = formats.by_code_accuracy();
        assert_eq!(
            models.iter().map(|model| (model.key, model.name())).collect::<Vec<_>>(),
            [("m", "Model m"), ("n", "Model n"),]
        );
        let positions = |subset| formats.positions(subset).unwrap();
        assert_eq!(positions(Subset::Defective), [2, 3]);
        assert_eq!(models[0].code(&positions(Subset::All)), Ok((2, 6)));
        assert_eq!(models[0].option(&positions(Subset::Clean)), Ok((3, 4)));
        assert_eq!(models[1].option(&[0]), Err("no option answers were asked of this model".into()));
        assert_eq!(models[0].verdicts(&[1, 5]), Ok(vec![(1, true, false), (5, false, true)]));
        // Failed answers return 2 where 1 is right: right at a tolerance of 100 %.
        assert_eq!(models[0].code_at(&positions(Subset::All), 1.0), Ok((5, 6)));
        assert_eq!(models[0].code_at(&positions(Subset::All), 0.05), Ok((2, 6)));
    }
}
