//! Paired difference within difficulty levels and subject categories.

use std::collections::BTreeMap;

use super::layout::FAMILIES;
use super::states::{State, States};
use crate::corpus::Problem;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Estimate, Evidence, KeyDoc, Output, Statistic, moments};

/// See [`ABOUT`].
pub(crate) struct StrataDelta;

/// Groups with fewer parents are left out.
const SMALLEST: usize = 10;

static ABOUT: About = About {
    id: "strata-delta",
    also: &[],
    title: "Paired difference by difficulty and category",
    unit: "points",
    meaning: "Where originals and variants differ: the paired difference on the parents of one difficulty level or \
              category, averaged over configurations.",
    formula: "For a group g with n_g ≥ 10 parents and a configuration with b_g lost and c_g gained among them: delta_g \
              = 100 × (b_g - c_g) / n_g; mean = average of delta_g over the configurations of the leaderboard that \
              enter.",
    source: "Rule strata-delta of the study.",
    edge_cases: "Groups of fewer than ten parents have no fact. Configurations that do not pass the completeness \
                 gate are left out of the mean; `models` says how many enter. Parents without a difficulty or \
                 category belong to no group of that kind.",
    example: "Two configurations on 100 hard parents, 5 - 1 and 3 - 3 discordant: deltas 4.0 and 0.0, mean 2.0 points.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "difficulty", meaning: "level of the parents, or" },
        KeyDoc { key: "category", meaning: "category of the parents" },
        KeyDoc { key: "model", meaning: "configuration key, for its own difference" },
    ],
    measures: &[
        ("mean", "mean difference over configurations"),
        ("delta", "difference of one configuration"),
        ("parents", "parents of the group"),
        ("models", "configurations in the mean"),
    ],
};

impl Statistic for StrataDelta {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for family in FAMILIES {
            let Ok(states) = evidence.states(family) else { continue };
            let difficulty = |problem: &Problem| problem.difficulty.as_deref().map(str::to_owned);
            let category = |problem: &Problem| problem.category.as_deref().map(str::to_owned);
            for (name, groups) in [
                ("difficulty", groups(evidence, family, &states, difficulty)),
                ("category", groups(evidence, family, &states, category)),
            ] {
                for (value, members) in groups.into_iter().filter(|(_, members)| members.len() >= SMALLEST) {
                    let keys = [("family", family.as_str()), (name, value.as_str())];
                    group(&mut out, &states, &members, &keys);
                }
            }
        }
        out
    }
}

/// Positions of parents by a property of the original problem.
fn groups(
    evidence: &Evidence<'_>,
    family: Family,
    states: &States<'_>,
    property: impl Fn(&Problem) -> Option<String>,
) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let parents = evidence.family_set(family).and_then(|set| evidence.corpus.set(set.parents.as_ref()?.as_str()));
    for (at, parent) in states.parents.iter().enumerate() {
        if let Some(value) = parents.and_then(|set| set.get(parent)).and_then(&property) {
            groups.entry(value).or_default().push(at);
        }
    }
    groups
}

fn group(out: &mut Output, states: &States<'_>, members: &[usize], keys: &[(&str, &str); 2]) {
    let shift =
        |row: &[State]| -> i64 { members.iter().map(|&at| i64::from(row[at].core) - i64::from(row[at].held)).sum() };
    let mut deltas = Vec::new();
    for (configuration, row) in &states.rows {
        let Ok(row) = row else { continue };
        let delta = 100.0 * shift(row) as f64 / members.len() as f64;
        deltas.push(delta);
        let keys = [keys[0], keys[1], ("model", configuration.key.as_str())];
        out.fact(ABOUT.id, "delta", &keys, Estimate::value(delta), states.basis);
    }
    let mean = moments::mean(&deltas);
    let mean = mean.map_or_else(|| Estimate::undefined("no configuration is complete"), Estimate::value);
    out.fact(ABOUT.id, "mean", keys, mean, states.basis);
    out.fact(ABOUT.id, "parents", keys, Estimate::count(members.len()), states.basis);
    out.fact(ABOUT.id, "models", keys, Estimate::count(deltas.len()), states.basis);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn groups_of_ten_and_more() {
        let ids: Vec<String> = (0..19).map(|n| format!("p{n:02}")).collect();
        let level = |n: usize| if n < 10 { "high" } else { "low" };
        let core = ids.iter().enumerate().map(|(n, id)| problem(id, "c", level(n), 1)).collect();
        let numeric = ids.iter().map(|id| variant(&format!("{id}_v1"), id, 1)).collect();
        let study = Fixture::new(&[("a", "A", false), ("b", "B", false)])
            .set("core", "problems", None, core)
            .set("numeric", "numeric-variants", Some("core"), numeric)
            .experiment("core_code", "core", "code", 1)
            .experiment("numeric_code", "numeric", "code", 1)
            .run("core_code", "a", 1, "PPPPPPPPPPPPPPPPPPP")
            .run("numeric_code", "a", 1, "FFFPPPPPPPFFFFFFFFF")
            .run("core_code", "b", 1, "FPPPPPPPPPPPPPPPPPP")
            .run("numeric_code", "b", 1, "PPPPPPPPPPFFFFFFFFF");
        let facts = Facts::new(study.compute(&StrataDelta).facts);
        let high = [("family", "numeric"), ("difficulty", "high")];
        // 3 of 10 lost, 1 of 10 gained: 30 and -10 points.
        assert_eq!(facts.get("strata-delta", "mean", &high).unwrap().estimate.point(), Some(10.0));
        assert_eq!(facts.get("strata-delta", "models", &high).unwrap().estimate.point(), Some(2.0));
        assert!(facts.get("strata-delta", "mean", &[("family", "numeric"), ("difficulty", "low")]).is_none());
        let all = [("family", "numeric"), ("category", "c"), ("model", "a")];
        assert_eq!(facts.get("strata-delta", "delta", &all).unwrap().estimate.point(), Some(1200.0 / 19.0));
    }
}
