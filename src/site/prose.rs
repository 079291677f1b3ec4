//! Documents that are not Markdown: their blocks as they were read, with marked numbers.

use std::collections::BTreeMap;

use super::marks::{self, Marks};
use crate::documents::{Body, Document, Passage, Table, numbers};
use crate::markup::{Html, escape};

/// Renders the blocks of a document.
pub(crate) fn render(document: &Document, marks: &Marks) -> Html {
    let mut out = String::new();
    for block in &document.blocks {
        match &block.body {
            Body::Heading(passage) => {
                let level = (block.headings.len() + 1).clamp(2, 6);
                element(&mut out, &format!("h{level}"), passage, marks);
            }
            Body::Paragraph(passage) => element(&mut out, "p", passage, marks),
            Body::Table(table) => of_table(&mut out, table, marks),
        }
    }
    Html::trusted(out)
}

fn element(out: &mut String, name: &str, passage: &Passage, marks: &Marks) {
    out.push_str(&format!("<{name}>"));
    push(out, passage, marks);
    out.push_str(&format!("</{name}>\n"));
}

fn of_table(out: &mut String, table: &Table, marks: &Marks) {
    out.push_str("<div class=\"scroll\"><table>");
    if let Some(caption) = &table.caption {
        element(out, "caption", caption, marks);
    }
    if !table.heads.is_empty() {
        out.push_str("<thead><tr>");
        table.heads.iter().for_each(|head| element(out, "th", head, marks));
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>");
    for row in &table.rows {
        out.push_str("<tr>");
        row.cells.iter().for_each(|cell| element(out, "td", cell, marks));
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>\n");
}

/// A passage with its marked numbers; a number knows its place in the file.
fn push(out: &mut String, passage: &Passage, marks: &Marks) {
    let mut done = 0;
    let places: BTreeMap<usize, usize> = if marks.is_empty() {
        BTreeMap::new()
    } else {
        numbers::numbers(passage).iter().map(|n| (n.start, n.place)).collect()
    };
    for (start, place) in places {
        let Some(mark) = marks.get(&place) else { continue };
        let Some(number) = passage.text.get(start..start + mark.length).filter(|_| start >= done) else { continue };
        out.push_str(&escape(&passage.text[done..start]));
        marks::one(out, number, place, mark);
        done = start + mark.length;
    }
    out.push_str(&escape(&passage.text[done..]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::marks::Mark;

    #[test]
    fn a_number_of_plain_text_is_marked_at_its_byte_and_nothing_else_is() {
        let text = "2.1 Results\n\nAlpha takes 24 hours and solves <24> cases.\n\nmodel  acc\nalpha  95.6\n";
        let (document, _) = crate::documents::parse("a.txt", text);
        let mark = |length| Mark {
            length,
            class: "agrees",
            words: "reproduced",
            href: "../claims/a.html#c".to_owned(),
            statement: "s".to_owned(),
        };
        let marks = Marks::from([(text.rfind("24").unwrap(), mark(2)), (text.find("95.6").unwrap(), mark(4))]);
        let html = render(&document.unwrap(), &marks);
        let html = html.as_str();
        assert_eq!(html.matches("claimed agrees").count(), 2, "{html}");
        assert!(html.contains("takes 24 hours and solves &lt;<a class"), "{html}");
        assert!(html.contains("<td><a class=\"claimed agrees\""), "{html}");
    }
}
