//! Categories summed up over configurations.

use super::groups::Group;
use crate::statistics::moments::{extremes, mean, sample_sd};
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "category-macro",
    also: &[],
    title: "Categories over all configurations",
    unit: "percent",
    meaning: "How hard each category is for the field, and how far it separates configurations. The macro mean gives every \
              category the same weight, the weighted mean every problem.",
    formula: "For a category: mean, sample sd (divisor m - 1) and range over the m configurations of their mean accuracy \
              in it. macro = mean of the category means; weighted = mean over configurations of their overall mean \
              accuracy.",
    source: "Rule category-macro of the study.",
    edge_cases: "Only complete configurations of the leaderboard count; without one everything is undefined. One \
                 configuration: no sd. A category that a configuration's run did not grade at all is undefined, and so is \
                 the macro mean then: it is never taken over whichever categories exist.",
    example: "Category means of 90.4 and 76.1 over 25 and 29 problems: macro 83.25, weighted 82.7.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "category", meaning: "category; absent for macro, weighted and configurations" },
    ],
    measures: &[
        ("mean", "mean over configurations of the accuracy in the category"),
        ("sd", "sample standard deviation over configurations"),
        ("low", "weakest configuration"),
        ("high", "strongest configuration"),
        ("range", "strongest minus weakest, in points"),
        ("macro", "mean of the category means"),
        ("weighted", "mean of the overall accuracies"),
        ("configurations", "complete configurations, out of those expected"),
    ],
};

/// Categories over all configurations.
pub(in crate::statistics) struct CategoryMacro;

impl Statistic for CategoryMacro {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let groups = evidence.by_category(&board);
            if !groups.is_empty() {
                facts(&mut output, &board, &groups);
            }
        }
        output
    }
}

/// Mean accuracy of every complete configuration in a group; an error says why one has none.
pub(super) fn means(tallies: &[&Tally<'_>], group: &Group<'_>) -> Result<Vec<f64>, String> {
    if tallies.is_empty() {
        return Err("no configuration of the leaderboard is complete".to_owned());
    }
    let mean = |tally: &&Tally<'_>| {
        tally.mean(&group.problems).ok_or_else(|| format!("a run of {} graded nothing of {}", tally.key, group.id))
    };
    tallies.iter().map(mean).collect()
}

fn facts(output: &mut Output, board: &Board<'_>, groups: &[Group<'_>]) {
    let standing = board.standing();
    let tallies: Vec<&Tally<'_>> = standing.iter().map(|&(tally, _)| tally).collect();
    let mut centres = Vec::new();
    for group in groups {
        let keys = [&board.keys()[..], &[("category", group.id)]].concat();
        let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
        let values = means(&tallies, group);
        centres.push(values.as_ref().map_err(Clone::clone).map(|values| mean(values).unwrap_or_default()));
        let (low, high) = values.as_ref().ok().and_then(|values| extremes(values)).unzip();
        let sd = values.as_ref().ok().and_then(|values| sample_sd(values));
        let reason = values.as_ref().err().map_or("one configuration has no spread", String::as_str);
        facts
            .put("mean", Estimate::or(values.as_ref().ok().and_then(|values| mean(values)), reason))
            .put("sd", Estimate::or(sd, reason))
            .put("low", Estimate::or(low, reason))
            .put("high", Estimate::or(high, reason))
            .put("range", Estimate::or(low.zip(high).map(|(low, high)| high - low), reason));
    }
    let centres: Result<Vec<f64>, String> = centres.into_iter().collect();
    let overall: Vec<f64> = standing.iter().map(|&(_, mean)| mean).collect();
    let reason = centres.as_ref().err().map_or("there is no category", String::as_str);
    output
        .on(ABOUT.id, Basis::Records, &board.keys())
        .put("macro", Estimate::or(centres.as_ref().ok().and_then(|centres| mean(centres)), reason))
        .put("weighted", Estimate::or(mean(&overall), "no configuration of the leaderboard is complete"))
        .put("configurations", Estimate::out_of(standing.len(), board.leaderboard().count()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn macro_and_weighted_are_two_things() {
        let mut problems: Vec<_> = (0..8).map(|i| problem(&format!("p{i}"), "x", "low", 1)).collect();
        problems.extend((8..10).map(|i| problem(&format!("p{i}"), "y", "low", 1)));
        let study = Fixture::new(&[("a", "A", true), ("b", "B", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPPPPPPFF")
            .run("core_code", "b", 1, "PPPPFFFFPF");
        let facts = Facts::new(study.compute(&CategoryMacro).facts);
        let keys = [("set", "core"), ("protocol", "code"), ("category", "x")];
        let get = |measure, keys: &[(&str, &str)]| facts.get("category-macro", measure, keys).unwrap().estimate.point();
        assert_eq!(get("mean", &keys), Some(75.0));
        assert_eq!(get("range", &keys), Some(50.0));
        // Means of categories 75 and 25, of configurations 80 and 50.
        assert_eq!((get("macro", &keys[..2]), get("weighted", &keys[..2])), (Some(50.0), Some(65.0)));
    }
}
