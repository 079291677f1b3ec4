//! The one record: an identity that is complete enough to be deposited.

use crate::report::{Finding, Findings, Place};
use crate::slug;
use crate::study::{Author, Identity, doi, is_listed_licence};

use super::day::epoch_of;

/// Shortest title that catalogues accept.
const SHORTEST_TITLE: usize = 3;

/// What is missing or malformed in an identity before it may be deposited; empty when nothing is. Each
/// finding names the member of `[study]` and says what to write.
pub fn shortcomings(identity: &Identity) -> Findings {
    let mut found = Findings::default();
    let mut say = |member: &str, message: String| {
        found.push(Finding::new("identity-incomplete", Place::subject(format!("study.{member}")), message));
    };
    if !is_name(&identity.id) {
        say(
            "id",
            "write a name of at most 40 lower-case letters, digits and hyphens, such as id = \"my-benchmark\"".into(),
        );
    }
    if identity.title.trim().chars().count() < SHORTEST_TITLE {
        say("title", format!("write the full title (at least {SHORTEST_TITLE} characters)"));
    }
    if identity.description.trim().is_empty() {
        say("description", "write a paragraph for people who find the deposit without the paper".into());
    }
    if identity.licence.trim().is_empty() {
        say("licence", "write an SPDX licence expression, such as licence = \"CC-BY-4.0\"".into());
    }
    if !is_version(&identity.version) {
        say("version", "write the version of the archive as text of at most 20 letters, digits, points and hyphens, such as version = \"1.0\"".into());
    }
    if moment_of(&identity.date).is_none() {
        say("date", format!("{:?} is no date; write date = \"YYYY-MM-DD\", or the year", identity.date));
    }
    if identity.authors.is_empty() {
        say("authors", "name at least one author: [[study.authors]] with family and given".into());
    }
    for (index, author) in identity.authors.iter().enumerate() {
        for message in author_faults(author) {
            say(&format!("authors[{index}]"), message);
        }
    }
    if identity.doi.as_deref().is_some_and(|doi| !is_doi(doi)) {
        say("doi", "write the DOI without resolver, such as doi = \"10.5281/zenodo.123\", or leave it out".into());
    }
    found
}

fn author_faults(author: &Author) -> Vec<String> {
    let mut faults = Vec::new();
    if author.family.trim().is_empty() {
        faults.push("write the family name, or the name of the organisation, as family".into());
    }
    if author.orcid.as_deref().is_some_and(|orcid| !is_orcid(orcid)) {
        faults.push("its ORCID has a typing error: its form or its check digit is wrong".into());
    }
    faults
}

fn is_name(id: &str) -> bool {
    (1..=slug::LONGEST_ID).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && slug::is_storable(id)
}

/// A version becomes part of file names.
fn is_version(version: &str) -> bool {
    (1..=slug::LONGEST_VERSION).contains(&version.len()) && !version.starts_with('.') && slug::is_storable(version)
}

/// True for a bare DOI, as descriptions hold it.
pub fn is_doi(text: &str) -> bool {
    doi(text) == Some(text)
}

/// True when only the year of publication is known.
pub(super) fn is_year(date: &str) -> bool {
    date.len() == 4 && date.bytes().all(|byte| byte.is_ascii_digit())
}

/// The day of publication, for formats that take no less.
pub(super) fn day(identity: &Identity) -> Option<&str> {
    (!is_year(&identity.date)).then_some(identity.date.as_str())
}

/// Midnight of the day of publication, or of the first day of its year, as seconds since 1970.
pub fn moment_of(date: &str) -> Option<i64> {
    if is_year(date) { epoch_of(&format!("{date}-01-01")) } else { epoch_of(date) }
}

/// `0000-0000-0000-000X` with its check character (ISO 7064, MOD 11-2).
pub fn is_orcid(text: &str) -> bool {
    let digits: Vec<u8> = text.bytes().filter(|b| *b != b'-').collect();
    let shaped = text.len() == 19 && [4, 9, 14].iter().all(|&position| text.as_bytes()[position] == b'-');
    if !shaped || digits.len() != 16 || !digits[..15].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let total = digits[..15].iter().fold(0_u32, |total, digit| (total + u32::from(digit - b'0')) * 2 % 11);
    let check = (12 - total) % 11;
    digits[15] == if check == 10 { b'X' } else { b'0' + check as u8 }
}

/// `Family, Given`, or the name of an organisation.
pub(super) fn inverted_name(author: &Author) -> String {
    author.given.as_ref().map_or_else(|| author.family.clone(), |given| format!("{}, {given}", author.family))
}

/// `Given Family`, or the name of an organisation.
pub fn plain_name(author: &Author) -> String {
    author.given.as_ref().map_or_else(|| author.family.clone(), |given| format!("{given} {}", author.family))
}

/// Page of a licence. A single SPDX identifier has one; an expression or a private reference has the
/// page that explains it only through the study.
pub(super) fn licence_url(licence: &str) -> Option<String> {
    is_single_licence(licence).then(|| format!("https://spdx.org/licenses/{licence}"))
}

/// True for one identifier of the SPDX list, false for an expression or a licence of one's own.
pub(super) fn is_single_licence(licence: &str) -> bool {
    is_listed_licence(licence)
}

#[cfg(test)]
pub(super) fn sample() -> Identity {
    Identity {
        id: "sky-bench".into(),
        title: "Sky Bench: an \"archive\" of <runs> & more".into(),
        version: "1.10".into(),
        date: "2026-11-30".into(),
        description: "Problems, reference solvers and the outputs of models, with everything needed to check them."
            .into(),
        licence: "CC-BY-4.0".into(),
        authors: vec![
            Author {
                family: "Curie".into(),
                given: Some("Maria".into()),
                orcid: Some("0000-0002-1825-0097".into()),
                affiliation: Some("Université: Paris".into()),
            },
            Author { family: "Benchmark Group".into(), given: None, orcid: None, affiliation: None },
        ],
        doi: None,
        url: Some("https://example.org/sky".into()),
        site: None,
        publisher: None,
        keywords: vec!["benchmark".into(), "yes".into(), "atmospheric science".into()],
        citation: None,
        demonstration: None,
        adapter: crate::study::Adapter::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_identity_has_no_shortcomings_and_each_gap_is_named() {
        assert!(shortcomings(&sample()).is_empty());
        let cases: [(&str, fn(&mut Identity)); 8] = [
            ("study.licence", |i| i.licence = " ".into()),
            ("study.title", |i| i.title = "ab".into()),
            ("study.authors", |i| i.authors.clear()),
            ("study.date", |i| i.date = "2026-02-30".into()),
            ("study.id", |i| i.id = "../x".into()),
            ("study.version", |i| i.version = String::new()),
            ("study.authors[0]", |i| i.authors[0].orcid = Some("0000-0002-1825-0098".into())),
            ("study.doi", |i| i.doi = Some("https://doi.org/10.1/x".into())),
        ];
        for (member, spoil) in cases {
            let mut identity = sample();
            spoil(&mut identity);
            let found = shortcomings(&identity);
            let subjects: Vec<_> = found.iter().map(|f| f.place.subject.clone().unwrap()).collect();
            assert_eq!(subjects, [member]);
        }
    }

    #[test]
    fn check_digits_of_orcid() {
        // Examples of the ORCID documentation.
        for good in ["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X"] {
            assert!(is_orcid(good), "{good}");
        }
        for bad in ["0000-0002-1694-2330", "000000021694233X", "0000-0002-1694-233x", ""] {
            assert!(!is_orcid(bad), "{bad}");
        }
    }

    #[test]
    fn forms_of_doi() {
        assert!(is_doi("10.5281/zenodo.1234567") && is_doi("10.1000/182"));
        for bad in ["", "10.5281", "10.5281/", "10.5281/a b", "11.5281/x", "doi:10.5281/x", "10.5281/\"x"] {
            assert!(!is_doi(bad), "{bad}");
        }
    }
}
