//! Every number of a result in a sentence or a figure is a fact.
//!
//! The site is rendered twice: once as it is, and once from facts of which each has a value of its own that nothing
//! else could have (a watermark). Whatever a page says in a sentence or writes into a figure that looks like a
//! result (a share, a difference, a P value) must then be a watermark; what a page had counted or computed by itself
//! would still be the old number, or one that is no watermark.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use repro::number;
use repro::site::{Options, Rendered};
use repro::statistics::{Estimate, Fact, Facts};
use repro::world::disk::Folder;

use super::Loaded;
use super::loaded::page;

static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)<(table|pre|code|script|style|math|nav|footer|head)\b.*?</(table|pre|code|script|style|math|nav|footer|head)>")
        .unwrap()
});
static FIGURE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<svg\b.*?</svg>").unwrap());
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)<(?:p|li|figcaption|summary|dd|h[1-4])\b[^>]*>(.*?)</(?:p|li|figcaption|summary|dd|h[1-4])>")
        .unwrap()
});
/// What a figure writes beside its names: the text at the end of a row, the title of a part, the description.
static WRITTEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)<(?:text|title|desc)\b([^>]*)>(.*?)</(?:text|title|desc)>").unwrap());
static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new("<[^>]*>").unwrap());
/// A number that a reader takes for a result: with decimals, or followed by its unit, or said to be a P value.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?P<p>P (?:= |&lt; |< )?)?(?P<number>[+−-]?\d[\d,]*(?:\.\d+)?)(?P<unit> ?%| points?\b)?").unwrap()
});

/// Where watermarks begin; no number of the example is as large.
const FIRST: f64 = 10_000.0;

/// Kinds of pages whose sentences are not about the results of the study: what a record or a document holds, what a
/// statistic is, what was found when the archive was verified, and how claims fare. Their numbers are held by tests
/// of their own (claims, issues, survival, audits).
const EVIDENCE: &[&str] = &[
    "audits",
    "changes",
    "claims",
    "documents",
    "downloads",
    "fabrication",
    "findings",
    "faithfulness",
    "methods",
    "problems",
    "report",
    "runs",
    "survival",
    "verification",
];

/// Sentences that may hold a number which is no result: rules and levels, as the text of a page states them.
const RULES: &[&str] = &["95 %", "P of 0.05 or more", "below 0.05", "majority of 3"];

fn demo() -> Loaded {
    Loaded::read(&Folder::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo")).unwrap())
}

/// A value that only this fact has: far from every other by more than a digit that is printed. P values stay such.
fn marked(at: usize, fact: &Fact) -> Fact {
    let mut fact = fact.clone();
    if let Estimate::Value { value, count, interval } = &mut fact.estimate {
        let base = FIRST + 7.3 * at as f64;
        if (0.0..=1.0).contains(value) && fact.measure.contains('p') && fact.measure.len() < 6 {
            *value = 0.001_23 + 0.000_01 * (at % 7) as f64;
            return fact;
        }
        *value = base;
        if let Some((k, n)) = count {
            (*k, *n) = (base as u64 + 1, base as u64 + 2);
        }
        if let Some(interval) = interval {
            (interval.low, interval.high) = (base - 2.1, base + 2.3);
        }
    }
    fact
}

/// Every way in which the facts are printed.
fn printed(facts: &Facts) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut add = |value: f64| {
        for decimals in 0..=4 {
            texts.insert(number::fixed(value.abs(), decimals));
        }
        texts.insert(number::significant(value, 2));
        texts.insert(number::grouped(value.abs().round() as u64).replace(',', ""));
    };
    for fact in facts.iter() {
        let Estimate::Value { value, count, interval } = &fact.estimate else { continue };
        add(*value);
        count.iter().for_each(|(k, n)| [*k, *n].into_iter().for_each(|count| add(count as f64)));
        interval.iter().for_each(|ends| [ends.low, ends.high].into_iter().for_each(&mut add));
    }
    texts
}

/// Names in which digits are no numbers: of configurations, sets, statistics, problems, versions.
fn without_names(text: &str, loaded: &Loaded) -> String {
    let study = &loaded.study;
    let mut names: Vec<&str> = study.configurations.iter().map(|configuration| configuration.name.as_str()).collect();
    names.extend([study.study.title.as_str(), study.study.version.as_str(), study.study.licence.as_str()]);
    names.extend(study.comparisons.iter().map(|comparison| comparison.title.as_str()));
    names.push(study.study.date.as_str());
    names.extend(RULES);
    names.into_iter().filter(|name| !name.is_empty()).fold(text.to_owned(), |text, name| text.replace(name, " "))
}

/// Texts of a page that speak of results.
fn spoken(html: &str) -> Vec<String> {
    let plain = |text: &str| TAG.replace_all(text, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut texts: Vec<String> = Vec::new();
    for figure in FIGURE.find_iter(html) {
        for written in WRITTEN.captures_iter(figure.as_str()) {
            // Ticks and legends are the scale, which the drawing chooses.
            if !written[1].contains("muted") {
                texts.push(plain(&written[2]));
            }
        }
    }
    let rest = FIGURE.replace_all(html, " ");
    let rest = HIDDEN.replace_all(&rest, " ");
    for sentence in SENTENCE.captures_iter(&rest) {
        if !sentence[0].starts_with("<p class=\"source\"") {
            texts.push(plain(&sentence[1]));
        }
    }
    texts
}

struct Told {
    kind: String,
    text: String,
    number: String,
}

/// Numbers that look like results.
fn results(rendered: &Rendered, loaded: &Loaded) -> Vec<Told> {
    let mut told = Vec::new();
    for (path, _) in rendered.tree.iter().filter(|(path, _)| path.ends_with(".html")) {
        let kind = path.split(['/', '.']).next().unwrap();
        if EVIDENCE.contains(&kind) {
            continue;
        }
        let html = page(rendered, path);
        let main = html.find("<main").map_or(html, |at| &html[at..]);
        for text in spoken(main) {
            let bare = without_names(&text, loaded);
            for found in RESULT.captures_iter(&bare) {
                let number = found["number"].replace(',', "");
                let is_result = number.contains('.') || found.name("unit").is_some() || found.name("p").is_some();
                if is_result {
                    let number = number.trim_start_matches(['+', '-', '−']).to_owned();
                    told.push(Told { kind: kind.to_owned(), text: text.clone(), number });
                }
            }
        }
    }
    told
}

#[test]
fn results_in_sentences_and_figures_are_facts() {
    let mut loaded = demo();
    // Claims and other choices are judged over the true facts; what is said of them is not shown as a result.
    loaded.judgements = None;
    loaded.survival = repro::multiverse::Survival::default();
    let as_is = results(&loaded.render(Options::default()), &loaded);
    let kinds = |told: &[Told]| told.iter().map(|told| told.kind.clone()).collect::<BTreeSet<String>>();
    for kind in ["compare", "comparisons", "leaderboard", "subfields"] {
        assert!(kinds(&as_is).contains(kind), "no result is said on {kind}: {:?}", kinds(&as_is));
    }
    loaded.facts = Facts::new(loaded.facts.iter().enumerate().map(|(at, fact)| marked(at, fact)).collect());
    let known = printed(&loaded.facts);
    let told = results(&loaded.render(Options::default()), &loaded);
    assert!(told.len() > 100, "{}", told.len());
    // The site as it is does not pass.
    assert!(as_is.iter().any(|told| !known.contains(&told.number)));
    let wrong: Vec<String> = told
        .iter()
        .filter(|told| !known.contains(&told.number))
        .map(|told| format!("{}: {} in {:?}", told.kind, told.number, told.text))
        .collect();
    assert!(wrong.is_empty(), "{} of {} are no facts: {:#?}", wrong.len(), told.len(), &wrong[..wrong.len().min(20)]);
}
