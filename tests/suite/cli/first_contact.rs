//! The first minute: mistakes in a declaration, slips in names, files that are no study, what is said at the end.

use super::Lab;

#[test]
fn every_mistake_of_a_declaration_is_told_at_once() {
    let lab = Lab::new();
    lab.edit("study/study.toml", "licence = 'MIT'", "license = 'MIT'");
    lab.edit("study/study.toml", "tolerance = 0.05", "tolerence = 0.05\ntolerance = 0.05");
    lab.edit("study/study.toml", "set = 'core'", "set = 'cor'");
    let ran = lab.run_unharmed("verify study").exits(3).complains("unknown field `license`");
    let ran = ran.complains("Did you mean `licence`?");
    let ran = ran.complains("unknown field `tolerence`").complains("Did you mean `tolerance`?");
    ran.complains("no set is called cor; did you mean core?");
}

#[test]
fn versions_and_dates_need_no_quotes_and_a_year_stays_a_year() {
    let lab = Lab::new();
    lab.edit("study/study.toml", "version = '1.0'", "version = 1.10").edit("study/study.toml", "'2026-01-02'", "2026");
    lab.run_unharmed("build study --out out").exits(0).says("Tiny bench 1.10");
    let zip = std::fs::File::open(lab.path("out/bundles/tiny-1.10.zip")).unwrap();
    let mut zip = zip::ZipArchive::new(zip).unwrap();
    let mut text = |name: &str| std::io::read_to_string(zip.by_name(&format!("tiny-1.10/{name}")).unwrap()).unwrap();
    for name in ["data/README.md", "data/CITATION.cff", "data/metadata/datacite.json", "bag-info.txt"] {
        assert!(!text(name).contains("2026-01-01"), "{name} makes up a day");
    }
    lab.run("verify out/bundles/tiny-1.10.zip").exits(0);
}

#[test]
fn a_doi_is_the_same_in_every_form() {
    let lab = Lab::new();
    lab.edit("study/study.toml", "date =", "doi = 'https://doi.org/10.5281/zenodo.123'\ndate =");
    lab.run_unharmed("build study --out out").exits(0);
    let page = lab.text("out/site/tiny/1.0/index.html");
    assert!(!page.contains("doi.org/https"), "a doubled link");
    lab.edit("study/study.toml", "https://doi.org/10.5281/", "https://example.org/");
    for line in ["verify study", "site study --out other", "bundle study --out other", "claims study"] {
        lab.run_unharmed(line).exits(3).complains("study.doi").complains("is not a DOI");
    }
    let lab = Lab::new();
    lab.run("bundle study --out out").exits(0);
    lab.run("bundle set-doi out/bundles/tiny-1.0.zip https://doi.org/10.5281/zenodo.123").exits(0);
    lab.run("verify out/bundles/tiny-1.0.zip").exits(0);
}

#[test]
fn a_licence_is_one_of_the_list_or_comes_with_its_text() {
    for (licence, said) in [("cc-by-4.0", "CC-BY-4.0"), ("Proprietary", "LicenseRef-NAME"), ("CC BY 4.0", "CC-BY-4.0")]
    {
        let lab = Lab::new();
        lab.edit("study/study.toml", "licence = 'MIT'", &format!("licence = '{licence}'"));
        lab.run_unharmed("verify study").exits(3).complains("study.licence").complains(said);
    }
    let lab = Lab::new();
    lab.edit("study/study.toml", "licence = 'MIT'", "licence = 'LicenseRef-Tiny'");
    lab.run_unharmed("verify study").exits(3).complains("does not hold the text of LicenseRef-Tiny");
    lab.write("study/LICENSES/LicenseRef-Tiny.txt", "Use it in tests only.");
    lab.run_unharmed("build study --out out").exits(0);
    lab.run("verify out/bundles/tiny-1.0.zip").exits(0);
}

#[test]
fn slips_in_names_are_seen() {
    let lab = Lab::new();
    std::fs::rename(lab.path("study/runs/alpha.run1.json"), lab.path("study/runs/alhpa.run1.json")).unwrap();
    lab.run_unharmed("verify study")
        .exits(1)
        .says("[missing-run]")
        .says("alhpa.run1.json is not declared: did you mean alpha.run1.json?");
    let lab = Lab::new();
    std::fs::rename(lab.path("study/problems.json"), lab.path("study/problem.json")).unwrap();
    lab.run_unharmed("verify study").exits(4).says("is absent; did you mean problem.json?");
    for (from, to, near) in [
        ("'accuracy-mean-sd'", "'accuracy-mean-ds'", "did you mean accuracy-mean-sd?"),
        ("measure = 'mean'", "measure = 'maen'", "did you mean mean?"),
        ("{ model =", "{ modle =", "did you mean model?"),
    ] {
        let lab = Lab::new();
        lab.edit("study/claims.toml", from, to);
        lab.run_unharmed("claims study").exits(3).says("[bad-ledger] claims.toml").says(near);
    }
    let lab = Lab::new();
    lab.edit("study/claims.toml", "model = 'alpha-think'", "model = 'alpha-thnk'");
    lab.run_unharmed("claims study").exits(4).says("best:").says("model=alpha-thnk; did you mean alpha-think?");
    lab.run("bundle study --out out --for zenod").exits(2).complains("did you mean zenodo?");
    lab.run("verify study --sandbox fulll").exits(2).complains("did you mean full?");
}

#[test]
fn explain_lists_the_values_of_a_study() {
    let lab = Lab::new();
    let ran = lab.run_unharmed("explain accuracy-mean-sd study").exits(0);
    ran.says("mean { model = \"alpha-think\", protocol = \"code\", set = \"core\" }: 100");
    let document = lab.run("explain accuracy-mean-sd study --json").exits(0).json();
    assert!(!document["result"]["facts"].as_array().unwrap().is_empty());
    lab.run("explain exit-0 study").exits(2).complains("is no statistic");
}

#[test]
fn a_ledger_that_is_no_ledger_is_said_with_its_line() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "unit = 'percent'", "unit = percent");
    let ran = lab.run_unharmed("verify study").exits(3).says("[bad-ledger] claims.toml, line 7");
    let ran = ran.says("claims none could be read from claims.toml");
    assert!(!ran.stdout.contains("no ledger"));
    lab.run_unharmed("claims study").exits(3).says("[bad-ledger] claims.toml, line 7");
}

#[test]
fn a_file_that_is_no_zip_is_said_to_be_none() {
    let lab = Lab::new();
    lab.write("file.txt", "text").write("page.zip", "<html>not found</html>").write("empty.zip", "");
    for file in ["file.txt", "page.zip", "empty.zip", "study/study.toml"] {
        for command in ["verify", "claims", "stats", "build"] {
            let ran = lab.run(&format!("{command} {file}")).exits(3);
            ran.complains(&format!("{file} is neither a study folder nor a zip"));
        }
    }
}

#[test]
fn a_build_ends_with_its_verdict() {
    let lab = Lab::new();
    let last = |line: &str, code| {
        let ran = lab.run(line).exits(code);
        let text =
            ran.stdout.split("\nVERDICT").nth(1).unwrap_or_else(|| panic!("no verdict: {}", ran.stdout)).to_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(last("build study --out out", 0), "holds: L0, L1, L2, L3, L4, L5, L6, L7; exit 0 (nothing disagrees)");
    lab.edit("study/claims.toml", "100.0", "66.7");
    let failed = last("build study --out out --replace", 1);
    assert!(
        failed.contains("does not hold: L6 (1 of 1 numbers)") && failed.contains("exit 1 (1 finding disagrees"),
        "{failed}"
    );
    let site = last("site study --out out --replace", 1);
    assert!(site.contains("exit 1"), "{site}");
}

#[test]
fn a_level_counts_its_findings_and_agrees_only_with_something() {
    let lab = Lab::new();
    lab.change("study/runs/alpha.run1.json", |run| run["metrics"]["model"] = "beta".into());
    lab.run_unharmed("verify study")
        .exits(1)
        .says("L0 integrity 4 of 4 agree; 1 finding")
        .says("L5 statistics")
        .says("computed");
    let document = lab.run("verify study --json").exits(1).json();
    let l5 = document["levels"].as_array().unwrap().iter().find(|level| level["level"] == "L5").unwrap().clone();
    assert_eq!((l5["agreed"].as_u64(), l5["checked"].as_u64()), (Some(0), Some(0)));
    assert!(l5["computed"].as_u64().unwrap() > 0);
}

#[test]
fn damage_to_a_deposit_is_said_first_and_has_a_code_of_its_own() {
    let lab = Lab::new();
    lab.edit("study/claims.toml", "100.0", "66.7");
    lab.run("build study --out out").exits(1);
    let zip = "out/bundles/tiny-1.0.zip";
    let intact = lab.run(&format!("verify {zip}")).exits(1);
    assert!(intact.stdout.starts_with("DEPOSIT INTACT: tiny-1.0"), "{}", intact.stdout);
    let mut bytes = std::fs::read(lab.path(zip)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(lab.path(zip), bytes).unwrap();
    let damaged = lab.run(&format!("verify {zip}"));
    assert!(damaged.code == 7 || damaged.code == 3, "{}", damaged.code);
    if damaged.code == 7 {
        assert!(damaged.stdout.starts_with("DEPOSIT DAMAGED: "), "{}", damaged.stdout);
    }
}
