//! Stylesheet, script and data scripts under content-hashed names.

use crate::digest::Digest;
use crate::tree::{Tree, TreeError};

/// The stylesheet.
pub(crate) const STYLE: &str = include_str!("../../templates/site.css");
const SCRIPT: &str = include_str!("../../templates/site.js");

/// Addresses of the assets of one version.
#[derive(Debug, Clone)]
pub(crate) struct Assets {
    /// Stylesheet.
    pub style: String,
    /// The one script.
    pub script: String,
    /// Search index, assigned to a constant because a page on a disk may not fetch.
    pub search: String,
    /// Outcomes of all configurations for the comparison page.
    pub outcomes: String,
}

impl Assets {
    /// Adds the assets to a tree.
    pub(crate) fn add(tree: &mut Tree, search: String, outcomes: String) -> Result<Self, TreeError> {
        let mut add = |name: &str, extension: &str, text: String| {
            let path = format!("assets/{name}.{}.{extension}", Digest::of(text.as_bytes()).short(12));
            tree.add(path.clone(), text.into_bytes()).map(|()| path)
        };
        Ok(Self {
            style: add("site", "css", STYLE.to_owned())?,
            script: add("site", "js", SCRIPT.to_owned())?,
            search: add("search", "js", search)?,
            outcomes: add("outcomes", "js", outcomes)?,
        })
    }
}

/// JSON as the value of a constant in a script.
pub(crate) fn constant(name: &str, value: &serde_json::Value) -> String {
    format!("\"use strict\";\nconst {name} = {};\n", json_in_html(value))
}

/// JSON written so that no text in it can end a script element or a line.
pub(crate) fn json_in_html(value: &serde_json::Value) -> String {
    let json = value.to_string();
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_the_script() {
        let text = constant("x", &serde_json::json!(["</script><!--", "\u{2028}"]));
        assert!(!text.contains('<') && !text.contains('\u{2028}'), "{text}");
    }
}
