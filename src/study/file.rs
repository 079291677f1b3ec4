//! Files that the analyses of a study read whole: neither problem sets nor runs.

use serde::{Deserialize, Serialize};

/// A file, or every file of a folder, with the part it plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StudyFile {
    /// The part it plays, as the analyses that read it call it.
    pub role: String,
    /// File inside the study; with a `/` at its end every file below a folder.
    pub path: String,
    /// MD5 that the study pins for the file, in hexadecimal digits.
    #[serde(default)]
    pub md5: Option<String>,
    /// SHA-256 that the study pins for the file, in hexadecimal digits.
    #[serde(default)]
    pub sha256: Option<String>,
    /// True when a study without this file is still complete.
    #[serde(default)]
    pub optional: bool,
    /// For a file of problems, a line of JSON each: the member by which a problem is known. Such files are compared
    /// problem by problem between versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<String>,
}
