//! The one integration binary: the real tool over small studies, and rules about the code itself.

#![allow(clippy::unwrap_used, reason = "a test stops where its input is not what it must be")]
#![allow(clippy::print_stderr, reason = "a test says what it skipped and what it counted")]
#![allow(clippy::disallowed_methods, reason = "a test looks at files past the tool")]

mod architecture;
mod archive;
mod audits_clean;
mod browser;
mod bundle;
mod claims;
mod claims_shared;
mod cli;
mod conditions_reference;
mod costs_reference;
mod documents_shared;
mod documents_words;
mod example;
mod formats;
mod formats_damage;
mod formats_more;
mod formats_reports;
mod grade_properties;
mod grading;
mod known_values;
mod multiverse;
mod naive_grader;
mod names;
mod opened;
mod order;
mod plain_table;
mod published;
mod raw_records;
mod reading;
mod robustness;
mod robustness_reference;
mod sandbox;
mod schemas;
mod shared;
mod site;
mod synthetic;
mod tests_as_checks;
mod two_studies;
mod verifying;
