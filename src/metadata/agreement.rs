//! Do the descriptions agree? Each is read as what it is, and compared with the stored record.

use serde_json::Value;

use super::citation;
use super::deposit::Record;
use super::description::{day, inverted_name, is_single_licence, licence_url, plain_name};
use crate::study::Identity;

/// Paths below `data/` of the descriptions that are compared.
pub const COMPARED: [&str; 7] = [
    "CITATION.cff",
    "croissant.json",
    "datapackage.json",
    "metadata/datacite.json",
    "metadata/dataset.jsonld",
    "metadata/zenodo.json",
    "ro-crate-metadata.json",
];

/// A statement of a description: member, what it says, what it should say.
type Fact = (&'static str, Option<String>, Option<String>);

/// What the description at `path` says otherwise than the record; empty when it agrees. `None` when it
/// cannot be read.
pub fn disagreements(record: &Record, path: &str, content: &[u8]) -> Option<Vec<String>> {
    let identity = &record.identity;
    let text = std::str::from_utf8(content).ok()?;
    let facts = if path == "CITATION.cff" {
        citation_facts(identity, text)
    } else {
        let value: Value = serde_json::from_str(text).ok()?;
        match path {
            "metadata/datacite.json" => datacite_facts(identity, &value),
            "metadata/zenodo.json" => zenodo_facts(identity, &value),
            "datapackage.json" => package_facts(identity, &value),
            "croissant.json" | "metadata/dataset.jsonld" => dataset_facts(identity, &value),
            "ro-crate-metadata.json" => crate_facts(record, &value),
            _ => return None,
        }
    };
    let differs = |(member, says, should): Fact| {
        let show = |value: &Option<String>| value.as_ref().map_or("nothing".to_owned(), |text| format!("{text:?}"));
        (says != should).then(|| format!("its {member} is {}, the record has {}", show(&says), show(&should)))
    };
    Some(facts.into_iter().filter_map(differs).collect())
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

fn names(value: &Value, pointer: &str, member: &str) -> Option<String> {
    let list = value.pointer(pointer)?;
    let name = |item: &Value| item[member].as_str().unwrap_or_default().to_owned();
    Some(list.as_array()?.iter().map(name).collect::<Vec<_>>().join("; "))
}

fn should(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn authors(identity: &Identity, form: fn(&crate::study::Author) -> String) -> Option<String> {
    Some(identity.authors.iter().map(form).collect::<Vec<_>>().join("; "))
}

fn citation_facts(identity: &Identity, text: &str) -> Vec<Fact> {
    let single = is_single_licence(&identity.licence).then(|| identity.licence.clone());
    vec![
        ("title", citation::value_of(text, "title"), should(&identity.title)),
        ("version", citation::value_of(text, "version"), should(&identity.version)),
        ("date", citation::value_of(text, "date-released"), day(identity).and_then(should)),
        ("licence", citation::value_of(text, "license"), single),
        ("DOI", citation::value_of(text, "doi"), identity.doi.clone()),
    ]
}

fn datacite_facts(identity: &Identity, value: &Value) -> Vec<Fact> {
    vec![
        ("title", text(value, "/titles/0/title"), should(&identity.title)),
        ("version", text(value, "/version"), should(&identity.version)),
        ("date", text(value, "/dates/0/date"), should(&identity.date)),
        ("licence", text(value, "/rightsList/0/rights"), should(&identity.licence)),
        ("authors", names(value, "/creators", "name"), authors(identity, inverted_name)),
        ("DOI", text(value, "/doi"), identity.doi.clone()),
    ]
}

fn zenodo_facts(identity: &Identity, value: &Value) -> Vec<Fact> {
    let licence = is_single_licence(&identity.licence).then(|| identity.licence.to_ascii_lowercase());
    vec![
        ("title", text(value, "/title"), should(&identity.title)),
        ("version", text(value, "/version"), should(&identity.version)),
        ("date", text(value, "/publication_date"), day(identity).and_then(should)),
        ("licence", text(value, "/license"), licence),
        ("authors", names(value, "/creators", "name"), authors(identity, inverted_name)),
        ("DOI", text(value, "/doi"), identity.doi.clone()),
    ]
}

fn package_facts(identity: &Identity, value: &Value) -> Vec<Fact> {
    let licence = is_single_licence(&identity.licence).then(|| identity.licence.clone());
    vec![
        ("title", text(value, "/title"), should(&identity.title)),
        ("version", text(value, "/version"), should(&identity.version)),
        ("licence", text(value, "/licenses/0/name"), licence),
        ("authors", names(value, "/contributors", "title"), authors(identity, plain_name)),
    ]
}

fn dataset_facts(identity: &Identity, value: &Value) -> Vec<Fact> {
    let licence = licence_url(&identity.licence).unwrap_or_else(|| identity.licence.clone());
    vec![
        ("title", text(value, "/name"), should(&identity.title)),
        ("version", text(value, "/version"), should(&identity.version)),
        ("date", text(value, "/datePublished"), should(&identity.date)),
        ("licence", text(value, "/license"), Some(licence)),
        ("authors", names(value, "/creator", "name"), authors(identity, plain_name)),
    ]
}

fn crate_facts(record: &Record, value: &Value) -> Vec<Fact> {
    let identity = &record.identity;
    let find = |id: &str| value["@graph"].as_array()?.iter().find(|entity| entity["@id"] == id);
    let root = find("./").cloned().unwrap_or(Value::Null);
    let licence = root.pointer("/license/@id").and_then(Value::as_str).and_then(find);
    let identifier = match &identity.doi {
        Some(doi) => format!("https://doi.org/{doi}"),
        None => format!("{}-{}", identity.id, identity.version),
    };
    // A string in version 1.1, a reference to a value in 1.2.
    let referred = root.pointer("/identifier/@id").and_then(Value::as_str).and_then(find);
    let said = text(&root, "/identifier").or_else(|| text(referred?, "/value"));
    let specification = Some(format!("https://w3id.org/ro/crate/{}", record.ro_crate.number()));
    vec![
        ("title", text(&root, "/name"), should(&identity.title)),
        ("version", text(&root, "/version"), should(&identity.version)),
        ("date", text(&root, "/datePublished"), should(&identity.date)),
        ("licence", licence.and_then(|entity| text(entity, "/name")), should(&identity.licence)),
        ("identifier", said, Some(identifier)),
        ("version of RO-Crate", find("ro-crate-metadata.json").and_then(|d| text(d, "/conformsTo/@id")), specification),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::deposit::{CrateVersion, json_text, sample};
    use super::*;

    #[test]
    fn all_descriptions_of_one_record_agree_and_each_edit_is_seen() {
        let mut deposit = sample();
        for (doi, version) in [(None, CrateVersion::V1_1), (Some("10.5281/zenodo.1".to_owned()), CrateVersion::V1_2)] {
            deposit.record.identity.doi = doi;
            deposit.record.ro_crate = version;
            let mut other = deposit.record.clone();
            other.identity.version = "1.1".into();
            other.identity.title = "Another".into();
            for (path, content) in super::super::descriptions(&deposit, &["archive/"], &[]) {
                if COMPARED.contains(&path.as_str()) {
                    assert_eq!(disagreements(&deposit.record, &path, &content), Some(Vec::new()), "{path}");
                    let found = disagreements(&other, &path, &content).unwrap();
                    assert!(found.len() >= 2, "{path}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_year_stays_a_year_and_no_day_is_made_up() {
        let mut deposit = sample();
        deposit.record.identity.date = "2026".into();
        let files = super::super::descriptions(&deposit, &[], &[]);
        for (path, content) in &files {
            if COMPARED.contains(&path.as_str()) {
                assert_eq!(disagreements(&deposit.record, path, content), Some(Vec::new()), "{path}");
            }
            assert!(!String::from_utf8_lossy(content).contains("2026-01-01"), "{path} makes up a day");
        }
        let text = |name: &str| {
            let file = files.iter().find(|(path, _)| path == name);
            String::from_utf8(file.unwrap().1.clone()).unwrap()
        };
        assert!(!text("CITATION.cff").contains("date-released"));
        assert!(text("metadata/zenodo.json").contains("Published in 2026; the day is not known."));
        assert!(text("metadata/datacite.json").contains("\"publicationYear\": \"2026\""));
        assert!(text("README.md").contains("Version 1.10, 2026.") && text("README.md").contains("only the year"));
    }

    #[test]
    fn a_licence_expression_agrees_too() {
        let mut deposit = sample();
        deposit.record.identity.licence = "MIT AND CC-BY-4.0".into();
        for (path, content) in super::super::descriptions(&deposit, &[], &[]) {
            if COMPARED.contains(&path.as_str()) {
                assert_eq!(disagreements(&deposit.record, &path, &content), Some(Vec::new()), "{path}");
            }
        }
        assert_eq!(disagreements(&deposit.record, "metadata/zenodo.json", b"{"), None);
        assert!(json_text(&Value::Null).ends_with(b"\n"));
    }
}
