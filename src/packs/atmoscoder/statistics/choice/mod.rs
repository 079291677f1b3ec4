//! Multiple choice beside computing: the same imported problems answered by picking an option and by
//! writing a program.
//!
//! The format gap is what a letter earns beyond a computed answer. It is corrected for guessing, shown
//! at wider tolerances, and repeated without the templates that the audit condemns ([`audit`]). Nothing
//! here decides whether a key is wrong; that was decided by the audit embedded in the problem file.

mod accuracy_code;
mod accuracy_option;
mod audit;
mod audit_funnel;
mod chance_correction;
mod clean_subset;
mod crosstab;
mod defect_set;
mod formats;
mod gap;
mod mechanism;
mod rescue;
mod template_case;

pub(crate) use accuracy_code::ChoiceAccuracyCode;
pub(crate) use accuracy_option::ChoiceAccuracyOption;
pub(crate) use audit_funnel::ChoiceAuditFunnel;
pub(crate) use chance_correction::ChanceCorrection;
pub(crate) use clean_subset::ChoiceCleanSubset;
pub(crate) use crosstab::ChoiceCrosstab;
pub(crate) use defect_set::ChoiceDefectSet;
pub(crate) use gap::ChoiceGap;
pub(crate) use mechanism::ChoiceMechanism;
pub(crate) use rescue::ChoiceRescue;
pub(crate) use template_case::ChoiceTemplateCase;
