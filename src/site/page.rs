//! What a page is.

use super::assets::Assets;
use super::data::About;
use super::input::SiteError;
use super::templates::Values;
use super::view::View;

/// A group of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NavGroup {
    /// What the study is and what was found.
    Overview,
    /// Recomputed results.
    Results,
    /// What the results rest on.
    Evidence,
    /// Everything, one by one.
    Browse,
    /// Rules.
    Methods,
    /// Files.
    Data,
}

impl NavGroup {
    /// Every group, in the order of the navigation.
    pub(crate) const ALL: [Self; 6] =
        [Self::Overview, Self::Results, Self::Evidence, Self::Browse, Self::Methods, Self::Data];

    /// Its name.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Results => "Results",
            Self::Evidence => "Evidence",
            Self::Browse => "Browse",
            Self::Methods => "Methods",
            Self::Data => "Data",
        }
    }
}

/// A kind of page.
pub(crate) trait Page: Sync {
    /// Name and text of its template.
    fn template(&self) -> (&'static str, &'static str);

    /// Navigation entry it belongs to.
    fn section(&self) -> &'static str;

    /// True when the page shows what runs say, so that it must say which runs were rebuilt.
    fn shows_runs(&self) -> bool {
        false
    }

    /// Group and name in the navigation; nothing for pages that are reached from others.
    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        None
    }

    /// Whether there is anything to show in this study; a page without is neither made nor named.
    fn has_content(&self, view: &View<'_>) -> bool {
        let _ = view;
        true
    }

    /// Addresses of all pages of this kind, in order.
    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let _ = view;
        vec![self.section().to_owned()]
    }

    /// The page at one of these addresses.
    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError>;
}

/// Where a page stands.
pub(crate) struct At<'a> {
    /// Its address.
    pub path: &'a str,
    /// Addresses of the assets.
    pub assets: &'a Assets,
    /// Data files besides tables.
    pub files: &'a [About],
}

/// What a page consists of.
pub(crate) struct Body {
    /// Title, without the name of the study.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// Values for the template, under the name `page`.
    pub values: Values,
    /// Stand-alone figures: id and SVG text.
    pub figures: Vec<(String, String)>,
}
