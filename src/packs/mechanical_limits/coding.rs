//! Whether an independent coder agrees with the rule that sorts replies into tiers.

use std::collections::BTreeMap;

use super::records::{CODINGS, Records};
use crate::statistics::agreement::{Matrix, kappa, observed, of_weighted, weighted};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "coder-agreement",
    also: &[],
    title: "Agreement of rule and coder",
    unit: "fraction",
    meaning: "How often a person who codes replies blind agrees with the rule: per tier of the rule, over the sample, and \
              weighted to the population from which tiers were sampled unequally.",
    formula: "agreement = replies with equal labels / replies; kappa = (po - pe) / (1 - pe) with pe from the margins; \
              weighted: each tier of the rule counts as often as in the population.",
    source: "Cohen (1960); stratified weights from the study's plan.",
    edge_cases: "Without pairs, or when both always give one label: undefined. A tier that the population does not list \
                 is left out of the weighted values.",
    example: "32 of 38, 24 of 28 and 27 of 28 agree: 83 of 94.",
    keys: &[KeyDoc { key: "tier", meaning: "tier by the rule" }],
    measures: &[
        ("agreement", "replies with equal labels, out of the tier's; the value is the fraction"),
        ("replies", "coded replies"),
        ("kappa", "Cohen's kappa in the sample"),
        ("weighted-agreement", "agreement weighted to the population"),
        ("weighted-kappa", "kappa of the weighted matrix"),
    ],
};

/// Agreement of rule and coder.
pub(super) struct Agreement;

fn fraction(k: u64, n: u64) -> Estimate {
    if n == 0 {
        return Estimate::undefined("nothing was coded");
    }
    Estimate::Value { value: k as f64 / n as f64, count: Some((k, n)), interval: None }
}

impl Statistic for Agreement {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(CODINGS) {
            output.on(ABOUT.id, Basis::Records, &[]).put("kappa", Estimate::undefined(reason));
            return output;
        }
        let mut matrix = Matrix::new();
        for coding in &records.codings {
            *matrix.entry((coding.rule.clone(), coding.coder.clone())).or_default() += 1;
        }
        let mut tiers: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for ((rule, coder), n) in &matrix {
            let tier = tiers.entry(rule).or_default();
            tier.0 += if rule == coder { *n } else { 0 };
            tier.1 += n;
        }
        for (tier, (equal, all)) in tiers {
            output.on(ABOUT.id, Basis::Records, &[("tier", tier)]).put("agreement", fraction(equal, all));
        }
        let (all, equal) = observed(&matrix);
        let estimate =
            |value: Option<f64>, reason: &str| value.map_or_else(|| Estimate::undefined(reason), Estimate::value);
        let population = of_weighted(&weighted(&matrix, &records.plan.population));
        output
            .on(ABOUT.id, Basis::Records, &[])
            .put("agreement", fraction(equal, all))
            .put("replies", Estimate::count(all as usize))
            .put("kappa", estimate(kappa(&matrix), "both always give one label, or nothing was coded"))
            .put("weighted-agreement", estimate(population.0, "the plan lists no population of these tiers"))
            .put("weighted-kappa", estimate(population.1, "the plan lists no population of these tiers"));
        let columns = [("rule", Kind::Text, ""), ("coder", Kind::Text, ""), ("replies", Kind::Integer, "replies")];
        let mut table =
            Table::new("coder_matrix", "Labels of the rule against those of the coder", &[ABOUT.id], &columns);
        for ((rule, coder), n) in &matrix {
            table.push(vec![Cell::text(rule.as_str()), Cell::text(coder.as_str()), Cell::count(*n as usize)]);
        }
        output.tables.push(table);
        output
    }
}
