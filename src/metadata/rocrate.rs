//! `ro-crate-metadata.json`: RO-Crate 1.1 with Process Run Crate 0.5, or RO-Crate 1.2.
//!
//! The profile extends 1.1 and no newer version, so a crate of 1.2 has the same actions and does not claim
//! it. Version 1.2 wants `version` of software, not `softwareVersion`, an identifier as a `PropertyValue`,
//! and at least one part of every described folder.
//!
//! Flat graph in a fixed order: descriptor, root, parts by path, then the entities they refer to. Pitfalls
//! met with validators: `endTime` must end in `+00:00`, not `Z`; `actionStatus` is a plain string; a
//! member with one value is not an array. All times are the moment of the bundle, never a clock.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::day::Civil;
use super::deposit::{CrateVersion, Deposit, FileFact, Step, media_type, tool_id, tool_page};
use super::description::{licence_url, plain_name};
use crate::study::Author;

const IDENTIFIER: &str = "#identifier";
const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";
const CRATE: &str = "https://w3id.org/ro/crate/";

/// Folders of the payload with what they hold.
const FOLDERS: [(&str, &str, &str); 6] = [
    ("archive/", "Archive", "The study as it was deposited: problems, solvers, runs and declarations"),
    ("metadata/", "Metadata", "Descriptions for catalogues, and the index of stored and original file names"),
    ("provenance/", "Provenance", "Environment, lock file, components of the tool and statement of the recomputation"),
    ("results/", "Results", "Verdicts, statistics, findings and judged claims, as CSV and JSON"),
    ("schemas/", "Schemas", "JSON Schemas of the files of a study: declaration, problems, runs, answers, ledgers"),
    ("site/", "Site", "The rendered pages; open index.html in a browser"),
];

/// The metadata file of the crate. `folders` are the folders that exist (with final `/`), `files` the
/// single files to describe, both relative to `data/`.
pub fn rocrate(deposit: &Deposit, folders: &[&str], files: &[FileFact]) -> Value {
    let (identity, version) = (deposit.identity(), deposit.record.ro_crate);
    let specification = format!("{CRATE}{}", version.number());
    let mut graph = vec![json!({
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": specification},
    })];
    let folders: Vec<_> = FOLDERS.iter().filter(|(path, ..)| folders.contains(path)).collect();
    let mut files: Vec<&FileFact> = files.iter().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut parts: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    parts.extend(folders.iter().map(|(path, ..)| *path));
    parts.sort_unstable();
    graph.push(root(deposit, &parts));
    graph.extend(files.iter().map(|file| file_entity(file)));
    for (path, name, description) in folders {
        let inside: Vec<&str> = files.iter().map(|f| f.path.as_str()).filter(|f| f.starts_with(path)).collect();
        let mut folder = json!({"@id": path, "@type": "Dataset", "name": name, "description": description});
        if !inside.is_empty() {
            folder["hasPart"] = refs(inside.iter().copied());
        }
        graph.push(folder);
    }
    graph.push(json!({
        "@id": licence_id(deposit),
        "@type": "CreativeWork",
        "name": identity.licence,
        "identifier": identity.licence,
        "description": format!("Licence of the archive, as SPDX expression: {}", identity.licence),
    }));
    graph.extend(identity.authors.iter().enumerate().map(|(index, author)| author_entity(deposit, index, author)));
    graph.extend(affiliations(deposit));
    graph.extend(identity.publisher.iter().map(|publisher| organisation(deposit, "#publisher".into(), publisher)));
    if version == CrateVersion::V1_1 {
        graph.push(json!({"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}));
    } else {
        graph.push(property_value(deposit));
    }
    graph.push(tool(deposit));
    graph.extend(deposit.record.steps.iter().map(|step| action(deposit, step)));
    json!({"@context": format!("{specification}/context"), "@graph": graph})
}

/// Identifier of the tool in this crate: its page; else a fragment of the study's page, which names
/// something that the deposit speaks of; else a name that leads nowhere.
fn tool_name(deposit: &Deposit) -> String {
    let version = &deposit.record.tool_version;
    match (tool_page(), &deposit.identity().url) {
        (None, Some(page)) if !page.contains('#') => format!("{page}#repro-{version}"),
        _ => tool_id(version),
    }
}

/// The tool. Where it has no page of its own, the file of the deposit that describes it stands for one.
fn tool(deposit: &Deposit) -> Value {
    let version = &deposit.record.tool_version;
    let mut tool = json!({
        "@id": tool_name(deposit),
        "@type": "SoftwareApplication",
        "name": "repro",
        "description": env!("CARGO_PKG_DESCRIPTION"),
        "url": tool_page().map_or_else(|| json!({"@id": "codemeta.json"}), |page| json!(page)),
    });
    let member = if deposit.record.ro_crate == CrateVersion::V1_1 { "softwareVersion" } else { "version" };
    tool[member] = json!(version);
    tool
}

/// The DOI as a link, else the local name of this version.
fn identifier(deposit: &Deposit) -> String {
    let identity = deposit.identity();
    match &identity.doi {
        Some(doi) => format!("https://doi.org/{doi}"),
        None => format!("{}-{}", identity.id, identity.version),
    }
}

/// The identifier as version 1.2 wants it.
fn property_value(deposit: &Deposit) -> Value {
    let kind = if deposit.identity().doi.is_some() { "https://registry.identifiers.org/registry/doi" } else { "Local" };
    let value = identifier(deposit);
    json!({"@id": IDENTIFIER, "@type": "PropertyValue", "name": value, "propertyID": kind, "value": value})
}

fn root(deposit: &Deposit, parts: &[&str]) -> Value {
    let identity = deposit.identity();
    let authors: Vec<String> = (0..identity.authors.len()).map(|i| author_id(i, &identity.authors[i])).collect();
    let version = deposit.record.ro_crate;
    let mut root = json!({
        "@id": "./",
        "@type": "Dataset",
        "name": identity.title,
        "description": identity.description.trim(),
        "datePublished": identity.date,
        "license": {"@id": licence_id(deposit)},
        "version": identity.version,
        "author": refs(authors.iter().map(String::as_str)),
        "hasPart": refs(parts.iter().copied()),
    });
    if version == CrateVersion::V1_1 {
        root["conformsTo"] = json!({"@id": PROFILE});
        root["identifier"] = json!(identifier(deposit));
    } else {
        root["identifier"] = json!({"@id": IDENTIFIER});
    }
    if let Some(publisher) = publisher_id(deposit) {
        root["publisher"] = json!({"@id": publisher});
    }
    if !identity.keywords.is_empty() {
        root["keywords"] = json!(identity.keywords.join(", "));
    }
    if let Some(url) = &identity.url {
        root["url"] = json!(url);
    }
    if !deposit.record.steps.is_empty() {
        let steps: Vec<String> = deposit.record.steps.iter().map(step_id).collect();
        root["mentions"] = refs(steps.iter().map(String::as_str));
    }
    root
}

fn file_entity(file: &FileFact) -> Value {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    // No digest: RO-Crate 1.1 has no term for it, and the manifests have two.
    json!({
        "@id": file.path,
        "@type": "File",
        "name": name,
        "encodingFormat": media_type(&file.path),
        "contentSize": file.bytes.to_string(),
    })
}

/// The publisher; where none is named, an organisation among the authors, which then publishes itself.
fn publisher_id(deposit: &Deposit) -> Option<String> {
    let identity = deposit.identity();
    if identity.publisher.is_some() {
        return Some("#publisher".to_owned());
    }
    let organisation = identity.authors.iter().position(|author| author.given.is_none())?;
    Some(author_id(organisation, &identity.authors[organisation]))
}

fn author_id(index: usize, author: &Author) -> String {
    author.orcid.as_ref().map_or_else(|| format!("#author-{}", index + 1), |orcid| format!("https://orcid.org/{orcid}"))
}

fn author_entity(deposit: &Deposit, index: usize, author: &Author) -> Value {
    let id = author_id(index, author);
    let Some(given) = &author.given else { return organisation(deposit, id, &author.family) };
    let mut entity = json!({"@id": id, "@type": "Person", "name": plain_name(author)});
    entity["givenName"] = json!(given);
    entity["familyName"] = json!(author.family);
    if let Some(affiliation) = &author.affiliation {
        entity["affiliation"] = json!({"@id": affiliation_id(affiliation)});
    }
    entity
}

/// Affiliations, each once.
fn affiliations(deposit: &Deposit) -> Vec<Value> {
    let people = deposit.identity().authors.iter().filter(|author| author.given.is_some());
    let names: BTreeSet<&str> = people.filter_map(|author| author.affiliation.as_deref()).collect();
    let entity =
        |name: &&str| json!({"@id": affiliation_id(name), "@type": "Organization", "name": name, "url": search(name)});
    names.iter().map(entity).collect()
}

fn affiliation_id(name: &str) -> String {
    format!("#organization-{}", crate::slug::file_name(name))
}

/// Text for a query of an address (RFC 3986, unreserved characters stay).
fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// An organisation should have an address. Where only its name is known, that is the search for the name
/// in the Research Organization Registry.
fn search(name: &str) -> String {
    format!("https://ror.org/search?query={}", percent_encoded(name))
}

/// An organisation that stands behind this study; its address is that of the study.
fn organisation(deposit: &Deposit, id: String, name: &str) -> Value {
    let url = deposit.identity().url.clone().unwrap_or_else(|| search(name));
    json!({"@id": id, "@type": "Organization", "name": name, "url": url})
}

fn licence_id(deposit: &Deposit) -> String {
    licence_url(&deposit.identity().licence).unwrap_or_else(|| "#licence".into())
}

fn step_id(step: &Step) -> String {
    format!("#step-{}", crate::slug::file_name(&step.id))
}

fn action(deposit: &Deposit, step: &Step) -> Value {
    let moment = Civil::of_epoch(deposit.record.epoch).moment();
    let identity = deposit.identity();
    let mut action = json!({
        "@id": step_id(step),
        "@type": "CreateAction",
        "name": step.id,
        "description": step.title,
        "instrument": {"@id": tool_name(deposit)},
        "endTime": moment,
        "actionStatus": if step.failure.is_none() {
            "http://schema.org/CompletedActionStatus"
        } else {
            "http://schema.org/FailedActionStatus"
        },
    });
    if let Some(author) = identity.authors.first() {
        action["agent"] = json!({"@id": author_id(0, author)});
    }
    if !step.reads.is_empty() {
        action["object"] = refs(step.reads.iter().map(String::as_str));
    }
    if !step.makes.is_empty() {
        action["result"] = refs(step.makes.iter().map(String::as_str));
    }
    if let Some(failure) = &step.failure {
        action["error"] = json!(failure);
    }
    action
}

/// References; a single one is not an array.
fn refs<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    let mut all: Vec<Value> = ids.map(|id| json!({"@id": id})).collect();
    if all.len() == 1 { all.remove(0) } else { Value::Array(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity<'a>(crate_: &'a Value, id: &str) -> &'a Value {
        crate_["@graph"].as_array().unwrap().iter().find(|entity| entity["@id"] == id).unwrap()
    }

    #[test]
    fn traps_of_validators() {
        let deposit = super::super::deposit::sample();
        let crate_ = rocrate(&deposit, &["archive/", "results/"], &deposit.results);
        let action = entity(&crate_, "#step-verify");
        assert!(action["endTime"].as_str().unwrap().ends_with("+00:00"));
        assert!(action["actionStatus"].is_string());
        assert!(action["result"].is_object(), "one value is no array");
        let tool = action["instrument"]["@id"].as_str().unwrap();
        assert!(tool.starts_with("urn:uuid:") || tool.starts_with("https://"), "no absolute identifier: {tool}");
        let root = entity(&crate_, "./");
        for member in ["name", "description", "datePublished", "license", "hasPart", "mentions", "author"] {
            assert!(!root[member].is_null(), "{member}");
        }
        assert_eq!(crate_["@graph"][0]["@id"], "ro-crate-metadata.json");
        assert_eq!(crate_["@graph"][1]["@id"], "./");
    }

    #[test]
    fn every_reference_leads_to_an_entity_and_ids_are_unique() {
        fn ids<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(members) if members.len() == 1 => {
                    found.extend(members.get("@id").and_then(Value::as_str));
                }
                Value::Object(members) => members.values().for_each(|member| ids(member, found)),
                Value::Array(items) => items.iter().for_each(|item| ids(item, found)),
                _ => {}
            }
        }
        let mut deposit = super::super::deposit::sample();
        let codemeta = FileFact { path: "codemeta.json".into(), bytes: 2, digest: None };
        deposit.results.push(codemeta);
        for version in [CrateVersion::V1_1, CrateVersion::V1_2] {
            deposit.record.ro_crate = version;
            let crate_ = rocrate(&deposit, &["archive/", "results/"], &deposit.results);
            let graph = crate_["@graph"].as_array().unwrap();
            let present: Vec<&str> = graph.iter().map(|entity| entity["@id"].as_str().unwrap()).collect();
            assert_eq!(present.iter().collect::<BTreeSet<_>>().len(), present.len());
            let mut referred = Vec::new();
            graph.iter().for_each(|entity| ids(entity, &mut referred));
            let outside = |id: &&str| !present.contains(id) && !id.starts_with(CRATE);
            assert_eq!(referred.into_iter().filter(outside).collect::<Vec<_>>(), Vec::<&str>::new());
        }
    }

    #[test]
    fn a_crate_of_1_2_says_so_and_claims_no_profile_of_1_1() {
        let mut deposit = super::super::deposit::sample();
        deposit.record.ro_crate = CrateVersion::V1_2;
        let crate_ = rocrate(&deposit, &["results/"], &deposit.results);
        assert_eq!(crate_["@context"], "https://w3id.org/ro/crate/1.2/context");
        assert_eq!(entity(&crate_, "ro-crate-metadata.json")["conformsTo"]["@id"], "https://w3id.org/ro/crate/1.2");
        assert!(!crate_.to_string().contains("wfrun"));
        let tool = entity(&crate_, "https://example.org/sky#repro-0.1.0");
        assert_eq!(tool["version"], "0.1.0");
        assert!(tool["softwareVersion"].is_null());
        assert_eq!(entity(&crate_, "#identifier")["@type"], "PropertyValue");
        assert_eq!(entity(&crate_, "#identifier")["value"], "sky-bench-1.10");
    }

    #[test]
    fn an_organisation_among_the_authors_publishes_when_nobody_else_does() {
        let mut deposit = super::super::deposit::sample();
        assert_eq!(deposit.record.identity.publisher, None);
        assert_eq!(entity(&rocrate(&deposit, &[], &[]), "./")["publisher"], json!({"@id": "#author-2"}));
        deposit.record.identity.publisher = Some("Sky Archive".into());
        assert_eq!(entity(&rocrate(&deposit, &[], &[]), "./")["publisher"], json!({"@id": "#publisher"}));
        deposit.record.identity.publisher = None;
        deposit.record.identity.authors.truncate(1);
        assert!(entity(&rocrate(&deposit, &[], &[]), "./")["publisher"].is_null());
    }

    #[test]
    fn without_any_page_the_tool_has_a_name_and_no_made_up_address() {
        let mut deposit = super::super::deposit::sample();
        deposit.record.identity.url = None;
        let crate_ = rocrate(&deposit, &[], &[]);
        let tool = entity(&crate_, &tool_id("0.1.0"));
        assert!(tool["@id"].as_str().unwrap().starts_with("urn:uuid:"));
        assert_eq!(tool["url"], json!({"@id": "codemeta.json"}));
        assert!(!crate_.to_string().contains("crates.io"));
    }

    #[test]
    fn a_failed_step_says_so() {
        let mut deposit = super::super::deposit::sample();
        deposit.record.steps[0].failure = Some("no sandbox".into());
        let crate_ = rocrate(&deposit, &[], &[]);
        assert_eq!(entity(&crate_, "#step-verify")["actionStatus"], "http://schema.org/FailedActionStatus");
        assert_eq!(entity(&crate_, "#step-verify")["error"], "no sandbox");
    }
}
