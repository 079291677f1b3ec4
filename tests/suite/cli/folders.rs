//! What else lies in a folder: clutter, keys, pointers, files that nobody may read.

use super::Lab;
use super::lab::Ran;

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

fn stored(lab: &Lab) -> Vec<String> {
    let file = std::fs::File::open(lab.path("out/bundles/tiny-1.0.zip")).unwrap();
    let zip = zip::ZipArchive::new(file).unwrap();
    zip.file_names().map(|name| name.unwrap().into_owned()).collect()
}

#[test]
fn files_of_systems_and_editors_cost_no_run() {
    let lab = Lab::new();
    let before = lab.run("verify study").exits(0).stdout;
    for name in
        ["._alpha.run1.json", ".DS_Store", "Thumbs.db", "desktop.ini", "alpha.run1.json~", ".alpha.run1.json.swp"]
    {
        lab.write(&format!("study/runs/{name}"), b"\0\x05\x16\x07\xff\xfe");
    }
    let ran = lab.run_unharmed("verify study").exits(0).says("L2 replay 12 of 12 agree");
    let ran = ran.says("left out runs/.DS_Store (left there by an operating system)");
    let digest = |text: &str| text.lines().find(|line| line.starts_with("archive ")).map(str::to_owned);
    assert_eq!(digest(&before), digest(&ran.stdout), "clutter is part of the digest");
    let document = lab.run("verify study --json").exits(0).json();
    assert_eq!(document["findings"].to_string().matches("left-out").count(), 6);
}

#[test]
fn version_control_caches_and_keys_are_not_deposited_unless_asked_for() {
    let lab = Lab::new();
    lab.write("study/.env", "TOKEN=1").write("study/.git/config", "[remote]").write("study/.git/objects/ab/cd", "x");
    lab.write("study/tools/__pycache__/a.pyc", "x").write("study/id_ed25519", "x").write("study/.gitignore", "*.log");
    let ran = lab.run_unharmed("build study --out out").exits(0);
    let ran = ran.says(".env (a file that may hold keys or passwords)").says(".git/ (version control)");
    ran.says("--include PATH takes it in");
    let names = stored(&lab);
    for part in ["env", "git/", "pycache", "ed25519"] {
        assert!(!names.iter().any(|name| name.contains("/archive/") && name.contains(part)), "{part}: {names:?}");
    }
    assert!(lab.run("verify out/bundles/tiny-1.0.zip").exits(0).stdout.starts_with("DEPOSIT INTACT"));
    lab.run_unharmed("bundle study --out out --replace --include .env --include tools").exits(0);
    let kept = stored(&lab);
    assert_eq!(kept.iter().filter(|name| name.contains("/archive/")).count(), 8 + 3, "{kept:?}");
}

#[test]
fn a_key_in_a_text_is_told_before_it_is_published() {
    let lab = Lab::new();
    // Made up, and put together here, so that no scanner takes this file for one that holds keys.
    lab.write("study/notes.md", format!("first line\nexport KEY=ghp_{}\n", "a1".repeat(18)));
    let ran = lab.run_unharmed("build study --out out").exits(1);
    ran.says("[secret-found] notes.md, line 2: it has the form of a GitHub token").never_says(&"a1".repeat(18));
    lab.run_unharmed("bundle study --out again").exits(1).says("[secret-found]");
    lab.run_unharmed("bundle study --out more --include notes.md").exits(0).never_says("secret-found");
}

#[test]
fn a_pointer_in_place_of_any_file_is_named() {
    let told = |ran: Ran, file: &str| {
        ran.says(&format!("[file-elsewhere] {file}"))
            .says("it is a Git LFS pointer (sha256 4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393, 12345 bytes)")
            .says("fetch the content")
    };
    for file in ["runs/alpha.run1.json", "problems.json", "README.md", "claims.toml"] {
        let lab = Lab::new();
        lab.write(&format!("study/{file}"), POINTER);
        told(lab.run_unharmed("verify study").exits(4), file).never_says("torn-file");
    }
    let lab = Lab::new();
    lab.write("study/tables/scores.csv", POINTER);
    told(lab.run_unharmed("verify study").exits(4), "tables/scores.csv");
    lab.write("study/study.toml", POINTER);
    lab.run_unharmed("verify study").exits(3).complains("study.toml").complains("it is a Git LFS pointer");
}

#[test]
fn nothing_beside_a_study_is_read_or_packed_unless_it_is_named() {
    let lab = Lab::new();
    lab.write(".ssh/id_ed25519", "-----BEGIN KEY-----");
    lab.edit("study/study.toml", "path = 'claims.toml'", "path = '.ssh/id_ed25519'");
    lab.run_unharmed("build study --out out").exits(4).says("[missing-file] .ssh/id_ed25519");
    assert!(!stored(&lab).iter().any(|name| name.contains("ed25519")));
    // Named as what it is not, it is read, refused, and not packed.
    lab.run_unharmed("build study --out out --replace --claims .ssh/id_ed25519").exits(3).says("[bad-ledger]");
    assert!(!stored(&lab).iter().any(|name| name.contains("ed25519")));
    let fifo = std::process::Command::new("mkfifo").arg(lab.path("pipe.toml")).status().unwrap();
    assert!(fifo.success());
    for line in [
        "claims study --claims pipe.toml",
        "claims --suggest pipe.toml",
        "verify pipe.toml",
        "verify study --key pipe.toml",
    ] {
        let ran = lab.run(line);
        assert!(ran.code == 3 || ran.code == 2, "{line}: {}", ran.code);
    }
}

#[test]
fn one_line_stays_one_line() {
    let lab = Lab::new();
    let forged = "area\nerror: forged\n[claim-differs] forged";
    lab.change("study/runs/alpha.run1.json", |run| run["results"][0]["id"] = forged.into());
    lab.edit("study/problems.json", "2 * x", "1 / 0 if x else 'a\\n[bad] forged'");
    let ran = lab.run_unharmed("verify study");
    let ran = ran.says("area\\nerror: forged");
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        assert!(
            !line.starts_with("error: forged") && !line.starts_with("[bad]") && !line.starts_with("[claim"),
            "{line}"
        );
    }
}
