//! Licences by the SPDX list: what is on it, what was probably meant, and licences of one's own.

use spdx::error::Reason;
use spdx::identifiers::{EXCEPTIONS, LICENSES};
use spdx::{Expression, LicenseItem};

use crate::report::nearest;

/// Where the text of a licence of one's own may stand in a study, `LICENSES/` first as REUSE wants it.
const TEXTS: [&str; 6] = ["LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "LICENCE.txt", "COPYING"];

/// What is wrong with a licence and what to write instead; `None` for a licence expression of the SPDX list.
pub(super) fn objection(licence: &str) -> Option<(String, String)> {
    let licence = licence.trim();
    let error = Expression::parse(licence).err()?;
    let word = licence.get(error.span.clone()).map(str::trim).filter(|word| !word.is_empty()).unwrap_or(licence);
    let list = "see https://spdx.org/licenses/; a licence of your own is written LicenseRef-NAME, with its text in \
                LICENSES/LicenseRef-NAME.txt of the study";
    let (message, remedy) = match error.reason {
        Reason::UnknownLicense | Reason::UnknownTerm | Reason::Unexpected(_) | Reason::InvalidCharacters => {
            let near = meant(licence).or_else(|| meant(word));
            let did_you_mean = near.map_or_else(String::new, |near| format!("Did you mean {near:?}? Else "));
            (format!("{licence:?} is not a licence of the SPDX list"), format!("{did_you_mean}{list}."))
        }
        Reason::UnknownException => {
            let near = nearest(word, EXCEPTIONS.iter().map(|exception| exception.name));
            let did_you_mean = near.map_or_else(String::new, |near| format!("Did you mean {near:?}? "));
            (
                format!("{word:?} is not an exception of the SPDX list"),
                format!("{did_you_mean}See https://spdx.org/licenses/."),
            )
        }
        Reason::DeprecatedLicenseId | Reason::GnuNoPlus | Reason::GnuPlusWithSuffix => (
            format!("{word:?} is no longer an identifier of the SPDX list"),
            format!("Write {0}-only or {0}-or-later.", word.trim_end_matches('+')),
        ),
        _ => (
            format!("{licence:?} is not a licence expression"),
            format!("Write one identifier, or join some with AND and OR; {list}."),
        ),
    };
    Some((message, remedy))
}

/// The identifier that was probably meant: the same without regard to case, blanks and signs, the one of that
/// full name, or the nearest.
fn meant(text: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = plain(text);
    let current = || LICENSES.iter().filter(|licence| licence.flags & spdx::flags::IS_DEPRECATED == 0);
    let same = current().find(|licence| plain(licence.name) == wanted);
    let named = || current().find(|licence| plain(licence.full_name) == wanted);
    same.or_else(named)
        .map(|licence| licence.name)
        .or_else(|| spdx::imprecise_license_id(text).map(|(id, _)| id.name))
        .or_else(|| nearest(text, current().map(|licence| licence.name)))
}

/// True for one identifier of the SPDX list: what has a page there. An expression, and a licence of one's own,
/// have none.
pub fn is_listed_licence(licence: &str) -> bool {
    spdx::license_id(licence).is_some_and(|id| id.name == licence)
}

/// The licences of one's own in an expression (`LicenseRef-NAME`).
pub fn own_licences(licence: &str) -> Vec<String> {
    let Ok(expression) = Expression::parse(licence) else { return Vec::new() };
    let own = |item: &LicenseItem| match item {
        LicenseItem::Other(other) => Some(format!("LicenseRef-{}", other.lic_ref)),
        LicenseItem::Spdx { .. } => None,
    };
    expression.requirements().filter_map(|one| own(&one.req.license)).collect()
}

/// The file with the text of a licence of one's own, among those that exist.
pub fn licence_text(name: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    let own = [format!("LICENSES/{name}.txt"), format!("LICENSES/{name}.md"), format!("LICENSES/{name}")];
    own.into_iter().chain(TEXTS.map(str::to_owned)).find(|path| exists(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_expressions_of_the_list_are_licences() {
        for licence in [
            "MIT",
            "CC-BY-4.0",
            "CC0-1.0",
            "MIT AND CC-BY-4.0",
            "Apache-2.0 WITH LLVM-exception",
            "LicenseRef-Mine",
            "GPL-3.0-or-later",
            "(MIT OR ODbL-1.0)",
        ] {
            assert_eq!(objection(licence), None, "{licence}");
        }
    }

    #[test]
    fn what_is_not_on_the_list_gets_the_nearest() {
        for (licence, near) in [
            ("cc-by-4.0", "\"CC-BY-4.0\""),
            ("CC-BY-9.9", "\"CC-BY-"),
            ("CC BY 4.0", "\"CC-BY-4.0\""),
            ("Creative Commons Attribution 4.0 International", "\"CC-BY-4.0\""),
            ("MIT License", "\"MIT\""),
            ("mit", "\"MIT\""),
            ("Apache 2.0", "\"Apache-2.0\""),
            ("Apache-2", "\"Apache-2.0\""),
            ("GPL-3.0", "GPL-3.0-only"),
            ("MIT AND cc0", "LicenseRef-NAME"),
        ] {
            let (message, remedy) = objection(licence).unwrap_or_else(|| panic!("{licence} is accepted"));
            assert!(remedy.contains(near), "{licence}: {message}. {remedy}");
        }
        assert!(objection("Proprietary").unwrap().1.contains("LicenseRef-NAME"));
        assert!(objection("").is_some());
    }

    #[test]
    fn a_listed_licence_has_a_page_and_an_own_one_has_a_file() {
        assert!(is_listed_licence("MIT") && is_listed_licence("CC-BY-4.0"));
        for other in ["mit", "Proprietary", "LicenseRef-Mine", "MIT AND MIT", "CC-BY-9.9"] {
            assert!(!is_listed_licence(other), "{other}");
        }
        assert_eq!(own_licences("MIT AND LicenseRef-My-Data"), ["LicenseRef-My-Data"]);
        let found = |files: &[&str]| licence_text("LicenseRef-My-Data", |path| files.contains(&path));
        assert_eq!(found(&["LICENSE"]).as_deref(), Some("LICENSE"));
        assert_eq!(
            found(&["LICENSE", "LICENSES/LicenseRef-My-Data.txt"]).as_deref(),
            Some("LICENSES/LicenseRef-My-Data.txt")
        );
        assert_eq!(found(&["README.md"]), None);
    }
}
