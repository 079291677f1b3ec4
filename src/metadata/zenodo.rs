//! Deposit metadata as Zenodo takes them, to paste or to send.
//!
//! Zenodo never looks into a zip, and a `.zenodo.json` in a repository makes it ignore CITATION.cff;
//! hence the file is called `zenodo.json` and says the same as the others.

use serde_json::{Value, json};

use super::description::{day, inverted_name, is_single_licence};
use super::html::escape;
use crate::study::{Author, Identity};

/// The deposit metadata.
pub fn zenodo(identity: &Identity) -> Value {
    let mut record = json!({
        "title": identity.title,
        "upload_type": "dataset",
        // This member is HTML.
        "description": format!("<p>{}</p>", escape(identity.description.trim())),
        "creators": identity.authors.iter().map(creator).collect::<Vec<_>>(),
        "access_right": "open",
        "version": identity.version,
        "language": "eng",
    });
    let mut notes = Vec::new();
    // This member must be a day; one that nobody knows is not made up.
    match day(identity) {
        Some(day) => record["publication_date"] = json!(day),
        None => notes.push(format!("Published in {}; the day is not known.", escape(&identity.date))),
    }
    if is_single_licence(&identity.licence) {
        record["license"] = json!(identity.licence.to_ascii_lowercase());
    } else {
        notes.push(format!("Licence: {}", escape(&identity.licence)));
    }
    if !notes.is_empty() {
        record["notes"] = json!(notes.join(" "));
    }
    if !identity.keywords.is_empty() {
        record["keywords"] = json!(identity.keywords);
    }
    if let Some(doi) = &identity.doi {
        record["doi"] = json!(doi);
    }
    if let Some(citation) = &identity.citation {
        record["references"] = json!([citation]);
    }
    record
}

fn creator(author: &Author) -> Value {
    let mut creator = json!({"name": inverted_name(author)});
    if let Some(affiliation) = &author.affiliation {
        creator["affiliation"] = json!(affiliation);
    }
    if let Some(orcid) = &author.orcid {
        creator["orcid"] = json!(orcid);
    }
    creator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_html_and_the_licence_a_string() {
        let mut identity = super::super::description::sample();
        identity.description = "a <script> & b".into();
        let record = zenodo(&identity);
        assert_eq!(record["description"], "<p>a &lt;script&gt; &amp; b</p>");
        assert_eq!(record["license"], "cc-by-4.0");
        assert_eq!(record["creators"][0]["name"], "Curie, Maria");
    }
}
