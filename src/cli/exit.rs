//! Exit codes: few, documented, tested one by one.

use std::process::ExitCode;

use crate::report::{Findings, Severity};

/// Why the process ended as it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything ran and nothing disagrees.
    Good = 0,
    /// Something disagrees: a verdict, a claim, a diff.
    Disagrees = 1,
    /// The command line was not understood.
    Usage = 2,
    /// The archive is unreadable, or so incomplete that a stage could not go on, or parts of it are damaged.
    Unreadable = 3,
    /// Evidence is missing and the user did not accept that.
    NotCheckable = 4,
    /// The sandbox is not available at the level asked for.
    Sandbox = 5,
    /// Output could not be written.
    CannotWrite = 6,
    /// A deposit is damaged: it does not hold the bytes that were written.
    Damaged = 7,
    /// The user interrupted the run; as shells have it, 128 and the number of the signal.
    Interrupted = 130,
}

/// Every code with its name and meaning, for `--help` and `repro explain exit-N`.
pub const TABLE: [(Exit, &str, &str); 9] = [
    (Exit::Good, "good", "Every stage ran and nothing disagrees."),
    (
        Exit::Disagrees,
        "disagrees",
        "Something disagrees: a verdict, a claim, a table, a difference between two versions.",
    ),
    (Exit::Usage, "usage", "The command line was not understood."),
    (
        Exit::Unreadable,
        "unreadable",
        "The archive, or a part of it, could not be read. What could be read was still processed and is reported.",
    ),
    (
        Exit::NotCheckable,
        "not-checkable",
        "Evidence is missing, so something could not be checked, and that was not accepted with --allow-missing.",
    ),
    (
        Exit::Sandbox,
        "sandbox",
        "The sandbox (or an interpreter) is not available at the level asked for; no program was run.",
    ),
    (Exit::CannotWrite, "cannot-write", "Output could not be written; what existed before is intact."),
    (
        Exit::Damaged,
        "damaged",
        "A deposit is damaged: a file in it is not what was written, is missing, or is listed nowhere. What the study \
         says was checked as far as it could be read, and is told after that.",
    ),
    (
        Exit::Interrupted,
        "interrupted",
        "The run was interrupted. Finished executions are in the cache, so the same command goes on where it stopped.",
    ),
];

impl Exit {
    /// The code that a list of findings stands for: unreadable over disagreement over missing evidence.
    pub fn of(findings: &Findings, allow_missing: bool) -> Self {
        match findings.worst() {
            Some(Severity::Unreadable) => Self::Unreadable,
            Some(Severity::Disagrees) => Self::Disagrees,
            Some(Severity::Missing) if !allow_missing => Self::NotCheckable,
            _ => Self::Good,
        }
    }

    /// The number.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Finding, Place};

    #[test]
    fn the_table_lists_every_code_once_in_order() {
        let codes: Vec<u8> = TABLE.iter().map(|(exit, _, _)| exit.code()).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 130]);
    }

    #[test]
    fn the_gravest_finding_decides() {
        let missing = Finding::new("missing-run", Place::default(), "m");
        let differs = Finding::new("claim-differs", Place::default(), "d");
        let torn = Finding::new("torn-file", Place::default(), "t");
        let note = Finding::new("repaired-text", Place::default(), "n");
        let exit = |findings: &[&Finding], allow| Exit::of(&findings.iter().map(|&f| f.clone()).collect(), allow);
        assert_eq!(exit(&[], false), Exit::Good);
        assert_eq!(exit(&[&note], false), Exit::Good);
        assert_eq!(exit(&[&note, &missing], false), Exit::NotCheckable);
        assert_eq!(exit(&[&note, &missing], true), Exit::Good);
        assert_eq!(exit(&[&missing, &differs], true), Exit::Disagrees);
        assert_eq!(exit(&[&missing, &differs, &torn], true), Exit::Unreadable);
    }
}
