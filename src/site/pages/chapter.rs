//! A page made of sections, each with a sentence, figures and tables. Most result pages are of this kind.

use serde::Serialize;

use super::plots::{self, Plot};
use crate::markup::Html;
use crate::site::page::Body;
use crate::site::sheet::Sheet;
use crate::site::templates::Values;

/// Name and text of the template.
pub(crate) const TEMPLATE: (&str, &str) = ("chapter.html", include_str!("../../../templates/chapter.html"));

/// The page.
#[derive(Serialize)]
pub(crate) struct Chapter {
    title: String,
    lead: String,
    sections: Vec<Section>,
}

/// One section.
#[derive(Default, Serialize)]
pub(crate) struct Section {
    id: &'static str,
    heading: String,
    text: String,
    figures: Vec<Plot>,
    sheets: Vec<Sheet>,
    quotes: Vec<Quote>,
    /// What stands on the fold, where the content is folded; empty where it is open.
    fold: String,
}

/// A text of a model in its context.
#[derive(Serialize)]
pub(crate) struct Quote {
    /// Fragment identifier.
    pub id: String,
    /// Who said it, where; a link.
    pub label: String,
    /// Address inside the version; empty for none.
    pub href: String,
    /// Facts about it.
    pub facts: Vec<(&'static str, String)>,
    /// The text, with the claim marked.
    pub text_html: Html,
}

impl Chapter {
    /// An empty page.
    pub(crate) fn new(title: &str, lead: impl Into<String>) -> Self {
        Self { title: title.to_owned(), lead: lead.into(), sections: Vec::new() }
    }

    /// Adds a section unless it has nothing to show.
    pub(crate) fn add(&mut self, section: Section) {
        if !(section.figures.is_empty() && section.sheets.is_empty() && section.quotes.is_empty()) {
            self.sections.push(section);
        }
    }

    /// Adds a section that is only a sentence: what is absent is said.
    pub(crate) fn say(&mut self, id: &'static str, heading: &str, text: impl Into<String>) {
        self.sections.push(Section::new(id, heading, text));
    }

    /// The body of the page.
    pub(crate) fn body(self, summary: &str) -> Body {
        let figures = plots::files(self.sections.iter().flat_map(|section| &section.figures));
        Body { title: self.title.clone(), summary: summary.to_owned(), values: Values::of(&self), figures }
    }
}

impl Section {
    /// A section with a heading and a sentence.
    pub(crate) fn new(id: &'static str, heading: &str, text: impl Into<String>) -> Self {
        Self { id, heading: heading.to_owned(), text: text.into(), ..Self::default() }
    }

    /// The same with a figure, if there is one.
    #[must_use]
    pub(crate) fn figure(mut self, figure: impl IntoIterator<Item = Plot>) -> Self {
        self.figures.extend(figure);
        self
    }

    /// The same with tables.
    #[must_use]
    pub(crate) fn sheets(mut self, sheets: impl IntoIterator<Item = Sheet>) -> Self {
        self.sheets.extend(sheets);
        self
    }

    /// The same with its content folded under a line that says what is there.
    #[must_use]
    pub(crate) fn folded(mut self, line: impl Into<String>) -> Self {
        self.fold = line.into();
        self
    }

    /// The same with quotations.
    #[must_use]
    pub(crate) fn quotes(mut self, quotes: impl IntoIterator<Item = Quote>) -> Self {
        self.quotes.extend(quotes);
        self
    }
}
