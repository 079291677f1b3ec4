//! Ranks of the main experiment under every combination.

use super::reach::Seen;
use super::survival::RankSurvival;
use crate::digest::{Digest, Hasher};
use crate::statistics::tally::Board;

/// The standing of one combination: means on a grid of 1e-9 by configuration, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing(Vec<(String, i64)>);

impl Standing {
    /// The standing of a board.
    pub(super) fn of(board: &Board<'_>) -> Self {
        let grid = |mean: f64| (mean * 1e9).round() as i64;
        Self(board.standing().into_iter().map(|(tally, mean)| (tally.key.to_owned(), grid(mean))).collect())
    }

    /// What is counted of it: whether the order is that of another standing.
    pub(super) fn seen(&self, own: Option<&Self>) -> Seen {
        Seen { holds: own.map(|own| self.is_ordered_like(own)), support: self.support() }
    }

    /// A digest of what ranks rest on.
    fn support(&self) -> Digest {
        let mut hasher = Hasher::default();
        for (key, mean) in &self.0 {
            hasher.update(format!("{key}\n{mean}\n").as_bytes());
        }
        hasher.finish()
    }

    /// Whether the order is that of another standing, ties included.
    fn is_ordered_like(&self, other: &Self) -> bool {
        let ranks = |standing: &Self| {
            let mut ranks: Vec<(String, usize)> =
                standing.0.iter().map(|(key, mean)| (key.clone(), standing.rank_of(*mean))).collect();
            ranks.sort();
            ranks
        };
        ranks(self) == ranks(other)
    }

    fn mean(&self, key: &str) -> Option<i64> {
        self.0.iter().find(|(own, _)| own == key).map(|(_, mean)| *mean)
    }

    fn rank_of(&self, mean: i64) -> usize {
        1 + self.0.iter().filter(|(_, other)| *other > mean).count()
    }

    fn rank(&self, key: &str) -> Option<usize> {
        self.mean(key).map(|mean| self.rank_of(mean))
    }
}

/// How each rank fares over the standings that count; the first of all is what the study did.
pub(super) fn survival(standings: &[Standing], counted: &[usize]) -> Vec<RankSurvival> {
    let Some(own) = standings.first() else { return Vec::new() };
    let of = |(at, (key, _)): (usize, &(String, i64))| {
        let rank = own.rank(key)?;
        let ranks: Vec<usize> = counted.iter().filter_map(|&at| standings[at].rank(key)).collect();
        let leads = own.0.get(at + 1).map(|(next, _)| {
            let ahead = |&&at: &&usize| match (standings[at].mean(key), standings[at].mean(next)) {
                (Some(mean), Some(next)) => mean > next,
                _ => false,
            };
            counted.iter().filter(ahead).count()
        });
        Some(RankSurvival {
            configuration: key.clone(),
            rank,
            best: ranks.iter().copied().min().unwrap_or(rank),
            worst: ranks.iter().copied().max().unwrap_or(rank),
            kept: ranks.iter().filter(|other| **other == rank).count(),
            leads,
        })
    };
    own.0.iter().enumerate().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_move_and_ties_share_the_better_one() {
        let standing =
            |means: &[(&str, i64)]| Standing(means.iter().map(|(key, mean)| ((*key).to_owned(), *mean)).collect());
        let all = [
            standing(&[("a", 3), ("b", 2), ("c", 1)]),
            standing(&[("a", 3), ("b", 3), ("c", 1)]),
            standing(&[("b", 4), ("a", 2), ("c", 2)]),
        ];
        let found = survival(&all, &[0, 1, 2]);
        let told: Vec<_> = found.iter().map(|r| (r.rank, r.best, r.worst, r.kept, r.leads)).collect();
        assert_eq!(told, [(1, 1, 2, 2, Some(1)), (2, 1, 2, 1, Some(3)), (3, 2, 3, 2, None)]);
        assert!(!all[0].is_ordered_like(&all[1]) && all[0].is_ordered_like(&all[0]));
    }
}
