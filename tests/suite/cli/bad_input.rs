//! Each kind of bad input: its finding with place and remedy, its exit code, and the records around it.

use serde_json::{Value, json};

use super::Lab;

/// Damage, then the line that names it.
fn verified(damage: impl FnOnce(&Lab), code: i32, said: &[&str]) {
    let lab = Lab::new();
    damage(&lab);
    let mut ran = lab.run_unharmed("verify study").exits(code).says("help");
    for text in said {
        ran = ran.says(text);
    }
}

fn first(results: &mut Value) -> &mut Value {
    &mut results["results"][0]
}

#[test]
fn a_folder_that_is_not_there() {
    let lab = Lab::new();
    for line in ["build nowhere --out out", "verify nowhere", "stats nowhere", "claims nowhere", "init nowhere"] {
        lab.run_unharmed(line).exits(3).complains("nowhere");
    }
    lab.run_unharmed("diff study nowhere").exits(3).complains("nowhere");
    lab.run_unharmed("serve nowhere").exits(3).complains("nowhere");
    lab.run_unharmed("claims study --claims nowhere.toml").exits(3).complains("nowhere.toml");
    lab.run_unharmed("claims --suggest nowhere.md").exits(3).complains("nowhere.md");
    assert!(!lab.path("out").exists());
}

#[test]
fn an_unknown_layout() {
    let lab = Lab::empty();
    lab.write("study/notes.txt", "nothing to see").write("study/deep/study.toml", "");
    lab.run_unharmed("verify study").exits(3).complains("looked for study.toml").complains("subfolder deep/");
    lab.write("study/study.toml", "[study]\nid = 'x'\nlicense = 'MIT'\n");
    lab.run_unharmed("verify study").exits(3).complains("line 3").complains("license");
    lab.write("notes.zip", "not a zip");
    lab.run("verify notes.zip").exits(3).complains("notes.zip");
}

#[test]
fn a_study_that_holds_nothing() {
    let lab = Lab::new();
    for path in ["problems.json", "runs/alpha.run1.json", "runs/alpha.run2.json"] {
        lab.remove(&format!("study/{path}"));
    }
    lab.run_unharmed("verify study").exits(4).says("[missing-file] problems.json");
    for path in ["runs/alpha-think.run1.json", "runs/alpha-think.run2.json"] {
        lab.remove(&format!("study/{path}"));
    }
    lab.remove("study/claims.toml");
    lab.run_unharmed("build study --out out").exits(3).complains("no problem and no record");
}

#[test]
fn a_ledger_beside_the_study_is_outside_of_it() {
    let lab = Lab::new();
    std::fs::rename(lab.path("study/claims.toml"), lab.path("claims.toml")).unwrap();
    // A study decides about no file outside of it: what stands beside it is read when it is named.
    lab.run_unharmed("verify study").exits(4).says("[missing-file] claims.toml");
    lab.run_unharmed("claims study --claims claims.toml").exits(0).says("1 reproduced").never_says("missing-file");
    lab.run_unharmed("verify study --offline-strict").exits(4).says("[missing-file] claims.toml");
}

#[test]
fn a_ledger_that_is_named_although_the_study_brings_it_is_judged_once() {
    let lab = Lab::new();
    lab.run_unharmed("claims study --claims study/claims.toml").exits(0).says("1 printed number: 1 reproduced");
    std::fs::copy(lab.path("study/claims.toml"), lab.path("copy.toml")).unwrap();
    lab.run_unharmed("claims study --claims copy.toml --claims copy.toml").exits(0).says("1 printed number:");
    lab.edit("copy.toml", "'The thinking", "'Again: the thinking");
    lab.run_unharmed("claims study --claims copy.toml").exits(0).says("2 printed numbers");
}

#[test]
fn an_empty_file() {
    let damage = |lab: &Lab| {
        lab.write("study/runs/alpha.run2.json", "");
    };
    verified(damage, 3, &["[empty-file] runs/alpha.run2.json", "L2 replay 9 of 9 agree"]);
    let damage = |lab: &Lab| {
        lab.write("study/problems.json", "");
    };
    verified(damage, 3, &["[empty-file] problems.json"]);
}

#[test]
fn torn_json() {
    let damage = |lab: &Lab| {
        lab.edit("study/problems.json", "\"id\":\"double\"", "\"id\":\"double");
    };
    verified(damage, 3, &["[torn-file] problems.json, record 2,", "byte", "L1 solvers 2 of 2 agree"]);
    let damage = |lab: &Lab| {
        lab.edit("study/claims.toml", "value =", "value");
    };
    verified(damage, 3, &["[bad-ledger] claims.toml", "L1 solvers 3 of 3 agree"]);
}

#[test]
fn another_encoding() {
    let damage = |lab: &Lab| {
        let text = lab.text("study/runs/alpha.run2.json");
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        lab.write("study/runs/alpha.run2.json", [&b"\xff\xfe"[..], &wide].concat());
    };
    verified(damage, 3, &["[not-utf8] runs/alpha.run2.json, byte 0", "L2 replay 9 of 9 agree"]);
}

#[test]
fn duplicate_ids() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| {
            let again = first(run).clone();
            run["results"].as_array_mut().unwrap().push(again);
        });
    };
    verified(damage, 1, &["[duplicate-id] runs/alpha.run1.json", "area"]);
    let damage = |lab: &Lab| {
        lab.change("study/problems.json", |set| {
            let again = set[1].clone();
            set.as_array_mut().unwrap().push(again);
        });
    };
    verified(damage, 1, &["[duplicate-id] problems.json, record 3, speed", "L1 solvers 3 of 3 agree"]);
}

#[test]
fn an_unknown_problem() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| first(run)["id"] = json!("aera"));
    };
    verified(damage, 1, &["[unknown-id] runs/alpha.run1.json", "aera", "[missing-records]"]);
}

#[test]
fn an_id_that_is_nearly_another_is_asked_for() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| first(run)["id"] = json!("aera"));
    };
    verified(damage, 1, &["[unknown-id] runs/alpha.run1.json", "aera is not known: did you mean area?"]);
}

#[test]
fn a_key_twice_in_a_ledger_disagrees_and_the_last_counts() {
    let lab = Lab::new();
    let ledger = r#"{"format": "repro-claims/1", "claim": [{"id": "best", "statement": "All of it.", "source": "README.md",
        "value": "12.0", "value": "100.0", "unit": "percent", "statistic": "accuracy-mean-sd", "measure": "mean",
        "keys": {"model": "alpha-think", "set": "core", "protocol": "code"}}]}"#;
    lab.write("twice.json", ledger);
    let ran = lab.run_unharmed("claims study --claims twice.json").exits(1).says("[duplicate-key] twice.json");
    ran.says("\"value\" stands in this object before; the last value is used").says("2 reproduced");
}

#[test]
fn a_note_that_the_text_does_not_bear_out_is_told() {
    let lab = Lab::new();
    lab.edit("study/study.toml", "protocol = 'code'", "protocol = 'direct'");
    lab.edit("study/claims.toml", "protocol = 'code'", "protocol = 'direct'");
    for file in ["alpha.run1", "alpha.run2", "alpha-think.run1", "alpha-think.run2"] {
        lab.change(&format!("study/runs/{file}.json"), |run| {
            for record in run["results"].as_array_mut().unwrap() {
                let (value, unit) =
                    (record["details"][0]["actual"].clone(), record["details"][0]["actual_unit"].clone());
                let box_of = format!("\\boxed{{{value}\\,\\text{{{}}}}}", unit.as_str().unwrap());
                record["attempts"][0]["response"] = json!(box_of);
                let units = usize::from(!unit.as_str().unwrap().is_empty());
                record["note"] = json!(format!("boxes=1 nums=1 need=1 units={units}"));
            }
        });
    }
    lab.run_unharmed("verify study").never_says("note-differs");
    let false_note = "boxes=3 nums=2 need=1 units=1";
    lab.change("study/runs/alpha.run1.json", |run| first(run)["note"] = json!(false_note));
    let ran = lab.run_unharmed("verify study").says("[note-differs] runs/alpha.run1.json, area");
    ran.says(&format!("the note says {false_note:?}, the text gives \"boxes=1 nums=1 need=1 units=1\""));
}

#[test]
fn counts_that_a_recount_does_not_give() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| run["metrics"]["passed"] = json!(3));
    };
    verified(damage, 1, &["[metrics-differ] runs/alpha.run1.json"]);
}

#[test]
fn a_solver_that_is_wrong_and_one_that_fails() {
    let damage = |lab: &Lab| {
        lab.edit("study/problems.json", "2 * x", "3 * x");
    };
    verified(damage, 1, &["[solver-differs]", "double", "L1 solvers 2 of 3 agree; 1 disagree"]);
    let damage = |lab: &Lab| {
        lab.edit("study/problems.json", "2 * x", "2 / 0");
    };
    verified(damage, 1, &["[solver-fails]", "double", "ZeroDivisionError"]);
}

#[test]
fn an_answer_that_was_edited() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| first(run)["details"][0]["actual"] = json!(9.0));
    };
    verified(damage, 1, &["[replay-differs]", "[regrade-differs]", "area"]);
}

#[test]
fn records_of_the_wrong_shape_cost_only_themselves() {
    let damage = |lab: &Lab| {
        lab.change("study/runs/alpha.run1.json", |run| *first(run) = Value::Null);
        lab.change("study/runs/alpha.run2.json", |run| first(run)["passed"] = json!("yes"));
    };
    let said = ["[bad-record] runs/alpha.run1.json, record 0", "runs/alpha.run2.json, record 0", "L2 replay 10 of 10"];
    verified(damage, 3, &said);
}
