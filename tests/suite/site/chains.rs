//! Every claim leads to what it rests on: the row that its link names holds the fact or the published cell.

use repro::site::{Options, Rendered};
use repro::world::disk::Folder;

use super::{Loaded, escape};
use crate::shared::shared;

/// The text of the element that carries an id, up to the end of its row.
fn row<'t>(html: &'t str, id: &str) -> Option<&'t str> {
    let at = html.find(&format!("id=\"{id}\""))?;
    let end = html[at..].find("</tr>")?;
    Some(&html[at..at + end])
}

/// Follows the first three links of every claim and returns how many were followed.
fn follow(loaded: &Loaded, rendered: &Rendered) -> usize {
    let pages: Vec<(&str, &str)> = rendered
        .tree
        .iter()
        .filter(|(path, _)| path.starts_with("claims/") && path.ends_with(".html"))
        .map(|(path, _)| (path, std::str::from_utf8(rendered.tree.bytes(path).unwrap()).unwrap()))
        .collect();
    let mut followed = 0;
    for claim in &loaded.judgements.as_ref().unwrap().claims {
        let own = format!(">{}</small></a>", escape(&claim.id));
        let (_, page) = pages.iter().find(|(_, page)| page.contains(&own)).unwrap_or_else(|| panic!("{}", claim.id));
        let at = page.find(&own).unwrap();
        let text = &page[at..at + page[at..].find("</tr>").unwrap()];
        for link in claim.links.iter().take(3).filter(|link| link.source != "claim") {
            let keys: Vec<&str> = link.keys.values().map(String::as_str).collect();
            let label = match link.source.strip_prefix("published:") {
                Some(table) => format!("published table {table}, {} {}", link.measure, keys.join(" ")),
                None => format!("{} {} {}", link.source, link.measure, keys.join(" ")),
            };
            let label = format!("\">{}</a>", escape(label.trim_end()));
            let end = text.find(&label).unwrap_or_else(|| panic!("{}: no link {label} in {text}", claim.id));
            let begin = text[..end].rfind("href=\"../").unwrap() + 9;
            let (target, id) = text[begin..end].split_once('#').unwrap();
            let html = std::str::from_utf8(rendered.tree.bytes(target).unwrap_or_else(|| panic!("{target}"))).unwrap();
            let row = row(html, id).unwrap_or_else(|| panic!("{}: {target} has no {id}", claim.id));
            for key in keys {
                let named = loaded.study.configuration(key).map_or(key, |named| named.name.as_str());
                let words = key.trim_matches('_').replace('_', " ");
                let shown = [key, named, &words].iter().any(|text| row.contains(&escape(text)));
                assert!(shown, "{}: {target}#{id} does not hold {key}: {row}", claim.id);
            }
            let is_cell = link.source.starts_with("published:");
            assert!(is_cell || row.contains(&escape(&link.measure)), "{}: {row}", claim.id);
            followed += 1;
        }
    }
    followed
}

#[test]
fn every_claim_of_the_example_leads_to_its_facts() {
    let source =
        Folder::new(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/results/weather-demo"))).unwrap();
    let loaded = Loaded::read(&source);
    assert!(follow(&loaded, &loaded.render(Options::default())) > 40);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_claim_of_the_real_study_leads_to_its_facts_or_its_published_cells() {
    let ledger = std::fs::read(shared("claims/atmoscoder-claims.json")).unwrap();
    let source = Folder::new(&shared("atmoscoder")).unwrap();
    let loaded = Loaded::read_with(&source, &[("atmoscoder-claims.json", ledger)]);
    let rendered = loaded.render(Options::default());
    let cells = loaded.judgements.as_ref().unwrap().claims.iter().flat_map(|claim| &claim.links);
    assert!(cells.filter(|link| link.source.starts_with("published:")).count() > 500);
    assert!(follow(&loaded, &rendered) > 2_500);
}
