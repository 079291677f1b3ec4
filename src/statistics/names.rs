//! Names of configurations and problems in published tables, and the order in which tables list them.

use super::{Evidence, moments};
use crate::study::{Configuration, Twins};

/// Name of the backbone of twins in tables: the display name without a setting.
pub fn backbone<'a>(twins: &Twins<'a>) -> &'a str {
    without_setting(&twins.plain.name)
}

/// A display name without its setting in parentheses: `gpt-5.5 (reasoning)` is `gpt-5.5`.
pub fn without_setting(name: &str) -> &str {
    ["(reasoning)", "(non-reasoning)"].iter().find_map(|setting| name.strip_suffix(setting)).map_or(name, str::trim_end)
}

/// Orders configuration keys as the names of their run files sort (`a-b.run1` before `a.run1`), which
/// is the row order of some published tables.
pub fn file_order(a: &str, b: &str) -> std::cmp::Ordering {
    a.bytes().chain([b'.']).cmp(b.bytes().chain([b'.']))
}

/// A share of two counts in percent: `100 k / n`. The caller has made sure that `n` is not 0.
pub fn percent(k: usize, n: usize) -> f64 {
    100.0 * k as f64 / n as f64
}

impl<'a> Evidence<'a> {
    /// The leaderboard by mean accuracy in the main experiment, descending. Equal means, and
    /// configurations without one (at the end), keep the declared order.
    pub fn by_accuracy(&self) -> Vec<&'a Configuration> {
        let board = self.main_board();
        let accuracy = |c: &Configuration| -> Option<f64> {
            let board = board.as_ref()?;
            let tally = board.tallies.iter().find(|tally| tally.key == c.key.as_str())?;
            moments::mean(&tally.run_percents(&board.all()))
        };
        let mut order: Vec<_> = self.leaderboard().map(|c| (c, accuracy(c).unwrap_or(f64::NEG_INFINITY))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.into_iter().map(|(c, _)| c).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::Fixture;

    #[test]
    fn names_lose_only_their_setting() {
        assert_eq!(without_setting("gpt-5.5 (reasoning)"), "gpt-5.5");
        assert_eq!(without_setting("Model (v2)"), "Model (v2)");
    }

    #[test]
    fn keys_sort_as_their_files_do() {
        let mut keys = ["a", "a-reasoning", "model3.5", "model-2.5"];
        keys.sort_by(|a, b| file_order(a, b));
        assert_eq!(keys, ["a-reasoning", "a", "model-2.5", "model3.5"]);
    }

    #[test]
    fn twins_are_complete_pairs_on_the_leaderboard() {
        let study = Fixture::new(&[
            ("b", "B", false),
            ("a-r", "A", true),
            ("a", "A", false),
            ("b-r", "B", true),
            ("c", "C", false),
            ("-d", "D", false),
            ("d-r", "D", true),
        ]);
        let evidence = study.evidence();
        let keys = |t: &Twins| (t.plain.key.to_string(), t.reasoning.key.to_string());
        let found: Vec<_> = evidence.study.twins().iter().map(keys).collect();
        assert_eq!(found, [("b".into(), "b-r".into()), ("a".into(), "a-r".into())]);
        assert_eq!(evidence.study.configuration_named("Model c").unwrap().key.as_str(), "c");
        assert!(evidence.study.configuration_named("nobody").is_none());
    }
}
