//! The beginning of a table, before its columns are mapped.

use std::collections::BTreeMap;

use super::super::listing::Listing;
use super::super::quiet::Quiet;
use super::super::{paper, passk};
use super::SAMPLE;
use super::rows::{self, Storage};

/// The beginning of a table.
pub(super) struct Seen {
    pub(super) storage: Storage,
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<Option<String>>>,
}

/// Looks at the beginning of a file that could be a table; `None` for what is none.
pub(super) fn look(listing: &Listing<'_>, path: &str) -> Option<Seen> {
    if passk::is_summary(listing, path) {
        return None;
    }
    let storage = rows::storage(listing, path)?;
    let mut seen = Seen { names: Vec::new(), rows: Vec::new(), storage };
    match &seen.storage {
        Storage::Separated { separator, header } => {
            let mut all = rows::beginning(&listing.head(path), *separator, SAMPLE).into_iter();
            let width = all.as_slice().first()?.len();
            seen.names = if *header { all.next()? } else { (1..=width).map(|at| at.to_string()).collect() };
            let missing = |cell: String| Some(cell).filter(|cell| !rows::is_missing(cell));
            seen.rows =
                all.filter(|row| row.len() == width).map(|row| row.into_iter().map(missing).collect()).collect();
        }
        Storage::Lines => {
            let objects = listing.objects(path, SAMPLE);
            if objects.iter().filter_map(crate::json::Value::as_object).any(paper::fits) {
                return None;
            }
            seen.fill(objects.iter().filter_map(|object| object.as_object().map(rows::cells)));
        }
        Storage::List(_) | Storage::Parquet => {
            let mut first = Vec::new();
            rows::rows(listing.source(), path, &seen.storage, &mut Quiet, &mut |names, cells, _, _| {
                if first.len() < SAMPLE {
                    first.push((names.to_vec(), cells.to_vec()));
                }
            });
            seen.fill(first.into_iter());
        }
    }
    (!seen.rows.is_empty()).then_some(seen)
}

/// The names of a table with separators that holds nothing but its header.
pub(super) fn header_alone(listing: &Listing<'_>, path: &str) -> Option<String> {
    let Some(Storage::Separated { separator, header: true }) = rows::storage(listing, path) else { return None };
    let mut all = rows::beginning(&listing.head(path), separator, 2).into_iter();
    let names = all.next()?;
    all.next().is_none().then(|| names.join(", "))
}

impl Seen {
    /// Rows whose names may differ, under the names of all of them.
    fn fill(&mut self, rows: impl Iterator<Item = (Vec<String>, Vec<Option<String>>)>) {
        let rows: Vec<_> = rows.collect();
        for name in rows.iter().flat_map(|(names, _)| names) {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        let aligned = |(names, cells): (Vec<String>, Vec<Option<String>>)| {
            let mut row: BTreeMap<String, Option<String>> = names.into_iter().zip(cells).collect();
            self.names.iter().map(|name| row.remove(name).flatten()).collect()
        };
        self.rows = rows.into_iter().map(aligned).collect();
    }
}
