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
    // The members by which that study's problems are known.
    let core = lab
        .text("study/problems.json")
        .replace("\"topic\"", "\"knowledge_points\":\"\",\"numeric_variantable\":true,\"topic\"");
    let core = core.replace("\"basics\"", "\"air_quality\"");
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
    lab.run("stats t --json").exits(0).says("identity-unstated");
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
    lab.run("verify t").says("a.csv: item is").says("L0 integrity");
    assert_eq!(lab.bytes("t").len(), 1);
    lab.run("export t --out e").exits(0).says("2 records in 1 files");
    assert_eq!(lab.text("e/records.jsonl").lines().count(), 2);
    lab.run("export t --format every-eval-ever --out v").exits(0);
    // Where the schema wants them: data/<benchmark>/<developer>/<model>/<uuid>.
    let files = lab.bytes("v");
    let name = files.keys().find(|name| name.ends_with(".json")).unwrap();
    assert!(name.contains("data/a/unknown/m/") && files.len() == 2, "{:?}", files.keys());
    let aggregate: serde_json::Value = serde_json::from_slice(&files[name]).unwrap();
    let samples = aggregate["detailed_evaluation_results"]["file_path"].as_str().unwrap();
    assert!(samples.ends_with("_samples.jsonl") && files.keys().any(|name| name.ends_with(samples)), "{samples}");
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
    ask_with(port, request, "Host: 127.0.0.1\r\n")
}

fn ask_with(port: &str, request: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// A server and its port.
fn serve(lab: &Lab, words: &[&str]) -> (Server, String) {
    let all = [&["serve"], words, &["--port", "0"]].concat();
    let mut child = lab.command(&all).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    (Server(child), port)
}

#[test]
fn serve_answers_below_its_folder_and_nothing_else() {
    let lab = Lab::new();
    lab.write("site/index.html", "<p>hello").write("site/a/index.html", "<p>below").write("site/a/404.html", "<p>gone");
    assert!(std::process::Command::new("mkfifo").arg(lab.path("site/pipe")).status().unwrap().success());
    let (_server, port) = serve(&lab, &["site"]);
    let front = ask(&port, "GET /");
    assert!(front.starts_with("HTTP/1.1 200 OK\r\n") && front.ends_with("<p>hello"), "{front}");
    assert!(front.to_lowercase().contains("content-type: text/html; charset=utf-8"), "{front}");
    assert!(ask(&port, "GET /a/?q=1").ends_with("<p>below"));
    let moved = ask(&port, "GET /a").to_lowercase();
    assert!(moved.starts_with("http/1.1 301") && moved.contains("location: /a/\r\n"), "{moved}");
    let head = ask(&port, "HEAD /");
    assert!(head.ends_with("\r\n\r\n") && head.to_lowercase().contains("content-length: 8\r\n"), "{head}");
    for target in ["/../study/study.toml", "/%2e%2e/study/study.toml", "/a/../../study/study.toml", "/nothing", "/pipe"]
    {
        let answer = ask(&port, &format!("GET {target}"));
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("tiny"), "{target}: {answer}");
    }
    assert!(ask(&port, "GET /a/nothing/at/all").ends_with("<p>gone"));
    let post = ask(&port, "POST /");
    assert!(post.starts_with("HTTP/1.1 405") && post.ends_with("only GET and HEAD\n"), "{post}");
    assert!(ask_with(&port, "GET /", "Host: example.org\r\n").starts_with("HTTP/1.1 421"));
}

/// Asks for a page until it says something; the time that a build takes is nobody's matter here.
fn wait_for(port: &str, target: &str, text: &str) -> String {
    let begin = std::time::Instant::now();
    loop {
        let page = ask(port, &format!("GET {target}"));
        if page.contains(text) {
            return page;
        }
        assert!(begin.elapsed().as_secs() < 300, "{target} never says {text:?}: {page}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

#[test]
fn watched_pages_are_built_again_when_a_ledger_or_a_document_changes() {
    let lab = Lab::new();
    let (server, port) = serve(&lab, &["--watch", "study"]);
    let page = wait_for(&port, "/tiny/1.0/claims/area-claims.html", "answers everything");
    assert!(page.contains("<script src=\"/__repro/watch.js\" data-turn=\"1\"></script>"), "{page}");
    assert!(ask(&port, "GET /").contains("script-src 'self'"), "the list of versions may not run it");
    assert!(ask(&port, "GET /__repro/watch.js").contains("repro-turn"));
    assert!(ask(&port, "GET /__repro/turn.js?7").contains("\"turn\":1"));
    let printed = lab.text("study/claims.toml");
    lab.write("study/claims.toml", printed.replace("answers everything", "answers nearly everything"));
    wait_for(&port, "/__repro/turn.js", "\"turn\":2");
    let page = wait_for(&port, "/tiny/1.0/claims/area-claims.html", "answers nearly everything");
    assert!(page.contains("data-turn=\"2\""), "{page}");
    // What cannot be built is said on the page that stands.
    let declaration = lab.text("study/study.toml");
    lab.write("study/study.toml", "no declaration [");
    wait_for(&port, "/__repro/turn.js", "\"fault\":\"error: ");
    wait_for(&port, "/tiny/1.0/claims/area-claims.html", "answers nearly everything");
    lab.write("study/study.toml", declaration).write("study/claims.toml", printed);
    wait_for(&port, "/__repro/turn.js", "\"fault\":null");
    wait_for(&port, "/tiny/1.0/claims/area-claims.html", "answers everything");
    drop(server);
    // Nothing of this is in what is published.
    lab.run("site study --out public").exits(0);
    assert!(lab.bytes("public").values().all(|bytes| !bytes.windows(8).any(|word| word == b"__repro/")));
    lab.run("serve site --watch study").exits(2);
}

#[test]
fn serve_gives_large_files_and_parts_of_them_whole() {
    let lab = Lab::new();
    let large: Vec<u8> = (0..31_000_000_u32).map(|n| (n % 251) as u8).collect();
    lab.write("site/large.bin", &large);
    let (_server, port) = serve(&lab, &["site"]);
    let get = |headers: &str| {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let request = format!("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        (String::from_utf8_lossy(&answer[..end]).to_lowercase(), answer[end..].to_vec())
    };
    let (head, body) = get("");
    assert!(head.contains("accept-ranges: bytes") && body == large, "{head}");
    // Headers beyond 8 KiB cut nothing.
    let (head, body) = get(&format!("X-Long: {}\r\n", "y".repeat(20_000)));
    assert!(head.starts_with("http/1.1 200") && body == large, "{head}");
    let (head, body) = get("Range: bytes=1000-1099\r\n");
    assert!(head.starts_with("http/1.1 206") && head.contains("content-range: bytes 1000-1099/31000000"), "{head}");
    assert_eq!(body, large[1000..1100]);
    assert!(get("Range: bytes=31000000-\r\n").0.starts_with("http/1.1 416"));
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    assert!(get(&format!("If-None-Match: {tag}\r\n")).0.starts_with("http/1.1 304"));
}

/// Bytes that a process has in memory.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.0.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}

#[test]
fn clients_that_do_not_read_hold_no_memory_and_are_given_up() {
    let lab = Lab::new();
    lab.write("site/index.html", "<p>hello").write("site/large.bin", vec![7; 31_000_000]);
    let (server, port) = serve(&lab, &["site"]);
    let before = memory(&server);
    let silent: Vec<TcpStream> = (0..60)
        .map(|_| {
            let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
            stream.write_all(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            // The answer has begun, so the server is in the middle of it.
            stream.read_exact(&mut [0; 12]).unwrap();
            stream
        })
        .collect();
    // Whole files would be 1.9 GB.
    let held = memory(&server).saturating_sub(before);
    assert!(held < 64 << 20, "{held} bytes for {} clients", silent.len());
    assert!(ask(&port, "GET /").ends_with("<p>hello"), "others are served meanwhile");
    let descriptors = || std::fs::read_dir(format!("/proc/{}/fd", server.0.id())).unwrap().count();
    let start = std::time::Instant::now();
    // Each holds a connection and an open file until it is given up.
    while descriptors() > 60 {
        assert!(start.elapsed() < std::time::Duration::from_mins(2), "{} descriptors are open", descriptors());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn serve_lists_the_studies_and_shows_them_below_a_path() {
    let lab = Lab::new();
    lab.run("site study --out out").exits(0);
    let (_server, port) = serve(&lab, &["out/site"]);
    let front = ask(&port, "GET /");
    assert!(
        front.starts_with("HTTP/1.1 200") && front.contains("<a href=\"tiny/index.html\">Tiny bench</a>"),
        "{front}"
    );
    assert!(ask(&port, "GET /tiny/").contains("1.0/index.html"));
    assert!(ask(&port, "GET /tiny/1.0/").contains("Tiny bench"));
    let (_server, port) = serve(&lab, &["out/site", "--at", "/user/repository"]);
    assert!(ask(&port, "GET /user/repository/tiny/1.0/").contains("Tiny bench"));
    assert!(ask(&port, "GET /").to_lowercase().contains("location: /user/repository/\r\n"));
    assert!(ask(&port, "GET /tiny/1.0/").starts_with("HTTP/1.1 404"));
}

#[test]
fn the_cache_is_counted_and_cleared() {
    let lab = Lab::new();
    lab.run("cache size").exits(0).says("0 executions and 0 readings of run files remembered, 0 bytes");
    lab.run("verify study").exits(0);
    let size = lab.run("cache size --json").exits(0).json()["result"].clone();
    assert!(size["entries"].as_u64().unwrap() >= 4 && size["bytes"].as_u64().unwrap() > 0, "{size}");
    let again = lab.run("verify study").exits(0).says("executions 0 run");
    again.says("run files 0 read, 4 known by the digest of their bytes");
    lab.run("cache clear")
        .exits(0)
        .says(&format!("{} executions and 4 readings of run files removed", size["entries"]));
    lab.run("cache size").exits(0).says("0 executions and 0 readings of run files remembered, 0 bytes");
    let again = lab.run("verify study --no-cache --json").exits(0).json();
    assert!(again["executions"]["run"].as_u64().unwrap() > 0);
    lab.run("cache size").exits(0).says("0 executions and 0 readings of run files remembered, 0 bytes");
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
