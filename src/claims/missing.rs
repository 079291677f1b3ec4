//! Why a claim cannot be checked, and whether any archive could give its number.

use super::attempt;
use super::binding::Bound;
use super::compare;
use super::expression::Trouble;
use super::findings;
use super::judge::Bench;
use super::judgement::{Judgement, Verdict};
use super::ledger::{Claim, Compare, MissingReason, Shape};
use super::possible;
use super::sources::Sources;
use crate::claims::binding::{Bindings, Need};

/// The kind of reason behind a trouble.
pub(super) fn kind(trouble: &Trouble) -> MissingReason {
    match trouble {
        Trouble::Mistake(_) => MissingReason::BrokenEntry,
        Trouble::NoStatistic(..) | Trouble::NoFact(_) => MissingReason::NoStatistic,
        Trouble::NoTable(_) => MissingReason::FileAbsent,
        Trouble::Undefined(_) => MissingReason::Undefined,
    }
}

/// Fills in why nothing decided the claim.
pub(super) fn describe(
    bench: &Bench<'_>,
    judgement: &mut Judgement,
    claim: &Claim,
    bound: &Bound,
    trouble: Option<Trouble>,
) {
    let (reason, text) = reason(bench, claim, bound, trouble);
    judgement.verdict = Verdict::NotCheckable;
    judgement.missing = Some(reason);
    judgement.reason = Some(text);
    if let Some(n) = attempt::out_of(bench, claim, bound) {
        could_be(judgement, claim, n);
    }
    let shares = bench.ledger.percent_is_share();
    let impossible = |printed| possible::no_value_can(claim.compare, &claim.unit, printed, shares);
    if claim.printed.iter().any(impossible) {
        judgement.verdict = Verdict::Impossible;
        judgement.remark = Some(format!("no {} can be {}", claim.unit, judgement.printed));
    }
    if judgement.verdict.contradicts() {
        judgement.explanation = bound.told(&findings::recomputed(judgement));
    }
}

fn reason(bench: &Bench<'_>, claim: &Claim, bound: &Bound, trouble: Option<Trouble>) -> (MissingReason, String) {
    if let Some(Trouble::Mistake(message)) = trouble {
        return (MissingReason::BrokenEntry, message);
    }
    if let Some((reason, text)) = claim.undecidable.clone().or_else(|| bound.undecidable()) {
        let text = if text.is_empty() { reason.words().to_owned() } else { text };
        return (reason, text);
    }
    let absent = absent(bench.bindings, &claim.needs, bench.finder.sources);
    if !absent.is_empty() {
        return (MissingReason::FileAbsent, format!("absent: {}", absent.join(", ")));
    }
    match trouble {
        Some(Trouble::NoStatistic(id, near)) => {
            let rule = if claim.rule.is_empty() { String::new() } else { format!(" (rule {})", claim.rule) };
            (MissingReason::NoStatistic, format!("no statistic answers `{id}`{rule}{near}"))
        }
        Some(trouble) => (kind(&trouble), trouble.to_string()),
        None => (MissingReason::NoStatistic, format!("no statistic answers the rule `{}`", claim.rule)),
    }
}

/// Inputs of a catalogue claim that the archive lacks, with their places.
pub(super) fn absent(bindings: &Bindings, needs: &[String], sources: &Sources<'_>) -> Vec<String> {
    let lacks = |need: &Need| {
        need.never
            || need.experiments.iter().any(|experiment| !sources.experiments.contains(experiment))
            || need.sets.iter().any(|set| !sources.sets.contains(set))
    };
    let mut absent: Vec<String> = needs
        .iter()
        .filter_map(|name| bindings.needs.get(name).map(|need| (name, need)))
        .filter(|(_, need)| lacks(need))
        .map(|(name, need)| format!("{name} ({})", need.place))
        .collect();
    absent.sort();
    absent.dedup();
    absent
}

/// A percentage of `n` things is possible or not, whatever the archive holds.
fn could_be(judgement: &mut Judgement, claim: &Claim, n: u64) {
    if claim.unit != "percent" || claim.compare != Compare::Equal || claim.shape == Shape::Range {
        return;
    }
    let Some(printed) = claim.printed.first() else { return };
    match possible::count(printed, n) {
        Some((low, high)) if low == high => judgement.remark = Some(format!("possible: {low} of {n}")),
        Some((low, high)) => judgement.remark = Some(format!("possible: {low} to {high} of {n}")),
        None => {
            judgement.verdict = Verdict::Impossible;
            judgement.parts[0] = compare::open(claim, 0, printed);
            judgement.parts[0].verdict = Verdict::Impossible;
            judgement.remark = Some(format!("no count out of {n} prints as {}", printed.text));
        }
    }
}
