//! Every parent under every configuration: both, fragile, gained, neither.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::FAMILIES;
use super::states::{State, States};
use crate::packs::atmoscoder::family::Family;
use crate::packs::atmoscoder::statistics::echo::Leakage;
use crate::report::{Finding, Place};
use crate::statistics::names::file_order;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// See [`ABOUT`].
pub(crate) struct FragilityMap;

static ABOUT: About = About {
    id: "fragility-map",
    also: &[],
    title: "Fragility map",
    unit: "count",
    meaning: "Which problems are lost under variants, and by whom. Losses spread thinly over many parents speak of \
              noise; losses of one parent by many configurations point at that problem.",
    formula: "State of a (parent, configuration) cell: both = solved and held, fragile = solved and not held, gained = \
              held and not solved, neither. cells = parents × configurations that enter; fragile-share = 100 × \
              fragile / cells; worst = most fragile cells of one parent; fragile-leaked = fragile cells on parents with \
              the verdict confirmed of leakage-verdict. core-agrees = 100 × cells of an archived table of states that say \
              solved where the archived core runs do, by majority, and not where they do not / cells compared.",
    source: "Rule fragility-map of the study.",
    edge_cases: "Configurations that do not pass the completeness gate have no cells. fragile-leaked is undefined where \
                 neither echoes nor an archived mark of leaked parents is there. core-agrees exists only where the \
                 states were archived as a table; its cells are compared where the core runs of a configuration are \
                 complete.",
    example: "346 parents × 16 configurations = 5,536 cells, 161 of them fragile: 2.9 %.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key, for its cells" },
        KeyDoc { key: "problem", meaning: "parent id, for its cells" },
    ],
    measures: &[
        ("cells", "cells of the map"),
        ("both", "cells solved and held; also by model"),
        ("fragile", "cells solved and lost; also by model, and by problem where there are any"),
        ("gained", "cells held and not solved; also by model"),
        ("neither", "cells of neither kind; also by model"),
        ("fragile-share", "fragile cells, percent of all"),
        ("fragile-parents", "parents with a fragile cell"),
        ("worst", "most fragile cells of one parent"),
        ("fragile-leaked", "fragile cells on confirmed parents"),
        ("core-agrees", "archived cells whose solved side is that of the archived core runs, percent"),
    ],
};

impl Statistic for FragilityMap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let leaked = Leakage::new(evidence).confirmed().map(|(parents, _)| parents);
        for family in FAMILIES.into_iter().filter(|&family| evidence.family_set(family).is_some()) {
            match evidence.states(family) {
                Ok(states) => {
                    counts(&mut out, &leaked, family, &states);
                    if states.basis == Basis::States {
                        core_side(&mut out, evidence, family, &states);
                    }
                    out.tables.push(table(evidence, &leaked, family, &states));
                }
                Err(reason) => {
                    let keys = [("family", family.as_str())];
                    for measure in ["cells", "fragile"] {
                        out.fact(ABOUT.id, measure, &keys, Estimate::undefined(reason.clone()), Basis::Records);
                    }
                }
            }
        }
        out
    }
}

fn counts(out: &mut Output, leaked: &Result<BTreeSet<String>, String>, family: Family, states: &States<'_>) {
    const WORDS: [&str; 4] = ["both", "fragile", "gained", "neither"];
    let keys = [("family", family.as_str())];
    let count = |row: &[State], word: &str| row.iter().filter(|state| state.word() == word).count();
    let mut total = [0; 4];
    let mut by_parent: BTreeMap<&str, usize> = BTreeMap::new();
    for (configuration, row) in &states.rows {
        let Ok(row) = row else { continue };
        let keys = [keys[0], ("model", configuration.key.as_str())];
        for (word, total) in WORDS.into_iter().zip(&mut total) {
            *total += count(row, word);
            out.fact(ABOUT.id, word, &keys, Estimate::count(count(row, word)), states.basis);
        }
        for (parent, _) in states.parents.iter().zip(row).filter(|(_, state)| state.word() == "fragile") {
            *by_parent.entry(parent).or_default() += 1;
        }
    }
    let (cells, fragile) = (total.iter().sum(), total[1]);
    for (word, total) in WORDS.into_iter().zip(total) {
        out.fact(ABOUT.id, word, &keys, Estimate::count(total), states.basis);
    }
    for (&parent, &count) in &by_parent {
        out.fact(ABOUT.id, "fragile", &[keys[0], ("problem", parent)], Estimate::count(count), states.basis);
    }
    let worst = by_parent.values().copied().max().unwrap_or(0);
    out.fact(ABOUT.id, "cells", &keys, Estimate::count(cells), states.basis);
    out.fact(ABOUT.id, "fragile-share", &keys, Estimate::percent(fragile, cells), states.basis);
    out.fact(ABOUT.id, "fragile-parents", &keys, Estimate::count(by_parent.len()), states.basis);
    out.fact(ABOUT.id, "worst", &keys, Estimate::count(worst), states.basis);
    if family == Family::Numeric {
        let leaked = match leaked {
            Ok(leaked) => Estimate::count(leaked.iter().filter_map(|parent| by_parent.get(parent.as_str())).sum()),
            Err(reason) => Estimate::undefined(reason.clone()),
        };
        out.fact(ABOUT.id, "fragile-leaked", &keys, leaked, states.basis);
    }
}

/// The solved side of an archived table of states against the archived core runs.
fn core_side(out: &mut Output, evidence: &Evidence<'_>, family: Family, states: &States<'_>) {
    let Some(main) = evidence.main_board() else { return };
    let at: BTreeMap<&str, usize> = main.problems.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let mut compared = 0;
    let mut differing = Vec::new();
    for (configuration, row) in &states.rows {
        let tally = main.tallies.iter().find(|tally| tally.key == configuration.key.as_str());
        let (Ok(row), Some(tally)) = (row, tally.filter(|tally| tally.complete().is_ok())) else { continue };
        for (parent, state) in states.parents.iter().zip(row) {
            let Some(&at) = at.get(parent.as_str()) else { continue };
            compared += 1;
            if tally.solves(at) != state.core {
                differing.push(format!("{parent} of {}", configuration.name));
            }
        }
    }
    let keys = [("family", family.as_str())];
    let agreeing = Estimate::percent(compared - differing.len(), compared);
    out.fact(ABOUT.id, "core-agrees", &keys, agreeing, Basis::Records);
    if !differing.is_empty() {
        let named: Vec<&str> = differing.iter().take(5).map(String::as_str).collect();
        let place = Place::subject(format!("variants_{}_parent_states", family.as_str()));
        let message = format!(
            "{} of {compared} cells contradict the archived core runs: {}{}",
            differing.len(),
            named.join(", "),
            if differing.len() > named.len() { ", ..." } else { "" }
        );
        out.findings.push(Finding::new("table-differs", place, message));
    }
}

/// Configurations as their run files sort, parents in the order of the variants' file.
fn table(
    evidence: &Evidence<'_>,
    leaked: &Result<BTreeSet<String>, String>,
    family: Family,
    states: &States<'_>,
) -> Table {
    let numeric = family == Family::Numeric;
    let id = if numeric { "F22_fragility" } else { "fragility_paraphrase" };
    let columns =
        [("parent", Kind::Text, ""), ("leaked", Kind::Text, ""), ("model", Kind::Text, ""), ("state", Kind::Text, "")];
    let title = format!("Parents under {} variants, by configuration", family.as_str());
    let mut table = Table::new(id, &title, &["fragility-map", "leakage-verdict"], &columns);
    let mut rows: Vec<_> = states.rows.iter().filter_map(|(c, row)| Some((c, row.as_ref().ok()?))).collect();
    rows.sort_by(|(a, _), (b, _)| file_order(a.key.as_str(), b.key.as_str()));
    let order = file_positions(evidence, family, states);
    for (configuration, row) in rows {
        for &at in &order {
            let parent = states.parents[at].as_str();
            let leaked = match leaked {
                Ok(leaked) => Cell::text(if leaked.contains(parent) { "yes" } else { "no" }),
                Err(reason) => Cell::Undefined(reason.as_str().into()),
            };
            let (name, state) = (Cell::text(configuration.name.as_str()), Cell::text(row[at].word()));
            table.push(vec![Cell::text(parent), leaked, name, state]);
        }
    }
    table
}

/// Positions of the parents by their first variant in the file; sorted as strings when it is not there.
fn file_positions(evidence: &Evidence<'_>, family: Family, states: &States<'_>) -> Vec<usize> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let set = evidence.family_set(family).and_then(|set| evidence.corpus.set(set.id.as_str()));
    for (at, variant) in set.into_iter().flat_map(|set| set.problems.iter().enumerate()) {
        if let Some(parent) = &variant.parent {
            first.entry(parent.as_str()).or_insert(at);
        }
    }
    let mut order: Vec<usize> = (0..states.parents.len()).collect();
    order.sort_by_key(|&at| (first.get(states.parents[at].as_str()).copied().unwrap_or(usize::MAX), at));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn every_cell_is_counted_once() {
        let mut study = small();
        let out = study.compute(&FragilityMap);
        let facts = Facts::new(out.facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("fragility-map", measure, keys).unwrap().estimate.point();
        let all = [("family", "numeric")];
        assert_eq!(value("cells", &all), Some(4.0));
        assert_eq!(
            ["both", "fragile", "gained", "neither"].map(|word| value(word, &all)),
            [2.0, 1.0, 1.0, 0.0].map(Some)
        );
        assert_eq!(value("fragile-share", &all), Some(25.0));
        assert_eq!(value("fragile", &[("family", "numeric"), ("problem", "p1")]), Some(1.0));
        assert_eq!(value("worst", &all), Some(1.0));

        study.archive.runs.retain(|run| run.key.experiment.as_str() == "core_code");
        let table = "parent,leaked,model,state\np2,no,a-r,both\np1,yes,a-r,both\np2,no,a,gained\np1,yes,a,fragile\n";
        study.published.insert("variants_numeric_parent_states".into(), table.into());
        let out = study.compute(&FragilityMap);
        let csv = crate::table::to_csv(&out.tables[0]);
        assert_eq!(
            csv,
            "parent,leaked,model,state\np1,yes,Model a-r,both\np2,no,Model a-r,both\n\
                         p1,yes,Model a,fragile\np2,no,Model a,gained\n"
        );
        let facts = Facts::new(out.facts);
        let leaked = facts.get("fragility-map", "fragile-leaked", &all).unwrap();
        assert_eq!((leaked.estimate.point(), leaked.basis), (Some(1.0), Basis::States));
        let agrees = facts.get("fragility-map", "core-agrees", &all).unwrap();
        assert_eq!((agrees.estimate.point(), out.findings.len()), (Some(100.0), 0));

        let edited = table.replace("p1,yes,a-r,both", "p1,yes,a-r,gained");
        study.published.insert("variants_numeric_parent_states".into(), edited);
        let out = study.compute(&FragilityMap);
        assert_eq!(out.findings[0].code, "table-differs");
        assert!(
            out.findings[0].message.contains("1 of 4 cells") && out.findings[0].message.contains("p1 of Model a-r")
        );
    }
}
