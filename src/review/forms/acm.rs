//! The badges of the ACM for artifacts (policy version 1.1).

use super::{Answer, Form, Question, by_level, licence, open, results};
use crate::review::Subject;
use crate::verify::Level;

/// The form.
pub(super) const BADGES: Form = Form {
    title: "ACM artifact review and badging 1.1",
    source: "https://www.acm.org/publications/policies/artifact-review-and-badging-current",
    questions: &[
        Question {
            name: "Artifacts available",
            text: "Is the archive in a public place for good, under an identifier?",
            answer: available,
        },
        Question {
            name: "Functional: documented, complete",
            text: "Are all runs that the study declares in the archive?",
            answer: |subject| by_level(subject, Level::L0),
        },
        Question {
            name: "Functional: exercisable",
            text: "Do the stored reference programs run and give their answers?",
            answer: |subject| by_level(subject, Level::L1),
        },
        Question { name: "Reusable", text: "May others use it, and under which licence?", answer: licence },
        Question {
            name: "Results reproduced",
            text: "Do the printed results come out again from the authors' archive?",
            answer: results,
        },
        Question { name: "Results replicated", text: "Do they come out without the authors' archive?", answer: open },
    ],
};

fn available(subject: &Subject<'_>) -> Answer {
    match &subject.study.study.doi {
        Some(doi) => Answer::Yes(format!("DOI {doi}")),
        None => Answer::No("no DOI is declared".to_owned()),
    }
}
