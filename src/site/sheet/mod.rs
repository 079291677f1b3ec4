//! Tables as pages show them: caption, scoped headers, sources and data files below.

mod heads;
mod recomputed;

use serde::Serialize;

use super::routes;
use super::view::View;
use crate::markup::Html;
use crate::table::Table;

/// A table on a page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Sheet {
    /// Fragment identifier.
    pub id: String,
    /// Caption.
    pub caption: String,
    /// A sentence under the caption.
    pub note: String,
    /// Column headers.
    pub heads: Vec<Head>,
    /// Rows.
    pub rows: Vec<SheetRow>,
    /// Where the numbers come from.
    pub source: Source,
    /// True when the script may offer a filter field.
    pub filter: bool,
}

/// A column header.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Head {
    /// Text.
    pub text: String,
    /// Unit, shown small.
    pub unit: String,
    /// True for right-aligned numbers.
    pub num: bool,
    /// Longer explanation.
    pub title: String,
}

/// A row.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct SheetRow {
    /// Fragment identifier; empty for none.
    pub id: String,
    /// Class; empty for none.
    pub class: &'static str,
    /// Cells; the first is the row header.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Cell {
    /// Text.
    pub text: String,
    /// Small text after it (`± 0.1`).
    pub aside: String,
    /// Address inside the version; empty for none.
    pub href: String,
    /// Class; empty for none.
    pub class: &'static str,
    /// Sort value when it is not the text: digits, or empty for missing.
    pub sort: Option<String>,
    /// Explanation.
    pub title: String,
    /// Trusted markup instead of the text.
    pub cell_html: Option<Html>,
    /// The fact that the number is, as statistic and fragment, where the address does not name it; empty for none.
    pub fact: String,
}

/// Where a table or figure comes from.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Source {
    /// Statistics: label and address.
    pub statistics: Vec<Link>,
    /// Inputs: what, and the digest's first digits.
    pub inputs: Vec<(String, String)>,
    /// Data files.
    pub files: Vec<Link>,
}

/// A link inside the version.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Link {
    /// Text.
    pub label: String,
    /// Address inside the version.
    pub href: String,
}

impl Link {
    /// A link.
    pub(crate) fn new(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self { label: label.into(), href: href.into() }
    }
}

/// A difference with its sign; what rounds to zero has none.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = crate::number::signed(value, decimals);
    if text.bytes().any(|b| matches!(b, b'1'..=b'9')) || !value.is_finite() {
        text
    } else {
        crate::number::fixed(0.0, decimals)
    }
}

/// A number of points in words: `1 point`, `2.4 points`.
pub(crate) fn points(value: f64) -> String {
    let text = crate::number::fixed(value, 1);
    if text == "1.0" { "1 point".to_owned() } else { format!("{text} points") }
}

/// A P value with two significant digits; small ones as a bound.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { crate::number::significant(p, 2) }
}

/// A P value in a sentence: `P = 0.031`, `P < 0.0001`.
pub(crate) fn p_equals(p: f64) -> String {
    match p_text(p) {
        text if text.starts_with('<') => format!("P {text}"),
        text => format!("P = {text}"),
    }
}

impl Cell {
    /// Plain text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A link.
    pub(crate) fn link(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), href: href.into(), ..Self::default() }
    }

    /// A number with its text; sorted by value.
    pub(crate) fn number(value: f64, text: impl Into<String>) -> Self {
        let sort = Some(crate::number::repr(value));
        // A minus sign, not a hyphen; the data files keep the hyphen.
        let text: String = text.into();
        Self { text: text.replace('-', "\u{2212}"), sort, class: "num", ..Self::default() }
    }

    /// A count.
    pub(crate) fn count(count: usize) -> Self {
        Self {
            text: crate::number::grouped(count as u64),
            sort: Some(count.to_string()),
            class: "num",
            ..Self::default()
        }
    }

    /// Nothing, and why. Sorts last both ways.
    pub(crate) fn missing(reason: impl Into<String>) -> Self {
        Self { text: "–".into(), sort: Some(String::new()), class: "none", title: reason.into(), ..Self::default() }
    }

    /// Trusted markup with a text for sorting.
    pub(crate) fn html(html: Html, sort: impl Into<String>) -> Self {
        Self { cell_html: Some(html), sort: Some(sort.into()), ..Self::default() }
    }

    /// The same cell as a link.
    #[must_use]
    pub(crate) fn to(mut self, href: impl Into<String>) -> Self {
        self.href = href.into();
        self
    }

    /// The same cell, marked with the fact that its number is.
    #[must_use]
    pub(crate) fn about(mut self, fact: &crate::statistics::Fact) -> Self {
        self.fact = format!("{} {}", fact.statistic, super::pages::fact_anchor(fact.measure, &fact.keys));
        self
    }

    /// The same cell with small text after it.
    #[must_use]
    pub(crate) fn aside(mut self, aside: impl Into<String>) -> Self {
        self.aside = aside.into();
        self
    }

    /// The same cell with an explanation.
    #[must_use]
    pub(crate) fn explained(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The same cell with a class.
    #[must_use]
    pub(crate) fn classed(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }
}

impl Head {
    /// A text column.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), unit: String::new(), num: false, title: String::new() }
    }

    /// A column of numbers.
    pub(crate) fn num(text: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { text: text.into(), unit: unit.into(), num: true, title: String::new() }
    }

    /// The same header with an explanation.
    #[must_use]
    pub(crate) fn explained(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }
}

impl Sheet {
    /// Leaves a column out.
    pub(crate) fn leave_out(&mut self, head: &str) {
        let Some(at) = self.heads.iter().position(|known| known.text == head) else { return };
        self.heads.remove(at);
        for row in self.rows.iter_mut().filter(|row| at < row.cells.len()) {
            row.cells.remove(at);
        }
    }

    /// Leaves a column out when no row has anything in it, and says so under the caption.
    pub(crate) fn leave_out_empty(&mut self, head: &str, note: &str) {
        let Some(at) = self.heads.iter().position(|known| known.text == head) else { return };
        if self.rows.iter().any(|row| row.cells.get(at).is_some_and(|cell| cell.class != "none")) {
            return;
        }
        self.leave_out(head);
        note.clone_into(&mut self.note);
    }

    /// An empty table.
    pub(crate) fn new(id: impl Into<String>, caption: impl Into<String>, heads: Vec<Head>) -> Self {
        Self {
            id: id.into(),
            caption: caption.into(),
            note: String::new(),
            heads,
            rows: Vec::new(),
            source: Source::default(),
            filter: false,
        }
    }

    /// Adds a row of cells.
    pub(crate) fn push(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.heads.len(), "row of {}", self.id);
        let mut cells = cells;
        // A name is one thing; only a sentence may break.
        if let Some(first) = cells.first_mut().filter(|cell| cell.class.is_empty() && cell.text.chars().count() <= 34) {
            first.class = "name";
        }
        self.rows.push(SheetRow { cells, ..SheetRow::default() });
    }

    /// Adds a row with a fragment identifier.
    pub(crate) fn push_named(&mut self, id: impl Into<String>, cells: Vec<Cell>) {
        self.push(cells);
        if let Some(row) = self.rows.last_mut() {
            row.id = id.into();
        }
    }

    /// The same table with a note.
    #[must_use]
    pub(crate) fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The same table with its source.
    #[must_use]
    pub(crate) fn sourced(mut self, source: Source) -> Self {
        self.source = source;
        self
    }
}

impl Source {
    /// Links to statistics by id.
    pub(crate) fn of_statistics(view: &View<'_>, ids: &[&str]) -> Self {
        let link = |id: &&str| view.has_method(id).then(|| Link::new(*id, routes::method(id)));
        Self { statistics: ids.iter().filter_map(link).collect(), ..Self::default() }
    }

    /// Statistics, inputs and files of a recomputed table.
    pub(crate) fn of_table(view: &View<'_>, table: &Table) -> Self {
        let file = |extension: &str| Link::new(extension.to_uppercase(), routes::data(&table.id, extension));
        Self {
            files: ["csv", "json", "parquet"].map(file).into(),
            inputs: vec![("archive".to_owned(), view.input.archive_digest.short(12))],
            ..Self::of_statistics(view, &table.statistics)
        }
    }

    /// The same source with an input.
    #[must_use]
    pub(crate) fn with_input(mut self, what: impl Into<String>, digest: crate::digest::Digest) -> Self {
        self.inputs.push((what.into(), digest.short(12)));
        self
    }

    /// The same source with a data file.
    #[must_use]
    pub(crate) fn with_file(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.files.push(Link::new(label, href));
        self
    }
}
