//! Templates that the audit condemns.

use super::audit::Audit;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-defect-set`.
pub(crate) struct ChoiceDefectSet;

static ABOUT: About = About {
    id: "mcq-defect-set",
    also: &[],
    title: "Condemned templates",
    unit: "count",
    meaning: "Which imported templates should not be used to compare formats, because both reviewers object and a blind solve does not \
              confirm the key.",
    formula: "flagged = templates with flag `both` and solve verdict FAIL_BOTH_AGREE or REVIEW; withdrawn = flagged ones that the study \
              withdrew later; condemned = flagged - withdrawn; key-wrong = condemned with FAIL_BOTH_AGREE (both blind solvers \
              contradict the key). Instances are counted over the set.",
    source: "Rule mcq-defect-set of the study; the audit embedded in the problem file.",
    edge_cases: "Templates without an audit are never flagged. A withdrawal of a template that is not flagged changes nothing. Undefined \
                 when no instance carries an audit.",
    example: "21 flagged, 2 withdrawn: 19 of 67 templates condemned (28 %), with 190 of 670 instances.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "template", meaning: "condemned template, for defective" },
    ],
    measures: &[
        ("templates", "templates of the set"),
        ("flagged", "flagged templates"),
        ("withdrawn", "flags withdrawn"),
        ("condemned", "condemned templates, of all"),
        ("condemned-share", "condemned templates, percent"),
        ("instances", "instances on condemned templates"),
        ("clean", "instances on other templates"),
        ("flagged-instances", "instances on flagged templates"),
        ("key-wrong", "condemned templates whose key both solvers contradict"),
        ("key-wrong-flagged", "flagged templates whose key both solvers contradict"),
        ("defective", "1 for a condemned template"),
    ],
};

impl Statistic for ChoiceDefectSet {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let key = ("set", formats.set.id.as_str());
            match &formats.audit {
                Ok(audit) => counts(&mut out, audit, formats.set.problems.len(), key),
                Err(reason) => {
                    out.fact(ABOUT.id, "condemned", &[key], Estimate::undefined(reason.clone()), Basis::Records);
                }
            }
        }
        out
    }
}

fn counts(out: &mut Output, audit: &Audit<'_>, instances: usize, key: (&str, &str)) {
    let templates = audit.templates.len();
    let condemned = audit.condemned().count();
    let defective = audit.instances(audit.condemned());
    let contradicted = |templates: &mut dyn Iterator<Item = &str>| {
        Estimate::count(templates.filter(|template| audit.key_contradicted(template)).count())
    };
    out.on(ABOUT.id, Basis::Records, &[key])
        .put("templates", Estimate::count(templates))
        .put("flagged", Estimate::count(audit.flagged.len()))
        .put("withdrawn", Estimate::count(audit.withdrawn.len()))
        .put("condemned", Estimate::out_of(condemned, templates))
        .put("condemned-share", Estimate::percent(condemned, templates))
        .put("instances", Estimate::count(defective))
        .put("clean", Estimate::count(instances - defective))
        .put("flagged-instances", Estimate::count(audit.instances(audit.flagged.iter().copied())))
        .put("key-wrong", contradicted(&mut audit.condemned()))
        .put("key-wrong-flagged", contradicted(&mut audit.flagged.iter().copied()));
    for template in audit.condemned() {
        out.fact(ABOUT.id, "defective", &[key, ("template", template)], Estimate::count(1), Basis::Records);
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn counts_of_a_small_audit() {
        let facts = Facts::new(study().compute(&ChoiceDefectSet).facts);
        let value =
            |measure| facts.get("mcq-defect-set", measure, &[("set", "mcq")]).unwrap().estimate.point().unwrap();
        assert_eq!(["templates", "flagged", "withdrawn", "condemned"].map(value), [4.0, 2.0, 1.0, 1.0]);
        assert_eq!(["instances", "clean", "flagged-instances"].map(value), [2.0, 4.0, 3.0]);
        assert_eq!(["key-wrong", "key-wrong-flagged", "condemned-share"].map(value), [1.0, 1.0, 25.0]);
        assert!(facts.get("mcq-defect-set", "defective", &[("set", "mcq"), ("template", "T2")]).is_some());
    }
}
