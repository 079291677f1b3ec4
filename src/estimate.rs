//! Numbers made of verdicts: means over problems, pooled shares, pass@k and pass^k, over whatever samples each problem
//! has. Pure arithmetic, shared by the recount of stored summaries (L0) and by the statistics.

use std::collections::BTreeMap;
use std::fmt;

use crate::archive::{Archive, Denominator, Record, State, Status};
use crate::number;
use crate::study::EstimatorKind;

/// Records from which on nothing but timeouts and errors is no statement about the answers.
const SUSPICIOUS: usize = 5;

/// What the records of one problem come to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cell {
    /// Records that passed.
    pub passed: u64,
    /// Records with a mark.
    pub graded: u64,
    /// Records.
    pub recorded: u64,
    /// Sum of the scores, each by its weight.
    score: f64,
    /// Sum of the weights of the scores: the number of samples behind each where it is stored, else 1.
    weight: f64,
    /// Number of records with a score.
    scored: u64,
    /// Sum of the scores without weights.
    plain: f64,
}

/// Records of one configuration in one experiment, by problem.
#[derive(Debug, Clone, Default)]
pub struct Arm<'a> {
    problems: BTreeMap<&'a str, Cell>,
    /// Every record ended with a timeout or an error.
    suspicious: bool,
}

/// Which records are counted.
#[derive(Clone, Copy)]
pub struct Which<'w> {
    /// Experiment.
    pub experiment: &'w str,
    /// Configuration.
    pub configuration: &'w str,
    /// One run, or all of them.
    pub run: Option<u32>,
    /// Judge; `None` for the headline.
    pub judge: Option<&'w str>,
    /// Problems and records that belong to it.
    pub keep: &'w dyn Fn(&Record) -> bool,
}

/// A number with its numerator and denominator, where it is a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Percent for rates, else in the unit of what is counted.
    pub value: f64,
    /// Passed and counted records, for a share of records.
    pub count: Option<(u64, u64)>,
}

/// Why an arm has no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// No record is archived.
    NoRecords,
    /// Every record ended with a timeout or an error.
    Suspected,
    /// Records are there, and nobody judged them.
    NoVerdicts,
    /// Records are there, and none has a score.
    NoScores,
    /// Some problems have fewer samples than the number asks for.
    FewSamples {
        /// Problems with too few.
        problems: usize,
        /// Problems counted.
        of: usize,
        /// Samples needed.
        k: u64,
    },
    /// The number needs a k and states none.
    NoK,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecords => f.write_str("no records are archived"),
            Self::Suspected => {
                f.write_str("every record ended with a timeout or an error: the environment is suspected")
            }
            Self::NoVerdicts => f.write_str("no record has a verdict"),
            Self::NoScores => f.write_str("no record has a score"),
            Self::FewSamples { problems, of, k } => {
                write!(f, "{problems} of {of} problems have fewer than {k} samples")
            }
            Self::NoK => f.write_str("it has no k"),
        }
    }
}

impl<'a> Arm<'a> {
    /// Collects records.
    pub fn of(archive: &'a Archive, which: Which<'_>) -> Self {
        let mut arm = Self::default();
        let (mut records, mut ended) = (0, 0);
        let runs = archive.runs_of(which.experiment, which.configuration);
        for run in runs.filter(|run| which.run.is_none_or(|number| number == run.key.run)) {
            for record in run.records.iter().filter(|record| (which.keep)(record)) {
                let cell = arm.problems.entry(record.id.as_str()).or_default();
                cell.recorded += 1;
                records += 1;
                let mark = match which.judge {
                    None => match record.state() {
                        State::Pass => Some(true),
                        State::Fail => Some(false),
                        State::Excluded => None,
                    },
                    Some(judge) => record.status(judge).and_then(Status::passed),
                };
                let status =
                    which.judge.map_or_else(|| record.verdicts.first().map(|v| v.status), |j| record.status(j));
                ended += usize::from(matches!(status, Some(Status::Timeout | Status::Error)));
                cell.graded += u64::from(mark.is_some());
                cell.passed += u64::from(mark == Some(true));
                if let Some(score) = record.score.filter(|score| score.is_finite()) {
                    let weight = record.labels.get("n").and_then(|n| n.parse::<f64>().ok()).unwrap_or(1.0);
                    cell.score += score * weight;
                    cell.weight += weight;
                    cell.plain += score;
                    cell.scored += 1;
                }
            }
        }
        arm.suspicious = records >= SUSPICIOUS && ended == records;
        arm
    }

    /// Number of problems with records.
    pub fn problems(&self) -> usize {
        self.problems.len()
    }

    /// Number of problems with a record that counts: one with a mark or a score.
    pub fn counted(&self) -> usize {
        self.problems.values().filter(|cell| cell.graded > 0 || cell.scored > 0).count()
    }

    /// True without records.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The least number of counted records of a problem; 0 without problems.
    pub fn least(&self, denominator: Denominator) -> u64 {
        self.problems.values().map(|cell| n_of(cell, denominator)).min().unwrap_or(0)
    }

    /// A number of this arm; `declared` is the number of problems of the set.
    ///
    /// # Errors
    /// Why there is none: no record, too few samples, nothing but timeouts.
    pub fn number(
        &self,
        kind: EstimatorKind,
        k: Option<u32>,
        denominator: Denominator,
        declared: Option<usize>,
    ) -> Result<Number, Shortage> {
        if self.problems.is_empty() {
            return Err(Shortage::NoRecords);
        }
        if kind == EstimatorKind::Score {
            return self.score(denominator, declared);
        }
        if self.suspicious {
            return Err(Shortage::Suspected);
        }
        let counted: Vec<(u64, u64)> = self
            .problems
            .values()
            .map(|cell| (n_of(cell, denominator), cell.passed))
            .filter(|(n, _)| *n > 0 || denominator == Denominator::Declared)
            .collect();
        if counted.is_empty() {
            return Err(Shortage::NoVerdicts);
        }
        let absent = match denominator {
            Denominator::Declared => declared.unwrap_or(0).saturating_sub(counted.len()),
            Denominator::Graded | Denominator::Recorded => 0,
        };
        let (passed, total) = counted.iter().fold((0, 0), |(p, t), (n, c)| (p + c, t + n));
        let mean = |share: &dyn Fn(u64, u64) -> f64| {
            let sum = number::sum(counted.iter().map(|&(n, c)| if n == 0 { 0.0 } else { share(n, c) }));
            Number { value: 100.0 * sum / (counted.len() + absent) as f64, count: None }
        };
        let single = counted.iter().all(|(n, _)| *n == 1) && absent == 0;
        match kind {
            EstimatorKind::Mean => {
                let number = mean(&|n, c| c as f64 / n as f64);
                Ok(Number { count: single.then_some((passed, total)), ..number })
            }
            EstimatorKind::Pooled => {
                let total = total + absent as u64;
                Ok(Number { value: 100.0 * passed as f64 / total as f64, count: Some((passed, total)) })
            }
            EstimatorKind::Count => {
                let solved = counted.iter().filter(|(_, c)| *c > 0).count() as u64;
                Ok(Number { value: solved as f64, count: Some((solved, (counted.len() + absent) as u64)) })
            }
            EstimatorKind::PassAtK | EstimatorKind::PassHatK => {
                let k = u64::from(k.ok_or(Shortage::NoK)?);
                let few = counted.iter().filter(|(n, _)| *n < k).count();
                if few > 0 {
                    return Err(Shortage::FewSamples { problems: few, of: counted.len(), k });
                }
                let number = if kind == EstimatorKind::PassAtK {
                    mean(&|n, c| 1.0 - subsets(n - c, n, k))
                } else {
                    mean(&|n, c| subsets(c, n, k))
                };
                Ok(Number { count: (k == 1 && single).then_some((passed, total)), ..number })
            }
            EstimatorKind::Score => self.score(denominator, declared),
        }
    }

    /// Mean over problems of the mean score of their records.
    fn score(&self, denominator: Denominator, declared: Option<usize>) -> Result<Number, Shortage> {
        let scored: Vec<f64> =
            self.problems.values().filter(|cell| cell.scored > 0).map(|cell| cell.plain / cell.scored as f64).collect();
        if scored.is_empty() {
            return Err(Shortage::NoScores);
        }
        let all = match denominator {
            Denominator::Graded => scored.len(),
            Denominator::Recorded => self.problems.len(),
            Denominator::Declared => declared.unwrap_or(self.problems.len()).max(scored.len()),
        };
        Ok(Number { value: number::sum(scored.iter().copied()) / all as f64, count: None })
    }

    /// Share of all samples behind stored rates, in percent, where each rate has its n.
    pub fn pooled_score(&self) -> Option<f64> {
        let weight = number::sum(self.problems.values().map(|cell| cell.weight));
        let sum = number::sum(self.problems.values().map(|cell| cell.score));
        (weight > 0.0).then(|| 100.0 * sum / weight)
    }
}

fn n_of(cell: &Cell, denominator: Denominator) -> u64 {
    match denominator {
        Denominator::Graded => cell.graded,
        Denominator::Recorded | Denominator::Declared => cell.recorded,
    }
}

/// Share of the `k`-subsets of `n` that lie within `m` of them: `C(m, k) / C(n, k)`.
fn subsets(m: u64, n: u64, k: u64) -> f64 {
    if m < k {
        return 0.0;
    }
    (0..k).map(|i| (m - i) as f64 / (n - i) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Declared, Run, RunKey, Verdict};
    use crate::digest::Digest;

    /// An archive of one arm: for each problem its samples in letters, `P`ass, `F`ail, `T`imeout, `-` not graded.
    fn archive(problems: &[&str]) -> Archive {
        let most = problems.iter().map(|samples| samples.len()).max().unwrap_or(0);
        let record = |id: usize, letter: char| {
            let status = match letter {
                'P' => Status::Pass,
                'F' => Status::Fail,
                'T' => Status::Timeout,
                _ => Status::NotGraded,
            };
            let verdict = Verdict { judge: "".into(), environment: None, status, inferred: false };
            Record { passed: status.passed(), verdicts: vec![verdict], ..Record::blank(format!("p{id}").into()) }
        };
        let run = |number: usize| Run {
            key: RunKey { experiment: "e".into(), configuration: "m".into(), run: number as u32 + 1 },
            path: "f".to_owned(),
            digest: Digest::of(b""),
            bytes: 0,
            declared: Declared::default(),
            records: problems
                .iter()
                .enumerate()
                .filter_map(|(id, samples)| Some(record(id, samples.chars().nth(number)?)))
                .collect(),
        };
        Archive { runs: (0..most).map(run).collect(), ..Archive::default() }
    }

    fn value(problems: &[&str], kind: EstimatorKind, k: Option<u32>) -> Result<f64, Shortage> {
        let archive = archive(problems);
        let which = Which { experiment: "e", configuration: "m", run: None, judge: None, keep: &|_| true };
        Arm::of(&archive, which).number(kind, k, Denominator::Graded, None).map(|number| number.value)
    }

    #[test]
    fn ragged_samples_weigh_problems_alike_or_samples_alike() {
        // Two of three samples of the first problem, none of the one of the second.
        let problems = ["PPF", "F"];
        assert!((value(&problems, EstimatorKind::Mean, None).unwrap() - 100.0 / 3.0).abs() < 1e-12);
        assert_eq!(value(&problems, EstimatorKind::Pooled, None), Ok(50.0));
        assert_eq!(value(&problems, EstimatorKind::Count, None), Ok(1.0));
    }

    #[test]
    fn pass_at_k_is_the_share_of_subsets_with_a_pass_and_pass_hat_k_that_of_all_passes() {
        // By hand: of the six pairs of PPFF one is both fails and one both passes.
        assert!((value(&["PPFF"], EstimatorKind::PassAtK, Some(2)).unwrap() - 500.0 / 6.0).abs() < 1e-12);
        assert!((value(&["PPFF"], EstimatorKind::PassHatK, Some(2)).unwrap() - 100.0 / 6.0).abs() < 1e-12);
        assert_eq!(
            value(&["PF", "P"], EstimatorKind::PassAtK, Some(2)),
            Err(Shortage::FewSamples { problems: 1, of: 2, k: 2 })
        );
    }

    #[test]
    fn what_nobody_judged_is_no_failure_and_nothing_but_timeouts_is_no_rate() {
        assert_eq!(value(&["P", "-"], EstimatorKind::Mean, None), Ok(100.0));
        assert_eq!(value(&["-", "-"], EstimatorKind::Mean, None), Err(Shortage::NoVerdicts));
        assert_eq!(value(&["T"; 6], EstimatorKind::Mean, None), Err(Shortage::Suspected));
        assert_eq!(value(&["T", "T"], EstimatorKind::Mean, None), Ok(0.0));
    }

    #[test]
    fn the_denominator_is_the_summarys_own() {
        let archive = archive(&["P", "-"]);
        let which = Which { experiment: "e", configuration: "m", run: None, judge: None, keep: &|_| true };
        let arm = Arm::of(&archive, which);
        let of = |denominator| arm.number(EstimatorKind::Mean, None, denominator, Some(4)).unwrap().value;
        assert_eq!([Denominator::Graded, Denominator::Recorded, Denominator::Declared].map(of), [100.0, 50.0, 25.0]);
    }
}
