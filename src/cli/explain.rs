//! `repro explain ID`: what a word of the tool means, from the same registries the pages use.

use std::path::Path;

use serde_json::Value;

use super::args::{self, StudyArgs};
use super::chain;
use super::envelope::Envelope;
use super::exit::{Exit, TABLE};
use super::output::{Output, wrap};
use crate::report::{CODES, nearest};
use crate::statistics::readings::Counting;
use crate::statistics::{self, Estimate};

/// An id with its text.
struct Entry {
    id: String,
    kind: &'static str,
    title: String,
    body: Vec<(&'static str, String)>,
}

pub(super) fn run(arguments: &args::Explain) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let entries = entries();
    let wanted = arguments.id.as_str();
    if matches!(wanted, "list" | "exit-codes") {
        let listed: Vec<&Entry> =
            entries.iter().filter(|entry| wanted == "list" || entry.kind == "exit code").collect();
        for entry in &listed {
            output.line(&wrap(&format!("{:28} {:12} {}", entry.id, entry.kind, entry.title), 42));
        }
        let listed: Vec<_> = listed.into_iter().map(to_json).collect();
        let document = Envelope::new("explain").result(serde_json::json!({"entries": listed}));
        output.document(&document.done(Exit::Good));
        return Ok(Exit::Good);
    }
    let Some(entry) = entries.iter().find(|entry| entry.id == wanted) else {
        let near = nearest(wanted, entries.iter().map(|entry| entry.id.as_str()));
        let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
        super::complain(
            &format!("nothing is called {wanted:?}"),
            &format!("{near}`repro explain list` shows every id"),
        );
        return Err(Exit::Usage);
    };
    output.line(&format!("{} ({})", entry.id, entry.kind));
    output.line(&wrap(&format!("  {}", entry.title), 2));
    for (heading, text) in &entry.body {
        output.line("");
        output.line(&format!("{heading}:"));
        for line in text.lines() {
            output.line(&wrap(&format!("  {line}"), 2));
        }
    }
    let mut document = to_json(entry);
    if let Some(study) = &arguments.study {
        document["facts"] = facts(entry, study, arguments, output)?;
    }
    output.document(&Envelope::new("explain").result(document).done(Exit::Good));
    Ok(Exit::Good)
}

/// What a statistic gives for a study: every measure with its keys, as claims name them.
fn facts(entry: &Entry, study: &Path, arguments: &args::Explain, output: Output) -> Result<Value, Exit> {
    let about: Vec<_> = crate::packs::statistics().iter().map(|statistic| statistic.about()).collect();
    let Some(about) = about.into_iter().find(|about| about.id == entry.id || about.also.contains(&entry.id.as_str()))
    else {
        super::complain(
            &format!("{} is no statistic, so a study has no values of it", entry.id),
            "leave the study out",
        );
        return Err(Exit::Usage);
    };
    let study = StudyArgs {
        study: Some(study.to_owned()),
        claims: Vec::new(),
        allow_missing: true,
        keep_going: true,
        offline_strict: false,
        include: Vec::new(),
    };
    let chain = chain::run(&study, None, Counting::default(), &arguments.talk)?;
    let of: Vec<_> = chain.evaluated.computed.facts.iter().filter(|fact| fact.statistic == about.id).collect();
    output.line("");
    output.line(&format!("In {}: {} values", chain.evaluated.given.study.study.id, of.len()));
    for fact in &of {
        let keys: Vec<String> = fact.keys.iter().map(|(key, value)| format!("{key} = {value:?}")).collect();
        let value = match &fact.estimate {
            Estimate::Value { value, .. } if fact.is_p() => crate::number::significant(*value, 2),
            // Six digits to read; `--json` has all.
            Estimate::Value { value, .. } => crate::number::general(*value, 6),
            Estimate::Undefined(reason) => format!("undefined: {reason}"),
        };
        output.line(&wrap(&format!("  {} {{ {} }}: {value}", fact.measure, keys.join(", ")), 6));
    }
    let facts = serde_json::json!(of);
    chain.leave();
    Ok(facts)
}

fn to_json(entry: &Entry) -> serde_json::Value {
    let body: serde_json::Map<_, _> =
        entry.body.iter().map(|(heading, text)| (heading.to_lowercase(), text.as_str().into())).collect();
    serde_json::json!({"id": entry.id, "kind": entry.kind, "title": entry.title, "text": body})
}

fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> =
        crate::packs::statistics().iter().flat_map(|statistic| of_statistic(statistic.about())).collect();
    all.extend(CODES.iter().map(|code| Entry {
        id: code.code.to_owned(),
        kind: "finding",
        title: code.meaning.to_owned(),
        body: vec![("What to do", code.remedy.to_owned())],
    }));
    all.extend(TABLE.iter().map(|(exit, name, meaning)| Entry {
        id: format!("exit-{}", exit.code()),
        kind: "exit code",
        title: (*name).to_owned(),
        body: vec![("Meaning", (*meaning).to_owned())],
    }));
    let words = WORDS.iter().flat_map(|(kind, words)| words.iter().map(move |word| (*kind, word)));
    all.extend(words.map(|(kind, (id, title))| Entry {
        id: (*id).to_owned(),
        kind,
        title: (*title).to_owned(),
        body: Vec::new(),
    }));
    all
}

/// Words of pages and reports that no other registry explains: kind, then word and meaning.
const WORDS: &[(&str, &[(&str, &str)])] = &[
    (
        "level",
        &[
            ("L0", "Integrity: files, ids and counts are complete and agree with one another."),
            ("L1", "Stored solvers, executed again, reproduce their stored answers within the study's tolerance."),
            ("L2", "Archived model programs, executed again, give the value, unit and verdict that were recorded."),
            ("L3", "Stored answers, graded again, get the stored verdict."),
            ("L4", "Faithfulness: solvers compute their answers instead of quoting them."),
            ("L5", "Statistics are recomputed from records only."),
            ("L6", "Printed numbers follow from the recomputed statistics."),
            ("L7", "The deposit is complete, hashed and verifies from itself."),
        ],
    ),
    (
        "verdict",
        &[
            ("reproduced", "The recomputed value lies in the interval that the printed digits imply."),
            (
                "same-by-construction",
                "The source is the one that the archived runs were rebuilt from: agreement shows that nothing was lost on the way.",
            ),
            (
                "consistent",
                "The number fits other printed numbers, or meets a range that can be computed; no record says more.",
            ),
            ("rounds-the-other-way", "The printed number is the other neighbour of the value at its precision."),
            ("differs", "The recomputed value is another one than the printed number."),
            ("impossible", "No archive could give the printed number."),
            ("conflicting-sources", "Sources disagree with one another; all sides are shown, none is chosen."),
            ("not-checkable", "Something is missing that would be needed to judge the number; the reason says what."),
        ],
    ),
    (
        "status",
        &[
            ("ok", "The program's solve() returned a dictionary."),
            ("error", "An exception left the program, or its process ended before solve() returned."),
            ("no-solve", "The program defines no callable solve."),
            ("not-a-dict", "solve() returned something else than a dictionary."),
            ("timeout", "The CPU limit, or the wall limit as its backstop, struck twice."),
            ("killed", "Another limit (memory, processes, a forbidden call) ended the program."),
            ("too-large", "The program, or what it returned, is larger than the limits allow."),
            ("missing-module", "The program imports a module that this environment does not have."),
            ("nondeterministic", "Two executions with another hash seed, folder and clock gave other results."),
            ("forged", "The result was not written by the code that writes results; it is not used."),
        ],
    ),
];

/// A statistic under its own id and under every other slug that ledgers use for its measures.
fn of_statistic(about: &'static statistics::About) -> Vec<Entry> {
    let list = |pairs: Vec<String>| pairs.join("\n");
    let body = vec![
        ("Meaning", about.meaning.to_owned()),
        ("Formula", about.formula.to_owned()),
        ("Unit", about.unit.to_owned()),
        ("Source", about.source.to_owned()),
        ("Edge cases", about.edge_cases.to_owned()),
        ("Example", about.example.to_owned()),
        ("Measures", list(about.measures.iter().map(|(name, meaning)| format!("{name}: {meaning}")).collect())),
        ("Keys", list(about.keys.iter().map(|key| format!("{}: {}", key.key, key.meaning)).collect())),
    ];
    let ids = std::iter::once(about.id).chain(about.also.iter().copied());
    ids.map(|id| Entry { id: id.to_owned(), kind: "statistic", title: about.title.to_owned(), body: body.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Verdict;
    use crate::engine::Status;

    #[test]
    fn every_verdict_is_explained() {
        let known = entries();
        for verdict in Verdict::ALL {
            assert!(known.iter().any(|entry| entry.id == verdict.as_str() && entry.kind == "verdict"), "{verdict:?}");
        }
        for status in [Status::Ok, Status::NoSolve, Status::Timeout, Status::TooLarge, Status::Forged] {
            assert!(known.iter().any(|entry| entry.id == status.name() && entry.kind == "status"), "{status:?}");
        }
    }

    #[test]
    fn no_id_means_two_things() {
        let mut seen = std::collections::BTreeSet::new();
        for entry in entries() {
            assert!(seen.insert(entry.id.clone()), "{} twice", entry.id);
        }
    }
}
