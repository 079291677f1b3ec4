//! Paired difference between originals and variants, and the published table of tests.

use super::pairs::FamilyPairs;
use crate::statistics::names::percent;
use crate::statistics::pairing::Counts;
use crate::statistics::{About, Basis, Estimate, Evidence, Interval, KeyDoc, Output, Statistic, holm};
use crate::study::Configuration;
use crate::table::{Cell, Kind, Table};

/// See [`ABOUT`].
pub(crate) struct PairedDelta;

static ABOUT: About = About {
    id: "paired-delta",
    also: &[],
    title: "Paired difference between originals and variants",
    unit: "points",
    meaning: "How many points a configuration loses when the same problems are asked with other numbers or in \
              other words. Positive means that variants are harder for it. Only parents count whose two \
              states differ.",
    formula: "b = parents solved in the original and not held by their variants (lost); c = held and not solved \
              (gained); n = parents of the family; delta = 100 × (b - c) / n.",
    source: "Rule paired-delta of the study; the difference of paired proportions (Agresti 2013, section 11.1).",
    edge_cases: "Undefined for a configuration that does not pass the completeness gate (see \
                 variant-majority-5). n counts every parent of the family, discordant or not. From a published \
                 table of tests b - c follows from the printed difference and b + c from the printed interval; \
                 the pair is used only if it has the printed P.",
    example: "b = 9, c = 1, n = 346: delta = 100 × 8 / 346 = 2.31 points.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("delta", "difference in points, with its Wald interval (see paired-ci)"),
        ("lost", "b, parents"),
        ("gained", "c, parents"),
    ],
};

impl Statistic for PairedDelta {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let families = evidence.pairs();
        for pairs in &families {
            for (configuration, counts) in &pairs.rows {
                let keys = pairs.keys(configuration);
                let estimates = match counts {
                    Ok(counts) => [
                        Estimate::value(counts.loss()).within(counts.wald()),
                        Estimate::count(counts.lost),
                        Estimate::count(counts.gained),
                    ],
                    Err(reason) => [(); 3].map(|()| Estimate::undefined(reason.clone())),
                };
                for (measure, estimate) in ["delta", "lost", "gained"].into_iter().zip(estimates) {
                    out.fact(ABOUT.id, measure, &keys, estimate, pairs.basis);
                }
            }
        }
        out.tables.extend(forest(evidence, &families));
        out
    }
}

/// One row per configuration and family, families in order, configurations by key. Of a family that is
/// itself only known from the published table nothing but the originals is recomputed.
fn forest(evidence: &Evidence<'_>, families: &[FamilyPairs<'_>]) -> Option<Table> {
    const STATISTICS: [&str; 6] =
        ["majority-of-3", "variant-majority-5", "paired-delta", "paired-ci", "mcnemar-exact", "holm"];
    let columns = [
        ("model", Kind::Text, ""),
        ("family", Kind::Text, ""),
        ("n_parents", Kind::Integer, "parents"),
        ("core_pct", Kind::Real, "percent"),
        ("variant_pct", Kind::Real, "percent"),
        ("delta_pt", Kind::Real, "points"),
        ("ci_lo_pt", Kind::Real, "points"),
        ("ci_hi_pt", Kind::Real, "points"),
        ("mcnemar_p", Kind::Real, "p"),
        ("p_holm", Kind::Real, "p"),
    ];
    let title = "Originals against variants: paired difference, 95 % interval, exact McNemar P, Holm-adjusted P";
    let mut table = Table::new("F6_2_forest", title, &STATISTICS, &columns);
    for pairs in families.iter().filter(|pairs| pairs.known().next().is_some()) {
        let mut adjusted =
            holm::adjusted(&pairs.known().map(|(_, counts)| counts.p().to_f64()).collect::<Vec<_>>()).into_iter();
        let mut rows: Vec<_> =
            pairs.rows.iter().map(|(c, counts)| (*c, row(evidence, pairs, c, counts, &mut adjusted))).collect();
        rows.sort_by(|(a, _), (b, _)| a.key.cmp(&b.key));
        for (_, row) in rows {
            table.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Cells of one configuration; `adjusted` yields the next adjusted P for each configuration with counts.
fn row(
    evidence: &Evidence<'_>,
    pairs: &FamilyPairs<'_>,
    configuration: &Configuration,
    counts: &Result<Counts, String>,
    adjusted: &mut impl Iterator<Item = f64>,
) -> Vec<Cell> {
    let mut row = vec![Cell::text(configuration.name.as_str()), Cell::text(pairs.family.as_str())];
    let adjusted = counts.as_ref().ok().and_then(|_| adjusted.next());
    match counts {
        Ok(counts) if pairs.basis < Basis::Published => {
            let Interval { low, high, .. } = counts.wald();
            row.extend([
                Cell::count(counts.pairs()),
                Cell::rounded(percent(counts.before(), counts.pairs()), 1),
                Cell::rounded(percent(counts.after(), counts.pairs()), 1),
                Cell::rounded(counts.loss(), 2),
                Cell::rounded(low, 2),
                Cell::rounded(high, 2),
                Cell::full(counts.p().to_f64()),
                Cell::rounded(adjusted.unwrap_or(1.0), 4),
            ]);
        }
        counts => {
            let reason = counts.as_ref().err().map_or("printed, not recomputed: no run is archived", String::as_str);
            row.extend((0..8).map(|_| Cell::Undefined(reason.into())));
            if let Some((solved, all)) = evidence.whole_core(pairs, configuration) {
                row[3] = Cell::rounded(percent(solved, all), 1);
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;

    #[test]
    fn the_forest_prints_as_python_would() {
        let out = small().compute(&PairedDelta);
        let csv = crate::table::to_csv(&out.tables[0]);
        let lines: Vec<&str> = csv.lines().collect();
        // b = c = 1 of 2: se = √(2/4) = 0.7071, ends ± 138.59 points.
        assert_eq!(lines[1], "Model a,numeric,2,50.0,50.0,0.0,-138.59,138.59,1.0,1.0");
        assert_eq!(lines[2], "Model a-r,numeric,2,100.0,100.0,0.0,0.0,0.0,1.0,1.0");
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn facts_carry_counts_and_interval() {
        let facts = crate::statistics::Facts::new(small().compute(&PairedDelta).facts);
        let lost = facts.get("paired-delta", "lost", &[("family", "numeric"), ("model", "a")]).unwrap();
        assert_eq!(lost.estimate, Estimate::count(1));
        let delta = facts.get("paired-delta", "delta", &[("family", "numeric"), ("model", "a")]).unwrap();
        assert!(matches!(&delta.estimate, Estimate::Value { interval: Some(i), .. } if i.method == "wald-paired"));
    }
}
