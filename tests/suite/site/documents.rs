//! Documents of a study as pages: which numbers are marked, and where links lead.

use repro::site::{Options, Rendered};
use repro::world::memory::Memory;

use super::Loaded;
use super::loaded::page;
use super::odd::study;

const CLAIM: &str = "format = 'repro-claims/1'
[[claim]]
id = 'top'
statement = 'Alpha solves 100.0 percent of the core problems.'
source = 'readme.md'
value = '100.0'
unit = 'percent'
statistic = 'accuracy-mean-sd'
measure = 'mean'
keys = { model = 'alpha', set = 'core', protocol = 'code' }

[[claim]]
id = 'size'
statement = 'The core set holds 24 problems.'
source = 'readme.md'
value = '24'
unit = 'count'
from = 'corpus-count.n{set=core}'
";

fn with(documents: &[(&str, &str)]) -> Rendered {
    with_claims(CLAIM, documents)
}

fn with_claims(claims: &str, documents: &[(&str, &str)]) -> Rendered {
    let mut memory = study(&[("alpha", "alpha-file")], "x");
    let declared: Vec<String> = documents.iter().map(|(path, _)| format!("{path:?}")).collect();
    let study = String::from_utf8(repro::world::Source::read(&memory, "study.toml").unwrap()).unwrap();
    let head = format!("documents = [{}]\n", declared.join(", "));
    memory = memory.with("study.toml", format!("{head}{study}[[claims]]\npath='claims.toml'\n"));
    memory = memory.with("claims.toml", claims);
    for (path, text) in documents {
        memory = memory.with(path, *text);
    }
    render(&memory)
}

fn render(memory: &Memory) -> Rendered {
    let rendered = Loaded::read(memory).render(Options::default());
    let broken: Vec<_> = rendered.findings.iter().filter(|finding| finding.code == "broken-link").collect();
    assert!(broken.is_empty(), "{broken:?}");
    rendered
}

/// Every marked number of a page with the words around it.
fn marked(html: &str) -> Vec<String> {
    html.match_indices("<a class=\"claimed ")
        .map(|(at, _)| {
            let from = html[..at].char_indices().rev().nth(24).map_or(0, |(at, _)| at);
            let end = at + html[at..].find("</a>").unwrap_or(0);
            format!("{}[{}]", &html[from..at], html[at..end].rsplit('>').next().unwrap_or(""))
        })
        .collect()
}

const README: &str = "# Results

Alpha solves 100.0% of the core problems. The core set holds 24 problems.

It ran for 24 hours on 24 cores, as Section 24 says, and 100.0 cm of snow fell. The wind reached 100.0 percent of its
mean, and 24 people watched.

| model | accuracy |
|---|--:|
| alpha | 100.0 |
| beta | 100.0 |
";

#[test]
fn a_number_is_marked_in_the_sentence_or_the_cell_of_its_claim_and_nowhere_else() {
    let rendered = with(&[("readme.md", README)]);
    let html = page(&rendered, "documents/readme.md.html");
    let marked = marked(html);
    assert_eq!(marked.len(), 3, "{marked:#?}");
    assert!(marked[0].ends_with("Alpha solves [100.0]") && marked[1].ends_with("holds [24]"), "{marked:#?}");
    assert!(marked[2].contains("[100.0]") && html.contains("<td class=\"num\">100.0</td>"), "{html}");
    for plain in ["24 hours", "24 cores", "Section 24", "100.0 cm", "100.0 percent of its", "24 people"] {
        assert!(html.contains(plain), "{plain} is marked: {html}");
    }
    // The claim quotes its sentence and leads to the number.
    let claims = page(&rendered, "claims/area-claims.html");
    assert!(claims.contains("<q>Alpha solves 100.0% of the core problems.</q>"), "{claims}");
    let at = README.find("100.0").unwrap();
    assert!(claims.contains(&format!("documents/readme.md.html#at-{at}")) && html.contains(&format!("id=\"at-{at}\"")));
}

#[test]
fn a_bare_name_means_the_document_of_that_path_and_no_other() {
    let rendered = with(&[("readme.md", README), ("appendix/readme.md", README)]);
    let marks = |path: &str| {
        let name = rendered.tree.iter().map(|(path, _)| path).find(|page| page.contains(path)).unwrap();
        marked(page(&rendered, name)).len()
    };
    assert_eq!((marks("documents/readme.md"), marks("documents/appendix-readme")), (3, 0));
    // A claim that names a file by its name alone means the only one that has it.
    let rendered = with(&[("docs/readme.md", README)]);
    let name = rendered.tree.iter().map(|(path, _)| path).find(|page| page.contains("documents/docs")).unwrap();
    assert_eq!(marked(page(&rendered, name)).len(), 3);
}

#[test]
fn links_of_documents_lead_to_headings_notes_and_files_that_the_site_shows() {
    let text = "# Main\n\n[Accuracy](#accuracy), a note[^main], [the other](docs/b.md#second-part), [problems](core.json), \
                [ledger](claims.toml), [absent](absent.csv), ![a figure](figure.png)\n\n## Accuracy\n\n[^main]: Said below.\n";
    let rendered = with(&[("a.md", text), ("docs/b.md", "# B\n\n## Second part\n\n[back](../a.md)\n")]);
    let html = page(&rendered, "documents/a.md.html");
    assert_eq!(html.matches("id=\"main\"").count(), 1, "the page has one main");
    assert!(html.contains("<a href=\"#i-h-accuracy\">Accuracy</a>") && html.contains("id=\"i-h-accuracy\""));
    assert!(html.contains("<a href=\"#i-fn-main\">1</a>") && html.contains("id=\"i-fn-main\""));
    assert!(html.contains("#i-h-second-part\">the other</a>"), "{html}");
    assert!(html.contains("<a href=\"../problems/core/index.html\">problems</a>"), "{html}");
    assert!(html.contains("<a href=\"../claims/index.html\">ledger</a>"), "{html}");
    assert!(html.contains("absent,") && !html.contains("absent.csv") && !html.contains("figure.png"), "{html}");
}

#[test]
fn plain_text_and_latex_are_pages_with_marks_too() {
    let text = "1 Results\n\nAlpha solves 100.0% of the core problems in 24 hours.\n";
    let claims = CLAIM.replace("source = 'readme.md'", "source = 'paper, section 1'");
    let rendered = with_claims(&claims, &[("readme.md", "See [the paper](paper.txt)."), ("paper.txt", text)]);
    let html = page(&rendered, "documents/paper.txt.html");
    assert!(html.contains("<h2>1 Results</h2>"), "{html}");
    let marked = marked(html);
    assert!(marked.len() == 1 && marked[0].ends_with("Alpha solves [100.0]"), "{marked:?}");

    let text = "\\section{Results}\nAlpha solves \\textbf{100.0}\\,\\% of the core problems in 24 hours.\n";
    let rendered = with_claims(&claims, &[("paper.tex", text)]);
    let html = page(&rendered, "documents/paper.tex.html");
    assert_eq!(html.matches("<a class=\"claimed ").count(), 1, "{html}");
}
