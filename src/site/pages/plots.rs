//! Figures with what stands around them on a page.

use serde::Serialize;

use crate::figures::{self, Accuracy, Drawing, Heatmap, Matrix};
use crate::markup::Html;
use crate::number;
use crate::site::grid::Grid;
use crate::site::routes;
use crate::site::sheet::Source;
use crate::site::view::View;
use crate::statistics::Estimate;
use crate::study::Given;

/// A figure on a page.
#[derive(Serialize)]
pub(crate) struct Plot {
    id: String,
    /// What the figure shows, as a sentence from its numbers; empty where its title says it all.
    takeaway: String,
    title: String,
    caption: String,
    svg_html: Html,
    source: Source,
    /// What to say beside the figure elsewhere.
    credit: String,
    /// Markup that shows it elsewhere.
    embed: String,
    #[serde(skip)]
    drawing: Drawing,
}

impl Plot {
    /// Wraps a drawing; adds its own file to the data links.
    pub(crate) fn new(view: &View<'_>, drawing: Drawing, caption: impl Into<String>, source: Source) -> Self {
        let file = routes::figure(&drawing.id);
        let source = source.with_file("SVG", file.clone());
        let identity = &view.input.study.study;
        let address = crate::site::frame::address(view, &file).unwrap_or(file);
        let title = drawing.title.trim_end_matches('.');
        Self {
            takeaway: String::new(),
            credit: format!(
                "“{title}”, from {}, version {} ({}), licence {}.",
                identity.title, identity.version, identity.date, identity.licence
            ),
            embed: format!(
                "<img src=\"{}\" alt=\"{}\" width=\"900\">",
                crate::markup::escape(&address),
                crate::markup::escape(title)
            ),
            id: format!("figure-{}", drawing.id),
            title: format!("{}.", drawing.title.trim_end_matches('.')),
            caption: caption.into(),
            svg_html: Html::trusted(drawing.inline()),
            source,
            drawing,
        }
    }
}

impl Plot {
    /// The same figure with a sentence that says what it shows.
    #[must_use]
    pub(crate) fn saying(mut self, takeaway: impl Into<String>) -> Self {
        self.takeaway = takeaway.into();
        self
    }
}

/// Stand-alone files of some figures.
pub(crate) fn files<'p>(plots: impl Iterator<Item = &'p Plot>) -> Vec<(String, String)> {
    plots.map(|plot| (plot.drawing.id.clone(), plot.drawing.standalone())).collect()
}

/// The accuracy plot of the main experiment.
pub(crate) fn accuracy(view: &View<'_>) -> Option<Plot> {
    let grid = view.main()?;
    let rows: Vec<Accuracy> = view
        .order
        .iter()
        .filter_map(|configuration| {
            let row = grid.row(configuration.key.as_str())?;
            let headline = view.headline(grid, configuration)?;
            let runs = row.runs.iter().flatten().filter_map(|run| view.run_percent(grid, configuration, run.key.run));
            let runs = runs.collect();
            Some(Accuracy {
                name: configuration.name.clone(),
                filled: configuration.reasons(),
                mean: headline.mean,
                printed: headline.printed(),
                runs,
                interval: headline.interval,
            })
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let interval = if rows.iter().any(|row| row.interval.is_some()) { "95 % interval" } else { "" };
    let drawing = figures::accuracy("accuracy", "Accuracy by configuration", interval, &rows);
    let caption = format!(
        "Share of the {} solved{}: mean over runs (dot) with its 95 % interval over clusters of problems, single runs (ticks), mean ± standard deviation in print.",
        problems(grid),
        how(grid)
    );
    let source = Source::of_statistics(view, &["accuracy-mean-sd"]).with_file("leaderboard", "leaderboard/index.html");
    Some(Plot::new(view, drawing, caption, view.with_runs(source, grid)).saying(best_and_worst(&rows)))
}

/// Who solves most and least, with the numbers as printed in the figure.
fn best_and_worst(rows: &[Accuracy]) -> String {
    let of = |pick: fn(&f64, &f64) -> bool| {
        let mut rows = rows.iter();
        let first = rows.next()?;
        Some(rows.fold(first, |best, row| if pick(&row.mean, &best.mean) { row } else { best }))
    };
    let said = |row: &Accuracy| format!("{} solves {} %", row.name, number::fixed(row.mean, 1));
    match (of(f64::gt), of(f64::lt)) {
        (Some(best), Some(worst)) if best.mean > worst.mean => {
            format!("{}, {}.", said(best), said(worst))
        }
        (Some(only), _) => format!("{}.", said(only)),
        _ => String::new(),
    }
}

/// Number of problems of an experiment, in words.
pub(crate) fn problems(grid: &Grid<'_>) -> String {
    let count = grid.problems();
    format!("{} problem{}", number::grouped(count as u64), if count == 1 { "" } else { "s" })
}

/// How problems are solved, in words that follow the declaration.
pub(crate) fn how(grid: &Grid<'_>) -> &'static str {
    let mut records = grid.rows.iter().flat_map(|row| row.runs.iter().flatten()).flat_map(|run| &run.records);
    match grid.experiment.given() {
        // A format that reads verdicts alone says nothing about programs.
        Given::Program if grid.experiment.format.is_some() && !records.any(|record| record.attempts.is_some()) => "",
        Given::Program if grid.experiment.protocol() == "patch" => " by changing a repository",
        Given::Program => " by writing a program",
        Given::Prose => " by answering in prose",
        Given::Option => " by picking an option",
    }
}

/// The category heat map of the main experiment.
pub(crate) fn categories(view: &View<'_>) -> Option<Plot> {
    let grid = view.main()?;
    let categories = view.categories(grid);
    if categories.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for configuration in &view.order {
        let Some(row) = grid.row(configuration.key.as_str()).filter(|row| row.present() > 0) else { continue };
        rows.push(configuration.name.clone());
        values.push(categories.iter().map(|(category, _)| view.category_mean(grid, row, category)).collect());
    }
    let columns = categories
        .iter()
        .map(|(category, problems)| (category.replace('_', " "), format!("n={}", problems.len())))
        .collect();
    let drawing = figures::heatmap("categories", "Accuracy by subfield", "percent", &Heatmap { rows, columns, values });
    let caption = "Mean accuracy over runs in percent; darker is higher. Under each subfield its number of problems.";
    let source = Source::of_statistics(view, &["category-accuracy"]).with_file("table", "subfields/index.html");
    (!drawing.title.is_empty()).then(|| Plot::new(view, drawing, caption, view.with_runs(source, grid)))
}

/// Accuracy against tokens, where tokens were counted.
pub(crate) fn tokens(view: &View<'_>) -> Option<Plot> {
    let grid = view.main()?;
    let points: Vec<figures::Spending> = view
        .order
        .iter()
        .filter_map(|configuration| {
            Some(figures::Spending {
                name: configuration.name.clone(),
                backbone: configuration.backbone.clone(),
                filled: configuration.reasons(),
                tokens: view.tokens(&view.keys(grid, configuration))?,
                accuracy: view.headline(grid, configuration)?.mean,
                at_least: configuration.tokens_are_lower_bound,
            })
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let drawing = figures::tokens("tokens", "Accuracy and tokens per run", &points);
    let caption = "Recounted tokens on a logarithmic axis; the two settings of a model are joined; an arrow marks a count that is only a lower bound.";
    let source = Source::of_statistics(view, &["tokens-run-mean", "accuracy-mean-sd"])
        .with_file("leaderboard", "leaderboard/index.html");
    Some(Plot::new(view, drawing, caption, view.with_runs(source, grid)))
}

/// All problems by all configurations.
pub(crate) fn matrix(view: &View<'_>) -> Option<Plot> {
    let grid = view.main()?;
    let set = grid.set?;
    let order = view.hardest_first(grid);
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for configuration in &view.order {
        let Some(row) = grid.row(configuration.key.as_str()).filter(|row| row.present() > 0) else { continue };
        rows.push(configuration.name.clone());
        let of_problem = |position: &usize| {
            let outcome = row.outcome(set.problems[*position].id.as_str());
            (outcome.counted > 0).then_some((outcome.passed, outcome.expected))
        };
        cells.push(order.iter().rev().map(of_problem).collect());
    }
    if rows.is_empty() {
        return None;
    }
    let columns = "problems, solved by most on the left";
    let drawing = figures::matrix("solve-matrix", "Solve matrix", columns, &Matrix { rows, cells });
    let caption = "Every problem by every configuration, shaded by the number of runs that solved it.";
    let source = Source::of_statistics(view, &["majority-of-3", "solved-by-n"]);
    let plot = Plot::new(view, drawing, caption, view.with_runs(source, grid));
    let mut keys = vec![("set", grid.experiment.set.as_str())];
    keys.extend(grid.experiment.distinguishing());
    let count = |measure| view.lookup.exact("solved-by-n", measure, &keys);
    Some(match (view.lookup.fact("solved-by-n", "all", &keys).map(|fact| &fact.estimate), count("none")) {
        (Some(Estimate::Value { count: Some((all, of)), .. }), Some(none)) => plot.saying(format!(
            "Of {} problems, every configuration solves {} and none solves {}.",
            number::grouped(*of),
            number::grouped(*all),
            number::grouped(none as u64)
        )),
        _ => plot,
    })
}
