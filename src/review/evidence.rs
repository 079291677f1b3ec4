//! The sections of a report, from what the chain found.

use std::collections::BTreeMap;

use super::verdict::verdict;
use super::{Block, Review, Section, Subject, forms};
use crate::claims::{Judgement, Part, Reconciliation, Shape};
use crate::issues::{Effect, Issue};
use crate::number::{self, grouped};
use crate::verify::{EngineRow, LevelSummary, Unchecked};

/// Claims and reasons that a list names one by one; what is left out is counted.
const NAMED: usize = 3;

/// The report on a study.
pub fn of(subject: &Subject<'_>) -> Review {
    let identity = &subject.study.study;
    let mut sections = vec![checked(subject)];
    sections.extend(claims(subject));
    sections.extend(conclusions(subject));
    sections.push(wrong(subject));
    sections.push(open(subject));
    sections.push(repeat(subject));
    sections.extend(forms::ALL.iter().map(|form| form.section(subject)));
    Review {
        title: format!("{} {}: what can be checked", identity.title, identity.version),
        verdict: verdict(subject.into()),
        sections,
    }
}

fn checked(subject: &Subject<'_>) -> Section {
    let row = |level: &LevelSummary| {
        let (code, name, question) = level.level.words();
        let n = |count: usize| grouped(count as u64);
        vec![
            format!("{code} {name}"),
            question.to_owned(),
            format!("{} of {}", n(level.checked), n(level.total)),
            n(level.agreed),
            n(level.disagreed),
        ]
    };
    let (facts, tables) = subject.computed;
    let mut blocks = vec![
        Block::Table(
            vec!["Level", "Question", "Checked", "Agree", "Disagree"],
            subject.ledger.levels.iter().filter(|level| level.total > level.computed).map(row).collect(),
        ),
        Block::Text(format!("{} values and {} tables were computed.", grouped(facts as u64), grouped(tables as u64))),
    ];
    if subject.ledger.engines.is_empty() {
        blocks.push(Block::Text("No program was executed.".to_owned()));
    } else {
        blocks.push(Block::Text(execution(&subject.ledger.engines)));
    }
    Section { heading: "What was checked".to_owned(), blocks }
}

/// What executed the programs, how often, and that outcomes are remembered from run to run.
pub fn execution(engines: &[EngineRow]) -> String {
    let engine = |row: &EngineRow| {
        let times = if row.executions == 1 {
            "each program once"
        } else {
            "each program twice, under another hash seed, folder and clock"
        };
        format!("{}, {times}, in the sandbox called {}", row.version, row.level)
    };
    let engines: Vec<String> = engines.iter().map(engine).collect();
    format!(
        "Programs were executed by {}. Outcomes are remembered from run to run by program, inputs, interpreter and \
         limits, and the pages are the same whether a program ran just now or before; the command says how many ran \
         and how many were remembered, and with --no-cache it executes every program anew.",
        engines.join("; ")
    )
}

fn claims(subject: &Subject<'_>) -> Option<Section> {
    if subject.judgements.claims.is_empty() {
        return None;
    }
    let sums = Reconciliation::of(subject.judgements);
    let row = |(_, label, count): (_, String, usize)| vec![label, grouped(count as u64)];
    let rows = sums.parts().into_iter().map(row).collect();
    let blocks = vec![Block::Text(sums.sentence()), Block::Table(vec!["Printed numbers that", "Count"], rows)];
    Some(Section { heading: "What holds".to_owned(), blocks })
}

/// Claims that are statements: what a paper concludes.
fn conclusions(subject: &Subject<'_>) -> Option<Section> {
    let all: Vec<&Judgement> = subject.judgements.claims.iter().filter(|claim| claim.shape == Shape::Holds).collect();
    if all.is_empty() {
        return None;
    }
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for claim in &all {
        *verdicts.entry(claim.verdict.words()).or_insert(0) += 1;
    }
    let counts: Vec<String> =
        verdicts.iter().map(|(words, count)| format!("{} {words}", grouped(*count as u64))).collect();
    let fails = |claim: &&&Judgement| claim.verdict.contradicts();
    let failed: Vec<String> = all.iter().filter(fails).map(|claim| line(claim)).collect();
    let text = format!("{} statements were judged like numbers: {}.", grouped(all.len() as u64), counts.join(", "));
    let mut blocks = vec![Block::Text(text)];
    blocks.extend(listed(failed, "claims"));
    blocks.extend(survival(subject));
    Some(Section { heading: "Conclusions".to_owned(), blocks })
}

/// How the conclusions fare under other choices, the frailest first.
fn survival(subject: &Subject<'_>) -> Vec<Block> {
    let reached = subject.survival.conclusions.iter().filter(|own| own.counted.of > 1);
    let mut asked: Vec<_> = reached.collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let share = |own: &crate::multiverse::Conclusion| (own.counted.holds * 1_000_000) / own.counted.of;
    asked.sort_by_key(|own| share(own));
    let text = format!(
        "{} conclusions were asked again under other choices that the study could as well have made ({} combinations):",
        grouped(asked.len() as u64),
        grouped(subject.survival.combinations as u64)
    );
    let told =
        |own: &&crate::multiverse::Conclusion| format!("{}: {}", own.statement.trim_end_matches('.'), own.sentence);
    let mut blocks = vec![Block::Text(text)];
    blocks.extend(listed(asked.iter().map(told).collect(), "conclusions"));
    blocks
}

/// What does not hold, one issue once, by what it changes.
fn wrong(subject: &Subject<'_>) -> Section {
    let mut blocks = Vec::new();
    if !subject.judgements.claims.is_empty() && Reconciliation::of(subject.judgements).wrong() == 0 {
        blocks.push(Block::Text("No printed number contradicts the recomputation.".to_owned()));
    } else if subject.judgements.claims.is_empty() {
        blocks.push(Block::Text("No printed number was given to judge.".to_owned()));
    }
    for effect in Effect::ALL.into_iter().filter(|effect| *effect < Effect::Unchecked) {
        let lines: Vec<String> = subject.issues.that_change(effect).map(issue_line).collect();
        if !lines.is_empty() {
            blocks.push(Block::Text(format!("{} ({}): {}", effect.heading(), lines.len(), effect.meaning())));
            blocks.extend(listed(lines, "findings"));
        }
    }
    Section { heading: "What does not hold".to_owned(), blocks }
}

/// The sentence of an issue and in how many places it shows. What people wrote about it stands on the page of findings.
fn issue_line(issue: &Issue) -> String {
    let places = match issue.places.len() {
        0 | 1 => String::new(),
        n => format!(" [{n} places]"),
    };
    let acknowledged = if issue.acknowledged { " Acknowledged by its author." } else { "" };
    format!("{}{places}{acknowledged}", issue.sentence)
}

fn open(subject: &Subject<'_>) -> Section {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for level in &subject.ledger.levels {
        let (code, ..) = level.level.words();
        let row = |(reason, count): (&Unchecked, &usize)| vec![code.to_owned(), reason.said(), grouped(*count as u64)];
        rows.extend(level.not_checkable.iter().map(row));
    }
    let blocks = if rows.is_empty() {
        vec![Block::Text("Everything that was to be checked was checked.".to_owned())]
    } else {
        vec![Block::Table(vec!["Level", "Reason", "Count"], rows)]
    };
    Section { heading: "What could not be checked, and why".to_owned(), blocks }
}

fn repeat(subject: &Subject<'_>) -> Section {
    let identity = &subject.study.study;
    let zip = format!("{}-{}.zip", identity.id, identity.version);
    let blocks = vec![
        Block::Commands(vec![format!("repro verify {zip} --no-cache"), format!("repro build {zip} --out again")]),
        Block::List(vec![
            format!("Archive: SHA-256 {}.", subject.digest),
            format!("Tool: {}.", subject.tool),
            match &identity.doi {
                Some(doi) => format!("Deposit: https://doi.org/{doi}."),
                None => "Deposit: no DOI has been assigned yet.".to_owned(),
            },
        ]),
    ];
    Section { heading: "How to repeat it".to_owned(), blocks }
}

/// A claim with what was printed and what came out; words of a ledger are its author's.
fn line(claim: &Judgement) -> String {
    let found: Vec<String> = claim.parts.iter().filter_map(recomputed).collect();
    let found = if found.is_empty() { String::new() } else { format!(", recomputed {}", found.join(", ")) };
    let told = claim.explanation.as_ref().map(|told| format!(" {}.", told.quoted())).unwrap_or_default();
    let place = if claim.source.is_empty() { String::new() } else { format!(" ({})", claim.source) };
    format!("{}{place}: printed {}{found} [{}].{told}", claim.statement, claim.printed, claim.verdict.words())
}

/// The recomputed value with one digit more than is printed.
fn recomputed(part: &Part) -> Option<String> {
    let value = part.value?;
    Some(match part.decimals {
        Some(_) if value.fract() == 0.0 && value.abs() < 1e15 => number::fixed(value, 0),
        Some(decimals) if (0..12).contains(&decimals) => number::fixed(value, decimals as usize + 1),
        _ => number::general(value, 6),
    })
}

/// A list of at most [`NAMED`] lines, and how many more there are.
fn listed(lines: Vec<String>, page: &str) -> Option<Block> {
    let more = lines.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = lines.into_iter().take(NAMED).collect();
    if more > 0 {
        shown.push(format!("and {} more; the page of {page} lists all.", grouped(more as u64)));
    }
    (!shown.is_empty()).then_some(Block::List(shown))
}
