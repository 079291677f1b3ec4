//! Findings, claims and conflicts that are one issue, and in what order issues stand.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::audits::{self, Audited};
use crate::claims::{self, Sources};
use crate::corpus::Corpus;
use crate::report::{Finding, Place};
use crate::statistics::{self, Basis, Estimate, Fact, Facts};
use crate::verify::Ladder;

const STUDY: &str = "[study]\nid = \"s\"\ntitle = \"S\"\nversion = \"1\"\ndate = \"2026-01-01\"\ndescription = \"d\"\n\
     licence = \"MIT\"\nauthors = []\n[grading]\ntolerance = 0.05\n\
     [[claims]]\npath = \"claims.toml\"\nheadlines = [\"lead\"]\n";

fn fact(statistic: &'static str, measure: &'static str, model: &str, value: f64) -> Fact {
    let keys = [("model", model), ("set", "core"), ("protocol", "code")];
    let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    Fact { statistic, measure, keys, estimate: Estimate::value(value), basis: Basis::Records }
}

fn facts() -> Facts {
    Facts::new(vec![
        fact("accuracy-mean-sd", "mean", "a", 97.629_969),
        fact("accuracy-mean-sd", "mean", "b", 91.131_498),
        fact("accuracy-mean-sd", "mean", "c", 91.131_498),
        fact("majority-of-3", "percent", "a", 98.165_138),
    ])
}

const A: &str = "accuracy-mean-sd.mean{model=a, set=core, protocol=code}";
const B: &str = "accuracy-mean-sd.mean{model=b, set=core, protocol=code}";

const C: &str = "accuracy-mean-sd.mean{model=c, set=core, protocol=code}";

fn claim(id: &str, source: &str, value: &str, from: &str) -> String {
    format!(
        "[[claim]]\nid = \"{id}\"\nstatement = \"S {id}.\"\nsource = \"{source}\"\nunit = \"percent\"\nvalue = \"{value}\"\nfrom = \"{from}\"\n"
    )
}

/// Entries of a ledger, each with what it is there for.
fn entries() -> Vec<String> {
    vec![
        // The same value in three documents, two of them old.
        claim("new", "README.md", "97.6", A),
        claim("old-1", "docs/old.md", "97.1", A),
        claim("old-2", "docs/older.md", "96.9", A),
        // A number that rests on one of the values behind it.
        claim("lead", "docs/old.md", "6.1", &format!("{A} - {B}")),
        // A conclusion that does not hold.
        format!("[[claim]]\nid = \"order\"\nstatement = \"B leads.\"\nsource = \"paper\"\nholds = \"{B} > {A}\"\n"),
        // A number that is wrong and acknowledged.
        format!("{}erratum = \"a slip\"\n", claim("slip", "docs/b.md", "91.9", C)),
        // A disagreement that the ledger lists, about one number that follows and one that does not.
        claim("said", "docs/x.md", "91.1", B),
        "[[conflict]]\nid = \"which\"\nkind = \"definition\"\nstatement = \"Two definitions.\"\nclaims = [\"said\"]\n\
         sides = [{source = \"x\", says = \"one\"}, {source = \"y\", says = \"another\"}]\n"
            .to_owned(),
    ]
}

struct Made {
    issues: Issues,
    findings: Findings,
    judgements: Judgements,
}

fn made(entries: &[String]) -> Made {
    let text = format!("format = \"repro-claims/1\"\nauthor = \"N. N.\"\ndate = \"2026-02-03\"\n{}", entries.concat());
    let (ledger, told) = claims::read("claims.toml", text.as_bytes());
    let study: Study = toml::from_str(STUDY).unwrap();
    let (facts, published) = (facts(), BTreeMap::new());
    let sources = Sources::new(&study, &facts, &[], &published);
    let judgements = claims::judge(&[ledger], &sources);
    let (corpus, ladder) = (Corpus::default(), Ladder::default());
    let audits = audits::audit(&audits::Subject {
        study: &study,
        corpus: &corpus,
        ladder: &ladder,
        judgements: &judgements,
        sources: &sources,
        documents: &[],
    });
    let archive = [
        Finding::new("torn-file", Place::file("a.json").with_record(3), "it ends in the middle"),
        Finding::new("duplicate-id", Place::file("b.json").with_subject("p1"), "twice"),
        Finding::new("duplicate-id", Place::file("b.json").with_subject("p2"), "twice"),
        Finding::new("unknown-id", Place::file("c.json").with_subject("p9"), "no such problem"),
        Finding::new("unknown-id", Place::file("d.json").with_subject("p9"), "no such problem"),
        Finding::new("unknown-member", Place::file("d.json"), "`x`"),
    ];
    let seen = audits.iter().flat_map(Audited::findings);
    let findings: Findings = judgements.findings.iter().cloned().chain(told).chain(archive).chain(seen).collect();
    let concerns: Vec<Concern> = audits.iter().flat_map(Audited::concerns).collect();
    let issues = of(&Subject {
        study: &study,
        judgements: &judgements,
        findings: &findings,
        concerns: &concerns,
        known: statistics::ALL,
    });
    Made { issues, findings, judgements }
}

/// Every finding and every concerned claim is in exactly one issue, whatever the ledger holds.
#[test]
fn the_totals_close_for_every_part_of_a_ledger() {
    let all = entries();
    for chosen in 0..(1_u32 << all.len()) {
        let some: Vec<String> =
            all.iter().enumerate().filter(|(at, _)| chosen & (1 << at) != 0).map(|(_, entry)| entry.clone()).collect();
        let Made { issues, findings, judgements } = made(&some);
        let mut positions: Vec<usize> = issues.iter().flat_map(|issue| issue.findings.clone()).collect();
        positions.sort_unstable();
        assert_eq!(positions, (0..findings.len()).collect::<Vec<_>>(), "{chosen:b}");
        let mut told: Vec<(String, String)> = issues.iter().flat_map(|issue| issue.claims.clone()).collect();
        told.sort();
        let concerned = judgements.claims.iter().filter(|claim| is_concerned(claim));
        let mut wanted: Vec<(String, String)> =
            concerned.map(|claim| (claim.ledger.clone(), claim.id.clone())).collect();
        wanted.sort();
        assert_eq!(told, wanted, "{chosen:b}");
        let ids: BTreeSet<&str> = issues.iter().map(|issue| issue.id.as_str()).collect();
        assert_eq!(ids.len(), issues.len(), "ids are unique: {chosen:b}");
        for issue in issues.iter() {
            assert!(
                issue.sentence.ends_with(['.', '\u{201d}']) && !issue.sentence.contains("  "),
                "{}",
                issue.sentence
            );
        }
    }
}

#[test]
fn what_has_one_cause_is_one_issue_in_the_order_of_what_it_changes() {
    let issues = made(&entries()).issues;
    let said: Vec<(&str, Effect, Vec<&str>)> = issues
        .iter()
        .map(|issue| (issue.id.as_str(), issue.effect, issue.claims.iter().map(|(_, id)| id.as_str()).collect()))
        .collect();
    assert_eq!(
        said,
        [
            ("order", Effect::Conclusion, vec!["order"]),
            ("lead", Effect::Headline, vec!["lead", "old-1", "old-2"]),
            ("torn-file: a.json", Effect::Evidence, vec![]),
            ("duplicate-id: b.json", Effect::Evidence, vec![]),
            ("unknown-id: c.json", Effect::Evidence, vec![]),
            ("slip", Effect::Cell, vec!["slip"]),
            ("which", Effect::Wording, vec!["said"]),
            ("unknown-member", Effect::Remark, vec![]),
        ]
    );
}

#[test]
fn sentences_are_made_from_data_and_words_of_people_are_quotations() {
    let issues = made(&entries()).issues;
    let of = |id: &str| issues.iter().find(|issue| issue.id == id).unwrap();
    assert_eq!(
        of("slip").sentence,
        "Accuracy over runs (c, code, core): 91.9 % is printed in docs/b.md, and 91.13 % is recomputed from records of \
         the archive."
            .replace("Accuracy over runs", title("accuracy-mean-sd"))
    );
    assert_eq!(of("slip").told, ["\u{201c}a slip\u{201d} (N. N., 2026-02-03)"]);
    assert!(of("slip").acknowledged && !of("lead").acknowledged);
    assert_eq!(of("which").sentence, "Sources disagree (x: \u{201c}one\u{201d}; y: \u{201c}another\u{201d}).");
    assert_eq!(of("which").told, ["\u{201c}Two definitions.\u{201d} (N. N., 2026-02-03)"]);
    assert!(
        of("lead").sentence.contains("3 printed numbers do not follow, 6.1 (recomputed 6.50)"),
        "{}",
        of("lead").sentence
    );
    assert!(of("unknown-id: c.json").sentence.contains("2 times in 2 files"), "{}", of("unknown-id: c.json").sentence);
    // An old copy alone says where the right one stands.
    let copies = made(&entries()[..2]).issues;
    let copy = copies.iter().find(|issue| issue.id == "old-1").unwrap();
    let Cause::Audited(origin) = &copy.cause else { panic!("{:?}", copy.cause) };
    assert_eq!(origin.words(), "README.md prints 97.6, which agrees");
}

/// A sentence that can mean two values which do not agree about the print: none is picked, and both are told.
#[test]
fn a_claim_with_several_readings_is_told_with_all_of_them() {
    let other = A.replace("accuracy-mean-sd.mean", "majority-of-3.percent");
    for (printed, from, reading) in [("98.2", A, other.as_str()), ("98.2", other.as_str(), A)] {
        let entry =
            format!("{}readings = {{ \"the other way\" = \"{reading}\" }}\n", claim("by", "x.md", printed, from));
        let judgements = made(&[entry]).judgements;
        let claim = &judgements.claims[0];
        assert_eq!((claim.verdict, claim.missing), (Verdict::NotCheckable, Some(claims::MissingReason::Ambiguous)));
        let mut values: Vec<&str> = claim.readings.iter().map(|reading| reading.value.as_str()).collect();
        values.sort_unstable();
        assert_eq!(values, ["97.63", "98.17"]);
        assert!(claim.reason.as_ref().unwrap().contains("the other way"));
    }
    // Where both readings agree with the print, or neither does, there is nothing to tell.
    let entry = format!("{}readings = {{ \"the same\" = \"{A}\" }}\n", claim("by", "x.md", "97.6", A));
    assert!(made(&[entry]).judgements.claims[0].readings.is_empty());
}

fn title(id: &str) -> &'static str {
    statistics::ALL.iter().map(|statistic| statistic.about()).find(|about| about.id == id).unwrap().title
}
