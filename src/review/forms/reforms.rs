//! REFORMS, the consensus-based checklist for science that is based on machine learning (Kapoor and others,
//! 2024), as far as an archive can answer it.

use super::{Answer, Form, Question, by_level, open, results};
use crate::number::grouped;
use crate::review::Subject;
use crate::verify::Level;

/// The form.
pub(super) const CHECKLIST: Form = Form {
    title: "REFORMS",
    source: "https://reforms.cs.princeton.edu",
    questions: &[
        Question {
            name: "Reproducibility: data",
            text: "Are the records from which results were computed available?",
            answer: records,
        },
        Question {
            name: "Reproducibility: code",
            text: "Are the programs available, and do they give what was recorded?",
            answer: |subject| by_level(subject, Level::L2),
        },
        Question {
            name: "Reproducibility: environment",
            text: "Is the environment of the recomputation stated?",
            answer: environment,
        },
        Question {
            name: "Reproducibility: script",
            text: "Is there one command that makes the results from the data?",
            answer: script,
        },
        Question {
            name: "Data quality: labels",
            text: "Do the accepted answers follow from the stored reference programs?",
            answer: |subject| by_level(subject, Level::L1),
        },
        Question { name: "Data leakage", text: "Could test problems have been seen in training?", answer: open },
        Question {
            name: "Metrics: correctness",
            text: "Do stored answers get their stored verdicts when they are graded again?",
            answer: |subject| by_level(subject, Level::L3),
        },
        Question {
            name: "Uncertainty",
            text: "Do the printed numbers, with their intervals and tests, follow from the data?",
            answer: results,
        },
        Question { name: "Generalizability", text: "Do the results hold for other data?", answer: open },
    ],
};

fn records(subject: &Subject<'_>) -> Answer {
    let (all, rebuilt) = (subject.archive.runs.len(), subject.archive.rebuilt().count());
    match (all, rebuilt) {
        (0, _) => Answer::No("no run is archived".to_owned()),
        (_, 0) => Answer::Yes(format!("{all} recorded runs are archived")),
        (all, rebuilt) if all == rebuilt => Answer::No(format!("all {all} runs were rebuilt from something else")),
        (all, rebuilt) => Answer::Partly(format!("{rebuilt} of {all} runs were rebuilt from something else")),
    }
}

/// What the one command made in this run; nothing is claimed where it made nothing.
fn script(subject: &Subject<'_>) -> Answer {
    match subject.computed {
        (0, _) => Answer::Open,
        (values, tables) => Answer::Yes(format!(
            "repro build made {} values and {} tables in this run",
            grouped(values as u64),
            grouped(tables as u64)
        )),
    }
}

fn environment(subject: &Subject<'_>) -> Answer {
    let engines: Vec<&str> = subject.ledger.engines.iter().map(|engine| engine.version.as_str()).collect();
    if engines.is_empty() { Answer::Open } else { Answer::Yes(engines.join(", ")) }
}
