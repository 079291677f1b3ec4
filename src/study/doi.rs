//! DOIs: one form inside, whatever form they were copied in.

/// Prefixes under which people copy DOIs.
const RESOLVERS: [&str; 8] = [
    "https://doi.org/",
    "http://doi.org/",
    "https://dx.doi.org/",
    "http://dx.doi.org/",
    "https://www.doi.org/",
    "doi.org/",
    "dx.doi.org/",
    "doi:",
];

/// The bare DOI (`10.PREFIX/SUFFIX`) that a text is, without the address of a resolver in front; `None` when it
/// is none (DOI Handbook, section 3.3: no blanks or control characters).
///
/// ```
/// use repro::study::doi;
/// assert_eq!(doi("https://doi.org/10.5281/zenodo.123"), Some("10.5281/zenodo.123"));
/// assert_eq!(doi("10.5281"), None);
/// ```
pub fn doi(text: &str) -> Option<&str> {
    let text = text.trim();
    let resolver = RESOLVERS
        .iter()
        .find(|resolver| text.get(..resolver.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(resolver)));
    let bare = resolver.map_or(text, |resolver| text[resolver.len()..].trim_start());
    let (prefix, suffix) = bare.strip_prefix("10.")?.split_once('/')?;
    let sound = (4..=9).contains(&prefix.len())
        && prefix.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && !suffix.is_empty()
        && bare.len() <= 200
        && suffix.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\'));
    sound.then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_one_doi_is_that_doi() {
        for text in [
            "10.5281/zenodo.1234567",
            " 10.5281/zenodo.1234567 ",
            "https://doi.org/10.5281/zenodo.1234567",
            "http://dx.doi.org/10.5281/zenodo.1234567",
            "HTTPS://DOI.ORG/10.5281/zenodo.1234567",
            "doi:10.5281/zenodo.1234567",
            "DOI: 10.5281/zenodo.1234567",
            "doi.org/10.5281/zenodo.1234567",
        ] {
            assert_eq!(doi(text), Some("10.5281/zenodo.1234567"), "{text}");
        }
        assert_eq!(doi("10.1000/182"), Some("10.1000/182"));
        for bad in [
            "",
            "10.5281",
            "10.5281/",
            "10.5281/a b",
            "11.5281/x",
            "10.1/x",
            "https://example.org/10.5281/x",
            "10.5281/\"x",
        ] {
            assert_eq!(doi(bad), None, "{bad}");
        }
    }
}
