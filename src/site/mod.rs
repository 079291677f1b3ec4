//! The site: pure functions from verified evidence to a tree of static pages.
//!
//! One file per page in [`pages`], one template beside it in `templates/`, one line in the registry.
//! Nothing here reads files, runs programs, judges claims or computes statistics; a number on a page is
//! a fact, a table cell, a verdict or a count of records. All text of models, problems and archives is
//! data and leaves this module escaped ([`crate::markup`]); the few trusted fragments are of type [`crate::markup::Html`].

mod assets;
mod data;
pub(crate) mod diff;
mod excerpt;
mod frame;
pub(crate) mod grid;
mod highlight;
pub(crate) mod input;
mod links;
mod lookup;
mod markdown;
mod marks;
mod math;
mod outside;
pub(crate) mod page;
pub(crate) mod pages;
mod prose;
mod render;
pub(crate) mod routes;
mod scores;
mod search;
pub(crate) mod sheet;
mod statement;
pub(crate) mod templates;
pub(crate) mod units;
mod verdicts;
mod versions;
pub(crate) mod view;

pub use excerpt::{AttemptExcerpts, Excerpt};
pub use input::{Changes, Options, Registry, Rendered, SiteError, SiteInput, TextSource, Transcripts};
pub use links::check as check_links;
pub use outside::outside;
pub(crate) use page::Page;
pub(crate) use pages::ALL as PAGES;
pub use render::render;
pub use versions::{Listed, MARK, Version, bundle_name, front, root};
