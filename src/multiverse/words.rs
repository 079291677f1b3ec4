//! Sentences about survival, written from counts.

use super::survival::{Conclusion, Counted, Made, Survival};
use crate::claims::{Basis, Kind};
use crate::number::grouped;

/// Settings that a sentence names; the page has all.
const NAMED: usize = 3;

/// How a conclusion fares, in one or two sentences.
pub(super) fn sentence(conclusion: &Conclusion, choices: &[Made]) -> String {
    let Conclusion { kind, counted, as_done, basis, range, .. } = conclusion;
    if counted.of <= 1 {
        return untouched(counted, *basis, choices);
    }
    let of = grouped(counted.of as u64);
    let scope = if counted.complete { "" } else { " of at most two choices" };
    let mut text = match (kind, as_done) {
        (Kind::Statement, _) if counted.holds == counted.of => format!("Holds in all {of} combinations{scope}"),
        (Kind::Statement, true) => format!("Holds in {} of {of} combinations{scope}", grouped(counted.holds as u64)),
        (Kind::Statement, false) if counted.holds == 0 => {
            format!(
                "Does not hold as the study did it, nor in any of the other {} combinations{scope}",
                grouped(counted.of as u64 - 1)
            )
        }
        (Kind::Statement, false) => format!(
            "Does not hold as the study did it; holds in {} of {of} combinations{scope}",
            grouped(counted.holds as u64)
        ),
        (Kind::Number, _) => number(counted, *range, &of, scope),
    };
    if counted.open > 0 {
        text.push_str(&format!("; cannot be computed in {}", grouped(counted.open as u64)));
    }
    if *kind == Kind::Statement {
        text.push_str(&breaking(counted, choices, if *as_done { "falls" } else { "holds" }));
    }
    text.push('.');
    if *basis == Some(Basis::Rebuilt) {
        text.push_str(" It rests on runs that were rebuilt from a published table.");
    }
    text
}

fn number(counted: &Counted, range: Option<(f64, f64)>, of: &str, scope: &str) -> String {
    let same = format!("prints the same in {} of {of} combinations{scope}", grouped(counted.holds as u64));
    match range {
        Some((low, high)) if low < high => {
            format!("Between {} and {} over {of} combinations{scope}; {same}", short(low), short(high))
        }
        _ => format!("{}{}", same[..1].to_uppercase(), &same[1..]),
    }
}

/// A number with four significant digits and a true minus.
pub(super) fn short(value: f64) -> String {
    crate::number::general(value, 4).replace('-', "\u{2212}")
}

/// Which choices turn it, one by one and two together.
fn breaking(counted: &Counted, choices: &[Made], verb: &str) -> String {
    let clause = |id: &String| Survival::clause(choices, id);
    if !counted.alone.is_empty() {
        let named: Vec<String> = counted.alone.iter().map(clause).collect();
        return format!("; {verb} when {}", either(&named));
    }
    if !counted.together.is_empty() {
        let named: Vec<String> =
            counted.together.iter().map(|[a, b]| format!("{} and {}", clause(a), clause(b))).collect();
        return format!("; no single choice turns it, but it {verb} when {}", either(&named));
    }
    if counted.fails > 0 && counted.holds > 0 {
        return "; only three or more choices together turn it".to_owned();
    }
    String::new()
}

fn either(named: &[String]) -> String {
    let shown = &named[..named.len().min(NAMED)];
    let more = named.len() - shown.len();
    let mut parts: Vec<String> = shown.to_vec();
    match more {
        0 => {}
        1 => parts.push("under one more choice".to_owned()),
        _ => parts.push(format!("under {more} more choices")),
    }
    match parts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}, or when {last}", first.join(", when ")).replace("or when under", "or under"),
    }
}

/// Why no choice reaches it.
fn untouched(counted: &Counted, basis: Option<Basis>, choices: &[Made]) -> String {
    if choices.is_empty() {
        return "No choice can be made otherwise with what is archived.".to_owned();
    }
    if !counted.cannot_be_asked.is_empty() {
        return "The only choices that reach it leave out what it is about.".to_owned();
    }
    let why = match basis {
        Some(Basis::Published) => ": it rests on a published table, and what that was computed from is not archived",
        Some(Basis::States) => ": it rests on a table of states archived with the study",
        Some(Basis::Counts) => ": it rests on counts printed in the ledger itself",
        _ => ": none moves a value it rests on",
    };
    format!("No choice reaches it{why}.")
}
