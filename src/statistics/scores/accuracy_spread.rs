//! Distance between the best and the worst configuration.

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "accuracy-spread",
    also: &[],
    title: "Spread of accuracy over configurations",
    unit: "points",
    meaning: "How far a problem set separates the configurations of the leaderboard.",
    formula: "spread = highest - lowest, of the mean accuracies of the complete configurations.",
    source: "Rule accuracy-spread of the study.",
    edge_cases: "Fewer than two complete configurations: undefined. Differences are taken before rounding.",
    example: "Means of 97.63 and 41.06 percent: a spread of 56.57 points.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
    ],
    measures: &[
        ("spread", "highest minus lowest mean accuracy, in points"),
        ("highest", "highest mean accuracy"),
        ("lowest", "lowest mean accuracy"),
        ("configurations", "complete configurations, out of those expected"),
    ],
};

/// Spread of accuracy over configurations.
pub(in crate::statistics) struct AccuracySpread;

impl Statistic for AccuracySpread {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let standing = board.standing();
            let expected = board.leaderboard().count();
            let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys());
            facts.put("configurations", Estimate::out_of(standing.len(), expected));
            let ends = match standing.as_slice() {
                [(_, highest), .., (_, lowest)] => {
                    Ok([("spread", highest - lowest), ("highest", *highest), ("lowest", *lowest)])
                }
                few => Err(format!("{} of {expected} configurations are complete", few.len())),
            };
            match ends {
                Ok(values) => values.into_iter().for_each(|(measure, value)| {
                    facts.put(measure, Estimate::value(value));
                }),
                Err(reason) => ["spread", "highest", "lowest"].into_iter().for_each(|measure| {
                    facts.put(measure, Estimate::undefined(reason.clone()));
                }),
            }
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn only_complete_configurations_of_the_leaderboard_count() {
        let problems = (0..4).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let study = Fixture::new(&[("a", "A", true), ("b", "B", false), ("c", "C", false), ("-d", "D", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPF")
            .run("core_code", "b", 1, "PFFF")
            .run("core_code", "c", 1, "FFF-")
            .run("core_code", "d", 1, "FFFF");
        let facts = Facts::new(study.compute(&AccuracySpread).facts);
        let keys = [("set", "core"), ("protocol", "code")];
        assert_eq!(facts.get("accuracy-spread", "spread", &keys).unwrap().estimate.point(), Some(50.0));
        let configurations = &facts.get("accuracy-spread", "configurations", &keys).unwrap().estimate;
        assert_eq!(configurations, &Estimate::out_of(2, 3));
    }
}
