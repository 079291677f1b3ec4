//! The CSV of the leaderboard: cells of categories against the score files of the same edition, and the columns that
//! are made of other columns against those.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::read::Accuracies;
use crate::archive::Recount;
use crate::formats::{Request, Sink, document};
use crate::report::{Finding, Place};
use crate::study::Experiment;

/// Columns of single categories: name, category in file names, number of questions in the 2024 releases.
const CATEGORIES: &[(&str, &str, u64)] = &[
    ("Python Simple Function AST", "simple", 400),
    ("Java Simple Function AST", "java", 100),
    ("JavaScript Simple Function AST", "javascript", 50),
    ("Multiple Functions AST", "multiple_function", 200),
    ("Parallel Functions AST", "parallel_function", 200),
    ("Parallel Multiple AST", "parallel_multiple_function", 200),
    ("Python Simple Function Exec", "executable_simple", 100),
    ("REST Simple Function Exec", "rest", 70),
    ("Multiple Functions Exec", "executable_multiple_function", 50),
    ("Parallel Functions Exec", "executable_parallel_function", 50),
    ("Parallel Multiple Exec", "executable_parallel_multiple_function", 40),
    ("Relevance Detection", "relevance", 240),
];

/// How a column is made of categories.
#[derive(Clone, Copy)]
enum Made {
    /// Share of all questions of these categories.
    Pooled,
    /// Mean of the columns, the first three of which are one pooled column where there are that many languages.
    MeanOf(&'static [&'static [usize]]),
}

/// Columns made of others, by positions in [`CATEGORIES`].
const SUMMARIES: &[(&str, &[usize], Made)] = &[
    ("Simple Function AST", &[0, 1, 2], Made::Pooled),
    ("Simple Function Exec", &[6, 7], Made::Pooled),
    ("AST Summary", &[0, 1, 2, 3, 4, 5], Made::MeanOf(&[&[0, 1, 2], &[3], &[4], &[5]])),
    ("Exec Summary", &[6, 7, 8, 9, 10], Made::MeanOf(&[&[6, 7], &[8], &[9], &[10]])),
    ("Overall Acc", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], Made::Pooled),
];

/// True for the beginning of such a table.
pub(super) fn is_leaderboard(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    ["Overall Acc", "Model", "Relevance Detection"]
        .iter()
        .all(|column| line.split(',').any(|cell| cell.trim() == *column))
}

/// A cell that is a rate, in percent.
fn percent(cell: &str) -> Option<f64> {
    cell.trim().strip_suffix('%')?.trim().parse().ok().filter(|value: &f64| (0.0..=100.0).contains(value))
}

/// The folder name that a row's model has, as far as names can tell: `-FC` stands for function calling.
fn folder_of(model: &str) -> String {
    let (name, mode) = match model.rsplit_once('(') {
        Some((name, mode)) => (name.trim(), mode.trim_end_matches(')').trim()),
        None => (model.trim(), ""),
    };
    let fc = if mode.eq_ignore_ascii_case("fc") { "-fc" } else { "" };
    format!("{}{fc}", name.to_lowercase())
}

/// Reads a table: one recount for every rate of every row.
pub(super) fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    path: &str,
    accuracies: &Accuracies,
    sink: &mut dyn Sink,
) {
    let document = match document(request.source, path) {
        Ok(document) => document,
        Err(finding) => return sink.finding(finding),
    };
    sink.file(path, document.digest, document.size);
    let edition = edition(path);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(document.bytes.as_slice());
    let Ok(head) = reader.headers().cloned() else { return };
    for (number, row) in reader.records().enumerate() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                sink.finding(Finding::new("bad-record", Place::file(path).with_line(number + 2), error.to_string()));
                continue;
            }
        };
        let cells: BTreeMap<&str, &str> = head.iter().map(str::trim).zip(row.iter()).collect();
        let Some(model) = cells.get("Model") else { continue };
        let place = Place::file(path).with_line(row.position().map_or(number + 2, |at| at.line() as usize));
        let told = BoardRow { cells: &cells, model, edition, accuracies };
        for (column, printed, stored, again) in told.recounts() {
            sink.recount(Recount {
                metric: column.into(),
                judge: None,
                experiment: experiment.id.clone(),
                configuration: (*model).into(),
                stratum: BTreeMap::new(),
                stored,
                printed: printed.into(),
                again,
                place: place.clone(),
            });
        }
    }
}

/// The folder in front of the one that holds scores and table.
fn edition(path: &str) -> &str {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let last = folder.rsplit('/').next().unwrap_or("");
    if last.starts_with("score") { folder.strip_suffix(last).unwrap_or(folder).trim_end_matches('/') } else { folder }
}

struct BoardRow<'a> {
    cells: &'a BTreeMap<&'a str, &'a str>,
    model: &'a str,
    edition: &'a str,
    accuracies: &'a Accuracies,
}

type Again = Result<(f64, usize), Arc<str>>;

impl<'a> BoardRow<'a> {
    fn recounts(&self) -> Vec<(&'static str, &'a str, f64, Again)> {
        let mut all = Vec::new();
        for &(column, category, _) in CATEGORIES {
            let Some((printed, stored)) = self.cell(column) else { continue };
            let again = self.of_scores(category).map(|(correct, total)| (percentage(correct, total), total as usize));
            all.push((column, printed, stored, again));
        }
        for &(column, parts, made) in SUMMARIES {
            let Some((printed, stored)) = self.cell(column) else { continue };
            let counts: Option<Vec<(u64, u64)>> = parts.iter().map(|&at| self.counted(at)).collect();
            let again = match counts {
                None => Err("its categories are not in the table with whole numbers of questions".into()),
                Some(counts) => {
                    let pooled = |chosen: &[usize]| {
                        let pick = chosen.iter().filter_map(|at| parts.iter().position(|part| part == at));
                        let (correct, total) =
                            pick.map(|at| counts[at]).fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
                        percentage(correct, total)
                    };
                    let total = counts.iter().map(|(_, total)| total).sum::<u64>() as usize;
                    Ok(match made {
                        Made::Pooled => (pooled(parts), total),
                        Made::MeanOf(groups) => {
                            (groups.iter().map(|group| pooled(group)).sum::<f64>() / groups.len() as f64, total)
                        }
                    })
                }
            };
            all.push((column, printed, stored, again));
        }
        all
    }

    fn cell(&self, column: &str) -> Option<(&'a str, f64)> {
        let printed = self.cells.get(column)?;
        Some((printed, percent(printed)?))
    }

    /// Right answers and questions of a category, from the score file of the same edition.
    fn of_scores(&self, category: &str) -> Result<(u64, u64), Arc<str>> {
        let wanted = folder_of(self.model);
        let fits = |folder: &str| {
            let folder = folder.to_lowercase();
            folder == wanted || folder.split_once('_').is_some_and(|(_, name)| name == wanted)
        };
        let mut found = self
            .accuracies
            .iter()
            .filter(|((edition, model, known), _)| edition == self.edition && known == category && fits(model));
        match (found.next(), found.next()) {
            (Some((_, counts)), None) => Ok(*counts),
            _ => Err("no score file of this edition belongs to the row".into()),
        }
    }

    /// Right answers of a category as the cell tells them: a rate of a known number of questions is a whole number.
    fn counted(&self, at: usize) -> Option<(u64, u64)> {
        let (column, _, total) = CATEGORIES[at];
        let (_, stored) = self.cell(column)?;
        let correct = stored * total as f64 / 100.0;
        ((correct - correct.round()).abs() <= 0.005 * total as f64 / 100.0 + 1e-9)
            .then_some((correct.round() as u64, total))
    }
}

fn percentage(correct: u64, total: u64) -> f64 {
    100.0 * correct as f64 / total.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_made_of_others_are_made_again() {
        // Counts by hand: 376/400, 65/100, 36/50 = 477/550 = 86.727 %.
        let cells = BTreeMap::from([
            ("Python Simple Function AST", "94.00%"),
            ("Java Simple Function AST", "65.00%"),
            ("JavaScript Simple Function AST", "72.00%"),
            ("Simple Function AST", "86.73%"),
            ("Exec Summary", "50.00%"),
        ]);
        let accuracies: Accuracies =
            [(("v".to_owned(), "org_m-x".to_owned(), "simple".to_owned()), (376, 400))].into_iter().collect();
        let row = BoardRow { cells: &cells, model: "M-X (Prompt)", edition: "v", accuracies: &accuracies };
        let found = row.recounts();
        let of = |name: &str| found.iter().find(|(column, ..)| *column == name).unwrap();
        assert_eq!(of("Python Simple Function AST").3, Ok((94.0, 400)));
        assert!(of("Java Simple Function AST").3.is_err());
        assert!((of("Simple Function AST").3.as_ref().unwrap().0 - 86.727_272_727).abs() < 1e-6);
        assert!(of("Exec Summary").3.is_err());
    }

    #[test]
    fn names_and_editions_are_read_off() {
        assert_eq!(folder_of("GPT-4o-2024-05-13 (FC)"), "gpt-4o-2024-05-13-fc");
        assert_eq!(folder_of("Claude (Prompt)"), "claude");
        assert_eq!(edition("2024-07-06/score-BFCL/data.csv"), "2024-07-06");
        assert_eq!(edition("score/data_overall.csv"), "");
        assert!(is_leaderboard(b"Rank,Overall Acc,Model,Relevance Detection\n1,"));
        assert!(!is_leaderboard(b"Rank,Model\n"));
    }
}
