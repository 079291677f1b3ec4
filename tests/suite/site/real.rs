//! The real archive.

use repro::site::Options;
use repro::world::disk::Folder;

use super::Loaded;
use crate::shared::shared;

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_real_study_renders_with_every_link_resolved() {
    let path = shared("atmoscoder");
    let claims = shared("claims/atmoscoder-claims.json");
    let ledger = std::fs::read(claims).unwrap();
    let loaded = Loaded::read_with(&Folder::new(&path).unwrap(), &[("atmoscoder-claims.json", ledger)]);
    let begin = std::time::Instant::now();
    let rendered = loaded.render(Options::default());
    eprintln!("{} pages, {} files in {:?}", rendered.pages, rendered.tree.len(), begin.elapsed());
    let broken: Vec<String> = rendered
        .findings
        .iter()
        .filter(|f| f.code == "broken-link")
        .map(|f| format!("{}: {}", f.place, f.message))
        .collect();
    assert!(broken.is_empty(), "{} broken, first {:?}", broken.len(), &broken[..broken.len().min(5)]);
    // The policy of the pages allows no style in an element, so one would be lost without a word.
    let html = rendered.tree.iter().filter(|(path, _)| path.ends_with(".html"));
    let styled: Vec<&str> = html
        .filter(|(path, _)| std::str::from_utf8(rendered.tree.bytes(path).unwrap()).unwrap().contains(" style=\""))
        .map(|(path, _)| path)
        .collect();
    assert!(styled.is_empty(), "{styled:?}");
}
