//! Markdown documents of a study: no raw HTML, links by allow-list, headings one level down, and numbers
//! marked by the verdict of the claim that points at them.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::markup::{Html, escape};

/// A number that a claim prints.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// Class of the verdict.
    pub class: &'static str,
    /// Verdict in words.
    pub words: &'static str,
    /// Where the claim is shown.
    pub href: String,
}

/// Where a link of a document leads: an address, or nothing when it leaves the documents.
pub(crate) type Resolve<'r> = &'r dyn Fn(&str) -> Option<String>;

/// Renders a document.
pub(crate) fn render(text: &str, marks: &BTreeMap<String, Mark>, resolve: Resolve<'_>) -> Html {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut out = Vec::new();
    let mut state = State { marks, resolve, in_code: false, hidden_links: Vec::new() };
    for event in Parser::new_ext(text, options) {
        state.push(&mut out, event);
    }
    let mut markup = String::new();
    html::push_html(&mut markup, out.into_iter());
    // Tables scroll on their own; a table in the middle of a page must not widen it.
    let markup = markup.replace("<table>", "<div class=\"scroll\"><table>").replace("</table>", "</table></div>");
    Html::trusted(markup)
}

struct State<'m, 'r> {
    marks: &'m BTreeMap<String, Mark>,
    resolve: Resolve<'r>,
    in_code: bool,
    /// For each open link: true when it is shown as text only.
    hidden_links: Vec<bool>,
}

impl<'t> State<'_, '_> {
    fn push(&mut self, out: &mut Vec<Event<'t>>, event: Event<'t>) {
        match event {
            // Markup of the document is text of the page.
            Event::Html(raw) | Event::InlineHtml(raw) => out.push(markup(escape(&raw))),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Heading { level, .. }) => {
                let level = lower(level);
                out.push(Event::Start(Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() }));
            }
            Event::End(TagEnd::Heading(level)) => out.push(Event::End(TagEnd::Heading(lower(level)))),
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(out, &dest_url),
            Event::End(TagEnd::Link) => {
                if !self.hidden_links.pop().unwrap_or(true) {
                    out.push(Event::End(TagEnd::Link));
                }
            }
            // A picture would be a request; its words are shown instead.
            Event::Start(Tag::Image { .. }) => out.push(markup("<em class=\"image\">".to_owned())),
            Event::End(TagEnd::Image) => out.push(markup("</em>".to_owned())),
            Event::Start(Tag::CodeBlock(_)) => {
                self.in_code = true;
                out.push(markup("<pre tabindex=\"0\"><code>".to_owned()));
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                out.push(markup("</code></pre>\n".to_owned()));
            }
            Event::Text(text) if self.in_code || !self.hidden_links.is_empty() => out.push(markup(escape(&text))),
            Event::Text(text) => out.push(markup(marked(&text, self.marks))),
            Event::Code(text) => out.push(markup(format!("<code>{}</code>", escape(&text)))),
            event => out.push(event),
        }
    }

    fn open_link(&mut self, out: &mut Vec<Event<'t>>, target: &str) {
        let allowed =
            ["https://", "http://", "mailto:"].iter().any(|scheme| target.to_ascii_lowercase().starts_with(scheme));
        let href = if allowed { Some(target.to_owned()) } else { (self.resolve)(target) };
        self.hidden_links.push(href.is_none());
        if let Some(href) = href {
            out.push(Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url: CowStr::from(href),
                title: CowStr::from(""),
                id: CowStr::from(""),
            }));
        }
    }
}

fn markup<'t>(text: String) -> Event<'t> {
    Event::InlineHtml(CowStr::from(text))
}

const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// Text with its claimed numbers as links.
fn marked(text: &str, marks: &BTreeMap<String, Mark>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let tail = &rest[start..];
        let length = tail.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
        let number = tail[..length].trim_end_matches(['.', ',']);
        let sign = rest[..start].chars().next_back().filter(|c| matches!(c, '-' | '+' | '\u{2212}'));
        let signed = sign.map(|sign| format!("{}{number}", if sign == '+' { '+' } else { '-' }));
        let mark = signed.and_then(|signed| marks.get(&signed)).or_else(|| marks.get(number));
        // Digits inside a word (`gpt5`, `v1.2`) are part of a name.
        let inside = rest[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        out.push_str(&escape(&rest[..start]));
        match mark.filter(|_| !inside) {
            Some(mark) => out.push_str(&format!(
                "<a class=\"claimed {}\" href=\"{}\" title=\"claim {}\">{}</a>",
                mark.class,
                escape(&mark.href),
                mark.words,
                escape(number)
            )),
            None => out.push_str(&escape(number)),
        }
        rest = &tail[number.len()..];
    }
    out.push_str(&escape(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        render(text, &BTreeMap::new(), &|_| None).as_str().to_owned()
    }

    #[test]
    fn raw_markup_and_unsafe_links_are_text() {
        for hostile in [
            "<script>x</script>",
            "a <img src=x onerror=1> b",
            "[x](javascript:1)",
            "[x](JaVaScRiPt:1)",
            "![a](data:text/html,1)",
            "stray </div> and </main>",
            "[x]: data:text/html,1\n\n[x]",
            "<javascript:1>",
            "`</code><script>`",
            "```\n</pre><script>\n```",
            "| <b> |\n|---|\n| </table><script> |",
            "# <script>",
        ] {
            let html = plain(hostile);
            for bad in ["<script", "<img", "href=\"j", "href=\"J", "src=\"", "</div> and", "</main>", "<b>"] {
                assert!(!html.contains(bad), "{hostile:?} gave {html}");
            }
        }
    }

    #[test]
    fn safe_links_stay_and_headings_go_down() {
        let html = plain("# A\n\n[x](https://e.org/?a=1&b=2) [y](other.md)");
        assert_eq!(html, "<h2>A</h2>\n<p><a href=\"https://e.org/?a=1&amp;b=2\">x</a> y</p>\n");
    }

    #[test]
    fn claimed_numbers_are_marked() {
        let mark = Mark { class: "differs", words: "differs", href: "../claims/a.html#c".into() };
        let marks = BTreeMap::from([("97.6".to_owned(), mark.clone()), ("-4".to_owned(), mark)]);
        let html = render("It solves 97.6% (v97.6, 1,397.6, \u{2212}4, 4).", &marks, &|_| None);
        assert_eq!(html.as_str().matches("class=\"claimed differs\"").count(), 2, "{}", html.as_str());
    }
}
