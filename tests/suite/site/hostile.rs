//! A small study in which every text is hostile, and what must hold for its pages.

use repro::site::Options;
use repro::world::memory::Memory;
use serde_json::{Value, json};

use super::Loaded;
use super::loaded::page;

/// Markup, quotes, an invisible character and a template expression.
pub(crate) const BAD: &str = "</pre></script><script>x</script><img src=x onerror=1>\"'{{ page }}&\u{202e}µ";

/// The study: four configurations with awkward keys, ids that differ only in case, texts that attack.
pub(crate) fn study() -> Memory {
    let declaration = format!(
        "[study]\nid='demo'\ntitle={bad}\nversion='1.10'\ndate='2026-01-02'\ndescription={bad}\nlicence='MIT'\n\
         authors=[{{family={bad}, given='A'}}, {{family='Group'}}]\ncitation={bad}\nkeywords=[{bad}]\n\
         demonstration={bad}\n[grading]\ntolerance=0.05\nsweep=[0.01,0.05,0.1]\n\
         [[set]]\nid='core'\ntitle={bad}\nkind='problems'\npath='core.json'\n\
         [[set]]\nid='traps'\ntitle='Traps'\nkind='traps'\npath='traps.json'\nparents='core'\n\
         [[set]]\nid='gone'\ntitle='Gone'\nkind='other-domain'\npath='gone.json'\noptional=true\n\
         {configurations}\
         [[experiment]]\nid='core_code'\nfolder='runs'\nset='core'\nprotocol='code'\nruns=2\n\
         [[claims]]\npath='claims.toml'\n\
         [[experiment]]\nid='trap'\nfolder='trap'\nset='traps'\nprotocol='code'\nruns=1\n",
        bad = toml(BAD),
        configurations = KEYS
            .iter()
            .enumerate()
            .map(|(index, key)| format!(
                "[[configuration]]\nkey={}\nname={}\nbackbone='b{}'\nsetting='{}'\n",
                toml(key),
                toml(&format!("{key} {BAD}")),
                index / 2,
                if index % 2 == 0 { "reasoning" } else { "non-reasoning" }
            ))
            .collect::<String>(),
    );
    let mut memory = Memory::default()
        .with("study.toml", declaration)
        .with("core.json", problems().to_string())
        .with("claims.toml", claims())
        .with("traps.json", traps().to_string());
    for (index, key) in KEYS.iter().enumerate() {
        for run in 1..=2 {
            // The last configuration lacks its second run.
            if index < 3 || run == 1 {
                memory = memory
                    .with(&format!("runs/{key}.run{run}.json"), results(key, "core_code", run, index).to_string());
            }
        }
        memory = memory.with(&format!("trap/{key}.run1.json"), results(key, "trap", 1, index).to_string());
    }
    memory
}

/// Keys of the configurations; the names carry the attack, so that files can be found by key.
pub(crate) const KEYS: [&str; 4] = ["con", "m", "M", "模型 x"];

fn claims() -> String {
    let claim = |id: &str, value: &str, more: &str| {
        format!(
            "[[claim]]\nid={id}\nstatement={bad}\nsource={bad}\nvalue='{value}'\nunit='percent'\n\
             statistic='accuracy-mean-sd'\nmeasure='mean'\nkeys={{ model='con', set='core', protocol='code' }}\n{more}\n",
            id = toml(id),
            bad = toml(BAD),
        )
    };
    let keys =
        [claim("right", "75.0", ""), claim(BAD, "12.5", ""), claim("known", "12.5", &format!("erratum={}", toml(BAD)))];
    format!("format='repro-claims/1'\n{}", keys.concat())
}

const IDS: [&str; 5] = ["P1", "p1", "..", "<b>&\"'", "an_id_that_no_browser_breaks_anywhere_on_a_narrow_screen_at_all"];

fn toml(text: &str) -> String {
    Value::from(text).to_string()
}

fn problem(id: &str) -> Value {
    // No browser breaks a formula inside a line.
    let long = "W".repeat(90);
    json!({
        "id": id, "problem": format!("{BAD}\n\nFind $x^2 < 3$ and $\\frac{{a$ and $\\text{{<script>}}$ and ${long}$.\n\n|a|b|\n|1|2|"),
        "code": format!("def solve(x=1.5):\n    # {BAD}\n    return {{\"1\": {{\"value\": x, \"unit\": \"m\"}}}}\n"),
        "sub_answers": [{"sub": BAD, "value": "1.5", "unit": BAD}],
        "category": BAD, "difficulty": "high", "book": BAD, "topic": BAD,
    })
}

fn problems() -> Value {
    IDS.iter().map(|id| problem(id)).collect()
}

fn traps() -> Value {
    let mut trap = problem("trap_1");
    let more = json!({
        "parent_id": "P1", "trap_type": BAD, "shortcut": BAD, "shortcut_code": format!("# {BAD}"),
        "shortcut_values": {BAD: 9.0}, "separation": 5.0,
    });
    for (key, value) in more.as_object().unwrap() {
        trap[key] = value.clone();
    }
    json!([trap])
}

/// Results in which the first two configurations tie, the third is worse.
fn results(key: &str, experiment: &str, run: u32, index: usize) -> Value {
    let ids: &[&str] = if experiment == "trap" { &["trap_1"] } else { &IDS };
    let record = |(position, id): (usize, &&str)| {
        let passed = position < 4 - index.clamp(1, 2) && experiment != "trap";
        let actual = if passed { 1.5 } else { 9.0 };
        json!({
            "id": id, "passed": passed,
            "details": [{
                "sub": BAD, "expected": ["1.5"], "expected_units": [BAD], "actual": actual,
                "actual_unit": BAD, "passed": passed,
            }],
            "num_attempts": 2, "note": BAD,
            "attempts": [
                {"prompt": BAD, "response": BAD, "outcome": format!("ungradable: {BAD}")},
                {"prompt": BAD, "response": format!("```python\n{BAD}\n```"), "reasoning": BAD, "outcome": "graded"},
            ],
        })
    };
    let records: Vec<Value> = ids.iter().enumerate().map(record).collect();
    json!({"metrics": {"model": key, "exp_id": experiment, "run": run}, "results": records})
}

#[test]
fn hostile_text_is_text_on_every_page() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let mut shown = 0;
    for (path, _) in rendered.tree.iter() {
        let Some(text) = rendered.tree.bytes(path).and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
        if !path.ends_with(".html") && !path.ends_with(".svg") {
            continue;
        }
        for attack in ["<script>x", "<img", "</pre></script>", "<b>&", "\u{202e}"] {
            assert!(!text.contains(attack), "{path} has {attack}");
        }
        assert!(
            !text.contains(" style=") && !text.contains(" onerror=1>\"") && !text.contains("javascript:"),
            "{path}"
        );
        shown += usize::from(text.contains("&lt;script&gt;x&lt;/script&gt;") && text.contains("[U+202E]"));
    }
    assert!(shown > 20, "the attack is shown as text on {shown} pages");
    for asset in ["search", "outcomes"] {
        let (path, _) = rendered.tree.iter().find(|(path, _)| path.starts_with(&format!("assets/{asset}"))).unwrap();
        assert!(!std::str::from_utf8(rendered.tree.bytes(path).unwrap()).unwrap().contains('<'), "{path}");
    }
}

#[test]
fn every_link_of_the_hostile_site_resolves() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let broken: Vec<String> = rendered
        .findings
        .iter()
        .filter(|f| f.code == "broken-link")
        .map(|f| format!("{}: {}", f.place, f.message))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn changes_of_hostile_things_are_text_with_links_that_resolve() {
    let before = Loaded::read(&study());
    let mut now = Loaded::read(&study());
    let passed =
        now.archive.runs.iter_mut().flat_map(|run| &mut run.records).find(|record| record.passed == Some(true));
    passed.unwrap().passed = Some(false);
    now.corpus.sets[0].problems[3].statement.push_str(" edited");
    now.study.study.version = "2".to_owned();
    let rendered = now.render_against(&before);
    assert!(rendered.findings.iter().all(|finding| finding.code != "broken-link"), "{:?}", rendered.findings);
    let html = page(&rendered, "changes/index.html");
    assert!(html.contains("1 flipped verdict") && html.contains("1 changed problem"), "{html}");
    assert!(html.contains("id=\"flips\"") && html.contains("problems/core/b--"), "{html}");
    assert!(!html.contains("<script>x") && !html.contains('\u{202e}'), "{html}");
    let rows = rendered.tree.bytes("data/changes.csv").map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).unwrap();
    assert!(rows.starts_with("level,subject,change") && rows.contains("verdict,pass,fail"), "{rows}");
}

#[test]
fn names_that_differ_only_in_case_have_pages_of_their_own() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let paths: Vec<String> = rendered.tree.iter().map(|(path, _)| path.to_lowercase()).collect();
    let distinct: std::collections::BTreeSet<_> = paths.iter().collect();
    assert_eq!(distinct.len(), paths.len());
    let under =
        |prefix: &str| paths.iter().filter(|path| path.starts_with(prefix) && !path.ends_with("index.html")).count();
    assert_eq!((under("configs/"), under("problems/core/")), (KEYS.len(), IDS.len()));
    assert!(paths.iter().all(|path| path.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b))));
}

#[test]
fn a_formula_that_cannot_be_typeset_is_reported() {
    let loaded = Loaded::read(&study());
    let rendered = loaded.render(Options::default());
    let reported: Vec<_> = rendered.findings.iter().filter(|f| f.code == "formula-as-source").collect();
    // One in each problem, and one in the trap.
    assert_eq!(reported.len(), IDS.len() + 1);
    let html = page(&rendered, "problems/core/p1.html");
    assert!(html.contains("<math") && html.contains("<code class=\"latex\">$\\frac{a$</code>"), "{html}");
}
