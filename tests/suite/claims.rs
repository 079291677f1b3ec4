//! The judge over a ledger that has one claim per verdict, with facts made by hand.

use std::collections::BTreeMap;

use repro::claims::{self, Judgements, MissingReason, Sources, Verdict};
use repro::report::Severity;
use repro::statistics::{About, Basis, Estimate, Fact, Facts, KeyDoc};
use repro::study::Study;
use repro::table::{Cell, Kind, Table};

static ACC: About = About {
    id: "acc",
    also: &["accuracy"],
    title: "Accuracy",
    unit: "percent",
    meaning: "",
    formula: "",
    source: "",
    edge_cases: "",
    example: "",
    keys: &[KeyDoc { key: "model", meaning: "configuration" }],
    measures: &[("mean", ""), ("sd", ""), ("share", "")],
};

fn fact(measure: &'static str, model: &str, estimate: Estimate) -> Fact {
    Fact { statistic: "acc", measure, keys: [("model".into(), model.into())].into(), estimate, basis: Basis::Records }
}

fn facts() -> Facts {
    Facts::new(vec![
        fact("mean", "a", Estimate::value(95.649)),
        fact("mean", "b", Estimate::value(80.25)),
        fact("mean", "c", Estimate::value(58.3)),
        fact("sd", "a", Estimate::value(0.7)),
        fact("sd", "b", Estimate::value(0.5)),
        fact("sd", "c", Estimate::undefined("one run has no spread")),
        fact("share", "c", Estimate::percent(4, 11)),
    ])
}

fn study() -> Study {
    let text = include_str!("../fixtures/claims/study.toml");
    toml::from_str(text).unwrap()
}

fn table() -> Table {
    let mut table = Table::new("T1", "t", &["acc"], &[("model", Kind::Text, ""), ("acc", Kind::Real, "percent")]);
    for (model, value) in [("a", 95.649), ("b", 80.25), ("c", 58.3)] {
        table.push(vec![Cell::text(model), Cell::fixed(value, 1)]);
    }
    table
}

fn judged(ledger: &str) -> Judgements {
    let (ledger, findings) = claims::read("claims.toml", ledger.as_bytes());
    let (study, facts, tables) = (study(), facts(), [table()]);
    let published: BTreeMap<String, String> =
        [("T4", "model,tokens\na,0.354\nb,0.600\n"), ("T1", "model,acc\na,95.6\nb,80.3\nc,58.9\nd,1.0\n")]
            .map(|(id, text)| (id.to_owned(), text.to_owned()))
            .into();
    let mut sources = Sources::new(&study, &facts, &tables, &published);
    sources.known = vec![&ACC];
    let mut judgements = claims::judge(&[ledger], &sources);
    judgements.findings.extend(findings);
    judgements
}

fn fixture() -> Judgements {
    judged(include_str!("../fixtures/claims/verdicts.toml"))
}

#[test]
fn each_claim_gets_the_verdict_it_was_made_for() {
    use Verdict::{ConflictingSources, Consistent, Differs, Impossible, NotCheckable, Reproduced, RoundsTheOtherWay};
    let expected = [
        ("value", Reproduced),
        ("half-up", Reproduced),
        ("half-even", Reproduced),
        ("cut-off", RoundsTheOtherWay),
        ("wrong", Differs),
        ("no-count-gives-it", Impossible),
        ("spread-zero", Impossible),
        ("probability-above-one", Impossible),
        ("possible-at-least", NotCheckable),
        ("possible-at-most", Impossible),
        ("undefined", NotCheckable),
        ("range", Reproduced),
        ("range-outward", Reproduced),
        ("about", Differs),
        ("more-than", Reproduced),
        ("list", Reproduced),
        ("list-half-known", NotCheckable),
        ("statement", Reproduced),
        ("statement-wrong", Differs),
        ("superlative", Reproduced),
        ("rank", Reproduced),
        ("erratum", Differs),
        ("erratum-that-holds", Reproduced),
        ("counts", Consistent),
        ("repeats-a-table", NotCheckable),
        ("contradicts-a-table", ConflictingSources),
        ("follows-from-a-table", Consistent),
        ("listed-conflict", ConflictingSources),
        ("unknown-statistic", NotCheckable),
        ("unknown-key", NotCheckable),
        ("unknown-unit", NotCheckable),
        ("no-parse", NotCheckable),
        ("board.a.accuracy", Reproduced),
        ("board.b.accuracy", Differs),
        ("board.b.sd", Reproduced),
    ];
    let judgements = fixture();
    for (id, verdict) in expected {
        let judgement = judgements.get(id).unwrap_or_else(|| panic!("{id} has no judgement"));
        assert_eq!(judgement.verdict, verdict, "{id}: {judgement:#?}");
    }
    // The repeated id is a judgement of its own, so nothing is lost: 35 expected and one broken entry.
    assert_eq!(judgements.claims.len(), expected.len() + 1);
    assert_eq!(judgements.summary.claims, judgements.claims.len());
    assert_eq!(judgements.summary.verdicts.values().sum::<usize>(), judgements.claims.len());
}

#[test]
fn a_judgement_shows_interval_value_basis_and_links() {
    let judgements = fixture();
    let value = judgements.get("value").unwrap();
    let part = &value.parts[0];
    assert_eq!((part.value, part.decimals), (Some(95.649), Some(1)));
    let (low, high) = part.interval.unwrap();
    assert!((low - 95.55).abs() < 1e-12 && (high - 95.65).abs() < 1e-12);
    assert_eq!(value.basis, Some(claims::Basis::Records));
    assert_eq!(value.links[0].keys["model"], "a");
    assert_eq!(judgements.get("counts").unwrap().basis, Some(claims::Basis::Counts));
    assert_eq!(judgements.get("possible-at-least").unwrap().remark.as_deref(), Some("possible: 417 of 436"));
    assert_eq!(judgements.get("repeats-a-table").unwrap().remark.as_deref(), Some("agrees with T4.csv"));
    assert_eq!(judgements.get("undefined").unwrap().missing, Some(MissingReason::Undefined));
    assert_eq!(judgements.get("listed-conflict").unwrap().recomputation, Some(Verdict::Reproduced));
}

#[test]
fn mistakes_of_a_ledger_name_entry_and_member_and_cost_nothing_else() {
    let judgements = fixture();
    let bad = |id: &str| {
        let all = judgements.findings.iter().filter(|finding| finding.code == "bad-ledger");
        let own: Vec<_> = all.filter(|finding| finding.place.subject.as_deref() == Some(id)).collect();
        assert!(!own.is_empty(), "{id} has no finding");
        own.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>().join("; ")
    };
    assert!(bad("unknown-key").contains("no key `colour`"));
    assert!(bad("unknown-unit").contains("`unit` `furlongs`"));
    assert!(bad("no-parse").contains("column 22"));
    assert!(bad("value").contains("occurs twice"));
    assert!(bad("unknown-statistic").contains("`nothing`"));
    let lines = judgements.findings.iter().filter(|finding| finding.code == "bad-ledger").map(|f| f.place.line);
    assert!(lines.into_iter().all(|line| line.is_some()));
}

#[test]
fn errata_change_no_exit_code_and_are_checked_themselves() {
    let judgements = fixture();
    let of = |id: &str| -> Vec<(&str, Severity)> {
        let own = judgements.findings.iter().filter(|finding| finding.place.subject.as_deref() == Some(id));
        own.map(|finding| (finding.code, finding.severity)).collect()
    };
    assert_eq!(of("erratum"), [("claim-erratum", Severity::Note)]);
    assert_eq!(of("erratum-that-holds"), [("erratum-holds", Severity::Disagrees)]);
    assert_eq!(of("wrong"), [("claim-differs", Severity::Disagrees)]);
    assert_eq!(of("cut-off"), [("claim-rounds", Severity::Disagrees)]);
}

#[test]
fn rows_of_a_published_table_are_judged_one_by_one() {
    let judgements = fixture();
    let table = &judgements.tables[0];
    assert_eq!((table.rows, table.verdict), (4, Verdict::Reproduced));
    assert_eq!(table.verdicts.values().sum::<usize>(), 4);
    let exceptions: Vec<(usize, Verdict)> = table.exceptions.iter().map(|row| (row.line, row.verdict)).collect();
    assert_eq!(exceptions, [(4, Verdict::Differs), (5, Verdict::Differs)]);
}

#[test]
fn a_listed_conflict_is_shown_and_a_settled_one_is_told_once() {
    let judgements = fixture();
    assert!(judgements.conflicts.iter().any(|conflict| conflict.id == "two-papers" && !conflict.found));
    // 80.9 and 80.3 are printed for one value; the recomputation says which is wrong, and that is all to say.
    let wrong = judgements.get("board.b.accuracy").unwrap();
    assert_eq!((wrong.verdict, wrong.conflicts.len()), (Verdict::Differs, 0));
    assert!(judgements.conflicts.iter().all(|conflict| !conflict.claims.contains(&wrong.id)));
    let told: Vec<_> =
        judgements.findings.iter().filter(|finding| finding.place.subject.as_deref() == Some(&*wrong.id)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
}

/// A ledger of single claims that rest on `from`, each printed as given.
fn ledger_of(claims: &[(&str, &str, &str, &str)]) -> Judgements {
    let mut text = "format = \"repro-claims/1\"\n".to_owned();
    for (number, (printed, unit, compare, from)) in claims.iter().enumerate() {
        text.push_str(&format!(
            "[[claim]]\nid = \"c{number}\"\nstatement = \"s\"\nsource = \"place {number}\"\nvalue = {printed:?}\n\
             unit = {unit:?}\ncmp = {compare:?}\nfrom = {from:?}\n"
        ));
    }
    judged(&text)
}

#[test]
fn compatible_roundings_stand_on_one_side_of_a_conflict() {
    let none = "acc.mean{model=nobody}";
    let judgements = ledger_of(&[
        ("96", "percent", "equal", none),
        ("95.6", "percent", "equal", none),
        ("95.64", "percent", "equal", none),
        ("80.9", "percent", "equal", none),
    ]);
    assert_eq!(judgements.conflicts.len(), 1);
    let sides: Vec<_> = judgements.conflicts[0].sides.iter().map(|side| (&*side.says, &*side.source)).collect();
    assert_eq!(sides, [("80.9", "place 3"), ("95.64, also 95.6, also 96", "place 0; place 1; place 2")]);
}

#[test]
fn a_comma_that_sets_off_no_thousands_is_ambiguous() {
    for printed in ["2,4", "1,99,2", "12,34", "0,123"] {
        let judgements = ledger_of(&[(printed, "value", "equal", "acc.mean{model=a}")]);
        let finding = judgements.findings.iter().find(|finding| finding.code == "bad-ledger").unwrap();
        assert!(finding.message.contains("ambiguous"), "{printed}: {finding:?}");
        assert_eq!(judgements.get("c0").unwrap().missing, Some(MissingReason::BrokenEntry), "{printed}");
    }
    assert_eq!(
        ledger_of(&[("1,308", "value", "at-least", "acc.mean{model=a}")]).get("c0").unwrap().verdict,
        Verdict::Differs
    );
}

#[test]
fn what_no_value_of_a_unit_can_be_is_impossible_whatever_follows() {
    for (printed, unit, compare) in [
        ("-3.2", "percent", "equal"),
        ("103", "percent", "equal"),
        ("100.5", "percent", "at-least"),
        ("-0.01", "p", "equal"),
        ("0", "p", "less-than"),
        ("1.3", "p", "equal"),
    ] {
        let judgements = ledger_of(&[(printed, unit, compare, "acc.mean{model=a} - 99")]);
        assert_eq!(judgements.get("c0").unwrap().verdict, Verdict::Impossible, "{printed} {unit} {compare}");
    }
    let zero = ledger_of(&[("0.000", "p", "equal", "acc.mean{model=a} * 0.000001")]);
    let zero = zero.get("c0").unwrap();
    assert!(zero.remark.as_deref().unwrap().contains("no P is zero"), "{zero:?}");
}

#[test]
fn values_are_told_with_one_digit_more_than_printed_and_a_p_with_two() {
    let judgements = ledger_of(&[
        ("91.7", "percent", "equal", "acc.mean{model=a} * 0 + 275 / 3"),
        ("0.7", "p", "equal", "acc.mean{model=a} * 0 + 0.7011080384254456"),
    ]);
    let lines = claims::lines(&judgements, &Verdict::ALL);
    let told: Vec<&str> =
        ["c0", "c1"].iter().map(|id| &*lines.iter().find(|line| line.id == **id).unwrap().recomputed).collect();
    assert_eq!(told, ["91.67", "0.7"]);
}

#[test]
fn judgements_are_the_same_bytes_in_any_order_of_the_ledger() {
    let text = include_str!("../fixtures/claims/verdicts.toml");
    let (head, rest) = text.split_once("\n[[claim]]").unwrap();
    let (claims, tables) = rest.split_once("\n[[table]]").unwrap();
    // Entries whose order matters (the repeated id) are left out.
    let mut entries: Vec<&str> =
        claims.split("\n[[claim]]").filter(|entry| !entry.contains("id = \"value\"")).collect();
    let assemble = |entries: &[&str]| format!("{head}\n[[claim]]{}\n[[table]]{tables}", entries.join("\n[[claim]]"));
    let one = judged(&assemble(&entries));
    entries.reverse();
    let two = judged(&assemble(&entries));
    assert_eq!(one.to_json().to_string(), two.to_json().to_string());
}

#[test]
fn json_and_toml_ledgers_say_the_same() {
    let toml = "format = \"repro-claims/1\"\n[[claim]]\nid = \"x\"\nstatement = \"s\"\nsource = \"p\"\nvalue = 96.0\nfrom = \"1\"\n";
    let json = r#"{"format": "repro-claims/1", "claim": [{"id": "x", "statement": "s", "source": "p", "value": 96.0, "from": "1"}]}"#;
    let (a, b) = (claims::read("a.toml", toml.as_bytes()).0, claims::read("a.json", json.as_bytes()).0);
    assert_eq!(a.claims[0].printed, b.claims[0].printed);
    assert_eq!(a.claims[0].printed[0].decimals, 1);
}

#[test]
fn damaged_ledgers_are_findings_and_never_panics() {
    for (file, text) in [
        ("a.toml", ""),
        ("a.toml", "format = "),
        ("a.json", "{"),
        ("a.json", "[]"),
        ("a.json", "{\"format\": \"other/1\"}"),
        ("a.json", "{\"format\": \"repro-claims/1\", \"claim\": [1, {}, {\"id\": \"x\"}]}"),
        ("a.json", "{\"format\": \"atmoscoder-claims/1\", \"claims\": [{}], \"tables\": [{}], \"raw_tables\": [{}]}"),
    ] {
        let (_, findings) = claims::read(file, text.as_bytes());
        assert!(findings.iter().any(|finding| finding.code == "bad-ledger"), "{text}");
    }
}

#[test]
fn junit_counts_failures_and_escapes_hostile_text() {
    let hostile = "format = \"repro-claims/1\"\n[[claim]]\nid = \"x\"\nstatement = \"</testcase><script>&\\u0001\"\nsource = \"p\"\nvalue = 2\nfrom = \"1\"\n";
    let xml = claims::to_junit(&judged(hostile));
    assert!(xml.contains("failures=\"1\"") && !xml.contains("<script>") && !xml.contains('\u{1}'));
    let all = claims::to_junit(&fixture());
    let failures = all.matches("<failure ").count();
    assert!(all.starts_with("<?xml") && all.contains(&format!("failures=\"{failures}\" errors=\"0\"")));
}

#[test]
fn numbers_of_a_document_become_a_valid_ledger() {
    let document = "# Results\n\n| model | set | acc (%) | gap | note |\n|---|---|---:|---|---|\n\
        | `a` | core | **97.6 ± 0.1** | +3.1 | best |\n| b \"x\" | core | 41.1 ± 1.0 | \u{2014} | |\n\n\
        Text without numbers, 42.\n\n| a | b |\n|---|---|\n| only | words |\n";
    let ledger = claims::suggest("docs/R.md", document, claims::DocumentKind::Markdown);
    let (read, findings) = claims::read("x.toml", ledger.as_bytes());
    assert!(findings.is_empty(), "{findings:?}\n{ledger}");
    let ids: Vec<(&str, Vec<f64>, &str)> = read
        .claims
        .iter()
        .map(|c| (c.id.as_str(), c.printed.iter().map(|p| p.value).collect(), c.unit.as_str()))
        .collect();
    assert_eq!(
        ids,
        [
            ("t01-results.a.core.acc", vec![97.6, 0.1], "percent"),
            ("t01-results.a.core.gap", vec![3.1], "points"),
            ("t01-results.b-x.core.acc", vec![41.1, 1.0], "percent"),
        ]
    );
    assert_eq!(read.claims[0].source, "docs/R.md, table at line 5");
    assert_eq!(read.claims[0].keys["model"], "a");
    let csv = claims::suggest("t.csv", "family,solved,total\nx,57,135\n", claims::DocumentKind::Csv);
    let (read, findings) = claims::read("x.toml", csv.as_bytes());
    assert!(findings.is_empty() && read.claims.len() == 2 && read.claims[0].unit == "count");
}

/// What one `holds` claim says, and its ledger findings.
fn holds(expression: &str) -> (Verdict, Vec<String>) {
    let text = format!(
        "format = \"repro-claims/1\"\n[[claim]]\nid = \"x\"\nstatement = \"s\"\nsource = \"p\"\nholds = '{expression}'\n"
    );
    let judgements = judged(&text);
    let bad = judgements.findings.iter().filter(|finding| finding.code == "bad-ledger");
    (judgements.claims[0].verdict, bad.map(|finding| finding.message.clone()).collect())
}

#[test]
fn selections_fix_let_run_and_exclude_keys() {
    for expression in [
        "count(acc.mean{model=*}) = 3",
        "count(acc.mean{model=!c}) = 2",
        "max(acc.mean{model=b|c}) = 80.25",
        "accuracy.mean{model=a} > 95",
        "acc.mean{model=a} - acc.mean{model=b} > 15 and 1 < 2",
        "count(defined(acc.sd{model=*})) = 2",
        "argmin(acc.mean{model=*}, model) = c",
        "count(where(acc.mean{model=*}, acc.mean{model=*} > 60)) = 2",
    ] {
        assert_eq!(holds(expression), (Verdict::Reproduced, Vec::new()), "{expression}");
    }
    // What rests on printed numbers alone fits them and no more.
    for expression in [
        "published:T4.tokens{model=b} / published:T4.tokens{model=a} > 1.6",
        "count(published:T4.rows{model=*}) = 2",
        "1e-20 != 0",
    ] {
        assert_eq!(holds(expression), (Verdict::Consistent, Vec::new()), "{expression}");
    }
}

#[test]
fn what_cannot_be_meant_is_a_mistake_and_what_is_missing_is_not() {
    for (expression, message) in [
        ("acc.mean{} > 1", "name one more key"),
        ("acc.median{model=a} > 1", "no measure `median`"),
        ("acc.mean{model=@nobody} > 1", "no group"),
        ("published:T4.cost{model=a} > 1", "no column `cost`"),
        ("published:T4.tokens{colour=a} > 1", "no column `colour`"),
        ("claim:nobody > 1", "no claim is called"),
        ("input.n > 1", "the inputs have no"),
        ("acc.mean{model=a} > word", "is a word"),
    ] {
        let (verdict, messages) = holds(expression);
        assert_eq!(verdict, Verdict::NotCheckable, "{expression}");
        assert!(messages.iter().any(|found| found.contains(message)), "{expression}: {messages:?}");
    }
    for expression in
        ["acc.mean{model=z} > 1", "acc.sd{model=c} > 1", "max(acc.sd{model=*}) > 1", "published:T9.x{} > 1"]
    {
        assert_eq!(holds(expression), (Verdict::NotCheckable, Vec::new()), "{expression}");
    }
}

mod properties {
    use proptest::prelude::*;
    use repro::claims::{self, DocumentKind};

    proptest! {
        #[test]
        fn any_document_gives_a_readable_ledger(cells in proptest::collection::vec("[\\PC&&[^|\n]]{0,12}", 4..24)) {
            let rows: Vec<String> = cells.chunks(3).map(|row| format!("| {} |", row.join(" | "))).collect();
            let document = format!("| a | b | c |\n|---|---|---|\n{}\n", rows.join("\n"));
            let ledger = claims::suggest("d.md", &document, DocumentKind::Markdown);
            let parsed: Result<toml::Table, _> = toml::from_str(&ledger);
            prop_assert!(parsed.is_ok(), "{}", ledger);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..120), toml in any::<bool>()) {
            let _ = claims::read(if toml { "x.toml" } else { "x.json" }, &bytes);
        }
    }
}

#[test]
fn totals_stand_by_source_and_the_paper_first() {
    let claim = |id: &str, source: &str, value: &str| {
        format!(
            "[[claim]]\nid='{id}'\nstatement='s'\nsource='{source}'\nvalue='{value}'\nunit='percent'\nstatistic='acc'\n\
             measure='mean'\nkeys={{ model='a' }}\n"
        )
    };
    let claims = [
        claim("one", "docs/report.md, Material", "90.0"),
        claim("two", "README.md results table", "95.6"),
        claim("three", "Paper §4.1", "95.6"),
        claim("four", "article, abstract", "95.6"),
        claim("five", "docs/report.md#end", "95.6"),
    ];
    let judged = judged(&format!("format='repro-claims/1'\n{}", claims.concat()));
    let sources: Vec<(&str, Vec<(Verdict, usize)>)> = judged
        .summary
        .sources
        .iter()
        .map(|(source, verdicts)| (source.as_str(), verdicts.iter().map(|(v, n)| (*v, *n)).collect()))
        .collect();
    let (right, wrong) = (Verdict::Reproduced, Verdict::Differs);
    let expected = [
        ("paper", vec![(right, 2)]),
        ("README.md", vec![(right, 1)]),
        ("docs/report.md", vec![(right, 1), (wrong, 1)]),
    ];
    assert_eq!(sources, expected);
}
