//! Whether programs compute their answers: stored solvers (level L4), and those of models.

use std::collections::BTreeMap;

use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::verify::Level;
use crate::verify::faithfulness::{Movement, Quoting, SolverAudit};

static ABOUT: About = About {
    id: "faithfulness-audit",
    also: &["hard-coded-answers"],
    title: "Faithfulness of programs",
    unit: "count",
    meaning: "A solver is worth something when its answer follows from its inputs. Every numeric default of a stored \
              solver is moved up and down, its text is searched for answers that are written down, and the same is \
              asked of the graded programs of models.",
    formula: "an input v is ignored when neither 1.05 v nor 0.95 v (0.05 and -0.05 for v = 0) moves any output by \
              more than 1e-9 × max(|old|, 1e-9); fragile when the program fails at either. A literal is unexplained \
              outside the signature unless it is 0, 1, an integer up to 12, or within 1 % of a unit factor, a \
              constant of nature or a default. A program computes when it does not hold every answer as a literal \
              and at least one of its inputs moves an answer.",
    source: "Rule faithfulness-audit of the study; the ledger of level L4.",
    edge_cases: "Without execution it is undefined, never 0. Flags are reasons to look: the study's authors sorted \
                 theirs by hand, and that sorting is not archived, so a count of flags is no count of defects. A \
                 program without numeric defaults is judged by its text alone. Of a model program only the graded \
                 attempt is audited.",
    example: "solve(t=300.0, p=1000.0) returning 19.75 whatever t and p are: two ignored inputs, one answer written \
              down, the program does not compute.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set of stored solvers" },
        KeyDoc { key: "experiment", meaning: "experiment of model programs" },
        KeyDoc { key: "model", meaning: "configuration key of model programs" },
    ],
    measures: &[
        ("computes", "stored solvers that compute their answer, of those audited"),
        ("ignoring", "stored solvers with an input that moves no answer, of those audited"),
        ("ignored", "inputs that move no answer, of those moved"),
        ("fragile", "inputs at which a program fails when moved, of those moved"),
        ("unexplained", "stored solvers with an unexplained literal, of those audited"),
        ("literals", "unexplained literals"),
        ("violations", "stored solvers that give a saturation quantity falling with temperature"),
        ("quoting", "graded model programs that hold every answer as a number, of those audited"),
        ("quoting-some", "graded model programs that hold some of several answers as numbers, of those audited"),
        ("unmoved", "graded model programs in which no input moves any answer, of those audited"),
    ],
};

/// Faithfulness of programs.
pub(super) struct Faithfulness;

impl Statistic for Faithfulness {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for set in &evidence.corpus.sets {
            let audits = evidence.ledger.audits.iter().filter(|row| row.set == set.id && !row.shortcut);
            stored(&mut output, set.id.as_str(), &audits.collect::<Vec<_>>());
        }
        total(&mut output, evidence);
        models(&mut output, evidence);
        output
    }
}

fn stored(output: &mut Output, set: &str, rows: &[&SolverAudit]) {
    let mut facts = output.on(ABOUT.id, Basis::Execution, &[("set", set)]);
    if rows.is_empty() {
        facts.put("computes", Estimate::undefined("no solver of the set was audited"));
        return;
    }
    let audits = |wanted: &dyn Fn(&SolverAudit) -> bool| {
        Estimate::out_of(rows.iter().filter(|row| wanted(row)).count(), rows.len())
    };
    let inputs = |movement| rows.iter().map(|row| row.audit.with_movement(movement).count()).sum::<usize>();
    let (ignored, fragile) = (inputs(Movement::Ignored), inputs(Movement::Fragile));
    let moved = inputs(Movement::Moves) + ignored + fragile;
    facts
        .put("computes", computing(rows))
        .put("ignoring", audits(&|row| row.audit.with_movement(Movement::Ignored).next().is_some()))
        .put("ignored", Estimate::out_of(ignored, moved))
        .put("fragile", Estimate::out_of(fragile, moved))
        .put("unexplained", audits(&|row| !row.audit.unexplained.is_empty()))
        .put("literals", Estimate::count(rows.iter().map(|row| row.audit.unexplained.len()).sum()))
        .put("violations", audits(&|row| row.audit.violates_physics()));
}

/// Programs that compute, of those of which something was seen.
fn computing(rows: &[&SolverAudit]) -> Estimate {
    let decided: Vec<bool> = rows.iter().filter_map(|row| row.computes).collect();
    if decided.is_empty() {
        return Estimate::undefined("no solver of the set has an input that can be changed");
    }
    Estimate::out_of(decided.iter().filter(|computes| **computes).count(), decided.len())
}

fn total(output: &mut Output, evidence: &Evidence<'_>) {
    let estimate = match evidence.ledger.level(Level::L4).filter(|summary| summary.checked > 0) {
        Some(summary) => Estimate::out_of(summary.agreed, summary.checked),
        None => Estimate::undefined("no solver was audited"),
    };
    output.on(ABOUT.id, Basis::Execution, &[]).put("computes", estimate);
}

/// Model programs by experiment and configuration, over all runs.
fn models(output: &mut Output, evidence: &Evidence<'_>) {
    let mut groups: BTreeMap<(&str, &str), [usize; 4]> = BTreeMap::new();
    for audited in &evidence.ledger.audited {
        let run = &audited.run;
        groups.entry((run.experiment.as_str(), run.configuration.as_str())).or_default()[0] += audited.programs;
    }
    for row in &evidence.ledger.quoting {
        let at = match row.quoting {
            Quoting::All => 1,
            Quoting::Some => 2,
            Quoting::InputsIgnored => 3,
        };
        groups.entry((row.run.experiment.as_str(), row.run.configuration.as_str())).or_default()[at] += 1;
    }
    let mut all = [0; 4];
    for counts in groups.values() {
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    for ((experiment, model), counts) in groups {
        put(output, &[("experiment", experiment), ("model", model)], counts);
    }
    put(output, &[], all);
}

fn put(output: &mut Output, keys: &[(&str, &str)], [audited, all, some, unmoved]: [usize; 4]) {
    let mut facts = output.on(ABOUT.id, Basis::Execution, keys);
    for (measure, count) in [("quoting", all), ("quoting-some", some), ("unmoved", unmoved)] {
        let estimate = match audited {
            0 => Estimate::undefined("no program of a model was executed"),
            _ => Estimate::out_of(count, audited),
        };
        facts.put(measure, estimate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Limits;
    use crate::engine::fake::{Fake, answers};
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::verify::faithfulness::{AuditedRun, ProgramAudit, solvers};
    use crate::world::Silent;

    #[test]
    fn nothing_audited_is_undefined_and_what_was_audited_is_counted() {
        let source = "def solve(t=300.0):\n    return {'1': {'value': 19.75, 'unit': 'K'}}\n";
        let mut hard = problem("p", "x", "low", 1);
        hard.solver = Some(source.into());
        let mut study = Fixture::new(&[]).set("core", "problems", None, vec![hard]);
        let facts = |study: &Fixture| Facts::new(study.compute(&Faithfulness).facts);
        let get = |facts: &Facts, measure, keys: &[(&str, &str)]| {
            facts.get("faithfulness-audit", measure, keys).unwrap().estimate.clone()
        };
        let before = facts(&study);
        assert!(matches!(get(&before, "computes", &[]), Estimate::Undefined(_)));
        assert!(matches!(get(&before, "quoting", &[]), Estimate::Undefined(_)));
        let engine = Fake::new("fake").otherwise(answers(&[("1", "19.75", "K")]));
        let (summary, audits, findings) = solvers(&study.corpus, Some(&engine), &Limits::default(), &Silent).unwrap();
        assert!(findings.iter().any(|finding| finding.code == "solver-quotes"));
        study.ledger.record(summary);
        study.ledger.audits = audits;
        let run = crate::archive::RunKey { experiment: "e".into(), configuration: "m".into(), run: 1 };
        study.ledger.audited.push(AuditedRun { run: run.clone(), programs: 4 });
        study.ledger.quoting.push(ProgramAudit {
            run,
            id: "p".into(),
            file: "f".into(),
            record: 0,
            attempt: 0,
            quoting: Quoting::Some,
            answers: vec!["1".into()],
            inputs: 1,
            passed: Some(true),
        });
        let after = facts(&study);
        assert_eq!(get(&after, "computes", &[]), Estimate::out_of(0, 1));
        assert_eq!(get(&after, "ignored", &[("set", "core")]), Estimate::out_of(1, 1));
        assert_eq!(get(&after, "literals", &[("set", "core")]), Estimate::count(1));
        let keys = [("experiment", "e"), ("model", "m")];
        assert_eq!(get(&after, "quoting-some", &keys), Estimate::out_of(1, 4));
        assert_eq!(get(&after, "quoting", &keys), Estimate::out_of(0, 4));
    }
}
