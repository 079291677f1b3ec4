//! Parents solved in the original and held by their variants, per configuration and per parent.

use super::layout::FAMILIES;
use super::pairs::FamilyPairs;
use crate::statistics::names::percent;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// See [`ABOUT`].
pub(crate) struct VariantMajority;

static ABOUT: About = About {
    id: "variant-majority-5",
    also: &[],
    title: "Parents held by their variants",
    unit: "percent",
    meaning: "Share of parent problems that stay solved when their numbers or their words change. Each \
              variant is judged by the majority of its runs, each parent by the majority of its variants, so \
              that a single unlucky run or variant decides nothing.",
    formula: "v is solved when more than half of its runs pass; a parent is held when more than half of its k \
              variants are solved (3 of 5). held = 100 × #held / n over the n parents that have variants of \
              this family; core = 100 × #(original solved by the majority of its runs) / n over the same \
              parents. Per parent: solving = configurations that solve the original; keeping and lost = those \
              of them that hold and do not hold it.",
    source: "Rule variant-majority-5 of the study; majority vote over repeated runs as in self-consistency \
             evaluations.",
    edge_cases: "A configuration enters only when every run of both sides is there, holds exactly the problems \
                 of its set, and has no error; otherwise its values are undefined with that reason. With an \
                 even number of variants exactly half is not enough. Where no variant run is archived, an \
                 archived table of parent states is used (basis `states`); where only the published table of \
                 tests is there, the counts behind it (basis `published`, no per-parent values).",
    example: "Variants passed in 3, 2, 2, 1, 0 of three runs: three of five are solved, so the parent is held. \
              334 of 346 parents held: 96.5 %.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "problem", meaning: "parent id, for the per-parent measures" },
    ],
    measures: &[
        ("held", "parents held, percent with counts"),
        ("core", "originals solved on the same parents, percent with counts"),
        ("parents", "number of parents of the family"),
        ("solving", "configurations that solve the original, of all that enter"),
        ("keeping", "of those, configurations that hold the parent"),
        ("lost", "of those, configurations that do not"),
    ],
};

impl Statistic for VariantMajority {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let families = evidence.pairs();
        for pairs in &families {
            shares(&mut out, evidence, pairs);
        }
        for family in FAMILIES {
            if let Ok(states) = evidence.states(family) {
                per_parent(&mut out, &states, family.as_str());
            }
        }
        out.tables.extend(triplet(evidence, &families));
        out
    }
}

fn shares(out: &mut Output, evidence: &Evidence<'_>, pairs: &FamilyPairs<'_>) {
    let mut parents = None;
    for (configuration, counts) in &pairs.rows {
        let keys = pairs.keys(configuration);
        let (held, core) = match counts {
            Ok(counts) => {
                parents = parents.max(Some(counts.pairs()));
                (Estimate::percent(counts.after(), counts.pairs()), Estimate::percent(counts.before(), counts.pairs()))
            }
            Err(reason) => (Estimate::undefined(reason.clone()), Estimate::undefined(reason.clone())),
        };
        out.fact(ABOUT.id, "held", &keys, held, pairs.basis);
        match evidence.whole_core(pairs, configuration) {
            Some((solved, all)) => {
                out.fact(ABOUT.id, "core", &keys, Estimate::percent(solved, all), Basis::Records);
            }
            None => out.fact(ABOUT.id, "core", &keys, core, pairs.basis),
        }
    }
    if let Some(parents) = parents {
        out.fact(ABOUT.id, "parents", &[("family", pairs.family.as_str())], Estimate::count(parents), pairs.basis);
    }
}

fn per_parent(out: &mut Output, states: &super::states::States<'_>, family: &str) {
    let rows: Vec<_> = states.rows.iter().filter_map(|(_, row)| row.as_ref().ok()).collect();
    for (at, parent) in states.parents.iter().enumerate() {
        let count = |test: fn(bool, bool) -> bool| rows.iter().filter(|row| test(row[at].core, row[at].held)).count();
        let (solving, keeping) = (count(|core, _| core), count(|core, held| core && held));
        let keys = [("family", family), ("problem", parent.as_str())];
        for (measure, k, n) in
            [("solving", solving, rows.len()), ("keeping", keeping, solving), ("lost", solving - keeping, solving)]
        {
            let estimate = Estimate::Value { value: k as f64, count: Some((k as u64, n as u64)), interval: None };
            out.fact(ABOUT.id, measure, &keys, estimate, states.basis);
        }
    }
}

/// Core and variant accuracies of both families side by side, in leaderboard order.
fn triplet(evidence: &Evidence<'_>, families: &[FamilyPairs<'_>]) -> Option<Table> {
    let [numeric, paraphrase] = families else { return None };
    let parents = |pairs: &FamilyPairs<'_>| pairs.known().map(|(_, counts)| counts.pairs()).next();
    let (n, m) = (parents(numeric)?, parents(paraphrase)?);
    let columns = [
        ("model".to_owned(), Kind::Text, ""),
        (format!("core_pct_n{n}"), Kind::Real, "percent"),
        (format!("numeric_variant_pct_n{n}"), Kind::Real, "percent"),
        (format!("core_pct_n{m}"), Kind::Real, "percent"),
        (format!("paraphrase_variant_pct_n{m}"), Kind::Real, "percent"),
    ];
    let columns: Vec<_> = columns.iter().map(|(name, kind, unit)| (name.as_str(), *kind, *unit)).collect();
    let title = "Accuracy on originals and on both families of variants, majority of runs";
    let mut table = Table::new("F6_2_variant_triplet", title, &["variant-majority-5", "majority-of-3"], &columns);
    let cell = |value: Option<f64>, reason: &str| {
        value.map_or_else(|| Cell::Undefined(reason.into()), |value| Cell::fixed(value, 1))
    };
    for configuration in evidence.by_accuracy() {
        let mut row = vec![Cell::text(configuration.name.as_str())];
        for pairs in [numeric, paraphrase] {
            let counts = pairs.rows.iter().find(|(c, _)| c.key == configuration.key).map(|(_, counts)| counts.as_ref());
            let counts = counts.unwrap_or(Err(&String::new())).map_err(Clone::clone);
            let reason = counts.as_ref().err().cloned().unwrap_or_else(|| "printed elsewhere, not recomputed".into());
            let own = counts.ok().filter(|_| pairs.basis < Basis::Published);
            let core = own.map(|counts| (counts.before(), counts.pairs()));
            let core = core.or_else(|| evidence.whole_core(pairs, configuration));
            row.push(cell(core.map(|(k, n)| percent(k, n)), &reason));
            let held = own.map(|counts| percent(counts.after(), counts.pairs()));
            row.push(cell(held, &reason));
        }
        table.push(row);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn shares_and_parents_of_a_small_study() {
        let facts = Facts::new(small().compute(&VariantMajority).facts);
        let value = |measure: &str, keys: &[(&str, &str)]| facts.get(ABOUT.id, measure, keys).unwrap().estimate.clone();
        assert_eq!(value("held", &[("family", "numeric"), ("model", "a")]), Estimate::percent(1, 2));
        assert_eq!(value("core", &[("family", "numeric"), ("model", "a-r")]), Estimate::percent(2, 2));
        let count = |k, n| Estimate::Value { value: k as f64, count: Some((k, n)), interval: None };
        let p1 = [("family", "numeric"), ("problem", "p1")];
        assert_eq!(
            [value("solving", &p1), value("keeping", &p1), value("lost", &p1)],
            [count(2, 2), count(1, 2), count(1, 2)]
        );
    }

    #[test]
    fn an_incomplete_configuration_says_why() {
        let mut study = small();
        study.archive.runs.retain(|run| !(run.key.experiment.as_str() == "numeric_code" && run.key.run == 2));
        let facts = Facts::new(study.compute(&VariantMajority).facts);
        let fact = facts.get(ABOUT.id, "held", &[("family", "numeric"), ("model", "a")]).unwrap();
        assert_eq!(fact.estimate, Estimate::undefined("numeric_code: 2 of 3 runs"));
    }
}
