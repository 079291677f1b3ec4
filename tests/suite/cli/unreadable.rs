//! What stands where a file should be and cannot be read costs that file and nothing else.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

use super::Lab;
use super::lab::Ran;

/// A user that owns nothing; tests may run as one that may read everything.
const NOBODY: u32 = 65_534;

/// Runs as somebody who must ask for permission.
fn unprivileged(lab: &Lab, line: &str) -> Ran {
    let open = |path: &str, mode: u32| {
        std::fs::set_permissions(lab.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    open("", 0o777);
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = lab.command(&words);
    command.env("TMPDIR", lab.path(""));
    if nix::unistd::geteuid().is_root() {
        // The test's own binary may lie where only its owner looks.
        let copy = lab.path("repro");
        std::fs::copy(super::lab::REPRO, &copy).unwrap();
        open("repro", 0o755);
        let mut other = std::process::Command::new(copy);
        other.args(&words).current_dir(lab.path("")).env_clear().stdin(std::process::Stdio::null());
        other.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        other.env("HOME", lab.path("")).env("XDG_CACHE_HOME", lab.path("cache")).env("TMPDIR", lab.path(""));
        command = other;
        command.uid(NOBODY).gid(NOBODY);
    }
    Ran::of(line, &mut command)
}

#[test]
fn a_file_without_permission_costs_itself_only() {
    for (path, rest) in [
        ("study/runs/alpha.run1.json", "L2 replay 9 of 9 agree"),
        ("study/problems.json", "L6 claims"),
        ("study/claims.toml", "L2 replay 12 of 12 agree"),
    ] {
        let lab = Lab::new();
        std::fs::set_permissions(lab.path(path), std::fs::Permissions::from_mode(0o000)).unwrap();
        let ran = unprivileged(&lab, "verify study").exits(3);
        let name = path.strip_prefix("study/").unwrap();
        let ran = ran.says(&format!("[unreadable-file] {name}")).says("Permission denied").says(rest);
        ran.never_says("repro init");
        std::fs::set_permissions(lab.path(path), std::fs::Permissions::from_mode(0o644)).unwrap();
    }
}

#[test]
fn a_folder_or_a_dangling_link_in_place_of_a_file_costs_itself_only() {
    let lab = Lab::new();
    lab.remove("study/runs/alpha.run1.json").write("study/runs/alpha.run1.json/inside.txt", "x");
    lab.run_unharmed("verify study").exits(4).says("[missing-run]").says("L2 replay 9 of 9 agree");
    let lab = Lab::new();
    lab.remove("study/runs/alpha.run1.json");
    std::os::unix::fs::symlink("nowhere.json", lab.path("study/runs/alpha.run1.json")).unwrap();
    let ran = lab.run("verify study");
    assert!([3, 4].contains(&ran.code), "{}", ran.stdout);
    ran.says("alpha run 1").says("L2 replay 9 of 9 agree");
}
