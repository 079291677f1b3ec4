//! What the records of a run say of themselves: attempts beside their declared number, token sums.
//!
//! Like everything in L0 this looks at what is stored and executes nothing. One finding per kind and run
//! names the records concerned.

use crate::archive::{AttemptOutcome, Record, Run};
use crate::report::{Finding, Place};

/// How many records a message names before it counts.
const NAMED: usize = 20;

/// Contradictions inside the records of a run.
pub(super) fn told(run: &Run) -> Vec<Finding> {
    let kinds: [(&'static str, fn(&Record) -> Option<String>); 3] =
        [("attempts-differ", number_of_attempts), ("attempts-differ", graded_again), ("tokens-differ", token_sum)];
    let mut findings = Vec::new();
    for (code, look) in kinds {
        let told: Vec<(&Record, String)> =
            run.records.iter().filter_map(|record| Some((record, look(record)?))).collect();
        for (record, what) in told.iter().take(NAMED) {
            findings.push(Finding::new(code, Place::file(&run.path).with_subject(record.id.as_str()), what));
        }
        if told.len() > NAMED {
            let message = format!("{} more records of this kind in this file", told.len() - NAMED);
            findings.push(Finding::new(code, Place::file(&run.path), message));
        }
    }
    findings
}

/// Another number of attempts than the record declares. Where no attempt is stored, none is missed: many
/// archives hold none.
fn number_of_attempts(record: &Record) -> Option<String> {
    let stored = record.attempts.as_ref().map(Vec::len).filter(|stored| *stored > 0)?;
    let declared = record.num_attempts? as usize;
    let many = |count: usize| if count == 1 { "attempt" } else { "attempts" };
    (stored != declared).then(|| format!("{stored} {} stored, {declared} declared", many(stored)))
}

/// A wrong answer that could be graded is final; a further graded answer was not asked for.
fn graded_again(record: &Record) -> Option<String> {
    let attempts = record.attempts.as_deref()?;
    let first = attempts.iter().position(|attempt| attempt.outcome == AttemptOutcome::Graded)?;
    let again = attempts[first + 1..].iter().position(|attempt| attempt.outcome == AttemptOutcome::Graded)?;
    let again = first + 1 + again;
    Some(format!("graded again after a graded answer: attempt {} after attempt {}", again + 1, first + 1))
}

/// The stored sum of a recount is that of its parts. (What a provider reports with an attempt is its own
/// matter: some count reasoning inside the completion.)
fn token_sum(record: &Record) -> Option<String> {
    let usage = record.usage?;
    let parts = [usage.prompt, usage.completion, usage.reasoning];
    let sum = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(*part));
    let [prompt, completion, reasoning] = parts;
    (usage.total != sum)
        .then(|| format!("total {} tokens of {prompt} + {completion} + {reasoning} = {sum}", usage.total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Attempt, Hindrance, Usage};

    fn record(outcomes: &[AttemptOutcome], declared: u32) -> Record {
        let attempt = |outcome: &AttemptOutcome| Attempt {
            outcome: outcome.clone(),
            usage: None,
            response_bytes: 1,
            has_reasoning: false,
        };
        let attempts = Some(outcomes.iter().map(attempt).collect());
        Record { attempts, num_attempts: Some(declared), ..Record::blank("p".into()) }
    }

    #[test]
    fn a_second_graded_attempt_and_another_number_are_told() {
        let (graded, not) = (AttemptOutcome::Graded, AttemptOutcome::Ungradable("x".into(), Hindrance::Answer));
        let both = record(&[graded.clone(), graded.clone()], 1);
        assert_eq!(number_of_attempts(&both).unwrap(), "2 attempts stored, 1 declared");
        assert_eq!(graded_again(&both).unwrap(), "graded again after a graded answer: attempt 2 after attempt 1");
        let repaired = record(&[not.clone(), graded.clone()], 2);
        assert_eq!((number_of_attempts(&repaired), graded_again(&repaired)), (None, None));
        let later = record(&[graded.clone(), not, graded], 3);
        assert!(graded_again(&later).unwrap().contains("attempt 3 after attempt 1"));
        assert_eq!(number_of_attempts(&record(&[], 2)), None);
    }

    #[test]
    fn a_token_sum_is_that_of_its_parts() {
        let with = |total| Record {
            usage: Some(Usage { prompt: 100, completion: 50, reasoning: 0, total }),
            ..Record::blank("p".into())
        };
        assert_eq!(token_sum(&with(150)), None);
        assert_eq!(token_sum(&with(999_999)).unwrap(), "total 999999 tokens of 100 + 50 + 0 = 150");
    }
}
