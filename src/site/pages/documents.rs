//! The study's documents, with their numbers marked by claim verdict.

use serde::Serialize;

use super::claim_rows;
use crate::claims::Judgement;
use crate::markup::Html;
use crate::site::input::SiteError;
use crate::site::markdown::{self, Mark, Marks};
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::surroundings::{Words, words};
use crate::site::templates::Values;
use crate::site::view::View;

/// The pages: a list and one per document.
pub(crate) struct Documents;

const ALL: &str = "documents/index.html";

#[derive(Serialize)]
struct Context {
    list: Option<Sheet>,
    path: String,
    marked: usize,
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
            let context =
                Context { list: Some(list(view)), path: String::new(), marked: 0, document_html: Html::default() };
            let summary = "Documents of the study with their numbers marked by verdict.".to_owned();
            return Ok(Body { title: "Documents".into(), summary, values: Values::of(&context), figures: vec![] });
        };
        let marks = marks(view, path);
        let resolve = |target: &str| resolve(view, path, target);
        let context = Context {
            list: None,
            path: path.clone(),
            marked: marks.len(),
            document_html: markdown::render(text, &marks, &resolve),
        };
        let summary = format!("{path}, with its numbers marked by the verdict of the claim that points at them.");
        Ok(Body { title: path.clone(), summary, values: Values::of(&context), figures: vec![] })
    }
}

fn list(view: &View<'_>) -> Sheet {
    let heads = vec![Head::text("Document"), Head::num("Claims", ""), Head::num("Do not follow", "")];
    let mut sheet = Sheet::new("documents", "Documents of this study", heads);
    for (path, _) in view.input.documents {
        let claims = claims(view, path);
        sheet.push(vec![
            Cell::link(path.clone(), routes::document(path)),
            Cell::count(claims.len()),
            Cell::count(claims.iter().filter(|claim| claim.verdict.contradicts()).count()),
        ]);
    }
    sheet
}

/// Claims that name a document as their place.
fn claims<'v>(view: &'v View<'_>, path: &str) -> Vec<&'v Judgement> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let names = |source: &String| {
        source
            .split([' ', ',', ';', '(', ')'])
            .any(|word| word == path || word == file || (stem.len() > 5 && word == stem))
    };
    let judged = view.input.judgements.iter().flat_map(|judged| &judged.claims);
    judged.filter(|claim| names(&claim.source) || claim.also.iter().any(names)).collect()
}

/// Printed numbers of a document.
fn marks(view: &View<'_>, path: &str) -> Marks {
    let mut marks = Marks::new();
    for claim in claims(view, path) {
        let keys = claim.keys.values().map(|value| view.name(value));
        let about: Words = std::iter::once(claim.statement.as_str()).chain(keys).flat_map(words).collect();
        for part in &claim.parts {
            let text = part.printed.trim().trim_end_matches('%').replace('\u{2212}', "-");
            if text.len() < 2 || text.parse::<f64>().is_err() {
                continue;
            }
            let erratum = claim.erratum.is_some();
            let (class, _) = claim_rows::look(part.verdict);
            let words = part.verdict.words();
            let (class, words) = if erratum { ("erratum", "acknowledged erratum") } else { (class, words) };
            let href = format!("../{}", claim_rows::href(view, claim));
            let statement = claim.statement.clone();
            marks.entry(text).or_default().push(Mark { class, words, href, statement, about: about.clone() });
        }
    }
    marks
}

/// A link to another document of the study.
fn resolve(view: &View<'_>, from: &str, target: &str) -> Option<String> {
    let file = target.split('#').next()?;
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let known = view.input.documents.iter().any(|(document, _)| *document == path);
    known.then(|| format!("../{}", routes::document(&path)))
}
