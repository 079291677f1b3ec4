//! Archives as they come: sound, damaged in every way that was met, and real.

use std::collections::BTreeMap;

use repro::archive::{Actual, Archive, AttemptOutcome, Gradability, Hindrance, RunKey, State, read};
use repro::packs::recognise;
use repro::report::{Findings, Severity};
use repro::world::disk::Folder;
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

use crate::shared::shared;

const STUDY: &str = "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
    authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
    [[set]]\nid='p'\ntitle='P'\nkind='problems'\npath='p.json'\n\
    [[configuration]]\nkey='m'\nname='M'\nbackbone='M'\nsetting='reasoning'\n\
    [[experiment]]\nid='e'\nfolder='runs'\nset='p'\nprotocol='code'\nruns=3\n\
    [[experiment]]\nid='o'\nfolder='option'\nset='p'\nprotocol='option'\nruns=1\nchoice='evaluation-lines'\n";

/// Sound records that stand around each damaged one.
const FIRST: &str = r#"{"id":"first","passed":true,"details":[{"sub":"1","expected":["2"],"expected_units":["m"],"actual":2.0,"actual_unit":"m","passed":true}]}"#;
const LAST: &str = r#"{"id":"last","passed":false,"failed_reason":"no code in response","attempts":[]}"#;

struct Read {
    archive: Archive,
    /// Codes with the places, gravest first.
    found: Vec<(&'static str, String)>,
    /// Ids in the order of the records, with the number of texts that were shown.
    shown: Vec<Vec<(String, usize)>>,
}

fn read_all(source: &dyn Source) -> Read {
    let study = recognise(source).unwrap().study;
    let measure = |_: &RunKey, record: &repro::archive::Record, texts: &[repro::archive::AttemptText<'_>]| {
        (record.id.as_str().to_owned(), texts.len())
    };
    let (archive, shown, findings) = read(source, &study, &Silent, &measure).unwrap();
    assert_eq!(archive.runs.len(), shown.len());
    for (run, shown) in archive.runs.iter().zip(&shown) {
        assert!(run.records.iter().map(|r| r.id.as_str()).eq(shown.iter().map(|(id, _)| id.as_str())));
        assert!(run.records.is_sorted_by(|a, b| a.id < b.id));
    }
    assert!(archive.runs.is_sorted_by(|a, b| a.key < b.key));
    Read { archive, found: found(&findings), shown }
}

fn found(findings: &Findings) -> Vec<(&'static str, String)> {
    findings.iter().map(|f| (f.code, format!("{}: {}", f.place, f.message))).collect()
}

fn one(content: impl Into<Vec<u8>>) -> Read {
    read_all(&Memory::default().with("study.toml", STUDY).with("runs/m.run1.json", content))
}

fn run_of(records: &[&[u8]]) -> Vec<u8> {
    let mut text = br#"{"metrics":{"model":"m","exp_id":"e","run":1},"results":["#.to_vec();
    text.extend(records.join(&b","[..]));
    text.extend_from_slice(b"]}");
    text
}

/// Reads a damaged record between two sound ones.
fn between(record: &[u8]) -> Read {
    one(run_of(&[FIRST.as_bytes(), record, LAST.as_bytes()]))
}

fn ids(read: &Read) -> Vec<&str> {
    read.archive.runs.iter().flat_map(|run| &run.records).map(|record| record.id.as_str()).collect()
}

#[test]
fn a_sound_run_says_nothing() {
    let read = one(run_of(&[FIRST.as_bytes(), LAST.as_bytes()]));
    assert_eq!((read.found.len(), ids(&read)), (0, vec!["first", "last"]));
    let last = read.archive.runs[0].get("last").unwrap();
    assert_eq!((last.state(), last.gradability(), last.num_attempts), (State::Fail, Gradability::Ungradable, None));
}

/// Each damage that stops a file: what is said, where, and which records stand.
#[test]
fn what_breaks_a_file_is_named_with_record_and_byte() {
    let whole = run_of(&[FIRST.as_bytes(), LAST.as_bytes()]);
    let cut = whole.len() - LAST.len();
    let utf16: Vec<u8> = whole.iter().flat_map(|byte| [*byte, 0]).collect();
    let cases: [(&str, Vec<u8>, &str, &str, &[&str]); 10] = [
        ("empty", Vec::new(), "empty-file", "runs/m.run1.json", &[]),
        ("white space only", b" \n".to_vec(), "torn-file", "record 0, byte 2", &[]),
        ("cut inside record 1", whole[..cut + 9].to_vec(), "torn-file", "record 1, byte ", &["first"]),
        (
            "cut before the last bracket",
            whole[..whole.len() - 1].to_vec(),
            "torn-file",
            "record 2, byte ",
            &["first", "last"],
        ),
        ("text after the end", [&whole[..], b" {}"].concat(), "torn-file", "record 2", &["first", "last"]),
        ("UTF-16", [b"\xff\xfe", &utf16[..]].concat(), "not-utf8", "byte 0", &[]),
        ("UTF-16 without mark", utf16, "not-utf8", "byte 1", &[]),
        ("a list", b"[1]".to_vec(), "torn-file", "record 0, byte 0", &[]),
        ("no results", b"{\"metrics\":{}}".to_vec(), "bad-run", "runs/m.run1.json", &[]),
        ("results of another kind", b"{\"results\":7}".to_vec(), "torn-file", "record 0, byte 11", &[]),
    ];
    for (name, content, code, place, stand) in cases {
        let read = one(content);
        let hit = read.found.iter().find(|(found, _)| *found == code);
        assert!(hit.is_some_and(|(_, text)| text.contains(place)), "{name}: {:?}", read.found);
        assert_eq!(ids(&read), stand, "{name}");
    }
}

/// Each damage that costs one record or one member; the neighbours are always there.
#[test]
fn what_breaks_a_record_costs_that_record_only() {
    let cases: [(&[u8], &str, bool); 17] = [
        (b"null", "bad-record", false),
        (b"[]", "bad-record", false),
        (b"{}", "bad-record", false),
        (b"{\"id\":7,\"passed\":true}", "bad-record", false),
        (b"{\"id\":\"x\",\"passed\":\"true\"}", "bad-record", false),
        (b"{\"id\":\"x\",\"passed\":true,\"details\":\"none\"}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"details\":[null,{\"sub\":\"1\",\"passed\":true}]}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"details\":[{\"passed\":true}]}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"num_attempts\":\"two\"}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"num_attempts\":1.5}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"attempts\":[3]}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"regraded\":{\"assignment\":{\"1\":\"a\"}}}", "bad-member", true),
        (b"{\"id\":\"x\",\"passed\":true,\"novel\":{\"deep\":[1]}}", "unknown-member", true),
        (b"{\"id\":\"x\\ud800\",\"passed\":true}", "repaired-text", true),
        (b"{\"id\":\"x\",\"passed\":true,\"note\":\"a\x01b\"}", "repaired-text", true),
        // The unit in GBK: the byte is named, the replacement is seen, nothing is guessed.
        (b"{\"id\":\"x\",\"passed\":true,\"note\":\"\xa6\xccg\"}", "not-utf8", true),
        (b"{\"id\":\"first\",\"passed\":false}", "duplicate-id", false),
    ];
    for (record, code, kept) in cases {
        let name = String::from_utf8_lossy(record);
        let read = between(record);
        let hit = read.found.iter().find(|(found, _)| *found == code);
        assert_eq!(read.found.len(), 1, "{name}: {:?}", read.found);
        assert!(
            hit.is_some_and(|(_, text)| text.contains("record 1") || code == "unknown-member"),
            "{name}: {:?}",
            read.found
        );
        assert_eq!(ids(&read).len(), 2 + usize::from(kept), "{name}");
        assert!(ids(&read).starts_with(&["first", "last"]), "{name}");
    }
}

#[test]
fn a_repeated_id_shows_both_verdicts_and_the_first_is_used() {
    let read = between(b"{\"id\":\"first\",\"passed\":false}");
    assert!(read.found[0].1.contains("record 0 (passed) is used, this one (failed) is not"), "{:?}", read.found);
    assert_eq!(read.archive.runs[0].get("first").unwrap().passed, Some(true));
    assert_eq!(read.shown[0].len(), 2);
}

#[test]
fn numbers_that_strict_readers_refuse_are_read() {
    let actuals = "NaN,-Infinity,1e400,18446744073709551617,true,null,\"12 m\",[1, 2.50],{\"low\": 1.0}";
    let items = [
        "NaN",
        "-Infinity",
        "1e400",
        "18446744073709551617",
        "true",
        "null",
        "\"12 m\"",
        "[1, 2.50]",
        "{\"low\": 1.0}",
    ];
    assert_eq!(items.join(","), actuals);
    let huge = format!("1{}", "0".repeat(400));
    let details: Vec<String> = items
        .iter()
        .chain([&&*huge])
        .map(|actual| format!("{{\"sub\":\"1\",\"expected\":[7,\"7\",1E-5],\"actual\":{actual},\"passed\":false}}"))
        .collect();
    let record = format!("{{\"id\":\"x\",\"passed\":false,\"details\":[{}]}}", details.join(","));
    let read = between(record.as_bytes());
    assert!(read.found.is_empty(), "{:?}", read.found);
    let run = &read.archive.runs[0];
    let details = run.get("x").unwrap().details.as_ref().unwrap();
    let show = |actual: &Actual| match actual {
        Actual::Missing => "missing".to_owned(),
        Actual::Number(number) => repro::number::repr(*number),
        Actual::Text(text) => format!("text {text}"),
    };
    let shown: Vec<_> = details.iter().map(|detail| show(&detail.actual)).collect();
    assert_eq!(
        shown,
        [
            "nan",
            "-inf",
            "inf",
            "1.8446744073709552e+19",
            "1.0",
            "missing",
            "text 12 m",
            "text [1, 2.5]",
            "text {'low': 1.0}",
            "inf"
        ]
    );
    assert_eq!(details[0].expected.iter().map(|e| &**e).collect::<Vec<_>>(), ["7", "7", "1e-05"]);
    let literals: Vec<_> = read.archive.literals.iter().map(|((_, _, at), digits)| (*at, digits.len())).collect();
    assert_eq!(literals, [(2, 5), (3, 20), (9, 401)]);
}

#[test]
fn nesting_of_any_depth_costs_nothing() {
    let deep = format!("{{\"id\":\"x\",\"passed\":true,\"extra\":{}1{}}}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(ids(&between(deep.as_bytes())), ["first", "last", "x"]);
    let deep =
        format!("{{\"id\":\"x\",\"passed\":true,\"regraded\":{}1{}}}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let read = between(deep.as_bytes());
    assert_eq!((ids(&read).len(), read.found[0].0), (3, "repaired-text"));
}

#[test]
fn members_in_any_order_with_mark_and_carriage_returns_read_alike() {
    let plain = run_of(&[FIRST.as_bytes(), LAST.as_bytes()]);
    let reordered =
        format!("{{\"results\":[{FIRST},{LAST}],\"metrics\":{{\"model\":\"m\",\"exp_id\":\"e\",\"run\":1}}}}");
    let wide = String::from_utf8(plain.clone()).unwrap().replace(',', " ,\r\n\t ").replace(':', " : ");
    let marked = [b"\xef\xbb\xbf", &plain[..]].concat();
    let expected = one(plain).archive.runs.remove(0);
    for content in [reordered.into_bytes(), wide.into_bytes(), marked] {
        let read = one(content);
        assert!(read.found.is_empty(), "{:?}", read.found);
        assert_eq!(
            (&read.archive.runs[0].records, &read.archive.runs[0].declared),
            (&expected.records, &expected.declared)
        );
    }
}

#[test]
fn a_run_that_says_it_is_another_is_named() {
    let text = br#"{"metrics":{"model":"n","exp_id":"f","run":2,"total":3,"accuracy":0.5},"results":[]}"#;
    let read = one(text.to_vec());
    assert_eq!(read.found.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["identity-differs"; 3]);
    assert_eq!(read.archive.runs[0].declared.total, Some(3));
}

#[test]
fn records_of_every_state_are_told_apart() {
    let read = one(run_of(&[
        br#"{"id":"a","passed":false,"error":"timeout","attempts":[],"num_attempts":0}"#,
        br#"{"id":"b","passed":false,"error":"timeout","error_as_fail":{"policy":"counted"}}"#,
        br#"{"id":"c","passed":false,"details":[{"error":"empty results"}],"num_attempts":2.0}"#,
        br#"{"id":"d","passed":false}"#,
        br#"{"id":"e","error":"","passed":true,"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        br#"{"id":"f","passed":false,"attempts":[{"prompt":"q","response":"r","reasoning":" ","outcome":"ungradable: no code"},
            {"response":"s","outcome":"graded"},{"outcome":"odd"}]}"#,
    ]));
    let run = &read.archive.runs[0];
    let states: Vec<_> = run.records.iter().map(|record| (record.state(), record.gradability())).collect();
    assert_eq!(
        states,
        [
            (State::Excluded, Gradability::Ungradable),
            (State::Fail, Gradability::Ungradable),
            (State::Fail, Gradability::Graded),
            (State::Fail, Gradability::Unknown),
            (State::Pass, Gradability::Graded),
            (State::Fail, Gradability::Graded),
        ]
    );
    assert_eq!(run.records[2].num_attempts, Some(2));
    assert_eq!(run.records[4].usage.unwrap().total, 3);
    let attempts = run.records[5].attempts.as_ref().unwrap();
    assert_eq!(attempts[0].outcome, AttemptOutcome::Ungradable("no code".into(), Hindrance::Answer));
    assert!(!attempts[0].has_reasoning && attempts[1].response_bytes == 1);
    assert_eq!(read.shown[0][5], ("f".to_owned(), 3));
}

#[test]
fn option_answers_stand_line_by_line() {
    let lines = "{\"id\":\"p2\",\"score\":1.0,\"response\":\"\\\\boxed{A}\"}\r\n\n{\"id\":\"p1\",\"score\":0}\n{\"id\":\"p3\"\n\
        {\"id\":\"p1\",\"score\":1}\n{\"id\":\"p4\",\"score\":\"1\"}\n{\"score\":1}";
    let read = read_all(&Memory::default().with("study.toml", STUDY).with("option/m/evaluation.jsonl", lines));
    let run = &read.archive.runs[0];
    let verdicts: Vec<_> = run.records.iter().map(|record| (record.id.as_str(), record.passed)).collect();
    assert_eq!(verdicts, [("p1", Some(false)), ("p2", Some(true)), ("p4", None)]);
    let mut codes: Vec<_> = read.found.iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["bad-member", "bad-record", "bad-record", "duplicate-id"], "{:?}", read.found);
    assert!(read.found.iter().any(|(code, text)| *code == "bad-record" && text.contains("line 4")), "{:?}", read.found);
    assert_eq!(read.shown[0][1].1, 1);
}

#[test]
fn links_are_named_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("study.toml"), STUDY).unwrap();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("runs/m.run1.json")).unwrap();
    let read = read_all(&Folder::new(folder.path()).unwrap());
    assert!(read.archive.runs.is_empty());
    assert_eq!(read.found[0].0, "not-followed");
}

#[test]
fn a_flood_of_faults_is_counted_not_listed() {
    let nulls = vec![&b"null"[..]; 5000];
    let read = one(run_of(&nulls));
    assert_eq!(read.found.len(), 101);
    assert!(read.found.iter().any(|(_, text)| text.contains("4900 more")), "{:?}", read.found.last());
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let mut source = Memory::default().with("study.toml", STUDY);
    for run in 1..=3 {
        for key in ["m", "n", "o"] {
            let record = format!("{{\"id\":\"r{run}\",\"passed\":true,\"note\":\"{key}\"}}");
            source = source
                .with(&format!("runs/{key}.run{run}.json"), run_of(&[record.as_bytes(), b"null", FIRST.as_bytes()]));
        }
    }
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let read = pool.install(|| read_all(&source));
        (format!("{:?}", read.archive), read.found, read.shown)
    };
    assert_eq!(with(1), with(4));
}

/// The development archive: counts from its README.
#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_shared_archive_is_read_without_damage() {
    let path = shared("atmoscoder");
    let source = Folder::new(&path).unwrap();
    let study = recognise(&source).unwrap().study;
    let read = read_all(&source);
    let grave: Vec<_> = read.found.iter().filter(|(code, _)| severity(code) > Severity::Missing).collect();
    assert!(grave.is_empty(), "{grave:?}");
    let mut files: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for run in &read.archive.runs {
        let count = files.entry(run.key.experiment.as_str()).or_default();
        *count = (count.0 + 1, count.1 + run.records.len());
    }
    let expected =
        [("core_code", (48, 48 * 436)), ("mcq_code", (3, 2010)), ("mcq_option", (3, 2010)), ("trap", (27, 27 * 67))];
    assert_eq!(files.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(read.archive.transcripts.len(), 328);
    let attempts: usize = read.archive.transcripts.iter().map(|transcript| transcript.texts.len()).sum();
    assert_eq!(attempts, 457);
    let annotations = &read.archive.annotations;
    assert_eq!((annotations.judged.len(), annotations.traces.len()), (11, 10));
    assert_eq!((annotations.scans[0].scanned, annotations.scans[0].annotator_table["both_honest"]), (Some(20_928), 15));
    let (corpus, findings) = repro::corpus::read(&source, &study);
    assert!(found(&findings).iter().all(|(code, _)| *code == "optional-absent"), "{:?}", found(&findings));
    let sizes: Vec<_> = corpus.sets.iter().map(|set| set.problems.len()).collect();
    assert_eq!(sizes, [436, 1730, 67, 37, 21, 19, 54, 169, 169, 670, 10]);
}

fn severity(code: &str) -> Severity {
    repro::report::code(code).unwrap().severity
}
