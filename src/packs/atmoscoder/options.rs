//! What `[[analysis]] pack = "atmoscoder"` may say: choices of the study that a rule needs and no record tells.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::id::ConfigKey;
use crate::study::Study;

/// The options; all may be left out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Options {
    /// Seed of the bootstrap by family of variants (`numeric`, `paraphrase`); 1 where absent.
    pub(super) bootstrap_seeds: BTreeMap<String, u32>,
    /// Order in which the position-based rank correlation breaks ties; the declared order of
    /// configurations where empty.
    pub(super) tie_order: Vec<ConfigKey>,
    /// Configurations that tables call the frontier.
    pub(super) frontier: Vec<ConfigKey>,
    /// Multiple-choice templates whose audit flag a later pass withdrew.
    pub(super) withdrawn_flags: Vec<String>,
    /// What tables drop at the start of a trap's id.
    pub(super) trap_prefix: String,
    /// What tables drop at the end of a trap's id.
    pub(super) trap_suffix: String,
    /// Sub-answers whose answers are counted by bands of values.
    pub(super) answer_spaces: Vec<AnswerSpace>,
}

/// One sub-answer of one problem of the main set, over all measurements.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct AnswerSpace {
    /// Problem.
    pub(super) problem: String,
    /// Key of the sub-answer.
    pub(super) sub: String,
    /// Whether every answer is listed in the table of answer spaces.
    #[serde(default = "yes")]
    pub(super) listed: bool,
    /// Bands of values; what lies in none of them is counted as `other`.
    #[serde(default)]
    pub(super) bands: Vec<Band>,
}

const fn yes() -> bool {
    true
}

/// A band of values with a name; both ends belong to it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Band {
    /// Name.
    pub(super) name: String,
    /// Lower end.
    pub(super) low: f64,
    /// Upper end.
    pub(super) high: f64,
}

impl Options {
    /// The options of a study; [`check`] has told what cannot be read, and then none of them counts.
    pub(super) fn of(study: &Study) -> Self {
        study.options(super::PACK.id).try_into().unwrap_or_default()
    }

    /// Name of a trap in tables: its id without the declared prefix and suffix.
    pub(super) fn trap_name<'i>(&self, id: &'i str) -> &'i str {
        let id = id.strip_prefix(self.trap_prefix.as_str()).unwrap_or(id);
        id.strip_suffix(self.trap_suffix.as_str()).unwrap_or(id)
    }
}

/// What is wrong with the options of a study.
pub(super) fn check(study: &Study) -> Vec<String> {
    let options: Options = match study.options(super::PACK.id).try_into() {
        Ok(options) => options,
        Err(error) => return vec![error.message().to_owned()],
    };
    let mut wrong = Vec::new();
    for (member, listed) in [("tie-order", &options.tie_order), ("frontier", &options.frontier)] {
        let unknown = listed.iter().filter(|key| study.configuration(key.as_str()).is_none());
        wrong.extend(unknown.map(|key| format!("`{member}` names {key}, and no configuration is called so")));
    }
    let bands = options.answer_spaces.iter().flat_map(|space| &space.bands);
    let turned = bands.filter(|band| band.low.partial_cmp(&band.high).is_none_or(std::cmp::Ordering::is_gt));
    wrong.extend(turned.map(|band| format!("the band {:?} of `answer-spaces` ends below its start", band.name)));
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Analysis;

    fn checked(options: &str) -> Vec<String> {
        let options = toml::from_str(options).unwrap();
        let analysis = vec![Analysis { pack: Some("atmoscoder".into()), options }];
        check(&Study { analysis, ..crate::study::blank() })
    }

    #[test]
    fn options_are_checked_like_the_rest_of_a_declaration() {
        assert!(checked("bootstrap-seeds = { numeric = 7 }\ntrap-prefix = \"t_\"").is_empty());
        assert!(checked("trap-prefixes = 1")[0].contains("unknown field"));
        assert!(checked("frontier = [\"nobody\"]")[0].contains("no configuration is called so"));
        let turned =
            "[[answer-spaces]]\nproblem = \"p\"\nsub = \"1\"\nbands = [{ name = \"b\", low = 2.0, high = 1.0 }]";
        assert!(checked(turned)[0].contains("ends below its start"));
    }
}
