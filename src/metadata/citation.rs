//! `CITATION.cff` 1.2.0.
//!
//! Every scalar is quoted: an unquoted `1.10` is read as the number 1.1, an unquoted `yes` as true.

use super::description::{day, is_single_licence};
use crate::study::{Author, Identity};

/// Text of `CITATION.cff`.
pub fn citation_cff(identity: &Identity) -> String {
    let mut out = String::from("cff-version: \"1.2.0\"\n");
    let mut put = |key: &str, value: &str| out.push_str(&format!("{key}: {}\n", quoted(value)));
    put("message", "If you use this archive, please cite it as below.");
    put("type", "dataset");
    put("title", &identity.title);
    put("version", &identity.version);
    // This format has no member for a year alone.
    if let Some(day) = day(identity) {
        put("date-released", day);
    }
    put("abstract", identity.description.trim());
    if is_single_licence(&identity.licence) {
        put("license", &identity.licence);
    }
    if let Some(doi) = &identity.doi {
        put("doi", doi);
    }
    if let Some(url) = &identity.url {
        put("url", url);
    }
    if !identity.keywords.is_empty() {
        out.push_str("keywords:\n");
        identity.keywords.iter().for_each(|word| out.push_str(&format!("  - {}\n", quoted(word))));
    }
    out.push_str("authors:\n");
    identity.authors.iter().for_each(|author| out.push_str(&author_text(author)));
    out
}

fn author_text(author: &Author) -> String {
    let mut lines = Vec::new();
    match &author.given {
        Some(given) => {
            lines.push(format!("family-names: {}", quoted(&author.family)));
            lines.push(format!("given-names: {}", quoted(given)));
            lines.extend(author.affiliation.iter().map(|affiliation| format!("affiliation: {}", quoted(affiliation))));
        }
        None => lines.push(format!("name: {}", quoted(&author.family))),
    }
    lines.extend(author.orcid.iter().map(|orcid| format!("orcid: {}", quoted(&format!("https://orcid.org/{orcid}")))));
    format!("  - {}\n", lines.join("\n    "))
}

/// A double-quoted YAML scalar. JSON's escapes are YAML's; characters that YAML takes for line ends or
/// does not print are escaped too.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let escape = |c: char| match c {
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    json.chars().map(escape).collect()
}

/// Value of a top-level key in a text written by [`citation_cff`].
pub(super) fn value_of(text: &str, key: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))?;
    serde_json::from_str(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_quoted_and_come_back() {
        let identity = super::super::description::sample();
        let text = citation_cff(&identity);
        assert!(text.contains("\nversion: \"1.10\"\n") && text.contains("\n  - \"yes\"\n"));
        assert_eq!(value_of(&text, "title").as_deref(), Some(identity.title.as_str()));
        assert!(text.contains("affiliation: \"Université: Paris\""));
        assert!(text.ends_with("  - name: \"Benchmark Group\"\n"));
        assert_eq!(quoted("a\u{2028}\n\"\u{85}"), "\"a\\u2028\\n\\\"\\u0085\"");
    }

    #[test]
    fn a_licence_expression_is_no_licence_identifier() {
        let mut identity = super::super::description::sample();
        identity.licence = "MIT AND CC-BY-4.0".into();
        assert!(!citation_cff(&identity).contains("\nlicense:"));
    }
}
