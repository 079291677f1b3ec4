//! Placeholders in expressions: `$model`, `$backbone:reasoning`, `$file:sets`.
//!
//! A placeholder stands for a key of the claim (or its table, row, column), optionally changed by a
//! filter: a member of a configuration, a spelling, or a map of the bindings file.

use std::collections::BTreeMap;

use super::ledger::Claim;
use crate::study::Study;

/// Maps of a bindings file, by name.
pub(super) type Maps = BTreeMap<String, BTreeMap<String, String>>;

/// Fills the placeholders of `text`. An error names what is missing.
pub(super) fn fill(text: &str, claim: &Claim, study: &Study, maps: &Maps) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let length = after.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(after.len());
        // A colon at the end belongs to the text.
        let name = after[..length].trim_end_matches(':');
        let value = value(name, claim, study, maps)?;
        // Inside `claim:` the id is written bare.
        let bare = out.rsplit([' ', '(', ',', '{', '=', '|']).next().is_some_and(|word| word.starts_with("claim:"));
        out.push_str(&if bare { value } else { quoted(value) });
        rest = &after[name.len()..];
    }
    out.push_str(rest);
    Ok(out)
}

fn quoted(value: String) -> String {
    let plain = value.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '%' | '+'));
    if plain && !value.is_empty() { value } else { format!("\"{}\"", value.replace('"', "'")) }
}

fn value(name: &str, claim: &Claim, study: &Study, maps: &Maps) -> Result<String, String> {
    let (key, filter) = name.split_once(':').map_or((name, None), |(key, filter)| (key, Some(filter)));
    let cell = claim.cell.as_ref();
    let plain = match (key, cell) {
        ("id", _) => Some(claim.id.clone()),
        ("table", Some(cell)) => Some(cell.table.clone()),
        ("row", Some(cell)) => Some(cell.row.clone()),
        ("column", Some(cell)) => Some(cell.column.clone()),
        _ => claim.keys.get(key).cloned(),
    };
    let plain = plain.ok_or_else(|| format!("the claim has no key `{key}` for `${name}`"))?;
    match filter {
        None => Ok(plain),
        Some(filter) => filtered(&plain, filter, study, maps).ok_or_else(|| format!("`{plain}` has no `{filter}`")),
    }
}

fn filtered(value: &str, filter: &str, study: &Study, maps: &Maps) -> Option<String> {
    if let Some(map) = maps.get(filter) {
        return map.get(value).cloned();
    }
    let twin = |setting: &str| study.member(value, setting).map(|c| c.key.as_str().to_owned());
    match filter {
        "underscore" => Some(value.replace('-', "_")),
        "reasoning" => twin("reasoning"),
        "plain" => twin("non-reasoning"),
        "name" => study.configuration(value).map(|c| c.name.clone()),
        _ => None,
    }
}
