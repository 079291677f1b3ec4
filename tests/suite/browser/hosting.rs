//! Where a site works: from a disk, below a path, without scripts; and with names and texts that attack.

use super::{Chromium, attack, example};

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn every_kind_of_page_opens_from_a_disk_without_a_complaint() {
    let browser = Chromium::start();
    let tab = browser.tab();
    for page in example().kinds() {
        tab.open(&example().on_disk(&page));
        assert!(tab.text("getComputedStyle(document.querySelector('h1')).fontFamily").contains("charter"), "{page}");
    }
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn every_kind_of_page_opens_below_a_path_and_asks_for_nothing_outside() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    for page in example().kinds() {
        tab.open(&server.at(&page));
    }
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

/// From a number of the leaderboard to the record behind it: three clicks, no script.
#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn without_scripts_everything_is_there_and_three_clicks_lead_to_a_record() {
    let browser = Chromium::start();
    let tab = browser.tab();
    tab.without_scripts();
    let server = example().serve();
    tab.open(&server.at("leaderboard/index.html"));
    assert_eq!(tab.number("document.querySelectorAll('.theme, .tools').length"), 0.0, "a control that does nothing");
    let begin = tab.text("location.pathname");
    tab.click("#leaderboard tbody tr:first-child td a[href*='configs/']");
    tab.until(&format!(
        "location.pathname !== {} && document.readyState === 'complete'",
        serde_json::Value::from(begin)
    ));
    let configuration = tab.text("location.pathname");
    tab.click("main td a[href*='runs/'], main li a[href*='runs/'], main th a[href*='runs/']");
    tab.until(&format!(
        "location.pathname !== {} && document.readyState === 'complete'",
        serde_json::Value::from(configuration)
    ));
    assert!(tab.text("location.pathname").contains("/runs/"));
    assert!(tab.holds("document.querySelector('main pre')"), "the record shows no program");
    tab.open(&server.at("search/index.html"));
    assert!(tab.number("document.querySelectorAll('ul.columns a').length") > 20.0, "no alphabetical index");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn hostile_names_and_texts_stay_text_on_every_page() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = attack().serve();
    let written = "[...document.scripts].filter(s => !s.src && s.type !== 'application/ld+json').length + \
                   document.querySelectorAll('img, iframe, object, embed, input:not([id]), [onerror], [onload], [style]').length";
    for page in attack().pages() {
        tab.open(&server.at(&page));
        assert_eq!(tab.number(written), 0.0, "{page} has elements that no template wrote");
    }
    tab.open(&server.at("search/index.html?q=script"));
    tab.until("document.querySelector('.find ol a')");
    assert_eq!(tab.number("document.querySelectorAll('.find ol script, .find ol img').length"), 0.0);
    assert_eq!(tab.trouble(), Vec::<String>::new());
}
