//! Reports and predictions of SWE-bench and the benchmarks made after it.
//!
//! A report says of every instance of a benchmark whether a patch was handed in, could be evaluated and resolved the
//! issue. The denominator is the benchmark. See `docs/formats/swe-bench.md`.

mod algebra;
mod files;
mod predictions;
mod read;
mod report;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, identity, study};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct SweBench;

const ID: &str = "swe-bench";

/// Name of the one judge: the harness that ran the tests.
const JUDGE: &str = "harness";

static ABOUT: About = About {
    title: "SWE-bench reports and predictions",
    reads: "Reports per run (schema 2, and older lists), reports per instance with their tests, and predictions: which \
            instances were submitted, could be evaluated, and were resolved.",
    cannot_check: "Patches are not applied and tests not run again: that needs the repositories and their container \
                   images. Where tests are listed per instance, the verdict is derived from them again.",
};

/// Largest report that is read to declare a study.
const LARGEST: u64 = 64 << 20;

impl Format for SweBench {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let parts = files::parts(listing);
        let judged = parts.iter().filter(|part| matches!(part.role, files::REPORT | files::INSTANCES)).count();
        let predicted = parts.iter().any(|part| part.role == files::PREDICTIONS);
        let fit = if judged > 0 { Fit::Certain } else { Fit::Likely };
        let reason = format!("{judged} reports with lists of instance ids or verdicts per instance");
        (judged > 0 || predicted).then_some(Guess { format: ID, fit, reason, parts })
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        declare(listing, &guess.parts)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        read::read(request, sink);
    }
}

/// Reports over benchmarks of one size are one experiment; what states no size joins the only one there is, or is
/// one of its own.
fn declare(listing: &Listing<'_>, parts: &[Part]) -> Declared {
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.role == files::REPORT) {
        let value = listing.value(&part.path, LARGEST);
        let total = value.as_ref().and_then(|value| value.get("total_instances")?.as_number()?.as_u64());
        if let (Some(arm), Some(total)) = (&part.arm, total) {
            sizes.insert(arm, total);
        }
    }
    let known: BTreeSet<u64> = sizes.values().copied().collect();
    let only = known.first().copied().filter(|_| known.len() == 1);
    let mut groups: BTreeMap<Option<u64>, Vec<&Part>> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.role != files::DATASET) {
        let size = part.arm.as_deref().and_then(|arm| sizes.get(arm).copied()).or(only);
        groups.entry(size).or_default().push(part);
    }
    let mut declared = study(identity("swe-bench-reports", "SWE-bench reports", "Reports of a SWE-bench harness."));
    let mut keys = BTreeSet::new();
    for (size, members) in &groups {
        let id = match size {
            Some(size) if groups.len() > 1 => format!("swe-bench ({size} instances)"),
            None if groups.len() > 1 => "swe-bench (size not stated)".to_owned(),
            _ => "swe-bench".to_owned(),
        };
        let mut benchmark = set(&id, &id, "", ID);
        let dataset = parts.iter().filter(|part| part.role == files::DATASET);
        benchmark.files = dataset.map(|part| file(part, None)).collect();
        declared.sets.push(benchmark);
        let mut own = experiment(&id, &id, ID);
        own.samples = false;
        own.labels = label("protocol", "patch");
        own.condition = (groups.len() > 1).then(|| id.clone());
        for part in members {
            let arm = part.arm.as_deref().unwrap_or(ID);
            own.files.push(file(part, Some(arm)));
            if !own.configurations.iter().any(|key| key.as_str() == arm) {
                own.configurations.push(arm.into());
            }
            if keys.insert(arm.to_owned()) {
                declared.configurations.push(configuration(arm));
            }
        }
        declared.experiments.push(own);
    }
    declared.judges = vec![Judge {
        id: JUDGE.to_owned(),
        title: "Test harness".to_owned(),
        headline: true,
        rule: Some(
            "Resolved: every test that had to change passes, and every test that passed before still does.".to_owned(),
        ),
    }];
    declared.estimators =
        vec![Estimator { id: "resolved".to_owned(), kind: EstimatorKind::Mean, k: None, headline: true }];
    let assumed = vec!["every instance of the benchmark is in the denominator, submitted or not".to_owned()];
    Declared { study: declared, assumed }
}

fn file(part: &Part, arm: Option<&str>) -> FilePart {
    FilePart {
        // A folder of reports of single instances is declared without the slash behind it.
        path: part.path.trim_end_matches('/').to_owned(),
        configuration: arm.map(Into::into),
        run: None,
        role: Some(part.role.to_owned()),
    }
}
