//! Names that attack: the terminal, the disk, the pages. They are data everywhere.

use serde_json::json;

use super::Lab;

const NAMES: [&str; 5] = [
    "../../../escape",
    "\u{1b}[2J\u{1b}]0;owned\u{7}",
    "<script>alert(1)</script>",
    "con",
    "a name that is far longer than any path on any file system should have to be, and then some more words to be sure",
];

/// Every record and problem `area` gets the name.
fn renamed(name: &str) -> Lab {
    let lab = Lab::new();
    lab.change("study/problems.json", |set| set[0]["id"] = json!(name));
    for run in ["alpha.run1", "alpha.run2", "alpha-think.run1", "alpha-think.run2"] {
        lab.change(&format!("study/runs/{run}.json"), |run| run["results"][0]["id"] = json!(name));
    }
    lab
}

#[test]
fn a_study_with_hostile_ids_builds_and_nothing_leaves_the_folder() {
    for name in NAMES {
        let lab = renamed(name);
        lab.run_unharmed("build study --out out").exits(0).never_says("\u{1b}").never_says("\u{7}");
        let top: Vec<_> = std::fs::read_dir(lab.path("")).unwrap().map(|child| child.unwrap().file_name()).collect();
        assert_eq!(top.len(), 3, "{name:?}: {top:?}");
        for (path, bytes) in lab.bytes("out/site") {
            assert!(path.is_ascii() && !path.contains(".."), "{path}");
            let page = String::from_utf8_lossy(&bytes);
            assert!(!path.ends_with(".html") || !page.contains("<script>alert"), "{path}");
        }
        lab.run("verify out/bundles/tiny-1.0.zip").exits(0);
    }
}

#[test]
fn what_is_wrong_with_hostile_names_is_said_without_controlling_the_terminal() {
    let lab = Lab::new();
    let name = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}";
    lab.change("study/runs/alpha.run1.json", |run| run["results"][0]["id"] = json!(name));
    lab.write(&format!("study/runs/{name}.run1.json"), "{\"metrics\":{},\"results\":[{\"id\":");
    let ran = lab.run_unharmed("verify study").exits(3).says("[unknown-id]").says("[torn-file]");
    for control in ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'] {
        assert!(!ran.stdout.contains(control) && !ran.stderr.contains(control), "{control:?} reaches the terminal");
    }
    lab.run(&format!("verify study/{name}")).exits(3).never_says("\u{1b}").complains("cannot be opened");
    let document = lab.run_unharmed("verify study --json").exits(3).json();
    assert!(document["findings"].to_string().contains("unknown-id"));
}

#[test]
fn links_out_of_the_study_are_not_followed() {
    let lab = Lab::new();
    lab.write("secret.json", "{\"results\": \"secret\"}");
    lab.remove("study/runs/alpha.run2.json");
    std::os::unix::fs::symlink(lab.path("secret.json"), lab.path("study/runs/alpha.run2.json")).unwrap();
    lab.run_unharmed("verify study --allow-missing").exits(0).never_says("secret\"").says("[missing-run]");
    let ran = lab.run("verify study --json --allow-missing").exits(0);
    assert!(ran.stdout.contains("not-followed"), "{}", ran.stdout);
}

#[test]
fn a_folder_whose_name_is_not_text() {
    use std::os::unix::ffi::OsStrExt;
    let lab = Lab::new();
    let name = std::ffi::OsStr::from_bytes(b"st\xffdy");
    std::fs::rename(lab.path("study"), lab.path("").join(name)).unwrap();
    let ran = super::lab::Ran::of("verify st?dy", lab.command(&["verify"]).arg(name));
    ran.exits(0).says("L1 solvers 3 of 3 agree");
}
