//! What readers come for, walked through by following links: none of it ends without words.

use repro::site::{Options, outside};
use repro::tree::Tree;
use repro::world::disk::Folder;

use super::{Loaded, escape};
use crate::shared::shared;

/// A reader on a page.
struct Walk<'t> {
    tree: &'t Tree,
    at: String,
    clicks: usize,
}

/// A link of a page: where it leads, and its text.
struct Link {
    page: String,
    fragment: String,
    label: String,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree) -> Self {
        Self { tree, at: "index.html".to_owned(), clicks: 0 }
    }

    fn html(&self) -> &'t str {
        std::str::from_utf8(self.tree.bytes(&self.at).unwrap()).unwrap()
    }

    fn links(&self) -> Vec<Link> {
        let parts = self.html().split("<a ").skip(1);
        let of = |part: &str| {
            let href = part.split_once("href=\"")?.1.split_once('"')?.0;
            let label = part.split_once('>')?.1.split_once("</a>")?.0.to_owned();
            let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
            let mut folders: Vec<&str> = self.at.split('/').collect();
            if !path.is_empty() {
                folders.pop();
            }
            for folder in path.split('/').filter(|folder| !folder.is_empty()) {
                match folder {
                    ".." => drop(folders.pop()?),
                    folder => folders.push(folder),
                }
            }
            Some(Link { page: folders.join("/"), fragment: fragment.to_owned(), label })
        };
        parts.filter_map(of).collect()
    }

    /// Clicks the first link that is wanted, and looks that there is something behind it.
    fn click(&mut self, what: &str, wanted: impl Fn(&Link) -> bool) -> &mut Self {
        let links = self.links();
        let link = links.into_iter().find(wanted).unwrap_or_else(|| panic!("{} has no link to {what}", self.at));
        assert!(self.tree.get(&link.page).is_some(), "{}: {what} at {} is missing", self.at, link.page);
        self.at = link.page;
        self.clicks += 1;
        if !link.fragment.is_empty() {
            assert!(self.html().contains(&format!("id=\"{}\"", link.fragment)), "{} has no {}", self.at, link.fragment);
        }
        self
    }

    fn to(&mut self, page: &str) -> &mut Self {
        self.click(page, |link| link.page == page)
    }

    fn below(&mut self, folder: &str) -> &mut Self {
        self.click(folder, |link| link.page.starts_with(folder) && !link.page.ends_with("index.html"))
    }

    fn says(&self, words: &str) {
        assert!(self.html().contains(words), "{} does not say {words:?}", self.at);
    }
}

/// Walks every task and prints its clicks; `areas` hold printed numbers to follow to their records.
fn every_task(loaded: &Loaded, tree: &Tree, areas: [&str; 3]) {
    let told = |task: &str, walk: &Walk<'_>| eprintln!("{} clicks: {task}, ends at {}", walk.clicks, walk.at);
    for area in areas {
        let mut walk = Walk::new(tree);
        walk.to("claims/index.html").to(&format!("claims/area-{area}.html")).below("methods/");
        // Where no value names a configuration, the way to the records leads through their list.
        if !walk.links().iter().any(|link| link.page.starts_with("configs/") && !link.page.ends_with("index.html")) {
            walk.to("configs/index.html");
        }
        walk.below("configs/").click("a record", |link| {
            link.page.starts_with("runs/") || (link.page.starts_with("problems/") && link.fragment.starts_with("i-"))
        });
        let words = ["<pre class=\"code\"", "only the verdict is archived"];
        assert!(words.iter().any(|words| walk.html().contains(words)), "{}", walk.at);
        told(&format!("a printed number of {area} to its record and program"), &walk);
    }
    let mut walk = Walk::new(tree);
    walk.to("traps/index.html").below("problems/traps/").says("id=\"outcomes\"");
    walk.says("took the planted shortcut");
    told("who fell into a trap", &walk);
    let mut walk = Walk::new(tree);
    walk.to("compare/index.html").below("compare/");
    walk.says("interval");
    told("is one better than another", &walk);
    let mut walk = Walk::new(tree);
    walk.to("subfields/index.html").below("problems/").says("id=\"outcomes\"");
    told("what nobody solves", &walk);
    let mut walk = Walk::new(tree);
    walk.to("claims/index.html");
    let wrong = loaded.judgements.as_ref().unwrap().claims.iter().filter(|claim| claim.verdict.contradicts());
    for claim in wrong {
        let shown = escape(&claim.statement);
        let listed = walk.links().iter().any(|link| link.label == shown);
        assert!(listed, "{} is not listed among the wrong numbers", claim.id);
    }
    told("all wrong numbers", &walk);
    let mut walk = Walk::new(tree);
    walk.to("leaderboard/index.html").click("the data of a figure", |link| link.page.ends_with(".csv"));
    told("data of a figure", &walk);
    let walk = Walk::new(tree);
    walk.says("@misc{");
    told("cite", &walk);
    let identity = &loaded.study.study;
    walk.says(&format!("repro verify {}-{}.zip --no-cache", identity.id, identity.version));
    walk.says("<a href=\"../index.html#");
    told("verify from the zip alone, which is one click away in the list of versions", &walk);
}

#[test]
fn the_example_answers_what_readers_come_for() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/results/weather-demo"));
    let loaded = Loaded::read(&Folder::new(folder).unwrap());
    let tree = outside(&loaded.render(Options::default()).tree, "1.0").unwrap();
    every_task(&loaded, &tree, ["accuracy", "traps", "variants"]);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_real_study_answers_what_readers_come_for() {
    let ledger = std::fs::read(shared("claims/atmoscoder-claims.json")).unwrap();
    let loaded = Loaded::read_with(&Folder::new(&shared("atmoscoder")).unwrap(), &[("atmoscoder-claims.json", ledger)]);
    let tree = outside(&loaded.render(Options::default()).tree, "2026").unwrap();
    every_task(&loaded, &tree, ["accuracy", "traps", "reliability"]);
}
