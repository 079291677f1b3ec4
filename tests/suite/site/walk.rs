//! What readers come for, walked through by following links: none of it ends without words.

use repro::claims::Judgement;
use repro::site::{Options, outside};
use repro::tree::Tree;
use repro::world::disk::Folder;

use super::{Loaded, escape};
use crate::shared::shared;

/// A reader on a page.
struct Walk<'t> {
    tree: &'t Tree,
    at: String,
    fragment: String,
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
        Self { tree, at: "index.html".to_owned(), fragment: String::new(), clicks: 0 }
    }

    fn html(&self) -> &'t str {
        std::str::from_utf8(self.tree.bytes(&self.at).unwrap()).unwrap()
    }

    fn links(&self) -> Vec<Link> {
        self.links_in(self.html())
    }

    /// Links of a part of the page.
    fn links_in(&self, part: &str) -> Vec<Link> {
        let parts = part.split("<a ").skip(1);
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

    /// The row of a table in which these words stand.
    fn row(&self, words: &str) -> Option<&'t str> {
        let html = self.html();
        let at = html.find(words)?;
        let begin = html[..at].rfind("<tr").filter(|begin| !html[*begin..at].contains("</tr>"))?;
        Some(&html[begin..at + html[at..].find("</tr>")?])
    }

    /// The table that has this id.
    fn table(&self, id: &str) -> &'t str {
        let html = self.html();
        let at = html.find(&format!("id=\"{id}")).unwrap_or_else(|| panic!("{} has no table {id}", self.at));
        let end = html[at..].find("</table>").unwrap_or_else(|| panic!("{} has no table {id}", self.at));
        &html[at..at + end]
    }

    /// Clicks the first link that is wanted, and looks that there is something behind it.
    fn click(&mut self, what: &str, wanted: impl Fn(&Link) -> bool) -> &mut Self {
        let links = self.links();
        let link = links.into_iter().find(wanted).unwrap_or_else(|| panic!("{} has no link to {what}", self.at));
        self.follow(what, link)
    }

    fn follow(&mut self, what: &str, link: Link) -> &mut Self {
        assert!(self.tree.get(&link.page).is_some(), "{}: {what} at {} is missing", self.at, link.page);
        self.at = link.page;
        self.clicks += 1;
        if !link.fragment.is_empty() {
            assert!(self.html().contains(&format!("id=\"{}\"", link.fragment)), "{} has no {}", self.at, link.fragment);
        }
        self.fragment = link.fragment;
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

/// True for a link to a record: its own page, or its row on the page of its problem where only a verdict is archived.
fn is_record(link: &Link) -> bool {
    link.page.starts_with("runs/") || (link.page.starts_with("problems/") && link.fragment.starts_with("i-"))
}

/// Follows a printed number to the value that it rests on, by the row of that value to the configuration or problem
/// that it names, and on to a record that was not seen yet; `None` when the value names none of them.
fn to_its_record<'t>(tree: &'t Tree, claim: &Judgement, seen: &[(String, String)]) -> Option<Walk<'t>> {
    let mut walk = Walk::new(tree);
    walk.to("claims/index.html").to(&format!("claims/area-{}.html", claim.area));
    let row = walk.row(&format!(">{}</small></a>", escape(&claim.id)))?;
    let value =
        walk.links_in(row).into_iter().find(|link| link.page.starts_with("methods/") && !link.fragment.is_empty())?;
    walk.follow("the value", value);
    let at = walk.row(&format!("id=\"{}\"", walk.fragment))?;
    let owner = |link: &Link| {
        ["configs/", "problems/"].iter().any(|folder| link.page.starts_with(folder))
            && !link.page.ends_with("index.html")
    };
    let named = walk.links_in(at).into_iter().find(owner)?;
    walk.follow("what the value is about", named);
    let fresh = |link: &Link| is_record(link) && !seen.contains(&(link.page.clone(), link.fragment.clone()));
    if walk.links().iter().any(fresh) {
        walk.click("a record", fresh);
    }
    Some(walk)
}

/// Walks every task and prints its clicks; `areas` hold printed numbers to follow to their records.
fn every_task(loaded: &Loaded, tree: &Tree, areas: [&str; 3]) {
    let told = |task: &str, walk: &Walk<'_>| eprintln!("{} clicks: {task}, ends at {}", walk.clicks, walk.at);
    let claims = &loaded.judgements.as_ref().unwrap().claims;
    let mut ends: Vec<(String, String)> = Vec::new();
    for area in areas {
        let mut numbers = claims.iter().filter(|claim| claim.area == area).filter_map(|claim| {
            let walk = to_its_record(tree, claim, &ends)?;
            let end = (walk.at.clone(), walk.fragment.clone());
            (!ends.contains(&end)).then_some((claim, walk))
        });
        let (claim, walk) =
            numbers.next().unwrap_or_else(|| panic!("no number of {area} leads to a record of its own"));
        let words = ["<pre class=\"code\"", "only the verdict is archived"];
        assert!(words.iter().any(|words| walk.html().contains(words)), "{}", walk.at);
        told(&format!("the printed number {} of {area} to its record and program", claim.id), &walk);
        ends.push((walk.at.clone(), walk.fragment.clone()));
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
    walk.to("subfields/index.html");
    let hardest = walk.table("hardest");
    let first = hardest.split("<tbody>").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(first.contains("title=\"0 of "), "somebody solves the first of the hardest problems: {first}");
    let link = walk.links_in(first).into_iter().next().unwrap();
    walk.follow("the hardest problem", link);
    // A configuration solves a problem when more than half of its runs pass.
    for row in walk.table("i-outcomes").split("<tr id=").skip(1) {
        let (passed, all) = (row.matches("class=\"run pass\"").count(), row.matches("class=\"run ").count());
        assert!(all > 0 && passed * 2 <= all, "{}: {passed} of {all} runs pass in {row}", walk.at);
    }
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
