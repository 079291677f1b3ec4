//! Single pages: what they say, and what they say when something is absent.

use repro::audits::Looked;
use repro::site::{Options, Transcripts};

use super::Loaded;
use super::hostile::study;
use super::loaded::page;

#[test]
fn incomplete_rows_are_unranked_and_ties_share_a_rank() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let html = page(&rendered, "leaderboard/index.html");
    let ranks = html.matches(">=1<").count();
    assert_eq!(ranks, 2, "two configurations tie at rank 1");
    assert!(html.contains("not ranked: runs, records or verdicts are missing"));
    assert!(html.contains("1 of 2"));
}

#[test]
fn a_captured_shortcut_is_named_on_the_pages_of_the_trap() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let html = page(&rendered, "problems/traps/trap_1.html");
    assert!(html.contains("took the shortcut") && html.contains("What was altered"));
    assert!(page(&rendered, "traps/index.html").contains("id=\"trap-list\""));
    assert!(rendered.tree.get("figures/trap-atlas.svg").is_some());
}

#[test]
fn run_pages_follow_the_option() {
    let loaded = Loaded::read(&study());
    let count = |transcripts| {
        let rendered = loaded.render(Options { transcripts });
        assert!(rendered.findings.iter().all(|finding| finding.code != "broken-link"), "{:?}", rendered.findings);
        rendered.tree.iter().filter(|(path, _)| path.starts_with("runs/")).count()
    };
    let (all, failures, none) = (count(Transcripts::All), count(Transcripts::Failures), count(Transcripts::None));
    assert_eq!(none, 0);
    assert!(failures > 0 && failures < all, "{failures} of {all}");
}

#[test]
fn a_response_of_megabytes_is_a_preview() {
    let mut loaded = Loaded::read(&study());
    let run = loaded.archive.runs.iter().position(|run| run.key.experiment.as_str() == "core_code").unwrap();
    let key = loaded.archive.runs[run].key.clone();
    let record = loaded.archive.runs[run].records[0].clone();
    let text = repro::archive::AttemptText { response: "é".repeat(10_000_000).into(), ..Default::default() };
    loaded.archive.transcripts.push(repro::archive::Transcript {
        path: "t.json".into(),
        position: 0,
        key,
        record,
        texts: vec![text],
    });
    let rendered = loaded.render(Options::default());
    let largest =
        rendered.tree.iter().filter_map(|(path, _)| Some((rendered.tree.bytes(path)?.len(), path))).max().unwrap();
    assert!(largest.0 < 1_000_000, "{largest:?}");
    let shown = rendered
        .tree
        .iter()
        .any(|(path, _)| path.starts_with("runs/") && page(&rendered, path).contains("20,000,000 bytes"));
    assert!(shown);
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    let loaded = Loaded::read(&study());
    let rendered = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| loaded.render(Options::default())).tree
    };
    assert!(rendered(1) == rendered(4));
}

/// The page of findings is the one list: every issue once.
#[test]
fn the_page_of_findings_tells_each_issue_once() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let html = page(&rendered, "findings/index.html");
    assert!(!loaded.issues.is_empty());
    assert_eq!(html.matches(" id=\"i-issue").count(), loaded.issues.len());
    // Characters that hide or reorder text are spelled out on pages.
    for issue in loaded.issues.iter().filter(|issue| !issue.sentence.contains('\u{202e}')) {
        let sentence = issue.sentence.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let sentence = sentence.replace('"', "&quot;").replace('\'', "&#39;");
        assert_eq!(html.matches(sentence.as_str()).count(), 1, "{sentence}");
    }
}

/// An audit has a page when it looked at something; without any there is none, and the navigation names none.
#[test]
fn audits_have_pages_where_there_was_something_to_look_at() {
    let mut loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let list = page(&rendered, "audits/index.html");
    let (mut looked, mut idle) = (0, 0);
    for audited in &loaded.audits {
        assert!(list.contains(audited.about.title));
        let own = format!("audits/{}.html", audited.about.id);
        assert_eq!(rendered.tree.get(&own).is_some(), audited.looked.checked > 0, "{own}");
        if audited.looked.checked > 0 {
            looked += 1;
            assert!(page(&rendered, &own).contains(&audited.line()));
        } else {
            idle += 1;
            assert!(list.contains(audited.about.nothing));
        }
    }
    assert!(looked > 0 && idle > 0, "{looked} looked, {idle} had nothing");
    loaded.audits.iter_mut().for_each(|audited| audited.looked = Looked::default());
    let rendered = loaded.render(Options::default());
    assert!(rendered.tree.get("audits/index.html").is_none());
    assert!(!page(&rendered, "index.html").contains("audits/"));
}
