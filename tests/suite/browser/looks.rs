//! How pages look: in the dark, on paper, on a narrow screen.

use super::{Chromium, attack, example};

/// Sum of the colour channels of the page: 0 is black, 765 white.
const LIGHT: &str =
    "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn the_dark_follows_the_system_and_the_button() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    tab.media("", "dark");
    tab.open(&server.at("index.html"));
    assert!(tab.number(LIGHT) < 150.0, "not dark");
    tab.click(".theme");
    assert!(tab.number(LIGHT) > 600.0, "the button does not make it light");
    tab.reload();
    assert!(tab.number(LIGHT) > 600.0, "the choice was forgotten");
    tab.media("", "light");
    tab.click(".theme");
    assert!(tab.number(LIGHT) < 150.0, "the button does not make it dark");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn paper_is_white_without_navigation_and_with_nothing_cut_off() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    tab.media("print", "dark");
    for page in example().kinds() {
        tab.open(&server.at(&page));
        assert_eq!(tab.number(LIGHT), 765.0, "{page}: the paper is not white");
        assert!(
            tab.holds("[...document.querySelectorAll('nav, .tools, .theme')].every(e => !e.offsetParent)"),
            "{page}"
        );
        let cut = "[...document.querySelectorAll('.scroll, .code, .text')].filter(e => getComputedStyle(e).overflowX !== 'visible').length";
        assert_eq!(tab.number(cut), 0.0, "{page}: something scrolls on paper");
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn no_page_is_longer_than_a_few_screens() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    tab.width(1280);
    let mut long = Vec::new();
    for page in example().kinds() {
        tab.open(&server.at(&page));
        let height = tab.number("document.documentElement.scrollHeight");
        if height > 8000.0 {
            long.push(format!("{page}: {height}"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    // What is folded opens for whoever is sent to it.
    tab.open(&server.at("tables/index.html"));
    let named = "[...document.querySelectorAll('details .sheet')].at(-1).id";
    let id = tab.text(named);
    tab.open(&server.at(&format!("tables/index.html#{id}")));
    assert!(tab.holds(&format!("document.getElementById({id:?}).closest('details').open")));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn figures_can_be_taken_along() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    tab.open(&server.at("leaderboard/index.html"));
    let figure = "document.querySelector('figure.plot')";
    assert!(tab.text(&format!("{figure}.querySelector('figcaption strong').textContent")).contains(" solves "));
    assert!(tab.text(&format!("{figure}.querySelector('details.use pre').textContent")).contains("<img src="));
    // The download is caught before the browser takes it.
    tab.value(
        "HTMLAnchorElement.prototype.click = function () { document.body.dataset.picture = this.href.slice(0, 22); }",
    );
    tab.value(&format!("[...{figure}.querySelectorAll('button.copy')].at(-1).click()"));
    tab.until("document.body.dataset.picture === 'data:image/png;base64,'");
    assert!(tab.trouble().is_empty(), "{:?}", tab.trouble());
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn no_page_is_wider_than_a_narrow_screen() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let mut wide = Vec::new();
    for site in [example(), attack()] {
        let server = site.serve();
        tab.width(360);
        for page in site.kinds() {
            tab.open(&server.at(&page));
            let width = tab.number("document.documentElement.scrollWidth");
            if width > 360.0 {
                wide.push(format!("{page}: {width}"));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
