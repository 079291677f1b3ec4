//! What the script adds: sorting, filters, search, comparison, the keyboard.

use super::{Chromium, Tab, attack, example, many_claims};

/// Sort keys of a column, top to bottom, as the script reads them.
fn column(tab: &Tab<'_>, sheet: &str, index: usize) -> Vec<String> {
    let script = format!(
        "[...document.querySelectorAll('#{sheet} tbody tr')].filter(row => !row.hidden).map(row => {{ \
         const cell = row.cells[{index}]; return cell.dataset.sort ?? cell.textContent.trim(); }})"
    );
    tab.value(&script).as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned()).collect()
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn sorting_keeps_missing_values_last_both_ways_and_the_address_remembers_it() {
    let browser = Chromium::start();
    let tab = browser.tab();
    // One configuration of this study lacks a run and therefore has no rank.
    let server = attack().serve();
    tab.open(&server.at("leaderboard/index.html"));
    let heads =
        "[...document.querySelectorAll('#leaderboard thead th')].findIndex(h => h.textContent.startsWith('Rank'))";
    let rank = tab.number(heads) as usize;
    let mut orders = Vec::new();
    for _ in 0..2 {
        tab.click(&format!("#leaderboard thead th:nth-child({}) button", rank + 1));
        let keys = column(&tab, "leaderboard", rank);
        let present: Vec<f64> = keys.iter().filter(|key| !key.is_empty()).map(|key| key.parse().unwrap()).collect();
        assert!(present.len() < keys.len() && keys[present.len()..].iter().all(String::is_empty), "{keys:?}");
        orders.push(present);
    }
    assert!(orders[0].is_sorted_by(|a, b| a >= b) && orders[1].is_sorted(), "{orders:?}");
    assert!(orders[0] != orders[1]);
    assert!(tab.text("location.search").contains("s.leaderboard="), "{}", tab.text("location.search"));
    tab.reload();
    let kept: Vec<f64> = column(&tab, "leaderboard", rank).iter().filter_map(|key| key.parse().ok()).collect();
    assert_eq!(kept, orders[1]);
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn a_filter_narrows_the_rows_says_so_and_survives_a_reload() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    let page =
        example().pages().into_iter().find(|p| p.starts_with("problems/") && p.ends_with("/index.html")).unwrap();
    tab.open(&server.at(&page));
    let rows = "[...document.querySelectorAll('#problems tbody tr')].filter(row => !row.hidden).length";
    let before = tab.number(rows);
    let id = tab.text("document.querySelector('#problems tbody tr:nth-child(2) th').textContent.trim()");
    tab.fill("#problems-filter", &id);
    let after = tab.number(rows);
    assert!(after >= 1.0 && after < before, "{before} then {after}");
    let said = tab.text("document.querySelector('#problems output').textContent");
    assert_eq!(said, format!("{after} of {before} rows"));
    tab.reload();
    assert_eq!(tab.number(rows), after);
    tab.fill("#problems-filter", "no row has this");
    assert_eq!(tab.number(rows), 0.0);
}

/// A number of the index rounded to two decimals, whose digits do not stand in the index; the number itself is left in
/// `window.full`.
const ROUNDED: &str = "(() => { const all = SEARCH.map((entry) => (entry[1] + ' ' + entry[3]).slice(0, 140));
    for (const text of all) for (const full of text.match(/\\b[1-9]\\d*\\.\\d{4,}/g) || []) {
        const printed = Number(full).toFixed(2);
        if (!all.some((other) => other.includes(printed))) { window.full = full; return printed; }
    }
    return ''; })()";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn search_works_from_a_disk_and_leads_to_the_thing() {
    let browser = Chromium::start();
    let tab = browser.tab();
    tab.open(&example().on_disk("search/index.html"));
    tab.until("document.querySelector('#query')");
    let name = tab.text("document.querySelector('ul.columns a').textContent");
    tab.fill("#query", &name);
    tab.until("document.querySelector('.find ol a')");
    let target = tab.text("document.querySelector('.find ol a').href");
    // A number is found as it is printed where it stands with all its digits.
    let (printed, full) = (tab.text(ROUNDED), tab.text("window.full"));
    assert!(full.len() > printed.len() && !full.starts_with(&printed), "{printed} {full}");
    tab.fill("#query", &printed);
    tab.until(&format!("document.querySelector('.find ol')?.textContent.includes({})", serde_json::Value::from(full)));
    tab.fill("#query", &name);
    tab.until(&format!("document.querySelector('.find ol a')?.href === {}", serde_json::Value::from(target.clone())));
    tab.click(".find ol a");
    tab.until(&format!("location.href.split('?')[0] === {}", serde_json::Value::from(target)));
    assert!(tab.holds("document.querySelector('h1')"));
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn the_keyboard_reaches_content_sorting_and_search() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    tab.open(&server.at("leaderboard/index.html"));
    tab.key("Tab");
    assert_eq!(tab.text("document.activeElement.className"), "skip");
    tab.key("Enter");
    tab.until("location.hash === '#main'");
    let head = "document.querySelector('#leaderboard thead th:first-child')";
    tab.value(&format!("{head}.querySelector('button').focus()"));
    tab.key("Enter");
    assert_eq!(tab.text(&format!("{head}.getAttribute('aria-sort')")), "ascending");
    tab.key("Tab");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert!(tab.text("document.activeElement.tagName") == "BUTTON" && tab.text(outline) != "none");
    // The key leads to the search in the header of every page, and from there to all results.
    tab.value("document.activeElement.blur()");
    tab.key("/");
    assert!(tab.holds("document.activeElement.id === 'quick'"));
    tab.fill("#quick", "constructed");
    tab.until("!document.querySelector('.quick ol').hidden");
    tab.key("Enter");
    tab.until(
        "location.pathname.endsWith('/search/index.html') && document.getElementById('query')?.value === 'constructed'",
    );
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn two_configurations_can_be_compared_in_the_page() {
    let browser = Chromium::start();
    let tab = browser.tab();
    tab.open(&example().on_disk("compare/index.html"));
    tab.until("document.querySelector('#b')");
    let last = tab.number("document.querySelectorAll('#b option').length - 1");
    tab.value(&format!("(() => {{ const b = document.querySelector('#b'); b.value = '{last}'; b.dispatchEvent(new Event('change')); }})()"));
    let groups =
        "[...document.querySelectorAll('[data-outcomes] summary')].map(s => Number(s.textContent.match(/(\\d+)$/)[1]))";
    let groups: Vec<u64> = tab.value(groups).as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
    assert!(groups.len() == 4 && groups.iter().sum::<u64>() > 0, "{groups:?}");
    let said = tab.text("document.querySelector('[data-outcomes] p').textContent");
    assert!(said.contains(&format!("{} against {}: P ", groups[1], groups[2])), "{said}");
    // What is listed is what the statistic counted.
    let listed = "[...document.querySelectorAll('[data-outcomes] ul.columns')].map(l => l.children.length)";
    let listed: Vec<u64> = tab.value(listed).as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
    assert_eq!(listed, groups);
    // The other way round the same numbers, with first and second exchanged.
    tab.value(&format!("(() => {{ const a = document.querySelector('#a'), b = document.querySelector('#b'); a.value = '{last}'; b.value = '0'; b.dispatchEvent(new Event('change')); }})()"));
    let back = tab.text("document.querySelector('[data-outcomes] p').textContent");
    let p = |text: &str| text.split(": ").nth(1).unwrap().to_owned();
    assert!(back.contains(&format!("{} against {}: P ", groups[2], groups[1])) && p(&back) == p(&said), "{back}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn claims_can_be_chosen_by_verdict() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = example().serve();
    let page = example().pages().into_iter().find(|page| page.starts_with("claims/area-")).unwrap();
    tab.open(&server.at(&page));
    let value = tab.text("[...document.querySelectorAll('#choose-verdict option')].map(o => o.value).find(Boolean)");
    tab.value(&format!(
        "(() => {{ const s = document.querySelector('#choose-verdict'); s.value = {}; s.dispatchEvent(new Event('change')); }})()",
        serde_json::Value::from(value.as_str())
    ));
    let shown = "[...document.querySelectorAll('#claims tbody tr')].filter(row => row.offsetParent)";
    assert!(tab.number(&format!("{shown}.length")) > 0.0);
    assert!(tab.holds(&format!("{shown}.every(row => row.textContent.includes({}))", serde_json::Value::from(value))));
    assert!(tab.text("location.search").contains("c.verdict="));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn choosing_a_verdict_shows_every_row_that_has_it_however_many_come_before() {
    let browser = Chromium::start();
    let tab = browser.tab();
    let server = many_claims().serve();
    // So many claims of one source have a page of their own.
    let page =
        many_claims().pages().into_iter().find(|page| page.starts_with("claims/") && page.contains("paper")).unwrap();
    tab.open(&server.at(&page));
    let shown = "[...document.querySelectorAll('#claims tbody tr')].filter(row => row.offsetParent).length";
    let said = "document.querySelector('#claims output').textContent";
    assert_eq!((tab.number(shown), tab.text(said)), (200.0, "200 of 300 rows".to_owned()), "a page of rows first");
    let choose = |value: &str| {
        tab.value(&format!(
            "(() => {{ const s = document.querySelector('#choose-verdict'); s.value = [...s.options].map(o => o.value)\
             .find(v => v.includes('{value}')) ?? ''; s.dispatchEvent(new Event('change')); }})()"
        ));
    };
    choose("differs");
    assert_eq!((tab.number(shown), tab.text(said)), (40.0, "40 of 300 rows".to_owned()));
    choose("reproduced");
    assert_eq!((tab.number(shown), tab.text(said)), (260.0, "260 of 300 rows".to_owned()));
    // Choice and filter narrow together, and the address keeps both.
    tab.fill("#claims-filter", "c-299");
    assert_eq!(tab.number(shown), 0.0);
    choose("differs");
    assert_eq!(tab.number(shown), 1.0);
    tab.reload();
    assert_eq!(tab.number(shown), 1.0);
    choose("nothing");
    tab.fill("#claims-filter", "");
    assert_eq!(tab.number(shown), 200.0);
}
