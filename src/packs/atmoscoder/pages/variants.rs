//! Paired shift between originals and variants.

use crate::figures::{self, Forest};
use crate::number;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::pages::plots::Plot;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source, signed};
use crate::site::view::View;

/// The page.
pub(crate) struct Variants;

/// Tables that belong here, after the paired differences.
const MORE: &[&str] = &[
    "threshold-accuracy",
    "paraphrase-spectrum",
    "strata-delta",
    "failure-mode-shift",
    "gradable-only",
    "exclusion-check",
    "rank-correlation",
    "rank-correlation-naive",
    "fragility-map",
    "variant-majority-5",
    "twins",
];

/// Tables about echoes.
const ECHO: &[&str] =
    &["echo-funnel", "echo-taxonomy", "echo-strict", "echo-concentration", "echo-discriminative", "leakage-verdict"];

impl Page for Variants {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "variants/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Variants"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        ["numeric", "paraphrase"].iter().any(|family| !rows(view, family).is_empty())
            || view.has_tables_of(MORE)
            || view.has_tables_of(ECHO)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "The same problems with other numbers or in other words. A configuration that understands a problem solves its variants; one that remembers an answer does not.";
        let mut page = Chapter::new("Variants", lead);
        let mut found = false;
        for (family, id, heading) in
            [("numeric", "numeric", "Other numbers"), ("paraphrase", "paraphrase", "Other words")]
        {
            let rows = rows(view, family);
            if rows.is_empty() {
                page.say(id, heading, "Nothing about these variants can be computed from this archive: neither runs nor archived states are there.");
                continue;
            }
            found = true;
            page.add(
                Section::new(id, heading, "Change from the originals to their variants on the same parents, in points, with its 95 % interval. P values are exact and adjusted over the family.")
                    .figure([plot(view, family, heading, &rows)])
                    .sheets([sheet(view, family, heading, &rows)]),
            );
        }
        if found {
            page.add(
                Section::new("more", "Further views", "Thresholds, strata and checks of the same comparison.")
                    .sheets(view.tables_of(MORE)),
            );
        }
        page.add(
            Section::new(
                "echo",
                "Echoes of the original answer",
                "Failed answers to variants that repeat the answer of the original problem.",
            )
            .sheets(view.tables_of(ECHO)),
        );
        page.add(Section::new("tables", "Recomputed tables", "").sheets(view.tables_of(&["paired-delta"])));
        Ok(page.body("Paired shift from originals to variants, with exact tests, thresholds, strata and echoes."))
    }
}

struct ShiftRow<'a> {
    key: &'a str,
    delta: f64,
    interval: Option<(f64, f64)>,
}

fn rows<'a>(view: &View<'a>, family: &str) -> Vec<ShiftRow<'a>> {
    let of = |key: &'a str| {
        let keys = [("family", family), ("model", key)];
        let delta = view.lookup.point("paired-delta", "delta", &keys)?;
        Some(ShiftRow { key, delta, interval: view.lookup.interval("paired-delta", "delta", &keys) })
    };
    view.order.iter().filter_map(|configuration| of(configuration.key.as_str())).collect()
}

fn p_text(p: Option<f64>) -> String {
    p.map_or("–".to_owned(), |p| if p < 0.001 { "< 0.001".to_owned() } else { number::fixed(p, 3) })
}

fn plot(view: &View<'_>, family: &str, heading: &str, rows: &[ShiftRow<'_>]) -> Plot {
    let rows: Vec<Forest> = rows
        .iter()
        .map(|row| {
            let holm = view.lookup.point("holm", "p", &[("family", family), ("model", row.key)]);
            let interval =
                row.interval.map_or(String::new(), |(low, high)| format!(" [{}, {}]", signed(low, 1), signed(high, 1)));
            Forest {
                name: view.name(row.key).to_owned(),
                value: row.delta,
                interval: row.interval,
                printed: format!("{}{interval}  P {}", signed(row.delta, 1), p_text(holm)),
                strong: holm.is_some_and(|p| p < 0.05),
            }
        })
        .collect();
    let sides = ("variants solved more", "originals solved more");
    let drawing = figures::forest(
        &format!("variants-{family}"),
        &format!("{heading}: paired difference"),
        "points",
        sides,
        &rows,
    );
    let caption = "Difference between the share of originals solved and the share of parents held by their variants; P adjusted by Holm's method. Orange where it is below 0.05.";
    let source = Source::of_statistics(view, &["paired-delta", "paired-ci", "holm"])
        .with_file("table", format!("variants/index.html#paired-{family}"));
    Plot::new(view, drawing, caption, source)
}

fn sheet(view: &View<'_>, family: &str, heading: &str, rows: &[ShiftRow<'_>]) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Originals", "%"),
        Head::num("Held", "%").explained("Parents held by their variants"),
        Head::num("Difference", "points"),
        Head::num("95 % interval", "points"),
        Head::num("Lost", "parents"),
        Head::num("Gained", "parents"),
        Head::num("P", "exact"),
        Head::num("P", "Holm"),
    ];
    let mut sheet = Sheet::new(format!("paired-{family}"), format!("{heading}: paired comparison"), heads);
    for row in rows {
        let keys = [("family", family), ("model", row.key)];
        let cell = |statistic, measure, decimals| view.cell(statistic, measure, &keys, decimals);
        sheet.push(vec![
            Cell::link(view.name(row.key), routes::configuration(row.key)),
            cell("variant-majority-5", "core", 1),
            cell("variant-majority-5", "held", 1),
            Cell::number(row.delta, signed(row.delta, 2)),
            match row.interval {
                Some((low, high)) => Cell::number(low, format!("{} to {}", signed(low, 2), signed(high, 2))),
                None => Cell::missing("no interval"),
            },
            cell("paired-delta", "lost", 0),
            cell("paired-delta", "gained", 0),
            cell("mcnemar-exact", "p", 4),
            cell("holm", "p", 4),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &["paired-delta", "variant-majority-5", "mcnemar-exact", "holm"]))
}
