//! A report as Markdown, for a review form or an issue.

use super::{Block, Review};

/// Writes a report as Markdown. Texts of the study are escaped: they are text and never markup.
pub fn to_markdown(review: &Review) -> String {
    let mut out = format!("# {}\n\n**{}**\n", text(&review.title), text(&review.verdict));
    for section in &review.sections {
        out.push_str(&format!("\n## {}\n", text(&section.heading)));
        for block in &section.blocks {
            out.push('\n');
            out.push_str(&written(block));
        }
    }
    out
}

fn written(block: &Block) -> String {
    match block {
        Block::Text(paragraph) => format!("{}\n", text(paragraph)),
        Block::List(items) => items.iter().map(|item| format!("- {}\n", text(item))).collect(),
        Block::Commands(lines) => lines.iter().map(|line| format!("    {}\n", line.replace('\n', " "))).collect(),
        Block::Table(heads, rows) => {
            let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
            let mut out = row(heads.iter().map(|head| text(head)).collect());
            out.push_str(&row(heads.iter().map(|_| "---".to_owned()).collect()));
            for cells in rows {
                out.push_str(&row(cells.iter().map(|cell| text(cell)).collect()));
            }
            out
        }
    }
}

/// Text that Markdown shows as it is, on one line.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '$' | '&' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Section;
    use super::*;

    #[test]
    fn hostile_text_stays_text_in_its_cell() {
        let rows = vec![vec!["a|b\n<script>x</script>".to_owned(), "[x](javascript:1)".to_owned()]];
        let review = Review {
            title: "T".into(),
            verdict: "V".into(),
            sections: vec![Section { heading: "H".into(), blocks: vec![Block::Table(vec!["A", "B"], rows)] }],
        };
        let parser = pulldown_cmark::Parser::new_ext(&to_markdown(&review), pulldown_cmark::Options::ENABLE_TABLES)
            .map(|event| format!("{event:?}"))
            .collect::<Vec<_>>()
            .join("\n");
        assert!(!parser.contains("Link") && !parser.contains("Html"), "{parser}");
        assert_eq!(parser.matches("Start(TableCell)").count(), 4, "{parser}");
    }
}
