//! A table of pass@k beside a results file: `,pass@1,pass@10` and one row of values.

use super::listing::Listing;
use super::open::document;
use super::sink::Sink;
use crate::archive::{Denominator, Scale, StoredSummary};
use crate::id::{ConfigKey, ExperimentId};
use crate::report::{Finding, Place};
use crate::study::EstimatorKind;
use crate::world::Source;

/// Whether a file is such a table: every column but an unnamed first one is called `pass@k`.
pub(super) fn is_summary(listing: &Listing<'_>, path: &str) -> bool {
    let head = listing.head(path);
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut columns = line.trim().split(',').map(|column| column.trim().trim_matches('"')).peekable();
    columns.next_if(|name| name.is_empty());
    let mut columns = columns.peekable();
    columns.peek().is_some() && columns.all(|name| k_of(name).is_some())
}

/// k of `pass@k`.
pub(super) fn k_of(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("pass@").or_else(|| name.strip_prefix("pass_at_"))?;
    digits.parse().ok().filter(|k| *k > 0)
}

/// Reads the values as stored summaries of an arm.
pub(super) fn read(
    source: &dyn Source,
    path: &str,
    experiment: &ExperimentId,
    configuration: &ConfigKey,
    sink: &mut dyn Sink,
) {
    let document = match document(source, path) {
        Ok(document) => document,
        Err(finding) => return sink.finding(finding),
    };
    sink.file(path, document.digest, document.size);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(document.bytes.as_slice());
    let names: Vec<String> = match reader.headers() {
        Ok(names) => names.iter().map(|name| name.trim().to_owned()).collect(),
        Err(error) => return sink.finding(Finding::new("torn-file", Place::file(path), error.to_string())),
    };
    for (at, row) in reader.records().enumerate() {
        let place = Place::file(path).with_line(at + 2);
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                sink.finding(Finding::new("bad-record", place, error.to_string()));
                continue;
            }
        };
        for (name, printed) in names.iter().zip(row.iter()) {
            let Some(k) = k_of(name) else { continue };
            match printed.trim().parse::<f64>() {
                Ok(value) if value.is_finite() => sink.summary(StoredSummary {
                    metric: name.as_str().into(),
                    estimator: EstimatorKind::PassAtK,
                    k: Some(k),
                    judge: None,
                    experiment: experiment.clone(),
                    configuration: configuration.clone(),
                    run: None,
                    stratum: std::collections::BTreeMap::new(),
                    denominator: Denominator::Recorded,
                    scale: if value > 1.0 { Scale::Percent } else { Scale::Fraction },
                    value,
                    printed: printed.trim().into(),
                    place: place.clone(),
                }),
                _ => {
                    let message = format!("{name} is {printed:?}, which is no number");
                    sink.finding(Finding::new("bad-member", place.clone(), message));
                }
            }
        }
    }
}
