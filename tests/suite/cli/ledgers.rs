//! `repro ledger check`: the gate before a corrected benchmark is published.

use serde_json::json;

use super::Lab;

/// A benchmark of three problems, its corrected release, and the ledger between them.
fn lab() -> Lab {
    let lab = Lab::empty();
    let old = [
        json!({"problem_id": "2", "text": "a", "steps": [{"tests": ["x", "y"]}]}),
        json!({"problem_id": "10", "text": "b", "steps": []}),
        json!({"problem_id": "11", "text": "c", "steps": []}),
    ];
    let new = [
        json!({"problem_id": "2", "text": "A", "steps": [{"tests": ["x"]}]}),
        json!({"problem_id": "10", "text": "b", "steps": []}),
        json!({"problem_id": "11", "text": "CC", "steps": []}),
    ];
    let entry = |id: &str, field: &str, before, after, round: &str| json!({"id": id, "field": field, "before": before, "after": after, "verdict": "edit", "reason": "r", "round": round});
    let first = [entry("11", "text", json!("c"), json!("C"), "R1")];
    let second = [
        entry("2", "text", json!("a"), json!("A"), "R2"),
        entry("2", "steps[0].tests", json!(["x", "y"]), json!(["x"]), "R2"),
        entry("11", "text", json!("C"), json!("CC"), "R2"),
    ];
    let lines = |values: &[serde_json::Value]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    lab.write("old.jsonl", lines(&old)).write("new.jsonl", lines(&new));
    for value in &new {
        lab.write(&format!("new/{}.json", value["problem_id"].as_str().unwrap()), value.to_string());
    }
    lab.write("ledger/R1.jsonl", lines(&first)).write("ledger/R2.jsonl", lines(&second));
    lab
}

#[test]
fn a_complete_ledger_passes_for_files_and_folders() {
    let lab = lab();
    lab.run_unharmed("ledger check old.jsonl new.jsonl ledger")
        .exits(0)
        .says("3 items before, 3 after, 3 compared")
        .says("3 changed fields, 3 recorded, 0 not; 0 items added, 0 deleted")
        .says("agree, both ways");
    let document = lab.run("ledger check old.jsonl new ledger --json").exits(0).json();
    assert_eq!((&document["result"]["passes"], &document["result"]["baseline"]), (&json!(true), &json!("given")));
    assert_eq!(document["result"]["rounds"][0]["superseded"], 1);
    lab.run("ledger check old.jsonl new ledger -q").exits(0).silent();
}

#[test]
fn each_fault_has_its_code_and_exit() {
    let cases: [(&str, &str, &str, &str); 7] = [
        ("new.jsonl", "\"b\"", "\"B\"", "ledger-unrecorded-change"),
        ("new.jsonl", "[\"x\"]", "[\"z\"]", "ledger-after-differs"),
        ("ledger/R1.jsonl", "\"before\":\"c\"", "\"before\":\"d\"", "ledger-before-differs"),
        ("ledger/R2.jsonl", "\"before\":\"C\"", "\"before\":\"D\"", "ledger-broken-chain"),
        ("ledger/R2.jsonl", "steps[0].tests", "steps[1].tests", "ledger-missing-path"),
        ("ledger/R2.jsonl", "\"id\":\"11\"", "\"id\":\"12\"", "ledger-missing-item"),
        ("old.jsonl", "\"problem_id\":\"10\"", "\"problem_id\":\"9\"", "ledger-deleted-item"),
    ];
    for (file, from, to, code) in cases {
        let lab = lab();
        lab.edit(file, from, to);
        lab.run("ledger check old.jsonl new.jsonl ledger").exits(1).says(code).says("disagree");
        let document = lab.run("ledger check old.jsonl new.jsonl ledger --json").exits(1).json();
        assert!(document["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == code), "{code}");
        assert_eq!(document["result"]["passes"], false, "{code}");
    }
}

#[test]
fn without_a_tree_before_nothing_is_confirmed() {
    let lab = lab();
    for old in ["-", "nowhere.jsonl"] {
        lab.run(&format!("ledger check {old} new.jsonl ledger"))
            .exits(4)
            .says("ledger-no-baseline")
            .says("not checkable");
    }
    lab.write("empty.jsonl", "\n");
    let document = lab.run("ledger check empty.jsonl new.jsonl ledger --json").exits(4).json();
    assert_eq!((&document["result"]["passes"], &document["result"]["baseline"]), (&json!(false), &json!("absent")));
    lab.edit("new.jsonl", "\"CC\"", "\"C\"");
    lab.run("ledger check - new.jsonl ledger").exits(1).says("ledger-after-differs");
}

#[test]
fn a_round_and_a_part_can_be_checked_alone() {
    let lab = lab();
    lab.edit("old.jsonl", "\"c\"", "\"C\"");
    lab.run("ledger check old.jsonl new.jsonl ledger --round R2").exits(0);
    lab.run("ledger check old.jsonl new.jsonl ledger --round R3").exits(2).complains("R1, R2");
    lab.run("ledger check old.jsonl new/2.json ledger --round R2 --part").exits(0).says("1 about other items");
    lab.run("ledger check old.jsonl new/2.json ledger --round R2").exits(1).says("ledger-deleted-item");
}

#[test]
fn what_cannot_be_read_is_never_a_pass() {
    let lab = lab();
    lab.run("ledger check old.jsonl nowhere ledger").exits(3).complains("the release");
    lab.run("ledger check old.jsonl new.jsonl nowhere").exits(3).complains("the ledger");
    lab.write("none.jsonl", "");
    lab.run("ledger check old.jsonl none.jsonl ledger").exits(3).complains("holds no item");
    lab.edit("ledger/R1.jsonl", "\"after\":\"C\",", "");
    lab.run("ledger check old.jsonl new.jsonl ledger").exits(3).says("ledger-bad-entry").says("line 1");
}
