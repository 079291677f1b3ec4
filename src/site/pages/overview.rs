//! What was claimed, what holds, and how to check it yourself.

use serde::Serialize;

use super::counts::{self, Count};
use super::{claim_rows, plots, survival, verification};
use crate::claims::{Basis, Judgement, Kind, Shape};
use crate::markup::Html;
use crate::metadata::{Distribution, dataset_jsonld};
use crate::number::grouped;
use crate::review;
use crate::site::assets::json_in_html;
use crate::site::data::About;
use crate::site::input::SiteError;
use crate::site::outside::INSIDE;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Link, Sheet};
use crate::site::templates::Values;
use crate::site::units;
use crate::site::view::View;
use crate::study::Identity;

/// The page.
pub(crate) struct Overview;

#[derive(Serialize)]
struct Context {
    description: String,
    verdict: String,
    headlines: Vec<Headline>,
    open: Vec<String>,
    bundle_html: Html,
    facts: Vec<(String, String)>,
    claims: Vec<Count>,
    claims_line: String,
    ladder: Sheet,
    findings: Vec<Count>,
    figure: Option<plots::Plot>,
    questions: Vec<Question>,
    results: Vec<Link>,
    commands: Vec<(&'static str, String)>,
    citation: Option<String>,
    bibtex: String,
    doi: Option<String>,
    url: Option<String>,
    digest: String,
    json_ld_html: Html,
}

/// Something that the study asks: a declared comparison.
#[derive(Serialize)]
struct Question {
    name: String,
    href: String,
    /// Its two arms, for a comparison.
    arms: Option<(String, String)>,
}

/// The two arms, where the title does not name them already.
fn arms(title: &str, before: String, after: String) -> Option<(String, String)> {
    let title = title.to_lowercase();
    let named = title.contains(&before.to_lowercase()) && title.contains(&after.to_lowercase());
    (!named).then_some((before, after))
}

fn questions(view: &View<'_>) -> Vec<Question> {
    view.input
        .study
        .comparisons
        .iter()
        .map(|comparison| Question {
            name: comparison.title.clone(),
            href: routes::comparison(&comparison.id),
            arms: arms(&comparison.title, comparison.before.name(), comparison.after.name()),
        })
        .collect()
}

/// The pages of results that have content.
fn results(view: &View<'_>) -> Vec<Link> {
    let pages = view.input.registry.pages.iter().filter(|page| page.has_content(view));
    let results = pages.filter_map(|page| Some((page.entry()?, page.section())));
    results
        .filter(|((group, _), _)| *group == NavGroup::Results)
        .map(|((_, name), href)| Link::new(name, href))
        .collect()
}

/// A conclusion of the study with what became of it.
#[derive(Serialize)]
struct Headline {
    statement: String,
    printed: String,
    words: &'static str,
    class: &'static str,
    sign: &'static str,
    basis: &'static str,
    href: String,
    /// How it fares under other choices, where it was asked again.
    survival: String,
}

/// Conclusions that the front page tells where the study declares none.
const STATEMENTS: usize = 8;

impl Page for Overview {
    fn template(&self) -> (&'static str, &'static str) {
        ("overview.html", include_str!("../../../templates/overview.html"))
    }

    fn section(&self) -> &'static str {
        routes::OVERVIEW
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Overview, "Summary"))
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let identity = &view.input.study.study;
        let figure = plots::accuracy(view);
        let figures = plots::files(figure.iter());
        let (claims, claims_line) = counts::claims(view);
        let context = Context {
            description: identity.description.clone(),
            verdict: super::report::of(view).verdict,
            headlines: headlines(view),
            open: review::unchecked(&view.input.ledger.levels),
            bundle_html: Html::trusted(INSIDE.to_owned()),
            facts: at_a_glance(view),
            claims,
            claims_line,
            ladder: verification::ladder(view),
            findings: counts::issues(view),
            figure,
            questions: questions(view),
            results: results(view),
            commands: commands(identity),
            citation: identity.citation.clone(),
            bibtex: bibtex(identity),
            doi: identity.doi.clone(),
            url: identity.url.clone().filter(|url| url.starts_with("https://") || url.starts_with("http://")),
            digest: view.input.archive_digest.to_string(),
            json_ld_html: Html::trusted(json_in_html(&dataset_jsonld(identity, &distributions(at)))),
        };
        let summary = format!("What {} claims, what was recomputed from its archive, and what holds.", identity.title);
        Ok(Body { title: "Overview".into(), summary, values: Values::of(&context), figures })
    }
}

/// The declared headlines, else the statements of the ledgers with those that fail first.
fn headlines(view: &View<'_>) -> Vec<Headline> {
    let Some(judged) = view.input.judgements else { return Vec::new() };
    let declared = view.input.study.claims.iter().flat_map(|claims| &claims.headlines);
    let mut chosen: Vec<&Judgement> = declared.filter_map(|id| judged.get(id)).collect();
    if chosen.is_empty() {
        chosen =
            judged.claims.iter().filter(|claim| claim.conclusion(view.input.study) == Some(Kind::Statement)).collect();
        chosen.sort_by_key(|claim| !claim.verdict.contradicts());
        chosen.truncate(STATEMENTS);
    }
    let headline = |claim: &Judgement| {
        let (class, sign) = claim_rows::look(claim.verdict);
        let own = survival::conclusion(view, claim);
        Headline {
            statement: claim.statement.clone(),
            printed: if matches!(claim.shape, Shape::Holds | Shape::Text(_)) {
                String::new()
            } else {
                units::with_unit(&claim.printed, &claim.unit)
            },
            words: claim.verdict.words(),
            class,
            sign,
            // What became of it under other choices says already that runs were rebuilt.
            basis: claim
                .basis
                .filter(|basis| claim.verdict.agrees() && !(*basis == Basis::Rebuilt && own.is_some()))
                .map_or("", Basis::words),
            href: claim_rows::href(view, claim),
            survival: own.map_or_else(String::new, |own| own.sentence.clone()),
        }
    };
    chosen.into_iter().map(headline).collect()
}

fn at_a_glance(view: &View<'_>) -> Vec<(String, String)> {
    let input = view.input;
    let problems: usize = input.corpus.sets.iter().filter(|s| s.is_original()).map(|s| s.problems.len()).sum();
    let all: usize = input.corpus.sets.iter().map(|set| set.problems.len()).sum();
    let records: usize = input.archive.runs.iter().map(|run| run.records.len()).sum();
    let configurations = view.order.iter().filter(|c| c.leaderboard).count();
    let mut facts = vec![
        ("original problems".to_owned(), grouped(problems as u64)),
        ("with variants and other sets".to_owned(), grouped(all as u64)),
        ("configurations".to_owned(), grouped(configurations as u64)),
        ("runs in the archive".to_owned(), grouped(input.archive.runs.len() as u64)),
        ("graded records".to_owned(), grouped(records as u64)),
    ];
    if !input.archive.transcripts.is_empty() {
        facts.push(("full transcripts".to_owned(), grouped(input.archive.transcripts.len() as u64)));
    }
    facts.retain(|(_, count)| count != "0");
    facts
}

fn commands(identity: &Identity) -> Vec<(&'static str, String)> {
    let zip = format!("{}-{}.zip", identity.id, identity.version);
    vec![
        (
            "Execute every program anew and grade everything again, from the bundle alone",
            format!("repro verify {zip} --no-cache"),
        ),
        ("Recompute all statistics, judge all claims and render this site", format!("repro build {zip}")),
        (
            "Check the files with ordinary tools",
            format!("unzip {zip} && cd {}-{} && sha256sum -c manifest-sha256.txt", identity.id, identity.version),
        ),
    ]
}

/// A BibTeX entry; braces, backslashes and percent signs of the data are protected.
fn bibtex(identity: &Identity) -> String {
    let protect = |text: &str| {
        text.chars().fold(String::new(), |mut out, c| {
            if matches!(c, '{' | '}' | '%' | '#' | '&' | '$' | '_') {
                out.push('\\');
            }
            out.push(if c == '\\' { '/' } else { c });
            out
        })
    };
    let author = |a: &crate::study::Author| match &a.given {
        Some(given) => format!("{}, {}", protect(&a.family), protect(given)),
        None => format!("{{{}}}", protect(&a.family)),
    };
    let authors: Vec<String> = identity.authors.iter().map(author).collect();
    let year = identity.date.split('-').next().unwrap_or_default();
    let mut out = format!("@misc{{{}-{},\n", identity.id, identity.version);
    out.push_str(&format!("  author  = {{{}}},\n", authors.join(" and ")));
    out.push_str(&format!("  title   = {{{}}},\n", protect(&identity.title)));
    out.push_str(&format!("  year    = {{{year}}},\n"));
    if let Some(month) = identity.date.split('-').nth(1) {
        out.push_str(&format!("  month   = {{{month}}},\n"));
    }
    out.push_str(&format!("  version = {{{}}},\n", protect(&identity.version)));
    if let Some(url) = &identity.url {
        out.push_str(&format!("  url     = {{{}}},\n", protect(url)));
    }
    if let Some(doi) = &identity.doi {
        out.push_str(&format!("  doi     = {{{}}},\n", protect(doi)));
    }
    out.push_str("}\n");
    out
}

/// The data files of this version as downloads.
fn distributions(at: &At<'_>) -> Vec<Distribution> {
    let of = |file: &About| Distribution {
        name: file.what.clone(),
        url: file.path.clone(),
        media_type: if file.path.ends_with(".csv") { "text/csv" } else { "application/json" }.to_owned(),
        bytes: file.bytes as u64,
        digest: file.digest,
    };
    at.files.iter().map(of).collect()
}
