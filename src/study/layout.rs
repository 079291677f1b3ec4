//! Files of a part that a format reads, and what each of them is.

use serde::{Deserialize, Serialize};

use crate::id::ConfigKey;

/// A file of an experiment or a set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FilePart {
    /// Path inside the study; `.gz` is read through.
    pub path: String,
    /// Configuration whose records it holds; absent where the file itself names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<ConfigKey>,
    /// Run it is, from 1; absent where the file itself says so, or where its runs are samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// What it holds, in the words of the format (`results`, `summary`, `predictions`); absent for the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}
