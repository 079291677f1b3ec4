//! One test per exit code, each with a place and a remedy, and with what must stay as it was.

use repro::engine::Cache;

use super::Lab;

#[test]
fn code_0_everything_ran_and_agrees() {
    let lab = Lab::new();
    lab.run_unharmed("build study --out out")
        .exits(0)
        .says("L1 solvers 3 of 3 agree")
        .says("L2 replay 12 of 12 agree")
        .says("L7 deposit")
        .says("1 printed number: 1 reproduced")
        .says("site out/site/tiny/1.0/index.html")
        .says("bundle out/bundles/tiny-1.0.zip");
    assert!(lab.path("out/site/tiny/1.0/index.html").is_file());
    assert!(lab.path("out/bundles/tiny-1.0.zip.sha256").is_file());
    for line in ["verify study", "stats study --out tables", "claims study", "site study --out other"] {
        lab.run_unharmed(line).exits(0);
    }
    lab.run_unharmed("bundle study --out other").exits(0);
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("results/tiny/{path}"), content);
    }
    lab.run("verify").exits(0).says("Tiny bench 1.0");
}

#[test]
fn code_1_a_printed_number_does_not_follow() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.run_unharmed("claims study").exits(1).says("differs best").says("printed 66.7").says("recomputed 100");
    lab.run_unharmed("verify study").exits(1).says("[claim-differs]").says("help [claim-differs]:");
    lab.run_unharmed("build study --out out").exits(1).says("bundle out/bundles/tiny-1.0.zip");
    lab.edit("study/claims.toml", "value =", "erratum = 'Printed before the repair.'\nvalue =");
    lab.run_unharmed("claims study").exits(0).says("1 acknowledged as an erratum");
}

#[test]
fn code_2_the_command_line_is_not_understood() {
    let lab = Lab::new();
    for line in [
        "",
        "verify study --bogus",
        "verify study --engine perl",
        "claims study --offline-strict --claims x.toml",
        "verify study --jobs 0",
        "frobnicate",
    ] {
        assert!(lab.run(line).exits(2).stdout.is_empty(), "{line}");
    }
    assert!(lab.run("verify study --bogus").stderr.contains("'--bogus'"));
    lab.run("explain trap-gab").exits(2).complains("did you mean trap-gap?");
    lab.run("verify study --sandbox loose").exits(2).complains("loose");
    lab.run("bundle study --out out --for attic").exits(2).complains("attic");
    assert!(!lab.path("out").exists());
    lab.run("build").exits(2).complains("./results");
}

#[test]
fn code_3_a_part_cannot_be_read_and_the_rest_is_still_processed() {
    let lab = Lab::new();
    let whole = lab.text("study/runs/alpha.run2.json");
    lab.write("study/runs/alpha.run2.json", &whole[..whole.len() - 40]);
    lab.run_unharmed("verify study")
        .exits(3)
        .says("[torn-file] runs/alpha.run2.json, record 2, byte")
        .says("help [torn-file]: Restore the file")
        .says("L1 solvers 3 of 3 agree")
        .says("L2 replay 11 of 11 agree");
    lab.run_unharmed("stats study --out tables").exits(3);
    assert!(lab.path("tables/facts.json").is_file());
    lab.run_unharmed("claims study").exits(3).says("1 reproduced").says("[torn-file]");
    lab.run_unharmed("build study --out out").exits(3).says("bundle out/bundles/tiny-1.0.zip");
}

#[test]
fn code_4_evidence_is_missing_unless_that_is_accepted() {
    let lab = Lab::new();
    lab.remove("study/runs/alpha.run2.json");
    lab.run_unharmed("verify study")
        .exits(4)
        .says("[missing-run]")
        .says("alpha")
        .says("help [missing-run]: Add the run");
    lab.run_unharmed("verify study --allow-missing").exits(0).says("[missing-run]");
    lab.run_unharmed("build study --out out").exits(4);
    lab.run_unharmed("build study --out out --allow-missing").exits(0);
    // Without a ledger the numbers of its documents are judged; without documents there are none.
    lab.edit("study/study.toml", "[[claims]]\npath = 'claims.toml'", "");
    lab.run_unharmed("claims study --allow-missing").says("bound by words, not by an author");
    lab.edit("study/study.toml", "documents = ['README.md']\n", "");
    lab.run_unharmed("claims study --allow-missing").exits(4).complains("no claims ledger");
}

#[test]
fn code_5_no_interpreter_or_sandbox() {
    let lab = Lab::new();
    let line = "build study --out out --engine cpython --cpython /nonexistent";
    lab.run_unharmed(line).exits(5).complains("/nonexistent").complains("--engine embedded");
    assert!(!lab.path("out").exists());
    lab.run_unharmed(&format!("{line} --keep-going")).exits(5).says("L1 solvers nothing checked; 3 not checkable");
    assert!(lab.path("out/site/tiny/1.0/index.html").is_file());
    for line in ["verify study", "stats study --execute", "site study --out more", "bundle study --out more"] {
        lab.run_unharmed(&format!("{line} --engine cpython --cpython /nonexistent --keep-going")).exits(5);
    }
}

#[test]
fn code_6_output_cannot_be_written() {
    let lab = Lab::new();
    lab.write("file", "text");
    for line in [
        "build study --out file/x",
        "site study --out file",
        "bundle study --out file",
        "stats study --out file/x",
        "claims study --junit file/x/report.xml",
        "verify study --cache-dir file/x",
    ] {
        lab.run_unharmed(line).exits(6).complains("file");
    }
    assert_eq!(lab.text("file"), "text");
}

#[test]
fn code_130_an_interrupt_keeps_what_was_finished_and_writes_nothing() {
    let lab = Lab::new();
    // One program takes long enough for the interrupt to come while it runs.
    lab.change("study/problems.json", |problems| {
        let slow = problems[0]["code"].as_str().unwrap().replace("    return", "    time.sleep(3)\n    return");
        problems[0]["code"] = format!("import time\n{slow}").into();
    });
    let words = ["build", "study", "--out", "out", "--jobs", "2"];
    let mut run = lab.command(&words);
    let run = run.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let finished = || Cache::size(&lab.path("cache/repro")).is_ok_and(|size| size.entries >= 2);
    while !finished() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("goes on where it stopped"));
    assert!(!lab.path("out").exists());
    let kept = Cache::size(&lab.path("cache/repro")).unwrap().entries;
    let executions = &lab.run(&words.join(" ")).exits(0).stdout;
    assert!(kept >= 2 && !executions.contains(" 0 from the cache"), "{executions}");
}
