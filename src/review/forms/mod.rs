//! The evidence in the order of the forms that reviewers fill in. A form is a list of questions, each with
//! what the archive answers; adding one is a file and a line in [`ALL`].
//!
//! Questions are put in our own words under the names that the forms give them.

mod acm;
mod neurips;
mod reforms;

use super::{Answer, Block, Section, Subject};
use crate::verify::{Level, LevelSummary};

/// A form.
pub(super) struct Form {
    /// Name, with its version or year.
    pub(super) title: &'static str,
    /// Where it is published.
    pub(super) source: &'static str,
    /// Its questions that concern evidence, in its order.
    pub(super) questions: &'static [Question],
}

/// A question of a form.
pub(super) struct Question {
    /// What the form calls it.
    pub(super) name: &'static str,
    /// The question, in our words.
    pub(super) text: &'static str,
    /// What the archive answers.
    pub(super) answer: fn(&Subject<'_>) -> Answer,
}

/// Every form, in the order of the report.
pub(super) const ALL: &[&Form] = &[&acm::BADGES, &neurips::CHECKLIST, &reforms::CHECKLIST];

impl Form {
    /// The form, answered.
    pub(super) fn section(&self, subject: &Subject<'_>) -> Section {
        let row = |question: &Question| {
            let answer = (question.answer)(subject);
            let (word, why) = answer.words();
            vec![question.name.to_owned(), question.text.to_owned(), word.to_owned(), why.to_owned()]
        };
        let rows = self.questions.iter().map(row).collect();
        let source = format!("Answered from the archive alone; the form itself: {}.", self.source);
        let heads = vec!["Question", "In words", "Answer", "Because"];
        Section { heading: self.title.to_owned(), blocks: vec![Block::Text(source), Block::Table(heads, rows)] }
    }
}

/// Nothing is known: the archive does not speak of it.
fn open(_: &Subject<'_>) -> Answer {
    Answer::Open
}

fn level<'s>(subject: &'s Subject<'_>, level: Level) -> Option<&'s LevelSummary> {
    subject.ledger.level(level)
}

/// What a level says, as an answer: yes when everything was checked and agrees.
fn by_level(subject: &Subject<'_>, wanted: Level) -> Answer {
    let Some(summary) = level(subject, wanted).filter(|summary| summary.total > 0) else { return Answer::Open };
    let (code, ..) = wanted.words();
    let n = |count: usize| crate::number::grouped(count as u64);
    let said = format!("{code}: {} of {} checked, {} agree", n(summary.checked), n(summary.total), n(summary.agreed));
    match (summary.checked, summary.disagreed) {
        (0, _) => Answer::Open,
        (_, 0) if summary.checked == summary.total => Answer::Yes(said),
        (_, 0) => Answer::Partly(said),
        _ => Answer::No(said),
    }
}

/// Whether the archive states under which licence it may be used.
fn licence(subject: &Subject<'_>) -> Answer {
    let licence = subject.study.study.licence.trim();
    if licence.is_empty() { Answer::Open } else { Answer::Yes(format!("licence {licence}")) }
}

/// Whether printed numbers were recomputed from records or executions.
fn results(subject: &Subject<'_>) -> Answer {
    let claims = &subject.judgements.claims;
    if claims.is_empty() {
        return Answer::Open;
    }
    let own = claims.iter().filter(|claim| claim.verdict == crate::claims::Verdict::Reproduced).count();
    let wrong = claims.iter().filter(|claim| claim.verdict.contradicts()).count();
    let n = |count: usize| crate::number::grouped(count as u64);
    let said =
        format!("{} of {} printed numbers follow from the archive, {} do not", n(own), n(claims.len()), n(wrong));
    match (own, wrong) {
        (0, 0) => Answer::Open,
        (own, 0) if own == claims.len() => Answer::Yes(said),
        (_, 0) => Answer::Partly(said),
        _ => Answer::No(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_names_of_their_own_and_words() {
        for form in ALL {
            assert!(form.source.starts_with("https://") && !form.questions.is_empty());
            let mut names: Vec<&str> = form.questions.iter().map(|question| question.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), form.questions.len(), "{}", form.title);
            assert!(form.questions.iter().all(|question| question.text.ends_with('?')), "{}", form.title);
        }
    }
}
