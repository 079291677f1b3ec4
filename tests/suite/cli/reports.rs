//! `repro report`, provenance that says "rebuilt", and the front pages of a host.

use super::Lab;

#[test]
fn a_report_says_what_holds_and_answers_forms_from_the_archive() {
    let lab = Lab::new();
    let mut told = lab.run("report study").exits(0);
    for part in [
        "# Tiny bench 1.0: what can be checked",
        "## What was checked",
        "## What does not hold",
        "## What could not be checked, and why",
        "## How to repeat it",
        "## ACM artifact review and badging 1.1",
        "## NeurIPS paper checklist",
        "## REFORMS",
        "not answered by this archive",
    ] {
        told = told.says(part);
    }
    lab.run("report study --out report.html").exits(0).says("wrote report.html");
    let html = lab.text("report.html");
    assert!(
        html.contains("<h2>What was checked</h2>")
            && !html.contains("<script")
            && !html.contains("http-equiv=\"refresh")
    );
    lab.run("report study --out report.pdf").exits(2).complains("neither .md nor .html");
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.run("report study --out report.md").exits(1).says("Of 1 printed number, 1 does not follow.");
    assert!(
        lab.text("report.md").contains("66.7 % is printed in")
            && lab.text("report.md").contains("and 100 % is recomputed")
    );
}

#[test]
fn a_rebuilt_run_is_no_evidence_about_a_model() {
    let lab = Lab::new();
    for path in lab.bytes("study").into_keys() {
        if path.starts_with("runs/") && path.ends_with(".json") {
            lab.change(&format!("study/{path}"), |run| {
                run["metrics"]["provenance"] = "rebuilt from a/table.csv".into();
            });
        }
    }
    lab.run("claims study").exits(0).says("1 consistent");
    lab.run("build study --out out").says("4 of 4 were rebuilt, not recorded");
    let page = lab.text("out/site/tiny/1.0/index.html");
    assert!(page.contains("were not recorded but rebuilt") && page.contains("fits other printed numbers"), "{page}");
    assert!(page.contains("“rebuilt from a/table.csv”"));
}

#[test]
fn a_host_lists_its_studies_and_keeps_a_front_page_of_its_own() {
    let lab = Lab::new();
    lab.run("site study --out out").exits(0);
    let root = lab.text("out/site/index.html");
    assert!(root.contains("<a href=\"tiny/index.html\">Tiny bench</a>") && root.contains("1 version"), "{root}");
    assert!(lab.path("out/site/.nojekyll").is_file());
    let feed = lab.text("out/site/tiny/feed.xml");
    assert!(feed.contains("<title>Version 1.0</title>"), "{feed}");
    lab.write("out/site/index.html", "<h1>My own</h1>");
    lab.run("site study --out out --replace").exits(0);
    assert_eq!(lab.text("out/site/index.html"), "<h1>My own</h1>");
}
