//! Numbers of documents bound by their words: a correct document raises nothing, each wrong number is found,
//! and documents of studies that this tool has no words for are read by their declaration alone.

use std::path::Path;

use repro::claims::words::{Found, Match, add_hints, add_places, bind, equals, to_ledger};
use repro::claims::{self, Judgement, Judgements, Sources, Verdict};
use repro::documents;
use repro::packs::compute_all;
use repro::statistics::{Facts, Output};
use repro::world::disk::Folder;
use repro::world::memory::Memory;

use crate::opened::Opened;

/// What the words of a document say about a study, and the verdicts.
fn judged(opened: &Opened, name: &str, text: &str) -> (Vec<Found>, Judgements) {
    let Output { facts, tables, .. } = compute_all(&opened.evidence());
    let facts = Facts::new(facts);
    let sources = Sources::new(&opened.study, &facts, &tables, &opened.published)
        .with_registered(&repro::packs::statistics(), repro::packs::bindings())
        .with_words(repro::packs::words())
        .with_archived(&opened.corpus, &opened.archive);
    let (document, findings) = documents::parse(name, text, &|_| None);
    assert!(findings.is_empty(), "{findings:?}");
    let found = bind(&[document.unwrap()], &sources).unwrap();
    let (ledger, findings) = claims::read("found.toml", to_ledger(&found, None).unwrap().as_bytes());
    assert!(findings.is_empty(), "{findings:?}");
    let mut judged = claims::judge(&[ledger], &sources);
    add_hints(&mut judged, &facts);
    add_places(&mut judged, &[(name.to_owned(), text.to_owned())], &found, &sources).unwrap();
    (found, judged)
}

fn demo() -> Opened {
    Opened::read(&Folder::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo")).unwrap())
}

fn wrong(judged: &Judgements) -> Vec<&Judgement> {
    judged.claims.iter().filter(|claim| claim.recomputation.unwrap_or(claim.verdict).contradicts()).collect()
}

fn bound(found: &[Found]) -> usize {
    found.iter().filter(|number| matches!(number.outcome, Match::Bound(_))).count()
}

/// Every number follows from the example study, or is none of its results.
const CORRECT: &str = "# Weather, waves and orbits

The benchmark comprises 24 problems in 4 subfields. It took 24 hours on 24 cores, as Section 24 says; the wind reached
83.3 percent of its mean over 60.0 cm of water.

## Accuracy

| configuration | program, mean | sd | prose, mean | sd |
| --- | --- | --- | --- | --- |
| Constructed A (reasoning) | 91.7 | 7.2 | 86.1 | 4.8 |
| Constructed A | 88.9 | 2.4 | 87.5 | 4.2 |
| Constructed B | 63.9 | 4.8 | 67.8 | 13.0 |

| configuration | code accuracy (mean ± SD) | run 1 | note |
|---|---|---|---|
| Constructed B | 63.9 ± 4.8 | 66.7 | Constructed A reaches an accuracy of 88.9% in code mode |

The strongest configuration solves 91.7% of the problems. Constructed A reaches a pass@3 of 95.8% in code mode, and
Constructed B solves 83.3% of the problems in at least one of its three runs. Constructed A and Constructed B reach an
accuracy of 88.9% and 63.9%. As fractions of one these are an accuracy of 0.889 for Constructed A.
";

#[test]
fn a_correct_document_raises_nothing() {
    let (found, judged) = judged(&demo(), "paper.md", CORRECT);
    let told: Vec<_> = wrong(&judged).iter().map(|claim| (&claim.id, &claim.printed, &claim.expressions)).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert!(bound(&found) >= 14, "{} bound", bound(&found));
    for claim in judged.claims.iter().filter(|claim| claim.verdict != Verdict::NotCheckable) {
        // What was bound knows its place: the bytes there are the number.
        let spot = claim.places.first().unwrap_or_else(|| panic!("{} has no place", claim.id));
        assert_eq!(CORRECT[spot.byte..][..spot.length].replace('+', ""), claim.printed, "{}", claim.id);
    }
}

#[test]
fn each_wrong_number_of_a_document_is_found_with_a_hint_where_there_is_one() {
    let demo = demo();
    for (right, false_, times, hint) in [
        ("solves 91.7%", "solves 97.1%", 1, Some("two digits are swapped")),
        ("of 88.9% and 63.9%", "of 88.9% and 81.9%", 1, Some("it is the value of model constructed-b-reasoning")),
        ("comprises 24 problems", "comprises 42 problems", 1, Some("two digits are swapped")),
        ("in 4 subfields", "in 5 subfields", 1, None),
        ("67.8 | 13.0", "67.8 | 31.0", 1, None),
        ("63.9 ± 4.8", "63.9 ± 8.4", 1, Some("two digits are swapped")),
        ("of 0.889 for", "of 0.898 for", 1, Some("two digits are swapped")),
        ("an accuracy of 88.9% in", "an accuracy of 0.89% in", 1, Some("it is the value as a fraction")),
    ] {
        assert_eq!(CORRECT.matches(right).count(), times, "{right}");
        let (_, judged) = judged(&demo, "paper.md", &CORRECT.replace(right, false_));
        let wrong = wrong(&judged);
        let told: Vec<_> = wrong.iter().map(|claim| (&claim.printed, &claim.expressions, &claim.remark)).collect();
        assert_eq!(wrong.len(), 1, "{false_}: {told:#?}");
        if let Some(hint) = hint {
            assert_eq!(wrong[0].remark.as_deref(), Some(hint), "{false_}: {told:#?}");
        }
    }
}

/// A study of two agents that exists in this test only.
fn foreign() -> Opened {
    let problems: Vec<_> = (0..8).map(|n| serde_json::json!({"id": format!("p{n}"), "problem": "?"})).collect();
    let mut memory = Memory::default().with("core.json", serde_json::Value::from(problems).to_string()).with(
        "study.toml",
        "[study]\nid='f'\ntitle='Foreign Bench'\nversion='1'\ndate='2026'\ndescription='d'\nlicence='MIT'\n\
         authors=[{family='A'}]\n[grading]\ntolerance=0.05\nsweep=[0.05]\n\
         [[set]]\nid='core'\ntitle='Core'\nkind='problems'\npath='core.json'\n\
         [[configuration]]\nkey='swift-agent'\nname='Swift Agent'\nbackbone='s'\n\
         [[configuration]]\nkey='slow-agent'\nname='Slow Agent'\nbackbone='t'\n\
         [[configuration]]\nkey='floor'\nname='Floor'\nbackbone='u'\nlisted=false\n\
         [[experiment]]\nid='code'\nfolder='runs'\nset='core'\nprotocol='code'\nruns=1\n\
         [[published]]\npath='tables/F2_resources.csv'\ntable='resources'\n",
    );
    memory = memory.with("tables/F2_resources.csv", "model,tokens_M\nSwift Agent,1.5\nSlow Agent,2.5\n");
    for (key, solved) in [("swift-agent", 6), ("slow-agent", 2), ("floor", 1)] {
        let results: Vec<_> = (0..8)
            .map(|n| serde_json::json!({"id": format!("p{n}"), "passed": n < solved, "num_attempts": 1, "details": []}))
            .collect();
        let run = serde_json::json!({"metrics": {}, "results": results}).to_string();
        memory = memory.with(&format!("runs/{key}.run1.json"), run);
    }
    Opened::read(&memory)
}

#[test]
fn a_study_without_words_of_its_own_is_read_by_its_declaration() {
    let text = "# Foreign Bench\n\nForeign Bench comprises 8 tasks. The best model resolves 75.0% of the tasks; Slow Agent resolves \
                25.0% of the tasks.\n\n| agent | resolved | resolve rate (%) | pass@1 |\n|---|---|---|---|\n\
                | Swift Agent | 6 | 75.0 | 0.750 |\n| Slow Agent | 3 | 25.0 | 0.250 |\n\n\
                ## Resources\n\n| agent | Tokens (M) |\n|---|---|\n| Swift Agent | 1.5 |\n| Slow Agent | 2.8 |\n";
    let (found, judged) = judged(&foreign(), "README.md", text);
    assert!(bound(&found) >= 10, "{found:#?}");
    let wrong: Vec<_> = wrong(&judged).iter().map(|claim| (claim.printed.as_str(), claim.parts[0].value)).collect();
    // The second is held against a published table, because no statistic counts tokens here.
    assert_eq!(wrong, [("3", Some(2.0)), ("2.8", Some(2.5))]);
}

#[test]
fn where_two_may_be_meant_both_are_told_and_none_is_judged() {
    // The weakest of the leaderboard is not the weakest of all.
    let (found, judged) = judged(&foreign(), "a.md", "The weakest model resolves 25.0% of the tasks.\n");
    let Match::Ambiguous(readings) = &found[0].outcome else { panic!("{found:#?}") };
    let values: Vec<_> = equals(readings).map(|reading| (reading.keys["model"].as_str(), reading.value)).collect();
    assert_eq!(values, [("floor", Some(12.5)), ("slow-agent", Some(25.0))]);
    let claim = &judged.claims[0];
    assert_eq!(claim.verdict, Verdict::NotCheckable);
    let reason = claim.reason.as_deref().unwrap_or("");
    assert!(reason.contains("= 12.5") && reason.contains("= 25.0"), "{reason}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium")]
fn a_paper_printed_as_pdf_is_read_like_its_source() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed");
    std::fs::create_dir_all(&folder).unwrap();
    let (page, pdf) = (folder.join("paper.html"), folder.join("paper.pdf"));
    let text = "<!DOCTYPE html><title>t</title><h1>Weather, waves and orbits</h1><p>The benchmark comprises 24 problems in 5 \
                subfields. It took 24 hours.</p><p>Constructed A reaches an accuracy of 88.9% in code mode.</p>";
    std::fs::write(&page, text).unwrap();
    let print = std::process::Command::new(crate::browser::binary().unwrap())
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(print.status.success(), "{}", String::from_utf8_lossy(&print.stderr));
    let text = documents::text("paper.pdf", &std::fs::read(&pdf).unwrap()).unwrap();
    let (found, judged) = judged(&demo(), "paper.pdf", &text);
    assert_eq!(bound(&found), 3, "{found:#?}");
    let wrong: Vec<_> = wrong(&judged).iter().map(|claim| claim.printed.as_str()).collect();
    assert_eq!(wrong, ["5"]);
}
