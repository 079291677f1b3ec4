//! Tables of every kind, and what damage to them says.

use super::*;
use crate::archive::{Archive, Record, Selection, State};
use crate::corpus::Corpus;
use crate::formats::Formats;
use crate::report::Findings;
use crate::study::Study;
use crate::world::Silent;
use crate::world::memory::Memory;

fn load(path: &str, content: impl Into<Vec<u8>>) -> (Study, Corpus, Archive, Findings) {
    let source = Memory::default().with(path, content);
    let study = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study;
    let read = Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    (study, read.0, read.1, read.3)
}

/// Marks by configuration, in the order of problems.
fn marks(archive: &Archive) -> Vec<(String, String)> {
    let letter = |record: &Record| match record.state() {
        State::Pass => 'P',
        State::Fail => 'F',
        State::Excluded => '-',
    };
    let one = |run: &crate::archive::Run| (run.key.configuration.to_string(), run.records.iter().map(letter).collect());
    archive.runs.iter().map(one).collect()
}

fn expected(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

const LONG: &str =
    "task,model,passed,topic\nt0,alpha,1,x\nt1,alpha,0,y\nt2,alpha,1,x\nt0,beta,0,x\nt1,beta,0,y\nt2,beta,1,x\n";

#[test]
fn the_same_rows_read_alike_from_every_storage() {
    let wanted = expected(&[("alpha", "PFP"), ("beta", "FFP")]);
    let rows: Vec<Vec<&str>> = LONG.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let object = |row: &Vec<&str>| {
        let flag = row[2] == "1";
        format!(
            "{{\"task\": \"{}\", \"model\": \"{}\", \"passed\": {flag}, \"topic\": \"{}\"}}",
            row[0], row[1], row[3]
        )
    };
    let objects: Vec<String> = rows.iter().map(object).collect();
    let no_header = LONG.split_once('\n').unwrap().1.to_owned();
    let wide = "task,alpha,beta,topic\nt0,1,0,x\nt1,0,0,y\nt2,1,1,x\n".to_owned();
    for (path, content) in [
        ("a.csv", LONG.to_owned()),
        ("a.csv", format!("\u{feff}{}", LONG.replace('\n', "\r\n"))),
        ("a.tsv", LONG.replace(',', "\t")),
        ("a.csv", LONG.replace(',', ";")),
        ("a.csv", LONG.replace("t0", "\"t0\"")),
        ("a.csv", LONG.replace(",1,", ",passed,").replace(",0,", ",failed,")),
        ("a.csv", no_header),
        ("a.csv", wide),
        ("a.jsonl", objects.join("\n")),
        ("a.json", format!("[{}]", objects.join(", "))),
        ("a.json", format!("{{\"date\": 3, \"rows\": [{}]}}", objects.join(", "))),
    ] {
        let (_, corpus, archive, findings) = load(path, content.clone());
        assert!(findings.is_empty(), "{content}\n{findings:?}");
        assert_eq!(marks(&archive), wanted, "{content}");
        assert_eq!(corpus.sets[0].problems.len(), 3);
    }
}

#[test]
fn labels_of_problems_and_samples_of_answers() {
    let (study, corpus, archive, _) =
        load("a.csv", "task_id,arm,sample,passed,topic\nt0,m,0,1,x\nt0,m,1,0,x\nt1,m,0,1,y\nt1,m,1,1,y\n");
    assert_eq!(study.experiments[0].runs, 2);
    assert_eq!(corpus.sets[0].problems[1].labels.get("topic").map(|text| &**text), Some("y"));
    assert_eq!(marks(&archive), expected(&[("m", "PP"), ("m", "FP")]));
}

#[test]
fn scores_are_no_marks_and_percent_is_told_from_fractions() {
    let (study, _, archive, findings) = load("a.csv", "question_id,model,pass@1\na,m,0\nb,m,40\na,n,100\nb,n,10\n");
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(study.experiments[0].columns.get("scale").map(String::as_str), Some("percent"));
    assert_eq!(archive.runs[0].records.iter().map(|r| r.score).collect::<Vec<_>>(), [Some(0.0), Some(0.4)]);
    assert!(archive.runs[0].records.iter().all(|record| record.state() == State::Excluded));
    let (_, _, archive, _) = load("a.csv", "task;model;score\na;m;0,25\nb;m;0,5\n");
    assert_eq!(archive.runs[0].records.iter().map(|r| r.score).collect::<Vec<_>>(), [Some(0.25), Some(0.5)]);
}

#[test]
fn a_rate_keeps_its_n() {
    let (_, _, archive, findings) = load("a.csv", "task,model,num_correct,n\na,m,3,10\nb,m,10,10\nc,m,11,10\n");
    let records = &archive.runs[0].records;
    assert_eq!(records.iter().map(|r| r.score).collect::<Vec<_>>(), [Some(0.3), Some(1.0), None]);
    assert_eq!(records[0].labels.get("n").map(|text| &**text), Some("10"));
    assert!(findings.iter().any(|finding| finding.code == "bad-member"));
}

#[test]
fn missing_cells_are_neither_right_nor_wrong() {
    let (_, _, archive, _) = load("a.csv", "task,model,passed\na,m,1\nb,m,NA\nc,m,0\n");
    assert_eq!(marks(&archive), expected(&[("m", "P-F")]));
    let (_, _, archive, _) = load("a.csv", "task,alpha,beta\na,1,NA\nb,0,1\n");
    assert_eq!(archive.runs.iter().map(|run| run.records.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(archive.coverage.iter().map(|row| row.absent).collect::<Vec<_>>(), [Some(0), Some(1)]);
}

#[test]
fn damage_is_told_with_its_line() {
    let mut latin = LONG.as_bytes().to_vec();
    latin[LONG.find("t1,alpha").unwrap()] = 0xe9;
    let sampled = "task,model,sample,passed\na,m,0,1\na,m,0,0\nb,m,0,1\n";
    for (content, code, line) in [
        (format!("{LONG}t3,beta").into_bytes(), "bad-record", Some(8)),
        (LONG.replace("t1,beta,0", "t1,beta,maybe").into_bytes(), "bad-member", Some(6)),
        (LONG.replace("t1,beta", ",beta").into_bytes(), "bad-record", Some(6)),
        (latin, "not-utf8", Some(3)),
        (sampled.as_bytes().to_vec(), "duplicate-id", Some(3)),
    ] {
        let source = Memory::default().with("a.csv", LONG);
        let study = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study;
        let (study, source) = match code {
            "duplicate-id" => {
                let source = Memory::default().with("a.csv", content);
                (Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study, source)
            }
            _ => (study, Memory::default().with("a.csv", content)),
        };
        let (_, _, _, findings) =
            Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
        let found = findings.iter().find(|finding| finding.code == code);
        assert_eq!(found.unwrap_or_else(|| panic!("{code}: {findings:?}")).place.line, line, "{code}");
    }
}

#[test]
fn a_column_that_is_declared_and_absent_is_told() {
    let source = Memory::default().with("a.csv", LONG);
    let mut study = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study;
    study.experiments[0].columns.insert("passed".to_owned(), "ok".to_owned());
    let (_, _, _, findings) =
        Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    assert!(findings.iter().any(|finding| finding.code == "bad-run" && finding.message.contains("\"ok\"")));
}

#[test]
fn a_wide_table_of_rates_holds_scores_even_where_a_cell_is_one() {
    let (study, _, archive, findings) = load("a.csv", "problem;alpha;beta\np1;0,5;1\np2;0,25;NA\np3;1;0\n");
    assert_eq!(study.estimators[0].kind, EstimatorKind::Score);
    let scores: Vec<Vec<Option<f64>>> =
        archive.runs.iter().map(|run| run.records.iter().map(|record| record.score).collect()).collect();
    assert_eq!(scores, [vec![Some(0.5), Some(0.25), Some(1.0)], vec![Some(1.0), Some(0.0)]]);
    assert!(archive.runs.iter().flat_map(|run| &run.records).all(|record| record.passed.is_none()));
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_table_of_stated_numbers_is_a_study_without_records() {
    let (study, corpus, archive, findings) = load("a.csv", ",model,accuracy,rank\n0,alpha,0.5,2\n1,beta,0.75,1\n");
    assert_eq!(study.configurations.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["alpha", "beta"]);
    assert!(corpus.sets.is_empty() && archive.runs.is_empty() && findings.is_empty());
    let stated: Vec<_> = archive.summaries.iter().map(|s| (&*s.metric, s.configuration.as_str(), s.value)).collect();
    assert_eq!(
        stated,
        [("accuracy", "alpha", 0.5), ("rank", "alpha", 2.0), ("accuracy", "beta", 0.75), ("rank", "beta", 1.0)]
    );
}

#[test]
fn a_quote_that_is_not_closed_takes_a_row_and_not_the_file() {
    let rows: String = (0..1000).map(|row| format!("{row},m,1\n")).collect();
    let mut text = format!("task,model,passed\n{rows}b,m,\"1\n");
    while text.len() < 18 << 20 {
        text.push_str("c,m,0 and a great deal of text that goes on and on\n");
    }
    let (_, _, archive, findings) = load("t.csv", text);
    assert_eq!(marks(&archive), expected(&[("m", &"P".repeat(1000))]));
    let torn: Vec<_> = findings.iter().filter(|finding| finding.code == "torn-file").collect();
    assert!(torn.len() == 1 && torn[0].message.contains("a quote is not closed"), "{findings:?}");
}
