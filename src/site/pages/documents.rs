//! The study's documents, with their numbers marked by claim verdict.

use serde::Serialize;

use super::claim_rows;
use crate::claims::{Judgement, words};
use crate::documents::{Form, form_of, parse};
use crate::markup::Html;
use crate::site::input::SiteError;
use crate::site::marks::{Mark, Marks, anchor};
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::site::{markdown, prose, routes};

/// The pages: a list and one per document.
pub(crate) struct Documents;

const ALL: &str = "documents/index.html";

#[derive(Serialize)]
struct Context {
    list: Option<Sheet>,
    path: String,
    marked: usize,
    /// True where claims were bound by their words and by no author.
    by_words: bool,
    document_html: Html,
}

impl Page for Documents {
    fn template(&self) -> (&'static str, &'static str) {
        ("documents.html", include_str!("../../../templates/documents.html"))
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Documents"))
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let documents = view.input.documents.iter().map(|(path, _)| routes::document(path));
        std::iter::once(ALL.to_owned()).chain(documents).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let Some((path, text)) = view.input.documents.iter().find(|(path, _)| routes::document(path) == at.path) else {
            let context = Context {
                list: Some(list(view)),
                path: String::new(),
                marked: 0,
                by_words: false,
                document_html: Html::default(),
            };
            let summary = "Documents of the study with their numbers marked by verdict.".to_owned();
            return Ok(Body { title: "Documents".into(), summary, values: Values::of(&context), figures: vec![] });
        };
        let marks = marks(view, path);
        let context = Context {
            list: None,
            path: path.clone(),
            marked: marks.len(),
            by_words: placed(view, path).any(|claim| claim.found.is_some()),
            document_html: rendered(view, path, text, &marks),
        };
        let summary = format!("{path}, with its numbers marked by the verdict of the claim that points at them.");
        Ok(Body { title: path.clone(), summary, values: Values::of(&context), figures: vec![] })
    }
}

/// A document with a place for every mark: what could not be marked itself (a sentence across emphasis, a number
/// in a link) leads to the beginning.
fn rendered(view: &View<'_>, path: &str, text: &str, marks: &Marks) -> Html {
    let html = body(view, path, text, marks);
    let anchors = marks.keys().map(|byte| anchor(*byte));
    let missing = anchors.filter(|anchor| !html.as_str().contains(&format!("id=\"{anchor}\"")));
    let spans: String = missing.map(|anchor| format!("<span id=\"{anchor}\"></span>")).collect();
    Html::trusted(spans + html.as_str())
}

/// A document as its form allows: Markdown with its links, others as the blocks that were read.
fn body(view: &View<'_>, path: &str, text: &str, marks: &Marks) -> Html {
    if form_of(path) == Some(Form::Markdown) {
        return markdown::render(text, marks, &|target| resolve(view, path, target));
    }
    parse(path, text).0.map_or_else(Html::default, |document| prose::render(&document, marks))
}

fn list(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Document"),
        Head::num("Claims that name it", ""),
        Head::num("Claims marked in it", ""),
        Head::num("Marked that do not follow", ""),
    ];
    let mut sheet = Sheet::new("documents", "Documents of this study", heads);
    let paths: Vec<&str> = view.input.documents.iter().map(|(path, _)| path.as_str()).collect();
    for path in &paths {
        let named = judged(view).filter(|claim| words::named(claim, &paths).contains(path));
        sheet.push(vec![
            Cell::link(*path, routes::document(path)),
            Cell::count(named.count()),
            Cell::count(placed(view, path).count()),
            Cell::count(placed(view, path).filter(|claim| is_wrong_in(claim, path)).count()),
        ]);
    }
    sheet
}

fn judged<'v>(view: &'v View<'_>) -> impl Iterator<Item = &'v Judgement> {
    view.input.judgements.iter().flat_map(|judged| &judged.claims)
}

/// Claims that stand in a document.
fn placed<'v>(view: &'v View<'_>, path: &'v str) -> impl Iterator<Item = &'v Judgement> {
    judged(view).filter(move |claim| claim.places.iter().any(|spot| spot.document == path))
}

/// True for a claim of which a number that does not follow stands in a document, whatever its sources say.
fn is_wrong_in(claim: &Judgement, path: &str) -> bool {
    let here = claim.places.iter().filter(|spot| spot.document == path);
    here.filter_map(|spot| claim.parts.get(spot.part)).any(|part| part.verdict.contradicts())
}

/// Marks of a document; where several claims stand at one number the first of them.
fn marks(view: &View<'_>, path: &str) -> Marks {
    let mut marks = Marks::new();
    for claim in placed(view, path) {
        for spot in claim.places.iter().filter(|spot| spot.document == path) {
            let Some(part) = claim.parts.get(spot.part) else { continue };
            let (class, words) = match claim.erratum {
                Some(_) => ("erratum", "acknowledged erratum"),
                None => (claim_rows::look(part.verdict).0, part.verdict.words()),
            };
            let href = format!("../{}", claim_rows::href(view, claim));
            let statement = claim.statement.clone();
            marks.entry(spot.byte).or_insert(Mark { length: spot.length, class, words, href, statement });
        }
    }
    marks
}

/// A path of the study that is written in a document relative to it.
fn beside(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A link to a file of the study that the site shows: a document, a problem set, a published table, a ledger.
fn resolve(view: &View<'_>, from: &str, target: &str) -> Option<String> {
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = beside(from, file)?;
    if let Some((path, text)) = view.input.documents.iter().find(|(document, _)| *document == path) {
        let is_heading =
            form_of(path) == Some(Form::Markdown) && markdown::headings(text).iter().any(|h| h == fragment);
        let fragment = if is_heading { format!("#{}", markdown::heading_anchor(fragment)) } else { String::new() };
        return Some(format!("../{}{fragment}", routes::document(path)));
    }
    let study = view.input.study;
    let set = view.input.corpus.sets.iter().find(|set| set.path == path && !set.problems.is_empty());
    if let Some(set) = set {
        return Some(format!("../{}", routes::problem_set(set.id.as_str())));
    }
    let declared = study.published.iter().find(|table| table.path == path);
    let table = declared.and_then(|declared| view.input.tables.iter().find(|table| table.id == declared.table));
    if let Some(table) = table {
        return Some(format!("../tables/index.html#{}", routes::anchor(&table.id)));
    }
    let is_ledger = view.input.judgements.is_some() && study.claims.iter().any(|claims| claims.path == path);
    is_ledger.then(|| "../claims/index.html".to_owned())
}
