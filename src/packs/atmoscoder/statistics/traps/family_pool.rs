//! Solve rate of trap families over all configurations and runs.

use super::setup::Traps;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `trap-family-pool`.
pub(crate) struct TrapFamilyPool;

static ABOUT: About = About {
    id: "trap-family-pool",
    also: &[],
    title: "Solve rate of trap families",
    unit: "percent",
    meaning: "Which kind of planted shortcut is hardest to resist, over everyone that was asked.",
    formula: "rate = 100 × passed / graded runs of all traps of a family over all complete configurations and runs.",
    source: "Rule trap-family-pool of the study.",
    edge_cases: "A large family weighs by its runs within itself only; families are never averaged. Configurations without \
                 all runs are left out. Records with an infrastructure error leave the denominator.",
    example: "5 traps × 9 configurations × 3 runs = 135 runs, 57 of them passed: 42.2 %.",
    keys: &[KeyDoc { key: "set", meaning: "trap set" }, KeyDoc { key: "family", meaning: "trap family" }],
    measures: &[
        ("rate", "percent with counts"),
        ("solved", "passed runs, of all"),
        ("total", "graded runs"),
        ("traps", "traps of the family"),
    ],
};

/// A family over all complete configurations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pool<'a> {
    /// Name.
    pub(super) family: &'a str,
    /// Its traps.
    pub(super) traps: usize,
    /// Passed runs.
    pub(super) passed: usize,
    /// Graded runs.
    pub(super) graded: usize,
}

impl Statistic for TrapFamilyPool {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let pools = pools(&traps);
            for pool in &pools {
                out.on(ABOUT.id, Basis::Records, &[("set", traps.set.id.as_str()), ("family", pool.family)])
                    .put("rate", Estimate::percent(pool.passed, pool.graded))
                    .put("solved", Estimate::out_of(pool.passed, pool.graded))
                    .put("total", Estimate::count(pool.graded))
                    .put("traps", Estimate::count(pool.traps));
            }
            out.tables.extend(tables(&pools));
        }
        out
    }
}

/// Families, hardest first; equal rates by name.
pub(super) fn pools<'a>(traps: &Traps<'a>) -> Vec<Pool<'a>> {
    let pool = |(family, members): (&'a str, Vec<usize>)| {
        let counts = traps.complete().map(|tally| tally.counts_of(&members));
        let (passed, graded) = counts.fold((0, 0), |(passed, graded), c| (passed + c.passed, graded + c.graded()));
        Pool { family, traps: members.len(), passed, graded }
    };
    let mut pools: Vec<Pool<'a>> = traps.families().into_iter().map(pool).collect();
    // a/b against c/d as whole numbers; a family without runs comes last.
    pools.sort_by(|a, b| {
        let empty = (a.graded == 0).cmp(&(b.graded == 0));
        empty.then((a.passed * b.graded).cmp(&(b.passed * a.graded))).then_with(|| a.family.cmp(b.family))
    });
    pools
}

fn tables(pools: &[Pool<'_>]) -> [Table; 2] {
    let statistics = ["trap-family-pool"];
    let columns = [
        ("family", Kind::Text, ""),
        ("solved", Kind::Integer, "runs"),
        ("total", Kind::Integer, "runs"),
        ("solve_rate_pct", Kind::Real, "percent"),
    ];
    let title = "Solve rate of trap families, hardest first";
    let mut rates = Table::new("F6_1b_trap_family", title, &statistics, &columns);
    let columns = [("family", Kind::Text, ""), ("n_traps", Kind::Integer, "traps")];
    let mut sizes = Table::new("F6_1b_family_sizes", "Traps per family", &statistics, &columns);
    for pool in pools {
        let rate = match Estimate::percent(pool.passed, pool.graded) {
            Estimate::Value { value, .. } => Cell::fixed(value, 1),
            Estimate::Undefined(reason) => Cell::Undefined(reason.into()),
        };
        rates.push(vec![Cell::text(pool.family), Cell::count(pool.passed), Cell::count(pool.graded), rate]);
        sizes.push(vec![Cell::text(pool.family), Cell::count(pool.traps)]);
    }
    [rates, sizes]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;

    #[test]
    fn families_are_pooled_and_sorted_hardest_first() {
        let out = study().compute(&TrapFamilyPool);
        // edge: a fails three times for m, passes for m-r; c passes, fails, passes and fails three times.
        let csv: Vec<String> = out.tables.iter().map(crate::table::to_csv).collect();
        assert_eq!(csv[0], "family,solved,total,solve_rate_pct\nedge,5,12,41.7\nsign,4,6,66.7\n");
        assert_eq!(csv[1], "family,n_traps\nedge,2\nsign,1\n");
    }
}
