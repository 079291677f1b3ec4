//! Tera, and the only place that knows it: every template escapes, whatever its name.

use std::collections::BTreeMap;

use serde::Serialize;
use tera::{Context, Tera};

use super::input::SiteError;
use super::page::Page;
use crate::markup::escape;

/// Templates that pages build on.
const SHARED: &[(&str, &str)] = &[
    ("base.html", include_str!("../../templates/base.html")),
    ("parts.html", include_str!("../../templates/parts.html")),
];

/// All templates, compiled.
pub(crate) struct Templates(Tera);

/// The values of one page.
pub(crate) struct Values(Context);

impl Values {
    /// Values from a typed context.
    pub(crate) fn of<T: Serialize>(page: &T) -> Self {
        let mut context = Context::new();
        context.insert("page", page);
        Self(context)
    }
}

impl Templates {
    /// Compiles the templates of these kinds of pages.
    pub(crate) fn new(pages: &[&'static dyn Page]) -> Result<Self, SiteError> {
        let pages = pages.iter().map(|page| page.template());
        Self::from(SHARED.iter().copied().chain(pages))
    }

    fn from(templates: impl Iterator<Item = (&'static str, &'static str)>) -> Result<Self, SiteError> {
        let mut tera = Tera::default();
        // Every name ends with the empty suffix, so every template escapes: Tera's own default would
        // leave `.svg`, `.js` or `.md` raw.
        tera.autoescape_on([""]);
        tera.set_escape_fn(|text, out| out.write_all(escape(text).as_bytes()));
        // Pages may share a template.
        let templates: BTreeMap<&str, &str> = templates.collect();
        tera.add_raw_templates(templates).map_err(|error| failure("all", &error))?;
        Ok(Self(tera))
    }

    /// Renders one page inside a frame.
    pub(crate) fn render<F: Serialize>(&self, name: &str, frame: &F, values: Values) -> Result<String, SiteError> {
        let mut context = values.0;
        context.insert("frame", frame);
        self.0.render(name, &context).map_err(|error| failure(name, &error))
    }
}

fn failure(name: &str, error: &tera::Error) -> SiteError {
    let mut message = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        message.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    SiteError::Template { name: name.to_owned(), message }
}

/// What a template leaves unescaped although its name does not say that it is markup.
#[cfg(test)]
pub(crate) fn raw_fields(text: &str) -> Vec<&str> {
    let before = text.match_indices("safe").filter_map(|(at, _)| text[..at].trim_end().strip_suffix('|'));
    let expressions = before.map(str::trim_end).filter(|text| !text.ends_with("_html") && !text.ends_with(" body"));
    expressions.map(|text| &text[text.rfind("{{").unwrap_or(0)..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_escapes_whatever_its_name() {
        let names = ["a.svg", "a.js", "a.md", "a.html.tera", "a"];
        let tera = Templates::from(names.iter().map(|name| (*name, "<t a=\"{{ page }}\">{{ page }}</t>"))).unwrap();
        for name in names {
            let out = tera.render(name, &(), Values::of(&"<5 & \"µ\" '\u{202e}")).unwrap();
            assert_eq!(out.matches("&lt;5 &amp; &quot;µ&quot; &#39;[U+202E]").count(), 2, "{name}: {out}");
        }
    }

    #[test]
    fn only_fields_of_trusted_markup_skip_escaping() {
        for (name, text) in SHARED {
            assert_eq!(raw_fields(text), Vec::<&str>::new(), "{name}");
        }
        assert_eq!(raw_fields("{{ page.name | safe }}{{ page.body_html | safe }}"), ["{{ page.name"]);
    }
}
