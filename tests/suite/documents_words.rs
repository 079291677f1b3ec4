//! Numbers of documents bound by their words: a correct document raises nothing, each wrong number is found,
//! and documents of studies that this tool has no words for are read by their declaration alone.

use std::path::Path;

use repro::claims::words::{Found, Match, add_hints, add_places, bind, equals, to_ledger};
use repro::claims::{self, Judgement, Judgements, Sources, Verdict};
use repro::documents;
use repro::packs::compute_all;
use repro::statistics::{Facts, Output};
use repro::table::Table;
use repro::world::disk::Folder;
use repro::world::memory::Memory;

use crate::opened::Opened;

/// What the words of a document say about a study, and the verdicts.
fn judged(opened: &Opened, name: &str, text: &str) -> (Vec<Found>, Judgements) {
    let Output { facts, tables, .. } = compute_all(&opened.evidence());
    judged_over(opened, &Facts::new(facts), &tables, name, text)
}

/// The same over facts that are computed already.
fn judged_over(opened: &Opened, facts: &Facts, tables: &[Table], name: &str, text: &str) -> (Vec<Found>, Judgements) {
    let sources = Sources::new(&opened.study, facts, tables, &opened.published)
        .with_registered(&repro::packs::statistics(), repro::packs::bindings())
        .with_words(repro::packs::words())
        .with_archived(&opened.corpus, &opened.archive);
    let (document, findings) = documents::parse(name, text);
    assert!(findings.is_empty(), "{findings:?}");
    let found = bind(&[document.unwrap()], &sources).unwrap();
    let (ledger, findings) = claims::read("found.toml", to_ledger(&found, None).unwrap().as_bytes());
    assert!(findings.is_empty(), "{findings:?}");
    let mut judged = claims::judge(&[ledger], &sources);
    add_hints(&mut judged, facts);
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
                subfields. It took 24 hours.</p><p>Constructed A reaches an accuracy of 88.9% in code mode.</p><h2>Accuracy</h2>\
                <table><tr><th>configuration<th>code accuracy (%)<th>direct accuracy (%)</tr><tr><td>Constructed A (reasoning)\
                <td>91.7<td>86.1</tr><tr><td>Constructed B<td>63.9<td></tr><tr><td>Constructed A<td>89.8<td>87.5</tr></table>";
    std::fs::write(&page, text).unwrap();
    let print = std::process::Command::new(crate::browser::binary().unwrap())
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(print.status.success(), "{}", String::from_utf8_lossy(&print.stderr));
    let text = documents::text("paper.pdf", &std::fs::read(&pdf).unwrap(), &|_| None).unwrap();
    let (found, judged) = judged(&demo(), "paper.pdf", &text);
    assert_eq!(bound(&found), 3 + 5, "the sentences and the cells: {found:#?}");
    let mut wrong: Vec<_> = wrong(&judged).iter().map(|claim| claim.printed.as_str()).collect();
    wrong.sort_unstable();
    assert_eq!(wrong, ["5", "89.8"]);
}

/// Two methods with two models each, on eight tasks: a study that exists in this test only.
fn agents() -> Opened {
    let problems: Vec<_> = (0..8).map(|n| serde_json::json!({"id": format!("p{n}"), "problem": "?"})).collect();
    let solved = [("swift_gpt4o", 6), ("swift_claude", 4), ("slow_gpt4o", 2), ("slow_claude", 1)];
    let configurations: String =
        solved.map(|(key, _)| format!("[[configuration]]\nkey='{key}'\nname='{key}'\nbackbone='{key}'\n")).concat();
    let mut memory = Memory::default().with("core.json", serde_json::Value::from(problems).to_string()).with(
        "study.toml",
        format!(
            "[study]\nid='f'\ntitle='Agent Bench'\nversion='1'\ndate='2026'\ndescription='d'\nlicence='MIT'\n\
             authors=[{{family='A'}}]\n[grading]\ntolerance=0.05\nsweep=[0.05]\n\
             [[set]]\nid='core'\ntitle='Core'\nkind='problems'\npath='core.json'\n{configurations}\
             [[experiment]]\nid='code'\nfolder='runs'\nset='core'\nprotocol='code'\nruns=1\n"
        ),
    );
    for (key, solved) in solved {
        let result =
            |n| serde_json::json!({"id": format!("p{n}"), "passed": n < solved, "num_attempts": 1, "details": []});
        let results: Vec<_> = (0..8).map(result).collect();
        let run = serde_json::json!({"metrics": {}, "results": results}).to_string();
        memory = memory.with(&format!("runs/{key}.run1.json"), run);
    }
    Opened::read(&memory)
}

/// Names in two parts, counts out of totals, differences, ellipses, a table of methods against models.
const AGENTS: &str = "# Agent Bench

We evaluate four agents on 8 tasks. Swift with GPT-4o resolves 75.0% of the tasks (6/8), Slow with GPT-4o 25.0%.
Swift with GPT-4o resolves 6 of the 8 tasks; Slow with Claude resolves 1 of 8 tasks (12.5%).
Swift (GPT-4o) outperforms Swift (Claude) by 25.0 points, and 2 tasks are solved by no agent.

## Resolve rate (%)

| | GPT-4o | Claude |
|---|---|---|
| Swift | 75.0 | 50.0 |
| Slow | 25.0 | 12.5 |
";

#[test]
fn a_newcomers_document_is_read_by_names_in_parts_counts_and_differences() {
    let agents = agents();
    let (found, judged_right) = judged(&agents, "paper.md", AGENTS);
    assert!(wrong(&judged_right).is_empty(), "{:#?}", wrong(&judged_right));
    assert!(bound(&found) >= 15, "{} bound: {found:#?}", bound(&found));
    for (right, false_) in [
        ("on 8 tasks", "on 9 tasks"),
        ("resolves 75.0%", "resolves 57.0%"),
        ("GPT-4o 25.0%.", "GPT-4o 52.0%."),
        ("resolves 6 of", "resolves 5 of"),
        ("(12.5%)", "(15.2%)"),
        ("by 25.0 points", "by 35.0 points"),
        ("2 tasks are", "3 tasks are"),
        ("| 75.0 | 50.0 |", "| 75.0 | 55.0 |"),
    ] {
        assert_eq!(AGENTS.matches(right).count(), 1, "{right}");
        let (_, judged) = judged(&agents, "paper.md", &AGENTS.replace(right, false_));
        let told: Vec<_> = wrong(&judged).iter().map(|claim| (&claim.printed, &claim.expressions)).collect();
        assert_eq!(told.len(), 1, "{false_}: {told:#?}");
    }
}

#[test]
fn words_that_change_what_is_counted_leave_a_number_unbound() {
    let agents = agents();
    for text in [
        "Swift with GPT-4o resolves 75.0% of the hard tasks.",
        "Hard tasks are resolved by Swift with GPT-4o at a rate of 20.0%.",
        "Swift with GPT-4o uniquely resolves 2 tasks.",
        "Slow with Claude fails to resolve 87.5% of the tasks.",
        "On tasks that were seen twice, Swift with Claude resolves 40.0%.",
        "The accuracy of Swift with Claude rises by 5.0%.",
        "Swift with GPT-4o Mini has a resolve rate of 12.0%.",
        "Unlike Swift with Claude, it has a resolve rate of 75.0%.",
        "Swift with GPT-4o resolves 2 of the 3 tasks.",
        "Among the 3 tasks of the pilot, Swift with GPT-4o resolves 2.",
        "Its resolve rate is 75.0%, ahead of Swift with Claude.",
    ] {
        let (found, _) = judged(&agents, "paper.md", text);
        assert_eq!(bound(&found), 0, "{text}: {found:#?}");
    }
}

#[test]
fn ten_places_of_one_stale_number_are_one_issue() {
    let demo = demo();
    let line = "Constructed A reaches an accuracy of 87.9% in code mode.\n\n";
    let text = format!("# Weather, waves and orbits\n\n{}", line.repeat(10));
    let (found, judged) = judged(&demo, "paper.md", &text);
    assert_eq!((bound(&found), wrong(&judged).len()), (10, 10));
    assert!(judged.claims.iter().all(|claim| claim.explanation.is_none()), "nobody explained anything");
    let findings = judged.findings.iter().cloned().collect();
    let issues = repro::issues::of(&repro::issues::Subject {
        study: &demo.study,
        judgements: &judged,
        findings: &findings,
        concerns: &[],
        known: &repro::packs::statistics(),
    });
    let issues: Vec<_> = issues.iter().collect();
    assert_eq!(issues.len(), 1, "{issues:#?}");
    assert_eq!(issues[0].places.len(), 10, "{issues:#?}");
}

/// A document written from the facts of the clean synthetic archive: every number follows, so nothing is raised.
#[test]
#[cfg_attr(not(all(has_shared, has_python3)), ignore = "needs ../shared and Python")]
fn a_correct_document_of_the_synthetic_archive_raises_nothing() {
    let synthetic = crate::synthetic::synthetic();
    let opened = Opened::read(&Folder::new(&synthetic.root).unwrap());
    let facts = &synthetic.facts;
    let of = |statistic: &str, measure: &str, model: &str, more: &[(&str, &str)]| {
        let keys = [&[("set", "core"), ("model", model)], more].concat();
        facts.get(statistic, measure, &keys)?.estimate.point()
    };
    let print = |value: f64| repro::number::fixed(value, 1);
    let mut text = format!(
        "# {}\n\nThe benchmark comprises {} problems in {} categories.\n\n## Accuracy\n\n\
         | configuration | code accuracy (mean ± SD) | direct accuracy | pass@3 in code mode |\n|---|---|---|---|\n",
        opened.study.study.title,
        facts.get("corpus-count", "n", &[("set", "core")]).unwrap().estimate.point().unwrap(),
        facts.get("corpus-count", "categories", &[("set", "core")]).unwrap().estimate.point().unwrap(),
    );
    let mut sentences = String::new();
    let mut means: Vec<(f64, &str)> = Vec::new();
    for configuration in opened.study.listed() {
        let (key, name) = (configuration.key.as_str(), configuration.name.as_str());
        let code = [("protocol", "code")];
        let Some(mean) = of("accuracy-mean-sd", "mean", key, &code) else { continue };
        let cell = |value: Option<f64>| value.map_or_else(|| "\u{2014}".to_owned(), print);
        let sd = of("accuracy-mean-sd", "sd", key, &code);
        let direct = of("accuracy-mean-sd", "mean", key, &[("protocol", "direct")]);
        let best = of("pass-at-k", "pass", key, &[("protocol", "code"), ("k", "3")]);
        let spread = sd.map_or_else(String::new, |sd| format!(" ± {}", print(sd)));
        text += &format!("| {name} | {}{spread} | {} | {} |\n", print(mean), cell(direct), cell(best));
        sentences += &format!("{name} reaches a mean accuracy of {}% in code mode. ", print(mean));
        means.push((mean, name));
    }
    means.sort_by(|a, b| b.0.total_cmp(&a.0));
    for pair in means.windows(2).filter(|pair| pair[0].0 > pair[1].0) {
        let difference = print(pair[0].0 - pair[1].0);
        sentences += &format!("{} outperforms {} by {difference} points. ", pair[0].1, pair[1].1);
    }
    text += &format!("\n{sentences}\n");
    let (found, judged) = judged_over(&opened, facts, &synthetic.tables, "paper.md", &text);
    let told: Vec<_> =
        wrong(&judged).iter().map(|claim| (&claim.printed, &claim.statement, &claim.expressions)).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert!(bound(&found) > 3 * means.len(), "{} numbers bound of {} configurations", bound(&found), means.len());
}
