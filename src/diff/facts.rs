//! Statistics and claims.

use std::collections::BTreeMap;

use super::row::{Members, Row, rows};
use crate::claims::Judgement;
use crate::number::repr;
use crate::statistics::{Estimate, Fact, Facts};

/// Statistics whose value, interval or reason is another one.
pub(super) fn statistics(a: &Facts, b: &Facts) -> Vec<Row> {
    let table = |facts: &Facts| -> BTreeMap<String, Members> {
        facts.iter().map(|fact| (name(fact), estimate(&fact.estimate))).collect()
    };
    rows(&table(a), &table(b), String::clone, "value")
}

/// `statistic.measure[key=value, ...] (basis)`: the basis is part of the name, because one measure may
/// rest on records and, beside that, on published counts.
fn name(fact: &Fact) -> String {
    let keys: Vec<String> = fact.keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let basis = serde_json::to_value(fact.basis).ok().and_then(|word| word.as_str().map(str::to_owned));
    format!("{}.{}[{}] ({})", fact.statistic, fact.measure, keys.join(", "), basis.unwrap_or_default())
}

fn estimate(estimate: &Estimate) -> Members {
    match estimate {
        Estimate::Undefined(reason) => Members::from([("value", format!("undefined: {reason}"))]),
        Estimate::Value { value, count, interval } => {
            let mut members = Members::from([("value", repr(*value))]);
            members.extend(count.map(|(part, whole)| ("count", format!("{part} of {whole}"))));
            members.extend(interval.as_ref().map(|i| ("interval", format!("{} to {}", repr(i.low), repr(i.high)))));
            members
        }
    }
}

/// Claims whose text, printed number, value or verdict is another one.
pub(super) fn claims(a: &[Judgement], b: &[Judgement]) -> Vec<Row> {
    let members = |claim: &Judgement| {
        let values = claim.parts.iter().filter_map(|part| part.value.map(repr).or_else(|| part.word.clone()));
        let mut members = Members::from([
            ("verdict", claim.verdict.as_str().to_owned()),
            ("printed", claim.printed.clone()),
            ("statement", claim.statement.clone()),
            ("value", values.collect::<Vec<_>>().join("; ")),
        ]);
        members.extend(claim.erratum.clone().map(|erratum| ("erratum", erratum)));
        members
    };
    let table = |claims: &[Judgement]| -> BTreeMap<(String, String), Members> {
        claims.iter().map(|claim| ((claim.ledger.clone(), claim.id.clone()), members(claim))).collect()
    };
    rows(&table(a), &table(b), |(ledger, id)| format!("{ledger}#{id}"), "verdict")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Basis;

    fn facts(value: f64) -> Facts {
        let fact = |measure, estimate| Fact {
            statistic: "accuracy",
            measure,
            keys: BTreeMap::from([("configuration".to_owned(), "alpha".to_owned())]),
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
        let found = statistics(&facts(0.1 + 0.2), &facts(0.3));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].subject, "accuracy.mean[configuration=alpha] (records)");
        assert_eq!(found[0].before.as_deref(), Some("0.30000000000000004"));
        assert_eq!(found[0].after.as_deref(), Some("0.3"));
        assert!(statistics(&facts(0.3), &facts(0.3)).is_empty());
    }
}
