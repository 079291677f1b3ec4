//! schema.org/Dataset as JSON-LD: for the landing page of the site and for the bundle.

use serde_json::{Value, json};

use super::description::{licence_url, plain_name};
use crate::digest::Digest;
use crate::study::{Author, Identity};

/// A file that can be downloaded, for [`dataset_jsonld`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Name shown.
    pub name: String,
    /// Address, relative to the page.
    pub url: String,
    /// Media type.
    pub media_type: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256.
    pub digest: Digest,
}

/// The dataset as schema.org describes one. The result is data: whoever puts it into a page escapes `<`
/// as `\u003c` (see [`script_safe`]).
pub fn dataset_jsonld(identity: &Identity, files: &[Distribution]) -> Value {
    let mut out = json!({
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": identity.title,
        "description": identity.description.trim(),
        "license": licence_url(&identity.licence).unwrap_or_else(|| identity.licence.clone()),
        "creator": people(&identity.authors),
        "datePublished": identity.date,
        "version": identity.version,
        "isAccessibleForFree": true,
    });
    out["identifier"] = match &identity.doi {
        Some(doi) => json!(format!("https://doi.org/{doi}")),
        None => json!(format!("{}-{}", identity.id, identity.version)),
    };
    if let Some(url) = &identity.url {
        out["url"] = json!(url);
    }
    if !identity.keywords.is_empty() {
        out["keywords"] = json!(identity.keywords);
    }
    if let Some(publisher) = &identity.publisher {
        out["publisher"] = json!({"@type": "Organization", "name": publisher});
    }
    if let Some(citation) = &identity.citation {
        out["citation"] = json!(citation);
    }
    if !files.is_empty() {
        out["distribution"] = files.iter().map(download).collect();
    }
    out
}

/// JSON text that can stand in a `<script>` element: no `<`, `>` or `&` is left as it is.
pub fn script_safe(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn download(file: &Distribution) -> Value {
    json!({
        "@type": "DataDownload",
        "name": file.name,
        "contentUrl": file.url,
        "encodingFormat": file.media_type,
        "contentSize": format!("{} B", file.bytes),
        "sha256": file.digest,
    })
}

/// Authors as schema.org people and organisations.
pub(super) fn people(authors: &[Author]) -> Value {
    let person = |author: &Author| {
        let Some(given) = &author.given else {
            return json!({"@type": "Organization", "name": author.family});
        };
        let mut person =
            json!({"@type": "Person", "name": plain_name(author), "givenName": given, "familyName": author.family});
        if let Some(orcid) = &author.orcid {
            person["@id"] = json!(format!("https://orcid.org/{orcid}"));
        }
        if let Some(affiliation) = &author.affiliation {
            person["affiliation"] = json!({"@type": "Organization", "name": affiliation});
        }
        person
    };
    authors.iter().map(person).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_be_left_from_inside() {
        let mut identity = super::super::description::sample();
        identity.title = "</script><script>alert(1)".into();
        let text = script_safe(&dataset_jsonld(&identity, &[]));
        assert!(!text.contains('<') && !text.contains('>'));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["name"], identity.title.as_str());
        assert_eq!(back["creator"][1]["@type"], "Organization");
    }
}
