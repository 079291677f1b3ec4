//! What the benchmark consists of: problems, steps, and the steps that have a verdict.

use super::audit::Audit;
use super::benchmark::steps;
use crate::change_ledger::Items;
use crate::json::same;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "benchmark-universe",
    also: &[],
    title: "Problems and steps",
    unit: "steps",
    meaning: "How many main problems and steps the benchmark has, how many of the steps have a verdict, and in how many \
              problems the release differs from the original.",
    formula: "steps = sum over problems; injected = steps whose code is given to every model, so that they have no \
              verdict; scored = steps - injected; changed = problems of which any field differs.",
    source: "Files of the benchmark; the archived verdicts say which steps have none.",
    edge_cases: "Where only a part of the release is archived, `changed` speaks of that part. A step without a verdict \
                 is no failure and is in no denominator.",
    example: "64 problems with 290 steps, 3 of them injected: 287 scored.",
    keys: &[KeyDoc { key: "version", meaning: "original or release, as far as archived" }],
    measures: &[
        ("problems", "main problems"),
        ("steps", "steps, scored or not"),
        ("scored", "steps with a verdict"),
        ("injected", "steps with given code"),
        ("changed", "problems of the release that differ, out of those compared"),
    ],
};

/// Problems and steps.
pub(super) struct Universe;

impl Statistic for Universe {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        if let Some(reason) = audit.without_steps() {
            output.on(ABOUT.id, Basis::Records, &[]).put("scored", Estimate::undefined(reason));
            return output;
        }
        for (version, items) in [("original", &audit.benchmark.before), ("release", &audit.benchmark.after)] {
            let Some(items) = items else { continue };
            let count: usize = items.iter().map(|(_, item)| steps(item).count()).sum();
            output
                .on(ABOUT.id, Basis::Records, &[("version", version)])
                .put("problems", Estimate::count(items.len()))
                .put("steps", Estimate::count(count));
        }
        output
            .on(ABOUT.id, Basis::Records, &[])
            .put("scored", Estimate::count(audit.scored.len()))
            .put("injected", Estimate::count(audit.injected.len()));
        if let (Some(before), Some(after)) = (&audit.benchmark.before, &audit.benchmark.after) {
            let (changed, compared) = differing(before, after);
            output.on(ABOUT.id, Basis::Records, &[]).put("changed", Estimate::out_of(changed, compared));
        }
        output
    }
}

/// Problems of both versions that differ, out of those that both have.
fn differing(before: &Items, after: &Items) -> (usize, usize) {
    let both: Vec<bool> =
        after.iter().filter_map(|(id, item)| Some(!same(&before.get(id)?.value, &item.value))).collect();
    (both.iter().filter(|differs| **differs).count(), both.len())
}
