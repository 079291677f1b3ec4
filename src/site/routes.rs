//! Addresses of all pages, relative to the folder of a version. A link is the page's way up
//! (`../../`) and one of these; every link names a file, so the site works from a disk. Addresses are as
//! long as a deposit takes them, and longer ones are shortened by the rule of [`address`].

use crate::digest::Digest;
use crate::slug::{address, file_name, is_storable};

/// Overview.
pub(crate) const OVERVIEW: &str = "index.html";

/// The name of a page for any text: a file name, and never that of the list in the same folder.
fn page_name(text: &str) -> String {
    let name = file_name(text);
    // No name that stays itself holds two hyphens, so this one is nobody else's.
    if name == "index" { format!("index--{}", Digest::of(text.as_bytes()).short(20)) } else { name }
}

/// A problem.
pub(crate) fn problem(set: &str, id: &str) -> String {
    address("problems", &[file_name(set), page_name(id)], "html")
}

/// List of the problems of a set.
pub(crate) fn problem_set(set: &str) -> String {
    address("problems", &[file_name(set), "index".to_owned()], "html")
}

/// A configuration.
pub(crate) fn configuration(key: &str) -> String {
    address("configs", &[page_name(key)], "html")
}

/// Two configurations, in the order given.
pub(crate) fn compare(a: &str, b: &str) -> String {
    address("compare", &[format!("{}--{}", file_name(a), file_name(b))], "html")
}

/// A declared comparison.
pub(crate) fn comparison(id: &str) -> String {
    address("comparisons", &[page_name(id)], "html")
}

/// All runs of one configuration on one problem.
pub(crate) fn record(experiment: &str, configuration: &str, id: &str) -> String {
    address("runs", &[file_name(experiment), file_name(configuration), page_name(id)], "html")
}

/// Claims of an area.
pub(crate) fn claims(area: &str) -> String {
    address("claims", &[file_name(&format!("area-{area}"))], "html")
}

/// Claims of an area that one source prints.
pub(crate) fn claims_of(area: &str, source: &str) -> String {
    address("claims", &[file_name(&format!("area-{area} {source}"))], "html")
}

/// A statistic with its definition and values.
pub(crate) fn method(statistic: &str) -> String {
    address("methods", &[file_name(statistic)], "html")
}

/// A page of the values of a statistic, from 1; the first stands under its definition.
pub(crate) fn method_values(statistic: &str, page: usize) -> String {
    // No name of a statistic holds two hyphens, so no page of values is one of another statistic.
    if page <= 1 {
        method(statistic)
    } else {
        address("methods", &[format!("{}--{page}", file_name(statistic))], "html")
    }
}

/// A published table as it stands in the archive.
pub(crate) fn published(name: &str) -> String {
    address("published", &[page_name(name)], "html")
}

/// A document of the study.
pub(crate) fn document(path: &str) -> String {
    address("documents", &[page_name(path)], "html")
}

/// A data file of a table.
pub(crate) fn data(table: &str, extension: &str) -> String {
    let name = if is_storable(table) { table.to_owned() } else { file_name(table) };
    address("data", &[name], extension)
}

/// A stand-alone figure.
pub(crate) fn figure(id: &str) -> String {
    address("figures", &[file_name(id)], "svg")
}

/// The way from a page up to the folder of the version: `""`, `"../"`, `"../../"`.
pub(crate) fn up(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

/// A fragment identifier for any text: stays readable, never empty, no spaces.
pub(crate) fn anchor(text: &str) -> String {
    let name = file_name(text);
    if name.contains('.') {
        // A point would have to be escaped in selectors.
        format!("i-{}-{}", name.replace('.', "-"), Digest::of(text.as_bytes()).short(6))
    } else {
        format!("i-{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_inside_and_apart() {
        assert_eq!(problem("core", "1.1"), "problems/core/1.1.html");
        assert!(problem("..", "../../x").starts_with("problems/x--"));
        assert_ne!(configuration("a/b").to_lowercase(), configuration("A/B").to_lowercase());
        assert_ne!(configuration("con"), "configs/con.html");
        assert_ne!(configuration("index"), "configs/index.html");
        assert_ne!(problem("core", "index"), problem_set("core"));
        assert_ne!(document("index"), "documents/index.html");
    }

    #[test]
    fn the_way_up_counts_folders() {
        assert_eq!((up("index.html"), up("a/b/c.html").as_str()), (String::new(), "../../"));
    }
}
