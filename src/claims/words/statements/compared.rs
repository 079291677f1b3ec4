//! A value under one condition against the same under another.

use std::collections::BTreeSet;

use super::super::scene::{Level, Near, Scene};
use super::line::{find, starts};
use super::select::{Selected, concepts, select};
use super::{Clause, Plain};

/// Comparatives: `true` for larger.
const COMPARATIVES: &[(&str, bool)] = &[
    ("larger", true),
    ("higher", true),
    ("greater", true),
    ("better", true),
    ("more accurate", true),
    ("stronger", true),
    ("smaller", false),
    ("lower", false),
    ("worse", false),
    ("less accurate", false),
    ("weaker", false),
];

/// Two values of one key with a comparative in front.
pub(super) struct Sides {
    /// Key.
    pub(super) key: String,
    /// Its value in front of `than`.
    pub(super) left: String,
    /// Its value behind.
    pub(super) right: String,
    /// Whether the left one is said to be larger.
    pub(super) larger: bool,
    /// Pieces of the comparative.
    pub(super) comparative: (usize, usize),
    /// Pieces of `than`.
    pub(super) than: (usize, usize),
    /// The part of the clause up to `than`.
    before: String,
}

impl Sides {
    /// The scene of the clause with the left side alone, so that the two values do not leave their key open.
    pub(super) fn scene(&self, clause: &Clause<'_>) -> Scene {
        let mut scene = clause.scene.clone();
        if let Some(head) = scene.levels.iter_mut().find(|level| level.near == Near::Head) {
            *head = Level::new(clause.chooser.lexicon, Near::Head, &self.before);
        }
        scene
    }
}

/// The two sides of a comparison behind a place.
pub(super) fn sides(clause: &Clause<'_>, from: usize) -> Option<Sides> {
    let (at, length, larger) = find(&clause.row[from..], COMPARATIVES)?;
    let comparative = (from + at, from + at + length);
    let than = (comparative.1..clause.row.len()).find(|&at| starts(&clause.row[at..], "than").is_some())?;
    let text = |from: usize, to: usize| clause.text(from, to);
    let (left, right) = (text(comparative.1, than), text(than + 1, clause.row.len()));
    let levels = [&left, &right].map(|text| Level::new(clause.chooser.lexicon, Near::Head, text));
    let mut keys: BTreeSet<&str> = clause.chooser.index.values.keys().copied().collect();
    keys.remove("model");
    let mut found = Vec::new();
    for key in keys {
        // A common word is a value only beside the name of its key (`high difficulty`), on one of the sides.
        let named = clause.chooser.vocabulary.dimensions.get(key).into_iter().flatten();
        let beside = named.into_iter().any(|word| levels.iter().any(|level| level.holds(word)));
        let [a, b] = [0, 1].map(|side| levels[side].values(key, beside).into_iter().collect::<Vec<_>>());
        if let ([a], [b]) = (a.as_slice(), b.as_slice())
            && a != b
        {
            found.push((key.to_owned(), (*a).to_owned(), (*b).to_owned()));
        }
    }
    let [(key, left, right)] = found.as_slice() else { return None };
    Some(Sides {
        key: key.clone(),
        left: left.clone(),
        right: right.clone(),
        larger,
        comparative,
        than: (than, than + 1),
        before: text(0, than),
    })
}

/// Reads a clause as a comparison of a named measure under two conditions.
pub(super) fn read(clause: &Clause<'_>) -> Option<Plain> {
    let two = sides(clause, 0)?;
    clause.is_understood(&[two.comparative, two.than]).then_some(())?;
    if clause.row.iter().any(|piece| piece.number.is_some()) {
        return None;
    }
    let wanted = concepts(clause, &[two.comparative], None);
    let models: BTreeSet<&str> = clause.row.iter().filter_map(|piece| piece.model.as_deref()).collect();
    let scene = two.scene(clause);
    let operator = if two.larger { ">" } else { "<" };
    let value = (two.key.as_str(), two.left.as_str());
    let told = clause.text(two.comparative.0, two.comparative.1);
    let pair = |own: &Selected| format!("{} {operator} {}", own.text(), own.with(&[(&two.key, &two.right)]));
    if let [model] = models.iter().copied().collect::<Vec<_>>().as_slice() {
        let all = select(clause.chooser, &scene, &wanted, &[("model", model), value], &["model", &two.key]);
        return Some(Plain::of("comparison", &all, pair, told));
    }
    if !models.is_empty() {
        return None;
    }
    let whole = select(clause.chooser, &scene, &wanted, &[value], &[&two.key]);
    let whole: Vec<Selected> = whole.into_iter().filter(|own| own.keys.iter().all(|(key, _)| key != "model")).collect();
    if !whole.is_empty() {
        return Some(Plain::of("comparison", &whole, pair, told));
    }
    // Of all configurations, or on average: the words do not say.
    let all = select(clause.chooser, &scene, &wanted, &[("model", "*"), value], &["model", &two.key]);
    let mut plain = Plain::of("comparison", &all, |own| format!("all({})", pair(own)), told.clone());
    let means =
        |own: &Selected| format!("mean({}) {operator} mean({})", own.text(), own.with(&[(&two.key, &two.right)]));
    plain.readings.extend(Plain::of("comparison", &all, means, told).readings);
    Some(plain)
}
