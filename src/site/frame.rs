//! What stands around every page: navigation, banner, footer.

use std::collections::BTreeSet;

use serde::Serialize;

use super::assets::Assets;
use super::page::{NavGroup, Page};
use super::routes;
use super::view::View;
use crate::number::grouped;

/// Context of `base.html`.
#[derive(Debug, Serialize)]
pub(crate) struct Frame {
    /// Way up to the folder of the version.
    root: String,
    /// Address of this page.
    path: String,
    /// Title of the page.
    title: String,
    /// One sentence for search engines and previews.
    summary: String,
    study: String,
    version: String,
    date: String,
    demonstration: Option<String>,
    /// Which runs were rebuilt, on pages that show what runs say.
    rebuilt: Option<String>,
    groups: Vec<Navigated>,
    style: String,
    script: String,
    search: String,
    /// Where this page stands for the world, when an address is declared.
    address: Option<String>,
    digest: String,
    digest_short: String,
    tool: String,
    licence: String,
}

#[derive(Debug, Serialize)]
struct Navigated {
    label: &'static str,
    href: &'static str,
    current: bool,
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Item {
    label: &'static str,
    href: &'static str,
    current: bool,
}

impl Frame {
    /// Frame of the `page` at `path`; `pages` are the kinds that the site has.
    pub(crate) fn new(
        view: &View<'_>,
        assets: &Assets,
        pages: &[&'static dyn Page],
        (path, page): (&str, &dyn Page),
        title: String,
        summary: String,
    ) -> Self {
        let identity = &view.input.study.study;
        let digest = view.input.archive_digest.to_string();
        Self {
            root: routes::up(path),
            path: path.to_owned(),
            title,
            summary,
            study: identity.title.clone(),
            version: identity.version.clone(),
            date: identity.date.clone(),
            demonstration: identity.demonstration.clone(),
            rebuilt: page.shows_runs().then(|| rebuilt(view)).flatten(),
            groups: groups(pages, page.section()),
            style: assets.style.clone(),
            script: assets.script.clone(),
            search: assets.search.clone(),
            address: address(view, path),
            digest_short: digest[..12].to_owned(),
            digest,
            tool: view.input.tool.to_owned(),
            licence: identity.licence.clone(),
        }
    }
}

/// The whole address of a page below the declared address of the site.
pub(in crate::site) fn address(view: &View<'_>, path: &str) -> Option<String> {
    let identity = &view.input.study.study;
    let site = identity.site.as_deref()?.trim_end_matches('/');
    let version = crate::slug::file_name(&identity.version);
    Some(format!("{site}/{}/{version}/{path}", identity.id))
}

/// Which runs of the archive were rebuilt, and from what.
fn rebuilt(view: &View<'_>) -> Option<String> {
    let archive = view.input.archive;
    let count = archive.rebuilt().count();
    let sources: BTreeSet<&str> = archive.rebuilt().filter_map(|run| run.declared.provenance.as_deref()).collect();
    let named: Vec<String> = sources.into_iter().map(|text| format!("“{text}”")).collect();
    let which = if count == archive.runs.len() { "The" } else { "Of the" };
    let runs = grouped(archive.runs.len() as u64);
    let (subject, verb) = match (count == archive.runs.len(), count) {
        (true, _) => (format!("{which} {runs} runs of this archive"), "were"),
        (false, 1) => (format!("{which} {runs} runs of this archive 1"), "was"),
        (false, _) => (format!("{which} {runs} runs of this archive {}", grouped(count as u64)), "were"),
    };
    (count > 0).then(|| {
        format!(
            "{subject} {verb} not recorded but rebuilt; the files say: {}. What is computed from them shows that \
             published numbers fit one another, not that a model gave these answers.",
            named.join(", ")
        )
    })
}

/// The groups that have pages; the first page of a group is where its name leads.
fn groups(pages: &[&'static dyn Page], section: &str) -> Vec<Navigated> {
    let group = |group: NavGroup| {
        let entries = pages.iter().filter_map(|page| Some((page.entry()?, page.section())));
        let items: Vec<Item> = entries
            .filter(|((of, _), _)| *of == group)
            .map(|((_, label), href)| Item { label, href, current: href == section })
            .collect();
        let href = items.first()?.href;
        Some(Navigated { label: group.label(), href, current: items.iter().any(|item| item.current), items })
    };
    NavGroup::ALL.into_iter().filter_map(group).collect()
}
