//! Do variants and other fields rank configurations as the originals do?

use crate::archive::State;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::correlation::{kendall_tau_b, spearman};
use crate::statistics::names::percent;
use crate::statistics::pairing::Counts;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};
use crate::study::Configuration;
use crate::table::read_csv;

/// See [`ABOUT`].
pub(crate) struct RankAgreement;

static ABOUT: About = About {
    id: "rank-correlation",
    also: &[],
    title: "Rank agreement of leaderboards",
    unit: "rho",
    meaning: "Whether the order of configurations survives other numbers, other words and other fields.",
    formula: "Spearman rho = Pearson correlation of average ranks; Kendall tau-b = (C - D) / √((n0 - tx)(n0 - ty)) over \
              n0 pairs, C concordant, D discordant, tx and ty tied in a column. Columns: core = originals solved on \
              the parents of the numeric family; numeric and paraphrase = parents held. The core column of the \
              numeric parents is also used against paraphrase, as in the study; rho-matched and tau-matched use \
              the parents of that family instead. cross-domain: mean accuracy in the main experiment against the \
              pooled accuracy over all other fields.",
    source: "Spearman 1904; Kendall 1945 (tau-b); rule rank-correlation of the study.",
    edge_cases: "Over the configurations that both columns have (`n`), at least three; a column without spread has no \
                 rank correlation. Equal values share their average rank, in any input order. Where no run is \
                 archived, columns come from archived states or published tables, and the basis says so.",
    example: "Columns (3, 1, 2) and (30, 20, 10): ranks 3, 1, 2 and 3, 2, 1, rho = 0.5, tau = 1/3.",
    keys: &[KeyDoc {
        key: "comparison",
        meaning: "`core-vs-numeric`, `core-vs-paraphrase`, `numeric-vs-paraphrase` or `core-vs-cross-domain`",
    }],
    measures: &[
        ("rho", "Spearman's rho"),
        ("tau", "Kendall's tau-b"),
        ("rho-matched", "rho with the core column of the same parents"),
        ("tau-matched", "tau-b with the core column of the same parents"),
        ("n", "configurations compared"),
    ],
};

/// One column of a leaderboard: values by configuration, missing where there are none.
struct Column {
    values: Vec<(String, f64)>,
    basis: Basis,
}

impl Statistic for RankAgreement {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let families = evidence.pairs();
        let column = |family: Family, value: fn(Counts) -> usize| {
            let pairs = families.iter().find(|pairs| pairs.family == family)?;
            let values = pairs.known().map(|(c, counts)| (c.key.to_string(), percent(value(counts), counts.pairs())));
            Some(Column { values: values.collect(), basis: pairs.basis })
        };
        let (core, matched) = (column(Family::Numeric, Counts::before), column(Family::Paraphrase, Counts::before));
        let (numeric, paraphrase) = (column(Family::Numeric, Counts::after), column(Family::Paraphrase, Counts::after));
        compare(&mut out, "core-vs-numeric", ["rho", "tau"], core.as_ref(), numeric.as_ref());
        compare(&mut out, "core-vs-paraphrase", ["rho", "tau"], core.as_ref(), paraphrase.as_ref());
        compare(&mut out, "core-vs-paraphrase", ["rho-matched", "tau-matched"], matched.as_ref(), paraphrase.as_ref());
        compare(&mut out, "numeric-vs-paraphrase", ["rho", "tau"], numeric.as_ref(), paraphrase.as_ref());
        if evidence.study.sets.iter().any(|set| set.kind() == "other-domain") {
            let (main, cross) = (main_column(evidence), cross_column(evidence));
            compare(&mut out, "core-vs-cross-domain", ["rho", "tau"], main.as_ref(), cross.as_ref());
        }
        out
    }
}

/// Facts of one comparison; nothing when the study lacks a column altogether.
fn compare(out: &mut Output, name: &str, measures: [&'static str; 2], x: Option<&Column>, y: Option<&Column>) {
    let (Some(x), Some(y)) = (x, y) else { return };
    let partner = |key: &str| y.values.iter().find(|(other, _)| other == key).map(|&(_, value)| value);
    let shared: Vec<(f64, f64)> = x.values.iter().filter_map(|(key, value)| Some((*value, partner(key)?))).collect();
    let (xs, ys): (Vec<f64>, Vec<f64>) = shared.into_iter().unzip();
    let basis = x.basis.max(y.basis);
    let keys = [("comparison", name)];
    for (measure, value) in measures.into_iter().zip([spearman(&xs, &ys), kendall_tau_b(&xs, &ys)]) {
        let estimate = match value {
            _ if xs.len() < 3 => Estimate::undefined(format!("{} configurations have both values", xs.len())),
            Some(value) => Estimate::value(value),
            None => Estimate::undefined("a column has no spread"),
        };
        out.fact(ABOUT.id, measure, &keys, estimate, basis);
    }
    if measures[0] == "rho" {
        out.fact(ABOUT.id, "n", &keys, Estimate::count(xs.len()), basis);
    }
}

/// Mean accuracy over runs of the main experiment.
fn main_column(evidence: &Evidence<'_>) -> Option<Column> {
    let board = evidence.main_board()?;
    let complete = board.leaderboard().filter(|tally| tally.complete().is_ok());
    let value = |tally: &crate::statistics::tally::Tally<'_>| moments::mean(&tally.run_percents(&board.all()));
    let values = complete.filter_map(|tally| Some((tally.key.to_owned(), value(tally)?))).collect();
    Some(Column { values, basis: Basis::Records })
}

/// Pooled accuracy over the sets of other fields: from runs, else from the published table.
fn cross_column(evidence: &Evidence<'_>) -> Option<Column> {
    let sets: Vec<&str> =
        evidence.study.sets.iter().filter(|set| set.kind() == "other-domain").map(|set| set.id.as_str()).collect();
    let pooled = |c: &Configuration| -> Option<f64> {
        let (mut passed, mut graded) = (0, 0);
        for set in &sets {
            let experiment = evidence.experiment(set, "code")?;
            let mut runs = evidence.archive.runs_of(experiment.id.as_str(), c.key.as_str()).peekable();
            runs.peek()?;
            for record in runs.flat_map(|run| &run.records) {
                passed += usize::from(record.state() == State::Pass);
                graded += usize::from(record.state() != State::Excluded);
            }
        }
        (graded > 0).then(|| percent(passed, graded))
    };
    let values: Vec<_> = evidence.leaderboard().filter_map(|c| Some((c.key.to_string(), pooled(c)?))).collect();
    if !values.is_empty() {
        return Some(Column { values, basis: Basis::Records });
    }
    let (header, rows) = read_csv(evidence.published.get("F10_cross_domain")?).ok()?;
    let (model, overall) = (header.iter().position(|h| h == "model")?, header.iter().position(|h| h == "overall")?);
    let value = |row: &Vec<String>| {
        let configuration = evidence.study.configuration_named(&row[model])?;
        Some((configuration.key.to_string(), row[overall].parse().ok()?))
    };
    Some(Column { values: rows.iter().filter_map(value).collect(), basis: Basis::Published })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn three_configurations_and_their_ranks() {
        let core = (1..=3).map(|n| problem(&format!("p{n}"), "c", "low", 1)).collect();
        let numeric = (1..=3).map(|n| variant(&format!("v{n}"), &format!("p{n}"), 1)).collect();
        let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false), ("c", "C", false)])
            .set("core", "problems", None, core)
            .set("numeric", "numeric-variants", Some("core"), numeric)
            .set("soil", "other-domain", None, vec![problem("s1", "c", "low", 1)])
            .experiment("core_code", "core", "code", 1)
            .experiment("numeric_code", "numeric", "code", 1)
            .experiment("soil_code", "soil", "code", 1);
        for (key, core, numeric) in [("a", "PPP", "PPP"), ("b", "PFF", "PPF"), ("c", "PPF", "PFF")] {
            study = study.run("core_code", key, 1, core).run("numeric_code", key, 1, numeric);
        }
        let table = "model,overall,soil\nModel a,10.0,10.0\nModel b,30.0,30.0\nModel c,20.0,20.0\n";
        study.published.insert("F10_cross_domain".into(), table.into());
        let facts = Facts::new(study.compute(&RankAgreement).facts);
        let fact = |measure: &str, name: &str| facts.get("rank-correlation", measure, &[("comparison", name)]).unwrap();
        assert_eq!(fact("rho", "core-vs-numeric").estimate.point(), Some(0.5));
        assert_eq!(fact("tau", "core-vs-numeric").estimate.point(), Some(1.0 / 3.0));
        assert_eq!(fact("rho", "core-vs-cross-domain").estimate.point(), Some(-1.0));
        assert_eq!(fact("rho", "core-vs-cross-domain").basis, Basis::Published);
        assert!(facts.get("rank-correlation", "rho", &[("comparison", "core-vs-paraphrase")]).is_none());
    }
}
