//! The second example: a plain table of verdicts goes the whole way without a pack.

use std::path::Path;

use repro::claims::Verdict;
use repro::pipeline::{Earlier, Evaluated, Outside, evaluate, read, render};
use repro::site::Options;
use repro::statistics::readings::Counting;
use repro::tree::Content;
use repro::world::Silent;
use repro::world::disk::Folder;
use repro::world::memory::Memory;

fn evaluated() -> Evaluated {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/written-answers-demo");
    let source = Folder::new(&folder).unwrap();
    let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
    let given = read(&source, Counting::default(), &outside, &Silent).unwrap();
    evaluate(&source, given, &[], &Silent).unwrap()
}

#[test]
fn two_judges_of_three_models_are_compared_and_every_claim_holds() {
    let evaluated = evaluated();
    assert!(evaluated.given.study.study.demonstration.is_some(), "it says that it is a demonstration");
    assert!(evaluated.given.study.analysis.is_empty(), "no pack has a say in it");
    let odd: Vec<_> = evaluated
        .judgements
        .claims
        .iter()
        .filter(|claim| claim.verdict != Verdict::Reproduced)
        .map(|claim| format!("{} {:?} {:?}", claim.id, claim.verdict, claim.reason))
        .collect();
    assert!(odd.is_empty() && evaluated.judgements.claims.len() == 3, "{odd:?}");
    // Counted by hand in the two tables: P loses q04 and q07, Q loses q05, R loses q04 and q08.
    let lost = |model: &str| {
        let keys = [("comparison", "judges"), ("model", model)];
        evaluated.computed.facts.get("comparison", "lost", &keys).and_then(|fact| fact.estimate.point())
    };
    assert_eq!(["constructed-p", "constructed-q", "constructed-r"].map(lost), [2.0, 1.0, 2.0].map(Some));
}

#[test]
fn its_site_has_the_pages_of_its_own_questions_and_no_others() {
    let evaluated = evaluated();
    let rendered = render(&evaluated, &(), &Earlier::None("It is the first.".into()), Options::default()).unwrap();
    let broken: Vec<_> = rendered.findings.iter().filter(|finding| finding.code == "broken-link").collect();
    assert!(broken.is_empty(), "{broken:?}");
    let page = |path: &str| match rendered.tree.get(path) {
        Some(Content::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => panic!("no page {path}"),
    };
    let judges = page("comparisons/judges.html");
    assert!(judges.contains("lenient judge") && judges.contains("Constructed P") && judges.contains("q04"), "{judges}");
    assert!(page("leaderboard/index.html").contains("comparisons/index.html"), "the navigation names the comparisons");
    for section in ["traps", "variants", "format", "protocols", "fabrication"] {
        assert!(rendered.tree.get(&format!("{section}/index.html")).is_none(), "a page about {section}");
    }
}

/// A catalogue names rules instead of expressions; the study itself says what they rest on.
#[test]
fn a_study_brings_the_bindings_of_its_own_catalogue() {
    let study = "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
        authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
        [[set]]\nid='s'\ntitle='S'\nformat='table'\n[[configuration]]\nkey='m'\nname='M'\n\
        [[experiment]]\nid='e'\nset='s'\nruns=1\nformat='table'\nfiles=[{path='t.csv'}]\n\
        columns={item='item',configuration='model',passed='passed'}\n\
        [[claims]]\npath='claims.json'\nbindings='bindings.toml'\n";
    let catalogue = r#"{"format": "lab-claims/1", "claims": [{"id": "share", "value": 50.0, "decimals": 1, "unit": "percent",
        "rule": "share-of-the-lab", "statement": "M solves half."}]}"#;
    let bindings = "[claim.share]\nfrom = \"accuracy-run.percent{set=s, model=m, run=1}\"\n";
    let source = Memory::default()
        .with("study.toml", study)
        .with("t.csv", "item,model,passed\np,m,1\nq,m,0\n")
        .with("claims.json", catalogue)
        .with("bindings.toml", bindings);
    let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
    let given = read(&source, Counting::default(), &outside, &Silent).unwrap();
    let judged = evaluate(&source, given, &[], &Silent).unwrap().judgements;
    let found: Vec<_> = judged.claims.iter().map(|claim| (claim.id.as_str(), claim.verdict)).collect();
    assert_eq!(found, [("share", Verdict::Reproduced)], "{:?}", judged.claims);
}
