//! The self-test of the corrected references, which needs files that this study does not publish.

use super::benchmark::{Benchmark, steps};
use super::checksums::{CONTAINER, TARGETS};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, Output, Statistic};

static ABOUT: About = About {
    id: "gold-self-test",
    also: &[],
    title: "Self-test of the references",
    unit: "steps",
    meaning: "Whether each corrected reference passes its own tests in at least one environment. It needs the targets and \
              the reference code; without them nothing was checked, and nothing is called passed.",
    formula: "checkable = steps with archived reference code and archived targets, out of the scored steps.",
    source: "Release gate of the study.",
    edge_cases: "A pass proves little: two of the four references that the study knows to be wrong pass their own test.",
    example: "No targets archived: 0 of 287 checkable.",
    keys: &[],
    measures: &[("checkable", "steps that could be tested, out of those scored")],
};

/// Self-test of the references.
pub(super) struct GoldSelfTest;

impl Statistic for GoldSelfTest {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let materials = &evidence.archive.materials;
        let audit = super::audit::Audit::read(evidence);
        let benchmark: &Benchmark = &audit.benchmark;
        let code = |item| {
            steps(item).filter(|step| step.value.get("ground_truth_code").is_some_and(|code| !code.is_null())).count()
        };
        let with_code: usize =
            benchmark.complete().into_iter().flat_map(|items| items.iter().map(|(_, item)| code(item))).sum();
        let targets = !materials.all(TARGETS).is_empty() || materials.one(CONTAINER).is_some();
        let mut output = Output::default();
        let reason = match (with_code > 0, targets) {
            (false, false) => "neither reference code nor targets are archived",
            (false, true) => "the reference code is not archived",
            (true, false) => "the targets are not archived",
            (true, true) => "this tool does not run references against targets of this layout",
        };
        output.on(ABOUT.id, Basis::Records, &[]).put("checkable", Estimate::undefined(reason));
        if !audit.scored.is_empty() {
            let message = format!("no reference was tested: {reason}");
            output.findings.push(Finding::new("not-archived", Place::subject("self-test of the references"), message));
        }
        output
    }
}
