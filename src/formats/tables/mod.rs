//! Plain tables: CSV, TSV, JSON lines, a JSON list or Parquet with a row per answer, or a row per problem and a column
//! per configuration.

mod across;
mod columns;
mod declare;
mod look;
mod overall;
mod read;
mod rows;
mod stated;
mod storage;
mod together;

use std::collections::BTreeSet;

use self::declare::declare_all;
use self::look::look;
use super::declared::{Declared, identity, study};
use super::guess::{Fit, Guess, Near, Part};
use super::listing::{Listing, unpacked};
use super::sink::{Request, Sink};
use super::{About, Format, passk};
use crate::study::{Estimator, EstimatorKind, Experiment};

const ID: &str = "table";

/// Rows that are looked at before columns are mapped.
const SAMPLE: usize = 400;

/// Most configurations that a table may name; with more, its column of configurations is another thing.
const MOST_ARMS: usize = 2000;

/// Value of `overall` in `columns`: rows that are called mean or total are no problems but numbers over all of them.
const OVERALL_ROWS: &str = "rows";

/// In front of the names of labels in `columns`.
const LABEL: &str = "label.";

/// Plain tables, long or wide.
pub(super) struct Tables;

impl Format for Tables {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "a plain table",
            reads: "CSV, TSV, JSON lines, a JSON list or Parquet: a row per answer with problem, configuration and mark or \
                    score, or a row per problem and a column per configuration.",
            cannot_check: "A table of verdicts holds no programs and no answers: verdicts are counted, and nothing is \
                           executed or graded again.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let (mut long, mut wide, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for entry in listing.entries() {
            let Some(seen) = look(listing, &entry.path) else { continue };
            let Ok(mapped) = columns::map(&seen.names, &seen.rows) else {
                if columns::stated(&seen.names, &seen.rows).is_some() {
                    numbers.push(Part { path: entry.path.clone(), role: stated::ROLE, arm: None });
                }
                continue;
            };
            let part = Part { path: entry.path.clone(), role: "table", arm: None };
            if mapped.columns.contains_key("configuration") { long.push(part) } else { wide.push(part) }
        }
        // Stated numbers alone are a study only where nothing holds records.
        let few = if wide.is_empty() { numbers } else { wide };
        let (fit, parts) = if long.is_empty() { (Fit::Possible, few) } else { (Fit::Likely, long) };
        if parts.is_empty() {
            return None;
        }
        let reason = format!("{} tables with problems and marks or scores", parts.len());
        Some(Guess { format: ID, fit, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            if let Some(names) = look::header_alone(listing, path) {
                let missing = format!("rows: below the names {names} stands nothing");
                return Some(Near { format: ID, share: 50, path: path.to_owned(), missing });
            }
            let seen = look(listing, path)?;
            let missing = columns::map(&seen.names, &seen.rows).err()?;
            Some(Near { format: ID, share: 40, path: path.to_owned(), missing })
        };
        listing.entries().iter().filter_map(|entry| near(&entry.path)).max_by_key(|near| near.share)
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let name = guess.parts.first().map_or("table", |part| stem(&part.path));
        let identity = identity(name, name, "A table of verdicts or scores.");
        let mut declared = Declared { study: study(identity), assumed: Vec::new() };
        let (stating, holding): (Vec<&Part>, Vec<&Part>) =
            guess.parts.iter().partition(|part| part.role == stated::ROLE);
        let paths: Vec<&str> = holding.iter().map(|part| part.path.as_str()).collect();
        declare_all(listing, &paths, &mut declared);
        for part in stating {
            stated::declare(listing, &part.path, &mut declared);
        }
        let scores = |experiment: &Experiment| {
            let has = |role: &str| experiment.columns.contains_key(role);
            has("score") || has("successes") || has("cells")
        };
        let (kind, id) = if declared.study.experiments.iter().any(scores) {
            (EstimatorKind::Score, "score")
        } else {
            (EstimatorKind::Mean, "mean")
        };
        declared.study.estimators = vec![Estimator { id: id.to_owned(), kind, k: None, headline: true }];
        declared
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        let mut known: BTreeSet<(String, String)> = BTreeSet::new();
        for experiment in &request.experiments {
            for file in &experiment.files {
                match (file.role.as_deref(), &file.configuration) {
                    (Some("summary"), Some(key)) if request.selection.only.is_none() => {
                        passk::read(request.source, &file.path, &experiment.id, key, sink);
                    }
                    (Some("summary"), _) => {}
                    (Some(stated::ROLE), _) => stated::read(request, experiment, file, sink),
                    _ => read::read(request, experiment, file, &mut known, sink),
                }
            }
        }
    }
}

fn stem(path: &str) -> &str {
    let name = unpacked(path);
    let name = name.rsplit('/').next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests;
