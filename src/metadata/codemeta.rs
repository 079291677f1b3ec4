//! `codemeta.json` 3.0 of the tool that made the bundle. (The archive itself is a dataset, which is
//! not what codemeta describes.)

use serde_json::{Value, json};

use super::deposit::{tool_id, tool_page};

/// The description of the tool.
pub fn codemeta(tool_version: &str) -> Value {
    let mut out = json!({
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "name": "repro",
        "description": env!("CARGO_PKG_DESCRIPTION"),
        "version": tool_version,
        "softwareVersion": tool_version,
        "license": "https://spdx.org/licenses/MIT",
        "identifier": tool_id(tool_version),
        "programmingLanguage": {"type": "ComputerLanguage", "name": "Rust"},
        "operatingSystem": "Linux",
        "applicationCategory": "Reproducibility",
    });
    if let Some(page) = tool_page() {
        out["url"] = json!(page);
    }
    out
}
