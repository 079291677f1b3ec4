//! Everything of the study that its analyses read, parsed once for each of them.

use std::collections::{BTreeMap, BTreeSet};

use super::benchmark::Benchmark;
use super::defects::{DEFECTS, Defect};
use super::flips::{FLIPS, Flips};
use crate::archive::Materials;
use crate::statistics::Evidence;

/// Steps whose reference code is given to every model, so that their verdict is no model's (harness of the
/// study); used where no archived file shows them as steps without a verdict.
const INJECTED: [&str; 3] = ["13.6", "62.1", "76.3"];

/// The parsed files.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// Problems before and after.
    pub(super) benchmark: Benchmark,
    /// Defect records in their order.
    pub(super) defects: Vec<Defect>,
    /// Sets of steps whose verdict changed.
    pub(super) flips: Option<Flips>,
    /// Step numbers by problem.
    pub(super) universe: BTreeMap<String, Vec<String>>,
    /// Steps with a verdict.
    pub(super) scored: BTreeSet<String>,
    /// Steps without one.
    pub(super) injected: BTreeSet<String>,
    roles: BTreeSet<String>,
}

impl Audit {
    /// Reads what an analysis may use.
    pub(super) fn read(evidence: &Evidence<'_>) -> Self {
        Self::of(&evidence.archive.materials)
    }

    /// The same from files.
    pub(super) fn of(materials: &Materials) -> Self {
        let benchmark = Benchmark::read(materials);
        let flips = Flips::read(materials);
        let universe = benchmark.universe();
        let all: BTreeSet<String> = universe.values().flatten().cloned().collect();
        let unscored = flips.as_ref().map(|flips| flips.without_verdict.clone()).unwrap_or_default();
        let injected: BTreeSet<String> =
            if unscored.is_empty() { INJECTED.map(str::to_owned).into() } else { unscored };
        Self {
            defects: Defect::read(materials),
            flips,
            scored: all.difference(&injected).cloned().collect(),
            injected: injected.intersection(&all).cloned().collect(),
            universe,
            benchmark,
            roles: materials.roles().map(str::to_owned).collect(),
        }
    }

    /// Why an analysis that needs these files has no value; `None` when they are there.
    pub(super) fn lacks(&self, roles: &[&str]) -> Option<String> {
        let absent: Vec<&str> = roles.iter().copied().filter(|role| !self.roles.contains(*role)).collect();
        (!absent.is_empty()).then(|| format!("not archived: {}", absent.join(", ")))
    }

    /// Why the list of steps is not known.
    pub(super) fn without_steps(&self) -> Option<String> {
        self.scored.is_empty().then(|| "the problems that list the steps are not archived".to_owned())
    }

    /// Why the sets of changed verdicts are not known.
    pub(super) fn without_flips(&self) -> Option<String> {
        self.lacks(&[FLIPS]).or_else(|| self.flips.is_none().then(|| "the file of flips cannot be read".to_owned()))
    }

    /// Why the defect records are not known.
    pub(super) fn without_defects(&self) -> Option<String> {
        self.lacks(&[DEFECTS])
    }
}
