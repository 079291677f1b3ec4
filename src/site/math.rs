//! LaTeX to MathML at build time. What cannot be typeset stays source and is reported.
//!
//! The converter's output is checked against a closed list of elements and attributes before it is
//! trusted, because the formula came from the archive. Inline styles are dropped: the content security
//! policy forbids them.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Event, Parser, RenderConfig, Storage, push_mathml};

use crate::markup::Html;

/// Elements the converter may write.
const ELEMENTS: &[&str] = &[
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "msub",
    "msup",
    "msubsup",
    "mfrac",
    "msqrt",
    "mroot",
    "munder",
    "mover",
    "munderover",
    "mtable",
    "mtr",
    "mtd",
    "mpadded",
    "mphantom",
    "mstyle",
    "mmultiscripts",
    "mprescripts",
    "menclose",
];

/// Attributes that may stay.
const ATTRIBUTES: &[&str] = &[
    "display",
    "displaystyle",
    "scriptlevel",
    "mathvariant",
    "stretchy",
    "symmetric",
    "fence",
    "form",
    "separator",
    "lspace",
    "rspace",
    "width",
    "height",
    "depth",
    "minsize",
    "maxsize",
    "movablelimits",
    "accent",
    "accentunder",
    "linethickness",
    "largeop",
    "class",
    "columnspan",
    "rowspan",
    "xmlns",
];

/// MathML of one formula, or nothing when it cannot be typeset.
pub(crate) fn typeset(latex: &str, display: bool) -> Option<Html> {
    let storage = Storage::new();
    let events: Vec<Result<Event<'_>, _>> = Parser::new(latex, &storage).collect();
    if events.is_empty() || events.iter().any(Result::is_err) {
        return None;
    }
    let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut markup = String::new();
    push_mathml(&mut markup, events.into_iter(), RenderConfig { display_mode, ..RenderConfig::default() }).ok()?;
    checked(&markup).map(Html::trusted)
}

/// The markup without inline styles; nothing when it holds an element that is not on the list, or when
/// elements do not nest.
fn checked(markup: &str) -> Option<String> {
    let mut out = String::with_capacity(markup.len());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        push_text(&mut out, &rest[..start]);
        // The converter writes the relation `<` as it is; no tag begins like that.
        if !rest[start + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            out.push_str("&lt;");
            rest = &rest[start + 1..];
            continue;
        }
        let end = start + rest[start..].find('>')?;
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name.trim()) {
                return None;
            }
            out.push_str(&format!("</{}>", name.trim()));
        } else {
            let closed = tag.ends_with('/');
            let body = tag.trim_end_matches('/');
            let name = body.split_ascii_whitespace().next().filter(|name| ELEMENTS.contains(name))?;
            out.push_str(&format!("<{name}"));
            push_attributes(&mut out, &body[name.len()..])?;
            out.push('>');
            if closed {
                out.push_str(&format!("</{name}>"));
            } else {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    push_text(&mut out, rest);
    open.is_empty().then_some(out)
}

fn push_attributes(out: &mut String, text: &str) -> Option<()> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let quoted = after.trim_start().strip_prefix('"')?;
        let (value, tail) = quoted.split_once('"')?;
        // Visible spacing survives; colours and pixel margins do not.
        if ATTRIBUTES.contains(&name.trim()) && !value.contains(['<', '>', '&']) {
            out.push_str(&format!(" {}=\"{value}\"", name.trim()));
        }
        rest = tail.trim_start();
    }
    Some(())
}

/// Text between tags: entities stay, a bare ampersand or angle does not.
fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(position) = rest.find(['&', '>']) {
        out.push_str(&rest[..position]);
        let tail = &rest[position..];
        // The converter escapes its own space once too often.
        let entities = ["&amp;nbsp;", "&nbsp;", "&lt;", "&gt;", "&amp;", "&quot;", "&#39;"];
        let entity = entities.iter().find(|e| tail.starts_with(**e));
        match entity {
            Some(&("&nbsp;" | "&amp;nbsp;")) => out.push('\u{a0}'),
            Some(entity) => out.push_str(entity),
            None if tail.starts_with('&') => out.push_str("&amp;"),
            None => out.push_str("&gt;"),
        }
        rest = &tail[entity.map_or(1, |entity| entity.len())..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_formulas_become_mathml() {
        let html = typeset(r"T = 10^\circ \mathrm{C} < \frac{a}{b}", false).unwrap();
        assert!(html.as_str().starts_with("<math") && html.as_str().contains("<mfrac>"), "{}", html.as_str());
        assert!(!html.as_str().contains("style="), "{}", html.as_str());
        assert!(!typeset(r"5\ \mathrm{~g}", false).unwrap().as_str().contains("nbsp"));
    }

    #[test]
    fn broken_or_hostile_formulas_do_not() {
        assert_eq!(typeset(r"\frac{a", false), None);
        assert_eq!(typeset(r"\nosuchcommand{x}", false), None);
        for hostile in [r"\text{</math><script>x</script>}", r"a<script>b", r"\color{red}x", r"\href{javascript:1}{x}"]
        {
            let html = typeset(hostile, false).map_or(String::new(), |h| h.as_str().to_owned());
            assert!(!html.contains("<script") && !html.contains("style=") && !html.contains("href"), "{html}");
        }
    }

    #[test]
    fn markup_outside_the_list_is_refused() {
        assert_eq!(checked("<math><img src=\"x\"></math>"), None);
        assert_eq!(checked("<math><mi>x</math>"), None);
        assert_eq!(
            checked("<math><mspace width=\"1em\" /></math>").unwrap(),
            "<math><mspace width=\"1em\"></mspace></math>"
        );
    }
}
