//! Who solves how much?

use serde::Serialize;

use super::plots;
use crate::number;
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source, p_equals};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::study::Configuration;

/// The page.
pub(crate) struct Leaderboard;

#[derive(Serialize)]
struct Context {
    figure: Option<plots::Plot>,
    sheet: Option<Sheet>,
    runs: Option<Sheet>,
    tokens: Option<plots::Plot>,
    problems: String,
    how: &'static str,
    experiment: String,
    unranked: usize,
    tables: Vec<Sheet>,
}

/// Tables that belong here.
pub(crate) const STATISTICS: &[&str] = &[
    "accuracy-mean-sd",
    "accuracy-run",
    "pass-at-k",
    "majority-of-3",
    "tokens-run-mean",
    "rank-groups",
    "accuracy-spread",
    "nestedness",
    "estimate",
    "judges",
    "coverage",
    "stored-summary",
];

impl Page for Leaderboard {
    fn template(&self) -> (&'static str, &'static str) {
        ("leaderboard.html", include_str!("../../../templates/leaderboard.html"))
    }

    fn section(&self) -> &'static str {
        "leaderboard/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Leaderboard"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.main().is_some() || view.has_tables_of(STATISTICS)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let grid = view.main();
        let figure = plots::accuracy(view);
        let tokens = plots::tokens(view);
        let figures = plots::files(figure.iter().chain(&tokens));
        let context = Context {
            sheet: grid.map(|grid| sheet(view, grid)),
            runs: grid.map(|grid| runs(view, grid)),
            problems: grid.map_or(String::new(), plots::problems),
            how: grid.map_or("", plots::how),
            experiment: grid.map_or(String::new(), |grid| grid.experiment.id.to_string()),
            unranked: grid.map_or(0, |grid| unranked(view, grid)),
            tables: view.tables_of(STATISTICS),
            figure,
            tokens,
        };
        let summary =
            "Accuracy of every configuration with intervals, single runs, pass@k and tokens; ties share a rank.";
        Ok(Body { title: "Leaderboard".into(), summary: summary.into(), values: Values::of(&context), figures })
    }
}

/// Rows without a mean over their runs.
fn unranked(view: &View<'_>, grid: &Grid<'_>) -> usize {
    grid.rows.iter().filter(|row| view.headline(grid, row.configuration).is_none()).count()
}

/// The rank that the facts give, and whether another configuration has the same.
fn rank(view: &View<'_>, grid: &Grid<'_>, row: &GridRow<'_>) -> Option<(usize, bool)> {
    let of = |row: &GridRow<'_>| view.lookup.point("accuracy-mean-sd", "rank", &view.keys(grid, row.configuration));
    let rank = of(row)?;
    let others = grid.rows.iter().filter(|other| other.configuration.key != row.configuration.key);
    Some((rank as usize, others.filter_map(of).any(|other| other == rank)))
}

/// The group of ranks that a paired test cannot tell apart, with the P it rests on.
fn group(view: &View<'_>, keys: &[(&str, &str)]) -> Cell {
    let cell = view.cell("rank-groups", "group", keys, 0);
    match view.lookup.point("rank-groups", "p", keys) {
        Some(p) if p < 0.05 => cell.explained(format!("{} against the first of the group before", p_equals(p))),
        Some(p) => cell.explained(format!("{} against the first of this group", p_equals(p))),
        None => cell,
    }
}

fn sheet(view: &View<'_>, grid: &Grid<'_>) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Rank", "").explained("Equal scores share a rank; incomplete rows have none"),
        Head::num("Group", "").explained(
            "Ranks of one group are not resolved: on problems solved by majority, the exact McNemar test against the first \
             of the group gives P of 0.05 or more",
        ),
        Head::num("Accuracy", "% ± sd").explained("Mean over runs and its sample standard deviation"),
        Head::num("By replay", "%").explained(
            "No verdict is archived: the share of programs that pass when this tool executes and grades them",
        ),
        Head::num("95 % interval", "clusters").explained(
            "The one to read: the runs of one problem are one cluster, because what is hard once is hard again",
        ),
        Head::num("95 % interval", "Wilson").explained(
            "For comparison with papers that print it: every record is taken for an independent trial, which is too narrow \
             where a problem was asked several times",
        ),
        Head::num("In any run", "%").explained("Share of problems solved in at least one run"),
        Head::num("In all runs", "%").explained("Share of problems solved in every run"),
        Head::num("Tokens per run", "").explained("Recounted tokens, mean over runs"),
        Head::num("Runs", "").explained("Complete runs of those expected"),
    ];
    let caption = format!("All configurations: {}", grid.set.map_or("the problem set", |set| &set.title));
    let mut sheet = Sheet::new("leaderboard", caption, heads);
    for configuration in &view.order {
        if let Some(row) = grid.row(configuration.key.as_str()) {
            let class = if rank(view, grid, row).is_some() { "" } else { "out" };
            sheet.push_named(routes::anchor(configuration.key.as_str()), cells(view, grid, row, configuration));
            if let Some(last) = sheet.rows.last_mut() {
                last.class = class;
            }
        }
    }
    if view.input.facts.select("replay-accuracy", "percent", &[]).is_empty() {
        sheet.leave_out("By replay");
    }
    sheet.leave_out_empty("Tokens per run", "Token counts are not in this archive.");
    let source = Source::of_statistics(view, &["accuracy-mean-sd", "rank-groups", "pass-at-k", "tokens-run-mean"]);
    sheet.sourced(view.with_runs(source, grid).with_file("all facts", "data/facts.json"))
}

fn cells(view: &View<'_>, grid: &Grid<'_>, row: &GridRow<'_>, configuration: &Configuration) -> Vec<Cell> {
    let keys = view.keys(grid, configuration);
    let headline = view.headline(grid, configuration);
    // A declared estimator heads the row in place of the mean over runs.
    let own = headline.is_some() && !view.has_own_headline(grid);
    let page = routes::configuration(configuration.key.as_str());
    let (complete, expected) = row.complete_runs();
    let k = expected.to_string();
    let of_k: Vec<(&str, &str)> = keys.iter().copied().chain([("k", k.as_str())]).collect();
    let rank = match rank(view, grid, row) {
        Some((rank, tied)) => {
            let cell = Cell::number(rank as f64, format!("{}{rank}", if tied { "=" } else { "" }));
            view.to_fact(cell, "accuracy-mean-sd", "rank", &keys)
        }
        None if configuration.leaderboard => Cell::missing("not ranked: runs, records or verdicts are missing"),
        None => Cell::missing("not ranked: outside the leaderboard by declaration"),
    };
    let accuracy = match &headline {
        Some(h) => Cell::number(h.mean, number::fixed(h.mean, 1))
            .aside(h.sd.map_or(String::new(), |sd| format!("± {}", number::fixed(sd, 1)))),
        None => Cell::missing("not computed: no complete run"),
    };
    vec![
        Cell::link(configuration.name.clone(), page.clone()),
        rank,
        group(view, &keys),
        match view.lookup.fact("accuracy-mean-sd", "mean", &keys).filter(|_| own) {
            Some(fact) => accuracy.to(format!("{page}#runs")).about(fact),
            None => accuracy.to(format!("{page}#runs")),
        },
        view.cell("replay-accuracy", "percent", &keys, 1),
        view.interval_cell("accuracy-mean-sd", "mean", &keys, |end| number::fixed(end, 1)),
        view.interval_cell("accuracy-mean-sd", "pooled", &keys, |end| number::fixed(end, 1)),
        view.cell("pass-at-k", "pass", &of_k, 1),
        view.cell("pass-at-k", "all", &of_k, 1),
        tokens(view, configuration, &keys),
        Cell {
            text: format!("{complete} of {expected}"),
            class: "num",
            sort: Some(complete.to_string()),
            ..Cell::default()
        },
    ]
}

fn tokens(view: &View<'_>, configuration: &Configuration, keys: &[(&str, &str)]) -> Cell {
    let Some(value) = view.tokens(keys) else { return view.cell("tokens-run-mean", "total", keys, 0) };
    let text =
        format!("{}{}", if configuration.tokens_are_lower_bound { "≥ " } else { "" }, number::grouped(value as u64));
    let cell = Cell::number(value, text);
    let cell = view.to_fact(cell, "tokens-run-mean", "total", keys);
    if configuration.tokens_are_lower_bound {
        cell.explained("lower bound: stored text covers only part of what was charged")
    } else {
        cell
    }
}

fn runs(view: &View<'_>, grid: &Grid<'_>) -> Sheet {
    let most = grid.rows.iter().map(|row| row.runs.len()).max().unwrap_or(0);
    let mut heads = vec![Head::text("Configuration")];
    heads.extend((1..=most).map(|run| Head::num(format!("Run {run}"), "%")));
    let mut sheet = Sheet::new("per-run", "Accuracy of each run, with passed and counted records", heads);
    for configuration in &view.order {
        let Some(row) = grid.row(configuration.key.as_str()) else { continue };
        let mut cells = vec![Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str()))];
        for position in 0..most {
            cells.push(match row.runs.get(position).copied().flatten() {
                Some(run) => {
                    let number = run.key.run.to_string();
                    let keys = view.keys_of_run(grid, configuration, &number);
                    let cell = view.cell("accuracy-run", "percent", &keys, 1);
                    row.counts(run.key.run)
                        .filter(|counts| counts.graded() > 0)
                        .map_or(cell.clone(), |c| cell.aside(format!("{} of {}", c.passed, c.graded())))
                }
                None => Cell::missing("this run is not in the archive"),
            });
        }
        sheet.push(cells);
    }
    sheet.sourced(view.with_runs(Source::of_statistics(view, &["accuracy-run"]), grid))
}
