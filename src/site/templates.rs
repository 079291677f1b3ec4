//! Tera, and the only place that knows it: every template escapes, whatever its name.

use std::collections::BTreeMap;

use serde::Serialize;
use tera::{Context, Tera};

use super::input::SiteError;
use super::pages;
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
    /// Compiles every registered template.
    pub(crate) fn new() -> Result<Self, SiteError> {
        let pages = pages::ALL.iter().map(|page| page.template());
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
        for (name, text) in SHARED.iter().copied().chain(pages::ALL.iter().map(|page| page.template())) {
            for (at, _) in text.match_indices("safe") {
                let before = text[..at].trim_end();
                if let Some(expression) = before.strip_suffix('|') {
                    let variable = expression.trim_end();
                    assert!(
                        variable.ends_with("_html") || variable.ends_with(" body"),
                        "{name}: {:?}",
                        &variable[variable.len().saturating_sub(40)..]
                    );
                }
            }
        }
    }
}
