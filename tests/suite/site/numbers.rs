//! Every number on a page that names its fact, or stands in a recomputed table, is that number.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use repro::digest::Digest;
use repro::number;
use repro::site::{Options, Rendered};
use repro::statistics::{Estimate, Fact};
use repro::table::{Cell, Table};
use repro::world::disk::Folder;

use super::Loaded;
use super::loaded::page;

static MARK: LazyLock<Regex> = LazyLock::new(|| Regex::new("data-fact=\"([a-z0-9-]+) (v-[0-9a-f]+)\"").unwrap());
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"href="[./]*methods/([a-z0-9-]+?)(?:--[0-9]+)?\.html#(v-[0-9a-f]+)""#).unwrap());
static SMALL: LazyLock<Regex> = LazyLock::new(|| Regex::new("<small>(.*?)</small>").unwrap());
static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new("<[^>]*>").unwrap());
static THOUSAND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\d),(\d{3})").unwrap());
static CELL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<t[dh]([^>]*)>(.*?)</t[dh]>").unwrap());

/// The example study, whose pages are of every kind.
fn demo() -> Loaded {
    Loaded::read(&Folder::new(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo")).unwrap())
}

fn pages(rendered: &Rendered) -> impl Iterator<Item = (&str, &str)> {
    rendered.tree.iter().filter(|(path, _)| path.ends_with(".html")).map(|(path, _)| (path, page(rendered, path)))
}

/// The row of a fact on the page of its statistic, as pages name it.
fn anchor(fact: &Fact) -> String {
    let keys: Vec<String> = fact.keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("v-{}", Digest::of(format!("{} {}", fact.measure, keys.join(" ")).as_bytes()).short(12))
}

/// A cell of a table: attributes and content.
struct Shown<'p> {
    attributes: &'p str,
    content: &'p str,
}

impl Shown<'_> {
    /// Statistic and row of the fact that the cell names, by a link or by a mark.
    fn fact(&self) -> Option<(String, String)> {
        let found = MARK.captures(self.attributes).or_else(|| LINK.captures(self.content))?;
        Some((found[1].to_owned(), found[2].to_owned()))
    }

    /// The main text, and the small text after it.
    fn texts(&self) -> (String, Option<String>) {
        let aside = SMALL.captures(self.content).map(|found| plain(&found[1]));
        (plain(&SMALL.replace(self.content, "")), aside)
    }
}

/// Text without markup, with a hyphen for the minus sign and without groups of thousands.
fn plain(html: &str) -> String {
    let text = TAG.replace_all(html, "").replace("&lt;", "<").replace("&#39;", "'").replace('\u{2212}', "-");
    // A comma between two groups is seen only once the one before it is gone.
    let text = THOUSAND.replace_all(&text, "$1$2");
    THOUSAND.replace_all(&text, "$1$2").trim().to_owned()
}

fn cells(html: &str) -> Vec<Shown<'_>> {
    let shown = |found: regex::Captures<'_>| (found.get(1).unwrap().range(), found.get(2).unwrap().range());
    let ranges: Vec<_> = CELL.captures_iter(html).map(shown).collect();
    ranges.into_iter().map(|(a, c)| Shown { attributes: &html[a], content: &html[c] }).collect()
}

/// Whether a text is a value, as far as it is printed.
fn is(text: &str, value: f64) -> bool {
    let text = text.trim_start_matches(['=', '≥', ' ', '+']);
    if let Some(bound) = text.strip_prefix("< ") {
        return bound.parse::<f64>().is_ok_and(|bound| value < bound);
    }
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    number::fixed(value, decimals) == text
        || number::significant(value, digits.max(1)) == text
        || text.parse::<f64>().is_ok_and(|shown| (shown - value).abs() <= 1e-6 * value.abs())
}

fn agrees(text: &str, aside: Option<&str>, facts: &[&Fact]) -> bool {
    facts.iter().any(|fact| {
        let Estimate::Value { value, count, interval } = &fact.estimate else { return false };
        let of = |text: &str| match (text.strip_prefix("of "), count) {
            (Some(all), Some((_, n))) => all == n.to_string(),
            _ => true,
        };
        let shown = match text.split_once(" to ") {
            Some((low, high)) => interval.is_some_and(|ends| is(low, ends.low) && is(high, ends.high)),
            // A count behind a share stands for it where the total stands beside it.
            None => is(text, *value) || count.is_some_and(|(k, _)| aside.is_some() && text == k.to_string()),
        };
        shown && aside.is_none_or(of)
    })
}

#[test]
fn every_number_that_names_its_fact_is_that_fact() {
    let loaded = demo();
    let rendered = loaded.render(Options::default());
    let mut facts: BTreeMap<(String, String), Vec<&Fact>> = BTreeMap::new();
    for fact in loaded.facts.iter() {
        facts.entry((fact.statistic.to_owned(), anchor(fact))).or_default().push(fact);
    }
    let (mut wrong, mut seen) = (Vec::new(), BTreeMap::<String, usize>::new());
    for (path, html) in pages(&rendered) {
        // Rows of claims name the facts behind a sentence; their numbers are judged, not shown.
        if path.starts_with("claims/") {
            continue;
        }
        for cell in cells(html) {
            let Some(name) = cell.fact() else { continue };
            let (text, aside) = cell.texts();
            *seen.entry(path.split('/').next().unwrap().to_owned()).or_default() += 1;
            match facts.get(&name) {
                None => wrong.push(format!("{path}: no fact {} {}", name.0, name.1)),
                Some(facts) if !agrees(&text, aside.as_deref(), facts) => {
                    wrong.push(format!("{path}: {text:?} {aside:?} for {:?}", facts[0]));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
    // Each kind of page that shows results names facts; a kind that shows none is a page of its own sort.
    for kind in ["leaderboard", "compare", "configs", "problems", "subfields", "reliability", "format"] {
        assert!(seen.get(kind).is_some_and(|count| *count > 0), "no number of {kind} names its fact: {seen:?}");
    }
}

/// A number may stand in a cell without a fact only where it is no statistic: a count of files, records or
/// findings, a position, what a record holds, or a sum of a table. Each kind of page is named with what it counts.
const COUNTED: &[(&str, &str)] = &[
    ("claims", "verdicts about printed numbers"),
    ("conflicts", "sources"),
    ("configs", "numbers of runs and failed runs, which link to the problems"),
    ("configurations", "runs found"),
    ("corpus", "problems"),
    ("documents", "marks in a document"),
    ("downloads", "bytes"),
    ("faithfulness", "inputs of programs"),
    ("fabrication", "patterns and places in texts"),
    ("findings", "findings"),
    ("found", "findings"),
    ("grading", "answers on which the lenses differ"),
    ("index.html", "levels of verification"),
    ("leaderboard", "complete runs"),
    ("methods", "totals behind the values"),
    ("problems", "numbers of answers"),
    ("protocols", "see the tables"),
    ("reliability", "passes of the sweep, from the ledger of verification"),
    ("replay", "executions"),
    ("report", "levels of verification"),
    ("runs", "what a record holds"),
    ("subfields", "problems of a subfield"),
    ("tables", "columns"),
    ("traps", "runs of a trap"),
    ("variants", "variants"),
    ("verification", "levels of verification"),
    ("comparisons", "items"),
];

#[test]
fn a_number_without_a_fact_is_a_count_of_things() {
    let loaded = demo();
    let rendered = loaded.render(Options::default());
    let tables: BTreeSet<String> = loaded.tables.iter().map(|table| format!("data/{}.csv", table.id)).collect();
    let sheet = Regex::new(r#"(?s)<div class="sheet.*?</table>\s*</div>\s*(<p class="source">.*?</p>)?"#).unwrap();
    let mut unnamed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, html) in pages(&rendered) {
        let kind = path.split('/').next().unwrap().to_owned();
        for found in sheet.find_iter(html) {
            let is_table = tables.iter().any(|file| found.as_str().contains(file.as_str()));
            if is_table {
                continue;
            }
            for cell in cells(found.as_str()) {
                let number = cell.attributes.contains("class=\"num") && cell.fact().is_none();
                let (text, _) = cell.texts();
                if number && text.contains('.') && !COUNTED.iter().any(|(known, _)| *known == kind) {
                    unnamed.entry(kind.clone()).or_default().push(text);
                }
            }
        }
    }
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}

/// Text of a cell of a recomputed table, as pages show it.
fn shown(cell: &Cell) -> String {
    match cell {
        // A name of the study's own for a sum loses its underscores.
        Cell::Text(text) if text.starts_with("__") => text.trim_matches('_').replace('_', " "),
        Cell::Text(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Cell::Integer(count) => count.to_string(),
        Cell::Real { text, .. } => text.to_string(),
        Cell::Undefined(_) => "–".to_owned(),
    }
}

/// True when a page shows other digits of a number than its file (fewer, or as many as its column), and they are right.
fn is_rounded(shown: &str, cell: &Cell) -> bool {
    let Cell::Real { value, text } = cell else { return false };
    let (bound, digits) = shown.strip_prefix("< ").map_or((false, shown), |digits| (true, digits));
    let Ok(printed) = digits.replace('\u{2212}', "-").parse::<f64>() else { return false };
    let decimals = digits.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    // Two decimals of a share, two digits of a P value are the least that is shown.
    if bound {
        *value < printed
    } else {
        // A column of shares has equally many decimals.
        let file = text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
        (decimals >= 2 || decimals > file) && (value - printed).abs() <= 0.500_000_1 * 0.1f64.powi(decimals)
    }
}

#[test]
fn recomputed_tables_stand_on_pages_as_in_their_files() {
    let loaded = demo();
    let rendered = loaded.render(Options::default());
    let tables: BTreeMap<String, &Table> =
        loaded.tables.iter().map(|table| (format!("data/{}.csv\"", table.id), table)).collect();
    let sheet = Regex::new(r#"(?s)<tbody>(.*?)</tbody>\s*</table>\s*</div>\s*<p class="source">(.*?)</p>"#).unwrap();
    let (mut wrong, mut compared) = (Vec::new(), BTreeSet::new());
    for (path, html) in pages(&rendered) {
        for found in sheet.captures_iter(html) {
            let Some((_, table)) = tables.iter().find(|(file, _)| found[2].contains(file.as_str())) else { continue };
            let texts: Vec<String> = cells(&found[1]).iter().map(|cell| cell.texts().0).collect();
            if texts.len() != table.rows.len() * table.columns.len() {
                // A larger table is described by its columns.
                continue;
            }
            compared.insert(table.id.clone());
            for (text, cell) in texts.iter().zip(table.rows.iter().flatten()) {
                let wanted = plain(&shown(cell).replace('&', "&amp;").replace('<', "&lt;"));
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                // A key of a configuration stands for its name.
                let is_named = loaded.study.configuration(&wanted).is_some_and(|known| known.name == text);
                if text != wanted && !is_named && !is_rounded(&text, cell) {
                    wrong.push(format!("{path}, {}: {text:?} for {wanted:?}", table.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
    assert!(compared.len() > 20, "{compared:?}");
}

#[test]
fn every_claim_leads_to_what_it_rests_on() {
    let loaded = demo();
    let rendered = loaded.render(Options::default());
    let link = Regex::new("href=\"([^\"#]*)#([^\"]+)\"").unwrap();
    let judged = loaded.judgements.as_ref().unwrap();
    let mut led = 0;
    for claim in &judged.claims {
        let recomputed = claim.parts.iter().any(|part| part.value.is_some());
        assert!(!recomputed || !claim.links.is_empty() || claim.facts_used == 0, "{} says not on what", claim.id);
        let facts = claim.links.iter().take(3).filter(|link| link.source != "claim" && !link.source.contains(':'));
        let named = format!("<small>{}</small>", claim.id);
        let row = pages(&rendered).filter(|(path, _)| path.starts_with("claims/")).find_map(|(path, html)| {
            let at = html.find(&named)?;
            let row = &html[html[..at].rfind("<tr").unwrap()..];
            Some((path, &row[..row.find("</tr>").unwrap()]))
        });
        let (path, row) = row.unwrap_or_else(|| panic!("{} has no row", claim.id));
        for fact in facts {
            let fact = loaded.facts.iter().find(|known| {
                known.statistic == fact.source && known.measure == fact.measure && known.keys == fact.keys
            });
            let anchor = anchor(fact.unwrap());
            let href = link.captures_iter(row).find(|found| found[2] == anchor);
            let target = href.unwrap_or_else(|| panic!("{path}: {} does not lead to {anchor}", claim.id));
            let target = target[1].trim_start_matches("../").to_owned();
            assert!(page(&rendered, &target).contains(&format!("<tr id=\"{anchor}\"")), "{target} lacks {anchor}");
            led += 1;
        }
    }
    assert!(led > 30, "{led}");
}

#[test]
fn values_beyond_the_first_page_have_a_page_and_a_row() {
    let loaded = demo();
    let rendered = loaded.render(Options::default());
    let mut by_statistic: BTreeMap<&str, Vec<&Fact>> = BTreeMap::new();
    loaded.facts.iter().for_each(|fact| by_statistic.entry(fact.statistic).or_default().push(fact));
    let (statistic, facts) = by_statistic.iter().max_by_key(|(_, facts)| facts.len()).unwrap();
    assert!(facts.len() > 600, "{statistic} has {} values: the example no longer shows a second page", facts.len());
    let last = facts.last().unwrap();
    let file = format!("methods/{statistic}--{}.html", (facts.len() - 1) / 600 + 1);
    assert!(page(&rendered, &file).contains(&format!("<tr id=\"{}\"", anchor(last))), "{file}");
}
