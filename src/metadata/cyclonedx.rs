//! Components of the tool as CycloneDX 1.6, from its lock file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

impl Package {
    fn purl(&self) -> String {
        // A `+` of a build number is percent-encoded in a package URL.
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }
}

/// The bill of materials; `None` when the lock file cannot be read.
pub fn cyclonedx(lock: &str, tool_version: &str) -> Option<Value> {
    let mut lock: Lock = toml::from_str(lock).ok()?;
    lock.package.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let mut versions: BTreeMap<&str, Vec<&Package>> = BTreeMap::new();
    for package in &lock.package {
        versions.entry(&package.name).or_default().push(package);
    }
    // A dependency is written `name`, or `name version` where several versions are locked.
    let resolve = |dependency: &String| {
        let mut words = dependency.split_whitespace();
        let candidates = versions.get(words.next()?)?;
        let version = words.next();
        candidates.iter().find(|package| version.is_none_or(|v| package.version == v)).map(|package| package.purl())
    };
    let tool = "repro";
    // No package URL: that would say that the registry has the tool.
    let root = format!("{tool}@{tool_version}");
    let locked_tool = |package: &&Package| package.source.is_none() && package.name == tool;
    let components: Vec<Value> = lock.package.iter().filter(|p| !locked_tool(p)).map(component).collect();
    let mut dependencies = Vec::new();
    for package in &lock.package {
        let mut on: Vec<String> = package.dependencies.iter().filter_map(resolve).collect();
        on.sort();
        on.dedup();
        let name = if locked_tool(&package) { root.clone() } else { package.purl() };
        dependencies.push(json!({"ref": name, "dependsOn": on}));
    }
    Some(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {
            "type": "application",
            "bom-ref": root,
            "name": tool,
            "version": tool_version,
            "licenses": [{"license": {"id": "MIT"}}],
        }},
        "components": components,
        "dependencies": dependencies,
    }))
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": package.purl(),
        "name": package.name,
        "version": package.version,
        "purl": package.purl(),
    });
    if let Some(checksum) = &package.checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_of_this_tool_becomes_components_with_resolved_dependencies() {
        let bom = cyclonedx(include_str!("../../Cargo.lock"), "0.1.0").unwrap();
        let components = bom["components"].as_array().unwrap();
        let refs: std::collections::BTreeSet<&str> =
            components.iter().map(|c| c["bom-ref"].as_str().unwrap()).chain(["repro@0.1.0"]).collect();
        assert_eq!(refs.len(), components.len() + 1, "references are unique");
        assert!(refs.iter().any(|name| name.starts_with("pkg:cargo/serde_json@")));
        for dependency in bom["dependencies"].as_array().unwrap() {
            assert!(refs.contains(dependency["ref"].as_str().unwrap()));
            assert!(dependency["dependsOn"].as_array().unwrap().iter().all(|on| refs.contains(on.as_str().unwrap())));
        }
        assert!(cyclonedx("not toml [", "1").is_none());
    }
}
