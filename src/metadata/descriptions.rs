//! All description files of a deposit, by path below `data/`.

use super::deposit::{Deposit, FileFact, json_text};
use super::{
    citation_cff, codemeta, croissant, datacite, datapackage, dataset_jsonld, licence_note, preview, readme, rocrate,
    zenodo,
};
use crate::digest::Digest;
use crate::metadata::Distribution;

/// Paths that [`descriptions`] makes; everything else in a bundle does not depend on the DOI.
pub const DESCRIPTIONS: [&str; 12] = [
    "CITATION.cff",
    "LICENSE",
    "README.md",
    "codemeta.json",
    "croissant.json",
    "datapackage.json",
    "metadata/datacite.json",
    "metadata/dataset.jsonld",
    "metadata/record.json",
    "metadata/zenodo.json",
    "ro-crate-metadata.json",
    "ro-crate-preview.html",
];

/// Makes the description files. `folders` are the folders of the payload (with final `/`), `others` the
/// further files that the crate mentions one by one.
pub fn descriptions(deposit: &Deposit, folders: &[&str], others: &[FileFact]) -> Vec<(String, Vec<u8>)> {
    let identity = deposit.identity();
    let record = serde_json::to_value(&deposit.record).unwrap_or_default();
    let tables = deposit.tables.iter().map(|table| Distribution {
        name: table.name(),
        // The file stands in metadata/.
        url: format!("../{}", table.path),
        media_type: "text/csv".into(),
        bytes: table.bytes,
        digest: table.digest,
    });
    let mut files: Vec<(String, Vec<u8>)> = [
        ("CITATION.cff", citation_cff(identity).into_bytes()),
        ("LICENSE", licence_note(deposit).into_bytes()),
        ("README.md", readme(deposit).into_bytes()),
        ("codemeta.json", json_text(&codemeta(&deposit.record.tool_version))),
        ("croissant.json", json_text(&croissant(deposit))),
        ("datapackage.json", json_text(&datapackage(deposit))),
        ("metadata/datacite.json", json_text(&datacite(identity))),
        ("metadata/dataset.jsonld", json_text(&dataset_jsonld(identity, &tables.collect::<Vec<_>>()))),
        ("metadata/record.json", json_text(&record)),
        ("metadata/zenodo.json", json_text(&zenodo(identity))),
    ]
    .into_iter()
    .map(|(path, content)| (path.to_owned(), content))
    .collect();
    let fact = |(path, content): &(String, Vec<u8>)| FileFact {
        path: path.clone(),
        bytes: content.len() as u64,
        digest: Some(Digest::of(content)),
    };
    let mut described: Vec<FileFact> = files.iter().map(fact).collect();
    described.extend(deposit.results.iter().cloned());
    described.extend(others.iter().cloned());
    described.sort_by(|a, b| a.path.cmp(&b.path));
    files.push(("ro-crate-metadata.json".into(), json_text(&rocrate(deposit, folders, &described))));
    files.push(("ro-crate-preview.html".into(), preview(deposit, &described).into_bytes()));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_descriptions_is_complete_and_json_is_strict() {
        let files = descriptions(&super::super::deposit::sample(), &["archive/"], &[]);
        let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, DESCRIPTIONS);
        for (path, content) in files.iter().filter(|(path, _)| path.ends_with("json") || path.ends_with("jsonld")) {
            assert!(serde_json::from_slice::<serde_json::Value>(content).is_ok(), "{path}");
            assert!(content.ends_with(b"}\n"), "{path}");
        }
    }
}
