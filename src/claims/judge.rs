//! The judge: from ledgers and sources to judgements.

use std::collections::BTreeMap;

use super::attempt::{self, Attempt, attempt};
use super::binding::{Bindings, Bound, Candidate, Strength};
use super::compare;
use super::conflict;
use super::declared::DECLARED;
use super::expression::Trouble;
use super::findings;
use super::judgement::{Basis, Judgement, Judgements, LedgerInfo, Meaning, Verdict};
use super::ledger::{Broken, Check, Claim, Ledger, MissingReason, Shape};
use super::missing;
use super::possible;
use super::printed::Printed;
use super::published;
use super::sources::{Finder, Sources};
use super::summary;
use crate::report::{Finding, Place};

/// Judges every claim of every ledger, every row of the published tables they name, and their conflicts.
pub fn judge(ledgers: &[Ledger], sources: &Sources<'_>) -> Judgements {
    let finder = Finder::new(sources);
    let mut claims = Vec::new();
    let mut tables = Vec::new();
    let mut conflicts = Vec::new();
    let mut findings = Vec::new();
    for ledger in ledgers {
        let bindings = Bindings::of(&ledger.dialect, &sources.bindings).unwrap_or_else(|message| {
            findings.push(Finding::new("bad-ledger", Place::file(&ledger.file), message));
            Bindings::default()
        });
        let printed = ledger.printed();
        let bench = Bench { ledger, bindings: &bindings, finder: &finder, printed: &printed };
        let mut judged: Vec<Judgement> = ledger.claims.iter().map(|claim| bench.claim(claim, &mut findings)).collect();
        judged.extend(ledger.broken.iter().map(|broken| broken_entry(ledger, broken)));
        judged.sort_by(|a, b| a.id.cmp(&b.id));
        conflicts.extend(conflict::settle(ledger, &mut judged, &mut findings));
        tables.extend(ledger.published.iter().map(|table| published::judge(table, &ledger.file, &bindings, &finder)));
        claims.extend(judged);
    }
    // Declared tables are judged like those of a ledger, and are none.
    let ledgers = ledgers.iter().filter(|ledger| ledger.dialect != DECLARED).map(info).collect();
    let summary = summary::of(&claims, &tables);
    let mut judgements =
        Judgements { format: "repro-judgements/1", ledgers, summary, claims, tables, conflicts, findings };
    findings::collect(&mut judgements);
    judgements
}

fn info(ledger: &Ledger) -> LedgerInfo {
    LedgerInfo {
        file: ledger.file.clone(),
        dialect: ledger.dialect.clone(),
        claims: ledger.claims.len(),
        broken: ledger.broken.len(),
        by_words: ledger.claims.iter().filter(|claim| claim.found.is_some()).count(),
        author: ledger.author.clone(),
    }
}

/// What every claim of a ledger is judged with.
pub(super) struct Bench<'a> {
    pub(super) ledger: &'a Ledger,
    pub(super) bindings: &'a Bindings,
    pub(super) finder: &'a Finder<'a>,
    pub(super) printed: &'a BTreeMap<&'a str, &'a [Printed]>,
}

impl Bench<'_> {
    pub(super) fn claim(&self, claim: &Claim, findings: &mut Vec<Finding>) -> Judgement {
        let mut bound = self.bindings.find(claim).unwrap_or_default();
        bound.readings.extend(claim.readings.clone());
        let candidates = self.candidates(claim, &bound);
        let mut judgement = blank(self.ledger, claim);
        judgement.out_of_print(claim);
        let mut first: Option<Trouble> = None;
        let mut best: Option<(Strength, Attempt)> = None;
        for candidate in &candidates {
            match attempt(self, claim, &bound, candidate) {
                Ok(found) => match &mut best {
                    None => best = Some((candidate.strength, found)),
                    Some((_, before)) => before.complete(found),
                },
                Err(refused) => {
                    judgement.expressions = refused.expressions;
                    // A ledger that names a statistic itself must name one that exists.
                    let unknown = matches!(refused.trouble, Trouble::NoStatistic(..)) && !claim.from.is_empty();
                    if unknown || matches!(refused.trouble, Trouble::Mistake(_)) {
                        findings.push(self.mistake(claim, &refused.trouble.to_string()));
                    }
                    first.get_or_insert(refused.trouble);
                }
            }
            if best.as_ref().is_some_and(|(_, found)| found.is_complete()) {
                break;
            }
        }
        match best {
            Some((strength, found)) => {
                decide(&mut judgement, claim, &bound, strength, found);
                weigh(&mut judgement, claim, self.finder);
                self.other_readings(&mut judgement, claim, &bound);
                if let Some(trouble) = first.filter(|_| judgement.verdict != Verdict::NotCheckable) {
                    judgement.remark.get_or_insert(format!("not from the archive itself: {trouble}"));
                }
            }
            None => missing::describe(self, &mut judgement, claim, &bound, first),
        }
        if claim.printed.iter().any(|printed| possible::is_zero_p(&claim.unit, printed)) {
            judgement.remark.get_or_insert("no P is zero; print says that it is below a bound".to_owned());
        }
        self.fit(&mut judgement, claim, &bound, findings);
        judgement
    }

    /// Printed numbers that exclude one another are impossible whatever each of them says alone (discordant
    /// pairs, for one, differ by the difference of the totals).
    fn fit(&self, judgement: &mut Judgement, claim: &Claim, bound: &Bound, findings: &mut Vec<Finding>) {
        let Some(condition) = &bound.fits else { return };
        match attempt::holds(self, claim, &self.bindings.defined(condition)) {
            Ok(true) => {}
            Ok(false) => {
                judgement.verdict = Verdict::Impossible;
                judgement.remark = Some(format!("printed numbers that exclude one another: {condition}"));
                judgement.explanation = bound.told(&findings::recomputed(judgement));
            }
            Err(trouble) => findings.push(self.mistake(claim, &format!("`fits`: {trouble}"))),
        }
    }

    /// Where a sentence can mean several values, each is computed. When they do not agree about the printed
    /// number, none of them is picked: the claim is ambiguous, and all values stand with it.
    fn other_readings(&self, judgement: &mut Judgement, claim: &Claim, bound: &Bound) {
        if bound.readings.is_empty() {
            return;
        }
        let mut values = vec![Meaning {
            name: "as bound".to_owned(),
            value: findings::recomputed(judgement),
            verdict: judgement.verdict,
        }];
        for (name, text) in &bound.readings {
            let texts = vec![self.bindings.defined(text)];
            let candidate = Candidate { strength: Strength::Facts, texts };
            if let Ok(found) = attempt(self, claim, bound, &candidate) {
                let verdict = found.parts.iter().map(|part| part.verdict).max().unwrap_or(Verdict::NotCheckable);
                let other = Judgement { parts: found.parts, ..judgement.clone() };
                values.push(Meaning { name: name.clone(), value: findings::recomputed(&other), verdict });
                judgement.expressions.extend(found.expressions);
            }
        }
        // What a reading rests on does not matter here, only whether it agrees.
        let kind = |verdict: Verdict| (verdict.agrees(), verdict.contradicts());
        if values.iter().any(|reading| kind(reading.verdict) != kind(judgement.verdict)) {
            let told: Vec<String> =
                values.iter().map(|reading| format!("{}: {}", reading.name, reading.value)).collect();
            judgement.verdict = Verdict::NotCheckable;
            judgement.missing = Some(MissingReason::Ambiguous);
            judgement.reason = Some(format!("several values could be meant: {}", told.join("; ")));
            judgement.readings = values;
            for part in &mut judgement.parts {
                part.verdict = Verdict::NotCheckable;
            }
        }
    }

    fn candidates(&self, claim: &Claim, bound: &Bound) -> Vec<Candidate> {
        if claim.from.is_empty() {
            return self.bindings.candidates(bound);
        }
        vec![Candidate { strength: Strength::Facts, texts: claim.from.clone() }]
    }

    fn mistake(&self, claim: &Claim, message: &str) -> Finding {
        let place = Place { file: Some(self.ledger.file.clone()), ..claim.place.clone() };
        Finding::new("bad-ledger", place.with_subject(&claim.id), format!("`from`: {message}"))
    }
}

/// Writes what was found into the judgement.
fn decide(judgement: &mut Judgement, claim: &Claim, bound: &Bound, strength: Strength, found: Attempt) {
    judgement.verdict = found.parts.iter().map(|part| part.verdict).max().unwrap_or(Verdict::NotCheckable);
    let only_printed = found.restates.clone().or_else(|| prints_only(claim, bound, &found));
    judgement.parts = found.parts;
    judgement.expressions = found.expressions;
    // An expression without any fact or printed number is a plain computation.
    judgement.basis = Some(found.trace.basis().unwrap_or(Basis::Counts));
    judgement.facts_used = found.trace.used;
    judgement.links = found.trace.links;
    if judgement.verdict == Verdict::NotCheckable {
        let open = judgement.parts.iter().filter(|part| part.verdict == Verdict::NotCheckable).count();
        judgement.remark =
            Some(format!("{} of {} numbers reproduced", judgement.parts.len() - open, judgement.parts.len()));
        let trouble = found.trouble.unwrap_or(Trouble::NoFact("a part of the claim".into()));
        let stated = bound.because.clone();
        judgement.missing =
            Some(stated.as_ref().map_or_else(|| missing::kind(&trouble), |_| MissingReason::FileAbsent));
        judgement.reason = Some(stated.unwrap_or_else(|| trouble.to_string()));
    }
    if let Some(table) = only_printed {
        restated(judgement, &table);
    }
    if judgement.verdict.contradicts() || judgement.verdict == Verdict::ConflictingSources {
        judgement.explanation = bound.told(&findings::recomputed(judgement));
    }
    if strength == Strength::Printed && judgement.verdict == Verdict::Reproduced {
        judgement.remark.get_or_insert("follows from other printed numbers".to_owned());
    }
}

/// What agrees with other printed numbers alone is said to be consistent with them, and what agrees with the
/// table that the runs were rebuilt from is the same by construction; neither is called reproduced.
fn weigh(judgement: &mut Judgement, claim: &Claim, finder: &Finder<'_>) {
    if judgement.basis.is_none_or(|basis| basis < Basis::Rebuilt) {
        return;
    }
    let by_construction = judgement.basis == Some(Basis::Rebuilt) && finder.sources.is_rebuilt_from(&claim.source);
    let weaker = if by_construction { Verdict::SameByConstruction } else { Verdict::Consistent };
    let parts = judgement.parts.iter_mut().map(|part| &mut part.verdict);
    for verdict in parts.chain([&mut judgement.verdict]).filter(|verdict| **verdict == Verdict::Reproduced) {
        *verdict = weaker;
    }
}

/// A fact that itself was read from a published table proves nothing beyond it, unless the table holds
/// the outcomes the number is computed from. Where the two disagree, the disagreement stands.
fn prints_only(claim: &Claim, bound: &Bound, found: &Attempt) -> Option<String> {
    let computed = bound.computes || claim.check == Check::Recompute || !found.bare;
    let agrees = found.parts.iter().all(|part| part.verdict <= Verdict::NotCheckable);
    if computed || !agrees || found.trace.basis() != Some(Basis::Published) {
        return None;
    }
    let files: Vec<&str> = claim.checkable_from.iter().map(String::as_str).filter(|file| *file != "none").collect();
    Some(if files.is_empty() { "a published table".to_owned() } else { files.join(" and ") })
}

/// A number that only repeats a cell of a published table is never shown as reproduced: either the two
/// agree, which proves nothing, or two sources disagree.
fn restated(judgement: &mut Judgement, table: &str) {
    if judgement.verdict.agrees() {
        judgement.verdict = Verdict::NotCheckable;
        judgement.missing = Some(MissingReason::FileAbsent);
        judgement.reason = Some(format!("only {table} prints it; what it was computed from is not archived"));
        judgement.remark = Some(format!("agrees with {table}"));
    } else if judgement.verdict.contradicts() {
        judgement.recomputation = Some(judgement.verdict);
        judgement.verdict = Verdict::ConflictingSources;
        judgement.remark = Some(format!("disagrees with {table}"));
    }
    for part in &mut judgement.parts {
        if part.verdict.agrees() {
            part.verdict = Verdict::NotCheckable;
        }
    }
}

impl Judgement {
    /// Fills in what is printed, before anything is known about it.
    fn out_of_print(&mut self, claim: &Claim) {
        self.parts = claim.printed.iter().enumerate().map(|(at, number)| compare::open(claim, at, number)).collect();
    }
}

fn blank(ledger: &Ledger, claim: &Claim) -> Judgement {
    Judgement {
        id: claim.id.clone(),
        ledger: ledger.file.clone(),
        area: claim.area.clone(),
        statement: claim.statement.clone(),
        source: claim.source.clone(),
        also: claim.also.clone(),
        cell: claim.cell.clone(),
        keys: claim.keys.clone(),
        unit: claim.unit.clone(),
        shape: claim.shape.clone(),
        printed: print(claim),
        compare: claim.compare,
        tolerance: claim.tolerance,
        verdict: Verdict::NotCheckable,
        recomputation: None,
        found: claim.found.clone(),
        places: Vec::new(),
        parts: Vec::new(),
        basis: None,
        rule: claim.rule.clone(),
        expressions: Vec::new(),
        links: Vec::new(),
        facts_used: 0,
        missing: None,
        reason: None,
        remark: None,
        explanation: None,
        readings: Vec::new(),
        erratum: claim.erratum.clone(),
        conflicts: Vec::new(),
    }
}

/// The whole as printed.
fn print(claim: &Claim) -> String {
    let texts: Vec<&str> = claim.printed.iter().map(|printed| printed.text.as_str()).collect();
    let mean_sd = claim.cell.as_ref().is_some_and(|cell| cell.kind == "mean_sd");
    match (&claim.shape, texts.as_slice()) {
        (Shape::Holds, _) => "holds".to_owned(),
        (Shape::Text(word), _) => word.clone(),
        (Shape::Range, [low, high]) => format!("{low} to {high}"),
        (_, [mean, sd]) if mean_sd => format!("{mean} ± {sd}"),
        _ => texts.join(", "),
    }
}

fn broken_entry(ledger: &Ledger, broken: &Broken) -> Judgement {
    Judgement {
        id: broken.id.clone(),
        ledger: ledger.file.clone(),
        area: "ledger".to_owned(),
        statement: broken.statement.clone(),
        source: String::new(),
        also: Vec::new(),
        cell: None,
        keys: BTreeMap::new(),
        unit: String::new(),
        shape: Shape::Value,
        printed: String::new(),
        compare: super::ledger::Compare::Equal,
        tolerance: None,
        verdict: Verdict::NotCheckable,
        recomputation: None,
        found: None,
        places: Vec::new(),
        parts: Vec::new(),
        basis: None,
        rule: String::new(),
        expressions: Vec::new(),
        links: Vec::new(),
        facts_used: 0,
        missing: Some(MissingReason::BrokenEntry),
        reason: Some(broken.message.clone()),
        remark: None,
        explanation: None,
        readings: Vec::new(),
        erratum: None,
        conflicts: Vec::new(),
    }
}
