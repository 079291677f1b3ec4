//! How many configurations something holds for.

use super::line::{Piece, find, starts};
use super::select::{Selected, concepts, select};
use super::{Clause, Plain, compared};
use crate::documents::numbers::Unit;

/// How many.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    None,
    All(Option<f64>),
    AllBut(f64),
    Exactly(f64, Option<f64>),
    AtLeast(f64),
    AtMost(f64),
    FewerThanHalf,
    MoreThanHalf,
}

/// Words for a configuration.
const NOUNS: &[&str] = &["configuration", "model", "system"];

/// What a value is held against.
const BOUNDS: &[(&str, &str)] = &[
    ("more than", ">"),
    ("above", ">"),
    ("over", ">"),
    ("exceeds", ">"),
    ("exceed", ">"),
    ("higher than", ">"),
    ("greater than", ">"),
    ("at least", ">="),
    ("reaches", ">="),
    ("reach", ">="),
    ("less than", "<"),
    ("fewer than", "<"),
    ("below", "<"),
    ("under", "<"),
    ("lower than", "<"),
    ("at most", "<="),
    ("no more than", "<="),
];

/// Words by which a difference is called significant; what is tested is the P value adjusted over its family.
const SIGNIFICANT: &[(&str, ())] = &[("significant", ()), ("holm significant", ()), ("significantly", ())];

/// Words that say that P values are adjusted.
const ADJUSTED: &[(&str, ())] = &[
    ("after correction", ()),
    ("after holm correction", ()),
    ("holm", ()),
    ("corrected for", ()),
    ("after adjustment", ()),
    ("correction for", ()),
];

/// Level of significance where a document names none.
const LEVEL: &str = "0.05";

/// Reads a clause as a count of configurations.
pub(super) fn read(clause: &Clause<'_>) -> Option<Plain> {
    let at = (0..clause.row.len()).find(|&at| subject(clause, at).is_some())?;
    let (quantity, group, length) = subject(clause, at)?;
    if clause.row.iter().any(|piece| piece.model.is_some()) {
        return None;
    }
    let head = (at, at + length);
    if find(&clause.row, SIGNIFICANT).is_some() {
        return significance(clause, quantity, group, head);
    }
    threshold(clause, quantity, group, head).or_else(|| strata(clause, quantity, group, head))
}

/// A quantity with its noun, at a place: which configurations, and the pieces it takes.
fn subject(clause: &Clause<'_>, at: usize) -> Option<(Quantity, &'static str, usize)> {
    let row = &clause.row[at..];
    let number = |at: usize| row.get(at)?.number.filter(|(value, unit)| *unit == Unit::None && value.fract() == 0.0);
    let after = |length: usize| {
        let more = ["of the", "of"].iter().find_map(|phrase| starts(row.get(length..)?, phrase)).unwrap_or(0);
        length + more
    };
    let nouned = |quantity: Quantity, length: usize| {
        let (group, noun) = noun(row.get(length..)?)?;
        Some((quantity, group, length + noun))
    };
    if let Some(length) = starts(row, "nobody s").or_else(|| starts(row, "nobody")) {
        return Some((Quantity::None, "*", length));
    }
    for (phrase, quantity) in [
        ("none", Quantity::None),
        ("no", Quantity::None),
        ("every", Quantity::All(None)),
        ("each", Quantity::All(None)),
        ("fewer than half", Quantity::FewerThanHalf),
        ("less than half", Quantity::FewerThanHalf),
        ("more than half", Quantity::MoreThanHalf),
        ("most", Quantity::MoreThanHalf),
    ] {
        if let Some(found) = starts(row, phrase).and_then(|length| nouned(quantity, after(length))) {
            return Some(found);
        }
    }
    if let Some(length) = starts(row, "all but")
        && let Some((value, _)) = number(length)
    {
        let with = nouned(Quantity::AllBut(value), after(length + 1));
        return with.or(Some((Quantity::AllBut(value), "*", length + 1)));
    }
    if let Some(length) = starts(row, "all") {
        let count = number(length).map(|(value, _)| value);
        let behind = after(length + usize::from(count.is_some()));
        let listed = clause.chooser.study.listed().count() as f64;
        let whole = count == Some(listed);
        return nouned(Quantity::All(count), behind)
            .or_else(|| whole.then_some((Quantity::All(count), "*", length + 1)));
    }
    let (bound, from) = [("at least", 1), ("at most", 2), ("only", 0)]
        .iter()
        .find_map(|(phrase, kind)| Some((*kind, starts(row, phrase)?)))
        .unwrap_or((0, 0));
    let (value, _) = number(from)?;
    let quantity = |of: Option<f64>| match bound {
        1 => Quantity::AtLeast(value),
        2 => Quantity::AtMost(value),
        _ => Quantity::Exactly(value, of),
    };
    let of = after(from + 1);
    if of > from + 1
        && let Some((total, _)) = number(of)
    {
        return nouned(quantity(Some(total)), of + 1).or_else(|| {
            let listed = clause.chooser.study.listed().count() as f64;
            (total == listed).then_some((quantity(Some(total)), "*", of + 1))
        });
    }
    nouned(quantity(None), of)
}

/// `reasoning configurations`: the group, and the pieces it takes.
fn noun(row: &[Piece]) -> Option<(&'static str, usize)> {
    for (phrase, group) in [("non reasoning", "@plain"), ("reasoning", "@reasoning"), ("plain", "@plain")] {
        if let Some(length) = starts(row, phrase)
            && row.get(length).is_some_and(|piece| NOUNS.contains(&piece.word.as_str()))
        {
            return Some((group, length + 1));
        }
    }
    row.first().is_some_and(|piece| NOUNS.contains(&piece.word.as_str())).then_some(("*", 1))
}

fn threshold(clause: &Clause<'_>, quantity: Quantity, group: &str, head: (usize, usize)) -> Option<Plain> {
    // `reach at least 50 %`: the bound that stands right in front of a number.
    let bound = |at: usize| {
        let here = BOUNDS.iter().filter_map(|(phrase, operator)| {
            let end = at + starts(&clause.row[at..], phrase)?;
            clause.row.get(end)?.number.map(|_| (at, end, *operator))
        });
        here.max_by_key(|(_, end, _)| *end)
    };
    let (at, end, operator) = (head.1..clause.row.len()).find_map(bound)?;
    let (value, unit) = clause.row.get(end)?.number?;
    clause.is_understood(&[head, (at, end + 1)]).then_some(())?;
    let others =
        clause.row.iter().enumerate().filter(|(own, piece)| *own >= head.1 && *own != end && piece.number.is_some());
    if others.count() > 0 || unit != Unit::Percent {
        return None;
    }
    let wanted = concepts(clause, &[head, (at, end + 1)], Some(super::DEFAULT));
    let all = select(clause.chooser, &clause.scene, &wanted, &[("model", group)], &["model", "setting"]);
    let number = crate::number::repr(value);
    let number = number.trim_end_matches(".0").to_owned();
    let text = |own: &Selected| {
        said(quantity, &own.text(), &format!("{} {operator} {number}", own.text()), || {
            format!("{} {} {number}", own.text(), opposite(operator))
        })
    };
    Some(Plain::of("count", &all, text, clause.text(head.0, end)))
}

/// `do better on problems of low difficulty than on those of high difficulty`.
fn strata(clause: &Clause<'_>, quantity: Quantity, group: &str, head: (usize, usize)) -> Option<Plain> {
    let two = compared::sides(clause, head.1)?;
    clause.is_understood(&[head, two.comparative, two.than]).then_some(())?;
    let wanted = concepts(clause, &[head, two.comparative], Some(super::DEFAULT));
    let given = [("model", group), (two.key.as_str(), two.left.as_str())];
    let all = select(clause.chooser, &two.scene(clause), &wanted, &given, &["model", "setting", &two.key]);
    let text = |own: &Selected| {
        let other = own.with(&[(&two.key, &two.right)]);
        let (operator, against) = if two.larger { (">", "<=") } else { ("<", ">=") };
        said(quantity, &own.text(), &format!("{} {operator} {other}", own.text()), || {
            format!("{} {against} {other}", own.text())
        })
    };
    Some(Plain::of("count", &all, text, clause.text(head.0, head.1)))
}

fn significance(clause: &Clause<'_>, quantity: Quantity, group: &str, head: (usize, usize)) -> Option<Plain> {
    // Without a word about the correction either P could be meant, so nothing is said.
    if !clause.sentence_has(ADJUSTED) {
        return None;
    }
    let concept = clause.chooser.vocabulary.concepts.iter().position(|concept| concept.id == super::ADJUSTED_P)?;
    let wanted = [(concept, super::ADJUSTED_P.to_owned())];
    let all = clause.families(&wanted, group);
    let text = |own: &Selected| {
        let condition = format!("{} < {LEVEL}", own.text());
        said(quantity, &own.text(), &condition, || format!("{} >= {LEVEL}", own.text()))
    };
    Some(Plain::of("significance", &all, text, clause.text(head.0, head.1)))
}

/// The statement over a condition; `opposite` is the condition that holds where this one does not.
fn said(quantity: Quantity, series: &str, condition: &str, opposite: impl Fn() -> String) -> String {
    let number = |value: f64| crate::number::repr(value).trim_end_matches(".0").to_owned();
    let of = |total: Option<f64>| total.map_or_else(String::new, |n| format!(" and count({series}) = {}", number(n)));
    match quantity {
        Quantity::None => format!("count({condition}) = 0"),
        Quantity::All(total) => format!("all({condition}){}", of(total)),
        Quantity::AllBut(value) => format!("count({}) = {}", opposite(), number(value)),
        Quantity::Exactly(value, total) => format!("count({condition}) = {}{}", number(value), of(total)),
        Quantity::AtLeast(value) => format!("count({condition}) >= {}", number(value)),
        Quantity::AtMost(value) => format!("count({condition}) <= {}", number(value)),
        Quantity::FewerThanHalf => format!("share({condition}) < 50"),
        Quantity::MoreThanHalf => format!("share({condition}) > 50"),
    }
}

fn opposite(operator: &str) -> &'static str {
    match operator {
        ">" => "<=",
        ">=" => "<",
        "<" => ">=",
        _ => ">",
    }
}
