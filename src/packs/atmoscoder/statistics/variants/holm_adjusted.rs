//! McNemar P values adjusted within each family of variants.

use crate::statistics::{About, Estimate, Evidence, KeyDoc, Output, Statistic, holm};

/// See [`ABOUT`].
pub(crate) struct HolmAdjusted;

/// A difference is called significant below this adjusted P.
const LEVEL: f64 = 0.05;

static ABOUT: About = About {
    id: "holm",
    also: &[],
    title: "Holm-adjusted P values",
    unit: "p",
    meaning: "McNemar P values corrected for asking the same question of every configuration. The family that \
              is corrected together is all tested configurations of the leaderboard under one family of \
              variants; nothing else is adjusted anywhere.",
    formula: "The m P values of a family sorted ascending, p(0) ≤ … ≤ p(m-1); adjusted p(r) = min(1, max over s ≤ r \
              of (m - s) × p(s)).",
    source: "Holm 1979; rule holm of the study.",
    edge_cases: "Equal P values get equal adjusted values. A configuration that does not pass the completeness \
                 gate is not tested and does not enter m. Undefined where mcnemar-exact is.",
    example: "Sixteen values, the smallest 0.021484375 and the next 0.0635681: 16 × 0.021484375 = 0.34375 and 15 × \
              0.0635681 = 0.9535; all others reach 1.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`; absent for both together" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("p", "adjusted P"),
        ("smallest", "smallest adjusted P of a family"),
        ("tests", "m, configurations tested in a family"),
        ("significant", "configurations with an adjusted P below 0.05 in a family, or in any family"),
    ],
};

impl Statistic for HolmAdjusted {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let mut significant: Vec<&str> = Vec::new();
        let mut weakest = None;
        for pairs in evidence.pairs() {
            let tested: Vec<f64> = pairs.known().map(|(_, counts)| counts.p().to_f64()).collect();
            let mut adjusted = holm::adjusted(&tested).into_iter();
            let family = [("family", pairs.family.as_str())];
            let mut here = Vec::new();
            for (configuration, counts) in &pairs.rows {
                let p = match counts {
                    Ok(_) => adjusted.next().map_or_else(|| Estimate::undefined("not tested"), Estimate::value),
                    Err(reason) => Estimate::undefined(reason.clone()),
                };
                here.extend(p.point().map(|p| (configuration.key.as_str(), p)));
                out.fact(ABOUT.id, "p", &pairs.keys(configuration), p, pairs.basis);
            }
            let below: Vec<&str> = here.iter().filter(|(_, p)| *p < LEVEL).map(|&(key, _)| key).collect();
            let smallest = here.iter().map(|&(_, p)| p).min_by(f64::total_cmp);
            let untested = || Estimate::undefined("no configuration was tested");
            let counted = |count: usize| if here.is_empty() { untested() } else { Estimate::count(count) };
            out.fact(ABOUT.id, "smallest", &family, smallest.map_or_else(untested, Estimate::value), pairs.basis);
            out.fact(ABOUT.id, "tests", &family, Estimate::count(here.len()), pairs.basis);
            out.fact(ABOUT.id, "significant", &family, counted(below.len()), pairs.basis);
            if !here.is_empty() {
                significant.extend(below);
                weakest = weakest.max(Some(pairs.basis));
            }
        }
        significant.sort_unstable();
        significant.dedup();
        if let Some(basis) = weakest {
            out.fact(ABOUT.id, "significant", &[], Estimate::count(significant.len()), basis);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn a_family_of_two_without_differences() {
        let facts = Facts::new(small().compute(&HolmAdjusted).facts);
        let value = |measure: &str, keys: &[(&str, &str)]| facts.get("holm", measure, keys).unwrap().estimate.point();
        assert_eq!(value("p", &[("family", "numeric"), ("model", "a")]), Some(1.0));
        assert_eq!(value("tests", &[("family", "numeric")]), Some(2.0));
        assert_eq!(value("significant", &[]), Some(0.0));
    }

    #[test]
    fn an_untested_configuration_is_not_part_of_the_family() {
        let mut study = small();
        study.archive.runs.retain(|run| run.key.configuration.as_str() != "a");
        let facts = Facts::new(study.compute(&HolmAdjusted).facts);
        let fact = |model| facts.get("holm", "p", &[("family", "numeric"), ("model", model)]).unwrap();
        assert_eq!(fact("a").estimate, Estimate::undefined("core_code: 0 of 3 runs"));
        assert_eq!(facts.get("holm", "tests", &[("family", "numeric")]).unwrap().estimate.point(), Some(1.0));
    }
}
