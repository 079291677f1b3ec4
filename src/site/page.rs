//! What a page is.

use super::assets::Assets;
use super::data::About;
use super::input::SiteError;
use super::templates::Values;
use super::view::View;

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
