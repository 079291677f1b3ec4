//! Transfer to other fields: accuracy by domain, the gap to the weakest model, what splits the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::statistics::moments::mean;
use crate::statistics::published::Grid;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `cross-accuracy`.
pub(crate) struct CrossDomain;

const ID: &str = "cross-accuracy";

static ABOUT: About = About {
    id: ID,
    also: &["cross-domain-gap", "cross-discrimination"],
    title: "Other domains",
    unit: "percent",
    meaning: "How far the accuracy carries over to other fields, and whether the problems there tell models apart.",
    formula: "accuracy = 100 × passed / graded per domain and over all domains together; weak = the model with the \
              lowest overall accuracy, strong = mean of the others; gap = strong - weak; split = problems solved by \
              some but not all strong models.",
    source: "Rules of the study for its cross-domain tables; one run per model.",
    edge_cases: "Where the runs are not archived but a published table of accuracies is, the pass counts are those \
                 the printed percentages allow, and the basis says so. Undefined for fewer than two models.",
    example: "Domain accuracies 90, 80, 85, 95 and 40: strong = 87.5, weak = 40, gap = 47.5.",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "domain", meaning: "set id of the domain; absent for all domains together" },
        KeyDoc { key: "solved-by", meaning: "some, all or none of the strong models" },
    ],
    measures: &[
        ("accuracy", "accuracy of a model"),
        ("all", "mean over all models"),
        ("strong", "mean over the strong models"),
        ("weak", "accuracy of the weak model"),
        ("gap", "strong minus weak, points"),
        ("problems", "problems by how many strong models solve them"),
    ],
};

/// Passed and graded by model and domain.
struct Scores<'a> {
    basis: Basis,
    domains: Vec<(&'a str, usize)>,
    models: Vec<(&'a str, &'a str, Vec<(usize, usize)>)>,
}

impl Statistic for CrossDomain {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let domains: Vec<_> = evidence.study.sets.iter().filter(|set| set.kind() == "other-domain").collect();
        if domains.is_empty() {
            return output;
        }
        let scores = match from_records(evidence) {
            Ok(scores) => scores,
            Err(reason) => match from_published(evidence) {
                Some(scores) => scores,
                None => {
                    output.fact(ID, "accuracy", &[], Estimate::undefined(reason), Basis::Records);
                    return output;
                }
            },
        };
        accuracies(&mut output, &scores);
        gaps(&mut output, &scores);
        if scores.basis == Basis::Records {
            discrimination(&mut output, evidence, &scores);
        } else {
            let reason = Estimate::undefined("which problems were solved is not archived");
            output.fact(ID, "problems", &[], reason, Basis::Records);
        }
        output
    }
}

fn from_records<'a>(evidence: &Evidence<'a>) -> Result<Scores<'a>, String> {
    let mut domains = Vec::new();
    let mut models: BTreeMap<&str, (&str, Vec<(usize, usize)>)> = BTreeMap::new();
    let mut order = Vec::new();
    for set in evidence.study.sets.iter().filter(|set| set.kind() == "other-domain") {
        let experiment =
            evidence.experiment(set.id.as_str(), "code").ok_or_else(|| format!("no experiment asks {}", set.id))?;
        let board = evidence.board(experiment);
        for tally in board.as_listed() {
            tally.complete().map_err(|missing| format!("{}: {missing}", experiment.id))?;
            let counts = tally.runs[0].counts();
            let entry = models.entry(tally.key).or_insert_with(|| {
                order.push(tally.key);
                (tally.name(), Vec::new())
            });
            entry.1.push((counts.passed, counts.graded()));
        }
        domains.push((set.id.as_str(), board.problems.len()));
    }
    let complete = |key: &str| models[key].1.len() == domains.len();
    let models = order.iter().filter(|key| complete(key)).map(|&key| (key, models[key].0, models[key].1.clone()));
    Ok(Scores { basis: Basis::Records, models: models.collect(), domains: domains.clone() })
}

/// Counts behind a published table of accuracies: the whole number that prints as the percentage.
fn from_published<'a>(evidence: &Evidence<'a>) -> Option<Scores<'a>> {
    let grid = Grid::read(evidence, "F10_cross_domain")?;
    let mut domains = Vec::new();
    for set in evidence.study.sets.iter().filter(|set| set.kind() == "other-domain") {
        domains.push((set.id.as_str(), evidence.corpus.set(set.id.as_str())?.problems.len()));
    }
    let mut models = Vec::new();
    for (row, name) in grid.column("model")?.into_iter().enumerate() {
        let configuration = evidence.study.configurations.iter().find(|c| c.name == name)?;
        let count = |&(domain, n): &(&str, usize)| {
            let percent: f64 = grid.cell(row, domain)?.parse().ok()?;
            Some(((percent * n as f64 / 100.0).round() as usize, n))
        };
        let counts: Option<Vec<_>> = domains.iter().map(count).collect();
        models.push((configuration.key.as_str(), configuration.name.as_str(), counts?));
    }
    Some(Scores { basis: Basis::Published, domains, models })
}

fn total(counts: &[(usize, usize)]) -> (usize, usize) {
    counts.iter().fold((0, 0), |(k, n), &(passed, graded)| (k + passed, n + graded))
}

fn accuracies(output: &mut Output, scores: &Scores<'_>) {
    let mut columns = vec![("model", Kind::Text, ""), ("overall", Kind::Real, "percent")];
    columns.extend(scores.domains.iter().map(|&(domain, _)| (domain, Kind::Real, "percent")));
    let mut table = Table::new("F10_cross_domain", "Accuracy in other domains", &[ID], &columns);
    for (key, name, counts) in &scores.models {
        let (passed, graded) = total(counts);
        output.fact(ID, "accuracy", &[("model", key)], Estimate::percent(passed, graded), scores.basis);
        let mut row = vec![Cell::text(*name), percent_cell(passed, graded)];
        for (&(domain, _), &(passed, graded)) in scores.domains.iter().zip(counts) {
            let keys = [("domain", domain), ("model", key)];
            output.fact(ID, "accuracy", &keys, Estimate::percent(passed, graded), scores.basis);
            row.push(percent_cell(passed, graded));
        }
        table.push(row);
    }
    if scores.basis == Basis::Records {
        output.tables.push(table);
    }
}

fn percent_cell(passed: usize, graded: usize) -> Cell {
    if graded == 0 {
        return Cell::Undefined("nothing was graded".into());
    }
    Cell::fixed(100.0 * passed as f64 / graded as f64, 1)
}

/// Position of the model with the lowest overall accuracy; the last of equals.
fn weakest(scores: &Scores<'_>) -> Option<usize> {
    let share = |counts: &[(usize, usize)]| {
        let (passed, graded) = total(counts);
        passed as f64 / graded.max(1) as f64
    };
    (0..scores.models.len()).rev().min_by(|&a, &b| share(&scores.models[a].2).total_cmp(&share(&scores.models[b].2)))
}

fn gaps(output: &mut Output, scores: &Scores<'_>) {
    let Some(weak) = weakest(scores).filter(|_| scores.models.len() > 1) else { return };
    let columns = [
        ("domain", Kind::Text, ""),
        ("strong4_mean", Kind::Real, "percent"),
        ("weak", Kind::Real, "percent"),
        ("gap", Kind::Real, "points"),
        ("n", Kind::Integer, ""),
    ];
    let mut table = Table::new("F10b_domain_gaps", "Strong models against the weakest, by domain", &[ID], &columns);
    for (at, &(domain, n)) in scores.domains.iter().enumerate() {
        let percent = |model: usize| {
            let (passed, graded) = scores.models[model].2[at];
            100.0 * passed as f64 / graded.max(1) as f64
        };
        let all: Vec<f64> = (0..scores.models.len()).map(percent).collect();
        let strong: Vec<f64> = (0..scores.models.len()).filter(|&model| model != weak).map(percent).collect();
        let (Some(all), Some(strong)) = (mean(&all), mean(&strong)) else { continue };
        let keys = [("domain", domain)];
        for (measure, value) in
            [("all", all), ("strong", strong), ("weak", percent(weak)), ("gap", strong - percent(weak))]
        {
            output.fact(ID, measure, &keys, Estimate::value(value), scores.basis);
        }
        let reals = [strong, percent(weak), strong - percent(weak)].map(|value| Cell::fixed(value, 1));
        table.push([Cell::text(domain)].into_iter().chain(reals).chain([Cell::count(n)]).collect());
    }
    if scores.basis == Basis::Records {
        output.tables.push(table);
    }
}

fn discrimination(output: &mut Output, evidence: &Evidence<'_>, scores: &Scores<'_>) {
    let Some(weak) = weakest(scores).map(|at| scores.models[at].0) else { return };
    let strong: BTreeSet<&str> = scores.models.iter().map(|model| model.0).filter(|&key| key != weak).collect();
    let (mut some, mut all, mut none) = (0, 0, 0);
    for &(domain, _) in &scores.domains {
        let Some(experiment) = evidence.experiment(domain, "code") else { continue };
        let board = evidence.board(experiment);
        for at in board.all() {
            let solvers = board.tallies.iter().filter(|tally| strong.contains(tally.key) && tally.passes(at) > 0);
            match solvers.count() {
                0 => none += 1,
                count if count == strong.len() => all += 1,
                _ => some += 1,
            }
        }
    }
    for (by, count) in [("some", some), ("all", all), ("none", none)] {
        output.fact(ID, "problems", &[("solved-by", by)], Estimate::count(count), Basis::Records);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn the_weakest_model_is_set_against_the_mean_of_the_others() {
        let problems = |n: usize| (0..n).map(|at| problem(&format!("p{at}"), "c", "low", 1)).collect();
        let study = Fixture::new(&[("a", "A", false), ("b", "B", false), ("c", "C", false)])
            .set("soil", "other-domain", None, problems(4))
            .experiment("x/soil", "soil", "code", 1)
            .run("x/soil", "a", 1, "PPPP")
            .run("x/soil", "b", 1, "PPPF")
            .run("x/soil", "c", 1, "FPFF");
        let output = CrossDomain.compute(&study.evidence());
        let value = |measure: &str, key: Option<&str>| {
            let found = output
                .facts
                .iter()
                .find(|fact| fact.measure == measure && fact.keys.get("solved-by").map(String::as_str) == key);
            found.and_then(|fact| fact.estimate.point())
        };
        assert_eq!(value("strong", None), Some(87.5));
        assert_eq!(value("gap", None), Some(62.5));
        assert_eq!(value("problems", Some("some")), Some(1.0));
        assert_eq!(value("problems", Some("all")), Some(3.0));
    }
}
