//! What rests on runs that were not recorded but rebuilt from something else, such as a published table.
//!
//! A value that such a run has a say in is no evidence about a model: it shows that the tables it was
//! rebuilt from fit one another. Which values those are is not declared by each statistic, where it could
//! be forgotten, but found: everything is computed once more without the rebuilt runs, and what then
//! comes out otherwise, or not at all, rests on them.

use std::collections::BTreeMap;

use super::{Basis, Estimate, Evidence, Keys, Output};
use crate::archive::Archive;
use crate::table::Table;

/// Gives every value and table that rests on a rebuilt run the basis that says so. Costs a second
/// computation, over the other runs, where an archive holds rebuilt runs, and nothing elsewhere.
pub(super) fn marked(mut output: Output, evidence: &Evidence<'_>, compute: impl Fn(&Evidence<'_>) -> Output) -> Output {
    if evidence.archive.rebuilt().next().is_none() {
        return output;
    }
    let recorded = || evidence.archive.runs.iter().enumerate().filter(|(_, run)| !run.declared.is_rebuilt());
    let kept = recorded().map(|(_, run)| run.clone()).collect();
    let readings: Vec<_> = recorded().filter_map(|(at, _)| evidence.readings.get(at).cloned()).collect();
    let whole = evidence.archive;
    let archive = Archive {
        runs: kept,
        transcripts: whole.transcripts.clone(),
        annotations: whole.annotations.clone(),
        literals: whole.literals.clone(),
        summaries: whole.summaries.clone(),
        recounts: whole.recounts.clone(),
        coverage: whole.coverage.clone(),
        materials: whole.materials.clone(),
    };
    let without = compute(&Evidence { archive: &archive, readings: &readings, boards: None, ..*evidence });
    let facts: BTreeMap<(&str, &str, &Keys), (&Estimate, Basis)> = without
        .facts
        .iter()
        .map(|fact| ((fact.statistic, fact.measure, &fact.keys), (&fact.estimate, fact.basis)))
        .collect();
    for fact in output.facts.iter_mut().filter(|fact| fact.basis < Basis::Rebuilt) {
        let same = facts.get(&(fact.statistic, fact.measure, &fact.keys));
        // A fact that is undefined with these runs as well lacks something else.
        if same != Some(&(&fact.estimate, fact.basis)) {
            fact.basis = Basis::Rebuilt;
        }
    }
    let tables: BTreeMap<&str, &Table> = without.tables.iter().map(|table| (table.id.as_str(), table)).collect();
    for table in &mut output.tables {
        table.rebuilt = tables.get(table.id.as_str()).is_none_or(|other| other.rows != table.rows);
    }
    output
}

#[cfg(test)]
mod tests {
    use crate::statistics::fixture::{Fixture, problem};
    use crate::statistics::{Basis, Facts, compute_all};

    fn study() -> Fixture {
        Fixture::new(&[("a", "A", false), ("b", "B", false)])
            .set("core", "problems", None, (0..4).map(|i| problem(&format!("p{i}"), "x", "low", 1)).collect())
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPFF")
            .run("core_code", "b", 1, "PPPF")
    }

    #[test]
    fn only_what_a_rebuilt_run_has_a_say_in_rests_on_it() {
        let mut study = study();
        let bases = |study: &Fixture| {
            let facts = Facts::new(compute_all(&study.evidence(), crate::statistics::ALL).facts);
            ["a", "b"].map(|model| {
                let keys = [("model", model), ("set", "core"), ("protocol", "code"), ("run", "1")];
                facts.get("accuracy-run", "percent", &keys).unwrap().basis
            })
        };
        assert_eq!(bases(&study), [Basis::Records, Basis::Records]);
        let rebuilt = study.archive.runs.iter_mut().find(|run| run.key.configuration.as_str() == "b").unwrap();
        rebuilt.declared.provenance = Some("rebuilt from published/outcomes.csv".into());
        assert_eq!(bases(&study), [Basis::Records, Basis::Rebuilt]);
        let tables = compute_all(&study.evidence(), crate::statistics::ALL).tables;
        assert!(tables.iter().any(|table| table.rebuilt), "a table over both models rests on the rebuilt run");
    }

    #[test]
    fn files_named_by_a_provenance_are_found_without_reading_it() {
        let declared = |text: &str| crate::archive::Declared { provenance: Some(text.into()), ..Default::default() };
        let named = |text: &str| declared(text).rebuilt_from().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(named("reconstructed from published/F24_run_outcomes.csv"), ["published/F24_run_outcomes.csv"]);
        assert_eq!(named("from a.csv, b/c.json and notes (v 1.0)."), ["a.csv", "b/c.json"]);
        assert!(named("by hand").is_empty() && declared("by hand").is_rebuilt());
    }
}
