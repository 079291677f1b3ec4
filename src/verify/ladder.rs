//! The ledger: every verdict of every level, sorted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::faithfulness::{AuditedRun, ProgramAudit, SolverAudit};
use super::rows::{
    AttemptVerdict, EngineRow, LensRow, LensVerdicts, Ran, RegradeRow, ReplayVerdict, RunVerdict, SolverVerdict,
    SweepRow,
};
use super::summaries::SummaryVerdict;
use super::unchecked::Unchecked;

/// A rung of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Level {
    /// Files, ids, counts.
    L0,
    /// Stored solvers reproduce their stored answers.
    L1,
    /// Archived model programs reproduce what was recorded.
    L2,
    /// Stored answers are graded again.
    L3,
    /// Solvers compute rather than quote.
    L4,
    /// Statistics come from records.
    L5,
    /// Printed numbers follow from statistics.
    L6,
    /// The deposit verifies from itself.
    L7,
}

impl Level {
    /// Short name, name and question of the level.
    pub const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::L0 => ("L0", "Integrity", "Files, identifiers and counts are what the archive says"),
            Self::L1 => {
                ("L1", "Reference programs", "Every stored reference program, executed again, gives its stored answer")
            }
            Self::L2 => ("L2", "Replay", "Every archived model program, executed again, gives what was recorded"),
            Self::L3 => ("L3", "Grading again", "Every stored answer, graded again, gets its stored verdict"),
            Self::L4 => ("L4", "Faithfulness", "Reference programs compute their answers rather than quote them"),
            Self::L5 => ("L5", "Statistics", "Statistics are recomputed from what is archived"),
            Self::L6 => ("L6", "Claims", "Printed numbers follow from the statistics"),
            Self::L7 => ("L7", "Deposit", "The bundle is complete and verifies from itself"),
        }
    }

    /// The level that a finding of this code speaks about. What is not about a later level is about the files
    /// and records as they were found.
    pub fn of(code: &str) -> Self {
        match code {
            "solver-differs" | "solver-fails" | "shortcut-passes" | "parent-answer-passes" => Self::L1,
            "replay-differs" | "replay-explained" | "engines-differ" | "program-quotes" => Self::L2,
            "regrade-differs" | "lens-differs" => Self::L3,
            "solver-quotes" | "solver-flagged" | "input-inert" => Self::L4,
            "tokens-differ" | "table-differs" => Self::L5,
            "claim-differs"
            | "claim-rounds"
            | "claim-impossible"
            | "claim-conflict"
            | "erratum-holds"
            | "claim-erratum"
            | "claim-not-checkable"
            | "bad-ledger" => Self::L6,
            "broken-link"
            | "formula-as-source"
            | "container-refused"
            | "container-differs"
            | "readers-disagree"
            | "entry-damaged"
            | "bag-malformed"
            | "bag-missing-file"
            | "bag-unlisted-file"
            | "bag-other-form"
            | "bag-holey"
            | "metadata-differs"
            | "identity-incomplete"
            | "digest-differs"
            | "deposit-differs"
            | "deposit-not-compared"
            | "secret-found"
            | "archive-outside"
            | "name-changed"
            | "signature-wrong"
            | "signature-unchecked"
            | "signature-absent"
            | "repository-limit"
            | "repository-refuses" => Self::L7,
            _ => Self::L0,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One level in numbers; `agreed + disagreed = checked` and `checked + computed + not checkable = total`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LevelSummary {
    /// Level.
    pub level: Level,
    /// What was to be checked.
    pub total: usize,
    /// What was checked.
    pub checked: usize,
    /// What agrees with the record.
    pub agreed: usize,
    /// What does not.
    pub disagreed: usize,
    /// What was computed and has nothing beside it that it could agree with.
    #[serde(skip_serializing_if = "is_zero")]
    pub computed: usize,
    /// Reasons why the rest could not be checked, with counts.
    pub not_checkable: BTreeMap<Unchecked, usize>,
    /// One more fact worth a line (how many to the last bit).
    pub remark: Option<String>,
}

impl LevelSummary {
    /// A level with nothing counted yet.
    pub const fn new(level: Level) -> Self {
        Self {
            level,
            total: 0,
            checked: 0,
            agreed: 0,
            disagreed: 0,
            computed: 0,
            not_checkable: BTreeMap::new(),
            remark: None,
        }
    }

    /// Counts one thing that was checked.
    pub fn count(&mut self, agrees: bool) {
        self.total += 1;
        self.checked += 1;
        if agrees {
            self.agreed += 1;
        } else {
            self.disagreed += 1;
        }
    }

    /// Counts something that was computed and has no other side.
    pub fn compute(&mut self) {
        self.total += 1;
        self.computed += 1;
    }

    /// Counts things that could not be checked.
    pub fn skip(&mut self, reason: impl Into<Unchecked>, count: usize) {
        if count > 0 {
            self.total += count;
            *self.not_checkable.entry(reason.into()).or_default() += count;
        }
    }

    /// Adds the counts of another part of the same level; remarks are joined.
    pub fn add(&mut self, other: &Self) {
        self.total += other.total;
        self.checked += other.checked;
        self.agreed += other.agreed;
        self.disagreed += other.disagreed;
        self.computed += other.computed;
        for (reason, count) in &other.not_checkable {
            *self.not_checkable.entry(reason.clone()).or_default() += count;
        }
        self.remark = match (self.remark.take(), &other.remark) {
            (Some(ours), Some(theirs)) => Some(format!("{ours}; {theirs}")),
            (ours, theirs) => ours.or_else(|| theirs.clone()),
        };
    }
}

/// Every verdict of a verification. All lists are sorted by set or run, id and attempt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Ladder {
    /// Summaries by level.
    pub levels: Vec<LevelSummary>,
    /// What executed the programs.
    pub engines: Vec<EngineRow>,
    /// L0: every expected run.
    pub runs: Vec<RunVerdict>,
    /// L0: every number that files state about their records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<SummaryVerdict>,
    /// L1: every stored solver.
    pub solvers: Vec<SolverVerdict>,
    /// L2: every record with archived texts.
    pub replays: Vec<ReplayVerdict>,
    /// L2: every attempt of these records.
    pub attempts: Vec<AttemptVerdict>,
    /// L3: records whose verdict is another one when graded again.
    pub regrades: Vec<RegradeRow>,
    /// L3: passes by experiment and tolerance.
    pub sweep: Vec<SweepRow>,
    /// L3: verdicts of both lenses by run.
    pub verdicts: Vec<LensVerdicts>,
    /// Answers on which the two lenses differ.
    pub lenses: Vec<LensRow>,
    /// Answers that the strict lens cannot decide, by reason.
    pub undecided: BTreeMap<String, usize>,
    /// Programs on which two engines differ.
    pub disagreements: Vec<Ran>,
    /// L4: every stored program, by set, id, solver before shortcut.
    pub audits: Vec<SolverAudit>,
    /// Graded model programs that do not compute every answer, by run and id.
    pub quoting: Vec<ProgramAudit>,
    /// Graded model programs that were audited, by run.
    pub audited: Vec<AuditedRun>,
}

impl Ladder {
    /// Summary of a level.
    pub fn level(&self, level: Level) -> Option<&LevelSummary> {
        self.levels.iter().find(|summary| summary.level == level)
    }

    /// Adds a summary, or its counts to the one of the same level.
    pub fn record(&mut self, summary: LevelSummary) {
        match self.levels.iter_mut().find(|known| known.level == summary.level) {
            Some(known) => known.add(&summary),
            None => self.levels.push(summary),
        }
        self.levels.sort_by_key(|summary| summary.level);
    }

    /// Solvers of a set that reproduce their stored answer, of all that the set has.
    pub fn reproduced(&self, set: &str) -> (usize, usize) {
        let of_set = self.solvers.iter().filter(|solver| solver.set.as_str() == set);
        of_set.fold((0, 0), |(agreed, all), solver| (agreed + usize::from(solver.agrees), all + 1))
    }

    /// Solver verdict of a problem.
    pub fn solver(&self, set: &str, id: &str) -> Option<&SolverVerdict> {
        self.solvers.iter().find(|solver| solver.set.as_str() == set && solver.id.as_str() == id && !solver.shortcut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let mut summary = LevelSummary::new(Level::L1);
        summary.count(true);
        summary.count(false);
        summary.skip(Unchecked::NoProgram, 2);
        summary.skip(Unchecked::NoEngine, 0);
        let mut ledger = Ladder::default();
        ledger.record(summary.clone());
        ledger.record(summary);
        let total = ledger.level(Level::L1).unwrap();
        assert_eq!((total.total, total.checked, total.agreed, total.disagreed), (8, 4, 2, 2));
        assert_eq!(total.not_checkable, BTreeMap::from([(Unchecked::NoProgram, 4)]));
    }
}
