//! The audit that is embedded in an imported problem file, by template.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::{Problem, Set};
use crate::json::Value;
use crate::packs::atmoscoder::options::Options;
use crate::study::Study;

/// Verdict of the blind solve check: both solvers agree with one another and contradict the key.
const BOTH_CONTRADICT: &str = "FAIL_BOTH_AGREE";
/// Verdict of the blind solve check: no clear result.
const UNCLEAR: &str = "REVIEW";

/// What the audit says about one template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    /// How many reviewers flagged it: `both`, `one`, `clean`.
    pub(super) flag: String,
    /// Verdict of the blind solve check.
    pub(super) solve: String,
}

/// The audit of a set.
#[derive(Debug, Clone)]
pub(super) struct Audit<'a> {
    /// Every template with its instances, in the order of the file.
    pub(super) templates: Vec<(&'a str, Vec<&'a Problem>)>,
    /// Verdicts by template; templates that were not audited have none.
    pub(super) verdicts: BTreeMap<&'a str, Verdict>,
    /// Flagged by both reviewers and not confirmed by the solve check.
    pub(super) flagged: BTreeSet<&'a str>,
    /// Flagged templates whose flag a later pass withdrew.
    pub(super) withdrawn: BTreeSet<&'a str>,
}

impl<'a> Audit<'a> {
    /// Reads the audit of a set: member `audit` of each instance, with `flag` and `k2_solve`.
    ///
    /// # Errors
    /// When no instance carries one.
    pub(super) fn read(set: &'a Set, study: &Study) -> Result<Self, String> {
        let mut templates: Vec<(&str, Vec<&Problem>)> = Vec::new();
        let mut at: BTreeMap<&str, usize> = BTreeMap::new();
        let mut verdicts: BTreeMap<&str, Verdict> = BTreeMap::new();
        for problem in &set.problems {
            let Some(template) = template(problem) else { continue };
            let slot = *at.entry(template).or_insert_with(|| {
                templates.push((template, Vec::new()));
                templates.len() - 1
            });
            templates[slot].1.push(problem);
            let audit = problem.extra.get("audit");
            let member = |name: &str| audit.and_then(|audit| audit.get(name)).and_then(Value::as_text);
            if let (Some(flag), Some(solve)) = (member("flag"), member("k2_solve")) {
                verdicts.entry(template).or_insert_with(|| Verdict { flag: flag.to_owned(), solve: solve.to_owned() });
            }
        }
        if verdicts.is_empty() {
            return Err("the problem file carries no audit".to_owned());
        }
        let condemns =
            |verdict: &Verdict| verdict.flag == "both" && [BOTH_CONTRADICT, UNCLEAR].contains(&verdict.solve.as_str());
        let flagged: BTreeSet<&str> =
            verdicts.iter().filter(|(_, verdict)| condemns(verdict)).map(|(&template, _)| template).collect();
        let listed = Options::of(study).withdrawn_flags;
        let named = |template: &&&str| listed.iter().any(|own| own == **template);
        let withdrawn = flagged.iter().filter(named).copied().collect();
        Ok(Self { templates, verdicts, flagged, withdrawn })
    }

    /// Templates that stay condemned.
    pub(super) fn condemned(&self) -> impl Iterator<Item = &'a str> {
        self.flagged.difference(&self.withdrawn).copied()
    }

    /// Whether an instance stands on a condemned template.
    pub(super) fn condemns(&self, problem: &Problem) -> bool {
        template(problem).is_some_and(|own| self.flagged.contains(own) && !self.withdrawn.contains(own))
    }

    /// Whether both blind solvers contradict the key of a template.
    pub(super) fn key_contradicted(&self, template: &str) -> bool {
        self.verdicts.get(template).is_some_and(|verdict| verdict.solve == BOTH_CONTRADICT)
    }

    /// Instances of some templates.
    pub(super) fn instances<'t>(&self, templates: impl IntoIterator<Item = &'t str>) -> usize {
        let wanted: BTreeSet<&str> = templates.into_iter().collect();
        self.templates.iter().filter(|(name, _)| wanted.contains(name)).map(|(_, instances)| instances.len()).sum()
    }
}

/// Template of an instance.
pub(super) fn template(problem: &Problem) -> Option<&str> {
    problem.choice.as_ref().map(|choice| &*choice.template)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::corpus::Choice;
    use crate::json::Object;
    use crate::statistics::fixture::{Fixture, problem};

    /// An instance of a template with an audit, or without one where `flag` is empty.
    pub(in crate::packs::atmoscoder::statistics::choice) fn instance(
        id: &str,
        template: &str,
        flag: &str,
        solve: &str,
    ) -> Problem {
        let text = |text: &str| Value::Text(text.to_owned());
        let audit: Object =
            [("flag".to_owned(), text(flag)), ("k2_solve".to_owned(), text(solve))].into_iter().collect();
        let extra: Object = [("audit".to_owned(), Value::Object(audit))].into_iter().collect();
        let extra = if flag.is_empty() { Value::Null } else { Value::Object(extra) };
        let choice = Some(Choice { template: template.into(), options: Vec::new(), key: None });
        Problem { choice, extra, ..problem(id, "c", "low", 1) }
    }

    /// Six instances on four templates: T1 sound, T2 condemned (key contradicted), T3 withdrawn, T4 not
    /// audited. Two models; `m` has option answers and computed ones, `n` only computed ones.
    pub(in crate::packs::atmoscoder::statistics::choice) fn study() -> Fixture {
        let instances = vec![
            instance("T1_1", "T1", "one", "PASS_K2"),
            instance("T1_2", "T1", "one", "PASS_K2"),
            instance("T2_1", "T2", "both", "FAIL_BOTH_AGREE"),
            instance("T2_2", "T2", "both", "FAIL_BOTH_AGREE"),
            instance("T3_1", "T3", "both", "REVIEW"),
            instance("T4_1", "T4", "", ""),
        ];
        let mut study = Fixture::new(&[("m", "M", true), ("-n", "N", false)])
            .set("mcq", "multiple-choice", None, instances)
            .experiment("mcq_code", "mcq", "code", 1)
            .experiment("mcq_option", "mcq", "option", 1)
            .run("mcq_code", "m", 1, "PFFFUP")
            .run("mcq_option", "m", 1, "PPPFPF")
            .run("mcq_code", "n", 1, "FFFFFP");
        study.study.configurations[0].name = "Model m (reasoning)".into();
        study.option("withdrawn-flags", vec!["T3", "T1"]);
        study.study.experiments[0].configurations = vec!["m".into(), "n".into()];
        study
    }

    #[test]
    fn a_flag_needs_both_reviewers_and_the_solve_check() {
        let study = study();
        let audit = Audit::read(&study.corpus.sets[0], &study.study).unwrap();
        assert_eq!(audit.flagged.iter().copied().collect::<Vec<_>>(), ["T2", "T3"]);
        // A withdrawal of a template that was never flagged withdraws nothing.
        assert_eq!(audit.withdrawn.iter().copied().collect::<Vec<_>>(), ["T3"]);
        assert_eq!(audit.condemned().collect::<Vec<_>>(), ["T2"]);
        assert_eq!((audit.instances(audit.condemned()), audit.verdicts.len(), audit.templates.len()), (2, 3, 4));
        assert!(audit.key_contradicted("T2") && !audit.key_contradicted("T3"));
    }
}
