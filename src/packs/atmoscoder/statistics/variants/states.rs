//! What became of each parent under each configuration: solved, held, both or neither.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Layout, Sides};
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{Basis, Evidence};
use crate::study::Configuration;
use crate::table::read_csv;

/// One parent under one configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// The original is majority-solved.
    pub(crate) core: bool,
    /// More than half of the variants are majority-solved.
    pub(crate) held: bool,
    /// Majority-solved variants of all variants; `None` where only states are archived.
    pub(crate) solved: Option<(usize, usize)>,
}

impl State {
    /// The word of published tables: `both`, `fragile` (lost under variants), `gained`, `neither`.
    pub(crate) const fn word(self) -> &'static str {
        match (self.core, self.held) {
            (true, true) => "both",
            (true, false) => "fragile",
            (false, true) => "gained",
            (false, false) => "neither",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        let (core, held) = match word {
            "both" => (true, true),
            "fragile" => (true, false),
            "gained" => (false, true),
            "neither" => (false, false),
            _ => return None,
        };
        Some(Self { core, held, solved: None })
    }
}

/// States of one family.
#[derive(Debug, Clone)]
pub(crate) struct States<'a> {
    /// Where they come from.
    pub(crate) basis: Basis,
    /// Parents, sorted as strings.
    pub(crate) parents: Vec<String>,
    /// By configuration of the leaderboard, in declared order: one state per parent, or why there is none.
    pub(crate) rows: Vec<(&'a Configuration, Result<Vec<State>, String>)>,
    /// Parents that an archived table of states marks as leaked.
    pub(crate) leaked: BTreeSet<String>,
}

impl<'a> Evidence<'a> {
    /// States of a family: from records, else from the archived table `variants_<family>_parent_states`
    /// with the columns `parent`, `model`, `state` and, optionally, `leaked`.
    ///
    /// # Errors
    /// Why there are none.
    pub(crate) fn states(&self, family: Family) -> Result<States<'a>, String> {
        let missing = match self.layout(family) {
            Ok(layout) => return Ok(self.states_of(&layout)),
            Err(missing) => missing,
        };
        let name = format!("variants_{}_parent_states", family.as_str());
        match self.published.get(&name) {
            Some(text) => self.states_in(text).map_err(|fault| format!("{missing}, and {name}: {fault}")),
            None => Err(missing),
        }
    }

    /// States from records.
    pub(crate) fn states_of(&self, layout: &Layout<'a>) -> States<'a> {
        let row = |c: &'a Configuration| (c, layout.sides(c.key.as_str()).map(|sides| layout.states(sides)));
        States {
            basis: Basis::Records,
            parents: layout.parents.iter().map(|parent| parent.id.to_owned()).collect(),
            rows: self.leaderboard().map(row).collect(),
            leaked: BTreeSet::new(),
        }
    }

    fn states_in(&self, text: &str) -> Result<States<'a>, String> {
        let (header, rows) = read_csv(text).map_err(|fault| fault.to_string())?;
        let column = |name: &str| header.iter().position(|column| column == name);
        let needed = |name: &str| column(name).ok_or_else(|| format!("no column {name}"));
        let (parent, model, state) = (needed("parent")?, needed("model")?, needed("state")?);
        let leaked = column("leaked");
        let mut cells: BTreeMap<&str, BTreeMap<&str, State>> = BTreeMap::new();
        let (mut parents, mut marked) = (BTreeSet::new(), BTreeSet::new());
        for row in &rows {
            let found = State::from_word(&row[state]).ok_or_else(|| format!("state {:?}", row[state]))?;
            let known = self.study.configuration_named(&row[model]);
            let known = known.ok_or_else(|| format!("unknown configuration {:?}", row[model]))?;
            parents.insert(row[parent].clone());
            if leaked.is_some_and(|leaked| row[leaked] == "yes") {
                marked.insert(row[parent].clone());
            }
            if cells.entry(known.key.as_str()).or_default().insert(&row[parent], found).is_some() {
                return Err(format!("{} of {} twice", row[parent], row[model]));
            }
        }
        let states = |c: &Configuration| -> Result<Vec<State>, String> {
            let cells = cells.get(c.key.as_str()).ok_or("not in the archived table of states")?;
            let state = |parent: &String| cells.get(parent.as_str()).copied();
            let all: Option<Vec<State>> = parents.iter().map(state).collect();
            all.ok_or_else(|| format!("{} of {} parents in the archived table of states", cells.len(), parents.len()))
        };
        let rows = self.leaderboard().map(|c| (c, states(c))).collect();
        Ok(States { basis: Basis::States, parents: parents.iter().cloned().collect(), rows, leaked: marked })
    }
}

impl Layout<'_> {
    /// One state per parent.
    pub(crate) fn states(&self, sides: Sides<'_, '_>) -> Vec<State> {
        let state = |parent: &super::layout::Parent<'_>| {
            let solved = parent.variants.iter().filter(|&&at| sides.variants.solves(at)).count();
            let all = parent.variants.len();
            State { core: sides.core.solves(parent.core), held: 2 * solved > all, solved: Some((solved, all)) }
        };
        self.parents.iter().map(state).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem, variant};

    /// Two parents with three numeric variants each, three runs; `a` solves p1 and loses it, gains p2.
    pub(crate) fn small() -> Fixture {
        let core = ["p1", "p2"].map(|id| problem(id, "c", "low", 1)).into();
        let numeric = ["p1", "p2"].iter().flat_map(|p| (1..=3).map(move |n| variant(&format!("{p}_v{n}"), p, n)));
        let (numeric, mut study) = (numeric.collect(), Fixture::new(&[("a", "A", false), ("a-r", "A", true)]));
        study = study
            .set("core", "problems", None, core)
            .set("numeric", "numeric-variants", Some("core"), numeric)
            .experiment("core_code", "core", "code", 3)
            .experiment("numeric_code", "numeric", "code", 3);
        for (run, core, numeric) in [(1, "PF", "PFFPPF"), (2, "PP", "PPFPFF"), (3, "FF", "FFPPPF")] {
            study = study.run("core_code", "a", run, core).run("numeric_code", "a", run, numeric);
        }
        for run in 1..=3 {
            study = study.run("core_code", "a-r", run, "PP").run("numeric_code", "a-r", run, "PPFPPP");
        }
        study
    }

    #[test]
    fn majorities_of_runs_and_of_variants() {
        let study = small();
        let states = study.evidence().states(Family::Numeric).unwrap();
        assert_eq!((states.basis, states.parents.as_slice()), (Basis::Records, &["p1".to_owned(), "p2".into()][..]));
        let row = |at: usize| states.rows[at].1.clone().unwrap();
        assert_eq!(
            row(0),
            [
                State { core: true, held: false, solved: Some((1, 3)) },
                State { core: false, held: true, solved: Some((2, 3)) },
            ]
        );
        assert_eq!(row(1).iter().map(|s| s.word()).collect::<Vec<_>>(), ["both", "both"]);
    }

    #[test]
    fn archived_states_stand_in_for_runs_and_faults_are_named() {
        let mut study = small();
        study.archive.runs.retain(|run| run.key.experiment.as_str() == "core_code");
        let name = "variants_numeric_parent_states";
        let put = |study: &mut Fixture, text: &str| study.published.insert(name.into(), text.into());
        assert_eq!(study.evidence().states(Family::Numeric).unwrap_err(), "no run of numeric_code is archived");

        put(
            &mut study,
            "parent,leaked,model,state\np2,no,Model a,gained\np1,yes,Model a,fragile\np1,yes,Model a-r,both\n",
        );
        let states = study.evidence().states(Family::Numeric).unwrap();
        assert_eq!(states.basis, Basis::States);
        assert_eq!(states.leaked.iter().collect::<Vec<_>>(), ["p1"]);
        assert_eq!(states.rows[0].1.as_ref().unwrap()[1].word(), "gained");
        assert_eq!(states.rows[1].1, Err("1 of 2 parents in the archived table of states".into()));

        for (text, fault) in [
            ("parent,model\n", "no column state"),
            ("parent,model,state\np1,Model a,solved\n", "state \"solved\""),
            ("parent,model,state\np1,Nobody,both\n", "unknown configuration \"Nobody\""),
            ("parent,model,state\np1,a,both\np1,a,both\n", "p1 of a twice"),
        ] {
            put(&mut study, text);
            let found = study.evidence().states(Family::Numeric).unwrap_err();
            assert!(found.ends_with(fault), "{found}");
        }
    }
}
