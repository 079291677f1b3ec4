//! `croissant.json`, Croissant 1.0: every CSV table as a file with its digest and a record set.
//!
//! The context is the official one to the letter, with `https://schema.org/` (the `http` form fails in
//! readers); addresses are relative, so the description works where the bundle is unpacked.

use serde_json::{Map, Value, json};

use super::dataset::people;
use super::deposit::Deposit;
use super::description::licence_url;
use super::table_schema::{ColumnType, TableFact};

/// The Croissant description at `data/`.
pub fn croissant(deposit: &Deposit) -> Value {
    let identity = deposit.identity();
    let mut out = Map::new();
    out.insert("@context".into(), context());
    out.insert("@type".into(), json!("sc:Dataset"));
    out.insert("conformsTo".into(), json!("http://mlcommons.org/croissant/1.0"));
    out.insert("name".into(), json!(identity.title));
    out.insert("description".into(), json!(identity.description.trim()));
    out.insert("license".into(), json!(licence_url(&identity.licence).unwrap_or_else(|| identity.licence.clone())));
    out.extend(deposit.landing_page().map(|page| ("url".into(), json!(page))));
    out.insert("creator".into(), people(&identity.authors));
    if let Some(publisher) = &identity.publisher {
        out.insert("publisher".into(), json!({"@type": "sc:Organization", "name": publisher}));
    }
    out.insert("datePublished".into(), json!(identity.date));
    out.insert("version".into(), json!(identity.version));
    if !identity.keywords.is_empty() {
        out.insert("keywords".into(), json!(identity.keywords));
    }
    if let Some(citation) = &identity.citation {
        out.insert("citeAs".into(), json!(citation));
    }
    out.insert("distribution".into(), deposit.tables.iter().map(file).collect());
    out.insert("recordSet".into(), deposit.tables.iter().map(records).collect());
    Value::Object(out)
}

fn file(table: &TableFact) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": table.path,
        "name": table.name(),
        "contentUrl": table.path,
        "contentSize": format!("{} B", table.bytes),
        "encodingFormat": "text/csv",
        "sha256": table.digest,
    })
}

fn records(table: &TableFact) -> Value {
    let name = table.name();
    let field = |(index, column): (usize, &super::table_schema::Column)| {
        // Two columns may differ in characters that a name loses, so the position is part of the id.
        let id = format!("{name}/{}", crate::slug::file_name(&column.name));
        let id = if index == 0 { id } else { format!("{id}.{index}") };
        json!({
            "@type": "cr:Field",
            "@id": id,
            "name": column.name,
            "dataType": match column.kind {
                ColumnType::Integer if column.required => "sc:Integer",
                ColumnType::Number if column.required => "sc:Float",
                ColumnType::Boolean if column.required => "sc:Boolean",
                // Readers turn an absent value of another type into an error.
                _ => "sc:Text",
            },
            "source": {"fileObject": {"@id": table.path}, "extract": {"column": column.name}},
        })
    };
    let fields: Vec<Value> = table.columns.iter().enumerate().map(field).collect();
    json!({"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields})
}

/// The context of Croissant 1.0.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "extract": "cr:extract",
        "field": "cr:field",
        "fileProperty": "cr:fileProperty",
        "fileObject": "cr:fileObject",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_is_https_and_every_file_has_its_digest() {
        let deposit = super::super::deposit::sample();
        let value = croissant(&deposit);
        assert_eq!(value["@context"]["sc"], "https://schema.org/");
        assert_eq!(value["distribution"][0]["sha256"], json!(deposit.tables[0].digest));
        assert!(!value["distribution"][0]["contentUrl"].as_str().unwrap().starts_with('/'));
        assert_eq!(value["recordSet"][0]["field"][1]["dataType"], "sc:Text", "passed has an empty cell");
        assert_eq!(value["recordSet"][0]["field"][2]["dataType"], "sc:Float");
    }
}
