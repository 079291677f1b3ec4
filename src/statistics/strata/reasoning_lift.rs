//! What a reasoning phase adds to the same backbone.

use super::groups::Group;
use crate::statistics::names;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::study::Twins;
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "reasoning-lift",
    also: &[],
    title: "Gain from reasoning",
    unit: "points",
    meaning: "Backbones that were run both with and without a reasoning phase are compared with themselves, overall and at \
              each level of difficulty.",
    formula: "lift = mean accuracy with reasoning - mean accuracy without, both means over runs, before rounding.",
    source: "Rule reasoning-lift of the study.",
    edge_cases: "A twin that is not complete makes the lift undefined with \"n of m\". Backbones with one setting only, or \
                 with several configurations of one setting, are not compared.",
    example: "Means of 97.63 and 90.83: a lift of 6.8 points.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "backbone", meaning: "name of the backbone" },
        KeyDoc { key: "difficulty", meaning: "level of difficulty, or overall" },
    ],
    measures: &[
        ("lift", "accuracy with reasoning minus without"),
        ("reasoning", "mean accuracy with reasoning"),
        ("plain", "mean accuracy without"),
    ],
};

/// Gain from reasoning.
pub(in crate::statistics) struct ReasoningLift;

impl Statistic for ReasoningLift {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let twins = evidence.study.twins();
        for board in evidence.boards() {
            let levels = levels(evidence, &board);
            for pair in &twins {
                let (Some(plain), Some(reasoning)) = pair_of(&board, pair) else { continue };
                for (level, problems) in &levels {
                    let keys =
                        [&board.keys()[..], &[("backbone", names::backbone(pair)), ("difficulty", level)]].concat();
                    let (with, without) = (mean(reasoning, problems), mean(plain, problems));
                    let lift = with.clone().and_then(|with| Ok(with - without.clone()?));
                    let estimate = |value: Result<f64, String>| value.map_or_else(Estimate::undefined, Estimate::value);
                    output
                        .on(ABOUT.id, Basis::Records, &keys)
                        .put("lift", estimate(lift))
                        .put("reasoning", estimate(with))
                        .put("plain", estimate(without));
                }
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(evidence, &board, &twins)));
        output
    }
}

/// Levels of difficulty and, last, all problems.
fn levels<'a>(evidence: &Evidence<'a>, board: &Board<'a>) -> Vec<(&'a str, Vec<usize>)> {
    let mut levels: Vec<(&str, Vec<usize>)> =
        evidence.by_difficulty(board).into_iter().map(|Group { id, problems, .. }| (id, problems)).collect();
    levels.push(("overall", board.all()));
    levels
}

/// Tallies of the pair without and with reasoning.
fn pair_of<'b, 'a>(board: &'b Board<'a>, pair: &Twins<'_>) -> (Option<&'b Tally<'a>>, Option<&'b Tally<'a>>) {
    let of = |key: &str| board.tallies.iter().find(|tally| tally.key == key);
    (of(pair.plain.key.as_str()), of(pair.reasoning.key.as_str()))
}

fn mean(tally: &Tally<'_>, problems: &[usize]) -> Result<f64, String> {
    tally.complete().map_err(|reason| format!("{} has {reason}", tally.key))?;
    tally.mean(problems).ok_or_else(|| format!("a run of {} graded nothing of this level", tally.key))
}

fn table(evidence: &Evidence<'_>, board: &Board<'_>, twins: &[Twins<'_>]) -> Table {
    let levels = levels(evidence, board);
    let columns: Vec<_> = [("backbone", Kind::Text, "")]
        .into_iter()
        .chain(levels.iter().map(|(level, _)| (*level, Kind::Real, "points")))
        .collect();
    let title = "Accuracy gained from reasoning, by difficulty; largest gain first";
    let mut table = Table::new("reasoning_lift", title, &[ABOUT.id], &columns);
    let mut rows: Vec<(f64, Vec<Cell>)> = Vec::new();
    for pair in twins {
        let (Some(plain), Some(reasoning)) = pair_of(board, pair) else { continue };
        let lift = |problems: &[usize]| Ok(mean(reasoning, problems)? - mean(plain, problems)?);
        let cell = |value: Result<f64, String>| match value {
            Ok(value) => Cell::rounded(value, 1),
            Err(reason) => Cell::Undefined(reason.into()),
        };
        let mut row = vec![Cell::text(names::backbone(pair))];
        row.extend(levels.iter().map(|(_, problems)| cell(lift(problems))));
        rows.push((lift(&board.all()).unwrap_or(f64::NEG_INFINITY), row));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, row) in rows {
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    #[test]
    fn only_complete_pairs_have_a_lift() {
        let problems = vec![problem("p1", "x", "low", 1), problem("p2", "x", "high", 1)];
        let mut study = Fixture::new(&[("a", "A", false), ("a-r", "A", true), ("b", "B", false), ("b-r", "B", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PF")
            .run("core_code", "a-r", 1, "PP")
            .run("core_code", "b", 1, "PP");
        study.order("difficulty", &["low", "high"]);
        let output = study.compute(&ReasoningLift);
        assert_eq!(to_csv(&output.tables[0]), "backbone,low,high,overall\nModel a,0.0,100.0,50.0\nModel b,,,\n");
        let facts = Facts::new(output.facts);
        let keys = [("set", "core"), ("protocol", "code"), ("backbone", "Model b"), ("difficulty", "overall")];
        let lift = &facts.get("reasoning-lift", "lift", &keys).unwrap().estimate;
        assert_eq!(lift, &Estimate::undefined("b-r has 0 of 1 runs"));
    }
}
