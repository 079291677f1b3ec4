//! The ledgers beside the repository, judged: every printed number of AtmosCoder-Bench, and the counts of
//! two other studies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use repro::claims::{self, Basis, Judgements, Ledger, Sources, Verdict};
use repro::issues;
use repro::json::Value;
use repro::report::Findings;

use crate::opened::recomputed;
use crate::shared::{parse, shared};

/// A ledger below `../shared/claims` with the catalogue it was read from.
fn ledger(name: &str) -> (Ledger, Value) {
    let bytes = std::fs::read(shared(&format!("claims/{name}-claims.json"))).unwrap();
    let (ledger, findings) = claims::read(&format!("{name}-claims.json"), &bytes);
    assert!(findings.is_empty(), "{findings:?}");
    (ledger, parse(std::str::from_utf8(&bytes).unwrap()))
}

fn judged(name: &str) -> Judgements {
    let recomputed = recomputed();
    let opened = &recomputed.opened;
    let sources = Sources::new(&opened.study, &recomputed.facts, &recomputed.tables, &opened.published)
        .with_registered(&repro::packs::statistics(), repro::packs::bindings())
        .with_archived(&opened.corpus, &opened.archive);
    claims::judge(&[ledger(name).0], &sources)
}

fn atmoscoder() -> &'static Judgements {
    static JUDGED: OnceLock<Judgements> = OnceLock::new();
    JUDGED.get_or_init(|| judged("atmoscoder"))
}

/// What the recomputation says, whatever sources say about one another.
fn own(judgement: &claims::Judgement) -> Verdict {
    judgement.recomputation.unwrap_or(judgement.verdict)
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_catalogue_expands_to_the_claims_it_counts() {
    let (ledger, catalogue) = ledger("atmoscoder");
    let counts = catalogue.get("counts").unwrap();
    let count = |name: &str| counts.get(name).and_then(Value::as_f64).unwrap() as usize;
    assert_eq!(ledger.claims.len(), count("total"));
    assert_eq!(ledger.claims.iter().filter(|claim| claim.cell.is_some()).count(), count("table_cells"));
    assert_eq!(ledger.conflicts.len(), count("conflicts"));
    assert_eq!(ledger.published.iter().filter_map(|table| table.rows).sum::<usize>(), count("raw_table_rows"));
    for (member, of) in [("by_area", 0), ("by_rule", 1)] {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for claim in &ledger.claims {
            *found.entry(if of == 0 { &claim.area } else { &claim.rule }).or_default() += 1;
        }
        let stated = counts.get(member).and_then(Value::as_object).unwrap();
        for (name, value) in stated.iter() {
            assert_eq!(found.get(name).copied(), value.as_f64().map(|n| n as usize), "{member} {name}");
        }
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_claim_and_every_row_has_a_verdict() {
    let judgements = atmoscoder();
    assert_eq!(judgements.claims.len(), 3915);
    assert_eq!(judgements.summary.verdicts.values().sum::<usize>(), 3915);
    let ids: BTreeSet<&str> = judgements.claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(ids.len(), 3915);
    assert_eq!(judgements.tables.len(), 9);
    assert_eq!(judgements.summary.rows.values().sum::<usize>(), 32_370);
    for table in &judgements.tables {
        assert_eq!(table.verdicts.values().sum::<usize>(), table.rows, "{}", table.id);
        assert_eq!(table.digest_agrees, Some(true), "{}", table.id);
    }
    for claim in judgements.claims.iter().filter(|claim| claim.verdict == Verdict::NotCheckable) {
        assert!(claim.missing.is_some() && claim.reason.as_ref().is_some_and(|r| !r.is_empty()), "{}", claim.id);
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn no_binding_of_the_catalogue_is_mistaken() {
    let judgements = atmoscoder();
    let bad: Vec<_> = judgements.findings.iter().filter(|finding| finding.code == "bad-ledger").collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn what_does_not_follow_is_explained() {
    let judgements = atmoscoder();
    let contradicted: Vec<_> = judgements.claims.iter().filter(|claim| own(claim).contradicts()).collect();
    let silent: Vec<&str> =
        contradicted.iter().filter(|c| c.explanation.is_none()).map(|claim| claim.id.as_str()).collect();
    assert!(silent.is_empty(), "no explanation: {silent:?}");
    // An independent recomputation knows 45 printed numbers that do not follow from the published files.
    assert!(contradicted.len() >= 45, "{} found", contradicted.len());
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_known_contradictions_are_found() {
    let judgements = atmoscoder();
    for (id, value) in [
        ("corpus.subs-core", 716.0),
        ("corpus.single", 305.0),
        ("corpus.multi", 131.0),
        ("corpus.graded-total", 6821.0),
        ("trap.t3.gpt-5.5.reduction", 4.620_396_200_404_985),
        ("mcq.clean-rescues-sum", 371.0),
        ("xd.close-pair", 100.0 / 131.0),
        ("res.77-zero-cluster", 2.0),
    ] {
        let claim = judgements.get(id).unwrap();
        assert!(own(claim).contradicts(), "{id}: {claim:#?}");
        assert!((claim.parts[0].value.unwrap() - value).abs() < 1e-9, "{id}: {:?}", claim.parts[0].value);
    }
    let regraded = judgements.claims.iter().filter(|c| c.id.starts_with("f15.") && own(c).contradicts()).count();
    assert_eq!(regraded, 7, "configurations whose 5% column is not the live accuracy");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_listed_conflict_shows_as_such() {
    let judgements = atmoscoder();
    let listed: Vec<_> = judgements.conflicts.iter().filter(|conflict| !conflict.found).collect();
    assert_eq!(listed.len(), 34);
    for conflict in listed {
        assert!(!conflict.statement.is_empty() && !conflict.sides.is_empty(), "{}", conflict.id);
        for id in &conflict.claims {
            let claim = judgements.get(id).unwrap();
            assert_eq!(claim.verdict, Verdict::ConflictingSources, "{id}");
            assert!(claim.conflicts.contains(&conflict.id), "{id}");
        }
        let shown = judgements
            .findings
            .iter()
            .any(|finding| finding.code == "claim-conflict" && finding.place.subject.as_deref() == Some(&conflict.id));
        assert!(shown, "{}", conflict.id);
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn what_only_a_published_table_prints_is_never_shown_as_reproduced() {
    let judgements = atmoscoder();
    for claim in &judgements.claims {
        let copies = claim.expressions.iter().any(|text| text.starts_with("published:") && !text.contains([' ', '(']));
        if copies && claim.basis == Some(Basis::Published) && claim.expressions.len() == 1 {
            assert!(!own(claim).agrees(), "{}", claim.id);
        }
    }
    let tokens = judgements.get("readme.lb.gpt55.tokens").unwrap();
    assert_eq!(tokens.verdict, Verdict::NotCheckable);
    assert!(tokens.remark.as_ref().unwrap().contains("F4_token_accuracy"));
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn numbers_recomputed_from_records_agree_with_the_record_of_verification() {
    let judgements = atmoscoder();
    // All runs of the shared archive were rebuilt from published tables, so that scores fit these and no more.
    for (id, verdict, basis) in [
        ("corpus.core-n", Verdict::Reproduced, Basis::Records),
        ("acc.top", Verdict::Consistent, Basis::Rebuilt),
        ("cat.r", Verdict::Consistent, Basis::Rebuilt),
        ("f1.gpt55-reasoning.rad_mean", Verdict::Consistent, Basis::Rebuilt),
        ("var.t1.kimi-k2.6-reasoning.p", Verdict::Reproduced, Basis::States),
        ("core.a-direct.gpt55-reasoning.sd", Verdict::Consistent, Basis::Counts),
        ("fig.f4c.runs", Verdict::Consistent, Basis::Published),
        ("dif.tier-sd", Verdict::Consistent, Basis::Rebuilt),
    ] {
        let claim = judgements.get(id).unwrap();
        assert_eq!((claim.verdict, claim.basis), (verdict, Some(basis)), "{id}: {claim:#?}");
    }
    let agreeing = judgements.claims.iter().filter(|claim| own(claim).agrees()).count();
    assert!(agreeing >= 2500, "{agreeing}");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn counts_of_the_other_studies_are_judged_from_counts() {
    for (name, least) in [("limits", 30), ("scicode", 22)] {
        let ((_, catalogue), judgements) = (ledger(name), judged(name));
        let mut from_counts = 0;
        for claim in catalogue.get("claims").and_then(Value::as_list).unwrap() {
            let text = |member: &str| claim.get(member).and_then(Value::as_text).unwrap_or_default();
            if text("checkable_from") == "counts" {
                let judgement = judgements.get(text("id")).unwrap();
                // Pairs of 7:0 cannot lead from 3 to 14, to which the summary ties them.
                let excluded = text("id") == "lm-p-7-0";
                assert_eq!(own(judgement).contradicts(), excluded, "{judgement:#?}");
                assert_eq!(judgement.basis, Some(Basis::Counts), "{}", text("id"));
                from_counts += usize::from(own(judgement).agrees());
            }
        }
        assert!(from_counts >= least, "{name}: {from_counts}");
        let listed = catalogue.get("conflicts").and_then(Value::as_list).unwrap().len();
        assert_eq!(judgements.conflicts.iter().filter(|conflict| !conflict.found).count(), listed);
    }
    let scicode = judged("scicode");
    let mean = scicode.get("sv-score-ver-step-min").unwrap();
    assert_eq!(mean.remark.as_deref(), Some("possible: 721 of 861"));
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_judgements_are_strict_json_and_the_same_every_time() {
    let (first, second) = (judged("limits"), judged("limits"));
    let text = first.to_json().to_string();
    assert_eq!(text, second.to_json().to_string());
    assert!(!text.contains("NaN") && !text.contains("Infinity"));
    let judgements = atmoscoder();
    let junit = claims::to_junit(judgements);
    assert_eq!(junit.matches("<testcase ").count(), 3915);
}

/// What has one cause is one issue, and the sums close: 32 wrong numbers without a listed disagreement and the 34
/// listed ones, with 51 claims among them, are 51 issues. (51 were counted by hand.)
#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn printed_numbers_with_one_cause_are_one_issue() {
    let judgements = atmoscoder();
    let recomputed = recomputed();
    let findings: Findings = judgements.findings.iter().cloned().collect();
    let known = repro::packs::statistics();
    let study = &recomputed.opened.study;
    let issues = issues::of(&issues::Subject { study, judgements, findings: &findings, concerns: &[], known: &known });
    let about_print = || issues.iter().filter(|issue| !issue.claims.is_empty() || !issue.conflicts.is_empty());
    let concerned = judgements.claims.iter().filter(|claim| issues::is_concerned(claim));
    let concerned: BTreeSet<String> = concerned.map(|claim| claim.id.clone()).collect();
    let mut told: Vec<String> = about_print().flat_map(|issue| issue.claims.iter().map(|(_, id)| id.clone())).collect();
    told.sort();
    assert_eq!(told, concerned.into_iter().collect::<Vec<_>>());
    let mut positions: Vec<usize> = issues.iter().flat_map(|issue| issue.findings.clone()).collect();
    positions.sort_unstable();
    assert_eq!(positions, (0..findings.len()).collect::<Vec<_>>());
    assert_eq!(about_print().count(), 51);
    let holds =
        |ids: &[&str]| about_print().any(|issue| ids.iter().all(|id| issue.claims.iter().any(|(_, of)| of == id)));
    // One stale answer of one model in five places, and the count of stored entries in six.
    assert!(holds(&[
        "aud.clean.deepseek-v4-flash.code_all",
        "aud.clean.deepseek-v4-flash.code_clean",
        "mcq.rerank-code",
        "mcq.rerank-flash",
        "mcq.clean-rescues",
        "mcq.clean-rescues-sum"
    ]));
    assert!(holds(&["corpus.subs-core", "corpus.single", "corpus.multi", "corpus.graded-total"]));
    assert!(!holds(&["corpus.subs-core", "mcq.rerank-flash"]));
}
