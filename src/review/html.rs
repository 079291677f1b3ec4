//! A report as one page that stands alone and prints on paper.

use super::{Block, Review};
use crate::markup::escape;

/// What makes two sheets of paper of it.
const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1b2126;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:1.6rem;border-top:1px solid #d5dbe1;padding-top:.6rem}\
.verdict{font-weight:600;border-left:4px solid #0072b2;padding:.5rem .8rem;background:#f4f6f8}\
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.2rem .5rem;border-bottom:1px solid #d5dbe1;overflow-wrap:anywhere}\
pre{background:#f4f6f8;padding:.6rem;overflow-x:auto}\
@media print{body{margin:0;max-width:none;font-size:7.6pt;line-height:1.26;padding:0}h1{font-size:14pt;margin:0 0 2pt}h2{font-size:9.5pt;margin:5pt 0 2pt;padding-top:2pt;break-after:avoid}p,ul,pre,.verdict{margin:2pt 0}th,td{padding:.4pt 5pt .4pt 0;line-height:1.2}tr{break-inside:avoid}@page{margin:11mm 13mm}}";

/// Writes a report as HTML. It loads nothing and runs nothing.
pub fn to_html(review: &Review) -> String {
    let title = escape(&review.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p class=\"verdict\">{}</p>\n",
        escape(&review.verdict)
    );
    for section in &review.sections {
        out.push_str(&format!("<h2>{}</h2>\n", escape(&section.heading)));
        out.extend(section.blocks.iter().map(written));
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn written(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("<p>{}</p>\n", escape(text)),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Commands(lines) => format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape(&lines.join("\n"))),
        Block::Table(heads, rows) => {
            let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
            let row = |cells: &Vec<String>| {
                let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
                format!("<tr>{cells}</tr>\n")
            };
            let rows: String = rows.iter().map(row).collect();
            format!("<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
        }
    }
}
