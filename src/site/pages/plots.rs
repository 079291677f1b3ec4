//! Figures with what stands around them on a page.

use serde::Serialize;

use crate::figures::{self, Accuracy, Drawing, Heatmap, Matrix};
use crate::markup::Html;
use crate::number;
use crate::site::routes;
use crate::site::sheet::Source;
use crate::site::view::View;

/// A figure on a page.
#[derive(Serialize)]
pub(crate) struct Plot {
    id: String,
    title: String,
    caption: String,
    svg_html: Html,
    source: Source,
    #[serde(skip)]
    drawing: Drawing,
}

impl Plot {
    /// Wraps a drawing; adds its own file to the data links.
    pub(crate) fn new(drawing: Drawing, caption: impl Into<String>, source: Source) -> Self {
        let source = source.with_file("SVG", routes::figure(&drawing.id));
        Self {
            id: format!("figure-{}", drawing.id),
            title: format!("{}.", drawing.title.trim_end_matches('.')),
            caption: caption.into(),
            svg_html: Html::trusted(drawing.inline()),
            source,
            drawing,
        }
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
        "Share of the {} problems solved by programs: mean over runs (dot) with its 95 % interval over clusters of problems, single runs (ticks), mean ± standard deviation in print.",
        number::grouped(grid.problems() as u64)
    );
    let source = Source::of_statistics(view, &["accuracy-mean-sd"]).with_file("leaderboard", "leaderboard/index.html");
    Some(Plot::new(drawing, caption, view.with_runs(source, grid)))
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
    (!drawing.title.is_empty()).then(|| Plot::new(drawing, caption, view.with_runs(source, grid)))
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
    Some(Plot::new(drawing, caption, view.with_runs(source, grid)))
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
    Some(Plot::new(drawing, caption, view.with_runs(source, grid)))
}
