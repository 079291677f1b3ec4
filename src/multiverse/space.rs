//! All combinations of choices.

use super::choice::{Choice, Setting};

/// One combination: for each axis 0 for what the study did, else the number of the setting, from 1.
pub type Combination = Vec<u8>;

/// A choice with every other way of making it.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The choice.
    pub choice: Choice,
    /// Its settings other than what the study did.
    pub settings: Vec<Setting>,
}

/// The choices that can be made otherwise in a study.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Space {
    /// Axes in the order in which choices take effect.
    pub axes: Vec<Axis>,
}

impl Space {
    /// Settings by choice.
    pub fn new(settings: impl IntoIterator<Item = Setting>) -> Self {
        let mut axes: Vec<Axis> = Vec::new();
        for setting in settings {
            let choice = setting.choice();
            match axes.iter_mut().find(|axis| axis.choice == choice) {
                // More than a byte can number would be more combinations than anybody computes.
                Some(axis) if axis.settings.len() == usize::from(u8::MAX) => {}
                Some(axis) => axis.settings.push(setting),
                None => axes.push(Axis { choice, settings: vec![setting] }),
            }
        }
        axes.sort_by_key(|axis| axis.choice);
        Self { axes }
    }

    /// Combinations of the settings that count, by axis from what the study did (which always counts), when they are
    /// not more than `most`.
    pub fn product(&self, kept: &[Vec<bool>], most: usize) -> Option<Vec<Combination>> {
        let size = kept.iter().map(|own| own.iter().filter(|kept| **kept).count());
        if size.fold(1, usize::saturating_mul) > most {
            return None;
        }
        let mut found = vec![Combination::new()];
        for own in kept {
            let options = || (0..own.len()).filter(|&at| own[at]).map(|at| at as u8);
            found = found.iter().flat_map(|begun| options().map(|at| [&begun[..], &[at]].concat())).collect();
        }
        Some(ordered(found))
    }

    /// All combinations of all settings, when they are not more than `most`.
    pub fn every(&self, most: usize) -> Option<Vec<Combination>> {
        let all: Vec<Vec<bool>> = self.axes.iter().map(|axis| vec![true; axis.settings.len() + 1]).collect();
        self.product(&all, most)
    }

    /// What the study did, each setting alone, and any two of different choices together.
    pub fn up_to_two(&self) -> Vec<Combination> {
        let mut found = vec![Combination::new()];
        for axis in &self.axes {
            let extended = found.iter().flat_map(|begun: &Combination| {
                let allowed = if made(begun) < 2 { axis.settings.len() as u8 } else { 0 };
                (0..=allowed).map(|at| [&begun[..], &[at]].concat())
            });
            found = extended.collect();
        }
        ordered(found)
    }

    /// The settings of a combination.
    pub fn settings<'s>(&'s self, combination: &'s [u8]) -> impl Iterator<Item = &'s Setting> {
        let made = self.axes.iter().zip(combination).filter(|(_, at)| **at > 0);
        made.map(|(axis, at)| &axis.settings[usize::from(*at) - 1])
    }
}

/// How many choices a combination makes otherwise.
pub(super) fn made(combination: &[u8]) -> usize {
    combination.iter().filter(|at| **at > 0).count()
}

/// What the study did first, then each choice alone, then two together, and so on.
fn ordered(mut all: Vec<Combination>) -> Vec<Combination> {
    all.sort_by_key(|combination| made(combination));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Reduce;
    use std::collections::BTreeSet;

    fn space() -> Space {
        Space::new([
            Setting::Combined(Reduce::Any),
            Setting::WithoutRun(1),
            Setting::WithoutRun(2),
            Setting::StrictLens,
            Setting::ErrorsFail,
        ])
    }

    #[test]
    fn every_combination_of_what_counts_comes_once() {
        let space = space();
        let all: Vec<Vec<bool>> = space.axes.iter().map(|axis| vec![true; axis.settings.len() + 1]).collect();
        let product = space.product(&all, 24).unwrap();
        assert_eq!(product.iter().collect::<BTreeSet<_>>().len(), 24);
        assert_eq!((product[0].as_slice(), space.settings(&product[1]).count()), (&[0, 0, 0, 0][..], 1));
        assert!(space.product(&all, 23).is_none());
        // Without errors and run 2.
        let some = [vec![true, true], vec![true, false], vec![true, true, false], vec![true, true]];
        assert_eq!(space.product(&some, 24).unwrap().len(), 8);
    }

    #[test]
    fn two_choices_at_a_time() {
        let some = space().up_to_two();
        // None; 1 + 1 + 2 + 1 alone; pairs of axes: 1 + 2 + 1 + 2 + 1 + 2.
        assert_eq!(some.len(), 1 + 5 + 9);
        assert!(some.iter().all(|combination| made(combination) <= 2));
    }
}
