//! What is written around programs and numbers.

use super::items::{Quantity, subs};
use super::plays::{Play, Slot};
use super::program;

/// System text of every call.
pub(super) const SYSTEM: &str = "You answer questions of physics with care.";

const CODE_RULES: &str = "Write one Python function solve() that can be called without arguments and returns a dictionary: \
    one entry per quantity asked, each {\"value\": number, \"unit\": text}. Reply with the program.";

const DIRECT_RULES: &str = "Work this out yourself; nothing can be run here. Give each result as \\boxed{number unit}, in the \
    order in which it is asked.";

const OPENINGS: [&str; 4] = [
    "Here is the function.",
    "The function below does it.",
    "This needs one short function.",
    "I put the formula into a function.",
];

/// Prompt of a first attempt.
pub(super) fn prompt(slot: &Slot<'_>, direct: bool) -> String {
    let rules = if direct { DIRECT_RULES } else { CODE_RULES };
    format!("{rules}\n\nProblem: {}", slot.item.statement)
}

/// Prompt of a further attempt.
pub(super) fn repair_prompt(reason: &str) -> String {
    format!("The reply could not be graded ({reason}). Send the complete corrected solve().")
}

/// A reply that holds a program.
pub(super) fn code_reply(slot: &Slot<'_>, play: Play, source: &str) -> String {
    let opening = slot.pick(&OPENINGS, "opening");
    let block = format!("```python\n{source}\n```");
    match play {
        Play::Claim | Play::ClaimThenRight => {
            let value = slot.item.right.first().map_or(0.0, |(_, value, _)| value * 1.04);
            format!("{opening}\n\n{block}\n\nI ran the script to be sure: it printed {}.", significant(value))
        }
        Play::Remark => {
            let value = slot.item.right.first().map_or(0.0, |(_, value, _)| *value);
            format!("{opening}\n\n{block}\n\nMy code returns {} for the numbers given.", significant(value))
        }
        Play::Draft => {
            let right = &slot.item.programs.right;
            format!(
                "A first draft:\n\n```python\n{}\n```\n\nThat is not right yet. The final version:\n\n```python\n{right}\n```",
                program::mistake(slot)
            )
        }
        _ => format!("{opening}\n\n{block}"),
    }
}

/// A reply without a program.
pub(super) fn silent_reply(attempt: usize) -> &'static str {
    const REPLIES: [&str; 5] = [
        "This equation has no solution in closed form, so there is no program to write.",
        "",
        "As said, there is no closed form.",
        "",
        "I cannot give a program for it.",
    ];
    REPLIES[attempt.min(REPLIES.len() - 1)]
}

/// A reply in prose with boxes.
pub(super) fn direct_reply(slot: &Slot<'_>, play: Play) -> String {
    let item = slot.item;
    let right: Vec<Quantity> = in_order(slot);
    let quantities: Vec<Quantity> = match play {
        Play::Rescaled if !item.rescaled.is_empty() => item.rescaled.clone(),
        Play::Mistake => right.iter().map(|(s, v, u)| (s.clone(), v * slot.pick(&SLIPS, "slip"), u.clone())).collect(),
        Play::Near => right.iter().map(|(s, v, u)| (s.clone(), v * 1.09, u.clone())).collect(),
        Play::Swapped => right.into_iter().rev().collect(),
        _ => right,
    };
    let mut lines = vec![item.prose.clone()];
    match play {
        Play::Silent => {
            let values: Vec<String> =
                quantities.iter().map(|(_, value, unit)| format!("{} {unit}", significant(*value))).collect();
            lines.push(format!("The result is {}.", values.join(" and ")));
            return lines.join("\n\n");
        }
        Play::MoreBoxes => lines.push("An intermediate result is \\boxed{1}.".to_owned()),
        Play::Claim => {
            let first = &quantities[0];
            lines.push(format!("I executed the code in Python and it returned {} {}.", significant(first.1), first.2));
        }
        _ => {}
    }
    lines.extend(quantities.iter().map(|(_, value, unit)| {
        let unit = if unit.is_empty() { "dimensionless" } else { unit };
        format!("\\[ \\boxed{{{} {unit}}} \\]", significant(*value))
    }));
    lines.join("\n\n")
}

/// Factors of an arithmetic slip.
const SLIPS: [f64; 4] = [1.31, 0.74, 2.0, 0.1];

/// Right quantities in the order of the subs.
fn in_order(slot: &Slot<'_>) -> Vec<Quantity> {
    let item = slot.item;
    subs(item).iter().filter_map(|sub| item.right.iter().find(|(key, _, _)| **key == **sub)).cloned().collect()
}

/// A stored trace of thought.
pub(super) fn reasoning(slot: &Slot<'_>) -> String {
    let item = slot.item;
    let symbols: Vec<String> =
        item.right.iter().map(|(_, value, unit)| format!("{} {unit}", significant(*value))).collect();
    format!("The question is about {}. {} By hand I expect roughly {}.", item.topic, item.prose, symbols.join(" and "))
}

/// Four significant digits, without an exponent where that is readable.
pub(super) fn significant(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    let text = crate::number::repr(rounded);
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_kept() {
        for (value, text) in
            [(5394.112, "5394"), (0.502_079, "0.5021"), (1.149e-4, "0.0001149"), (0.0, "0"), (-1.900_155, "-1.9")]
        {
            assert_eq!(significant(value), text);
        }
    }
}
