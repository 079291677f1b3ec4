//! Reading a `study.toml`: every objection with its line and what to do about it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Study;
use super::check::{self, Objection};
use super::doi::doi;
use super::mistakes::{self, Kind, Mistake};

/// Reads and checks a declaration; all objections at once, in the order of the file.
pub(super) fn parse(text: &str) -> Result<Study, Vec<Objection>> {
    let table = DeTable::parse(text).map_err(|error| vec![syntax(text, &error)])?;
    let quoted = quoted(text, &table);
    let values: toml::Table = toml::from_str(&quoted).map_err(|error| vec![syntax(text, &error)])?;
    let (mut study, mistakes) = mistakes::read(values);
    if let Some(study) = &mut study {
        study.settle();
    }
    let mut objections: Vec<Objection> = mistakes.iter().map(shape).collect();
    if let Some(study) = &study {
        let mended = |key: &str| mistakes.iter().any(|m| !matches!(m.kind, Kind::Unknown(_)) && touches(&m.key, key));
        objections.extend(check::check(study).into_iter().filter(|objection| !mended(&objection.key)));
    }
    for objection in &mut objections {
        objection.line = line_of_key(text, &table, &objection.key);
    }
    objections.sort_by(|a, b| (a.line, &a.key, &a.message).cmp(&(b.line, &b.key, &b.message)));
    match study {
        Some(study) if objections.is_empty() => Ok(plain(study)),
        _ => Err(objections),
    }
}

/// True when an objection to `key` may come from what stands in the place of a mistake: the key itself, what is
/// below or above it, and every reference when a name was mended.
fn touches(mistake: &str, key: &str) -> bool {
    let is_name = mistake.ends_with(".id") || mistake.ends_with(".key");
    let refers = [".set", ".parents"].iter().any(|end| key.ends_with(end)) || key.contains("configurations[");
    let below = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    below(key, mistake) || below(mistake, key) || (is_name && refers)
}

/// Keys whose values are text, and which people write as the number or the date that they look like.
const TEXTS: [&str; 12] =
    ["id", "key", "name", "title", "version", "date", "set", "parents", "condition", "backbone", "table", "doi"];

/// The text with quotes around numbers and dates that must be text. `version = 1.10` is then `1.10` and not the
/// number 1.1, and lines stay where they are.
fn quoted(text: &str, table: &Spanned<DeTable<'_>>) -> String {
    let mut spans = Vec::new();
    unquoted(table.get_ref(), &mut spans);
    spans.sort_by_key(|span: &Range<usize>| span.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        let Some(literal) = text.get(span.clone()) else { continue };
        out.push_str(&text[at..span.start]);
        out.push_str(&format!("'{}'", literal.trim()));
        at = span.end;
    }
    out.push_str(&text[at..]);
    out
}

fn unquoted(table: &DeTable<'_>, spans: &mut Vec<Range<usize>>) {
    for (key, value) in table {
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Datetime(_)
                if TEXTS.contains(&key.get_ref().as_ref()) =>
            {
                spans.push(value.span());
            }
            DeValue::Table(table) => unquoted(table, spans),
            DeValue::Array(items) => {
                for item in items {
                    if let DeValue::Table(table) = item.get_ref() {
                        unquoted(table, spans);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The declaration in the one form that everything else relies on: a DOI without resolver.
fn plain(mut study: Study) -> Study {
    let identity = &mut study.study;
    identity.doi = identity.doi.take().map(|text| doi(&text).map(str::to_owned).unwrap_or(text));
    identity.licence = identity.licence.trim().to_owned();
    study
}

fn syntax(text: &str, error: &toml::de::Error) -> Objection {
    let line = error.span().map(|span| line_at(text, span.start));
    let quotes = line.and_then(|line| in_quotes(text.lines().nth(line - 1)?));
    Objection {
        key: String::new(),
        line,
        message: format!("this is not TOML: {}", first_line(error.message())),
        remedy: match quotes {
            Some(quoted) => format!("Put the text in quotes: {quoted}"),
            None => "Correct the line; https://toml.io explains the notation.".to_owned(),
        },
    }
}

/// A line that only lacks the quotes around its value (`version = 1.10.0`, `date = 2026-11`), with them.
fn in_quotes(line: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    let value = value.split('#').next()?.trim();
    let plain = !value.is_empty() && !value.contains(['\'', '"', '[', ']', '{', '}']);
    let quoted = format!("{} = \"{value}\"", key.trim());
    let helps = |text: &str| toml::from_str::<toml::Table>(text).is_ok();
    (plain && !helps(line) && helps(&quoted)).then_some(quoted)
}

fn shape(mistake: &Mistake) -> Objection {
    let remedy = match &mistake.kind {
        Kind::Unknown(Some(near)) => {
            format!(
                "Did you mean `{near}`? Correct the spelling or remove the key; `repro init` writes a commented example."
            )
        }
        Kind::Unknown(None) => "Remove the key; `repro init` writes a commented example.".to_owned(),
        Kind::Missing => "Add the key; `repro init` writes a commented example.".to_owned(),
        Kind::Wrong { as_text: true } => "Put it in quotes.".to_owned(),
        Kind::Wrong { as_text: false } => "Give the key a value of the kind that is expected.".to_owned(),
    };
    Objection { line: None, key: mistake.key.clone(), message: mistake.message.clone(), remedy }
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
    let (span, _) = follow(table, key)?;
    Some(line_at(text, span.start))
}

fn follow<'t>(table: &'t Spanned<DeTable<'t>>, key: &str) -> Option<(Range<usize>, &'t DeValue<'t>)> {
    let mut found: Option<(Range<usize>, &DeValue<'_>)> = None;
    for part in key.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let next = match (found.as_ref().map(|(_, value)| *value), part.parse::<usize>()) {
            (Some(DeValue::Array(items)), Ok(index)) => items.get(index),
            (Some(DeValue::Table(members)), _) => members.get(part),
            (None, _) => table.get_ref().get(part),
            _ => None,
        };
        let Some(next) = next else { break };
        found = Some((next.span(), next.get_ref()));
    }
    found
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
    fn every_mistake_is_told_at_once() {
        let text = LEAST
            .replace("licence", "license")
            .replace("title = 'A'\n", "")
            .replace("tolerance = 0.05", "tolerance = 'five'\nsweeep = [1]")
            + "[[set]]\nid = 's'\ntitle = 'S'\nkind = 'no-such-kind'\npath = '../s.json'\ncolour = 'red'\n";
        let found = objections(&text);
        let lines: Vec<usize> = found.iter().filter_map(|(line, _)| *line).collect();
        let told = |word: &str| found.iter().any(|(_, message)| message.contains(word));
        assert!(told("unknown field `license`"), "{found:?}");
        assert!(told("missing field `title`"), "{found:?}");
        assert!(told("sweeep") && told("colour") && told("expected f64"), "{found:?}");
        assert!(told("../s.json"), "{found:?}");
        assert_eq!(found.len(), 6, "{found:?}");
        assert!(lines.is_sorted(), "{found:?}");
        let remedy = parse(&text).unwrap_err().iter().map(|o| o.remedy.clone()).collect::<String>();
        assert!(remedy.contains("Did you mean `licence`?") && remedy.contains("Did you mean `sweep`?"), "{remedy}");
    }

    #[test]
    fn versions_and_dates_need_no_quotes() {
        let text = LEAST.replace("version = '1'", "version = 1.10 # not 1.1").replace("'2026'", "2026-11-30");
        let study = parse(&text).unwrap().study;
        assert_eq!((study.version.as_str(), study.date.as_str()), ("1.10", "2026-11-30"));
        assert_eq!(parse(&LEAST.replace("'2026'", "2026")).unwrap().study.date, "2026");
        let found = parse(&LEAST.replace("'2026'", "2026-11-30T10:00:00Z")).unwrap_err();
        assert!(found.len() == 1 && found[0].key == "study.date" && found[0].line == Some(5), "{found:?}");
        for (text, quoted) in [("1.10.0", "version = \"1.10.0\""), ("v2 # second", "version = \"v2\"")] {
            let found = parse(&LEAST.replace("version = '1'", &format!("version = {text}"))).unwrap_err();
            assert_eq!(found[0].remedy, format!("Put the text in quotes: {quoted}"), "{found:?}");
        }
        let found = parse(&LEAST.replace("description = 'x'", "description = 7")).unwrap_err();
        assert!(found.len() == 1 && found[0].remedy == "Put it in quotes.", "{found:?}");
    }

    #[test]
    fn dois_and_licences_have_one_form() {
        let text = LEAST.replace("date =", "doi = 'https://doi.org/10.5281/zenodo.123'\ndate =");
        assert_eq!(parse(&text).unwrap().study.doi.as_deref(), Some("10.5281/zenodo.123"));
        let found = parse(&text.replace("https://doi.org/10.5281/", "https://example.org/")).unwrap_err();
        assert!(found.len() == 1 && found[0].key == "study.doi", "{found:?}");
        let found = parse(&LEAST.replace("'MIT'", "'cc-by-4.0'")).unwrap_err();
        assert!(found.len() == 1 && found[0].remedy.contains("\"CC-BY-4.0\""), "{found:?}");
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
