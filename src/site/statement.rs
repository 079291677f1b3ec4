//! A problem statement as HTML: paragraphs, tables of pipes as they are, formulas as MathML.

use super::math;
use crate::id::ProblemId;
use crate::markup::{Html, escape, push_escaped};
use crate::report::{Finding, Place};

/// A statement ready for a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statement {
    /// Markup.
    pub html: Html,
    /// Formulas shown as their source.
    pub untypeset: Vec<String>,
}

impl Statement {
    /// One finding per statement that shows source.
    pub(crate) fn finding(&self, path: &str, id: &ProblemId) -> Option<Finding> {
        let first = self.untypeset.first()?;
        let more = match self.untypeset.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let shown: String = first.chars().take(60).collect();
        let place = Place::file(path).with_subject(id.as_str());
        Some(Finding::new("formula-as-source", place, format!("the formula {shown:?}{more} could not be typeset")))
    }
}

/// A part of a statement.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    Text(&'a str),
    Formula { latex: &'a str, source: &'a str, display: bool },
}

/// Typesets a statement.
pub(crate) fn typeset(text: &str) -> Statement {
    let mut statement = Statement::default();
    let mut out = String::with_capacity(text.len() * 2);
    for paragraph in paragraphs(text) {
        if is_pipe_table(paragraph) {
            out.push_str(&format!("<pre class=\"pipes\" tabindex=\"0\">{}</pre>\n", escape(paragraph.trim())));
            continue;
        }
        out.push_str("<p>");
        for part in parts(paragraph.trim()) {
            push_part(&mut out, &part, &mut statement.untypeset);
        }
        out.push_str("</p>\n");
    }
    statement.html = Html::trusted(out);
    statement
}

fn push_part(out: &mut String, part: &Part<'_>, untypeset: &mut Vec<String>) {
    match *part {
        Part::Text(text) => {
            for (index, line) in text.split('\n').enumerate() {
                if index > 0 {
                    out.push_str("<br>");
                }
                push_escaped(out, line);
            }
            if let Some(command) = bare_command(text) {
                untypeset.push(command.to_owned());
            }
        }
        Part::Formula { latex, source, display } => {
            if let Some(html) = math::typeset(latex, display) {
                out.push_str(html.as_str());
            } else {
                untypeset.push(source.to_owned());
                out.push_str(&format!("<code class=\"latex\">{}</code>", escape(source)));
            }
        }
    }
}

/// Blank lines separate paragraphs, but not inside a displayed formula.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut position) = (0, 0);
    let mut open = false;
    for line in text.split_inclusive('\n') {
        if line.matches("$$").count() % 2 == 1 {
            open = !open;
        }
        if line.trim().is_empty() && !open {
            found.push(&text[start..position]);
            start = position + line.len();
        }
        position += line.len();
    }
    found.push(&text[start..]);
    found.retain(|paragraph| !paragraph.trim().is_empty());
    found
}

fn is_pipe_table(paragraph: &str) -> bool {
    let lines: Vec<&str> = paragraph.trim().lines().collect();
    lines.len() > 1 && lines.iter().all(|line| line.trim_start().starts_with('|'))
}

const DELIMITERS: [(&str, &str, bool); 4] =
    [("$$", "$$", true), ("\\[", "\\]", true), ("\\(", "\\)", false), ("$", "$", false)];

/// Splits text at formula delimiters. An opening that never closes is text.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut position) = (0, 0);
    while let Some(found) = text[position..].find(['$', '\\']) {
        let at = position + found;
        let Some((source, latex, display)) = formula_at(&text[at..]) else {
            // Skip the character (and what a backslash protects).
            position =
                at + 1 + text[at..].chars().nth(1).filter(|_| text[at..].starts_with('\\')).map_or(0, char::len_utf8);
            continue;
        };
        if at > start {
            parts.push(Part::Text(&text[start..at]));
        }
        parts.push(Part::Formula { latex, source, display });
        position = at + source.len();
        start = position;
    }
    if start < text.len() {
        parts.push(Part::Text(&text[start..]));
    }
    parts
}

fn formula_at(text: &str) -> Option<(&str, &str, bool)> {
    if let Some(rest) = text.strip_prefix("\\begin{") {
        let name = rest.split_once('}')?.0;
        let close = format!("\\end{{{name}}}");
        let end = text.find(&close)? + close.len();
        return Some((&text[..end], &text[..end], true));
    }
    let (open, close, display) = *DELIMITERS.iter().find(|(open, ..)| text.starts_with(open))?;
    let mut from = open.len();
    loop {
        let end = from + text[from..].find(close)?;
        if close == "$" && text[..end].ends_with('\\') {
            from = end + 1;
            continue;
        }
        let latex = &text[open.len()..end];
        return (!latex.trim().is_empty()).then_some((&text[..end + close.len()], latex, display));
    }
}

/// A LaTeX command that stands outside any formula: a backslash and at least two letters.
fn bare_command(text: &str) -> Option<&str> {
    text.match_indices('\\').find_map(|(at, _)| {
        let letters = text[at + 1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        (letters >= 2).then(|| &text[at..=at + letters])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_and_money_is_not() {
        assert_eq!(
            parts("a $x$ b $$y$$"),
            [
                Part::Text("a "),
                Part::Formula { latex: "x", source: "$x$", display: false },
                Part::Text(" b "),
                Part::Formula { latex: "y", source: "$$y$$", display: true },
            ]
        );
        assert_eq!(parts("costs $5"), [Part::Text("costs $5")]);
        assert_eq!(parts(r"\$5 and \$6"), [Part::Text(r"\$5 and \$6")]);
        assert_eq!(parts(r"$5\$6$").len(), 1);
    }

    #[test]
    fn paragraphs_tables_and_markup() {
        let html = typeset("One <b>\ntwo\n\n|a|b|\n|1|2|\n\n$$\nx\n\n= 1\n$$").html;
        assert!(html.as_str().starts_with("<p>One &lt;b&gt;<br>two</p>"), "{}", html.as_str());
        assert!(html.as_str().contains("<pre class=\"pipes\" tabindex=\"0\">|a|b|\n|1|2|</pre>"), "{}", html.as_str());
    }

    #[test]
    fn what_cannot_be_typeset_is_kept_and_named() {
        let statement = typeset(r"Find $\frac{a$ and use \alpha here.");
        assert_eq!(statement.untypeset, [r"$\frac{a$", r"\alpha"]);
        assert!(statement.html.as_str().contains(r"<code class="), "{}", statement.html.as_str());
        assert!(statement.finding("core.json", &"p".into()).is_some());
        assert!(typeset("plain").finding("core.json", &"p".into()).is_none());
    }
}
