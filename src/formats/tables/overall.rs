//! Numbers over all problems that a table states beside them, as a row or a column called mean or total: what is counted
//! again, and no problem.

use std::collections::BTreeMap;

use super::super::sink::Sink;
use super::columns::{self, Aggregate};
use super::read::RowReader;
use crate::archive::{Denominator, Scale, StoredSummary};
use crate::id::ConfigKey;
use crate::report::{Finding, Place};
use crate::study::EstimatorKind;

/// A number over all problems of a configuration.
pub(super) fn told(
    lines: &RowReader<'_>,
    kind: Aggregate,
    name: &str,
    configuration: &ConfigKey,
    printed: Option<&str>,
    place: &Place,
    sink: &mut dyn Sink,
) {
    let (Some(printed), None) = (printed, lines.request.selection.only) else { return };
    let place = place.clone().with_subject(configuration.as_str());
    let bare = printed.trim().strip_suffix('%').map(str::trim_end);
    let Some(value) = columns::number(bare.unwrap_or(printed)) else {
        let message = format!("{name} is {printed:?}, which is no number that can be read in one way only");
        return sink.finding(Finding::new("bad-member", place, message));
    };
    let scored = ["score", "successes", "cells"].iter().any(|role| lines.experiment.columns.contains_key(*role));
    let (estimator, scale) = match kind {
        // A sum of scores is of no use to anybody, and of marks it is the number of passes.
        Aggregate::Sum if scored => return,
        Aggregate::Sum => (EstimatorKind::Count, Scale::Plain),
        Aggregate::Mean => {
            let percent = lines.percent || bare.is_some() || value > 1.0;
            let kind = if scored { EstimatorKind::Score } else { EstimatorKind::Mean };
            (kind, if percent { Scale::Percent } else { Scale::Fraction })
        }
    };
    sink.summary(StoredSummary {
        metric: name.into(),
        estimator,
        k: None,
        judge: None,
        experiment: lines.experiment.id.clone(),
        configuration: configuration.clone(),
        run: lines.file.run,
        stratum: BTreeMap::new(),
        denominator: Denominator::Graded,
        scale,
        value,
        printed: bare.unwrap_or(printed).replace(',', ".").into(),
        place,
    });
}
