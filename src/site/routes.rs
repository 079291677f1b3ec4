//! Addresses of all pages, relative to the folder of a version. A link is the page's way up
//! (`../../`) and one of these; every link names a file, so the site works from a disk.

use crate::digest::Digest;
use crate::slug::{file_name, is_storable};

/// Overview.
pub(crate) const OVERVIEW: &str = "index.html";

/// A problem, variant or trap.
pub(crate) fn problem(set: &str, id: &str) -> String {
    format!("problems/{}/{}.html", file_name(set), file_name(id))
}

/// List of the problems of a set.
pub(crate) fn problem_set(set: &str) -> String {
    format!("problems/{}/index.html", file_name(set))
}

/// A configuration.
pub(crate) fn configuration(key: &str) -> String {
    format!("configs/{}.html", file_name(key))
}

/// Two configurations, in the order given.
pub(crate) fn compare(a: &str, b: &str) -> String {
    format!("compare/{}--{}.html", file_name(a), file_name(b))
}

/// All runs of one configuration on one problem.
pub(crate) fn record(experiment: &str, configuration: &str, id: &str) -> String {
    format!("runs/{}/{}/{}.html", file_name(experiment), file_name(configuration), file_name(id))
}

/// Claims of an area.
pub(crate) fn claims(area: &str) -> String {
    format!("claims/{}.html", file_name(&format!("area-{area}")))
}

/// A statistic with its definition and values.
pub(crate) fn method(statistic: &str) -> String {
    format!("methods/{}.html", file_name(statistic))
}

/// A document of the study.
pub(crate) fn document(path: &str) -> String {
    format!("documents/{}.html", file_name(path))
}

/// A data file of a table.
pub(crate) fn data(table: &str, extension: &str) -> String {
    let name = if is_storable(table) { table.to_owned() } else { file_name(table) };
    format!("data/{name}.{extension}")
}

/// A stand-alone figure.
pub(crate) fn figure(id: &str) -> String {
    format!("figures/{}.svg", file_name(id))
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
    }

    #[test]
    fn the_way_up_counts_folders() {
        assert_eq!((up("index.html"), up("a/b/c.html").as_str()), (String::new(), "../../"));
    }
}
