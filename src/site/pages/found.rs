//! Everything there is to say, one issue once, by what it changes.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{self, Chapter, Section};
use super::claim_rows;
use super::outcomes::significant;
use crate::archive::{Actual, Record};
use crate::issues::{Effect, Issue};
use crate::markup::{Html, escape};
use crate::number::grouped;
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The page.
pub(crate) struct Found;

/// Backbones that must agree on a wrong value before it is listed.
const AGREEING: usize = 3;

/// Places that a row names; the data file has all of them.
const NAMED: usize = 3;

/// Address of the page.
const PATH: &str = "findings/index.html";

/// Where the issues of an effect stand.
pub(super) fn href(effect: Effect) -> String {
    format!("{PATH}#{}", effect.as_str())
}

impl Page for Found {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        PATH
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Overview, "What the recomputation found"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let issues = view.input.issues;
        let lead = match issues.len() {
            0 => "Nothing was found that a reader should know before trusting a number.".to_owned(),
            1 => "One issue was found. Its sentence is made from the archive and the recomputation; words in quotation marks are those of the person named.".to_owned(),
            n => format!(
                "{} issues: {}. What has one cause stands here once, with all its places. Each sentence is made from the archive and the recomputation; words in quotation marks are those of the person named.",
                grouped(n as u64),
                issues.line()
            ),
        };
        let mut page = Chapter::new("What the recomputation found", lead);
        for effect in Effect::ALL {
            page.add(section(view, effect));
        }
        page.add(consensus(view));
        Ok(page.body("Everything that was found, one issue once, by what it changes."))
    }
}

/// The issues that change one thing.
fn section(view: &View<'_>, effect: Effect) -> Section {
    let heads = vec![Head::text("Issue"), Head::text("Where it comes from"), Head::text("Where it shows")];
    let issues: Vec<&Issue> = view.input.issues.that_change(effect).collect();
    let caption = match issues.len() {
        1 => format!("One issue {}", effect.words(1)),
        n => format!("{} issues {}", grouped(n as u64), effect.words(n)),
    };
    let mut sheet = Sheet::new(format!("issues-{}", effect.as_str()), caption, heads);
    sheet.filter = issues.len() > 10;
    for issue in &issues {
        let told: Vec<String> = issue.told.iter().map(|told| format!("<p>{}</p>", escape(told))).collect();
        let told = match told.len() {
            0 => String::new(),
            _ => format!("<details><summary>what is written about it</summary>{}</details>", told.concat()),
        };
        let acknowledged = if issue.acknowledged { " <span class=\"mark erratum\">acknowledged</span>" } else { "" };
        let html = format!("{}{acknowledged}", escape(&issue.sentence));
        // A heading of a row may hold no fold.
        let cause = format!("{}{told}", escape(&issue.cause.words()));
        sheet.push_named(
            routes::anchor(&format!("issue {}", issue.id)),
            vec![
                Cell::html(Html::trusted(html), issue.id.clone()).classed("claim"),
                Cell::html(Html::trusted(cause), issue.cause.words()),
                Cell::html(places(view, issue), issue.places.len().to_string()).classed("place"),
            ],
        );
    }
    let section = Section::new(effect.as_str(), effect.heading(), effect.meaning());
    if sheet.rows.is_empty() {
        section
    } else {
        section.sheets([sheet.sourced(Source::default().with_file("issues", "data/issues.json"))])
    }
}

/// The first places of an issue, each as a link to where it is shown in full.
fn places(view: &View<'_>, issue: &Issue) -> Html {
    let judged = view.input.judgements;
    let mut shown: Vec<String> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // The sides of a disagreement stand in its sentence and behind its link.
    let of_sides = |claim: bool| !issue.conflicts.is_empty() && !claim;
    let named = issue.places.iter().filter(|spot| !spot.place.is_empty() && !of_sides(spot.claim.is_some()));
    for spot in named.filter(|spot| seen.insert(&spot.place)) {
        let claim = spot
            .claim
            .as_ref()
            .and_then(|(ledger, id)| judged?.claims.iter().find(|claim| claim.ledger == *ledger && claim.id == *id));
        let name = escape(&spot.place);
        shown.push(match claim {
            Some(claim) => format!("<a href=\"../{}\">{name}</a>", escape(&claim_rows::href(view, claim))),
            None => name,
        });
    }
    let all = shown.len();
    shown.truncate(NAMED);
    let more = match all.saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {} more", grouped(n as u64)),
    };
    let full = whole(view, issue).map(|(name, path)| format!("<div><a href=\"../{}\">{name}</a></div>", escape(&path)));
    Html::trusted(format!("{}{more}{}", shown.join("; "), full.unwrap_or_default()))
}

/// The page that shows everything of this kind.
fn whole(view: &View<'_>, issue: &Issue) -> Option<(&'static str, String)> {
    if let Some(conflict) = issue.conflicts.first() {
        return Some(("both sides", super::conflicts::href(conflict)));
    }
    let (code, _) = issue.codes.first()?;
    let audit = view.input.audits.iter().find(|audited| audited.about.code == *code && audited.looked.checked > 0);
    match audit {
        Some(audited) if issue.claims.is_empty() => Some(("all of them", super::audits::href(audited.about))),
        _ if issue.claims.is_empty() => Some(("all of them", "verification/index.html".to_owned())),
        _ => None,
    }
}

/// Wrong values on which several independent models agree.
fn consensus(view: &View<'_>) -> Section {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Part"),
        Head::num("Wrong value", ""),
        Head::text("Accepted"),
        Head::num("Runs", ""),
        Head::num("Models", "independent"),
    ];
    let mut sheet = Sheet::new("consensus", "Wrong values that independent models share", heads);
    for grid in view.grids.iter().filter(|grid| grid.is_present()) {
        rows_of(grid, &mut sheet);
    }
    let text = format!(
        "The same wrong value from at least {AGREEING} different models is more likely a fault of the key or the statement than of all of them. Values are joined within 1 %."
    );
    let section = Section::new("consensus-section", "Wrong answers that agree", text);
    if sheet.rows.is_empty() {
        section
    } else {
        section.sheets([sheet.sourced(Source::of_statistics(view, &["convergent-audit", "residual-cluster"]))])
    }
}

fn rows_of(grid: &Grid<'_>, sheet: &mut Sheet) {
    let Some(set) = grid.set else { return };
    for problem in &set.problems {
        let mut values: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
        for row in &grid.rows {
            for detail in row.records(problem.id.as_str()).flatten().flat_map(Record::own_details) {
                if let (Actual::Number(value), false) = (&detail.actual, detail.passed) {
                    values.entry(&detail.sub).or_default().push((*value, row.configuration.backbone.as_str()));
                }
            }
        }
        for (sub, list) in values {
            for group in super::outcomes::groups(list) {
                let backbones: BTreeSet<&str> = group.iter().map(|(_, backbone)| *backbone).collect();
                if backbones.len() < AGREEING {
                    continue;
                }
                let accepted: Vec<&str> =
                    problem.answers.iter().filter(|a| &*a.sub == sub).map(|a| &*a.value).collect();
                let href = format!("{}#clusters", routes::problem(set.id.as_str(), problem.id.as_str()));
                sheet.push(vec![
                    Cell::link(problem.id.as_str(), href),
                    Cell::text(if sub.is_empty() { "(no name)" } else { sub }),
                    Cell::number(group[0].0, significant(group[0].0)),
                    Cell::text(accepted.join(" or ")),
                    Cell::count(group.len()),
                    Cell::count(backbones.len()),
                ]);
            }
        }
    }
}
