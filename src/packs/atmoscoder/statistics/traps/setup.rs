//! The board of a trap set beside the board of its originals.

use std::collections::BTreeMap;

use crate::archive::{Gradability, Record, State};
use crate::corpus::{Problem, Set, Shortcut};
use crate::grade::capture::captured;
use crate::packs::atmoscoder::options::Options;
use crate::statistics::tally::{Board, RunOutcome, Tally};
use crate::statistics::{Basis, Evidence, moments};

/// A trap set with its runs and those of the originals.
#[derive(Debug, Clone)]
pub(crate) struct Traps<'a> {
    /// Traps by configuration and run.
    pub(crate) board: Board<'a>,
    /// The traps.
    pub(crate) set: &'a Set,
    /// Originals by configuration and run.
    core: Option<Board<'a>>,
    /// Position of each trap's parent on the board of originals.
    parents: Vec<Option<usize>>,
    /// What the study declares about names.
    options: Options,
}

/// What became of a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// Solved.
    Pass,
    /// Failed with the values of the shortcut.
    Captured,
    /// Failed otherwise.
    Fail,
}

impl<'a> Evidence<'a> {
    /// Every trap set that is asked with programs.
    pub(crate) fn traps(&self) -> Vec<Traps<'a>> {
        let declared = self.study.sets.iter().filter(|set| set.kind() == "traps");
        let traps = declared.filter_map(|declared| {
            let board = self.board(self.experiment(declared.id.as_str(), "code")?);
            let set = board.set?;
            let core = declared.parents.as_ref().and_then(|set| self.experiment(set.as_str(), "code"));
            let core = core.map(|core| self.board(core));
            let on_core: BTreeMap<&str, usize> =
                core.iter().flat_map(|core| core.problems.iter().enumerate().map(|(at, &id)| (id, at))).collect();
            let parent = |&id: &&str| on_core.get(set.get(id)?.parent.as_ref()?.as_str()).copied();
            let parents = board.problems.iter().map(parent).collect();
            Some(Traps { board, set, core, parents, options: Options::of(self.study) })
        });
        traps.collect()
    }
}

impl<'a> Traps<'a> {
    /// The trap at a position.
    pub(crate) fn trap(&self, at: usize) -> Option<&'a Shortcut> {
        self.problem(at)?.shortcut.as_ref()
    }

    fn problem(&self, at: usize) -> Option<&'a Problem> {
        self.set.get(self.board.problems[at])
    }

    /// Name of the trap at a position in tables and keys.
    pub(crate) fn name(&self, at: usize) -> &'a str {
        self.options.trap_name(self.board.problems[at])
    }

    /// Family of the trap at a position; empty when it has none.
    pub(crate) fn family(&self, at: usize) -> &'a str {
        self.trap(at).map_or("", |trap| &trap.family)
    }

    /// Families in the order of the file, each with the positions of its traps.
    pub(crate) fn families(&self) -> Vec<(&'a str, Vec<usize>)> {
        let mut families: Vec<(&str, Vec<usize>)> = Vec::new();
        for at in self.board.all() {
            let family = self.family(at);
            match families.iter_mut().find(|(name, _)| *name == family) {
                Some((_, members)) => members.push(at),
                None => families.push((family, vec![at])),
            }
        }
        families
    }

    /// Configurations with all their runs.
    pub(crate) fn complete(&self) -> impl Iterator<Item = &Tally<'a>> {
        self.board.tallies.iter().filter(|tally| tally.complete().is_ok())
    }

    /// Mean of the run accuracies on all traps.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn mean(&self, tally: &Tally<'_>) -> Result<f64, String> {
        tally.complete()?;
        moments::mean(&tally.run_percents(&self.board.all())).ok_or_else(|| "nothing was graded".to_owned())
    }

    /// Runs of a configuration on the originals, when they are complete.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn control(&self, key: &str) -> Result<&Tally<'a>, String> {
        let core = self.core.as_ref().ok_or("the study declares no runs of the originals")?;
        if let Some(orphan) = self.parents.iter().position(Option::is_none) {
            return Err(format!("the original of {} is not in its set", self.board.problems[orphan]));
        }
        let id = &core.experiment.id;
        let tally = core.tallies.iter().find(|tally| tally.key == key);
        let tally = tally.ok_or_else(|| format!("{id} was not asked of this configuration"))?;
        tally.complete().map_err(|reason| format!("{id}: {reason}"))?;
        Ok(tally)
    }

    /// Outcome of a trap's original in the run with this number.
    pub(crate) fn parent_outcome(&self, control: &Tally<'_>, at: usize, number: u32) -> Option<RunOutcome> {
        let run = control.runs.iter().find(|run| run.run.key.run == number)?;
        run.outcomes.get(self.parents[at]?).copied()
    }

    /// Positions of the parents of all traps on the board of originals, one per trap.
    pub(crate) fn parent_positions(&self) -> Vec<usize> {
        self.parents.iter().copied().flatten().collect()
    }

    fn records(&self) -> impl Iterator<Item = &'a Record> {
        let runs = self.board.tallies.iter().flat_map(|tally| &tally.runs);
        runs.flat_map(|run| run.records.iter().flatten().copied())
    }

    /// What captures rest on: records, or published states where values were put in for them.
    ///
    /// # Errors
    /// When failures are archived as bare verdicts, so that nothing can be said about their values.
    pub(crate) fn capture_basis(&self) -> Result<Basis, String> {
        if self.records().any(|record| record.details_from.is_some()) {
            return Ok(Basis::States);
        }
        if self.records().any(|record| record.gradability() == Gradability::Unknown) {
            return Err("only verdicts are archived, not the values that were returned".into());
        }
        Ok(Basis::Records)
    }

    /// What became of a trap in one record; `None` outside the denominator.
    pub(crate) fn fate(&self, at: usize, record: &Record, tolerance: f64) -> Option<Fate> {
        match record.state() {
            State::Excluded => None,
            State::Pass => Some(Fate::Pass),
            State::Fail => {
                let fell = |trap: &Shortcut| captured(record, &trap.values, tolerance);
                Some(if self.trap(at).is_some_and(fell) { Fate::Captured } else { Fate::Fail })
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::archive::Actual;
    use crate::statistics::fixture::{Fixture, problem};

    /// A trap with shortcut values by sub; its accepted answers are 1.
    pub(crate) fn trap(id: &str, parent: &str, family: &str, shortcut: &[f64]) -> Problem {
        let values = shortcut.iter().enumerate().map(|(at, &value)| ((at + 1).to_string().into(), value)).collect();
        let trap = Shortcut {
            family: family.into(),
            words: "what it does".into(),
            program: None,
            values,
            separation: Some(1.0),
        };
        Problem { parent: Some(parent.into()), shortcut: Some(trap), ..problem(id, "c", "low", shortcut.len()) }
    }

    /// Two families, three traps, twins `m` and `m-r`, three runs; failed records return 2 everywhere.
    pub(crate) fn study() -> Fixture {
        let traps = vec![
            trap("trap_a_gen", "a", "edge", &[2.0]),
            trap("trap_b", "b", "sign", &[2.0, 0.0]),
            trap("trap_c_gen", "c", "edge", &[5.0]),
        ];
        let mut study = Fixture::new(&[("m", "M", false), ("m-r", "M", true)])
            .set("core", "problems", None, ["c", "b", "a"].map(|id| problem(id, "c", "low", 1)).into())
            .set("traps", "traps", Some("core"), traps)
            .experiment("core_code", "core", "code", 3)
            .experiment("trap_code", "traps", "code", 3);
        study.option("trap-prefix", "trap_");
        study.option("trap-suffix", "_gen");
        study.option("frontier", vec!["m-r"]);
        for (run, core, traps) in [(1, "PPP", "FFP"), (2, "FPP", "FPF"), (3, "PPF", "FFP")] {
            study = study.run("core_code", "m", run, core).run("trap_code", "m", run, traps);
        }
        for run in 1..=3 {
            study = study.run("core_code", "m-r", run, "PPP").run("trap_code", "m-r", run, "PPF");
        }
        study
    }

    #[test]
    fn capture_needs_every_value_in_order() {
        let study = study();
        let traps = &study.evidence().traps()[0];
        let run = &traps.board.tallies[0].runs[0];
        let fate = |at: usize, record: &Record| traps.fate(at, record, 0.02);
        // Trap a: 2 for 2. Trap b: 2, 2 for 2, 0.
        assert_eq!(fate(0, run.records[0].unwrap()), Some(Fate::Captured));
        let mut record = run.records[1].unwrap().clone();
        assert_eq!(fate(1, &record), Some(Fate::Fail));
        let put = |record: &mut Record, values: [Actual; 2]| {
            let details = record.details.as_mut().unwrap();
            details.iter_mut().zip(values).for_each(|(detail, value)| detail.actual = value);
        };
        put(&mut record, [Actual::Number(2.039), Actual::Number(0.9e-9)]);
        assert_eq!(fate(1, &record), Some(Fate::Captured));
        for values in [
            [Actual::Number(2.041), Actual::Number(0.0)],
            [Actual::Number(2.0), Actual::Number(1e-9)],
            [Actual::Number(2.0), Actual::Missing],
            [Actual::Number(0.0), Actual::Number(2.0)],
            [Actual::Number(f64::NAN), Actual::Number(0.0)],
        ] {
            put(&mut record, values);
            assert_eq!(fate(1, &record), Some(Fate::Fail));
        }
        record.details.as_mut().unwrap().pop();
        assert_eq!(fate(1, &record), Some(Fate::Fail));
        record.details = Some(Vec::new());
        assert_eq!(fate(1, &record), Some(Fate::Fail));
    }

    #[test]
    fn a_pass_with_the_values_of_the_shortcut_is_no_capture() {
        let study = study();
        let traps = &study.evidence().traps()[0];
        let mut record = traps.board.tallies[0].runs[0].records[0].unwrap().clone();
        record.passed = Some(true);
        assert_eq!(traps.fate(0, &record, 0.02), Some(Fate::Pass));
        record.error = Some("timeout".into());
        assert_eq!(traps.fate(0, &record, 0.02), None);
    }

    #[test]
    fn bare_verdicts_say_nothing_unless_values_were_put_in() {
        let mut study = study();
        assert_eq!(study.evidence().traps()[0].capture_basis(), Ok(Basis::Records));
        let runs = study.archive.runs.iter_mut().filter(|run| run.key.experiment.as_str() == "trap_code");
        for record in runs.flat_map(|run| &mut run.records) {
            record.details = None;
        }
        assert!(study.evidence().traps()[0].capture_basis().is_err());
        let run = study.archive.runs.iter_mut().find(|run| run.key.experiment.as_str() == "trap_code").unwrap();
        run.records[0].details_from = Some("shortcut_values".into());
        assert_eq!(study.evidence().traps()[0].capture_basis(), Ok(Basis::States));
    }

    #[test]
    fn names_lose_what_the_study_declares() {
        let options =
            |suffix: &str| Options { trap_prefix: "trap_".into(), trap_suffix: suffix.into(), ..Options::default() };
        assert_eq!(options("_gen").trap_name("trap_8.7_gen"), "8.7");
        assert_eq!(options("").trap_name("x_gen"), "x_gen");
    }
}
