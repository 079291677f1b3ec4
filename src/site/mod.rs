//! The site: pure functions from verified evidence to a tree of static pages.
//!
//! One file per page in [`pages`], one template beside it in `templates/`, one line in the registry.
//! Nothing here reads files, runs programs, judges claims or computes statistics; a number on a page is
//! a fact, a table cell, a verdict or a count of records. All text of models, problems and archives is
//! data and leaves this module escaped ([`crate::markup`]); the few trusted fragments are of type [`crate::markup::Html`].

mod assets;
mod data;
mod diff;
mod excerpt;
mod frame;
mod grid;
mod highlight;
mod input;
mod links;
mod lookup;
mod markdown;
mod math;
mod page;
mod pages;
mod render;
mod routes;
mod scores;
mod search;
mod sheet;
mod statement;
mod surroundings;
mod templates;
mod verdicts;
mod versions;
mod view;

pub use excerpt::{AttemptExcerpts, Excerpt};
pub use input::{Changes, Options, Rendered, SiteError, SiteInput, TextSource, Transcripts};
pub use links::check as check_links;
pub use render::render;
pub use versions::{Version, front};
