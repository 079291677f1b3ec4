//! The link checker: every internal link and fragment of a rendered tree resolves. A root-absolute link
//! is an error, because it breaks under a sub-path and from a disk.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::report::{Finding, Place};
use crate::tree::Tree;

/// Schemes that a link may have; all of them leave the site and are followed only when clicked.
const OUTSIDE: &[&str] = &["https://", "http://", "mailto:"];

/// Findings for every link of every HTML file that leads nowhere.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let pages: Vec<(&str, &str)> = tree
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .filter_map(|(path, _)| Some((path, std::str::from_utf8(tree.bytes(path)?).ok()?)))
        .collect();
    let anchors: BTreeMap<&str, BTreeSet<&str>> = pages
        .par_iter()
        .map(|(path, text)| (*path, values(text, &["id"]).collect()))
        .collect::<Vec<_>>()
        .into_iter()
        .collect();
    pages.par_iter().flat_map_iter(|(path, text)| check_page(tree, &anchors, path, text)).collect()
}

fn check_page(tree: &Tree, anchors: &BTreeMap<&str, BTreeSet<&str>>, path: &str, text: &str) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for link in values(text, &["href", "src"]) {
        if !seen.insert(link) {
            continue;
        }
        if let Err(reason) = resolve(tree, anchors, path, link) {
            findings.push(Finding::new("broken-link", Place::file(path), format!("{link:?} {reason}")));
        }
    }
    findings
}

fn resolve(tree: &Tree, anchors: &BTreeMap<&str, BTreeSet<&str>>, path: &str, link: &str) -> Result<(), &'static str> {
    // The icon in the head of every page is a drawing inside its own address.
    if link.starts_with("data:image/svg+xml,")
        || link == "data:,"
        || OUTSIDE.iter().any(|scheme| link.starts_with(scheme))
    {
        return Ok(());
    }
    if link.starts_with('/') {
        return Err("is root-absolute");
    }
    let (file, fragment) = link.split_once('#').map_or((link, None), |(file, fragment)| (file, Some(fragment)));
    if file.split('/').next().is_some_and(|first| first.contains(':')) {
        return Err("has a scheme that is not allowed");
    }
    let target = if file.is_empty() { path.to_owned() } else { join(path, file).ok_or("leaves the site")? };
    if tree.get(&target).is_none() {
        return Err("leads to no file");
    }
    match fragment {
        Some(fragment) if !anchors.get(target.as_str()).is_some_and(|ids| ids.contains(fragment)) => {
            Err("names a place that the page does not have")
        }
        _ => Ok(()),
    }
}

/// Resolves a relative link against the page it stands on.
fn join(path: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            "." => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Values of attributes inside tags. Our own pages write attributes as ` name="value"` with values
/// escaped, so no text outside a tag can look like one: a quote in text is `&quot;`.
fn values<'t>(text: &'t str, names: &'t [&'t str]) -> impl Iterator<Item = &'t str> {
    names.iter().flat_map(move |name| {
        text.match_indices(*name).filter_map(move |(at, _)| {
            let rest = text[at + name.len()..].strip_prefix("=\"")?;
            let begins = text[..at].ends_with([' ', '\n']);
            let end = rest.find('"')?;
            (begins && end > 0).then(|| &rest[..end])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_broken_link_is_named() {
        let mut tree = Tree::default();
        let page = |body: &str| format!("<!DOCTYPE html><html><body>{body}</body></html>").into_bytes();
        tree.add(
            "a/x.html",
            page(concat!(
                "<a href=\"y.html\">1</a><a href=\"y.html#there\">2</a><a href=\"../b.html\">3</a>",
                "<a href=\"/b.html\">4</a><a href=\"../../b.html\">5</a><a href=\"y.html#gone\">6</a>",
                "<a href=\"javascript:1\">7</a><a href=\"https://example.org/\">8</a><a href=\"gone.html\">9</a>",
                "text: href=&quot;nothing.html&quot;<link rel=\"icon\" href=\"data:,\">"
            )),
        )
        .unwrap();
        tree.add("a/y.html", page("<p id=\"there\">y</p>")).unwrap();
        tree.add("b.html", page("b")).unwrap();
        let messages: Vec<String> = check(&tree).into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            messages,
            [
                "\"/b.html\" is root-absolute",
                "\"../../b.html\" leaves the site",
                "\"y.html#gone\" names a place that the page does not have",
                "\"javascript:1\" has a scheme that is not allowed",
                "\"gone.html\" leads to no file",
            ]
        );
    }
}
