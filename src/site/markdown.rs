//! Markdown documents of a study: no raw HTML, links by allow-list, headings one level down, and numbers
//! marked by the verdict of the claim that points at them.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use super::surroundings::{Words, surroundings};
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
    /// What the claim says.
    pub statement: String,
    /// Words of the claim, which stand around the number it means.
    pub about: Words,
}

/// Marks by number as it is printed.
pub(crate) type Marks = BTreeMap<String, Vec<Mark>>;

/// Where a link of a document leads: an address, or nothing when it leaves the documents.
pub(crate) type Resolve<'r> = &'r dyn Fn(&str) -> Option<String>;

/// Renders a document.
pub(crate) fn render(text: &str, marks: &Marks, resolve: Resolve<'_>) -> Html {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let around = surroundings(&events);
    let mut printed: BTreeMap<&str, usize> = BTreeMap::new();
    for event in &events {
        let Event::Text(text) = event else { continue };
        for (mark, _) in numbers(text).filter_map(|number| number.marks(marks)) {
            *printed.entry(mark).or_default() += 1;
        }
    }
    let mut out = Vec::new();
    let mut state = State { marks, printed, resolve, in_code: false, hidden_links: Vec::new() };
    for (event, around) in events.into_iter().zip(&around) {
        state.push(&mut out, event, around);
    }
    let mut markup = String::new();
    html::push_html(&mut markup, out.into_iter());
    // Tables scroll on their own; a table in the middle of a page must not widen it.
    let markup = markup.replace("<table>", "<div class=\"scroll\"><table>").replace("</table>", "</table></div>");
    Html::trusted(markup)
}

struct State<'m, 'r> {
    marks: &'m Marks,
    /// How often the document prints each number that a claim prints.
    printed: BTreeMap<&'m str, usize>,
    resolve: Resolve<'r>,
    in_code: bool,
    /// For each open link: true when it is shown as text only.
    hidden_links: Vec<bool>,
}

impl<'t> State<'_, '_> {
    fn push(&mut self, out: &mut Vec<Event<'t>>, event: Event<'t>, around: &Words) {
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
            Event::Text(text) => out.push(markup(self.marked(&text, around))),
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

/// A number in a text.
struct Number<'t> {
    /// Where it begins.
    start: usize,
    /// Without sign.
    text: &'t str,
    /// With its sign, as claims print it.
    signed: Option<String>,
}

impl Number<'_> {
    /// What claims print like this, with the text that they print.
    fn marks<'m>(&self, marks: &'m Marks) -> Option<(&'m str, &'m [Mark])> {
        let signed = self.signed.as_ref().and_then(|signed| marks.get_key_value(signed));
        signed.or_else(|| marks.get_key_value(self.text)).map(|(text, marks)| (text.as_str(), marks.as_slice()))
    }
}

/// Numbers of a text. Digits inside a word (`gpt5`, `v1.2`) are part of a name.
fn numbers(text: &str) -> impl Iterator<Item = Number<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find(|c: char| c.is_ascii_digit())?;
            let tail = &text[start..];
            let length = tail.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
            let number = tail[..length].trim_end_matches(['.', ',']);
            from = start + number.len();
            let before = text[..start].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let sign = before.filter(|c| matches!(c, '-' | '+' | '\u{2212}'));
            let signed = sign.map(|sign| format!("{}{number}", if sign == '+' { '+' } else { '-' }));
            return Some(Number { start, text: number, signed });
        }
    })
}

impl State<'_, '_> {
    /// Text with its claimed numbers as links.
    fn marked(&self, text: &str, around: &Words) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for number in numbers(text) {
            let Some((printed, marks)) = number.marks(self.marks) else { continue };
            let Some(mark) = meant(marks, self.printed.get(printed).copied().unwrap_or(0), around) else { continue };
            out.push_str(&escape(&text[done..number.start]));
            out.push_str(&format!(
                "<a class=\"claimed {}\" href=\"{}\" title=\"{}: {}\">{}</a>",
                mark.class,
                escape(&mark.href),
                mark.words,
                escape(&mark.statement),
                escape(number.text)
            ));
            done = number.start + number.text.len();
        }
        out.push_str(&escape(&text[done..]));
        out
    }
}

/// Which of the claims that print a number means this one: that which shares most words with what stands
/// around it. Without a shared word only when the document prints the number no more often than claims do,
/// and never when claims of different verdicts have equal right to it.
fn meant<'m>(marks: &'m [Mark], printed: usize, around: &Words) -> Option<&'m Mark> {
    let shared = |mark: &Mark| mark.about.intersection(around).count();
    let most = marks.iter().map(shared).max()?;
    if most == 0 && printed > marks.len() {
        return None;
    }
    let mut best = marks.iter().filter(|mark| shared(mark) == most);
    let first = best.next()?;
    best.all(|mark| mark.class == first.class).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::words;
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

    fn mark(class: &'static str, statement: &str) -> Mark {
        let href = "../claims/a.html#c".to_owned();
        Mark { class, words: class, href, about: words(statement), statement: statement.to_owned() }
    }

    #[test]
    fn claimed_numbers_are_marked() {
        let marks = Marks::from([
            ("97.6".to_owned(), vec![mark("differs", "solved")]),
            ("-4".to_owned(), vec![mark("differs", "<shift>")]),
        ]);
        let html = render("It solves 97.6% (v97.6, 1,397.6, \u{2212}4, 4).", &marks, &|_| None);
        assert_eq!(html.as_str().matches("class=\"claimed differs\"").count(), 2, "{}", html.as_str());
        assert!(html.as_str().contains("title=\"differs: &lt;shift&gt;\""));
    }

    #[test]
    fn of_equal_numbers_the_one_that_a_claim_is_about_is_marked() {
        let marks = Marks::from([(
            "24".to_owned(),
            vec![mark("agrees", "Problems in the set."), mark("differs", "Accuracy of alpha.")],
        )]);
        let text = "The 24 problems take 24 hours.\n\nIn 24 cases more.\n\n| | accuracy |\n|---|---|\n| alpha | 24 |\n| beta | 24 |\n";
        let html = render(text, &marks, &|_| None);
        let html = html.as_str();
        assert!(html.contains("In 24 cases"), "nothing says which claim this is: {html}");
        // Two equal numbers of one sentence cannot be told apart; both lead to the claim about it.
        assert_eq!(html.matches("class=\"claimed agrees\"").count(), 2, "{html}");
        assert_eq!(html.matches("class=\"claimed differs\"").count(), 2, "{html}");
    }
}
