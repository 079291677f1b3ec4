//! Numbers in lists: as many numbers as names, in one order, and the distance of two that are named.

use super::Reader;
use crate::claims::words::lexicon::Meaning;
use crate::claims::words::reading::{Reading, Unbound};
use crate::claims::words::scene::{Level, Near, Scene};
use crate::documents::{Number, Role, numbers::Bound, numbers::Unit};

impl Reader<'_> {
    /// `A and B finish within 0.7 points of each other (93.1 vs 92.4)`: as many numbers in one list as names in
    /// one list before it belong together in their order.
    pub(super) fn listed(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let (first, last) = self.list_around(at)?;
        let names = self.names_before(self.all[first].start)?;
        if names.len() != last - first + 1 {
            return None;
        }
        let name = &names[at - first];
        let mut scene = Scene { strict: true, fractions: number.is_fraction(), ..Scene::default() };
        scene.levels.push(Level::new(self.chooser.lexicon, Near::Head, name));
        scene.levels.push(self.sentence.clone());
        scene.levels.extend(self.far.iter().cloned());
        Some(self.chooser.readings(&scene, number, true))
    }

    /// `A and B finish within 0.7 points of each other`: the distance of the two that are named.
    pub(super) fn apart(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let behind = self.passage.text[number.after..self.part.end].trim_start();
        let is_distance = ["of each other", "of one another", "apart"].iter().any(|words| behind.starts_with(words));
        let names = self.names_before(number.start).filter(|_| is_distance && number.unit == Unit::Points)?;
        let [first, second] = names.as_slice() else { return None };
        // What is subtracted is a share, whatever the form of the difference.
        let share = Number { unit: Unit::Percent, bound: Bound::Exact, role: Role::Value, ..number.clone() };
        let of = |name: &String| {
            let mut scene = Scene { strict: true, ..Scene::default() };
            scene.levels.push(Level::new(self.chooser.lexicon, Near::Head, name));
            scene.levels.push(self.sentence.clone());
            scene.levels.extend(self.far.iter().cloned());
            self.chooser.readings(&scene, &share, true)
        };
        let (Ok(first), Ok(second)) = (of(first), of(second)) else { return Some(Err(Unbound::NoFact)) };
        Some(super::differences::apart(&first, &second).ok_or(Unbound::NoFact))
    }

    /// First and last of the numbers that are listed with this one, two at least, all of one form.
    fn list_around(&self, at: usize) -> Option<(usize, usize)> {
        let text = &self.passage.text;
        let joined = |left: usize| {
            let (Some(a), Some(b)) = (self.all.get(left), self.all.get(left + 1)) else { return false };
            let gap = text[a.after..b.start].trim();
            let inside = self.part.start <= a.start && b.start < self.part.end;
            let alike = a.decimals == b.decimals && (a.unit == b.unit || a.unit == Unit::None);
            let plain = [a, b].iter().all(|n| n.rule.is_none() && n.role == Role::Value);
            inside
                && alike
                && plain
                && matches!(gap, "," | "and" | ", and" | "vs" | "vs." | "/" | "\u{2192}" | "versus" | "against")
        };
        let mut first = at;
        while first.checked_sub(1).is_some_and(&joined) {
            first -= 1;
        }
        let mut last = at;
        while joined(last) {
            last += 1;
        }
        (last > first).then_some((first, last))
    }

    /// The configurations of the only list of them in front of a place.
    fn names_before(&self, end: usize) -> Option<Vec<String>> {
        let text = &self.passage.text[self.part.start..end];
        let seen = self.chooser.lexicon.mentions(text);
        let is_name = |meaning: &Meaning| matches!(meaning, Meaning::Value(key, value) if key == "model" && !value.starts_with('@'));
        let names: Vec<(usize, usize)> = seen
            .mentions
            .iter()
            .filter(|mention| mention.meanings.iter().any(is_name))
            .map(|mention| (mention.start, mention.end))
            .collect();
        let listed = |pair: &[(usize, usize)]| {
            let gap = text[pair[0].1..pair[1].0].trim();
            matches!(gap, "," | "and" | ", and" | "vs" | "versus" | "/" | "&")
        };
        (names.len() > 1 && names.windows(2).all(listed))
            .then(|| names.iter().map(|(start, end)| text[*start..*end].to_owned()).collect())
    }
}
