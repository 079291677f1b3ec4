//! A family of variants beside its originals: which variants belong to which parent, on two boards.

use std::collections::BTreeMap;

use crate::corpus::{Problem, Set};
use crate::packs::atmoscoder::family::Family;
use crate::statistics::Evidence;
use crate::statistics::tally::{Board, Tally};
use crate::study::{Experiment, ProblemSet};

/// Both families, in the order of tables.
pub(crate) const FAMILIES: [Family; 2] = [Family::Numeric, Family::Paraphrase];

/// The boards of a family and of its originals.
#[derive(Debug, Clone)]
pub(crate) struct Layout<'a> {
    /// Variants by configuration and run.
    pub(crate) variants: Board<'a>,
    /// Originals by configuration and run.
    pub(crate) core: Board<'a>,
    /// Parents, sorted as strings.
    pub(crate) parents: Vec<Parent<'a>>,
}

/// A parent with its variants.
#[derive(Debug, Clone)]
pub(crate) struct Parent<'a> {
    /// Id.
    pub(crate) id: &'a str,
    /// The original problem, when its set is archived.
    pub(crate) problem: Option<&'a Problem>,
    /// Position on the board of originals.
    pub(crate) core: usize,
    /// Positions on the board of variants, in file order.
    pub(crate) variants: Vec<usize>,
}

/// Both sides of one configuration, through the completeness gate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'b, 'a> {
    /// Runs of the originals.
    pub(crate) core: &'b Tally<'a>,
    /// Runs of the variants.
    pub(crate) variants: &'b Tally<'a>,
}

impl<'a> Evidence<'a> {
    /// Declaration of a family's set.
    pub(crate) fn family_set(&self, family: Family) -> Option<&'a ProblemSet> {
        let kind = match family {
            Family::Numeric => "numeric-variants",
            Family::Paraphrase => "paraphrase-variants",
        };
        self.study.sets.iter().find(|set| set.kind() == kind)
    }

    /// Experiments of a family: its variants, then its originals.
    pub(crate) fn family_experiments(&self, family: Family) -> Option<(&'a Experiment, &'a Experiment)> {
        let set = self.family_set(family)?;
        let variants = self.experiment(set.id.as_str(), "code")?;
        let core = self.experiment(set.parents.as_ref()?.as_str(), "code")?;
        Some((variants, core))
    }

    /// The boards of a family.
    ///
    /// # Errors
    /// What is not archived.
    pub(crate) fn layout(&self, family: Family) -> Result<Layout<'a>, String> {
        let Some((variants, core)) = self.family_experiments(family) else {
            return Err(format!("the study declares no experiment with {} variants", family.as_str()));
        };
        let (variants, core) = (self.board(variants), self.board(core));
        for board in [&variants, &core] {
            if board.tallies.iter().all(|tally| tally.runs.is_empty()) {
                return Err(format!("no run of {} is archived", board.experiment.id));
            }
        }
        let Some(set) = variants.set else {
            return Err(format!("the problems of {} are not archived", variants.experiment.set));
        };
        let parents = parents(set, &variants, &core);
        Ok(Layout { variants, core, parents })
    }
}

/// Parents that are on the board of originals, sorted as strings, with their variants.
fn parents<'a>(set: &'a Set, variants: &Board<'a>, core: &Board<'a>) -> Vec<Parent<'a>> {
    let on_core: BTreeMap<&str, usize> = core.problems.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let mut found: BTreeMap<&str, Parent<'a>> = BTreeMap::new();
    for (at, &id) in variants.problems.iter().enumerate() {
        let Some(parent) = set.get(id).and_then(|variant| variant.parent.as_ref()) else { continue };
        let Some((&parent, &position)) = on_core.get_key_value(parent.as_str()) else { continue };
        let problem = core.set.and_then(|set| set.get(parent));
        let empty = Parent { id: parent, problem, core: position, variants: Vec::new() };
        found.entry(parent).or_insert(empty).variants.push(at);
    }
    found.into_values().collect()
}

impl<'a> Layout<'a> {
    /// Both sides of a configuration.
    ///
    /// # Errors
    /// Why it does not enter: each side must have all its runs, each run exactly the problems of the set,
    /// no record with an error and none without a verdict.
    pub(crate) fn sides(&self, key: &str) -> Result<Sides<'_, 'a>, String> {
        let side = |board: &'_ Board<'a>| -> Result<usize, String> {
            let id = &board.experiment.id;
            let at = board.tallies.iter().position(|tally| tally.key == key);
            let at = at.ok_or_else(|| format!("{id} was not asked of this configuration"))?;
            board.tallies[at].flawless().map_err(|reason| format!("{id}: {reason}"))?;
            Ok(at)
        };
        let (core, variants) = (side(&self.core)?, side(&self.variants)?);
        Ok(Sides { core: &self.core.tallies[core], variants: &self.variants.tallies[variants] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn variants_find_their_parents_and_gates_say_what_is_missing() {
        let core = ["p2", "p1", "p3"].map(|id| problem(id, "c", "low", 1)).into();
        let numeric =
            vec![variant("x", "p2", 1), variant("y", "p1", 1), variant("z", "p2", 2), variant("w", "gone", 1)];
        let study = Fixture::new(&[("a", "A", false), ("b", "B", false)])
            .set("core", "problems", None, core)
            .set("numeric", "numeric-variants", Some("core"), numeric)
            .experiment("core_code", "core", "code", 1)
            .experiment("numeric_code", "numeric", "code", 1)
            .run("core_code", "a", 1, "PPP")
            .run("core_code", "b", 1, "PPP")
            .run("numeric_code", "a", 1, "PPFP")
            .run("numeric_code", "b", 1, "PEFP");
        let evidence = study.evidence();
        let layout = evidence.layout(Family::Numeric).unwrap();
        let shape: Vec<_> = layout.parents.iter().map(|p| (p.id, p.core, p.variants.clone())).collect();
        assert_eq!(shape, [("p1", 1, vec![1]), ("p2", 0, vec![0, 2])]);
        assert!(layout.sides("a").is_ok());
        assert_eq!(layout.sides("b").unwrap_err(), "numeric_code: run 1 has 1 records with an error");
        assert_eq!(layout.sides("c").unwrap_err(), "core_code was not asked of this configuration");
        let missing = evidence.layout(Family::Paraphrase).unwrap_err();
        assert_eq!(missing, "the study declares no experiment with paraphrase variants");
    }
}
