//! `datapackage.json`, Frictionless Data Package v2: every CSV table with its Table Schema.

use serde_json::{Value, json};

use super::day::Civil;
use super::deposit::Deposit;
use super::description::{is_single_licence, licence_url, plain_name};
use super::table_schema::{Column, ColumnType, TableFact};
use crate::study::Author;

/// The data package at `data/`.
pub fn datapackage(deposit: &Deposit) -> Value {
    let identity = deposit.identity();
    let mut package = json!({
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": identity.id,
        "title": identity.title,
        "description": identity.description.trim(),
        "version": identity.version,
        "created": Civil::of_epoch(deposit.record.epoch).moment().replace("+00:00", "Z"),
        "contributors": identity.authors.iter().map(contributor).collect::<Vec<_>>(),
    });
    if is_single_licence(&identity.licence) {
        package["licenses"] = json!([{"name": identity.licence, "path": licence_url(&identity.licence)}]);
    }
    if !identity.keywords.is_empty() {
        package["keywords"] = json!(identity.keywords);
    }
    if let Some(page) = deposit.landing_page() {
        package["homepage"] = json!(page);
    }
    let mut resources: Vec<Value> = deposit.tables.iter().map(resource).collect();
    if resources.is_empty() {
        // A package needs a resource.
        resources.push(json!({"name": "readme", "path": "README.md", "mediatype": "text/markdown", "format": "md"}));
    }
    package["resources"] = Value::Array(resources);
    package
}

fn contributor(author: &Author) -> Value {
    let mut contributor = json!({"title": plain_name(author), "roles": ["author"]});
    if let Some(given) = &author.given {
        contributor["givenName"] = json!(given);
        contributor["familyName"] = json!(author.family);
    }
    if let Some(affiliation) = &author.affiliation {
        contributor["organization"] = json!(affiliation);
    }
    if let Some(orcid) = &author.orcid {
        contributor["path"] = json!(format!("https://orcid.org/{orcid}"));
    }
    contributor
}

fn resource(table: &TableFact) -> Value {
    let mut schema = json!({
        "fields": table.columns.iter().map(field).collect::<Vec<_>>(),
        "missingValues": [""],
    });
    if table.key > 0 {
        schema["primaryKey"] = table.columns[..table.key].iter().map(|column| json!(column.name)).collect();
    }
    json!({
        "name": table.name(),
        "path": table.path,
        "type": "table",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": table.bytes,
        "hash": format!("sha256:{}", table.digest),
        "schema": schema,
    })
}

fn field(column: &Column) -> Value {
    let kind = match column.kind {
        ColumnType::Integer => "integer",
        ColumnType::Number => "number",
        ColumnType::Boolean => "boolean",
        ColumnType::Text => "string",
    };
    let mut field = json!({"name": column.name, "type": kind});
    let mut constraints = serde_json::Map::new();
    if column.required {
        constraints.insert("required".into(), json!(true));
    }
    if let Some((least, most)) = &column.range {
        for (key, value) in [("minimum", least), ("maximum", most)] {
            let number =
                value.parse::<i64>().map(Value::from).ok().or_else(|| value.parse::<f64>().ok().map(Value::from));
            constraints.extend(number.map(|number| (key.to_owned(), number)));
        }
    }
    if !constraints.is_empty() {
        field["constraints"] = Value::Object(constraints);
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_schema_hash_and_key() {
        let package = datapackage(&super::super::deposit::sample());
        let resource = &package["resources"][0];
        assert_eq!(resource["schema"]["primaryKey"], json!(["model"]));
        assert_eq!(resource["schema"]["fields"][1]["type"], "integer");
        assert_eq!(
            resource["schema"]["fields"][2]["constraints"],
            json!({"required": true, "minimum": 0.5, "maximum": 0.75})
        );
        assert!(resource["hash"].as_str().unwrap().starts_with("sha256:"));
        assert_eq!(package["version"], "1.10");
    }

    #[test]
    fn a_package_without_tables_still_has_a_resource() {
        let mut deposit = super::super::deposit::sample();
        deposit.tables.clear();
        assert_eq!(datapackage(&deposit)["resources"][0]["path"], "README.md");
    }
}
