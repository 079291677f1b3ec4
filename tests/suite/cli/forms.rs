//! The forms of output: JSON, silence, help, explanations.

use std::collections::BTreeSet;

use super::Lab;

const COMMANDS: [&str; 13] = [
    "build", "verify", "stats", "claims", "site", "bundle", "diff", "ledger", "explain", "serve", "init", "cache",
    "sandbox",
];

/// A command line for each command that ends by itself, without flags of form.
const LINES: [&str; 13] = [
    "build study --out out",
    "verify study",
    "verify out/bundles/tiny-1.0.zip",
    "stats study --out tables",
    "claims study",
    "claims --suggest study/README.md",
    "site study --out out",
    "bundle study --out out --for zenodo",
    "diff study study",
    "explain trap-gap",
    "explain list",
    "cache size",
    "cache clear",
];

#[test]
fn json_is_one_strict_document() {
    let lab = Lab::new();
    for line in LINES {
        let document = lab.run_unharmed(&format!("{line} --json")).exits(0).json();
        enveloped(&document, line);
        assert!(lab.run(&format!("{line} --json")).stderr.is_empty(), "{line} speaks beside its document");
    }
}

/// The members that every answer has, and the schema names no others.
fn enveloped(document: &serde_json::Value, line: &str) {
    let schema = include_str!("../../../docs/schemas/output.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let members = document.as_object().unwrap_or_else(|| panic!("{line}: no object"));
    for required in schema["required"].as_array().unwrap() {
        assert!(members.contains_key(required.as_str().unwrap()), "{line}: no {required}");
    }
    for (name, value) in members {
        let described = &schema["properties"][name];
        assert!(described.is_object(), "{line}: {name} is not in the schema");
        let kind = match value {
            serde_json::Value::String(_) => "string",
            serde_json::Value::Number(_) => "integer",
            serde_json::Value::Array(_) => "array",
            _ => "object",
        };
        assert_eq!(described["type"], kind, "{line}: {name}");
    }
    assert_eq!(document["format"], "repro-output/1", "{line}");
    let command = line.split_whitespace().next().unwrap();
    assert_eq!(document["command"], command, "{line}");
}

#[test]
fn json_tells_levels_findings_and_the_exit_code() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.remove("study/runs/alpha.run2.json");
    let document = lab.run("verify study --json").exits(1).json();
    let levels: Vec<&str> = document["levels"].as_array().unwrap().iter().filter_map(|l| l["level"].as_str()).collect();
    assert!(levels.starts_with(&["L0", "L1", "L2", "L3", "L4"]) && levels.ends_with(&["L5", "L6"]), "{levels:?}");
    let findings = document["findings"].as_array().unwrap();
    let of = |code: &str| findings.iter().find(|finding| finding["code"] == code);
    assert_eq!(of("claim-differs").unwrap()["severity"], "disagrees");
    assert_eq!(of("missing-run").unwrap()["severity"], "missing");
    assert_eq!((document["exit"].as_u64(), document["study"].as_str()), (Some(1), Some("tiny")));
}

#[test]
fn a_command_that_stops_is_a_document_too() {
    let lab = Lab::new();
    for (line, code) in [
        ("verify nowhere", 3),
        ("claims study --claims nowhere.toml", 3),
        ("explain trap-gab", 2),
        ("verify study --sandbox loose", 2),
        ("verify study --engine cpython --cpython /nonexistent", 5),
    ] {
        let ran = lab.run(&format!("{line} --json")).exits(code);
        let document = ran.json();
        assert_eq!(document["exit"], code, "{line}");
        enveloped(&document, line);
        let error = &document["errors"][0];
        assert!(error["error"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
        assert!(error["help"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
    }
}

#[test]
fn quiet_prints_nothing_and_the_code_tells() {
    let lab = Lab::new();
    for line in LINES {
        lab.run(&format!("{line} --quiet")).exits(0).silent();
    }
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.run("verify study -q").exits(1).silent();
}

#[test]
fn help_shows_examples_and_fits_eighty_columns() {
    let lab = Lab::empty();
    let mut pages = vec![lab.run("--help"), lab.run("-h"), lab.run("help verify")];
    pages.extend(COMMANDS.map(|command| lab.run(&format!("{command} --help"))));
    for page in pages {
        let page = page.exits(0).says("Examples:");
        for line in page.stdout.lines() {
            assert!(line.chars().count() <= 80, "too wide: {line}");
        }
    }
    for line in ["cache size --help", "cache clear --help", "sandbox check --help", "bundle set-doi --help"] {
        assert!(lab.run(line).exits(0).stdout.lines().all(|line| line.chars().count() <= 80), "{line}");
    }
    let page = lab.run("--help").stdout;
    for command in COMMANDS {
        assert!(page.contains(&format!("\n  {command}")), "{command}");
    }
}

/// The examples of the help pages are command lines that are understood.
#[test]
fn examples_are_understood() {
    let lab = Lab::empty();
    for command in COMMANDS {
        let page = lab.run(&format!("{command} --help")).stdout;
        let examples = page.split("Examples:").nth(1).unwrap();
        for line in examples.lines().filter_map(|line| line.trim().strip_prefix("repro ")) {
            if line.starts_with("serve") || line.starts_with("sandbox check") {
                continue;
            }
            let line = line.split(" > ").next().unwrap();
            let ran = lab.run(line);
            // Nothing they name exists here, so they stop, but not because they were not understood.
            assert!(!ran.stderr.contains("Usage:"), "{line}: {}", ran.stderr);
        }
    }
}

#[test]
fn output_fits_eighty_columns() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.remove("study/runs/alpha.run2.json");
    for line in ["verify study", "claims study", "verify study --engine cpython --cpython /no/such/python3.99"] {
        let ran = lab.run(line);
        for line in ran.stdout.lines().chain(ran.stderr.lines()) {
            assert!(line.chars().count() <= 80, "too wide: {line}");
        }
    }
}

#[test]
fn explain_knows_every_word_of_the_tool() {
    let lab = Lab::empty();
    let list = lab.run("explain list --json").exits(0).json();
    let ids: BTreeSet<&str> =
        list["result"]["entries"].as_array().unwrap().iter().filter_map(|entry| entry["id"].as_str()).collect();
    let statistics = repro::packs::statistics().into_iter().map(|statistic| statistic.about().id.to_owned());
    let codes = repro::report::CODES.iter().map(|entry| entry.code.to_owned());
    let exits = (0..=7).map(|code| format!("exit-{code}"));
    let verdicts =
        ["reproduced", "rounds-the-other-way", "differs", "impossible", "conflicting-sources", "not-checkable"];
    let levels = (0..=7).map(|level| format!("L{level}"));
    let words = statistics.chain(codes).chain(exits).chain(levels).chain(verdicts.map(str::to_owned));
    for word in words {
        assert!(ids.contains(word.as_str()), "{word}");
    }
    let text = lab.run("explain list").exits(0);
    for id in &ids {
        assert!(text.stdout.lines().any(|line| line.split_whitespace().next() == Some(id)), "{id}");
    }
    for id in ["mcnemar-exact", "duplicate-id", "exit-4", "differs", "L2", "timeout"] {
        lab.run(&format!("explain {id}")).exits(0).says(id);
    }
    lab.run("explain exit-codes").exits(0).says("exit-6").never_says("duplicate-id");
}
