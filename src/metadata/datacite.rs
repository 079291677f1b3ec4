//! DataCite JSON, schema 4.5.
//!
//! `identifiers` is refused by that schema: the DOI is `doi`, everything else an alternate identifier.
//! Without a DOI there is none in the file; a made-up one would be found by somebody.

use serde_json::{Value, json};

use super::description::{inverted_name, is_single_licence, licence_url};
use crate::study::{Author, Identity};

/// Standard value of DataCite for what is not available.
const UNAVAILABLE: &str = "(:unav)";

/// The DataCite record.
pub fn datacite(identity: &Identity) -> Value {
    let mut record = json!({
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Benchmark archive"},
        "creators": identity.authors.iter().map(creator).collect::<Vec<_>>(),
        "titles": [{"title": identity.title}],
        "publisher": {"name": identity.publisher.as_deref().unwrap_or(UNAVAILABLE)},
        "publicationYear": &identity.date[..4],
        "dates": [{"date": identity.date, "dateType": "Issued"}],
        "language": "en",
        "version": identity.version,
        "descriptions": [{"description": identity.description.trim(), "descriptionType": "Abstract"}],
        "rightsList": [rights(&identity.licence)],
        "formats": ["application/zip"],
        "alternateIdentifiers": [{
            "alternateIdentifier": format!("{}-{}", identity.id, identity.version),
            "alternateIdentifierType": "Local",
        }],
    });
    if !identity.keywords.is_empty() {
        record["subjects"] = identity.keywords.iter().map(|word| json!({"subject": word})).collect();
    }
    if let Some(doi) = &identity.doi {
        record["doi"] = json!(doi);
    }
    if let Some(url) = &identity.url {
        record["url"] = json!(url);
    }
    record
}

fn creator(author: &Author) -> Value {
    let kind = if author.given.is_some() { "Personal" } else { "Organizational" };
    let mut creator = json!({"name": inverted_name(author), "nameType": kind});
    if let Some(given) = &author.given {
        creator["givenName"] = json!(given);
        creator["familyName"] = json!(author.family);
    }
    if let Some(affiliation) = &author.affiliation {
        creator["affiliation"] = json!([{"name": affiliation}]);
    }
    if let Some(orcid) = &author.orcid {
        creator["nameIdentifiers"] = json!([{
            "nameIdentifier": format!("https://orcid.org/{orcid}"),
            "nameIdentifierScheme": "ORCID",
            "schemeUri": "https://orcid.org",
        }]);
    }
    creator
}

fn rights(licence: &str) -> Value {
    let mut rights = json!({"rights": licence});
    if let Some(url) = licence_url(licence) {
        rights["rightsUri"] = json!(url);
    }
    if is_single_licence(licence) {
        rights["rightsIdentifier"] = json!(licence);
        rights["rightsIdentifierScheme"] = json!("SPDX");
        rights["schemeUri"] = json!("https://spdx.org/licenses/");
    }
    rights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_schema_wants_is_there_and_what_it_refuses_is_not() {
        let mut identity = super::super::description::sample();
        let record = datacite(&identity);
        for member in ["creators", "titles", "publisher", "publicationYear", "types", "schemaVersion"] {
            assert!(!record[member].is_null(), "{member}");
        }
        assert!(record["publisher"].is_object() && record.get("identifiers").is_none() && record.get("doi").is_none());
        assert_eq!(record["version"], "1.10");
        identity.doi = Some("10.5281/zenodo.1".into());
        assert_eq!(datacite(&identity)["doi"], "10.5281/zenodo.1");
    }
}
