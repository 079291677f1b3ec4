//! What stands around every page: navigation, banner, footer.

use serde::Serialize;

use super::assets::Assets;
use super::routes;
use super::view::View;

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
    /// Frame of the page at `path`; `section` is the navigation entry it belongs to.
    pub(crate) fn new(
        view: &View<'_>,
        assets: &Assets,
        path: &str,
        section: &str,
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
            groups: groups(section),
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
