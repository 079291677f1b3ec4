//! Names that no honest writer stores, and sets of names that no disk can hold.

use std::collections::{BTreeMap, BTreeSet};

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// Longest name accepted, in bytes.
const LONGEST: usize = 4096;

/// Why a stored name is refused; `None` when it is harmless.
pub(super) fn refusal(name: &[u8], says_utf8: bool) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(name) else {
        return Some("its name is not UTF-8");
    };
    if !says_utf8 && !text.is_ascii() {
        return Some("its name is not ASCII and not marked as UTF-8");
    }
    if text.is_empty() || text.len() > LONGEST {
        return Some("its name is empty or longer than any path");
    }
    if text.chars().any(char::is_control) {
        return Some("its name holds a control character");
    }
    if text.contains('\\') {
        return Some("its name holds a backslash, which some systems take for a separator");
    }
    if text.starts_with('/') {
        return Some("its name is absolute");
    }
    if text.as_bytes().get(1) == Some(&b':') || text.starts_with('~') {
        return Some("its name begins like a drive or a home folder");
    }
    let path = text.strip_suffix('/').unwrap_or(text);
    if path.split('/').any(|part| part == "..") {
        return Some("its name leaves the folder");
    }
    path.split('/').any(|part| matches!(part, "" | ".")).then_some("its name has an empty part")
}

/// The form under which two names are the same on some disk: canonical caseless matching of the Unicode
/// standard (section 3.13, definition D145) with full case folding, so `ß` is `ss`, `ſ` is `s` and a final
/// sigma a sigma.
pub(super) fn folded(name: &str) -> String {
    name.nfd().default_case_fold().nfd().collect()
}

/// Pairs of a name and the reason why it cannot stand beside another of the list.
pub(super) fn collisions<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<(&'a str, String)> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names.clone() {
        let key = folded(name.trim_end_matches('/'));
        match seen.get(&key) {
            Some(&other) if other == name => found.push((name, "the same name stands twice".to_owned())),
            Some(&other) => found.push((name, format!("{other:?} is the same name on some disks"))),
            None => drop(seen.insert(key, name)),
        }
    }
    let files: BTreeSet<String> = names.clone().filter(|name| !name.ends_with('/')).map(folded).collect();
    for name in names {
        let key = folded(name.trim_end_matches('/'));
        let above = key.match_indices('/').map(|(end, _)| &key[..end]).find(|above| files.contains(*above));
        if let Some(above) = above {
            found.push((name, format!("{above:?} would be a file and a folder")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_refused() {
        for name in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a\\b",
            "C:/x",
            "c:x",
            "a\0b",
            "a\nb",
            "a//b",
            "./a",
            "a/.",
            "~root/x",
        ] {
            assert!(refusal(name.as_bytes(), true).is_some(), "{name:?}");
        }
        assert!(refusal(b"\xff", true).is_some() && refusal("é".as_bytes(), false).is_some());
        for name in ["a", "a/b.json", "a/", "...", "é/x", ".keep"] {
            assert!(refusal(name.as_bytes(), true).is_none(), "{name:?}");
        }
    }

    #[test]
    fn names_that_some_disk_takes_for_one_are_found() {
        let found = |names: &[&'static str]| collisions(names.iter().copied()).len();
        assert_eq!(found(&["a", "b", "c/d"]), 0);
        assert_eq!(found(&["a", "a"]), 1);
        assert_eq!(found(&["a/B", "A/b"]), 1);
        assert_eq!(found(&["\u{e9}", "e\u{301}"]), 1);
        for pair in [
            ["stra\u{df}e", "strasse"],
            ["\u{1e9e}", "ss"],
            ["\u{17f}", "S"],
            ["\u{3c2}", "\u{3a3}"],
            ["\u{fb01}", "FI"],
            ["\u{130}", "i\u{307}"],
            ["\u{212a}", "k"],
            ["\u{390}", "\u{1fd3}"],
        ] {
            assert_eq!(found(&pair), 1, "{pair:?}");
        }
        assert_eq!(found(&["\u{131}", "i"]), 0);
        assert_eq!(found(&["a", "a/b"]), 1);
        assert_eq!(found(&["a/", "a"]), 1);
    }
}
