//! Things that belong together, found by what they share.

use std::collections::BTreeMap;

/// Members of groups by position. Members that are joined, directly or through others, are one group.
pub(super) struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    /// So many members, each alone.
    pub(super) fn new(members: usize) -> Self {
        Self { parent: (0..members).collect() }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            // Halving the path keeps chains short.
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Makes the groups of two members one.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
    }

    /// Joins all members that share a key.
    pub(super) fn join_by<K: Ord>(&mut self, keys: impl Iterator<Item = (usize, K)>) {
        let mut first: BTreeMap<K, usize> = BTreeMap::new();
        for (member, key) in keys {
            let known = *first.entry(key).or_insert(member);
            self.join(known, member);
        }
    }

    /// The groups, each with its members in order, in the order of their first members.
    pub(super) fn all(mut self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.parent.len() {
            let root = self.root(at);
            groups.entry(root).or_default().push(at);
        }
        groups.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_through_others_is_one_group_whatever_the_order() {
        let build = |pairs: &[(usize, usize)]| {
            let mut groups = Groups::new(6);
            pairs.iter().for_each(|&(a, b)| groups.join(a, b));
            groups.all()
        };
        let expected = vec![vec![0, 2, 4], vec![1], vec![3, 5]];
        assert_eq!(build(&[(0, 2), (4, 2), (5, 3)]), expected);
        assert_eq!(build(&[(5, 3), (4, 2), (2, 0)]), expected);
        let mut by_key = Groups::new(4);
        by_key.join_by([(0, "a"), (1, "b"), (2, "a"), (3, "b")].into_iter());
        assert_eq!(by_key.all(), [vec![0, 2], vec![1, 3]]);
    }
}
