//! Failed answers to variants by kind.

use super::failures::KINDS;
use super::funnel::printed;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::names::percent;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct EchoTaxonomy;

static ABOUT: About = About {
    id: "echo-taxonomy",
    also: &[],
    title: "Kinds of failed answers to variants",
    unit: "count",
    meaning: "What failed answers to numeric variants are: not gradable, not telling, the original's answer (an echo), \
              close to the right one, or something else. Few echoes mean that remembered answers explain little.",
    formula: "First match of: ungradable = no graded details, or no number returned; uninformative = no number for a \
              discriminative sub; echo = every number for a discriminative sub within 5 % of the original's value; \
              near-miss = every number that has a reference within 15 % of the variant's value; other. Distances are |a - e| ≤ \
              t × max(|e|, 1e-12). share = 100 × kind / failures; of-answers = 100 × kind / answers.",
    source: "Rule echo-taxonomy of the study.",
    edge_cases: "Only configurations that pass the completeness gate. NaN is a number that is close to nothing. An answer none \
                 of whose numbers has a reference is a near miss, as in the study. Undefined where the archive holds \
                 verdicts only; then echo and failures follow from a published funnel (basis `published`).",
    example: "Original 10, variant 20: 10.3 is an echo, 21 a near miss, 15 other.",
    keys: &[
        KeyDoc { key: "kind", meaning: "`ungradable`, `uninformative`, `echo`, `near-miss`, `other`" },
        KeyDoc { key: "model", meaning: "configuration key, for its own counts" },
    ],
    measures: &[
        ("n", "failed answers of a kind"),
        ("share", "percent of failures"),
        ("of-answers", "percent of all answers"),
    ],
};

impl Statistic for EchoTaxonomy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        if evidence.family_set(Family::Numeric).is_none() {
            return out;
        }
        let found = match evidence.failures() {
            Ok(found) => found,
            Err(reason) => {
                without_values(&mut out, evidence, &reason);
                return out;
            }
        };
        let failures = found.list.len();
        for kind in KINDS {
            let n = found.of(kind).count();
            let keys = [("kind", kind.as_str())];
            out.fact(ABOUT.id, "n", &keys, Estimate::count(n), Basis::Records);
            out.fact(ABOUT.id, "share", &keys, Estimate::percent(n, failures), Basis::Records);
            out.fact(ABOUT.id, "of-answers", &keys, Estimate::percent(n, found.answers), Basis::Records);
            for configuration in &found.configurations {
                let own = found.of(kind).filter(|failure| failure.configuration.key == configuration.key).count();
                let keys = [keys[0], ("model", configuration.key.as_str())];
                out.fact(ABOUT.id, "n", &keys, Estimate::count(own), Basis::Records);
            }
        }
        out
    }
}

/// What the published funnel implies, and reasons for the rest.
fn without_values(out: &mut Output, evidence: &Evidence<'_>, reason: &str) {
    let funnel = printed(evidence);
    for kind in KINDS {
        let keys = [("kind", kind.as_str())];
        match funnel.filter(|_| kind.as_str() == "echo") {
            Some([answers, failures, echoes, ..]) => {
                out.fact(ABOUT.id, "n", &keys, Estimate::count(echoes), Basis::Published);
                out.fact(ABOUT.id, "share", &keys, Estimate::value(percent(echoes, failures)), Basis::Published);
                out.fact(ABOUT.id, "of-answers", &keys, Estimate::value(percent(echoes, answers)), Basis::Published);
            }
            None => {
                for measure in ["n", "share", "of-answers"] {
                    out.fact(ABOUT.id, measure, &keys, Estimate::undefined(reason), Basis::Records);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn each_kind_once_per_configuration() {
        let facts = Facts::new(study().compute(&EchoTaxonomy).facts);
        for kind in KINDS {
            let value =
                |measure| facts.get("echo-taxonomy", measure, &[("kind", kind.as_str())]).unwrap().estimate.point();
            assert_eq!((value("n"), value("share"), value("of-answers")), (Some(2.0), Some(20.0), Some(20.0)));
        }
    }
}
