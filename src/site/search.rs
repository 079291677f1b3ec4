//! The search index and the outcomes for comparisons, as scripts that assign a constant.

use std::collections::BTreeMap;

use super::assets::constant;
use super::pages::claim_href;
use super::routes;
use super::sheet::p_text;
use super::view::View;
use crate::statistics::scores::EVERY_PAIR;
use crate::table::Cell;

/// One thing that can be found.
pub(crate) struct Entry {
    /// Name.
    pub name: String,
    /// Kind of thing.
    pub kind: String,
    /// Address.
    pub href: String,
    /// Further words.
    pub words: String,
    /// True for a variant or claim, which is listed with its original or its area.
    pub elsewhere: bool,
}

/// Everything that can be found, in reading order.
pub(crate) fn entries(view: &View<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |name: &str, kind: String, href: String, words: String, elsewhere: bool| {
        entries.push(Entry { name: name.to_owned(), kind, href, words, elsewhere });
    };
    for configuration in &view.input.study.configurations {
        let words = format!("{} {}", configuration.key, configuration.backbone);
        add(
            &configuration.name,
            "configuration".into(),
            routes::configuration(configuration.key.as_str()),
            words,
            false,
        );
    }
    for statistic in &view.input.registry.statistics {
        let about = statistic.about();
        add(about.id, "method".into(), routes::method(about.id), about.title.to_owned(), false);
    }
    for claim in view.input.judgements.iter().flat_map(|judged| &judged.claims) {
        let values: Vec<String> = claim.parts.iter().filter_map(|part| part.value.map(crate::number::repr)).collect();
        let words = format!(
            "{} · printed {} · {} · recomputed {}",
            claim.statement,
            claim.printed,
            claim.verdict.words(),
            values.join(", ")
        );
        add(&claim.id, "claim".into(), claim_href(view, claim), words, true);
    }
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in view.input.findings.iter() {
        *codes.entry(finding.code).or_insert(0) += 1;
    }
    for (code, count) in codes {
        let meaning = crate::report::code(code).map_or("", |entry| entry.meaning);
        let href = "verification/index.html#findings".to_owned();
        add(code, "finding".into(), href, format!("{count} of them · {meaning}"), true);
    }
    for set in &view.input.corpus.sets {
        for problem in &set.problems {
            let mut words: Vec<String> = [&problem.category, &problem.topic, &problem.difficulty]
                .into_iter()
                .flatten()
                .map(|word| word.replace('_', " "))
                .collect();
            // The beginning of originals can be searched; variants repeat their parents.
            if problem.variant.is_none() {
                words.push(problem.statement.split_whitespace().take(24).collect::<Vec<_>>().join(" "));
            }
            // Accepted values can be searched as they are written.
            let values: Vec<&str> = problem.answers.iter().map(|answer| &*answer.value).take(12).collect();
            words.extend((!values.is_empty()).then(|| format!("accepts {}", values.join(", "))));
            let href = routes::problem(set.id.as_str(), problem.id.as_str());
            add(
                problem.id.as_str(),
                format!("problem, {}", set.title),
                href,
                words.join(" · "),
                problem.variant.is_some(),
            );
        }
    }
    entries
}

/// `SEARCH = [[name, kind, href, words], …]`.
pub(crate) fn script(view: &View<'_>) -> String {
    let rows: Vec<_> =
        entries(view).into_iter().map(|e| serde_json::json!([e.name, e.kind, e.href, e.words])).collect();
    constant("SEARCH", &serde_json::Value::Array(rows))
}

/// Majority outcomes of the main experiment: per configuration one character per problem; and what the statistic
/// says of every two: problems solved by both, by one, by neither, and the P of their difference.
pub(crate) fn outcomes(view: &View<'_>) -> String {
    let Some((grid, set)) = view.main().and_then(|grid| Some((grid, grid.set?))) else {
        return constant(
            "OUTCOMES",
            &serde_json::json!({"names": [], "keys": [], "problems": [], "pages": [], "cells": [], "pairs": {}}),
        );
    };
    let rows: Vec<_> =
        view.order.iter().filter_map(|c| grid.row(c.key.as_str())).filter(|row| row.present() > 0).collect();
    let cells: Vec<String> = rows
        .iter()
        .map(|row| {
            let of = |id: &str| match row.outcome(id) {
                outcome if outcome.counted == 0 => '-',
                outcome if outcome.majority() => '1',
                _ => '0',
            };
            set.problems.iter().map(|problem| of(problem.id.as_str())).collect()
        })
        .collect();
    constant(
        "OUTCOMES",
        &serde_json::json!({
            "names": rows.iter().map(|row| &row.configuration.name).collect::<Vec<_>>(),
            "keys": rows.iter().map(|row| row.configuration.key.as_str()).collect::<Vec<_>>(),
            "problems": set.problems.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(),
            "pages": set.problems.iter().map(|p| routes::problem(set.id.as_str(), p.id.as_str())).collect::<Vec<_>>(),
            "cells": cells,
            "pairs": pairs(view),
        }),
    )
}

/// Counts and P of every two configurations, by the key of the first and of the second.
fn pairs(view: &View<'_>) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let mut pairs: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for row in view.input.tables.iter().filter(|table| table.id == EVERY_PAIR).flat_map(|table| &table.rows) {
        let [a, b, counts @ .., p] = row.as_slice() else { continue };
        let mut shown: Vec<String> = counts.iter().map(Cell::printed).collect();
        shown.push(match p {
            Cell::Real { value, .. } => p_text(*value),
            other => other.printed(),
        });
        pairs.entry(a.printed()).or_default().insert(b.printed(), shown);
    }
    pairs
}
