//! What a wrong number may have been: hints beside a disagreement, never a binding.

use crate::claims::judgement::{Judgement, Judgements, Verdict};
use crate::claims::printed::Printed;
use crate::statistics::{Estimate, Facts, Keys};

/// Adds hints to the claims that were found by their words and do not follow.
pub fn add(judgements: &mut Judgements, facts: &Facts) {
    for claim in &mut judgements.claims {
        let contradicts = matches!(claim.verdict, Verdict::Differs | Verdict::Impossible | Verdict::RoundsTheOtherWay);
        if claim.found.is_some() && contradicts && claim.remark.is_none() {
            claim.remark = hint(claim, facts);
        }
    }
}

fn hint(claim: &Judgement, facts: &Facts) -> Option<String> {
    let part = claim.parts.first()?;
    let printed = Printed::read(&part.printed)?;
    let value = part.value?;
    let fits = |value: f64| {
        let (low, high) = printed.interval();
        value >= low - 1e-9 && value <= high + 1e-9
    };
    if fits(value / 100.0) {
        return Some("it is the value as a fraction".to_owned());
    }
    if fits(-value) {
        return Some("it is the value with the other sign".to_owned());
    }
    if swapped(&part.printed, value, printed.decimals) {
        return Some("two digits are swapped".to_owned());
    }
    let Some(link) = claim.links.first() else { return one_digit(&part.printed, value, printed.decimals) };
    let same = facts.iter().filter(|fact| fact.statistic == link.source && fact.measure == link.measure);
    for fact in same.filter(|fact| fact.keys != link.keys) {
        let Estimate::Value { value, .. } = fact.estimate else { continue };
        if let (true, Some(other)) = (fits(value), difference(&link.keys, &fact.keys)) {
            return Some(format!("it is the value of {other}"));
        }
    }
    let others = facts.iter().filter(|fact| fact.statistic == link.source && fact.keys == link.keys);
    for fact in others.filter(|fact| fact.measure != link.measure) {
        if fact.estimate.point().is_some_and(fits) {
            return Some(format!("it is `{}` of the same statistic", fact.measure));
        }
    }
    one_digit(&part.printed, value, printed.decimals)
}

/// What the value prints like, where one digit of the print is another one: an older state, or a slip.
fn one_digit(printed: &str, value: f64, decimals: i32) -> Option<String> {
    let wanted = crate::number::fixed(value.abs(), usize::try_from(decimals).unwrap_or(0));
    let digits: String = printed.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let others = digits.chars().zip(wanted.chars()).filter(|(own, other)| own != other).count();
    let alike = digits.len() == wanted.len() && digits.len() > 2;
    (alike && others == 1).then(|| format!("one digit is another one than in {wanted}"))
}

/// The one key in which two facts differ, by its value in the other.
fn difference(own: &Keys, other: &Keys) -> Option<String> {
    if own.len() != other.len() {
        return None;
    }
    let mut found = None;
    for (key, value) in other {
        match own.get(key) {
            Some(known) if known == value => {}
            Some(_) if found.is_none() => found = Some(format!("{key} {value}")),
            _ => return None,
        }
    }
    found
}

/// True when exchanging two neighbouring digits of the print gives the value.
fn swapped(printed: &str, value: f64, decimals: i32) -> bool {
    let places = usize::try_from(decimals).unwrap_or(0);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<Vec<char>>();
    let (own, wanted) = (digits(printed), digits(&crate::number::fixed(value.abs(), places)));
    (1..own.len()).any(|at| {
        let mut other = own.clone();
        other.swap(at - 1, at);
        other != own && other == wanted
    })
}
