//! Atlas: every problem by configuration by run, in groups.

use super::canvas::{Anchor, Canvas, Drawing, fitted, text_width};

/// What became of one run on one problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Solved.
    Solved,
    /// Failed in another way.
    Failed,
    /// Took the planted shortcut.
    Captured,
    /// No record.
    Absent,
}

/// Problems in groups, configurations in columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Atlas {
    /// Configuration names.
    pub columns: Vec<String>,
    /// Names of groups with their problems: name, and marks by configuration and run.
    #[allow(clippy::type_complexity)]
    pub groups: Vec<(String, Vec<(String, Vec<Vec<Mark>>)>)>,
}

const ROW: f64 = 15.0;
const CELL: f64 = 12.0;
const GAP: f64 = 12.0;

/// Draws the atlas: filled square solved, hollow circle failed, diamond captured.
pub fn atlas(id: &str, title: &str, atlas: &Atlas) -> Drawing {
    let names = atlas.groups.iter().flat_map(|(_, problems)| problems.iter().map(|(name, _)| name));
    let left = names.map(|name| text_width(name, 11.0)).fold(120.0, f64::max).min(260.0) + 14.0;
    let slant = atlas.columns.iter().map(|name| text_width(name, 12.0)).fold(40.0, f64::max).min(200.0);
    let top = slant * 0.71 + 46.0;
    let runs =
        atlas.groups.iter().flat_map(|(_, t)| t.iter().flat_map(|(_, m)| m.iter().map(Vec::len))).max().unwrap_or(1);
    let block = CELL * runs as f64 + GAP;
    let rows: usize = atlas.groups.iter().map(|(_, problems)| problems.len()).sum();
    let height = top + ROW * rows as f64 + 30.0 * atlas.groups.len() as f64 + 12.0;
    let width = (left + block * atlas.columns.len() as f64 + slant * 0.71).max(560.0);
    let mut canvas = Canvas::new(width, height);
    legend(&mut canvas);
    for (column, name) in atlas.columns.iter().enumerate() {
        let x = left + block * column as f64 + (block - GAP) / 2.0;
        canvas.slanted((x, top - 8.0), 12.0, &fitted(name, 12.0, 200.0));
    }
    let mut y = top;
    for (family, problems) in &atlas.groups {
        y += 20.0;
        canvas.text("b", (4.0, y), Anchor::Start, 12.0, &family.replace('_', " "));
        let from = left.max(12.0 + text_width(family, 12.5));
        canvas.line("rule", (from, y - 4.0), (left + block * atlas.columns.len() as f64 - GAP, y - 4.0));
        y += 10.0;
        for (name, marks) in problems {
            canvas.text("", (left - 10.0, y + 4.0), Anchor::End, 11.0, &fitted(name, 11.0, 250.0));
            for (column, runs) in marks.iter().enumerate() {
                for (run, mark) in runs.iter().enumerate() {
                    draw(&mut canvas, *mark, (left + block * column as f64 + CELL * (run as f64 + 0.5), y));
                }
            }
            y += ROW;
        }
    }
    canvas.finish(id, title, &describe(atlas))
}

fn draw(canvas: &mut Canvas, mark: Mark, (x, y): (f64, f64)) {
    match mark {
        Mark::Solved => canvas.rect("blue", (x - 4.0, y - 4.0), (8.0, 8.0)),
        Mark::Failed => canvas.circle("thin", (x, y), 3.6),
        Mark::Captured => canvas.diamond("orange", (x, y), 5.4),
        Mark::Absent => canvas.line("faint", (x - 3.0, y), (x + 3.0, y)),
    }
}

fn legend(canvas: &mut Canvas) {
    let mut x = 12.0;
    let marks = [
        (Mark::Solved, "solved"),
        (Mark::Failed, "failed otherwise"),
        (Mark::Captured, "took the planted shortcut"),
        (Mark::Absent, "no record"),
    ];
    for (mark, text) in marks {
        draw(canvas, mark, (x, 16.0));
        canvas.text("muted", (x + 11.0, 20.0), Anchor::Start, 12.0, text);
        x += 34.0 + text_width(text, 12.0);
    }
}

fn describe(atlas: &Atlas) -> String {
    let count = |wanted: Mark| {
        let all = atlas.groups.iter().flat_map(|(_, problems)| problems).flat_map(|(_, marks)| marks.iter().flatten());
        all.filter(|mark| **mark == wanted).count()
    };
    format!(
        "Grid of problems by configuration and run, in groups: {} runs solved, {} failed otherwise, {} took the shortcut, {} without record.",
        count(Mark::Solved),
        count(Mark::Failed),
        count(Mark::Captured),
        count(Mark::Absent)
    )
}
