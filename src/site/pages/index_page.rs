//! Search with scripts, an alphabetical index without.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::search::{self, Entry};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct IndexPage;

#[derive(Serialize)]
struct Context {
    search: String,
    letters: Vec<Letter>,
    left_out: usize,
}

#[derive(Serialize)]
struct Letter {
    id: String,
    label: String,
    entries: Vec<(String, String, String)>,
}

impl Page for IndexPage {
    fn template(&self) -> (&'static str, &'static str) {
        ("search.html", include_str!("../../../templates/search.html"))
    }

    fn section(&self) -> &'static str {
        "search/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Browse, "Index and search"))
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let mut letters: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        let mut left_out = 0;
        for entry in search::entries(view) {
            if entry.elsewhere {
                left_out += 1;
                continue;
            }
            letters.entry(letter(&entry.name)).or_default().push(entry);
        }
        let letters = letters.into_iter().enumerate().map(|(index, (label, mut entries))| {
            entries.sort_by(|a, b| a.name.to_lowercase().cmp(&b.name.to_lowercase()).then_with(|| a.href.cmp(&b.href)));
            let entries = entries.into_iter().map(|entry| (entry.name, entry.kind, entry.href)).collect();
            Letter { id: format!("letter-{index}"), label, entries }
        });
        let context = Context { search: at.assets.search.clone(), letters: letters.collect(), left_out };
        let summary = "Search, and an alphabetical index of problems, configurations, claims and methods.".to_owned();
        Ok(Body { title: "Index and search".into(), summary, values: Values::of(&context), figures: vec![] })
    }
}

/// Heading an entry stands under: its first letter, digits together, anything else together.
fn letter(name: &str) -> String {
    match name.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => c.to_ascii_uppercase().to_string(),
        Some(c) if c.is_ascii_digit() => "0–9".to_owned(),
        _ => "…".to_owned(),
    }
}
