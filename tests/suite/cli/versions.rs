//! A published version stays; versions are compared.

use serde_json::json;

use super::Lab;

/// One answer of one run is another; all else follows.
fn changed(lab: &Lab) {
    lab.change("study/runs/alpha.run1.json", |run| {
        run["results"][0]["passed"] = json!(false);
        run["results"][0]["details"][0]["passed"] = json!(false);
        run["results"][0]["details"][0]["actual"] = json!(9.0);
        run["results"][0]["attempts"][0]["response"] =
            json!("```python\ndef solve(side=2.0):\n    return {'1': {'value': 9.0, 'unit': 'm^2'}}\n```");
        run["metrics"]["passed"] = json!(1);
    });
}

#[test]
fn a_version_with_other_content_is_not_replaced_by_itself() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let before = lab.bytes("out");
    changed(&lab);
    for line in ["build study --out out", "site study --out out", "bundle study --out out"] {
        lab.run_unharmed(line).exits(6).complains("exists with other content").complains("--replace");
        assert!(lab.bytes("out") == before, "`{line}` changed what was published");
    }
    lab.run_unharmed("build study --out out --replace").exits(0);
    assert!(lab.bytes("out") != before);
}

#[test]
fn a_run_that_fails_leaves_what_was_published() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let before = lab.bytes("out");
    let times = lab.times("out");
    lab.run_unharmed("build study --out out --replace --jobs 0").exits(2);
    lab.run_unharmed("build study --out out --replace --engine cpython --cpython /nonexistent").exits(5);
    let run = lab.text("study/runs/alpha.run1.json");
    lab.write("study/runs/alpha.run1.json", &run[..run.len() / 2]);
    lab.run_unharmed("build study --out out").exits(6);
    lab.edit("study/study.toml", "title = 'Tiny bench'", "title = ''");
    lab.run_unharmed("build study --out out --replace").exits(3).complains("study.title");
    assert!(lab.bytes("out") == before && lab.times("out") == times, "a failed run wrote something");
}

#[test]
fn another_version_stands_beside_the_old_one() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let before = lab.bytes("out/site/tiny/1.0");
    let bundle = std::fs::read(lab.path("out/bundles/tiny-1.0.zip")).unwrap();
    changed(&lab);
    lab.edit("study/study.toml", "version = '1.0'", "version = '1.1'");
    lab.run_unharmed("build study --out out").exits(0);
    assert!(lab.bytes("out/site/tiny/1.0") == before, "the old version changed");
    assert!(std::fs::read(lab.path("out/bundles/tiny-1.0.zip")).unwrap() == bundle);
    let front = lab.text("out/site/tiny/index.html");
    assert!(front.contains("1.0/") && front.contains("1.1/"), "{front}");
    let versions: serde_json::Value = serde_json::from_str(&lab.text("out/site/tiny/versions.json")).unwrap();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 2);
    let differs = lab.run("diff out/bundles/tiny-1.0.zip out/bundles/tiny-1.1.zip").exits(1);
    differs.says("area").says("core_code").says("alpha");
}

/// Once with the version before found beside, then named as a folder of the site, a bundle and a study.
#[test]
fn the_page_of_changes_says_what_moved_whatever_form_the_version_before_has() {
    let lab = Lab::new();
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("old/{path}"), content);
    }
    lab.run("build study --out out").exits(0);
    let alone = lab.text("out/site/tiny/1.0/changes/index.html");
    assert!(alone.contains("No earlier version of this study"), "{alone}");
    changed(&lab);
    lab.edit("study/study.toml", "version = '1.0'", "version = '1.1'");
    lab.change("study/problems.json", |set| set[2]["problem"] = json!("How much is the double?"));
    lab.run_unharmed("build study --out out").exits(0);
    let pages = lab.bytes("out/site/tiny/1.1");
    let html = lab.text("out/site/tiny/1.1/changes/index.html");
    // Cause before effect: what was recorded and asked, then what follows from it, the longest list folded.
    let place = |part: &str| html.find(part).unwrap_or_else(|| panic!("no {part} in {html}"));
    assert!(place("id=\"record-changes\"") < place("id=\"problem-changes\""));
    assert!(place("id=\"problem-changes\"") < place("id=\"statistic-changes\""));
    assert!(place("id=\"statistic-changes\"") < place("<details><summary>"));
    for text in
        ["version 1.0 of 2026-01-02", "1 flipped verdict", "1 changed problem", "id=\"statistics\"", "id=\"flips\""]
    {
        assert!(html.contains(text), "no {text:?} in {html}");
    }
    assert!(
        lab.text("out/site/tiny/1.1/data/changes.csv").contains("core_code/alpha/run1/area,changed,verdict,pass,fail")
    );
    for earlier in ["out/site/tiny/1.0", "out/bundles/tiny-1.0.zip", "old"] {
        lab.run_unharmed(&format!("build study --out again --replace --previous {earlier}")).exits(0);
        let again = lab.bytes("again/site/tiny/1.1");
        let other: Vec<_> =
            pages.iter().filter(|(path, bytes)| again.get(*path) != Some(*bytes)).map(|p| p.0).collect();
        assert!(other.is_empty() && again.len() == pages.len(), "with {earlier}: {other:?}");
    }
    // The older version, built again, is not compared with the newer one.
    lab.run("build old --out out").exits(0);
}

#[test]
fn what_is_no_version_before_is_refused() {
    let lab = Lab::new();
    lab.run_unharmed("site study --out out --previous nowhere").exits(3).complains("nowhere");
    lab.write("odd/data/snapshot.json", "{");
    lab.run_unharmed("site study --out out --previous odd").exits(3).complains("no version to compare with");
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("other/{path}"), content);
    }
    lab.edit("other/study.toml", "id = 'tiny'", "id = 'other'");
    lab.run_unharmed("site study --out out --previous other").exits(2).complains("not of");
    assert!(!lab.path("out").exists());
    lab.write(
        "out/site/tiny/versions.json",
        json!({"versions": [
            {"id": "../../../odd", "date": "2025-01-01", "archive": "0".repeat(64), "summary": ""},
        ]})
        .to_string(),
    );
    lab.run_unharmed("site study --out out").exits(0);
    assert!(lab.text("out/site/tiny/1.0/changes/index.html").contains("no data/snapshot.json"));
}

#[test]
fn equal_studies_do_not_differ() {
    let lab = Lab::new();
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("copy/{path}"), content);
    }
    lab.run_unharmed("diff study copy").exits(0).says("records no difference");
    let document = lab.run("diff study copy --json").exits(0).json();
    assert!(document.is_object());
    lab.run("bundle study --out out").exits(0);
    lab.run("diff study out/bundles/tiny-1.0.zip").exits(0).says("statistics no difference");
}

#[test]
fn a_changed_record_is_named_with_what_follows_from_it() {
    let lab = Lab::new();
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("old/{path}"), content);
    }
    changed(&lab);
    lab.change("study/problems.json", |set| set[2]["problem"] = json!("How much is the double?"));
    lab.run_unharmed("diff old study")
        .exits(1)
        .says("runs/alpha.run1.json")
        .says("problems 1 changed")
        .says("records 1 changed")
        .says("area")
        .says("double")
        .says("accuracy-mean-sd");
    let there = lab.run("diff old study --json").exits(1).json();
    let back = lab.run("diff study old --json").exits(1).json();
    assert_eq!(there["result"]["records"].as_array().map(Vec::len), back["result"]["records"].as_array().map(Vec::len));
}

#[test]
fn the_cause_comes_first_and_the_wrong_order_is_said() {
    let lab = Lab::new();
    for (path, content) in lab.bytes("study") {
        lab.write(&format!("old/{path}"), content);
    }
    lab.change("study/runs/alpha.run1.json", |run| {
        run["results"].as_array_mut().unwrap().remove(2);
        run["metrics"]["total"] = json!(2);
    });
    lab.change("study/problems.json", |set| set[1]["problem"] = json!("What is the velocity?"));
    lab.edit("study/study.toml", "version = '1.0'", "version = '1.1'");
    let ran = lab.run("diff old study").exits(1);
    let first = ran.stdout.lines().next().unwrap();
    assert_eq!(first, "records      1 removed", "{}", ran.stdout);
    let ran = ran.says("removed core_code/alpha/run1/double").says("What is the [-speed?-] {+velocity?+}");
    let order: Vec<usize> = ["records ", "problems ", "claims ", "statistics ", "files "]
        .iter()
        .map(|level| ran.stdout.find(&format!("\n{level}")).unwrap_or(0))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(!ran.stdout.contains("WARNING"), "{}", ran.stdout);
    lab.run("diff study old").exits(1).says("WARNING the first is the newer one (version 1.1 of 2026-01-02");
    lab.edit("old/study.toml", "id = 'tiny'", "id = 'other'");
    let document = lab.run("diff old study --json").exits(1).json();
    assert!(document["result"]["warnings"][0].as_str().unwrap().contains("two studies"));
}
