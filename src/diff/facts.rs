//! Statistics and claims.

use super::level::{DiffRow, Level, Members, members, rows, short};
use crate::claims::Judgement;
use crate::number::repr;
use crate::statistics::{Estimate, Fact, Facts};

/// Longest text of a claim that is shown as it is.
const LONGEST: usize = 400;

/// Statistics whose value, interval or reason is another one.
pub(super) fn compare_statistics(a: &Level, b: &Level) -> Vec<DiffRow> {
    rows(a, b, name, "value")
}

/// Claims whose text, printed number, value or verdict is another one.
pub(super) fn compare_claims(a: &Level, b: &Level) -> Vec<DiffRow> {
    rows(a, b, |key| key.join("#"), "verdict")
}

/// Statistics by id, measure, basis, then keys and values in turn. The basis is part of the name,
/// because one measure may rest on records and, beside that, on published counts.
pub(super) fn statistics(facts: &Facts) -> Level {
    facts.iter().map(|fact| (key(fact), estimate(&fact.estimate))).collect()
}

fn key(fact: &Fact) -> Vec<String> {
    let basis = serde_json::to_value(fact.basis).ok().and_then(|word| word.as_str().map(str::to_owned));
    let mut key = vec![fact.statistic.to_owned(), fact.measure.to_owned(), basis.unwrap_or_default()];
    key.extend(fact.keys.iter().flat_map(|(key, value)| [key.clone(), value.clone()]));
    key
}

/// `statistic.measure[key=value, ...] (basis)`.
fn name(key: &[String]) -> String {
    let [statistic, measure, basis, keys @ ..] = key else { return key.join(".") };
    let keys: Vec<String> = keys.chunks(2).map(|pair| pair.join("=")).collect();
    format!("{statistic}.{measure}[{}] ({basis})", keys.join(", "))
}

fn estimate(estimate: &Estimate) -> Members {
    match estimate {
        Estimate::Undefined(reason) => members([("value", Some(format!("undefined: {reason}")))]),
        Estimate::Value { value, count, interval } => members([
            ("value", Some(repr(*value))),
            ("count", count.map(|(part, whole)| format!("{part} of {whole}"))),
            ("interval", interval.as_ref().map(|i| format!("{} to {}", repr(i.low), repr(i.high)))),
        ]),
    }
}

/// Claims by ledger and id.
pub(super) fn claims(claims: &[Judgement]) -> Level {
    let of = |claim: &Judgement| {
        let values = claim.parts.iter().filter_map(|part| part.value.map(repr).or_else(|| part.word.clone()));
        members([
            ("verdict", Some(claim.verdict.as_str().to_owned())),
            ("printed", Some(short(&claim.printed, LONGEST))),
            ("statement", Some(short(&claim.statement, LONGEST))),
            ("value", Some(values.collect::<Vec<_>>().join("; "))),
            ("erratum", claim.erratum.as_deref().map(|text| short(text, LONGEST))),
        ])
    };
    claims.iter().map(|claim| (vec![claim.ledger.clone(), claim.id.clone()], of(claim))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Basis;

    fn facts(value: f64) -> Facts {
        let fact = |measure, estimate| Fact {
            statistic: "accuracy",
            measure,
            keys: std::collections::BTreeMap::from([("configuration".to_owned(), "alpha".to_owned())]),
            estimate,
            basis: Basis::Records,
        };
        Facts::new(vec![
            fact("mean", Estimate::Value { value, count: Some((3, 4)), interval: None }),
            fact("sd", Estimate::Undefined("one run".into())),
        ])
    }

    #[test]
    fn a_moved_statistic_shows_both_values_to_the_last_digit() {
        let compare = |a: f64, b: f64| compare_statistics(&statistics(&facts(a)), &statistics(&facts(b)));
        let found = compare(0.1 + 0.2, 0.3);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].subject, "accuracy.mean[configuration=alpha] (records)");
        assert_eq!(found[0].before.as_deref(), Some("0.30000000000000004"));
        assert_eq!(found[0].after.as_deref(), Some("0.3"));
        assert!(compare(0.3, 0.3).is_empty());
    }
}
