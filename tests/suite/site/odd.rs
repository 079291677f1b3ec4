//! Studies that are odd: names no file system takes, almost nothing in them, texts no page can hold.

use std::collections::BTreeSet;

use repro::site::{Options, Rendered};
use repro::world::memory::Memory;
use serde_json::{Value, json};

use super::Loaded;
use super::loaded::page;

/// One problem, one run per configuration. A configuration is a key and the name its files have.
pub(crate) fn study(configurations: &[(&str, &str)], response: &str) -> Memory {
    let text = |text: &str| Value::from(text).to_string();
    let declared: String = configurations
        .iter()
        .map(|(key, alias)| {
            format!(
                "[[configuration]]\nkey={}\naliases=[{}]\nname={}\nbackbone='b'\nsetting='reasoning'\n",
                text(key),
                text(alias),
                text(key)
            )
        })
        .collect();
    let declaration = format!(
        "[study]\nid='odd'\ntitle='Odd'\nversion='1'\ndate='2026'\ndescription='d'\nlicence='MIT'\n\
         authors=[{{family='A'}}]\n[grading]\ntolerance=0.05\nsweep=[0.05]\n\
         [[set]]\nid='core'\ntitle='Core'\nkind='problems'\npath='core.json'\n{declared}\
         [[experiment]]\nid='code'\nfolder='runs'\nset='core'\nprotocol='code'\nruns=1\n"
    );
    let problem = json!([{
        "id": "index", "problem": "How much?", "code": "def solve():\n    return 1\n",
        "sub_answers": [{"sub": "1", "value": "1.5", "unit": "m"}],
    }]);
    let mut memory = Memory::default().with("study.toml", declaration).with("core.json", problem.to_string());
    for (_, alias) in configurations {
        // The response is given as JSON source, so that it may hold what no Rust text can.
        let run = format!(
            "{{\"metrics\": {{}}, \"results\": [{{\"id\": \"index\", \"passed\": true, \"num_attempts\": 1, \"details\": \
             [{{\"sub\": \"1\", \"expected\": [\"1.5\"], \"actual\": 1.5, \"actual_unit\": \"m\", \"passed\": true}}], \
             \"attempts\": [{{\"prompt\": \"How much?\", \"response\": \"{response}\", \"outcome\": \"graded\"}}]}}]}}"
        );
        memory = memory.with(&format!("runs/{alias}.run1.json"), run);
    }
    memory
}

fn render(memory: &Memory) -> Rendered {
    let rendered = Loaded::read(memory).render(Options::default());
    let broken: Vec<_> = rendered.findings.iter().filter(|finding| finding.code == "broken-link").collect();
    assert!(broken.is_empty(), "{broken:?}");
    rendered
}

fn paths(rendered: &Rendered, folder: &str) -> Vec<String> {
    let pages = rendered.tree.iter().map(|(path, _)| path).filter(|path| path.starts_with(folder));
    pages.filter(|path| !path.ends_with("/index.html")).map(str::to_owned).collect()
}

/// Slashes, points, device names of Windows, other scripts, forms that a disk takes for one another.
const NAMES: [&str; 20] = [
    "org/model",
    "../../up",
    "..",
    ".",
    ".hidden",
    "-flag",
    "aux",
    "COM1.txt",
    "nul.",
    "lpt9",
    "a b",
    "a  b",
    "A",
    "a",
    "\u{e4}",
    "a\u{308}",
    "模型",
    "x\ny",
    "y\u{0}z",
    "index",
];

#[test]
fn names_that_no_disk_takes_have_pages_of_their_own() {
    let aliases: Vec<String> = (0..NAMES.len()).map(|number| format!("file{number}")).collect();
    let configurations: Vec<(&str, &str)> =
        NAMES.iter().zip(&aliases).filter(|(name, _)| !name.contains('\0')).map(|(n, a)| (*n, a.as_str())).collect();
    let rendered = render(&study(&configurations, "x"));
    let configs = paths(&rendered, "configs/");
    assert_eq!(configs.len(), configurations.len(), "{configs:?}");
    assert_eq!(paths(&rendered, "runs/").len(), configurations.len());
    let all: Vec<String> = rendered.tree.iter().map(|(path, _)| path.to_lowercase()).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "two files meet where case is ignored");
    for part in all.iter().flat_map(|path| path.split('/')) {
        assert!(part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{part}");
        let stem = part.split('.').next().unwrap_or_default();
        let device = ["con", "prn", "aux", "nul"].contains(&stem)
            || stem.strip_prefix("com").or(stem.strip_prefix("lpt")).is_some_and(|n| n.len() == 1);
        assert!(!device && !part.ends_with('.') && (!part.starts_with('.') || part == ".nojekyll"), "{part}");
    }
}

#[test]
fn one_run_of_one_configuration_on_one_problem_says_what_is_absent() {
    let rendered = render(&study(&[("only", "only-file")], "x"));
    let says = |path: &str, text: &str| {
        let html = page(&rendered, path);
        assert!(html.contains(text), "{path} lacks {text:?}: {html}");
    };
    // Of what the study does not have, there is neither a page nor a link.
    for section in ["traps", "variants", "format", "protocols", "fabrication"] {
        assert!(rendered.tree.get(&format!("{section}/index.html")).is_none(), "a page about {section}");
        assert!(!page(&rendered, "leaderboard/index.html").contains(&format!("{section}/index.html")), "{section}");
    }
    says("compare/index.html", "nothing to compare");
    says("claims/index.html", "No claims ledger");
    says("documents/index.html", "declares no documents");
    says("changes/index.html", "No other version");
    says("leaderboard/index.html", "only");
    assert_eq!(paths(&rendered, "runs/").len(), 1);
    // What is undefined says so and is no number.
    for (path, _) in rendered.tree.iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = page(&rendered, path);
        for text in [">NaN<", ">inf<", "± 0.0<"] {
            assert!(!html.contains(text), "{path} shows {text}");
        }
        assert!(html.contains("<h1>"), "{path}");
    }
}

#[test]
fn texts_that_are_no_unicode_or_end_elements_are_shown_as_text() {
    let attack = "\\ud800 </script></pre></blockquote><b>x</b> \\u202e \\u0000 \\udfff\\r\\n```python\\nx = 1\\n```";
    let rendered = render(&study(&[("only", "only-file")], attack));
    let path = paths(&rendered, "runs/").remove(0);
    let html = page(&rendered, &path);
    assert!(html.contains("&lt;/script&gt;&lt;/pre&gt;") && html.contains("&lt;b&gt;x"), "{html}");
    assert!(html.contains("[U+202E]") && !html.contains('\u{202e}') && !html.contains('\0'), "{html}");
    assert!(html.contains("x = 1"), "{html}");
}

/// A response of one line of five megabytes, and one of ten thousand attempts.
#[test]
fn a_very_long_line_and_very_many_attempts_stay_a_light_page() {
    let mut loaded = Loaded::read(&study(&[("only", "only-file")], "x"));
    let run = loaded.archive.runs[0].clone();
    let text = |response: String| repro::archive::AttemptText { response: response.into(), ..Default::default() };
    for texts in [vec![text("x".repeat(5_000_000))], (0..10_000).map(|n| text(format!("attempt {n}"))).collect()] {
        loaded.archive.transcripts = vec![repro::archive::Transcript {
            path: "t.json".into(),
            position: 0,
            key: run.key.clone(),
            record: run.records[0].clone(),
            texts,
        }];
        let rendered = loaded.render(Options::default());
        let path = paths(&rendered, "runs/").remove(0);
        let bytes = page(&rendered, &path).len();
        assert!((2_000..1_000_000).contains(&bytes), "{bytes} bytes");
    }
}

/// A ledger of claims about one area, so many from each source.
fn ledger_of(sources: &[(&str, usize)]) -> Vec<u8> {
    let claims = sources.iter().flat_map(|(source, count)| (0..*count).map(move |number| (source, number)));
    let claim = |(source, number): (&&str, usize)| {
        let id = repro::digest::Digest::of(source.as_bytes()).short(6);
        serde_json::json!({
            "id": format!("c-{id}-{number}"), "area": "totals", "statement": "A number.", "source": source,
            "value": "7", "unit": "count", "statistic": "case-count", "measure": "problems"
        })
    };
    let claims: Vec<_> = claims.map(claim).collect();
    serde_json::json!({"format": "repro-claims/1", "claim": claims}).to_string().into_bytes()
}

#[test]
fn an_area_of_very_many_claims_has_pages_for_the_sources_of_most() {
    let hostile = "b/../<b>.csv";
    for (count, pages) in [(100, 1), (101, 3)] {
        let ledger = ledger_of(&[("a.csv", 60), ("few.md", 40), (hostile, count)]);
        let loaded = Loaded::read_with(&study(&[("only", "only-file")], "x"), &[("many.json", ledger)]);
        let rendered = loaded.render(Options::default());
        let areas = paths(&rendered, "claims/area-");
        assert_eq!(areas.len(), pages, "{areas:?}");
        let rows: Vec<usize> =
            areas.iter().map(|path| page(&rendered, path).matches("class=\"claim\"").count()).collect();
        assert_eq!(rows.iter().sum::<usize>(), 100 + count, "every claim stands on one page: {rows:?}");
        assert!(rendered.findings.iter().all(|finding| finding.code != "broken-link"));
        assert!(areas.iter().all(|path| !page(&rendered, path).contains(hostile)));
    }
}
