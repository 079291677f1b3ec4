//! Accuracy of programs as this tool executed and graded them, where the archive says no verdict.

use std::collections::BTreeMap;

use super::tally::Board;
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::verify::{Cause, ReplayVerdict};

static ABOUT: About = About {
    id: "replay-accuracy",
    also: &[],
    title: "Accuracy by replay",
    unit: "percent",
    meaning: "How many of the archived programs pass when this tool executes and grades them. It is given only for \
              configurations whose records say neither passed nor failed, and it is this tool's verdict: the study \
              recorded none with which it could be compared.",
    formula: "percent = 100 × programs that pass / programs that could be executed and graded, over all runs of a \
              configuration. undecided: executions that decided nothing (a time limit, a module that is missing here, two \
              executions that differ).",
    source: "Execution and grading by this tool; interval after Wilson (1927).",
    edge_cases: "A configuration with any stored verdict has no such value. Nothing executed: undefined. It enters no rank \
                 and no other statistic.",
    example: "Four programs without verdicts, three pass, one is stopped by the clock: 100 percent of 3, one undecided.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
    ],
    measures: &[
        ("percent", "share of the executed programs that pass, with Wilson's interval"),
        ("undecided", "executions that decided nothing, out of all"),
    ],
};

/// Accuracy by replay.
pub(super) struct ReplayAccuracy;

impl Statistic for ReplayAccuracy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut replayed: BTreeMap<(&str, &str), Vec<&ReplayVerdict>> = BTreeMap::new();
        for replay in &evidence.ledger.replays {
            let key = (replay.run.experiment.as_str(), replay.run.configuration.as_str());
            replayed.entry(key).or_default().push(replay);
        }
        if replayed.is_empty() {
            return output;
        }
        for board in evidence.boards() {
            of_board(&mut output, &board, &replayed);
        }
        output
    }
}

fn of_board(output: &mut Output, board: &Board<'_>, replayed: &BTreeMap<(&str, &str), Vec<&ReplayVerdict>>) {
    for tally in &board.tallies {
        let Some(replays) = replayed.get(&(board.experiment.id.as_str(), tally.key)) else { continue };
        if replays.iter().any(|replay| replay.recorded.is_some()) {
            continue;
        }
        let outside = |replay: &&&ReplayVerdict| replay.cause.is_some_and(Cause::prevents_a_verdict);
        let undecided = replays.iter().filter(outside).count();
        let decided = replays.len() - undecided;
        let passed = replays.iter().filter(|replay| !outside(replay) && replay.found == Some(true)).count();
        let percent = if decided == 0 {
            Estimate::undefined("no program could be executed to a verdict")
        } else {
            Estimate::share(passed, decided)
        };
        output
            .on(ABOUT.id, Basis::Execution, &board.keys_of(tally))
            .put("percent", percent)
            .put("undecided", Estimate::out_of(undecided, replays.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::RunKey;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::verify::Difference;

    fn replay(
        model: &str,
        id: &str,
        recorded: Option<bool>,
        found: Option<bool>,
        cause: Option<Cause>,
    ) -> ReplayVerdict {
        ReplayVerdict {
            run: RunKey { experiment: "core_code".into(), configuration: model.into(), run: 1 },
            id: id.into(),
            file: "f".into(),
            record: 0,
            agrees: cause.is_none(),
            cause,
            recorded,
            found,
            difference: Difference::Nothing,
            remark: None,
        }
    }

    #[test]
    fn programs_without_stored_verdicts_have_the_accuracy_of_their_replay() {
        let problems = (0..4).map(|n| problem(&format!("p{n}"), "c", "low", 1)).collect();
        let mut study = Fixture::new(&[("a", "A", true), ("b", "B", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPP")
            .run("core_code", "b", 1, "PPPP");
        let told = Some(Cause::NotRecorded);
        study.ledger.replays = vec![
            replay("a", "p0", None, Some(true), told),
            replay("a", "p1", None, Some(true), told),
            replay("a", "p2", None, Some(false), told),
            replay("a", "p3", None, None, Some(Cause::Timeout)),
            // One stored verdict is enough: the study's own accuracy stands.
            replay("b", "p0", Some(true), Some(true), None),
            replay("b", "p1", None, Some(true), told),
        ];
        let output = ReplayAccuracy.compute(&study.evidence());
        let said: Vec<_> = output.facts.iter().map(|fact| (fact.measure, fact.keys["model"].as_str())).collect();
        assert_eq!(said, [("percent", "a"), ("undecided", "a")]);
        assert_eq!(output.facts[0].estimate, Estimate::share(2, 3));
        assert_eq!(output.facts[1].estimate, Estimate::out_of(1, 4));
        assert!(output.facts.iter().all(|fact| fact.basis == Basis::Execution));
    }
}
