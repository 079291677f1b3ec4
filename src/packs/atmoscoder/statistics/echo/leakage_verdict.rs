//! Which originals were probably seen before, by convergent strict echoes.

use std::collections::{BTreeMap, BTreeSet};

use super::failures::Failures;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct LeakageVerdict;

/// Configurations with a strict echo that make a parent confirmed.
const CONFIRMED: usize = 2;

static ABOUT: About = About {
    id: "leakage-verdict",
    also: &[],
    title: "Leakage verdict of original problems",
    unit: "count",
    meaning: "One configuration that repeats the old answer may have arrived at it by accident; several that do so \
              independently point at the problem having been seen.",
    formula: "m = configurations with at least one strict echo of a parent: m ≥ 2 confirmed, m = 1 suspect, m = 0 clean. n = \
              parents per verdict; flagged = confirmed + suspect.",
    source: "Rule leakage-verdict of the study.",
    edge_cases: "Needs returned values. Where they are not archived but an archived table of parent states marks leaked \
                 parents, confirmed and its books come from that mark (basis `states`), and the other verdicts are \
                 undefined.",
    example: "Strict echoes of one parent by three configurations, in nine runs: m = 3, confirmed.",
    keys: &[
        KeyDoc { key: "verdict", meaning: "`confirmed-leaked`, `suspect` or `clean`" },
        KeyDoc { key: "problem", meaning: "parent id" },
        KeyDoc { key: "book", meaning: "source of the problem" },
    ],
    measures: &[
        ("n", "parents with a verdict"),
        ("flagged", "confirmed and suspect parents"),
        ("models", "m of a flagged parent"),
        ("confirmed", "1 for a confirmed parent; by book: confirmed parents from it"),
    ],
};

/// What is known about leaked parents; made once by whoever needs more than one answer.
#[derive(Debug, Clone)]
pub(crate) struct Leakage {
    /// Configurations with a strict echo by echoed parent, and the number of parents.
    echoed: Result<(BTreeMap<String, usize>, usize), String>,
    /// Parents that an archived table of states marks as leaked, where there are no echoes to go by.
    marked: Option<(BTreeSet<String>, Basis)>,
}

impl Leakage {
    /// From echoes, else from an archived mark.
    pub(crate) fn new(evidence: &Evidence<'_>) -> Self {
        let echoed = evidence.failures().map(|found| Self::of(&found));
        let marked = match &echoed {
            Ok(_) => None,
            Err(_) => evidence.states(Family::Numeric).ok().map(|states| (states.leaked, states.basis)),
        };
        Self { echoed, marked: marked.filter(|(parents, _)| !parents.is_empty()) }
    }

    /// Configurations with a strict echo by echoed parent, and the number of parents.
    fn of(found: &Failures<'_>) -> (BTreeMap<String, usize>, usize) {
        let mut keys: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for failure in found.strict() {
            keys.entry(failure.parent).or_default().insert(failure.configuration.key.as_str());
        }
        let models = keys.into_iter().map(|(parent, keys)| (parent.to_owned(), keys.len())).collect();
        (models, found.parents.len())
    }

    /// Number of parents that are confirmed by these failures.
    pub(super) fn confirmed_by(found: &Failures<'_>) -> usize {
        Self::of(found).0.values().filter(|&&models| models >= CONFIRMED).count()
    }

    fn with(&self, fits: impl Fn(usize) -> bool) -> Result<BTreeSet<String>, String> {
        let (models, _) = self.echoed.as_ref().map_err(Clone::clone)?;
        Ok(models.iter().filter(|&(_, &models)| fits(models)).map(|(parent, _)| parent.clone()).collect())
    }

    /// Parents with the verdict confirmed.
    ///
    /// # Errors
    /// What is not archived.
    pub(crate) fn confirmed(&self) -> Result<(BTreeSet<String>, Basis), String> {
        match (self.with(|models| models >= CONFIRMED), &self.marked) {
            (Ok(parents), _) => Ok((parents, Basis::Records)),
            (Err(_), Some(marked)) => Ok(marked.clone()),
            (Err(reason), None) => Err(reason),
        }
    }

    /// Parents with the verdict confirmed or suspect.
    ///
    /// # Errors
    /// What is not archived.
    pub(crate) fn flagged(&self) -> Result<(BTreeSet<String>, Basis), String> {
        self.with(|models| models > 0).map(|parents| (parents, Basis::Records))
    }
}

impl Statistic for LeakageVerdict {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        if evidence.family_set(Family::Numeric).is_none() {
            return out;
        }
        let leakage = Leakage::new(evidence);
        let confirmed = leakage.confirmed();
        let basis = confirmed.as_ref().map_or(Basis::Records, |&(_, basis)| basis);
        let mut verdict = |name: &str, n: Result<usize, String>, basis: Basis| {
            let estimate = n.map_or_else(Estimate::undefined, Estimate::count);
            out.fact(ABOUT.id, "n", &[("verdict", name)], estimate, basis);
        };
        verdict("confirmed-leaked", confirmed.as_ref().map(|(parents, _)| parents.len()).map_err(Clone::clone), basis);
        verdict(
            "suspect",
            leakage.with(|models| models > 0 && models < CONFIRMED).map(|found| found.len()),
            Basis::Records,
        );
        match &leakage.echoed {
            Ok((models, parents)) => {
                verdict("clean", Ok(parents - models.len()), Basis::Records);
                out.fact(ABOUT.id, "flagged", &[], Estimate::count(models.len()), Basis::Records);
                for (parent, models) in models {
                    out.fact(ABOUT.id, "models", &[("problem", parent)], Estimate::count(*models), Basis::Records);
                }
            }
            Err(reason) => {
                verdict("clean", Err(reason.clone()), Basis::Records);
                out.fact(ABOUT.id, "flagged", &[], Estimate::undefined(reason.clone()), Basis::Records);
            }
        }
        if let Ok((parents, basis)) = &confirmed {
            by_book(&mut out, evidence, parents, *basis);
        }
        out
    }
}

fn by_book(out: &mut Output, evidence: &Evidence<'_>, confirmed: &BTreeSet<String>, basis: Basis) {
    let set = evidence.family_set(Family::Numeric).and_then(|set| evidence.corpus.set(set.parents.as_ref()?.as_str()));
    let mut books: BTreeMap<&str, usize> = BTreeMap::new();
    for parent in confirmed {
        out.fact(ABOUT.id, "confirmed", &[("problem", parent)], Estimate::count(1), basis);
        if let Some(book) = set.and_then(|set| set.get(parent)?.book.as_deref()) {
            *books.entry(book).or_default() += 1;
        }
    }
    for (book, count) in books {
        out.fact(ABOUT.id, "confirmed", &[("book", book)], Estimate::count(count), basis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn one_model_makes_a_suspect_and_two_make_it_confirmed() {
        let mut study = study();
        let n = |facts: &Facts, verdict| {
            facts.get("leakage-verdict", "n", &[("verdict", verdict)]).unwrap().estimate.point()
        };
        let facts = Facts::new(study.compute(&LeakageVerdict).facts);
        assert_eq!(["confirmed-leaked", "suspect", "clean"].map(|v| n(&facts, v)), [0.0, 1.0, 0.0].map(Some));
        for run in study.archive.runs.iter_mut().filter(|run| run.key.experiment.as_str() == "core_code") {
            run.records[0].passed = Some(true);
        }
        let facts = Facts::new(study.compute(&LeakageVerdict).facts);
        assert_eq!(["confirmed-leaked", "suspect", "clean"].map(|v| n(&facts, v)), [1.0, 0.0, 0.0].map(Some));
        let book = facts.get("leakage-verdict", "confirmed", &[("book", "book")]).unwrap();
        assert_eq!(book.estimate, Estimate::count(1));
    }

    #[test]
    fn without_values_an_archived_mark_stands_in() {
        let mut study = study();
        study.archive.runs.retain(|run| run.key.experiment.as_str() == "core_code");
        let table = "parent,leaked,model,state\np,yes,a,both\np,yes,b,neither\n";
        study.published.insert("variants_numeric_parent_states".into(), table.into());
        let facts = Facts::new(study.compute(&LeakageVerdict).facts);
        let confirmed = facts.get("leakage-verdict", "n", &[("verdict", "confirmed-leaked")]).unwrap();
        assert_eq!((confirmed.estimate.point(), confirmed.basis), (Some(1.0), Basis::States));
        assert!(facts.get("leakage-verdict", "flagged", &[]).unwrap().estimate.point().is_none());
    }
}
