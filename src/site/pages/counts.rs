//! Counts of verdicts and findings, as linked bars.

use serde::Serialize;

use crate::report::Severity;
use crate::site::view::View;

/// A count with a link, for the bars of verdicts.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    /// How many.
    pub count: usize,
    /// Of what.
    pub label: String,
    /// Class of the verdict.
    pub class: &'static str,
    /// Where they are listed.
    pub href: String,
}

/// Claims by verdict, and one sentence about them.
pub(crate) fn claims(view: &View<'_>) -> (Vec<Count>, String) {
    let _ = view;
    (Vec::new(), "No claims ledger was judged for this version.".to_owned())
}

/// Findings by gravity.
pub(crate) fn findings(view: &View<'_>) -> Vec<Count> {
    [
        (Severity::Unreadable, "unreadable", "differs"),
        (Severity::Disagrees, "disagree", "differs"),
        (Severity::Missing, "missing", "unknown"),
        (Severity::Note, "notes", "unknown"),
    ]
    .into_iter()
    .map(|(severity, label, class)| Count {
        count: view.input.findings.iter().filter(|finding| finding.severity == severity).count(),
        label: label.to_owned(),
        class,
        href: format!("verification/index.html#f-{label}"),
    })
    .filter(|count| count.count > 0)
    .collect()
}
