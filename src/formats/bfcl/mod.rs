//! Results and scores of the Berkeley Function Calling Leaderboard.
//!
//! A score file lists failures only: whatever it does not list has passed, which is inferred and said so. See
//! `docs/formats/bfcl.md`.

mod leaderboard;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, identity, study};
use crate::json::Value;
use crate::study::{Estimator, EstimatorKind, FilePart, Judge};

/// The format.
pub(super) struct Bfcl;

const ID: &str = "bfcl";

/// Name of the one judge.
const JUDGE: &str = "checker";

const SCORE: &str = "score";
const RESULT: &str = "result";
const LEADERBOARD: &str = "leaderboard";

static ABOUT: About = About {
    title: "Berkeley Function Calling Leaderboard",
    reads: "Score files (a summary line, then one line per failure), result files (one line per question) and the CSV of \
            the leaderboard.",
    cannot_check: "Passes are inferred: score files list failures only. Calls are not checked again, because questions and \
                   accepted answers are not part of these files.",
};

impl Format for Bfcl {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts = Vec::new();
        for path in listing.ending(&["_score.json", "_result.json", "_score.jsonl", "_result.jsonl"]) {
            let head = listing.objects(path, 1);
            let Some(first) = head.first() else { continue };
            let role = if is_summary(first) {
                SCORE
            } else if first.get("result").is_some() && (first.get("idx").is_some() || first.get("id").is_some()) {
                RESULT
            } else {
                continue;
            };
            parts.push(Part { path: path.to_owned(), role, arm: Place::of(path).map(|place| place.model) });
        }
        let scores = parts.iter().filter(|part| part.role == SCORE).count();
        for path in listing.ending(&[".csv"]).filter(|path| leaderboard::is_leaderboard(&listing.head(path))) {
            parts.push(Part { path: path.to_owned(), role: LEADERBOARD, arm: None });
        }
        let reason = format!("{scores} score files begin with accuracy, correct_count and total_count");
        (scores > 0).then_some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn declare(&self, _: &Listing<'_>, guess: &Guess) -> Declared {
        declare(&guess.parts)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        read::read(request, sink);
    }
}

/// True for the first line of a score file.
fn is_summary(value: &Value) -> bool {
    ["accuracy", "correct_count", "total_count"]
        .iter()
        .all(|name| value.get(name).is_some_and(|v| v.as_number().is_some()))
}

/// What the path of a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// Folder in front of `score/` or `result/`: a date or a version; empty where there is none.
    edition: String,
    model: String,
    category: String,
}

impl Place {
    fn of(path: &str) -> Option<Self> {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop()?;
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let bare = name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
        let bare = bare.strip_suffix("_score").or_else(|| bare.strip_suffix("_result")).unwrap_or(bare);
        let category = bare.strip_prefix("gorilla_openfunctions_v1_test_").unwrap_or(bare);
        let category = match category.strip_prefix("BFCL_v").and_then(|rest| rest.split_once('_')) {
            Some((version, rest)) if version.bytes().all(|b| b.is_ascii_digit()) => rest,
            _ => category,
        };
        let at = folders.iter().position(|folder| *folder == "score" || *folder == "result");
        // Without that folder the model is the last one; with it, the one behind it, whatever groups lie below.
        let (edition, model) = match at {
            Some(at) if at + 1 < folders.len() => (folders[..at].join("/"), folders[at + 1]),
            _ => (String::new(), folders.last().copied().unwrap_or("model")),
        };
        Some(Self { edition, model: model.to_owned(), category: category.to_owned() })
    }
}

/// An experiment per category; a configuration per model, and per edition where there are several.
fn declare(parts: &[Part]) -> Declared {
    let placed: Vec<(&Part, Place)> = parts
        .iter()
        .filter(|part| part.role != LEADERBOARD)
        .filter_map(|part| Some((part, Place::of(&part.path)?)))
        .collect();
    let editions: BTreeSet<&str> = placed.iter().map(|(_, place)| place.edition.as_str()).collect();
    let key = |place: &Place| {
        if editions.len() > 1 { format!("{} ({})", place.model, place.edition) } else { place.model.clone() }
    };
    let mut groups: BTreeMap<&str, Vec<&(&Part, Place)>> = BTreeMap::new();
    placed.iter().for_each(|known| groups.entry(known.1.category.as_str()).or_default().push(known));
    let title = "Berkeley Function Calling Leaderboard";
    let mut declared = study(identity(ID, title, "Results and scores of the Berkeley Function Calling Leaderboard."));
    let mut keys = BTreeSet::new();
    for (at, (category, members)) in groups.iter().enumerate() {
        declared.sets.push(set(category, category, "", ID));
        let mut own = experiment(category, category, ID);
        own.samples = false;
        own.condition = (groups.len() > 1).then(|| (*category).to_owned());
        for (part, place) in members {
            let arm = key(place);
            own.files.push(FilePart {
                path: part.path.clone(),
                configuration: Some(arm.as_str().into()),
                run: None,
                role: Some(part.role.to_owned()),
            });
            if !own.configurations.iter().any(|known| known.as_str() == arm) {
                own.configurations.push(arm.as_str().into());
            }
            if keys.insert(arm.clone()) {
                declared.configurations.push(configuration(&arm));
            }
        }
        if at == 0 {
            let tables = parts.iter().filter(|part| part.role == LEADERBOARD);
            own.files.extend(tables.map(|part| FilePart {
                path: part.path.clone(),
                configuration: None,
                run: None,
                role: Some(LEADERBOARD.to_owned()),
            }));
        }
        declared.experiments.push(own);
    }
    declared.judges = vec![Judge {
        id: JUDGE.to_owned(),
        title: "Checker of function calls".to_owned(),
        headline: true,
        rule: Some("A question that the score file does not list as a failure has passed.".to_owned()),
    }];
    declared.estimators =
        vec![Estimator { id: "accuracy".to_owned(), kind: EstimatorKind::Mean, k: None, headline: true }];
    let assumed = vec!["questions that a score file does not list have passed".to_owned()];
    Declared { study: declared, assumed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_model_category_and_edition() {
        let of = |path: &str| Place::of(path).map(|p| (p.edition, p.model, p.category)).unwrap();
        let known =
            |edition: &str, model: &str, category: &str| (edition.to_owned(), model.to_owned(), category.to_owned());
        assert_eq!(
            of("2024-07-25/result/gpt-4o/gorilla_openfunctions_v1_test_executable_simple_result.json"),
            known("2024-07-25", "gpt-4o", "executable_simple")
        );
        assert_eq!(of("score/m/non_live/BFCL_v4_simple_python_score.json"), known("", "m", "simple_python"));
        assert_eq!(of("m/relevance_score.json.gz"), known("", "m", "relevance"));
    }
}
