//! Which configuration `the strongest` and `the weakest` are.

use std::collections::BTreeSet;

use super::choose::Chooser;
use super::lexicon::Extreme;
use crate::statistics::Keys;

/// The statistic of the leaderboard, and its measures of place and of level.
const BOARD: &str = "accuracy-mean-sd";
const PLACE: &str = "rank";
const LEVEL: &str = "mean";

impl Chooser<'_> {
    /// `the strongest configuration` is the one of rank 1 on the set and protocol that are meant, and `the weakest`
    /// the one of the last rank. Where one that is not ranked is stronger or weaker still, either may be meant.
    pub(super) fn ranked(&self, keys: Keys) -> Vec<Keys> {
        let Some(end) = keys.get("model").and_then(|model| Extreme::named(model)) else { return vec![keys] };
        let by_rank = self.first(&keys, PLACE, end == Extreme::Best);
        let by_value = self.first(&keys, LEVEL, end == Extreme::Worst);
        let models: BTreeSet<String> = [by_rank, by_value].concat().into_iter().collect();
        let with = |model: String| {
            let mut own = keys.clone();
            own.insert("model".to_owned(), model);
            own
        };
        models.into_iter().map(with).collect()
    }

    /// The configurations with the lowest (or highest) value of a measure of accuracy under some keys.
    fn first(&self, keys: &Keys, measure: &str, lowest: bool) -> Vec<String> {
        let of = |key: &str| keys.get(key).or_else(|| self.defaults.get(key));
        let Some(facts) = self.index.measure(BOARD, measure) else { return Vec::new() };
        let facts = facts.facts();
        let values = facts.filter_map(|fact| {
            let same = fact.keys.iter().all(|(key, value)| key == "model" || of(key) == Some(value))
                && fact.keys.contains_key("condition") == keys.contains_key("condition");
            Some((fact.estimate.point().filter(|_| same)?, fact.keys.get("model")?))
        });
        let mut values: Vec<(f64, &String)> = values.collect();
        values.sort_by(|a, b| if lowest { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        let Some((first, _)) = values.first().copied() else { return Vec::new() };
        values.into_iter().take_while(|(value, _)| *value == first).map(|(_, model)| model.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ALL;

    #[test]
    fn the_board_has_places_and_levels() {
        let board = ALL.iter().find(|statistic| statistic.about().id == BOARD).expect("the board is registered");
        assert!([PLACE, LEVEL].iter().all(|name| board.about().measures.iter().any(|(measure, _)| measure == name)));
        assert_eq!(board.orders(), [PLACE]);
    }
}
