//! File names from arbitrary text: safe on every system, different for different texts.
//!
//! Names of models, problems and archived files are data. Before one becomes a file name it passes
//! through here: the result uses `a-z 0-9 . _ -` only, is no device name, does not begin with a
//! point, a hyphen or an underscore (hosts that run Jekyll drop such files), has at most [`LONGEST`] bytes, and two different texts never get names that are equal
//! on a disk that ignores case. A text that already is such a name stays itself; any other keeps what
//! can be kept and ends in `--` and 80 bits of its digest. No name that stays itself contains `--`, so
//! the two kinds cannot meet, and two of the second kind meet only where SHA-256 does.
//!
//! [`stored_paths`] does the same for a whole list of archive paths and may keep upper-case letters,
//! because it sees all names of a folder at once. Nothing here touches a disk.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::Digest;

/// Longest file name made here, in bytes: one part of a path.
pub const LONGEST: usize = 100;

/// Longest path inside a deposit, so that it can be unpacked below a folder on every system.
pub const LONGEST_PATH: usize = 180;

/// Longest id of a study.
pub const LONGEST_ID: usize = 40;

/// Longest version of a study.
pub const LONGEST_VERSION: usize = 20;

/// Longest address of a page or file inside a site: what [`LONGEST_PATH`] leaves below
/// `ID-VERSION/data/site/`.
pub const LONGEST_ADDRESS: usize = LONGEST_PATH - LONGEST_ID - 1 - LONGEST_VERSION - "/data/site/".len();

/// Hexadecimal digits of the digest in a name that had to change.
const DIGITS: usize = 20;

/// Folder of files whose whole path would be too long.
const LONG_FOLDER: &str = "renamed";

/// A file name (or one part of a URL) for any text.
///
/// ```
/// use repro::slug::file_name;
/// assert_eq!(file_name("gpt55-reasoning"), "gpt55-reasoning");
/// assert!(file_name("../Weights & Biases.JSON").starts_with("weights-biases--"));
/// assert_ne!(file_name("A"), file_name("a"));
/// ```
pub fn file_name(text: &str) -> String {
    let plain = !text.starts_with(['.', '-', '_']) && !text.bytes().any(|b| b.is_ascii_uppercase());
    if plain && is_storable(text) { text.to_owned() } else { changed(text, text, LONGEST) }
}

/// The address of a file inside a site: a folder, the names below it (results of [`file_name`]) and an
/// extension. One whose last part is longer than [`LONGEST`] keeps what can be kept of it and ends in `--`
/// and 80 bits of the digest of the whole; one that is longer than [`LONGEST_ADDRESS`] also loses the
/// folders between. Different names have different addresses.
pub fn address(folder: &str, names: &[String], extension: &str) -> String {
    let whole = format!("{folder}/{}.{extension}", names.join("/"));
    let last = names.last().map_or("", String::as_str);
    if whole.len() <= LONGEST_ADDRESS && last.len() + 1 + extension.len() <= LONGEST {
        return whole;
    }
    let between: String = names[..names.len().saturating_sub(1)].iter().map(|name| format!("{name}/")).collect();
    let shortened = |most: usize| {
        let kept = &last[..last.len().min(most.saturating_sub(DIGITS + 3 + extension.len()))];
        let kept = kept.trim_end_matches(['-', '.']);
        format!("{kept}--{}.{extension}", Digest::of(whole.as_bytes()).short(DIGITS))
    };
    let deep = format!("{folder}/{between}{}", shortened(LONGEST));
    if deep.len() <= LONGEST_ADDRESS {
        return deep;
    }
    format!("{folder}/{}", shortened((LONGEST_ADDRESS - folder.len() - 1).min(LONGEST)))
}

/// True when `name` may be one part of a path in an archive: letters of either case, digits, `.`, `_`,
/// `-`; at most [`LONGEST`] bytes; no device name of Windows, no leading hyphen, no trailing point.
pub fn is_safe(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !is_device(name)
}

/// True when a name from outside may be kept as it is: [`is_safe`], and without `--`, which is reserved for
/// changed names.
pub fn is_storable(name: &str) -> bool {
    is_safe(name) && !name.contains("--")
}

/// Stored paths for a list of original paths, in the same order: every part is storable or changed,
/// parts that differ only in case inside one folder are all changed, and a path longer than `longest`
/// bytes moves into a folder of its own. Equal inputs give equal outputs; different inputs different
/// ones, also when case is ignored. The result of a path depends on the names beside it, never on the
/// order of the list.
pub fn stored_paths(paths: &[&str], longest: usize) -> Vec<String> {
    let mut children: BTreeMap<(&str, String), BTreeSet<&str>> = BTreeMap::new();
    for path in paths {
        for (folder, name) in parts(path) {
            children.entry((folder, name.to_ascii_lowercase())).or_default().insert(name);
        }
    }
    let part = |folder: &str, name: &str| {
        let alone = children.get(&(folder, name.to_ascii_lowercase())).is_none_or(|names| names.len() == 1);
        let reserved = folder.is_empty() && name.eq_ignore_ascii_case(LONG_FOLDER);
        if alone && !reserved && is_storable(name) { name.to_owned() } else { changed(name, name, LONGEST) }
    };
    let stored = |path: &&str| {
        let joined = parts(path).map(|(folder, name)| part(folder, name)).collect::<Vec<_>>().join("/");
        if joined.len() <= longest {
            return joined;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let most = longest.saturating_sub(LONG_FOLDER.len() + 1).min(LONGEST);
        format!("{LONG_FOLDER}/{}", changed(name, path, most))
    };
    paths.iter().map(stored).collect()
}

/// The parts of a path, each with the folder it stands in.
fn parts(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut start = 0;
    path.split('/').map(move |name| {
        let folder = &path[..start];
        start += name.len() + 1;
        (folder, name)
    })
}

/// What can be kept of `name`, then the digest of `identity`, then a short extension; at most `most` bytes.
fn changed(name: &str, identity: &str, most: usize) -> String {
    let lower = name.to_ascii_lowercase();
    let (stem, extension) = match lower.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) => (stem, format!(".{extension}")),
        _ => (lower.as_str(), String::new()),
    };
    let room = most.saturating_sub(DIGITS + 2 + extension.len());
    let mut kept = String::new();
    for character in stem.chars() {
        if kept.len() == room {
            break;
        }
        if character.is_ascii_alphanumeric() || (character == '_' && !kept.is_empty()) {
            kept.push(character);
        } else if !kept.is_empty() && !kept.ends_with('-') {
            kept.push('-');
        }
    }
    let kept = match kept.trim_end_matches('-') {
        "" => "x",
        kept => kept,
    };
    format!("{kept}--{}{extension}", Digest::of(identity.as_bytes()).short(DIGITS))
}

fn is_extension(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// Names that Windows gives to devices, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered =
        |prefix: &str| stem.strip_prefix(prefix).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The promise, written independently of the code above.
    fn assert_safe(name: &str) {
        assert!(!name.is_empty() && name.len() <= 100, "{name:?}");
        assert!(name.chars().all(|c| "abcdefghijklmnopqrstuvwxyz0123456789._-".contains(c)), "{name:?}");
        assert!(!name.starts_with('.') && !name.starts_with('-') && !name.ends_with('.'), "{name:?}");
        let stem = name.split('.').next().unwrap();
        for device in ["con", "prn", "aux", "nul", "com0", "com1", "com9", "lpt0", "lpt9"] {
            assert_ne!(stem, device);
        }
    }

    #[test]
    fn hostile_and_awkward_names_become_safe() {
        for text in [
            "",
            ".",
            "..",
            "../../etc/passwd",
            "/abs",
            "C:\\x",
            "a\nb",
            "100%.json",
            "aux.json",
            "con.a.b",
            "COM1",
            "-rf",
            ".hidden",
            "x.",
            "x ",
            "é.json",
            "e\u{301}.json",
            "<script>",
            "\u{202e}gnp",
            "a--b",
            "%2e%2e",
        ] {
            let name = file_name(text);
            assert_safe(&name);
            assert!(name.contains("--"), "{text:?} gave {name:?}");
        }
        let long = "y".repeat(400) + ".json";
        assert_safe(&file_name(&long));
        assert!(file_name(&long).ends_with(".json") && file_name(&long).len() == 100);
        assert_eq!(file_name("core_012.json"), "core_012.json");
        assert_eq!(file_name("gpt-5.5"), "gpt-5.5");
    }

    #[test]
    fn a_made_name_given_as_a_text_gets_another_name() {
        let made = file_name("Some Model");
        assert_ne!(file_name(&made), made);
    }

    #[test]
    fn archive_names_keep_their_case_unless_they_collide() {
        let stored = stored_paths(&["README.md", "runs/A.json", "runs/a.json", "Runs/b.json", "x/ok.CSV"], 150);
        assert_eq!((stored[0].as_str(), stored[4].as_str()), ("README.md", "x/ok.CSV"));
        assert!(stored[1].starts_with("runs--") && stored[1].contains("/a--"), "{}", stored[1]);
        assert_eq!(stored.iter().map(|s| s.to_lowercase()).collect::<BTreeSet<_>>().len(), 5);
    }

    #[test]
    fn addresses_fit_into_a_deposit_and_differ() {
        let names = |lengths: [usize; 3], letter: &str| lengths.map(|length| letter.repeat(length));
        assert_eq!(address("runs", &names([4, 5, 6], "a"), "html"), "runs/aaaa/aaaaa/aaaaaa.html");
        let mut seen = BTreeSet::new();
        for lengths in [[3, 3, 96], [3, 3, 100], [100, 100, 100], [100, 3, 3], [3, 80, 20], [40, 30, 30]] {
            for letter in ["a", "b"] {
                let made = address("runs", &names(lengths, letter), "html");
                assert!(made.len() <= LONGEST_ADDRESS && made.split('/').all(is_safe), "{made}");
                assert!(made.starts_with("runs/") && made.ends_with(".html") && seen.insert(made));
            }
        }
        let two = address("compare", &["x".repeat(60) + "--" + &"y".repeat(60)], "html");
        assert!(two.len() <= LONGEST_ADDRESS && two.split('/').all(is_safe), "{two}");
    }

    #[test]
    fn a_path_that_is_too_long_moves() {
        let deep = format!("{}/end.json", vec!["folder"; 40].join("/"));
        let stored = stored_paths(&[&deep, "renamed/end.json"], 120);
        assert!(stored[0].starts_with("renamed/end--") && stored[0].len() <= 120);
        let long = format!("{}/{}.json", "folder".repeat(20), "x".repeat(300));
        assert_eq!(stored_paths(&[&long], 60)[0].len(), 60);
        assert!(stored[1].starts_with("renamed--"));
    }

    proptest! {
        #[test]
        fn any_text_gives_a_safe_name(text in any::<String>()) {
            assert_safe(&file_name(&text));
        }

        #[test]
        fn different_texts_give_names_that_differ_without_case(a in "[aAbB.\\-_ é/]{0,6}", b in "[aAbB.\\-_ é/]{0,6}") {
            prop_assert_eq!(a == b, file_name(&a).to_lowercase() == file_name(&b).to_lowercase());
        }

        #[test]
        fn stored_paths_differ_without_case_and_ignore_order(
            paths in prop::collection::btree_set("([aAbB. é-]{1,3}/){0,3}[aAb.-]{1,3}", 1..20)
        ) {
            let list: Vec<&str> = paths.iter().map(String::as_str).collect();
            let stored = stored_paths(&list, 60);
            let distinct: BTreeSet<String> = stored.iter().map(|s| s.to_lowercase()).collect();
            prop_assert_eq!(distinct.len(), list.len());
            for path in &stored {
                prop_assert!(path.len() <= 180 && path.split('/').all(is_made_or_kept), "{}", path);
            }
            let backwards: Vec<&str> = list.iter().rev().copied().collect();
            let again: Vec<String> = stored_paths(&backwards, 60).into_iter().rev().collect();
            prop_assert_eq!(stored, again);
        }
    }

    fn is_made_or_kept(part: &str) -> bool {
        !matches!(part, "" | "." | "..") && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    }
}
