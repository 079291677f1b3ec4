//! Texts that must be the same.

use std::sync::Arc;

use super::{Checks, Given, Grader, Judged, Lenses, Rule};
use crate::archive::Actual;
use crate::grade::lookup::{self, Returned};
use crate::grade::outcome::{Accepted, Grade, Lookup, SubGrade};
use crate::grade::reasons::Reason;
use crate::grade::regrade::{accepted, effective};
use crate::grade::strict::{Judgement, StrictGrade, StrictSub};
use crate::grade::{python, work};

/// Compares texts character by character, white space around them aside. Only a declaration chooses it: an accepted `4`
/// may as well be a number.
pub(super) struct Exact;

impl Grader for Exact {
    fn id(&self) -> &'static str {
        "exact"
    }

    fn lenses(&self) -> Lenses {
        let same = "The answer and an accepted text are the same, apart from white space around them; a number is the same as its digits.";
        Lenses { reference: same, strict: same }
    }

    fn suits(&self, _: &Checks<'_>) -> bool {
        false
    }

    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, _: Rule) -> Option<Judged> {
        let subs = match given {
            Given::Returned(returned) | Given::Prose { returned, .. } => {
                let found = Returned::new(returned);
                let groups = lookup::groups(checks.answers);
                let one = |(position, group): (usize, &lookup::Group<'_>)| {
                    let (lookup, entry) = found.entry(group.sub, position);
                    let (actual, unit) = entry.map_or((Actual::Missing, None), |entry| {
                        let (value, unit) = lookup::value_and_unit(entry);
                        (said(value), unit)
                    });
                    let alternatives = group.answers.iter().map(|a| Accepted { value: &a.value, unit: &a.unit });
                    mark(group.sub, lookup, alternatives, actual, unit)
                };
                groups.iter().enumerate().map(one).collect()
            }
            Given::Recorded { details, assigned } => {
                let one = |detail| {
                    let (actual, unit) = effective(detail, assigned);
                    mark(&detail.sub, Lookup::Stored, accepted(detail), actual, Some(unit))
                };
                details.iter().map(one).collect()
            }
            _ => return None,
        };
        let reference = Grade::of(subs);
        let judgement = |sub: &SubGrade| sub.reason.map_or(Judgement::Pass, Judgement::Fail);
        let strict = reference.subs.iter().map(|sub| StrictSub {
            sub: sub.sub.clone(),
            lookup: sub.lookup,
            judgement: judgement(sub),
        });
        let strict = StrictGrade::of(strict.collect());
        Some(Judged::of_parts(reference, strict))
    }
}

/// A returned value as grading sees it.
fn said(value: &crate::json::Value) -> Actual {
    match value {
        crate::json::Value::Null => Actual::Missing,
        crate::json::Value::Number(number) => Actual::Number(number.as_f64()),
        other => Actual::Text(python::text(other).into()),
    }
}

fn mark<'a>(
    sub: &Arc<str>,
    lookup: Lookup,
    accepted: impl Iterator<Item = Accepted<'a>>,
    actual: Actual,
    unit: Option<Arc<str>>,
) -> SubGrade {
    let mut none = true;
    let met = accepted.enumerate().find(|(_, accepted)| {
        none = false;
        work::spent(1);
        let wanted = accepted.value.trim();
        match &actual {
            Actual::Missing => false,
            Actual::Text(text) => text.trim() == wanted,
            Actual::Number(value) => python::float(wanted) == Some(*value),
        }
    });
    let alternative = met.map(|(position, _)| position);
    let reason = match (alternative, &actual) {
        (Some(_), _) => None,
        (None, Actual::Missing) => Some(Reason::NotReturned),
        (None, _) if none => Some(Reason::NoReference),
        (None, _) => Some(Reason::OtherText),
    };
    SubGrade {
        sub: sub.clone(),
        passed: alternative.is_some(),
        route: None,
        alternative,
        lookup,
        actual,
        actual_unit: unit,
        reason,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::archive::SubAnswer;
    use crate::corpus::{Answer, Problem};
    use crate::grade::graders::Graders;
    use crate::json::Reader;

    fn recorded(expected: &str, actual: Actual) -> Option<bool> {
        let detail = SubAnswer {
            sub: "1".into(),
            expected: [expected.into()].into(),
            expected_units: None,
            actual,
            actual_unit: None,
            passed: true,
        };
        let problem = Problem::blank("p".into());
        let checks = Checks::of(&problem);
        let given = Given::Recorded { details: &[detail], assigned: &BTreeMap::new() };
        Graders::CORE.of(Some("exact"), &checks).judge(&checks, &given, Rule { tolerance: 0.05 }).unwrap().reference
    }

    #[test]
    fn texts_are_the_same_or_not() {
        assert_eq!(recorded("IV", Actual::Text(" IV ".into())), Some(true));
        assert_eq!(recorded("IV", Actual::Text("iv".into())), Some(false));
        assert_eq!(recorded("IV", Actual::Missing), Some(false));
        // A table may have turned digits into a number on the way; five percent beside it is another answer.
        assert_eq!([recorded("4", Actual::Number(4.0)), recorded("4", Actual::Number(4.1))], [Some(true), Some(false)]);
    }

    #[test]
    fn returned_texts_are_found_like_numbers() {
        let answer = Answer { sub: "class".into(), value: "IV".into(), unit: "".into() };
        let problem = Problem { answers: vec![answer], ..Problem::blank("p".into()) };
        let checks = Checks::of(&problem);
        let judge = |text: &str| {
            let value = Reader::new(text.as_bytes()).value().unwrap();
            let returned = [("class".to_owned(), value)];
            Graders::CORE
                .of(Some("exact"), &checks)
                .judge(&checks, &Given::Returned(&returned), Rule { tolerance: 0.0 })
                .unwrap()
        };
        let right = judge("{\"value\": \"IV\"}");
        assert_eq!((right.reference, right.strict), (Some(true), Judgement::Pass));
        let wrong = judge("\"V\"");
        assert_eq!((wrong.reference, wrong.strict), (Some(false), Judgement::Fail(Reason::OtherText)));
    }
}
