//! Tells the tests what this machine has, so that a test that cannot run is reported as ignored with its
//! reason and not counted as passed.
//!
//! Each flag is looked at when the package is built: after an installation, `touch build.rs` looks again.

use std::env;
use std::path::{Path, PathBuf};

/// A flag for `#[cfg_attr(not(flag), ignore = "...")]`, and the programs of which any one sets it.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("has_chromium", &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]),
    ("has_python3", &["python3"]),
    ("has_ssh_keygen", &["ssh-keygen"]),
    ("has_git", &["git"]),
    ("has_unzip", &["unzip"]),
    ("has_7zip", &["7zz"]),
    ("has_bagit", &["bagit.py"]),
    ("has_snakemake", &["snakemake"]),
    ("has_slurm", &["sbatch"]),
];

/// The flag for the development data beside the repository.
const SHARED: &str = "has_shared";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PATH");
    println!("cargo:rerun-if-env-changed=CHROME");
    let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    for (flag, names) in PROGRAMS {
        let named = (*flag == "has_chromium").then(|| env::var_os("CHROME")).flatten().map(PathBuf::from);
        let anywhere = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        set(flag, named.into_iter().chain(anywhere).find(|program| program.is_file()).as_deref());
    }
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let readme = root.join("../shared/atmoscoder/README.md");
    set(SHARED, Some(readme.as_path()).filter(|path| path.is_file()));
}

/// Declares a flag and sets it when its sign was found. A sign that goes away is noticed; one that was not
/// there cannot be watched, since cargo would build everything again each time.
fn set(flag: &str, sign: Option<&Path>) {
    println!("cargo:rustc-check-cfg=cfg({flag})");
    if let Some(sign) = sign {
        println!("cargo:rerun-if-changed={}", sign.display());
        println!("cargo:rustc-cfg={flag}");
    }
}
