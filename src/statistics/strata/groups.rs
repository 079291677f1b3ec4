//! Problems of a board by category and by difficulty, in the order in which tables list them.

use std::collections::BTreeMap;

use crate::corpus::Problem;
use crate::statistics::Evidence;
use crate::statistics::tally::Board;

/// Problems that share a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::statistics) struct Group<'a> {
    /// Label, as problems carry it.
    pub(in crate::statistics) id: &'a str,
    /// Short name for column heads.
    pub(in crate::statistics) short: &'a str,
    /// Positions on the board, ascending; never empty.
    pub(in crate::statistics) problems: Vec<usize>,
}

impl<'a> Evidence<'a> {
    /// Declared values of a label with their names.
    fn declared(&self, by: &str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let strata = self.study.strata(by).into_iter();
        strata.flat_map(|strata| strata.order.iter().map(|value| (value.as_str(), strata.name(value))))
    }

    /// Groups of a board by category: declared categories in declared order, then the others sorted.
    /// Problems without a category are in no group.
    pub(in crate::statistics) fn by_category(&self, board: &Board<'a>) -> Vec<Group<'a>> {
        grouped(board, self.declared("category"), |problem| problem.category.as_deref())
    }

    /// Groups of a board by difficulty, easiest first as declared, then the others sorted by name.
    pub(in crate::statistics) fn by_difficulty(&self, board: &Board<'a>) -> Vec<Group<'a>> {
        grouped(board, self.declared("difficulty"), |problem| problem.difficulty.as_deref())
    }
}

fn grouped<'a>(
    board: &Board<'a>,
    declared: impl Iterator<Item = (&'a str, &'a str)>,
    label: impl Fn(&'a Problem) -> Option<&'a str>,
) -> Vec<Group<'a>> {
    let Some(set) = board.set else { return Vec::new() };
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, id) in board.problems.iter().enumerate() {
        if let Some(id) = set.get(id).and_then(&label) {
            members.entry(id).or_default().push(position);
        }
    }
    let mut groups = Vec::new();
    for (id, short) in declared {
        groups.extend(members.remove(id).map(|problems| Group { id, short, problems }));
    }
    groups.extend(members.into_iter().map(|(id, problems)| Group { id, short: id, problems }));
    groups
}
