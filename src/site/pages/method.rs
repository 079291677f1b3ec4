//! One statistic: its definition and every value computed for the study.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::number;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet, Source, p_text};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::statistics::{About, Basis, Estimate, Fact, Facts};

/// The pages.
pub(crate) struct Method;

/// Values on one page, so that it stays light; the others follow on pages of their own.
const MOST: usize = 600;

#[derive(Serialize)]
struct Context {
    about: AboutTexts,
    keys: Vec<(&'static str, String)>,
    measures: Vec<(&'static str, String)>,
    values: Option<Sheet>,
    /// Page of the values from 1, and all of them.
    page: usize,
    now: String,
    pages: Vec<Link>,
    /// First and last value on this page, and how many there are.
    from: String,
    to: String,
    total: String,
    tables: Vec<Sheet>,
    /// What the archive holds of the records behind the values, and where they are shown; empty without records.
    records: String,
    ways: Vec<Link>,
}

#[derive(Serialize)]
struct AboutTexts {
    id: &'static str,
    also: Vec<&'static str>,
    unit: &'static str,
    meaning: String,
    formula: String,
    source: String,
    edge_cases: String,
    example: String,
}

impl Page for Method {
    fn template(&self) -> (&'static str, &'static str) {
        ("method.html", include_str!("../../../templates/method.html"))
    }

    fn section(&self) -> &'static str {
        "methods/index.html"
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let ids = view.input.registry.statistics.iter().map(|statistic| statistic.about().id);
        let pages = |id| (1..=view.pages_of(id)).map(move |page| routes::method_values(id, page));
        ids.flat_map(pages).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let mut known = view.input.registry.statistics.iter().map(|statistic| statistic.about());
        let found = known.find_map(|about| {
            let page = (1..=view.pages_of(about.id)).find(|page| routes::method_values(about.id, *page) == at.path)?;
            Some((about, page))
        });
        let (about, page) = found.ok_or_else(|| SiteError::NoSuchPage(at.path.to_owned()))?;
        let facts: Vec<&Fact> = view.input.facts.iter().filter(|fact| fact.statistic == about.id).collect();
        let tables = view
            .input
            .tables
            .iter()
            .filter(|table| table.statistics.first() == Some(&about.id) && table.rows.len() <= 60);
        let pages = view.pages_of(about.id);
        let first = (page - 1) * MOST;
        let shown = &facts[first.min(facts.len())..facts.len().min(first + MOST)];
        let context = Context {
            page,
            now: page.to_string(),
            pages: (1..=pages).map(|page| Link::new(page.to_string(), routes::method_values(about.id, page))).collect(),
            from: number::grouped(first as u64 + 1),
            to: number::grouped((first + shown.len()) as u64),
            about: texts(about),
            keys: about.keys.iter().map(|key| (key.key, quoted(key.meaning))).collect(),
            measures: about.measures.iter().map(|(measure, meaning)| (*measure, quoted(meaning))).collect(),
            values: (!facts.is_empty()).then(|| values(view, about, shown)),
            total: number::grouped(facts.len() as u64),
            records: records(view),
            ways: ways(view),
            tables: tables.filter(|_| page == 1).map(|table| Sheet::of_table(view, table)).collect(),
        };
        Ok(Body {
            title: if page == 1 { about.title.into() } else { format!("{}, page {page} of {pages}", about.title) },
            summary: quoted(about.meaning),
            values: Values::of(&context),
            figures: vec![],
        })
    }
}

/// How many records there are, and of how many a program or a response is archived.
fn records(view: &View<'_>) -> String {
    let all: usize = view.input.archive.runs.iter().map(|run| run.records.len()).sum();
    let shown: usize = view.record_paths().count();
    let pages = match shown {
        0 => "no record has a page of its own, because only verdicts are archived".to_owned(),
        1 => "one page shows what more is archived of them: answers, responses and programs".to_owned(),
        n => format!(
            "{} pages show what more is archived of them: answers, responses and programs",
            number::grouped(n as u64)
        ),
    };
    if all == 0 {
        return String::new();
    }
    format!(
        "The archive has the verdicts of {} records, each shown on the page of its problem and of its configuration; {pages}. Of a record without such a page no program is archived.",
        number::grouped(all as u64)
    )
}

/// Where records are listed.
fn ways(view: &View<'_>) -> Vec<Link> {
    let lists = [
        ("problems", "problems/index.html"),
        ("configurations", "configs/index.html"),
        ("solve matrix", "matrix/index.html"),
    ];
    let pages = view.input.registry.pages.iter().filter(|page| page.has_content(view));
    let made: BTreeSet<&str> = pages.map(|page| page.section()).collect();
    lists.into_iter().filter(|(_, href)| made.contains(href)).map(|(name, href)| Link::new(name, href)).collect()
}

fn texts(about: &About) -> AboutTexts {
    AboutTexts {
        id: about.id,
        also: about.also.to_vec(),
        unit: about.unit,
        meaning: quoted(about.meaning),
        formula: quoted(about.formula),
        source: quoted(about.source),
        edge_cases: quoted(about.edge_cases),
        example: quoted(about.example),
    }
}

/// Names between backticks, which a terminal shows as they are, between quotation marks.
fn quoted(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("“{part}”") } else { part.to_owned() }).collect()
}

/// Fragment identifier of a fact on the page of its statistic.
pub(crate) fn fact_anchor(measure: &str, keys: &crate::statistics::Keys) -> String {
    let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let text = format!("{measure} {}", keys.join(" "));
    format!("v-{}", crate::digest::Digest::of(text.as_bytes()).short(12))
}

/// On which page of its statistic each fact stands.
pub(crate) struct FactPages {
    /// Page from 1 by statistic and fragment; facts on the first page are not listed.
    later: BTreeMap<(&'static str, String), usize>,
    /// Pages by statistic.
    pages: BTreeMap<&'static str, usize>,
}

impl FactPages {
    /// In the order of the facts, a page for each [`MOST`] of a statistic.
    pub(crate) fn of(facts: &Facts) -> Self {
        let (mut later, mut pages) = (BTreeMap::new(), BTreeMap::new());
        let (mut statistic, mut count) = ("", 0);
        for fact in facts.iter() {
            (statistic, count) = (fact.statistic, if fact.statistic == statistic { count + 1 } else { 0 });
            let page = count / MOST + 1;
            pages.insert(statistic, page);
            if page > 1 {
                // Two facts may share measure and keys with another basis; the first has the row.
                later.entry((statistic, fact_anchor(fact.measure, &fact.keys))).or_insert(page);
            }
        }
        Self { later, pages }
    }

    /// Address of a fact.
    pub(crate) fn href(&self, statistic: &str, measure: &str, keys: &crate::statistics::Keys) -> String {
        let anchor = fact_anchor(measure, keys);
        let known = self.pages.get_key_value(statistic).map(|(known, _)| *known);
        let page = known.and_then(|known| self.later.get(&(known, anchor.clone()))).copied().unwrap_or(1);
        format!("{}#{anchor}", routes::method_values(statistic, page))
    }

    /// Pages of a statistic.
    pub(crate) fn pages(&self, statistic: &str) -> usize {
        self.pages.get(statistic).copied().unwrap_or(1)
    }
}

fn values(view: &View<'_>, about: &About, facts: &[&Fact]) -> Sheet {
    let mut heads = vec![Head::text("Measure")];
    heads.extend(about.keys.iter().map(|key| Head::text(key.key)));
    heads.extend([
        Head::num("Value", about.unit),
        Head::num("Count", ""),
        Head::num("Interval", ""),
        Head::text("Rests on"),
    ]);
    let mut sheet = Sheet::new("values", format!("{}: values of this study", about.title), heads);
    sheet.filter = facts.len() > 20;
    for fact in facts {
        let mut cells = vec![Cell::text(fact.measure)];
        cells.extend(about.keys.iter().map(|key| match fact.keys.get(key.key) {
            Some(value) => of_key(view, fact, key.key, value),
            None => Cell::text(""),
        }));
        cells.extend(estimate(fact));
        cells.push(Cell::text(basis(fact.basis)));
        sheet.push_named(fact_anchor(fact.measure, &fact.keys), cells);
    }
    // Two facts may share measure and keys with another basis; the first has the anchor.
    let mut seen = BTreeSet::new();
    for row in &mut sheet.rows {
        if !seen.insert(row.id.clone()) {
            row.id.clear();
        }
    }
    sheet.sourced(Source {
        inputs: vec![("archive".into(), view.input.archive_digest.short(12))],
        ..Source::default().with_file("all facts", "data/facts.json")
    })
}

/// True for keys whose values are ids of problems.
fn is_problem(view: &View<'_>, key: &str) -> bool {
    let registered = &view.input.registry.problem_columns;
    matches!(key, "problem" | "id" | "parent" | "item") || registered.iter().any(|(name, _)| *name == key)
}

fn of_key(view: &View<'_>, fact: &Fact, key: &str, value: &str) -> Cell {
    let href = match key {
        "model" | "configuration" | "a" | "b" => {
            view.configuration(value).map(|c| routes::configuration(c.key.as_str()))
        }
        key if is_problem(view, key) => {
            let set = fact.keys.get("set").map(String::as_str);
            view.problem_named(set, value).map(|(set, id)| routes::problem(set, id))
        }
        _ => None,
    };
    let cell = Cell::text(value);
    match href {
        Some(href) => cell.to(href),
        None => cell,
    }
}

fn estimate(fact: &Fact) -> [Cell; 3] {
    let value_of = |value: f64| if fact.is_p() { p_text(value) } else { short(value) };
    match &fact.estimate {
        Estimate::Value { value, count, interval } => [
            Cell::number(*value, value_of(*value)).explained(number::repr(*value)),
            count.map_or(Cell::missing("not a share"), |(k, n)| Cell {
                text: format!("{} of {}", number::grouped(k), number::grouped(n)),
                class: "num",
                ..Cell::default()
            }),
            interval.map_or(Cell::missing("no interval"), |i| {
                Cell { text: format!("{} to {}", short(i.low), short(i.high)), class: "num", ..Cell::default() }
                    .explained(format!("{}, level {}", i.method, number::repr(i.level)))
            }),
        ],
        Estimate::Undefined(reason) => [
            Cell::missing(format!("undefined: {reason}")),
            Cell::missing(reason.clone()),
            Cell::missing(reason.clone()),
        ],
    }
}

/// At most six significant digits; the full value is the tooltip and in the data file.
fn short(value: f64) -> String {
    if value == 0.0 || value.fract() == 0.0 && value.abs() < 1e15 {
        return number::fixed(value, 0);
    }
    let digits = 6 - (value.abs().log10().floor() as i32 + 1);
    if (0..=9).contains(&digits) {
        let text = number::fixed(value, digits as usize);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        number::repr(value)
    }
}

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Records => "records",
        Basis::Execution => "execution",
        Basis::States => "archived states",
        Basis::Rebuilt => "rebuilt from a published table",
        Basis::Published => "published table",
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn values_are_shown_with_six_digits() {
        assert_eq!(
            [97.631_498, 0.0, 436.0, -0.041_234_56, 1e-30, 83_040.5].map(short),
            ["97.6315", "0", "436", "-0.0412346", "1e-30", "83040.5"]
        );
    }
}
