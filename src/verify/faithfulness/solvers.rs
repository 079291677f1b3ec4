//! Level L4: the audit of every stored program of every set.

use std::collections::BTreeSet;

use serde::Serialize;

use super::audit::{Audit, Subject, audit};
use super::perturb::Movement;
use crate::corpus::{Corpus, Problem, Set};
use crate::engine::{Engine, EngineError, Limits};
use crate::id::SetId;
use crate::json::Value;
use crate::report::{Finding, Findings, Place};
use crate::verify::Unchecked;
use crate::verify::ladder::{Level, LevelSummary};
use crate::world::Progress;

/// L4 verdict of one stored program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SolverAudit {
    /// Set.
    pub set: SetId,
    /// True for a shortcut program.
    pub shortcut: bool,
    /// Whether the answer is computed from the inputs; `None` where no input could be changed, see
    /// [`Audit::computes`].
    pub computes: Option<bool>,
    /// What the audit says; its id is that of the problem.
    #[serde(flatten)]
    pub audit: Audit,
}

/// Audits every stored program of the corpus: problems of all sets and their shortcuts.
///
/// A program disagrees when it quotes its answers or when none of its inputs moves any of them. An
/// ignored or unexplained number in a program that otherwise computes is a reason to look, told as a note.
pub fn solvers(
    corpus: &Corpus,
    engine: Option<&dyn Engine>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Vec<SolverAudit>, Findings), EngineError> {
    let mut summary = LevelSummary::new(Level::L4);
    let programs = programs(corpus);
    let Some(engine) = engine else {
        summary.skip(Unchecked::NoEngine, programs.len());
        return Ok((summary, Vec::new(), Findings::default()));
    };
    let subjects: Vec<Subject> = programs.iter().map(|(_, _, subject)| subject.clone()).collect();
    progress.begin("auditing stored solvers", subjects.len() as u64);
    let audits = audit(engine, &subjects, limits, progress);
    progress.finish();
    let mut rows = Vec::with_capacity(programs.len());
    for ((set, shortcut, _), audit) in programs.iter().zip(audits?) {
        let computes = audit.computes();
        match (&audit.fault, audit.status.is_ok(), computes) {
            (Some(_), _, _) => summary.skip(Unchecked::NotParsed, 1),
            (None, false, _) => summary.skip(Unchecked::NotRunning, 1),
            (None, true, None) => summary.skip(Unchecked::NoInputs, 1),
            (None, true, Some(computes)) => summary.count(computes),
        }
        rows.push(SolverAudit { set: set.id.clone(), shortcut: *shortcut, computes, audit });
    }
    let inputs = |movement| {
        let count: usize = rows.iter().map(|row| row.audit.with_movement(movement).count()).sum();
        crate::number::grouped(count as u64)
    };
    summary.remark = (summary.checked > 0).then(|| {
        format!(
            "{} inputs move an answer, {} move none, {} make the program fail",
            inputs(Movement::Moves),
            inputs(Movement::Ignored),
            inputs(Movement::Fragile)
        )
    });
    let findings = tell(corpus, &rows);
    rows.sort_by(|a, b| (&a.set, &a.audit.id, a.shortcut).cmp(&(&b.set, &b.audit.id, b.shortcut)));
    Ok((summary, rows, findings))
}

fn programs(corpus: &Corpus) -> Vec<(&Set, bool, Subject)> {
    let mut programs = Vec::new();
    for set in &corpus.sets {
        for problem in &set.problems {
            let shortcut = problem.shortcut.as_ref().and_then(|shortcut| shortcut.program.as_ref());
            for (source, shortcut) in [(problem.solver.as_ref(), false), (shortcut, true)] {
                let Some(source) = source else { continue };
                let subject = Subject { id: problem.id.to_string(), source: source.clone(), about: about(problem) };
                programs.push((set, shortcut, subject));
            }
        }
    }
    programs
}

/// Statement and knowledge points, which decide whether the physical check applies.
fn about(problem: &Problem) -> String {
    let points = problem.extra.get("knowledge_points").and_then(Value::as_list).unwrap_or_default();
    let points = points.iter().filter_map(Value::as_text);
    std::iter::once(problem.statement.as_str()).chain(points).collect::<Vec<_>>().join(" ")
}

/// One finding for each program that does not compute, one per set and kind for what is worth a look.
fn tell(corpus: &Corpus, rows: &[SolverAudit]) -> Findings {
    let mut findings = Findings::default();
    let unfaithful =
        |row: &&SolverAudit| row.computes == Some(false) && row.audit.fault.is_none() && row.audit.status.is_ok();
    for row in rows.iter().filter(unfaithful) {
        let path = corpus.set(row.set.as_str()).map_or("", |set| &set.path);
        let what = if row.shortcut { "the shortcut program" } else { "the solver" };
        let message = if row.audit.is_hard_coded() {
            format!("{what} holds its answers as numbers ({})", row.audit.literal_answers.join(", "))
        } else {
            format!("none of the inputs of {what} moves an answer")
        };
        findings.push(Finding::new("solver-quotes", Place::file(path).with_subject(&row.audit.id), message));
    }
    for set in &corpus.sets {
        let own = || rows.iter().filter(|row| row.set == set.id && row.computes != Some(false));
        let quoted = own().filter(|row| !row.audit.literal_answers.is_empty());
        look(&mut findings, set, "one of several answers is written down as a number", quoted);
        let violated = own().filter(|row| row.audit.violates_physics());
        look(&mut findings, set, "a saturation quantity falls as a temperature rises", violated);
    }
    findings
}

fn look<'r>(findings: &mut Findings, set: &Set, what: &str, rows: impl Iterator<Item = &'r SolverAudit>) {
    // A problem with a shortcut has two programs of one id.
    let ids: Vec<&str> = rows.map(|row| row.audit.id.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    if ids.is_empty() {
        return;
    }
    let more = if ids.len() > SHOWN { format!(" and {} more", ids.len() - SHOWN) } else { String::new() };
    let named = ids[..ids.len().min(SHOWN)].join(", ");
    let message = format!("{what} in the programs of {named}{more}");
    findings.push(Finding::new("solver-flagged", Place::file(&set.path), message));
}

/// Ids named in one finding; the page and the ledger name all.
const SHOWN: usize = 8;
