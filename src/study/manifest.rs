//! Reading a `study.toml`: every objection with its line and what to do about it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Study;
use super::check::{self, Objection};

/// Reads and checks a declaration; all objections at once, in the order of the file.
pub(super) fn parse(text: &str) -> Result<Study, Vec<Objection>> {
    let table = DeTable::parse(text).map_err(|error| vec![syntax(text, &error)])?;
    let mut study: Study =
        toml::de::Deserializer::parse(text).map_err(|error| vec![syntax(text, &error)]).and_then(|reader| {
            serde_path_to_error::deserialize(reader)
                .map_err(|error| vec![shape(text, &error.path().to_string(), error.inner(), &table)])
        })?;
    study.settle();
    let mut objections = check::check(&study);
    for objection in &mut objections {
        objection.line = line_of_key(text, &table, &objection.key);
    }
    objections.sort_by_key(|objection| objection.line);
    if objections.is_empty() { Ok(study) } else { Err(objections) }
}

fn syntax(text: &str, error: &toml::de::Error) -> Objection {
    Objection {
        key: String::new(),
        line: error.span().map(|span| line_at(text, span.start)),
        message: format!("this is not TOML: {}", first_line(error.message())),
        remedy: "Correct the line; https://toml.io explains the notation.".to_owned(),
    }
}

fn shape(text: &str, path: &str, error: &toml::de::Error, table: &Spanned<DeTable<'_>>) -> Objection {
    let key = if path == "." { String::new() } else { path.to_owned() };
    let line = error.span().map(|span| line_at(text, span.start));
    let message = first_line(error.message()).to_owned();
    let remedy = if message.starts_with("unknown field") {
        "Correct the spelling or remove the key; `repro init` writes a commented example."
    } else if message.starts_with("missing field") {
        "Add the key; `repro init` writes a commented example."
    } else {
        "Give the key a value of the kind that is expected."
    };
    Objection { line: line.or_else(|| line_of_key(text, table, &key)), key, message, remedy: remedy.to_owned() }
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// Line, from 1, of a byte offset.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    before.split(|byte| *byte == b'\n').count()
}

/// Line of the longest known part of a dotted key (`experiment[2].set`).
fn line_of_key(text: &str, table: &Spanned<DeTable<'_>>, key: &str) -> Option<usize> {
    let mut span = None;
    let mut here: Option<&DeValue<'_>> = None;
    for part in key.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let next = match (here, part.parse::<usize>()) {
            (Some(DeValue::Array(items)), Ok(index)) => items.get(index),
            (Some(DeValue::Table(members)), _) => members.get(part),
            (None, _) => table.get_ref().get(part),
            _ => None,
        };
        let Some(next) = next else { break };
        span = Some(next.span());
        here = Some(next.get_ref());
    }
    span.map(|span| line_at(text, span.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "[study]\nid = 'a'\ntitle = 'A'\nversion = '1'\ndate = '2026'\ndescription = 'x'\n\
                         licence = 'MIT'\nauthors = [{ family = 'B' }]\n[grading]\ntolerance = 0.05\n";

    fn objections(text: &str) -> Vec<(Option<usize>, String)> {
        parse(text).unwrap_err().into_iter().map(|o| (o.line, o.message)).collect()
    }

    #[test]
    fn the_least_study_is_a_study() {
        let study = parse(LEAST).unwrap();
        assert_eq!((study.study.id.as_str(), study.grading.capture), ("a", 0.02));
    }

    #[test]
    fn every_objection_names_its_line() {
        assert_eq!(objections("[study]\nid = \n")[0].0, Some(2));
        let misspelt = LEAST.replace("licence", "license");
        let found = objections(&misspelt);
        assert_eq!(found[0].0, Some(7), "{found:?}");
        assert!(found[0].1.contains("unknown field `license`"), "{found:?}");
        let found = objections(&LEAST.replace("0.05", "'five'"));
        assert_eq!(found[0].0, Some(10), "{found:?}");
    }

    #[test]
    fn references_are_checked_and_all_objections_come_at_once() {
        let text = format!(
            "{LEAST}[[set]]\nid = 's'\ntitle = 'S'\nkind = 'problems'\npath = '../s.json'\n\
             [[experiment]]\nid = 'e'\nfolder = 'runs'\nset = 't'\nprotocol = 'code'\nruns = 1\nconfigurations = ['m']\n"
        );
        let found = objections(&text);
        let lines: Vec<_> = found.iter().map(|(line, _)| line.unwrap_or(0)).collect();
        assert_eq!(lines, [15, 19, 22], "{found:?}");
    }
}
