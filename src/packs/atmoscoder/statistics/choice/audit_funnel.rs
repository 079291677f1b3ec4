//! Templates by the verdicts of the audit.

use std::collections::BTreeMap;

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-audit-funnel`.
pub(crate) struct ChoiceAuditFunnel;

static ABOUT: About = About {
    id: "mcq-audit-funnel",
    also: &[],
    title: "Verdicts of the key audit",
    unit: "count",
    meaning: "How many templates the reviewers flagged and what the blind solve check said about them.",
    formula: "n = templates with a flag (both, one, clean) or with a solve verdict (PASS_K2: both solvers match the key, PASS_K1: one, \
              FAIL_BOTH_AGREE: both contradict it, REVIEW: unclear); share = 100 × n / audited.",
    source: "Rule mcq-audit-funnel of the study; the audit embedded in the problem file.",
    edge_cases: "A template counts once, whatever its number of instances; its first instance with an audit speaks for it. Templates that \
                 were dropped before the file was written are not in it.",
    example: "66 audited templates: 32 PASS_K2, 9 PASS_K1, 12 FAIL_BOTH_AGREE, 13 REVIEW.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "verdict", meaning: "verdict of the solve check, or" },
        KeyDoc { key: "flag", meaning: "`both`, `one` or `clean`" },
    ],
    measures: &[
        ("n", "templates"),
        ("share", "percent of the audited templates"),
        ("audited", "templates with an audit, of all"),
    ],
};

impl Statistic for ChoiceAuditFunnel {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let set = ("set", formats.set.id.as_str());
            let audit = match &formats.audit {
                Ok(audit) => audit,
                Err(reason) => {
                    out.fact(ABOUT.id, "audited", &[set], Estimate::undefined(reason.clone()), Basis::Records);
                    continue;
                }
            };
            let audited = audit.verdicts.len();
            let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for verdict in audit.verdicts.values() {
                *counts.entry(("verdict", verdict.solve.as_str())).or_default() += 1;
                *counts.entry(("flag", verdict.flag.as_str())).or_default() += 1;
            }
            for (key, count) in counts {
                out.on(ABOUT.id, Basis::Records, &[set, key])
                    .put("n", Estimate::count(count))
                    .put("share", Estimate::percent(count, audited));
            }
            let all = Estimate::out_of(audited, audit.templates.len());
            out.fact(ABOUT.id, "audited", &[set], all, Basis::Records);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn templates_count_once() {
        let facts = Facts::new(study().compute(&ChoiceAuditFunnel).facts);
        let value =
            |measure, keys: &[(&str, &str)]| facts.get("mcq-audit-funnel", measure, keys).unwrap().estimate.clone();
        let set = ("set", "mcq");
        assert_eq!(value("n", &[set, ("verdict", "PASS_K2")]).point(), Some(1.0));
        assert_eq!(value("n", &[set, ("flag", "both")]).point(), Some(2.0));
        assert_eq!(value("audited", &[set]), Estimate::out_of(3, 4));
    }
}
