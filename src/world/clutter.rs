//! What lies in a folder and is no part of a study: files that systems, editors, caches and version
//! control leave there, and files that hold keys.
//!
//! The rules look at names only. What matches is not read as part of a study and is not put into a
//! deposit; whoever wants it there names it (`--include`). Every folder of a path counts, so a file below
//! `.git/` is version control whatever it is called.

use serde::Serialize;

/// Why something is not taken for a part of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clutter {
    /// Written by the operating system (`.DS_Store`, `Thumbs.db`, `._x`).
    System,
    /// A back-up, lock or swap file of an editor.
    Editor,
    /// A store of version control.
    VersionControl,
    /// A cache, or packages installed for work.
    Cache,
    /// A file whose name says that it holds keys or passwords.
    Keys,
}

impl Clutter {
    /// What it is, after "it is".
    pub const fn words(self) -> &'static str {
        match self {
            Self::System => "left there by an operating system",
            Self::Editor => "left there by an editor",
            Self::VersionControl => "version control",
            Self::Cache => "a cache",
            Self::Keys => "a file that may hold keys or passwords",
        }
    }
}

/// Folders and files of operating systems.
const SYSTEM: &[&str] = &[
    ".ds_store",
    ".appledouble",
    ".apdisk",
    ".localized",
    ".spotlight-v100",
    ".trashes",
    ".fseventsd",
    ".temporaryitems",
    ".documentrevisions-v100",
    ".volumeicon.icns",
    "__macosx",
    "icon\r",
    "thumbs.db",
    "thumbs.db:encryptable",
    "ehthumbs.db",
    "ehthumbs_vista.db",
    "desktop.ini",
    "$recycle.bin",
    "system volume information",
    ".directory",
    ".hidden",
    "lost+found",
];

/// Stores of version control. `.gitignore` and the like say something about a study and stay.
const VERSION_CONTROL: &[&str] =
    &[".git", ".hg", ".svn", ".bzr", ".jj", ".sl", ".pijul", "cvs", "_darcs", ".fslckout", "_fossil_", ".git-rewrite"];

/// Caches, environments and histories.
const CACHES: &[&str] = &[
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".tox",
    ".nox",
    ".venv",
    ".eggs",
    ".cache",
    ".ccache",
    "node_modules",
    ".npm",
    ".yarn",
    ".pnpm-store",
    ".parcel-cache",
    ".next",
    ".nuxt",
    ".turbo",
    ".sass-cache",
    ".gradle",
    ".terraform",
    ".snakemake",
    ".nextflow",
    ".rproj.user",
    ".rhistory",
    ".rdata",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".sqlite_history",
    ".psql_history",
    ".lesshst",
    ".viminfo",
    ".coverage",
    ".direnv",
    ".bundle",
    ".pixi",
    ".conda",
];

/// Files and folders whose very name says that they hold keys.
const KEYS: &[&str] = &[
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".authinfo",
    ".authinfo.gpg",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".npmrc",
    ".yarnrc",
    ".pypirc",
    ".gem-credentials",
    ".git-credentials",
    ".htpasswd",
    ".htdigest",
    ".aws",
    ".azure",
    ".gcloud",
    ".ssh",
    ".gnupg",
    ".kube",
    ".docker",
    ".dockercfg",
    ".boto",
    ".s3cfg",
    ".rclone.conf",
    "rclone.conf",
    ".vault-token",
    ".terraformrc",
    "terraform.tfstate",
    "terraform.tfstate.backup",
    ".huggingface",
    ".kaggle",
    "kaggle.json",
    ".openai",
    ".anthropic",
    ".pulumi",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "credentials.yaml",
    "credentials.yml",
    "credentials.csv",
    "credentials.txt",
    "secret.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "secrets.env",
    "secrets.txt",
    "api_key.txt",
    "api_keys.txt",
    "apikey.txt",
    "apikeys.txt",
    "api-key.txt",
    "api-keys.txt",
    "api_keys.json",
    "passwords.txt",
    "password.txt",
    "token.txt",
    "tokens.txt",
    "known_hosts",
    "authorized_keys",
];

/// Endings of files that hold keys.
const KEY_ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p8",
    ".p12",
    ".pfx",
    ".pkcs12",
    ".jks",
    ".keystore",
    ".kdb",
    ".kdbx",
    ".ppk",
    ".ovpn",
    ".env",
    ".agekey",
    ".keytab",
    ".pgp",
    ".gpg",
];

/// The kind of clutter that a path is, by the first of its parts that says so, with the length of the path
/// up to the end of that part.
///
/// ```
/// use repro::world::{Clutter, clutter};
/// assert_eq!(clutter("runs/._a.run1.json"), Some((Clutter::System, 18)));
/// assert_eq!(clutter("x/.git/config"), Some((Clutter::VersionControl, 6)));
/// assert_eq!(clutter("runs/a.run1.json"), None);
/// ```
pub fn clutter(path: &str) -> Option<(Clutter, usize)> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        if let Some(kind) = of_name(part, end == path.len()) {
            return Some((kind, end));
        }
        start = end + 1;
    }
    None
}

/// The kind of one part of a path; some names count for files only.
fn of_name(name: &str, is_last: bool) -> Option<Clutter> {
    let lower = name.to_ascii_lowercase();
    let lower = lower.as_str();
    if SYSTEM.contains(&lower)
        || lower.starts_with("._")
        || lower.starts_with(".nfs0")
        || lower.starts_with(".fuse_hidden")
    {
        return Some(Clutter::System);
    }
    if VERSION_CONTROL.contains(&lower) {
        return Some(Clutter::VersionControl);
    }
    if (is_last && is_editors(lower)) || matches!(lower, ".idea" | ".vscode" | ".vs" | ".fleet" | ".history") {
        return Some(Clutter::Editor);
    }
    if CACHES.contains(&lower) || lower.ends_with(".pyc") || lower.ends_with(".pyo") || lower.ends_with(".egg-info") {
        return Some(Clutter::Cache);
    }
    holds_keys(lower, is_last).then_some(Clutter::Keys)
}

/// Back-ups, locks and swap files.
fn is_editors(lower: &str) -> bool {
    let vim = |ending: &str| lower.starts_with('.') && lower.ends_with(ending);
    lower.ends_with('~')
        || lower.starts_with(".#")
        || (lower.starts_with('#') && lower.ends_with('#') && lower.len() > 2)
        || lower.starts_with("~$")
        || lower.starts_with(".~lock.")
        || [".swp", ".swo", ".swn", ".swx", ".swm"].into_iter().any(vim)
        || [".bak", ".orig", ".rej", ".kate-swp", ".autosave", ".sublime-workspace", ".code-workspace", ".un~"]
            .into_iter()
            .any(|ending| lower.ends_with(ending))
}

fn holds_keys(lower: &str, is_last: bool) -> bool {
    // What shows how such a file would look holds nothing.
    let sample = ["example", "sample", "template", "dist", "schema"];
    if lower.split('.').any(|part| sample.contains(&part)) || lower.ends_with(".pub") {
        return false;
    }
    if KEYS.contains(&lower) {
        return true;
    }
    let identity = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss", "identity.key"];
    is_last
        && (lower.starts_with(".env.")
            || identity.iter().any(|name| lower.starts_with(name))
            || (lower.starts_with("client_secret") && lower.ends_with(".json"))
            || ((lower.contains("service-account") || lower.contains("service_account")) && lower.ends_with(".json"))
            || KEY_ENDINGS.iter().any(|ending| lower.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_known_by_its_names_and_by_folders_above() {
        let cases: &[(Clutter, &[&str])] = &[
            (
                Clutter::System,
                &["._constructed-a.run1.json", ".DS_Store", "runs/.DS_Store", "Thumbs.db", "__MACOSX/runs/a.json"],
            ),
            (
                Clutter::Editor,
                &[
                    "a.run1.json~",
                    ".a.json.swp",
                    "#a.json#",
                    ".#a.json",
                    "~$notes.docx",
                    "a.json.bak",
                    ".vscode/x.json",
                ],
            ),
            (Clutter::VersionControl, &[".git/config", "sub/.git", ".hg/store/x", ".svn/entries", "CVS/Root", ".jj/x"]),
            (
                Clutter::Cache,
                &["__pycache__/a.cpython-311.pyc", "a.pyc", ".ipynb_checkpoints/x.ipynb", "node_modules/x/y.js"],
            ),
            (
                Clutter::Keys,
                &[".env", ".env.local", "prod.env", "id_ed25519", ".ssh/config", "server.pem", "tls.key", ".netrc"],
            ),
        ];
        for (kind, paths) in cases {
            for path in *paths {
                assert_eq!(clutter(path).map(|(kind, _)| kind), Some(*kind), "{path}");
            }
        }
    }

    #[test]
    fn what_a_study_holds_is_no_clutter() {
        for path in [
            "study.toml",
            "runs/alpha.run1.json",
            "runs/e/m.run10.json",
            ".gitignore",
            ".gitattributes",
            ".nojekyll",
            "keys.json",
            "key.csv",
            "answer-key.csv",
            "id_rsa.pub",
            ".env.example",
            "tokens.csv",
            "environment.yml",
            "cache/x.json",
            "target/x.json",
            "LICENSE",
        ] {
            assert_eq!(clutter(path), None, "{path}");
        }
    }
}
