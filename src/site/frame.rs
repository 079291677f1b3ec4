//! What stands around every page: navigation, banner, footer.

use std::collections::BTreeSet;

use serde::Serialize;

use super::assets::Assets;
use super::page::Page;
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
    groups: Vec<Group>,
    style: String,
    script: String,
    search: String,
    digest: String,
    digest_short: String,
    tool: String,
    licence: String,
}

#[derive(Debug, Serialize)]
struct Group {
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

/// Groups of the navigation with their pages; the first page of a group is where its name leads.
const NAVIGATION: &[(&str, &[(&str, &str)])] = &[
    (
        "Overview",
        &[
            ("Summary", "index.html"),
            ("What the recomputation found", "findings/index.html"),
            ("Changes", "changes/index.html"),
        ],
    ),
    (
        "Results",
        &[
            ("Leaderboard", "leaderboard/index.html"),
            ("Subfields", "subfields/index.html"),
            ("Format gap", "format/index.html"),
            ("Variants", "variants/index.html"),
            ("Traps", "traps/index.html"),
            ("Protocols", "protocols/index.html"),
            ("Fabrication", "fabrication/index.html"),
            ("Reliability", "reliability/index.html"),
            ("Compare", "compare/index.html"),
        ],
    ),
    (
        "Evidence",
        &[
            ("Claims", "claims/index.html"),
            ("Verification", "verification/index.html"),
            ("Replay", "replay/index.html"),
            ("Grading", "grading/index.html"),
            ("Faithfulness", "faithfulness/index.html"),
            ("Documents", "documents/index.html"),
        ],
    ),
    (
        "Browse",
        &[
            ("Problems", "problems/index.html"),
            ("Configurations", "configs/index.html"),
            ("Solve matrix", "matrix/index.html"),
            ("Index and search", "search/index.html"),
        ],
    ),
    ("Methods", &[("Methods", "methods/index.html")]),
    ("Data", &[("Downloads", "downloads/index.html"), ("All tables", "tables/index.html")]),
];

impl Frame {
    /// Frame of the `page` at `path`.
    pub(crate) fn new(
        view: &View<'_>,
        assets: &Assets,
        path: &str,
        page: &dyn Page,
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
            groups: groups(page.section()),
            style: assets.style.clone(),
            script: assets.script.clone(),
            search: assets.search.clone(),
            digest_short: digest[..12].to_owned(),
            digest,
            tool: view.input.tool.to_owned(),
            licence: identity.licence.clone(),
        }
    }
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

fn groups(section: &str) -> Vec<Group> {
    let exists = |href: &str| super::pages::ALL.iter().any(|page| page.section() == href);
    NAVIGATION
        .iter()
        .map(|(label, items)| {
            let items: Vec<Item> = items
                .iter()
                .filter(|(_, href)| exists(href))
                .map(|&(label, href)| Item { label, href, current: href == section })
                .collect();
            Group { label, href: items[0].href, current: items.iter().any(|item| item.current), items }
        })
        .collect()
}
