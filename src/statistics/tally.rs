//! Passes and failures of one experiment, laid out as a board: problems by configurations by runs.
//!
//! Every score starts from here, so that all of them agree on what a record counts as and on when a
//! configuration is complete. The rows of a board are all problems of the set, asked or not: an absent
//! record is its own outcome and never a silent failure.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::{Evidence, moments};
use crate::archive::{Record, Run, State};
use crate::corpus::Set;
use crate::study::{Configuration, Experiment};

/// What became of one problem in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunOutcome {
    /// Passed.
    Pass,
    /// Failed, gradable or not.
    Fail,
    /// Infrastructure error: outside the denominator.
    Excluded,
    /// The run has no record of this problem.
    Absent,
}

/// Outcomes in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Infrastructure errors.
    pub excluded: usize,
    /// No record.
    pub absent: usize,
}

impl Counts {
    /// Passed and failed: the usual denominator.
    pub const fn graded(self) -> usize {
        self.passed + self.failed
    }

    /// Every problem asked about: the denominator of the bounds.
    pub const fn all(self) -> usize {
        self.graded() + self.excluded + self.absent
    }

    /// `100 × passed / graded`; `None` when nothing was graded.
    pub fn percent(self) -> Option<f64> {
        (self.graded() > 0).then(|| 100.0 * self.passed as f64 / self.graded() as f64)
    }

    fn add(&mut self, outcome: RunOutcome) {
        match outcome {
            RunOutcome::Pass => self.passed += 1,
            RunOutcome::Fail => self.failed += 1,
            RunOutcome::Excluded => self.excluded += 1,
            RunOutcome::Absent => self.absent += 1,
        }
    }
}

impl FromIterator<RunOutcome> for Counts {
    fn from_iter<I: IntoIterator<Item = RunOutcome>>(outcomes: I) -> Self {
        let mut counts = Self::default();
        outcomes.into_iter().for_each(|outcome| counts.add(outcome));
        counts
    }
}

/// One experiment over its problem set.
#[derive(Debug, Clone)]
pub struct Board<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its problem set, when the file is there.
    pub set: Option<&'a Set>,
    /// Ids of the problems: in file order, or sorted from the records when the set is not there.
    pub problems: Vec<&'a str>,
    /// Declared configurations that were run or should have been, in declared order; keys that the experiment
    /// lists and nobody declares last, sorted.
    pub tallies: Vec<Tally<'a>>,
}

/// One configuration on a board.
#[derive(Debug, Clone)]
pub struct Tally<'a> {
    /// Key.
    pub key: &'a str,
    /// Its declaration, when there is one.
    pub configuration: Option<&'a Configuration>,
    /// Runs that the experiment should have.
    pub expected_runs: usize,
    /// Runs with a number from 1 to `expected_runs`, in order.
    pub runs: Vec<RunTally<'a>>,
    /// Runs with another number; they enter nothing.
    pub surplus_runs: usize,
}

/// One run on a board.
#[derive(Debug, Clone)]
pub struct RunTally<'a> {
    /// The run.
    pub run: &'a Run,
    /// Position of its record by problem of the board.
    pub records: Vec<Option<&'a Record>>,
    /// Outcome by problem of the board.
    pub outcomes: Vec<RunOutcome>,
    /// Records of problems that the set does not have; they enter nothing.
    pub surplus: usize,
}

impl<'a> Evidence<'a> {
    /// The experiment of a set under a protocol, without a condition.
    pub fn experiment(&self, set: &str, protocol: &str) -> Option<&'a Experiment> {
        self.study.experiment_on(set, protocol)
    }

    /// The experiment that the leaderboard shows.
    pub fn main_experiment(&self) -> Option<&'a Experiment> {
        self.study.main_experiment()
    }

    /// The board of an experiment.
    pub fn board(&self, experiment: &'a Experiment) -> Board<'a> {
        let laid_out = self.boards.and_then(|boards| boards.of(experiment));
        laid_out.cloned().unwrap_or_else(|| self.lay_out(experiment))
    }

    /// Lays out the board of an experiment.
    pub(super) fn lay_out(&self, experiment: &'a Experiment) -> Board<'a> {
        let set = self.corpus.set(experiment.set.as_str());
        let runs = self.runs_by_configuration(experiment.id.as_str());
        let problems = problems_of(set, runs.values().flatten().copied());
        let mut by_id: Vec<(&str, usize)> = problems.iter().enumerate().map(|(at, &id)| (id, at)).collect();
        by_id.sort_unstable();
        let tally = |key: &'a str| {
            let empty = Vec::new();
            Tally::new(key, self.configuration(key), experiment, runs.get(key).unwrap_or(&empty), &by_id)
        };
        let tallies = self.keys_of(experiment, &runs).into_iter().map(tally).collect();
        Board { experiment, set, problems, tallies }
    }

    /// Boards of all experiments, in declared order.
    pub fn boards(&self) -> impl Iterator<Item = Board<'a>> {
        self.study.experiments.iter().map(|experiment| self.board(experiment))
    }

    /// The board of the main experiment.
    pub fn main_board(&self) -> Option<Board<'a>> {
        self.main_experiment().map(|experiment| self.board(experiment))
    }

    /// Declaration of a configuration.
    pub fn configuration(&self, key: &str) -> Option<&'a Configuration> {
        self.study.configuration(key)
    }

    fn keys_of(&self, experiment: &'a Experiment, runs: &BTreeMap<&'a str, Vec<&'a Run>>) -> Vec<&'a str> {
        let expected: BTreeSet<&str> =
            self.study.expected(experiment).into_iter().map(crate::id::ConfigKey::as_str).collect();
        let declared = self.study.configurations.iter().map(|configuration| configuration.key.as_str());
        let mut keys: Vec<&str> = declared.filter(|key| expected.contains(key) || runs.contains_key(key)).collect();
        let known: BTreeSet<&str> = keys.iter().copied().collect();
        // A configuration that nobody declared is in no fact, so that it can be in no aggregate.
        keys.extend(expected.difference(&known));
        keys
    }
}

fn problems_of<'a>(set: Option<&'a Set>, runs: impl Iterator<Item = &'a Run>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    if let Some(set) = set {
        return set.problems.iter().map(|problem| problem.id.as_str()).filter(|&id| seen.insert(id)).collect();
    }
    runs.for_each(|run| seen.extend(run.records.iter().map(|record| record.id.as_str())));
    seen.into_iter().collect()
}

impl<'a> Tally<'a> {
    fn new(
        key: &'a str,
        configuration: Option<&'a Configuration>,
        experiment: &Experiment,
        runs: &[&'a Run],
        by_id: &[(&str, usize)],
    ) -> Self {
        let expected_runs = experiment.runs.max(1) as usize;
        let expected = |run: &&&Run| (1..=expected_runs).contains(&(run.key.run as usize));
        let mut used: Vec<&'a Run> = runs.iter().filter(expected).copied().collect();
        used.sort_by_key(|run| run.key.run);
        used.dedup_by_key(|run| run.key.run);
        let surplus_runs = runs.len() - used.len();
        let mut runs: Vec<RunTally<'a>> = used.into_iter().map(|run| RunTally::new(run, by_id)).collect();
        let mut expected_runs = expected_runs;
        if experiment.samples {
            // Problems may have different numbers of samples. Boards go as far as every problem has one; estimators
            // over samples go over all of them.
            let first = runs.first().map_or(0, |run| run.counts().absent);
            expected_runs = runs.iter().take_while(|run| run.counts().absent <= first).count().max(1);
            runs.truncate(expected_runs);
        }
        Self { key, configuration, expected_runs, runs, surplus_runs }
    }

    /// Name for pages and published tables.
    pub fn name(&self) -> &'a str {
        self.configuration.map_or(self.key, |configuration| configuration.name.as_str())
    }

    /// True when the configuration enters aggregates over configurations.
    pub fn on_leaderboard(&self) -> bool {
        self.configuration.is_some_and(|configuration| configuration.leaderboard)
    }

    /// Whether all expected runs are there and know every problem. Only then is there a mean over runs,
    /// and only then a rank.
    ///
    /// # Errors
    /// What is missing, as "2 of 3 runs" or "run 2 has 430 of 436 problems".
    pub fn complete(&self) -> Result<(), String> {
        if self.runs.len() < self.expected_runs {
            return Err(format!("{} of {} runs", self.runs.len(), self.expected_runs));
        }
        for run in &self.runs {
            let absent = run.counts().absent;
            if absent > 0 || run.outcomes.is_empty() {
                let all = run.outcomes.len();
                return Err(format!("run {} has {} of {all} problems", run.run.key.run, all - absent));
            }
        }
        Ok(())
    }

    /// Runs that have a record of every problem.
    pub fn complete_runs(&self) -> usize {
        self.runs.iter().filter(|run| run.counts().absent == 0 && !run.outcomes.is_empty()).count()
    }

    /// The stricter gate of robustness analyses: complete, and in every run exactly the problems of the
    /// set, without errors and with a verdict each.
    ///
    /// # Errors
    /// What stands against it.
    pub fn flawless(&self) -> Result<(), String> {
        self.complete()?;
        for run in &self.runs {
            let records = || run.records.iter().flatten();
            let number = run.run.key.run;
            let errors = records().filter(|record| record.error.is_some()).count();
            let unjudged = records().filter(|record| record.passed.is_none()).count();
            for (count, what) in [
                (errors, "records with an error"),
                (unjudged, "records without a verdict"),
                (run.surplus, "unknown ids"),
            ] {
                if count > 0 {
                    return Err(format!("run {number} has {count} {what}"));
                }
            }
        }
        Ok(())
    }

    /// Passing runs of a problem.
    pub fn passes(&self, problem: usize) -> usize {
        self.count(problem, RunOutcome::Pass)
    }

    /// Runs in which a problem was graded.
    pub fn graded(&self, problem: usize) -> usize {
        self.passes(problem) + self.count(problem, RunOutcome::Fail)
    }

    fn count(&self, problem: usize, outcome: RunOutcome) -> usize {
        self.runs.iter().filter(|run| run.outcomes.get(problem) == Some(&outcome)).count()
    }

    /// Solved by majority: passes in more than half of the expected runs (2 of 3).
    pub fn solves(&self, problem: usize) -> bool {
        2 * self.passes(problem) > self.expected_runs
    }

    /// Percentages of the runs on some problems; runs without a graded record among them are left out.
    pub fn run_percents(&self, problems: &[usize]) -> Vec<f64> {
        self.runs.iter().filter_map(|run| run.counts_of(problems).percent()).collect()
    }

    /// Mean of the run accuracies on some problems, in percent; `None` when a run graded none of them.
    pub fn mean(&self, problems: &[usize]) -> Option<f64> {
        let percents = self.run_percents(problems);
        (percents.len() == self.runs.len()).then(|| moments::mean(&percents))?
    }

    /// Outcomes of all runs together on some problems.
    pub fn counts_of(&self, problems: &[usize]) -> Counts {
        self.runs.iter().flat_map(|run| problems.iter().map(|&at| run.outcomes[at])).collect()
    }
}

impl<'a> RunTally<'a> {
    fn new(run: &'a Run, by_id: &[(&str, usize)]) -> Self {
        let mut records = vec![None; by_id.len()];
        let mut surplus = 0;
        // Both sides are sorted by id, so one walk along both finds every pair.
        let mut known = by_id.iter().peekable();
        for record in &run.records {
            let id = record.id.as_str();
            let mut order = Ordering::Greater;
            while let Some(&(_, at)) = known.next_if(|(known, _)| {
                order = (*known).cmp(id);
                order.is_le()
            }) {
                if order.is_eq() {
                    records[at] = Some(record);
                    break;
                }
            }
            surplus += usize::from(order.is_ne());
        }
        let outcome = |record: Option<&Record>| match record.map(Record::state) {
            None => RunOutcome::Absent,
            Some(State::Pass) => RunOutcome::Pass,
            Some(State::Fail) => RunOutcome::Fail,
            Some(State::Excluded) => RunOutcome::Excluded,
        };
        let outcomes = records.iter().copied().map(outcome).collect();
        Self { run, records, outcomes, surplus }
    }

    /// Outcomes in numbers.
    pub fn counts(&self) -> Counts {
        self.outcomes.iter().copied().collect()
    }

    /// Outcomes of some problems, by position on the board.
    pub fn counts_of(&self, problems: &[usize]) -> Counts {
        problems.iter().map(|&at| self.outcomes[at]).collect()
    }
}

impl<'a> Board<'a> {
    /// Positions of all problems.
    pub fn all(&self) -> Vec<usize> {
        (0..self.problems.len()).collect()
    }

    /// Positions of the problems for which `keep` holds; none when the set is not there.
    pub fn positions(&self, keep: impl Fn(&'a crate::corpus::Problem) -> bool) -> Vec<usize> {
        let Some(set) = self.set else { return Vec::new() };
        let problem = |&at: &usize| set.get(self.problems[at]).is_some_and(&keep);
        (0..self.problems.len()).filter(problem).collect()
    }

    /// Configurations of the leaderboard.
    pub fn leaderboard(&self) -> impl Iterator<Item = &Tally<'a>> {
        self.tallies.iter().filter(|tally| tally.on_leaderboard())
    }

    /// Configurations in the order in which the experiment lists them; the others after them.
    pub fn as_listed(&self) -> Vec<&Tally<'a>> {
        let listed = |tally: &&Tally<'a>| {
            let at = self.experiment.configurations.iter().position(|key| key.as_str() == tally.key);
            at.unwrap_or(usize::MAX)
        };
        let mut order: Vec<&Tally<'a>> = self.tallies.iter().collect();
        order.sort_by_key(listed);
        order
    }

    /// Complete configurations of the leaderboard with their mean accuracy, best first; equal means keep
    /// the declared order.
    pub fn standing(&self) -> Vec<(&Tally<'a>, f64)> {
        self.by_mean(self.leaderboard().filter(|tally| tally.complete().is_ok()))
    }

    /// All configurations as tables list them: the standing, then incomplete ones of the leaderboard in
    /// declared order, then those off the leaderboard likewise.
    pub fn in_order(&self) -> Vec<&Tally<'a>> {
        let (on, off): (Vec<_>, Vec<_>) = self.tallies.iter().partition(|tally| tally.on_leaderboard());
        let mut order = Vec::new();
        for part in [on, off] {
            let has_mean = |tally: &&Tally<'a>| tally.complete().is_ok() && tally.mean(&self.all()).is_some();
            let (ranked, unranked): (Vec<_>, Vec<_>) = part.into_iter().partition(has_mean);
            order.extend(self.by_mean(ranked.into_iter()).into_iter().map(|(tally, _)| tally));
            order.extend(unranked);
        }
        order
    }

    fn by_mean<'b>(&self, tallies: impl Iterator<Item = &'b Tally<'a>>) -> Vec<(&'b Tally<'a>, f64)>
    where
        'a: 'b,
    {
        let all = self.all();
        let mut found: Vec<_> = tallies.filter_map(|tally| Some((tally, tally.mean(&all)?))).collect();
        // On a grid of 1e-9, so that means of the same counts in another order of runs are equal.
        found.sort_by_key(|(_, mean)| std::cmp::Reverse((mean * 1e9).round() as i64));
        found
    }

    /// Keys that every fact of this board carries: the set and what tells the experiment from others of it (its
    /// labels, such as the protocol, and its condition).
    pub fn keys(&self) -> Vec<(&'a str, &'a str)> {
        std::iter::once(("set", self.experiment.set.as_str())).chain(self.experiment.distinguishing()).collect()
    }

    /// [`Board::keys`] and the configuration.
    pub fn keys_of(&self, tally: &Tally<'a>) -> Vec<(&'a str, &'a str)> {
        let mut keys = self.keys();
        keys.push(("model", tally.key));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    fn study() -> Fixture {
        let problems = ["p3", "p1", "p2"].map(|id| problem(id, "c", "low", 1)).into();
        Fixture::new(&[("a", "A", true), ("b", "B", false), ("-c", "C", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 3)
    }

    #[test]
    fn a_board_keeps_file_order_and_counts_every_outcome() {
        let study = study()
            .run("core_code", "a", 1, "PFE")
            .run("core_code", "a", 2, "PPU")
            .run("core_code", "a", 3, "PF-")
            .run("core_code", "c", 1, "PPP");
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert_eq!(board.problems, ["p3", "p1", "p2"]);
        assert_eq!(board.tallies.iter().map(|tally| tally.key).collect::<Vec<_>>(), ["a", "b", "c"]);
        let tally = &board.tallies[0];
        assert_eq!(tally.runs[0].counts(), Counts { passed: 1, failed: 1, excluded: 1, absent: 0 });
        assert_eq!((tally.passes(1), tally.graded(1), tally.graded(2)), (1, 3, 1));
        assert!(tally.solves(0) && !tally.solves(1));
        assert_eq!(tally.run_percents(&[0, 1]), [50.0, 100.0, 50.0]);
        assert_eq!(tally.complete(), Err("run 3 has 2 of 3 problems".into()));
        assert_eq!(board.tallies[1].complete(), Err("0 of 3 runs".into()));
        assert_eq!(board.tallies[2].complete(), Err("1 of 3 runs".into()));
        assert_eq!(board.leaderboard().count(), 2);
    }

    #[test]
    fn errors_do_not_make_a_configuration_incomplete_but_flawed() {
        let study = (1..=3).fold(study(), |study, number| study.run("core_code", "b", number, "PEF"));
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert_eq!(board.tallies[1].complete(), Ok(()));
        assert_eq!(board.tallies[1].flawless(), Err("run 1 has 1 records with an error".into()));
    }

    #[test]
    fn a_configuration_that_nobody_declared_is_on_no_board() {
        let study = (1..=3).fold(study(), |study, number| {
            study.run("core_code", "a", number, "PFF").run("core_code", "unheard-of", number, "PPP")
        });
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert!(board.tallies.iter().all(|tally| tally.key != "unheard-of"));
        assert_eq!(board.standing().len(), 1);
    }

    #[test]
    fn a_configuration_of_errors_alone_has_no_rank_and_comes_last() {
        let study = (1..=3).fold(study(), |study, number| {
            study.run("core_code", "a", number, "EEE").run("core_code", "b", number, "PFF")
        });
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert_eq!(board.standing().iter().map(|(tally, _)| tally.key).collect::<Vec<_>>(), ["b"]);
        assert_eq!(board.in_order().iter().map(|tally| tally.key).collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    fn runs_beyond_the_declared_number_enter_nothing() {
        let study = study().run("core_code", "a", 1, "PPP").run("core_code", "a", 4, "FFF");
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert_eq!((board.tallies[0].runs.len(), board.tallies[0].surplus_runs), (1, 1));
    }

    #[test]
    fn without_its_set_a_board_lists_what_was_recorded() {
        let mut study = study().run("core_code", "a", 1, "PP-").run("core_code", "b", 1, "--P");
        study.corpus.sets.clear();
        let evidence = study.evidence();
        let board = evidence.main_board().unwrap();
        assert_eq!(board.problems, ["p1", "p2", "p3"]);
        assert!(board.positions(|_| true).is_empty());
    }
}
