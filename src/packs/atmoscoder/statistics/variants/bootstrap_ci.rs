//! Percentile bootstrap of a paired difference over parents.

use super::layout::FAMILIES;
use crate::packs::atmoscoder::options::Options;
use crate::statistics::bootstrap::Resamples;
use crate::statistics::{About, Estimate, Evidence, Interval, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct BootstrapCi;

/// Resamples of every family.
const ROWS: usize = 2000;

static ABOUT: About = About {
    id: "bootstrap-ci",
    also: &[],
    title: "Bootstrap interval of the paired difference",
    unit: "points",
    meaning: "A second interval of the difference between originals and variants, from resampling parents \
              instead of a normal approximation. All configurations of a family use the same resamples.",
    formula: "Parents sorted as strings, d_i = +1 lost, -1 gained, 0 otherwise. B = 2000 resamples of n parents \
              from a 32-bit Mersenne Twister, seeded through its array initialiser with one word that the study \
              declares per family; each draw takes the bit_length(n) top bits of an output and is repeated \
              until below n. With the B resampled deltas sorted: low = d[⌊0.025 B⌋], high = d[min(B - 1, ⌊0.975 \
              B⌋)], in points.",
    source: "Efron 1979 (percentile method); Matsumoto and Nishimura 1998 (generator); rule bootstrap-ci of the \
             study.",
    edge_cases: "Needs parent-level states: undefined where only a published table of tests is there. Without a \
                 declared seed the seed is 1. The limits are values of d, so they move in steps of 1/n.",
    example: "9 lost, 1 gained of 346 with the published seed: [0.578, 4.046] points.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`; absent for the number of resamples" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[("low", "lower end, points"), ("high", "upper end, points"), ("resamples", "B")],
};

impl Statistic for BootstrapCi {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let mut basis = None;
        for family in FAMILIES.into_iter().filter(|&family| evidence.family_set(family).is_some()) {
            let keys = |model| [("family", family.as_str()), ("model", model)];
            let states = match evidence.states(family) {
                Ok(states) => states,
                Err(reason) => {
                    for configuration in evidence.leaderboard() {
                        for measure in ["low", "high"] {
                            let estimate = Estimate::undefined(reason.clone());
                            let keys = keys(configuration.key.as_str());
                            out.fact(ABOUT.id, measure, &keys, estimate, crate::statistics::Basis::Records);
                        }
                    }
                    continue;
                }
            };
            basis = basis.max(Some(states.basis));
            let seed = Options::of(evidence.study).bootstrap_seeds.get(family.as_str()).copied().unwrap_or(1);
            let resamples = Resamples::draw(seed, ROWS, states.parents.len() as u32);
            for (configuration, row) in &states.rows {
                let estimates = match row {
                    Ok(row) => {
                        let shifts: Vec<i32> = row.iter().map(|s| i32::from(s.core) - i32::from(s.held)).collect();
                        limits(resamples.interval_of_mean(&shifts))
                    }
                    Err(reason) => [(); 2].map(|()| Estimate::undefined(reason.clone())),
                };
                for (measure, estimate) in ["low", "high"].into_iter().zip(estimates) {
                    out.fact(ABOUT.id, measure, &keys(configuration.key.as_str()), estimate, states.basis);
                }
            }
        }
        if let Some(basis) = basis {
            out.fact(ABOUT.id, "resamples", &[], Estimate::count(ROWS), basis);
        }
        out
    }
}

fn limits(interval: Option<Interval>) -> [Estimate; 2] {
    match interval.map(|interval| interval.scaled(100.0)) {
        Some(interval) => [interval.low, interval.high].map(Estimate::value),
        None => [(); 2].map(|()| Estimate::undefined("there is no parent to resample")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn no_discordant_parent_gives_a_point_and_two_give_the_full_range() {
        let facts = Facts::new(small().compute(&BootstrapCi).facts);
        let ends = |model: &str| {
            ["low", "high"].map(|measure| {
                let keys = [("family", "numeric"), ("model", model)];
                facts.get("bootstrap-ci", measure, &keys).unwrap().estimate.point().unwrap()
            })
        };
        assert_eq!(ends("a-r"), [0.0, 0.0]);
        // One lost and one gained of two: a quarter of the resamples draws the same parent twice.
        assert_eq!(ends("a"), [-100.0, 100.0]);
        assert_eq!(facts.get("bootstrap-ci", "resamples", &[]).unwrap().estimate.point(), Some(2000.0));
    }

    #[test]
    fn the_declared_seed_and_the_order_of_ids_decide() {
        let build = |seed: u32, order: [usize; 4]| {
            let ids = ["a", "b", "c", "d"];
            let letters = ["P", "P", "F", "P"];
            let core = order.iter().map(|&at| problem(ids[at], "c", "low", 1)).collect();
            let variants = order.iter().map(|&at| variant(&format!("{}_v1", ids[at]), ids[at], 1)).collect();
            let text = |letters: [&str; 4]| order.iter().map(|&at| letters[at]).collect::<String>();
            let mut study = Fixture::new(&[("m", "M", false)])
                .set("core", "problems", None, core)
                .set("numeric", "numeric-variants", Some("core"), variants)
                .experiment("core_code", "core", "code", 1)
                .experiment("numeric_code", "numeric", "code", 1)
                .run("core_code", "m", 1, &text(letters))
                .run("numeric_code", "m", 1, &text(["F", "P", "P", "P"]));
            study.option("bootstrap-seeds", toml::Table::from_iter([("numeric".to_owned(), i64::from(seed).into())]));
            study.compute(&BootstrapCi).facts
        };
        assert_eq!(build(7, [0, 1, 2, 3]), build(7, [2, 0, 3, 1]));
        // Slow version: resample by hand with the same generator.
        let table = Resamples::draw(7, ROWS, 4);
        let shift = [1.0, 0.0, -1.0, 0.0];
        let mut deltas: Vec<f64> =
            table.rows().map(|row| row.iter().map(|&at| shift[at as usize]).sum::<f64>() * 25.0).collect();
        deltas.sort_by(f64::total_cmp);
        let facts = build(7, [0, 1, 2, 3]);
        let found: Vec<f64> = facts.iter().filter_map(|fact| fact.estimate.point()).collect();
        assert_eq!(found, [deltas[50], deltas[1950], 2000.0]);
    }
}
