//! Markdown documents of a study: no raw HTML, links by allow-list, headings one level down, and numbers
//! marked by the verdict of the claim that stands there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use super::marks::{self, Marks};
use super::routes;
use crate::markup::{Html, escape};

/// Where a link of a document leads: an address, or nothing when it leaves what the site holds.
pub(crate) type Resolve<'r> = &'r dyn Fn(&str) -> Option<String>;

/// Renders a document.
pub(crate) fn render(text: &str, marks: &Marks, resolve: Resolve<'_>) -> Html {
    let events: Vec<(Event<'_>, Range<usize>)> = parser(text).into_offset_iter().collect();
    let headings = headings(text);
    let names: BTreeSet<&str> = headings.iter().map(String::as_str).collect();
    let mut state = State {
        text,
        marks,
        resolve,
        names,
        headings: headings.iter(),
        footnotes: BTreeMap::new(),
        in_code: false,
        links: Vec::new(),
    };
    let mut out = Vec::new();
    for (event, range) in events {
        state.push(&mut out, event, range);
    }
    let mut markup = String::new();
    html::push_html(&mut markup, out.into_iter());
    // Tables scroll on their own; a table in the middle of a page must not widen it.
    let markup = markup.replace("<table>", "<div class=\"scroll\"><table>").replace("</table>", "</table></div>");
    // Alignment by class: the policy of the pages allows no style in an element. Text of a document cannot look like
    // this, because it is escaped.
    let markup = ["td", "th"].into_iter().fold(markup, |markup, cell| {
        let styled = |side: &str| format!("<{cell} style=\"text-align: {side}\">");
        let plain = format!("<{cell}>");
        markup
            .replace(&styled("right"), &format!("<{cell} class=\"num\">"))
            .replace(&styled("center"), &plain)
            .replace(&styled("left"), &plain)
    });
    Html::trusted(markup)
}

/// Names of the headings of a document in order, as links within it and to it are written (`#data-and-code`).
pub(crate) fn headings(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let base = name_of(&open.take().unwrap_or_default());
                let mut name = base.clone();
                let mut count = 0;
                while names.contains(&name) {
                    count += 1;
                    name = format!("{base}-{count}");
                }
                names.push(name);
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(open) = &mut open {
                    open.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(open) = &mut open {
                    open.push(' ');
                }
            }
            _ => {}
        }
    }
    names
}

/// Fragment identifier of a heading by its name. The prefix keeps it apart from those of the page.
pub(crate) fn heading_anchor(name: &str) -> String {
    routes::anchor(&format!("h-{name}"))
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH)
}

/// Lower case, blanks as hyphens, punctuation left out.
fn name_of(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

struct State<'t, 'm, 'r, 'h> {
    text: &'t str,
    marks: &'m Marks,
    resolve: Resolve<'r>,
    names: BTreeSet<&'h str>,
    headings: std::slice::Iter<'h, String>,
    /// Numbers of footnotes in the order in which they are first met.
    footnotes: BTreeMap<String, usize>,
    in_code: bool,
    /// For each open link: true when it is shown as a link.
    links: Vec<bool>,
}

impl<'t> State<'t, '_, '_, '_> {
    fn push(&mut self, out: &mut Vec<Event<'t>>, event: Event<'t>, range: Range<usize>) {
        match event {
            // Markup of the document is text of the page.
            Event::Html(raw) | Event::InlineHtml(raw) => out.push(markup(escape(&raw))),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Heading { level, .. }) => {
                let id = self.headings.next().map(|name| CowStr::from(heading_anchor(name)));
                out.push(Event::Start(Tag::Heading {
                    level: lower(level),
                    id,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
            }
            Event::End(TagEnd::Heading(level)) => out.push(Event::End(TagEnd::Heading(lower(level)))),
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(out, &dest_url),
            Event::End(TagEnd::Link) => {
                if self.links.pop().unwrap_or(false) {
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
            Event::FootnoteReference(label) => {
                let (anchor, number) = self.footnote(&label);
                out.push(markup(format!("<sup class=\"footnote-reference\"><a href=\"#{anchor}\">{number}</a></sup>")));
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let (anchor, number) = self.footnote(&label);
                out.push(Event::Html(CowStr::from(format!(
                    "<div class=\"footnote-definition\" id=\"{anchor}\"><sup class=\"footnote-definition-label\">{number}</sup>"
                ))));
            }
            Event::End(TagEnd::FootnoteDefinition) => out.push(Event::Html(CowStr::from("</div>\n"))),
            Event::Text(words) => out.push(markup(self.marked(&words, range.start))),
            Event::Code(words) => out.push(markup(format!("<code>{}</code>", escape(&words)))),
            event => out.push(event),
        }
    }

    /// Text with its claimed numbers as links; not inside code or another link, and not where the source is
    /// written in another way than the text reads.
    fn marked(&self, words: &str, at: usize) -> String {
        let as_written = self.text.get(at..at + words.len()) == Some(words);
        if self.in_code || self.links.contains(&true) || !as_written {
            return escape(words);
        }
        let mut out = String::with_capacity(words.len());
        marks::push(&mut out, words, at, self.marks);
        out
    }

    /// Fragment identifier and number of a footnote.
    fn footnote(&mut self, label: &str) -> (String, usize) {
        let next = self.footnotes.len() + 1;
        let number = *self.footnotes.entry(label.to_owned()).or_insert(next);
        (routes::anchor(&format!("fn-{label}")), number)
    }

    fn open_link(&mut self, out: &mut Vec<Event<'t>>, target: &str) {
        let allowed =
            ["https://", "http://", "mailto:"].iter().any(|scheme| target.to_ascii_lowercase().starts_with(scheme));
        let href = match target.strip_prefix('#') {
            Some(name) => self.names.contains(name).then(|| format!("#{}", heading_anchor(name))),
            None if allowed => Some(target.to_owned()),
            None => (self.resolve)(target),
        };
        // A link inside a link is none.
        let href = href.filter(|_| !self.links.contains(&true));
        self.links.push(href.is_some());
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

#[cfg(test)]
mod tests {
    use super::marks::Mark;
    use super::*;

    fn plain(text: &str) -> String {
        render(text, &Marks::new(), &|_| None).as_str().to_owned()
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
            "a[^\"><script>]\n\n[^\"><script>]: <script>",
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
        assert_eq!(html, "<h2 id=\"i-h-a\">A</h2>\n<p><a href=\"https://e.org/?a=1&amp;b=2\">x</a> y</p>\n");
    }

    #[test]
    fn links_within_a_document_and_footnotes_lead_to_their_place_and_to_nothing_of_the_page() {
        let html = plain(
            "# Main\n\nSee [Accuracy](#accuracy-code-1), [none](#absent).[^main]\n\n## Accuracy, `code`\n\n## Accuracy, code\n\n[^main]: A note.\n",
        );
        assert!(html.contains("<a href=\"#i-h-accuracy-code-1\">Accuracy</a>, none."), "{html}");
        assert!(html.contains("<h3 id=\"i-h-accuracy-code\">") && html.contains("<h3 id=\"i-h-accuracy-code-1\">"));
        assert!(html.contains("<a href=\"#i-fn-main\">1</a>") && html.contains("id=\"i-fn-main\""), "{html}");
        assert!(!html.contains("id=\"main\"") && !html.contains("href=\"#main\""), "{html}");
    }

    #[test]
    fn numbers_are_marked_by_their_place_alone() {
        let text = "It takes 24 hours.\n\n| | share \\& more |\n|---|---|\n| alpha | **24** |\n| beta | `24` |\n";
        let at: Vec<usize> = text.match_indices("24").map(|(at, _)| at).collect();
        let mark = |statement: &str| Mark {
            length: 2,
            class: "differs",
            words: "differs",
            href: "../claims/a.html#c".to_owned(),
            statement: statement.to_owned(),
        };
        let marks = Marks::from([(at[1], mark("<share>")), (at[2], mark("in code"))]);
        let html = render(text, &marks, &|_| None);
        let html = html.as_str();
        assert_eq!(html.matches("class=\"claimed differs\"").count(), 1, "{html}");
        assert!(html.contains(&format!("id=\"at-{}\"", at[1])) && html.contains("title=\"differs: &lt;share&gt;\""));
        assert!(html.contains("takes 24 hours"), "{html}");
    }
}
