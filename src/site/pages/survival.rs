//! Do the conclusions survive? Every conclusion and every rank under other choices.

use super::chapter::{self, Chapter, Section};
use super::claim_rows;
use super::plots::Plot;
use crate::figures::{self, SpecificationColumn, Specifications};
use crate::multiverse::{Conclusion, Setting, Specification, Survival};
use crate::number::grouped;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// Address of the page.
pub(crate) const PATH: &str = "survival/index.html";

/// Address of everything on it as data.
pub(crate) const DATA: &str = "data/survival.json";

/// Address of every combination of every conclusion, one per line.
pub(crate) const LINES: &str = "data/specifications.csv";

/// Addresses of the curves that are drawn; the table has every conclusion.
const CURVES: [&str; 4] = ["curve-1", "curve-2", "curve-3", "curve-4"];

/// What a curve shows.
const CURVE: &str = "Above, what decides the conclusion under every combination, sorted; below, which choices were made otherwise. The table says the same choice by choice.";

/// Most columns of a curve; more combinations stand several in one.
const COLUMNS: usize = 120;

/// The page.
pub(crate) struct SurvivalPage;

impl Page for SurvivalPage {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        PATH
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Other choices"))
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        has_content(view.input.survival)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let survival = view.input.survival;
        let lead = format!(
            "Every conclusion and every rank, asked again under {} combinations of choices that the study could as well have made: how answers are graded, what an error counts as, how runs are combined, and what is left out.",
            grouped(survival.combinations as u64)
        );
        let mut page = Chapter::new("Do the conclusions survive?", lead);
        page.add(
            Section::new(
                "conclusions",
                "Conclusions",
                "A combination counts for a conclusion when its choices move a value that the conclusion rests on. A choice that moves none is no test of it and is not counted as survived.",
            )
            .sheets(conclusions(view, survival)),
        );
        page.add(
            Section::new(
                "ranks",
                "Ranks",
                "Ranks of the main experiment. Leaving a configuration out moves no other, so that choice is not among the combinations here.",
            )
            .sheets(ranks(view, survival)),
        );
        let drawn = survival.conclusions.iter().enumerate().filter(|(_, own)| own.counted.of > 1);
        let (first, more): (Vec<_>, Vec<_>) = drawn.partition(|(_, own)| own.headline);
        for (id, (number, conclusion)) in CURVES.into_iter().zip(first.into_iter().chain(more)) {
            let heading = format!("Specification curve: {}", conclusion.statement.trim_end_matches('.'));
            let section = Section::new(id, &heading, if id == CURVES[0] { CURVE } else { "" })
                .figure([curve(view, survival, conclusion, number)])
                .sheets([by_setting(survival, conclusion, number)]);
            // The first curve shows what a curve is.
            page.add(if id == CURVES[0] {
                section
            } else {
                section.folded("The curve, and the table choice by choice")
            });
        }
        page.add(Section::new("choices", "The choices", "").sheets([choices(survival)]));
        Ok(page.body("In how many combinations of defensible choices each conclusion and each rank holds, and which choice breaks it."))
    }
}

/// Whether anything could be asked again.
pub(crate) fn has_content(survival: &Survival) -> bool {
    survival.conclusions.iter().any(|own| own.counted.of > 1) || survival.ranked.as_ref().is_some_and(|own| own.of > 1)
}

/// The conclusion of a claim, where the page tells of it.
pub(crate) fn conclusion<'v>(view: &View<'v>, claim: &crate::claims::Judgement) -> Option<&'v Conclusion> {
    let found = view.input.survival.of(&claim.ledger, &claim.id)?;
    has_content(view.input.survival).then_some(found)
}

/// `412 of 480` as a cell that leads to the row of the conclusion.
pub(crate) fn cell(conclusion: &Conclusion) -> Cell {
    let counted = &conclusion.counted;
    if counted.of <= 1 {
        return Cell { title: conclusion.sentence.clone(), ..Cell::text("not reached") };
    }
    let text = format!("{} of {}", grouped(counted.holds as u64), grouped(counted.of as u64));
    let share = counted.holds as f64 / counted.of as f64;
    let href = format!("{PATH}#{}", anchor(conclusion));
    Cell { title: conclusion.sentence.clone(), ..Cell::number(share, text).to(href) }
}

fn anchor(conclusion: &Conclusion) -> String {
    routes::anchor(&format!("survival {} {}", conclusion.ledger, conclusion.claim))
}

fn source() -> Source {
    Source::default().with_file("survival", DATA).with_file("every combination", LINES)
}

fn conclusions(view: &View<'_>, survival: &Survival) -> Option<Sheet> {
    if survival.conclusions.is_empty() {
        return None;
    }
    let heads = vec![
        Head::text("Conclusion"),
        Head::text("As the study did it"),
        Head::num("Holds in", "combinations"),
        Head::text("Under other choices"),
        Head::text("Rests on"),
    ];
    let mut sheet = Sheet::new("survival", "Conclusions under other choices, headlines first", heads);
    let mut order: Vec<&Conclusion> = survival.conclusions.iter().collect();
    order.sort_by_key(|own| (!own.headline, own.as_done));
    sheet.filter = order.len() > 12;
    for conclusion in order {
        let claim = view.input.judgements.and_then(|judged| {
            judged.claims.iter().find(|own| own.ledger == conclusion.ledger && own.id == conclusion.claim)
        });
        let name = match claim {
            Some(claim) => Cell::link(conclusion.statement.clone(), claim_rows::href(view, claim)),
            None => Cell::text(conclusion.statement.clone()),
        };
        let held = if conclusion.as_done { "✓ holds" } else { "✗ does not hold" };
        let count = if conclusion.counted.of > 1 {
            let counted = &conclusion.counted;
            let text = format!("{} of {}", grouped(counted.holds as u64), grouped(counted.of as u64));
            Cell::number(counted.holds as f64 / counted.of as f64, text)
        } else {
            Cell::missing("no choice reaches it")
        };
        sheet.push_named(
            anchor(conclusion),
            vec![
                name.classed("claim"),
                Cell::text(held).classed(if conclusion.as_done { "" } else { "s-fail" }),
                count,
                Cell::text(conclusion.sentence.clone()).classed("why"),
                Cell::text(conclusion.basis.map_or("", crate::claims::Basis::words)),
            ],
        );
    }
    Some(sheet.sourced(source()))
}

fn ranks(view: &View<'_>, survival: &Survival) -> Option<Sheet> {
    let ranked = survival.ranked.as_ref().filter(|ranked| ranked.of > 1)?;
    let of = ranked.of as u64;
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Rank", ""),
        Head::num("Best", ""),
        Head::num("Worst", ""),
        Head::num("Keeps its rank in", "combinations"),
        Head::num("Ahead of the next in", "combinations")
            .explained("Of the next by rank as the study did it; equal means are not ahead"),
    ];
    let caption = format!("Ranks over {} combinations", grouped(of));
    let mut sheet = Sheet::new("survival-ranks", caption, heads);
    let share = |count: usize| {
        let text = format!("{} of {}", grouped(count as u64), grouped(of));
        Cell::number(count as f64 / of as f64, text)
    };
    for rank in &survival.ranks {
        let key = rank.configuration.as_str();
        let name = match view.configuration(key) {
            Some(configuration) => Cell::link(configuration.name.clone(), routes::configuration(key)),
            None => Cell::text(key),
        };
        sheet.push(vec![
            name,
            Cell::count(rank.rank),
            Cell::count(rank.best),
            Cell::count(rank.worst),
            share(rank.kept),
            rank.leads.map_or_else(|| Cell::missing("nobody comes after it"), share),
        ]);
    }
    Some(sheet.sourced(source()))
}

/// Settings that reach a conclusion, with their names.
fn reaching<'s>(survival: &'s Survival, conclusion: &Conclusion) -> Vec<(String, String)> {
    let reached = |id: &str| conclusion.counted.by_setting.iter().any(|own| own.setting == id);
    let of = |made: &'s crate::multiverse::Made| -> Vec<(String, String)> {
        made.settings.iter().map(|setting| (setting.id.clone(), setting.label.clone())).collect()
    };
    survival.choices.iter().flat_map(of).filter(|(id, _)| reached(id)).collect()
}

fn curve(view: &View<'_>, survival: &Survival, conclusion: &Conclusion, number: usize) -> Plot {
    let rows = reaching(survival, conclusion);
    let mut sorted: Vec<&Specification> = conclusion.specifications.iter().collect();
    // Stable: equal values stay in the order of the combinations. What cannot be computed comes first.
    sorted.sort_by(|a, b| {
        let key = |own: &Specification| (own.value.unwrap_or(f64::NEG_INFINITY), own.holds);
        let ((a, holds_a), (b, holds_b)) = (key(a), key(b));
        a.total_cmp(&b).then(holds_a.cmp(&holds_b))
    });
    let each = sorted.len().div_ceil(COLUMNS);
    let column = |together: &[&Specification]| {
        let values = || together.iter().filter_map(|own| own.value);
        let made = |(id, _): &(String, String)| {
            let has = |own: &&&Specification| {
                survival.space.settings(&survival.all[own.combination]).any(|setting: &Setting| setting.id() == *id)
            };
            together.iter().filter(has).count()
        };
        SpecificationColumn {
            values: values().next().map(|first| values().fold((first, first), |(a, b), v| (a.min(v), b.max(v)))),
            holds: together.iter().filter(|own| own.holds == Some(true)).count(),
            of: together.len(),
            made: rows.iter().map(made).collect(),
            as_done: together.iter().any(|own| own.combination == 0),
        }
    };
    let value = if conclusion.threshold.is_some() { "what decides" } else { "value" };
    let specifications = Specifications {
        columns: sorted.chunks(each.max(1)).map(column).collect(),
        rows: rows.iter().map(|(_, name)| name.clone()).collect(),
        threshold: conclusion.threshold,
        value: value.to_owned(),
        of: sorted.len(),
    };
    let id = format!("specification-{}", number + 1);
    let drawing = figures::specification(&id, &conclusion.statement, &specifications);
    let together = if each > 1 { format!(" Each column holds up to {each} combinations.") } else { String::new() };
    let line = if conclusion.threshold.is_some() { " The line is the value with which it is compared." } else { "" };
    let caption = format!("{}{line}{together}", conclusion.sentence);
    Plot::new(view, drawing, caption, source())
}

fn by_setting(survival: &Survival, conclusion: &Conclusion, number: usize) -> Sheet {
    let heads = vec![Head::text("Chosen otherwise"), Head::num("Holds in", "combinations"), Head::text("Alone")];
    let caption = format!("{}, by choice", conclusion.statement.trim_end_matches('.'));
    let mut sheet = Sheet::new(format!("specification-{}-table", number + 1), caption, heads);
    for (id, name) in reaching(survival, conclusion) {
        let Some(own) = conclusion.counted.by_setting.iter().find(|own| own.setting == id) else { continue };
        let text = format!("{} of {}", grouped(own.holds as u64), grouped(own.of as u64));
        let turns = conclusion.counted.alone.contains(&id);
        let word = match (turns, conclusion.as_done) {
            (true, true) => "breaks it",
            (true, false) => "mends it",
            (false, _) => "leaves it",
        };
        sheet.push(vec![
            Cell::text(name),
            Cell::number(own.holds as f64 / own.of.max(1) as f64, text),
            Cell::text(word).classed(if turns { "s-fail" } else { "" }),
        ]);
    }
    sheet.filter = sheet.rows.len() > 20;
    sheet.sourced(source())
}

/// The choices with how else each was made; also on the page about methods.
pub(crate) fn choices(survival: &Survival) -> Sheet {
    let heads = vec![
        Head::text("Choice"),
        Head::text("As the study did it"),
        Head::text("Otherwise"),
        Head::text("How it is made otherwise"),
    ];
    let mut sheet = Sheet::new("other-choices", "Choices that could as well have been made otherwise", heads);
    for made in &survival.choices {
        let names: Vec<&str> = made.settings.iter().map(|setting| setting.name.as_str()).collect();
        let mut how = made.choice.explanation().to_owned();
        if let Some(reason) = &made.reason {
            how.push_str(&format!(" The authors: “{reason}”"));
        }
        sheet.push(vec![
            Cell::text(made.title),
            Cell::text(made.as_done),
            Cell::text(names.join(", ")),
            Cell::text(how).classed("why"),
        ]);
    }
    sheet.sourced(Source::default().with_file("survival", DATA))
}

/// Every combination of every conclusion, one per line.
pub(crate) fn lines(survival: &Survival) -> String {
    let quote = |text: &str| {
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let mut out = String::from("ledger,claim,choices,holds,value\n");
    for conclusion in &survival.conclusions {
        for own in &conclusion.specifications {
            let settings: Vec<String> =
                survival.space.settings(&survival.all[own.combination]).map(Setting::id).collect();
            let holds = match own.holds {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            };
            let value = own.value.map(crate::number::repr).unwrap_or_default();
            out.push_str(&format!(
                "{},{},{},{holds},{value}\n",
                quote(&conclusion.ledger),
                quote(&conclusion.claim),
                quote(&settings.join("; "))
            ));
        }
    }
    out
}
