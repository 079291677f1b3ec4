//! The program a code answer holds.

use super::items::Item;
use super::plays::{Play, Slot};
use super::prose::significant;

/// Source of the program of a play.
pub(super) fn source(slot: &Slot<'_>, play: Play) -> String {
    let item = slot.item;
    let programs = &item.programs;
    let or_mistake = |program: &Option<String>| program.clone().unwrap_or_else(|| mistake(slot));
    match play {
        Play::Rescaled => programs.rescaled.clone().unwrap_or_else(|| styled(slot)),
        Play::Renamed => renamed(item, &programs.right),
        Play::Bare => bare(&programs.right),
        Play::Literal => {
            literal(item, |value, unit| format!("{{\"value\": {}, \"unit\": \"{unit}\"}}", significant(value)))
        }
        Play::Words => literal(item, |value, unit| {
            format!("{{\"value\": \"about {}\", \"unit\": \"{unit}\"}}", significant(value))
        }),
        Play::NotANumber => not_a_number(&programs.right),
        Play::Empty => "def solve():\n    results = {}\n    return results".to_owned(),
        Play::Swapped => styled(slot),
        Play::Mistake => mistake(slot),
        Play::Near => or_mistake(&programs.near),
        Play::Kelvin => or_mistake(&programs.kelvin),
        Play::Residue => programs.residue.clone().unwrap_or_else(|| styled(slot)),
        Play::Echo => or_mistake(&programs.echo),
        Play::Shortcut => or_mistake(&programs.shortcut),
        _ => styled(slot),
    }
}

/// A program with a mistake, one of those written for the problem.
pub(super) fn mistake(slot: &Slot<'_>) -> String {
    slot.pick(&slot.item.programs.mistakes, "mistake").clone()
}

/// The right program, as it stands or with its parameters written into the body.
fn styled(slot: &Slot<'_>) -> String {
    let right = &slot.item.programs.right;
    if *slot.pick(&[true, false], "style") { inlined(right).unwrap_or_else(|| right.clone()) } else { right.clone() }
}

/// `def solve(a=1, b=2):` becomes `def solve():` with two assignments.
fn inlined(source: &str) -> Option<String> {
    let start = source.find("def solve(")? + "def solve(".len();
    let end = start + source[start..].find("):")?;
    let assignments: Option<Vec<String>> = source[start..end]
        .split(", ")
        .map(|part| part.split_once('=').map(|(name, value)| format!("\n    {name} = {value}")))
        .collect();
    Some(format!("{}):{}{}", &source[..start], assignments?.concat(), &source[end + 2..]))
}

/// The same program without what it imports, or with a misspelt function: it does not run.
pub(super) fn broken(slot: &Slot<'_>) -> String {
    let right = &slot.item.programs.right;
    if right.starts_with("import math") {
        return right.trim_start_matches("import math").trim_start().to_owned();
    }
    right.replace("round(", "rounded(")
}

fn renamed(item: &Item, source: &str) -> String {
    item.renamed.iter().fold(source.to_owned(), |source, (from, to)| {
        source.replace(&format!("\"{from}\": {{"), &format!("\"{to}\": {{"))
    })
}

/// Entries `{"value": x, "unit": "u"}` become `x`.
fn bare(source: &str) -> String {
    const OPEN: &str = "{\"value\": ";
    const MIDDLE: &str = ", \"unit\": \"";
    let mut out = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let Some((value, after)) = after.split_once(MIDDLE) else { break };
        let Some((_, after)) = after.split_once("\"}") else { break };
        out.push_str(before);
        out.push_str(value);
        rest = after;
    }
    out + rest
}

/// The first value becomes NaN.
fn not_a_number(source: &str) -> String {
    let Some((before, after)) = source.split_once("{\"value\": ") else { return source.to_owned() };
    let Some((_, after)) = after.split_once(", \"unit\"") else { return source.to_owned() };
    format!("{before}{{\"value\": float(\"nan\"), \"unit\"{after}")
}

fn literal(item: &Item, entry: impl Fn(f64, &str) -> String) -> String {
    let entries: Vec<String> =
        item.right.iter().map(|(sub, value, unit)| format!("\"{sub}\": {}", entry(*value, unit))).collect();
    format!("def solve():\n    return {{{}}}", entries.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "import math\n\n\ndef solve(T=9, h=2.5):\n    c = T\n    return {\"1\": {\"value\": round(c, 2), \"unit\": \"m\"}, \"2\": {\"value\": h, \"unit\": \"\"}}";

    #[test]
    fn programs_are_rewritten_as_text() {
        let inlined = inlined(SOURCE).unwrap();
        assert!(inlined.contains("def solve():\n    T = 9\n    h = 2.5\n    c = T"), "{inlined}");
        assert!(bare(SOURCE).ends_with("return {\"1\": round(c, 2), \"2\": h}"));
        assert!(not_a_number(SOURCE).contains("{\"value\": float(\"nan\"), \"unit\": \"m\"}"));
    }
}
