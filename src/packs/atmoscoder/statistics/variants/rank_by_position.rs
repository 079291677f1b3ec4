//! The rank correlation that the study's threshold text uses: ties broken by position in a list.

use super::layout::FAMILIES;
use super::pairs::FamilyPairs;
use crate::packs::atmoscoder::family::Family;
use crate::packs::atmoscoder::options::Options;
use crate::statistics::correlation::naive_spearman;
use crate::statistics::names::percent;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct RankByPosition;

static ABOUT: About = About {
    id: "rank-correlation-naive",
    also: &[],
    title: "Rank agreement with ties broken by position",
    unit: "rho",
    meaning: "Repeats a printed number. Where two configurations are equal, the one earlier in a list gets the better \
              rank, so the result depends on that list; rank-correlation is the measure to trust.",
    formula: "Ranks by stable descending sort in the declared order; rho = 1 - 6 Σ d² / (n (n² - 1)), d = difference of \
              the two ranks, n configurations. Columns: originals solved on the parents of the family, against parents \
              with at least 3, 4, 5 variants solved.",
    source: "Rule rank-correlation-naive of the study; the textbook formula without its correction for ties.",
    edge_cases: "Order: the study's declared tie order, else the declared order of configurations. Configurations that \
                 the order does not name are left out. Undefined for fewer than three configurations; thresholds 4 and \
                 5 need runs.",
    example: "Values (5, 9, 5): ranks 2, 1, 3.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "threshold", meaning: "`3`, `4` or `5` variants" },
    ],
    measures: &[("rho", "rank correlation with the core column")],
};

impl Statistic for RankByPosition {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let families = evidence.pairs();
        for family in FAMILIES {
            let Some(pairs) = families.iter().find(|pairs| pairs.family == family) else { continue };
            for threshold in 3..=5 {
                let (estimate, basis) = correlation(evidence, pairs, family, threshold);
                let threshold = threshold.to_string();
                let keys = [("family", family.as_str()), ("threshold", threshold.as_str())];
                out.fact(ABOUT.id, "rho", &keys, estimate, basis);
            }
        }
        out
    }
}

fn correlation(
    evidence: &Evidence<'_>,
    pairs: &FamilyPairs<'_>,
    family: Family,
    threshold: usize,
) -> (Estimate, Basis) {
    // Solved variants by parent, where runs are archived; held parents stand for the majority of five.
    let states = evidence.states(family).ok();
    let reaching = |key: &str, held: usize| -> Result<usize, String> {
        let row = states.as_ref().and_then(|states| states.rows.iter().find(|(c, _)| c.key.as_str() == key));
        let solved: Option<Vec<usize>> =
            row.and_then(|(_, row)| row.as_ref().ok()?.iter().map(|s| s.solved.map(|(k, _)| k)).collect());
        match solved {
            Some(solved) => Ok(solved.into_iter().filter(|&k| k >= threshold).count()),
            None if threshold == 3 => Ok(held),
            None => Err(evidence.layout(family).err().unwrap_or_else(|| "no run is archived".into())),
        }
    };
    let (mut core, mut variants) = (Vec::new(), Vec::new());
    for key in order(evidence) {
        let Some((_, counts)) = pairs.known().find(|(c, _)| c.key.as_str() == key) else { continue };
        match reaching(key, counts.after()) {
            Ok(reaching) => {
                core.push(percent(counts.before(), counts.pairs()));
                variants.push(percent(reaching, counts.pairs()));
            }
            Err(reason) => return (Estimate::undefined(reason), Basis::Records),
        }
    }
    let estimate = match naive_spearman(&core, &variants) {
        Some(rho) if core.len() > 2 => Estimate::value(rho),
        _ => Estimate::undefined(format!("{} configurations have both values", core.len())),
    };
    (estimate, pairs.basis)
}

fn order<'a>(evidence: &Evidence<'a>) -> Vec<&'a str> {
    let declared = Options::of(evidence.study).tie_order;
    if declared.is_empty() {
        evidence.leaderboard().map(|c| c.key.as_str()).collect()
    } else {
        declared.iter().filter_map(|key| Some(evidence.configuration(key.as_str())?.key.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::Fixture;

    #[test]
    fn the_declared_order_decides_ties() {
        let rho = |order: &[&str]| {
            let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false), ("c", "C", false)]).set(
                "numeric",
                "numeric-variants",
                Some("core"),
                Vec::new(),
            );
            study.option("tie-order", order.to_vec());
            let table = "parent,model,state\np,a,both\nq,a,neither\np,b,both\nq,b,neither\np,c,gained\nq,c,gained\n";
            study.published.insert("variants_numeric_parent_states".into(), table.into());
            let facts = Facts::new(study.compute(&RankByPosition).facts);
            let fact = |threshold| {
                facts.get("rank-correlation-naive", "rho", &[("family", "numeric"), ("threshold", threshold)])
            };
            assert!(fact("4").unwrap().estimate.point().is_none());
            fact("3").unwrap().estimate.point().unwrap()
        };
        // Core 50, 50, 0; variants 50, 50, 100. In the order a b c: ranks 1 2 3 against 2 3 1, Σd² = 6.
        assert_eq!(rho(&[]), -0.5);
        assert_eq!(rho(&["c", "b", "a"]), -0.5);
    }
}
