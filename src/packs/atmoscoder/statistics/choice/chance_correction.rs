//! The format gap without what guessing alone earns.

use super::formats::{Formats, Model, Subset};
use super::gap::share;
use crate::statistics::published::Grid;
use crate::statistics::tolerance::percent_key;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `chance-correction`.
pub(crate) struct ChanceCorrection;

static ABOUT: About = About {
    id: "chance-correction",
    also: &[],
    title: "Format gap corrected for guessing",
    unit: "points",
    meaning: "Part of the option accuracy is luck. Removing what blind guessing would earn, and granting the computed answer a wider \
              tolerance, leaves a lower bound of what the format adds.",
    formula: "With k options: p' = (p - 1/k) / (1 - 1/k) for the option accuracy p; corrected = 100 p'. gap(t) = corrected - computed \
              accuracy when stored answers are graded again at tolerance t. With subset clean both sides are over the instances on \
              sound templates.",
    source: "Correction for guessing (Diamond and Evans 1973); rule chance-correction of the study.",
    edge_cases: "k is the number of options where every instance archives the same number of them, else four. p' is negative below the \
                 guessing rate. A tolerance other than the study's needs returned values. Where a model's runs are not archived but the \
                 published tolerance table has its numbers, all instances follow from it (basis `published`).",
    example: "p = 94.48 %: p' = (0.9448 - 0.25) / 0.75 = 92.64 %; computed at 20 %: 61.9 %; gap 30.7 points.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "tolerance", meaning: "tolerance of the computed side in percent, for gap" },
        KeyDoc { key: "subset", meaning: "`all` or `clean`" },
    ],
    measures: &[
        ("gap", "corrected option minus computed accuracy, points"),
        ("corrected", "corrected option accuracy, percent"),
    ],
};

impl Statistic for ChanceCorrection {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let printed = Grid::read(evidence, "F6_4_tolerance_sweep");
        for formats in evidence.formats() {
            let chance = chance(&formats);
            for model in formats.models() {
                for subset in [Subset::All, Subset::Clean] {
                    let keys = [("set", formats.set.id.as_str()), ("model", model.key), ("subset", subset.as_str())];
                    let (own, basis) = option(&formats, &model, subset, printed.as_ref());
                    let option = own.map(|percent| corrected(percent, chance));
                    let estimate = option.clone().map_or_else(Estimate::undefined, Estimate::value);
                    out.fact(ABOUT.id, "corrected", &keys, estimate, basis);
                    for &tolerance in &evidence.study.grading.sweep {
                        let (code, code_basis) =
                            code(evidence, &formats, &model, (subset, tolerance), printed.as_ref());
                        let gap = option.clone().and_then(|option| Ok(option - code?));
                        let tolerance = percent_key(tolerance);
                        let keys = [keys[0], keys[1], keys[2], ("tolerance", tolerance.as_str())];
                        let estimate = gap.map_or_else(Estimate::undefined, Estimate::value);
                        out.fact(ABOUT.id, "gap", &keys, estimate, basis.max(code_basis));
                    }
                }
            }
        }
        out
    }
}

/// Share that blind guessing earns.
fn chance(formats: &Formats<'_>) -> f64 {
    let options = |problem: &crate::corpus::Problem| problem.choice.as_ref().map_or(0, |choice| choice.options.len());
    let first = formats.set.problems.first().map_or(0, options);
    let same = first > 1 && formats.set.problems.iter().all(|problem| options(problem) == first);
    1.0 / if same { first as f64 } else { 4.0 }
}

fn corrected(percent: f64, chance: f64) -> f64 {
    100.0 * (percent / 100.0 - chance) / (1.0 - chance)
}

type Found = (Result<f64, String>, Basis);

/// Option accuracy in percent: from records, else from the published table.
fn option(formats: &Formats<'_>, model: &Model<'_, '_>, subset: Subset, printed: Option<&Grid>) -> Found {
    let own = formats.positions(subset).and_then(|positions| share(model.option(&positions)?));
    or_printed(own, subset, printed, model.key, "option_mode")
}

/// Computed accuracy in percent: from values graded again, else the stored verdicts at the study's own
/// tolerance, else from the published table.
fn code(
    evidence: &Evidence<'_>,
    formats: &Formats<'_>,
    model: &Model<'_, '_>,
    (subset, tolerance): (Subset, f64),
    printed: Option<&Grid>,
) -> Found {
    let positions = formats.positions(subset);
    let regraded = positions.clone().and_then(|positions| share(model.code_at(&positions, tolerance)?));
    let own = match regraded {
        Err(_) if tolerance == evidence.study.grading.tolerance => {
            positions.and_then(|positions| share(model.code(&positions)?))
        }
        regraded => regraded,
    };
    or_printed(own, subset, printed, model.key, &format!("code_{}pct", percent_key(tolerance)))
}

fn or_printed(own: Result<f64, String>, subset: Subset, printed: Option<&Grid>, key: &str, column: &str) -> Found {
    let quoted = || {
        let printed = printed.filter(|_| subset == Subset::All)?;
        let row = (0..printed.len()).find(|&row| printed.cell(row, "model") == Some(key))?;
        printed.number(row, column)
    };
    match own {
        Ok(own) => (Ok(own), Basis::Records),
        Err(reason) => quoted().map_or((Err(reason), Basis::Records), |quoted| (Ok(quoted), Basis::Published)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn the_published_range_follows_from_the_published_table() {
        // Gaps 30.7, 29.0, 20.5, 38.3, 21.4, 20.8 at 20 %.
        let rows = [
            (94.48, 61.9, "30.7"),
            (88.51, 55.7, "29.0"),
            (80.15, 53.0, "20.5"),
            (88.06, 45.8, "38.3"),
            (63.28, 29.6, "21.4"),
            (57.01, 21.9, "20.8"),
        ];
        for (option, code, gap) in rows {
            assert_eq!(crate::number::fixed(corrected(option, 0.25) - code, 1), gap);
        }
        assert_eq!((corrected(25.0, 0.25), corrected(100.0, 0.25)), (0.0, 100.0));
    }

    #[test]
    fn records_come_first_and_tables_fill_in() {
        let mut study = study();
        study.study.grading.sweep = vec![0.05, 0.2];
        let text = "model,code_5pct,code_10pct,code_20pct,option_mode\nn,53.0,54.6,55.7,88.51\n";
        study.published.insert("F6_4_tolerance_sweep".into(), text.into());
        let facts = Facts::new(study.compute(&ChanceCorrection).facts);
        let fact = |model, subset, tolerance| {
            let keys = [("set", "mcq"), ("model", model), ("subset", subset), ("tolerance", tolerance)];
            facts.get("chance-correction", "gap", &keys).unwrap().clone()
        };
        // 4 of 6: p' = (2/3 - 1/4) / (3/4) = 5/9; computed 2 of 6.
        let own = fact("m", "all", "5");
        assert!((own.estimate.point().unwrap() - 100.0 * (5.0 / 9.0 - 1.0 / 3.0)).abs() < 1e-12);
        assert_eq!(own.basis, Basis::Records);
        // n's computed answers are archived, so only its option accuracy is quoted.
        let mixed = fact("n", "all", "20");
        assert!((mixed.estimate.point().unwrap() - (corrected(88.51, 0.25) - 100.0 / 6.0)).abs() < 1e-9);
        assert_eq!(mixed.basis, Basis::Published);
        assert!(fact("n", "clean", "20").estimate.point().is_none());
    }
}
