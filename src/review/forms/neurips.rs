//! The paper checklist of NeurIPS, as far as an archive can answer it.

use super::{Answer, Form, Question, by_level, licence, open, results};
use crate::review::Subject;
use crate::verify::Level;

/// The form.
pub(super) const CHECKLIST: Form = Form {
    title: "NeurIPS paper checklist",
    source: "https://neurips.cc/public/guides/PaperChecklist",
    questions: &[
        Question { name: "1 Claims", text: "Do the results support what is claimed?", answer: results },
        Question { name: "2 Limitations", text: "Are limitations discussed?", answer: open },
        Question {
            name: "4 Experimental result reproducibility",
            text: "Is everything there that is needed to get the main results again?",
            answer: |subject| by_level(subject, Level::L0),
        },
        Question {
            name: "5 Open access to data and code",
            text: "Are data and programs open, with what is needed to run them?",
            answer: |subject| by_level(subject, Level::L2),
        },
        Question {
            name: "6 Experimental setting",
            text: "Are the configurations and the number of runs stated?",
            answer: setting,
        },
        Question {
            name: "7 Statistical significance",
            text: "Is there more than one run, so that spread can be computed?",
            answer: runs,
        },
        Question { name: "8 Compute resources", text: "Is it said what the experiments cost?", answer: tokens },
        Question { name: "12 Licences", text: "Is the licence of the archive stated?", answer: licence },
    ],
};

fn setting(subject: &Subject<'_>) -> Answer {
    let (configurations, experiments) = (subject.study.configurations.len(), subject.study.experiments.len());
    if configurations == 0 || experiments == 0 {
        return Answer::Open;
    }
    Answer::Yes(format!("{configurations} configurations and {experiments} experiments are declared, with their runs"))
}

fn runs(subject: &Subject<'_>) -> Answer {
    let most = subject.study.experiments.iter().map(|experiment| experiment.runs).max().unwrap_or(0);
    match most {
        0 => Answer::Open,
        1 => Answer::No("one run each; intervals come from problems alone".to_owned()),
        runs => Answer::Yes(format!("up to {runs} runs of each configuration are declared")),
    }
}

fn tokens(subject: &Subject<'_>) -> Answer {
    let records = || subject.archive.runs.iter().flat_map(|run| &run.records);
    let (all, counted) = (records().count(), records().filter(|record| record.usage.is_some()).count());
    match counted {
        0 => Answer::Open,
        counted if counted == all => Answer::Yes("every record states its tokens".to_owned()),
        counted => Answer::Partly(format!("{counted} of {all} records state their tokens")),
    }
}
