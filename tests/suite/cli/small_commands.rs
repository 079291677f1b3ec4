//! `init`, `serve`, `cache`, `claims --suggest` and `--junit`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use repro::packs::recognise;
use repro::study::Origin;
use repro::world::disk::Folder;

use super::Lab;

#[test]
fn init_writes_a_declaration_that_is_recognised_and_never_overwrites() {
    let lab = Lab::new();
    let core = std::fs::read(lab.path("study/problems.json")).unwrap();
    let run = std::fs::read(lab.path("study/runs/alpha.run1.json")).unwrap();
    lab.write("up/benchmark/core.json", core).write("up/experiments/core_code/alpha.run1.json", run);
    lab.run("init up").exits(0).says("wrote up/study.toml");
    let recognised = recognise(&Folder::new(&lab.path("up")).unwrap()).unwrap();
    assert_eq!(recognised.origin, Origin::Manifest);
    let text = lab.text("up/study.toml");
    assert!(text.lines().any(|line| line.starts_with('#')), "no comments");
    lab.run("init up").exits(6).complains("study.toml exists");
    assert_eq!(lab.text("up/study.toml"), text);
    lab.run_unharmed("init study").exits(6).complains("study.toml exists");
    lab.write("other/notes.txt", "no study");
    lab.run("init other").exits(3).complains("other is not a study");
    assert_eq!(lab.bytes("other").len(), 1);
}

#[test]
fn init_maps_a_table_names_the_nearest_format_and_writes_a_skeleton_on_request() {
    let lab = Lab::empty();
    lab.write("t/a.csv", "task,model,passed\na,m,1\nb,m,0\n");
    lab.run("init --table t/a.csv")
        .exits(0)
        .says("item is \"task\" by its name")
        .says("to be filled in before a deposit: authors, licence, date");
    lab.run("stats t").exits(0).says("identity-unstated");
    lab.write("u/out.jsonl", "{\"task_id\": \"a/1\", \"answer\": 3}\n");
    lab.run("init u").exits(3).complains("nearest is").complains("--skeleton");
    lab.run("build u --out out").exits(3).complains("nearest is");
    lab.run("init --skeleton u").exits(0).says("wrote u/study.toml");
    lab.run("init").exits(2);
}

#[test]
fn a_folder_of_results_needs_no_declaration_and_says_what_is_assumed() {
    let lab = Lab::empty();
    lab.write("t/a.csv", "task,model,passed\na,m,1\nb,m,0\n");
    lab.run("verify t").says("assumed item is").says("L0 integrity");
    assert_eq!(lab.bytes("t").len(), 1);
    lab.run("export t --out e").exits(0).says("2 records in 1 files");
    assert_eq!(lab.text("e/records.jsonl").lines().count(), 2);
    lab.run("export t --format every-eval-ever --out v").exits(0);
    let aggregate: serde_json::Value = serde_json::from_str(&lab.text("v/a/m.json")).unwrap();
    assert_eq!(aggregate["evaluation_results"][0]["score_details"]["score"], 0.5);
    assert_eq!(aggregate["detailed_evaluation_results"]["total_rows"], 2);
}

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(port: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn serve_answers_below_its_folder_and_nothing_else() {
    let lab = Lab::new();
    lab.write("site/index.html", "<p>hello").write("site/a/index.html", "<p>below");
    let mut child = lab.command(&["serve", "site", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _server = Server(child);
    let port = line.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next()).unwrap();
    let front = ask(port, "GET /");
    assert!(front.starts_with("HTTP/1.1 200 OK\r\n") && front.ends_with("<p>hello"), "{front}");
    assert!(front.contains("Content-Type: text/html; charset=utf-8"), "{front}");
    assert!(ask(port, "GET /a/").ends_with("<p>below"));
    assert!(ask(port, "GET /a").contains("301"));
    assert!(ask(port, "HEAD /").ends_with("\r\n\r\n"));
    for target in ["/../study/study.toml", "/%2e%2e/study/study.toml", "/a/../../study/study.toml", "/nothing"] {
        let answer = ask(port, &format!("GET {target}"));
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("tiny"), "{target}: {answer}");
    }
    assert!(ask(port, "POST /").starts_with("HTTP/1.1 405"));
}

#[test]
fn the_cache_is_counted_and_cleared() {
    let lab = Lab::new();
    lab.run("cache size").exits(0).says("0 executions remembered, 0 bytes");
    lab.run("verify study").exits(0);
    let size = lab.run("cache size --json").exits(0).json();
    assert!(size["entries"].as_u64().unwrap() >= 4 && size["bytes"].as_u64().unwrap() > 0, "{size}");
    lab.run("verify study").exits(0).says("executions 0 run");
    lab.run("cache clear").exits(0).says(&format!("{} executions removed", size["entries"]));
    lab.run("cache size").exits(0).says("0 executions remembered, 0 bytes");
    let again = lab.run("verify study --no-cache --json").exits(0).json();
    assert!(again["executions"]["run"].as_u64().unwrap() > 0);
    lab.run("cache size").exits(0).says("0 executions remembered, 0 bytes");
}

#[test]
fn suggested_entries_are_a_ledger() {
    let lab = Lab::new();
    let ran = lab.run_unharmed("claims --suggest study/README.md").exits(0).says("66.7");
    lab.write("proposed.toml", &ran.stdout);
    lab.run("claims study --claims proposed.toml --allow-missing")
        .exits(0)
        .says("1 reproduced")
        .says("2 not-checkable");
    lab.write("paper.pdf", "%PDF").write("bad.md", b"| a |\n|---|\n| \xff |\n");
    lab.run("claims --suggest paper.pdf").exits(3).complains("paper.pdf");
    lab.run("claims --suggest bad.md").exits(3).complains("bad.md");
}

#[test]
fn junit_is_well_formed_whatever_a_ledger_says() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.edit("study/claims.toml", "'The thinking", "\"]]> <b> & \\u001b \\\" ' The thinking");
    lab.edit("study/claims.toml", "everything.'", "everything.\"");
    lab.run_unharmed("claims study --junit report/junit.xml").exits(1);
    let text = lab.text("report/junit.xml");
    well_formed(&text);
    assert!(text.contains("<failure") && text.contains("best"), "{text}");
}

/// Tags nest, text holds no bare `<`, `&` or control character, attributes are quoted.
fn well_formed(text: &str) {
    assert!(text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')), "{text:?}");
    let mut open: Vec<&str> = Vec::new();
    let mut roots = 0;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        references(&rest[..start]);
        let end = start + rest[start..].find('>').unwrap_or_else(|| panic!("an open tag: {}", &rest[start..]));
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('?') {
            continue;
        }
        references(tag);
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            roots += usize::from(open.is_empty());
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty() && roots == 1 && rest.trim().is_empty(), "{open:?} {roots}");
}

fn references(text: &str) {
    for part in text.split('&').skip(1) {
        let name = part.split(';').next().unwrap();
        assert!(matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") || name.starts_with('#'), "&{part}");
    }
}
