//! From a rule slug to a value: bindings are data that say how the claims of a catalogue rest on facts.
//!
//! A catalogue names rules and keys instead of expressions. The bindings registered for its format give,
//! for columns of its tables and for single claims, expressions in order of strength: over facts, over
//! published tables, over other printed numbers. The first that has a value decides.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::judgement::Told;
use super::ledger::{Claim, MissingReason, Signature};
use super::template::Maps;

/// All bindings of a dialect.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    define: BTreeMap<String, String>,
    /// Maps for placeholders.
    pub(super) maps: Maps,
    /// What inputs are, by the name a catalogue gives them.
    pub(super) needs: BTreeMap<String, Need>,
    cells: Vec<Bound>,
    claims: BTreeMap<String, Bound>,
}

/// A file of bindings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    define: BTreeMap<String, String>,
    #[serde(default)]
    map: Maps,
    #[serde(default)]
    need: BTreeMap<String, Need>,
    #[serde(default)]
    cells: Vec<Bound>,
    #[serde(default)]
    claim: BTreeMap<String, Bound>,
    /// Who wrote the explanations of this file, and when.
    #[serde(default)]
    explained: Option<Signature>,
}

/// An input that a catalogue names: what must be archived for it to be there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Need {
    /// Experiments with runs.
    #[serde(default)]
    pub(super) experiments: Vec<String>,
    /// Problem sets with problems.
    #[serde(default)]
    pub(super) sets: Vec<String>,
    /// Where it would be, for people.
    pub(super) place: String,
    /// True when no layout of this tool holds it.
    #[serde(default)]
    pub(super) never: bool,
}

/// One binding.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Bound {
    /// Globs over `table.column`, for cells.
    on: Vec<String>,
    /// Only where these keys have one of these values.
    when: BTreeMap<String, Vec<String>>,
    /// Expressions over facts: one, or one per value.
    from: OneOrMany,
    /// Expressions over published tables.
    published: OneOrMany,
    /// Expressions over other printed numbers.
    printed: OneOrMany,
    /// Number of things behind a percentage.
    pub(super) out_of: Option<String>,
    /// Print has this many significant digits.
    pub(super) digits: Option<u32>,
    /// True when the facts are computed from published counts, not merely copied from a published table.
    pub(super) computes: bool,
    /// Other values that the sentence can mean, by what they are.
    pub(super) readings: BTreeMap<String, String>,
    /// A condition between printed numbers without which no archive could give them.
    pub(super) fits: Option<String>,
    /// Why nothing can decide it.
    missing: Option<String>,
    /// What that means here, also for parts of a claim that stay open.
    pub(super) because: Option<String>,
    /// Why the printed number does not follow, in the words of whoever wrote the bindings.
    explain: Option<String>,
    /// The recomputed value, as it is shown, that this person saw; with another one the words are out of date.
    seen: Option<String>,
    /// Who that is.
    #[serde(skip)]
    signed: Option<Signature>,
}

/// One text or several.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

/// What a candidate rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Facts.
    Facts,
    /// Published tables.
    Published,
    /// Other printed numbers.
    Printed,
}

/// Expressions to try, still with placeholders.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// What it rests on.
    pub(super) strength: Strength,
    /// One expression, or one per value.
    pub(super) texts: Vec<String>,
}

impl Bindings {
    /// The bindings of a dialect among those registered (dialect and text of a file); empty for others.
    pub(super) fn of<T: AsRef<str>>(dialect: &str, registered: &[(T, T)]) -> Result<Self, String> {
        let mut all = Self::default();
        for (_, text) in registered.iter().filter(|(name, _)| name.as_ref() == dialect) {
            let mut file: File =
                toml::from_str(text.as_ref()).map_err(|error| format!("bindings of {dialect}: {error}"))?;
            file.cells
                .iter_mut()
                .chain(file.claim.values_mut())
                .for_each(|bound| bound.signed.clone_from(&file.explained));
            all.define.extend(file.define);
            all.maps.extend(file.map);
            all.needs.extend(file.need);
            all.cells.extend(file.cells);
            all.claims.extend(file.claim);
        }
        Ok(all)
    }

    /// The binding of a claim: its own, else the first whose pattern fits its cell. A claim of its own
    /// takes what it leaves open from the pattern, so that it can be only an explanation.
    pub(super) fn find(&self, claim: &Claim) -> Option<Bound> {
        let own = self.claims.get(&claim.id);
        let general = claim.cell.as_ref().and_then(|cell| {
            let place = format!("{}.{}", cell.table, cell.column);
            self.cells.iter().find(|bound| bound.on.iter().any(|glob| matches(glob, &place)) && bound.applies(claim))
        });
        match (own, general) {
            (Some(own), Some(general)) => Some(own.over(general)),
            (own, general) => own.or(general).cloned(),
        }
    }

    /// Expressions of a binding in order of strength, with definitions put in.
    pub(super) fn candidates(&self, bound: &Bound) -> Vec<Candidate> {
        let all = [
            (Strength::Facts, &bound.from),
            (Strength::Published, &bound.published),
            (Strength::Printed, &bound.printed),
        ];
        let texts = |texts: &OneOrMany| match texts {
            OneOrMany::None => Vec::new(),
            OneOrMany::One(text) => vec![self.defined(text)],
            OneOrMany::Many(many) => many.iter().map(|text| self.defined(text)).collect(),
        };
        let candidates = all.into_iter().map(|(strength, list)| Candidate { strength, texts: texts(list) });
        candidates.filter(|candidate| !candidate.texts.is_empty()).collect()
    }

    /// `text` with every `%name%` replaced by its definition; definitions may use others.
    pub(super) fn defined(&self, text: &str) -> String {
        let mut out = text.to_owned();
        // A few rounds are enough, and a circle of definitions ends.
        for _ in 0..4 {
            if !out.contains('%') {
                break;
            }
            for (name, meaning) in &self.define {
                out = out.replace(&format!("%{name}%"), meaning);
            }
        }
        out
    }
}

impl Bound {
    fn applies(&self, claim: &Claim) -> bool {
        self.when.iter().all(|(key, values)| claim.keys.get(key).is_some_and(|value| values.contains(value)))
    }

    /// This binding, with gaps filled from a more general one.
    fn over(&self, general: &Self) -> Self {
        let texts = |own: &OneOrMany, other: &OneOrMany| {
            if matches!(own, OneOrMany::None) { other.clone() } else { own.clone() }
        };
        Self {
            on: Vec::new(),
            when: BTreeMap::new(),
            from: texts(&self.from, &general.from),
            published: texts(&self.published, &general.published),
            printed: texts(&self.printed, &general.printed),
            out_of: self.out_of.clone().or_else(|| general.out_of.clone()),
            digits: self.digits.or(general.digits),
            computes: self.computes || general.computes,
            readings: if self.readings.is_empty() { general.readings.clone() } else { self.readings.clone() },
            fits: self.fits.clone().or_else(|| general.fits.clone()),
            missing: self.missing.clone().or_else(|| general.missing.clone()),
            because: self.because.clone().or_else(|| general.because.clone()),
            explain: self.explain.clone().or_else(|| general.explain.clone()),
            seen: self.seen.clone().or_else(|| general.seen.clone()),
            signed: self.signed.clone().or_else(|| general.signed.clone()),
        }
    }

    /// What a person says about a claim whose recomputed value is shown as `recomputed`.
    pub(super) fn told(&self, recomputed: &str) -> Option<Told> {
        let text = self.explain.clone()?;
        let outdated = self.seen.as_ref().filter(|seen| *seen != recomputed);
        Some(Told { text, by: self.signed.clone(), about: outdated.cloned() })
    }

    /// Why nothing can decide the claim, if the binding says so.
    pub(super) fn undecidable(&self) -> Option<(MissingReason, String)> {
        let reason = MissingReason::read(self.missing.as_deref()?)?;
        Some((reason, self.because.clone().unwrap_or_default()))
    }
}

/// Objections to registered bindings of a dialect: files that do not read, unknown reasons, expressions
/// that do not parse.
pub fn check_bindings(dialect: &str, registered: &[(&str, &str)]) -> Vec<String> {
    let bindings = match Bindings::of(dialect, registered) {
        Ok(bindings) => bindings,
        Err(message) => return vec![message],
    };
    let mut objections = Vec::new();
    for bound in bindings.cells.iter().chain(bindings.claims.values()) {
        if let Some(missing) = bound.missing.as_deref().filter(|_| bound.undecidable().is_none()) {
            objections.push(format!("{dialect}: `{missing}` is no known reason"));
        }
        // A blank part of a list says that no statistic answers it.
        let texts = bindings.candidates(bound).into_iter().flat_map(|candidate| candidate.texts);
        for text in texts.filter(|text| !text.is_empty()) {
            let filled = text.replace("claim:$table.$row", "claim:x").replace('$', "");
            let filled = filled.replace(":reasoning", "").replace(":plain", "");
            if let Err(error) = super::expression::parse(&strip_filters(&filled)) {
                objections.push(format!("{dialect}: {text}: {error}"));
            }
        }
    }
    objections
}

/// Placeholders leave `key:filter` behind; the filter goes.
fn strip_filters(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        inside = (inside || c == '{') && c != '}';
        if inside && c == ':' {
            while rest.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                rest.next();
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// A glob with `*` (any characters) and `?` (one character).
fn matches(glob: &str, text: &str) -> bool {
    match glob.chars().next() {
        None => text.is_empty(),
        Some('*') => {
            (0..=text.len()).filter(|&at| text.is_char_boundary(at)).any(|at| matches(&glob[1..], &text[at..]))
        }
        Some(wanted) => text.chars().next().is_some_and(|found| {
            (wanted == '?' || wanted == found) && matches(&glob[wanted.len_utf8()..], &text[found.len_utf8()..])
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_another_value_are_marked_and_all_words_are_signed() {
        let text = "explained = { by = \"N. N.\", date = \"2026-02-03\" }\n[claim.\"x\"]\n\
                    explain = \"Three cells hold a single problem.\"\nseen = \"3\"\n";
        let bindings = Bindings::of("d", &[("d", text)]).unwrap();
        let said = |recomputed: &str| bindings.claims["x"].told(recomputed).unwrap().quoted();
        assert_eq!(said("3"), "\u{201c}Three cells hold a single problem.\u{201d} (N. N., 2026-02-03)");
        assert_eq!(
            said("2"),
            "\u{201c}Three cells hold a single problem.\u{201d} (N. N., 2026-02-03; written when 3 was recomputed, so it \
             may be out of date)"
        );
        assert!(bindings.claims["x"].told("2").unwrap().by.is_some());
    }

    #[test]
    fn globs_fit_columns() {
        assert!(matches("core.a-code.run?", "core.a-code.run3"));
        assert!(matches("f1.*_mean", "f1.rad_mean") && !matches("f1.*_mean", "f1.rad_sd"));
        assert!(matches("*", "") && !matches("?", ""));
    }
}
