//! Tables of every kind, and what damage to them says.

use super::*;
use crate::archive::{Archive, Record, Scale, Selection, State};
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

/// Stored numbers of a table: name, configuration, printed.
fn stated(archive: &Archive) -> Vec<(String, String, String)> {
    let one =
        |s: &crate::archive::StoredSummary| (s.metric.to_string(), s.configuration.to_string(), s.printed.to_string());
    archive.summaries.iter().map(one).collect()
}

#[test]
fn a_row_of_means_is_no_problem_but_a_stored_number() {
    let wide = "problem,alpha,beta\np1,1,0\np2,0,0\np3,1,1\np4,1,0\n";
    for (row, kind, scale, value) in [
        ("mean,0.75,0.25", EstimatorKind::Mean, Scale::Fraction, 0.75),
        ("Average,75.0,25.0", EstimatorKind::Mean, Scale::Percent, 75.0),
        ("avg,75%,25%", EstimatorKind::Mean, Scale::Percent, 75.0),
        ("Total,3,1", EstimatorKind::Count, Scale::Plain, 3.0),
    ] {
        let (_, corpus, archive, findings) = load("a.csv", format!("{wide}{row}\n"));
        assert!(findings.is_empty(), "{row}: {findings:?}");
        assert_eq!(marks(&archive), expected(&[("alpha", "PFPP"), ("beta", "FFPF")]), "{row}");
        assert_eq!((corpus.sets[0].problems.len(), archive.summaries.len()), (4, 2), "{row}");
        let first = &archive.summaries[0];
        assert_eq!((first.estimator, first.scale, first.value), (kind, scale, value), "{row}");
    }
    // Of scores, in a long table, per model.
    let long = "model,task,score\nA,t1,0.5\nA,t2,0.25\nA,average,0.375\nB,t1,1\nB,t2,0\nB,average,0.6\n";
    let (_, corpus, archive, _) = load("a.csv", long);
    assert_eq!(corpus.sets[0].problems.len(), 2);
    let named = |model: &str, printed: &str| ("average".to_owned(), model.to_owned(), printed.to_owned());
    assert_eq!(stated(&archive), [named("A", "0.375"), named("B", "0.6")]);
    assert!(archive.summaries.iter().all(|summary| summary.estimator == EstimatorKind::Score));
    // A column that says of every row that it is a mean takes nothing away.
    let metric = "model,task,metric,score\nA,t1,mean,0.5\nA,t2,mean,0.25\n";
    assert_eq!(load("a.csv", metric).1.sets[0].problems.len(), 2);
}

#[test]
fn a_table_may_lie_on_its_side() {
    let (_, _, archive, findings) = load("a.csv", "model,p1,p2,p3,average\nA,1,0,1,0.67\nB,1,,1,1.0\n");
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(marks(&archive), expected(&[("A", "PFP"), ("B", "PP")]));
    assert_eq!(stated(&archive).iter().map(|(_, _, printed)| printed.as_str()).collect::<Vec<_>>(), ["0.67", "1.0"]);
}

fn folder(files: &[(&str, &str)]) -> (Study, Archive) {
    let source = files.iter().fold(Memory::default(), |source, (path, text)| source.with(path, *text));
    let study = Formats::CORE
        .assumed(&Listing::new(&source).unwrap())
        .unwrap_or_else(|none| panic!("{}", none.explain(Formats::CORE)))
        .study;
    let read = Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    assert!(read.3.is_empty(), "{:?}", read.3);
    (study, read.1)
}

/// Configuration, run and number of passes of each run.
fn runs(archive: &Archive) -> Vec<(String, u32, usize)> {
    let passed = |run: &crate::archive::Run| run.records.iter().filter(|r| r.state() == State::Pass).count();
    archive.runs.iter().map(|run| (run.key.configuration.to_string(), run.key.run, passed(run))).collect()
}

#[test]
fn a_file_for_each_configuration_is_one_experiment() {
    let (one, other) = ("id,passed\n1,1\n2,0\n3,1\n", "id,passed\n1,0\n2,0\n3,1\n");
    for paths in [["gpt-4/results.csv", "claude 3/results.csv"], ["gpt-4.csv", "claude 3.csv"]] {
        let (study, archive) = folder(&[(paths[0], one), (paths[1], other)]);
        assert_eq!((study.sets.len(), study.experiments.len()), (1, 1), "{paths:?}");
        assert_eq!(runs(&archive), [("claude 3".to_owned(), 1, 1), ("gpt-4".to_owned(), 1, 2)], "{paths:?}");
    }
    let named = |model: &str, text: &str| {
        let row = |line: &str| format!("{},{line}\n", if line.starts_with("id") { "model" } else { model });
        text.lines().map(row).collect::<String>()
    };
    let (study, archive) = folder(&[("a.csv", &named("A", one)), ("b.csv", &named("B", other))]);
    assert_eq!((study.sets.len(), study.experiments.len(), archive.runs.len()), (1, 1, 2));
}

#[test]
fn runs_and_parts_are_told_by_the_names_of_files() {
    let (one, other) = ("id,passed\n1,1\n2,0\n3,1\n", "id,passed\n1,0\n2,0\n3,1\n");
    let (study, archive) = folder(&[("gpt-4_run1.csv", one), ("gpt-4_run2.csv", other)]);
    assert_eq!((study.experiments.len(), study.experiments[0].runs), (1, 2));
    assert_eq!(runs(&archive), [("gpt-4".to_owned(), 1, 2), ("gpt-4".to_owned(), 2, 1)]);
    let later = "id,passed\n4,1\n5,1\n";
    let (study, archive) = folder(&[("gpt-4_part1.csv", one), ("gpt-4_part2.csv", later)]);
    assert_eq!((study.sets.len(), study.configurations.len()), (1, 1));
    assert_eq!(runs(&archive), [("gpt-4_part1".to_owned(), 1, 4)]);
}

#[test]
fn the_same_models_over_the_same_problems_in_another_file_are_another_condition() {
    let table = |marks: &str| {
        let rows: Vec<String> = marks.chars().enumerate().map(|(at, c)| format!("t{at},m,{c}\n")).collect();
        format!("task,model,passed\n{}", rows.concat())
    };
    let (study, archive) = folder(&[("plain.csv", &table("110")), ("hints.csv", &table("111"))]);
    assert_eq!((study.sets.len(), study.experiments.len(), archive.runs.len()), (1, 2, 2));
    assert!(study.experiments.iter().all(|experiment| experiment.set == study.sets[0].id));
}

#[test]
fn what_is_left_out_of_a_folder_is_told() {
    let source = Memory::default().with("a.csv", LONG).with("b.csv", "");
    let assumed = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().assumed;
    assert!(assumed.iter().any(|what| what.contains("b.csv is not read")), "{assumed:?}");
}
