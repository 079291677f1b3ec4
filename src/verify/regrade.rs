//! L3: every stored answer is graded again, under both lenses and at every tolerance of the sweep.
//!
//! A record is compared at the tolerance of its run. What has no stored answer of its own is counted with
//! the reason; it is never taken as agreement.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::ladder::{Level, LevelSummary};
use super::rows::{LensRow, LensVerdicts, RegradeRow, Shown, SweepRow};
use super::unchecked::Unchecked;
use crate::archive::{Archive, Record, RunKey, State, SubAnswer};
use crate::grade::graders::{Checks, Given, Grader, Graders, Parts, Rule};
use crate::grade::{self, Accepted, Judgement, lens, strict};
use crate::id::ExperimentId;
use crate::report::{Finding, Findings, Place};
use crate::study::Study;

/// What level L3 found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Regraded {
    /// Records whose verdict or marks are other ones now.
    pub differing: Vec<RegradeRow>,
    /// Passes by experiment and tolerance.
    pub sweep: Vec<SweepRow>,
    /// Verdicts of both lenses by run.
    pub verdicts: Vec<LensVerdicts>,
    /// Answers on which the lenses differ.
    pub lenses: Vec<LensRow>,
    /// Answers that the strict lens cannot decide, by reason.
    pub undecided: BTreeMap<String, usize>,
}

/// Why a record cannot be graded again; `None` when it can.
pub fn not_regradable(record: &Record) -> Option<Unchecked> {
    if record.state() == State::Excluded {
        return Some(if record.error.is_some() { Unchecked::Infrastructure } else { Unchecked::NoVerdict });
    }
    // A record that counts as right must show its answer, whatever error it names.
    let failed = record.state() != State::Pass;
    match &record.details {
        None if failed && (record.error.is_some() || record.error_as_fail) => Some(Unchecked::NoAnswer),
        // Of a program under tests the reason says how they ended, not that nothing could be read.
        None if !record.verdicts.is_empty() => Some(Unchecked::JudgedWhole),
        None if failed && record.failed_reason.is_some() => Some(Unchecked::Ungradable),
        None => Some(Unchecked::VerdictOnly),
        Some(_) if record.has_borrowed_values() => Some(Unchecked::Borrowed),
        Some(_) => None,
    }
}

/// Grades again everything that can be.
pub fn regrade(study: &Study, archive: &Archive, graders: Graders<'_>) -> (LevelSummary, Regraded, Findings) {
    let parts: Vec<Part> = archive
        .runs
        .par_iter()
        .map(|run| {
            let tolerance = tolerance(study, archive, &run.key);
            let mut part =
                Part::new(&run.path, &run.key.experiment, grader(graders, study, &run.key), &study.grading.sweep);
            if is_option(study, &run.key.experiment) {
                part.summary.skip(Unchecked::Option, run.records.len());
            } else {
                part.verdicts =
                    Some(LensVerdicts { run: run.key.clone(), graded: 0, reference: 0, strict: 0, undecided: 0 });
                run.records.iter().for_each(|record| part.add(&run.key, record, tolerance));
            }
            part
        })
        .chain(archive.transcripts.par_iter().map(|transcript| {
            let key = &transcript.key;
            let mut part = Part::new(&transcript.path, &key.experiment, grader(graders, study, key), &[]);
            part.add(&transcript.key, &transcript.record, tolerance(study, archive, &transcript.key));
            part
        }))
        .collect();
    merge(parts)
}

/// Tolerance that the answers of a run were graded at: its own, else the study's. Every level that grades
/// asks here, so that two levels cannot disagree on one record.
pub(super) fn tolerance(study: &Study, archive: &Archive, run: &RunKey) -> f64 {
    archive.run(run).and_then(|run| run.declared.tolerance).unwrap_or(study.grading.tolerance)
}

/// The grader of the values that the records of a run hold.
fn grader(graders: Graders<'_>, study: &Study, run: &RunKey) -> &'static dyn Grader {
    graders.of_recorded(study.declared_grader(run.experiment.as_str()))
}

/// Picking an option leaves nothing to grade again.
fn is_option(study: &Study, experiment: &ExperimentId) -> bool {
    study.experiments.iter().any(|e| e.id == *experiment && e.given() == crate::study::Given::Option)
}

/// What one run brings.
struct Part {
    path: String,
    grader: &'static dyn Grader,
    summary: LevelSummary,
    regraded: Regraded,
    /// For a run; selected records are part of one and are not counted again.
    verdicts: Option<LensVerdicts>,
}

impl Part {
    fn new(path: &str, experiment: &ExperimentId, grader: &'static dyn Grader, sweep: &[f64]) -> Self {
        // Other tolerances are tried where the grader has one.
        let sweep = if grader.has_tolerance() { sweep } else { &[] };
        let row = |&tolerance| SweepRow {
            experiment: experiment.clone(),
            tolerance,
            graded: 0,
            passed: 0,
            strict: 0,
            strict_undecided: 0,
        };
        let regraded = Regraded { sweep: sweep.iter().map(row).collect(), ..Regraded::default() };
        Self { path: path.to_owned(), grader, summary: LevelSummary::new(Level::L3), regraded, verdicts: None }
    }

    fn add(&mut self, run: &RunKey, record: &Record, tolerance: f64) {
        // What its reader derived again is counted there.
        if record.details.is_none() && !record.again.is_empty() {
            return;
        }
        if let Some(reason) = not_regradable(record) {
            self.summary.skip(reason, 1);
            return;
        }
        let details = record.details.as_deref().unwrap_or_default();
        let given = Given::Recorded { details, assigned: &record.regraded };
        let Some(judged) = self.grader.judge(&Checks::NONE, &given, Rule { tolerance }) else {
            self.summary.skip(Unchecked::JudgedWhole, 1);
            return;
        };
        let Parts { reference: found, strict } = judged.into_parts();
        let marks = || details.iter().zip(&found.subs).filter(|(stored, found)| stored.passed != found.passed);
        // A mark that was given for a unit which was not archived cannot be given again.
        let unit_absent = |(stored, _): (&SubAnswer, &grade::SubGrade)| stored.passed && stored.actual_unit.is_none();
        if marks().next().is_some() && marks().all(unit_absent) && record.regraded.is_empty() {
            self.summary.skip(Unchecked::UnitAbsent, 1);
            return;
        }
        let subs: Vec<String> = marks().map(|(stored, _)| stored.sub.to_string()).collect();
        // An assigned value was graded after the marks were stored.
        let agrees = record.passed == Some(found.passed) && (subs.is_empty() || !record.regraded.is_empty());
        self.summary.count(agrees);
        if !agrees {
            let (run, id) = (run.clone(), record.id.clone());
            self.regraded.differing.push(RegradeRow { run, id, recorded: record.passed, found: found.passed, subs });
        }
        self.lenses(run, record, details, &found, &strict);
        self.sweep(record, details, (tolerance, strict.judgement));
    }

    /// Passes at each tolerance; `strict` is what the strict lens says at one of them.
    fn sweep(&mut self, record: &Record, details: &[SubAnswer], strict: (f64, Judgement)) {
        let tolerances: Vec<f64> = self.regraded.sweep.iter().map(|row| row.tolerance).collect();
        let verdicts = grade::sweep(details, &record.regraded, &tolerances);
        let judgements = strict_sweep(details, record, &tolerances, strict);
        for ((row, passed), judgement) in self.regraded.sweep.iter_mut().zip(verdicts).zip(judgements) {
            row.graded += 1;
            row.passed += usize::from(passed);
            row.strict += usize::from(judgement == Judgement::Pass);
            row.strict_undecided += usize::from(matches!(judgement, Judgement::Undecided(_)));
        }
    }

    fn lenses(
        &mut self,
        run: &RunKey,
        record: &Record,
        details: &[SubAnswer],
        found: &grade::Grade,
        strict: &strict::StrictGrade,
    ) {
        if let Some(verdicts) = &mut self.verdicts {
            verdicts.graded += 1;
            verdicts.reference += usize::from(found.passed);
            verdicts.strict += usize::from(strict.judgement == Judgement::Pass);
            verdicts.undecided += usize::from(found.passed && matches!(strict.judgement, Judgement::Undecided(_)));
        }
        let record_differs = match strict.judgement {
            Judgement::Pass => !found.passed,
            Judgement::Fail(_) => found.passed,
            Judgement::Undecided(_) => false,
        };
        for ((detail, reference), judged) in details.iter().zip(&found.subs).zip(&strict.subs) {
            if let Judgement::Undecided(reason) = judged.judgement {
                *self.regraded.undecided.entry(reason.as_str().to_owned()).or_default() += 1;
            }
            let alike = match judged.judgement {
                Judgement::Pass => reference.passed,
                Judgement::Fail(_) => !reference.passed,
                Judgement::Undecided(_) => true,
            };
            if alike {
                continue;
            }
            let accepted: Vec<Accepted<'_>> = grade::regrade::accepted(detail).collect();
            let Some(reason) = lens::difference(reference, &accepted, judged.judgement) else { continue };
            self.regraded.lenses.push(LensRow {
                run: run.clone(),
                id: record.id.clone(),
                sub: detail.sub.to_string(),
                reason,
                reference: reference.passed,
                strict: judged.judgement == Judgement::Pass,
                record_differs,
                expected: accepted.first().map_or("", |a| a.value).to_owned(),
                expected_unit: accepted.first().map_or("", |a| a.unit).to_owned(),
                actual: Shown(reference.actual.clone()),
                actual_unit: detail.actual_unit.as_deref().map(str::to_owned),
            });
        }
    }
}

/// Strict judgements at each tolerance, from the one at a tolerance that is known. A wider tolerance never
/// judges worse, so a pass settles all wider ones and a failure all narrower ones; of the others the
/// narrowest or the widest is tried first, because it mostly settles them too.
fn strict_sweep(
    details: &[SubAnswer],
    record: &Record,
    tolerances: &[f64],
    (known, judgement): (f64, Judgement),
) -> Vec<Judgement> {
    let at = |tolerance: f64| strict::regrade(details, &record.regraded, tolerance).judgement;
    let settled = |tolerance: f64| match judgement {
        Judgement::Pass => tolerance >= known,
        Judgement::Fail(_) => tolerance <= known,
        Judgement::Undecided(_) => tolerance == known,
    };
    let open = || tolerances.iter().copied().filter(|&tolerance| !settled(tolerance));
    let first = match judgement {
        Judgement::Pass => open().reduce(f64::min).map(at),
        _ => open().reduce(f64::max).map(at),
    };
    let alike = match (judgement, first) {
        (Judgement::Pass, Some(Judgement::Pass)) | (Judgement::Fail(_), Some(Judgement::Fail(_))) => first,
        _ => None,
    };
    let one = |&tolerance: &f64| match alike {
        _ if settled(tolerance) => judgement,
        Some(alike) => alike,
        None => at(tolerance),
    };
    tolerances.iter().map(one).collect()
}

fn merge(parts: Vec<Part>) -> (LevelSummary, Regraded, Findings) {
    let mut summary = LevelSummary::new(Level::L3);
    let mut all = Regraded::default();
    let mut findings = Findings::default();
    for part in parts {
        summary.add(&part.summary);
        for row in &part.regraded.differing {
            findings.push(Finding::new(
                "regrade-differs",
                Place::file(&part.path).with_subject(row.id.as_str()),
                told(row),
            ));
        }
        all.differing.extend(part.regraded.differing);
        all.verdicts.extend(part.verdicts);
        all.lenses.extend(part.regraded.lenses);
        for (reason, count) in part.regraded.undecided {
            *all.undecided.entry(reason).or_default() += count;
        }
        for row in part.regraded.sweep {
            let same = |known: &&mut SweepRow| known.experiment == row.experiment && known.tolerance == row.tolerance;
            match all.sweep.iter_mut().find(same) {
                Some(known) => {
                    known.graded += row.graded;
                    known.passed += row.passed;
                    known.strict += row.strict;
                    known.strict_undecided += row.strict_undecided;
                }
                None => all.sweep.push(row),
            }
        }
    }
    all.sweep.retain(|row| row.graded > 0);
    all.verdicts.sort_by(|a, b| a.run.cmp(&b.run));
    all.lenses.sort_by(|a, b| (&a.run, &a.id, &a.sub).cmp(&(&b.run, &b.id, &b.sub)));
    all.lenses.dedup();
    all.differing.sort_by(|a, b| (&a.run, &a.id).cmp(&(&b.run, &b.id)));
    (summary, all, findings)
}

fn told(row: &RegradeRow) -> String {
    let verdict = |passed: Option<bool>| match passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "none",
    };
    let subs = if row.subs.is_empty() { String::new() } else { format!("; marks differ for sub {:?}", row.subs) };
    format!("stored verdict {}, graded again {}{subs}", verdict(row.recorded), verdict(Some(row.found)))
}

/// One finding per reason, with counts; told once the rows of all levels are joined, so that the list of
/// findings and the pages count the same rows.
pub(super) fn tell_lenses(rows: &[LensRow]) -> Vec<Finding> {
    let mut by_reason: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let entry = by_reason.entry(row.reason).or_default();
        entry.0 += 1;
        entry.1 += usize::from(row.record_differs);
    }
    let tell = |(reason, (answers, verdicts)): (grade::Reason, (usize, usize))| {
        let message = {
            let noun = if answers == 1 { "answer" } else { "answers" };
            format!("{answers} {noun}, {verdicts} of them in records whose verdict would change")
        };
        Finding::new("lens-differs", Place::subject(reason.as_str()), message)
    };
    by_reason.into_iter().map(tell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Actual;

    fn record(value: f64, passed: bool) -> Record {
        let detail = SubAnswer {
            sub: "1".into(),
            expected: ["100".into()].into(),
            expected_units: Some(["m".into()].into()),
            actual: Actual::Number(value),
            actual_unit: Some("m".into()),
            passed,
        };
        Record { passed: Some(passed), details: Some(vec![detail]), ..Record::blank("p".into()) }
    }

    fn key() -> RunKey {
        RunKey { experiment: "e".into(), configuration: "c".into(), run: 1 }
    }

    #[test]
    fn a_text_is_graded_by_the_rule_that_the_study_declares() {
        let mut text = record(0.0, true);
        if let Some(detail) = text.details.iter_mut().flatten().next() {
            (detail.expected, detail.expected_units) = (["IV".into()].into(), None);
            (detail.actual, detail.actual_unit) = (Actual::Text("IV".into()), Some("".into()));
        }
        for (declared, agreed) in [(Some("exact"), 1), (None, 0)] {
            let mut part = Part::new("a.json", &"e".into(), Graders::CORE.of_recorded(declared), &[0.05]);
            part.add(&key(), &text, 0.05);
            let (summary, all, _) = merge(vec![part]);
            assert_eq!((summary.checked, summary.agreed), (1, agreed));
            // A rule without a tolerance has no sweep.
            assert_eq!(all.sweep.len(), usize::from(declared.is_none()));
        }
    }

    #[test]
    fn an_edited_verdict_is_found_and_named() {
        let mut part = Part::new("a.json", &"e".into(), Graders::CORE.of_recorded(None), &[0.01, 0.05]);
        part.add(&key(), &record(103.0, true), 0.05);
        part.add(&key(), &record(103.0, false), 0.05);
        part.add(&key(), &record(120.0, true), 0.05);
        let (summary, all, findings) = merge(vec![part]);
        assert_eq!((summary.checked, summary.agreed, summary.disagreed), (3, 1, 2));
        assert_eq!(all.differing.iter().filter(|row| row.subs == ["1"]).count(), 2);
        assert_eq!(findings.iter().filter(|finding| finding.code == "regrade-differs").count(), 2);
        let passes: Vec<_> = all.sweep.iter().map(|row| (row.graded, row.passed, row.strict)).collect();
        assert_eq!(passes, [(3, 0, 0), (3, 2, 2)]);
    }

    #[test]
    fn a_null_unit_is_a_word_and_an_absent_one_decides_nothing() {
        let shown = |unit: Option<&str>, passed: bool| {
            let mut record = record(0.35, passed);
            let detail = &mut record.details.as_mut().unwrap()[0];
            detail.expected = ["35".into()].into();
            detail.expected_units = Some(["%".into()].into());
            detail.actual_unit = unit.map(Into::into);
            let mut part = Part::new("a.json", &"e".into(), Graders::CORE.of_recorded(None), &[]);
            part.add(&key(), &record, 0.05);
            (part.summary.agreed, part.summary.disagreed, part.summary.total - part.summary.checked)
        };
        // The study turns a stored null into the word `None`, which is no unit: such an answer fails.
        assert_eq!(shown(Some("None"), false), (1, 0, 0));
        assert_eq!(shown(Some("None"), true), (0, 1, 0));
        assert_eq!(shown(Some(""), true), (1, 0, 0));
        let mut other = record(1500.0, true);
        let detail = &mut other.details.as_mut().unwrap()[0];
        (detail.expected, detail.expected_units) = (["1.5".into()].into(), Some(["km".into()].into()));
        detail.actual_unit = None;
        let mut part = Part::new("a.json", &"e".into(), Graders::CORE.of_recorded(None), &[]);
        part.add(&key(), &other, 0.05);
        assert_eq!(part.summary.not_checkable[&Unchecked::UnitAbsent], 1);
    }

    #[test]
    fn a_right_record_without_an_answer_is_never_excused() {
        let mut lying = record(1.0, true);
        (lying.details, lying.error, lying.error_as_fail) = (None, Some("x".into()), true);
        assert_eq!(lying.state(), State::Pass);
        assert_eq!(not_regradable(&lying), Some(Unchecked::VerdictOnly));
    }

    #[test]
    fn what_has_no_answer_of_its_own_is_never_agreement() {
        let mut borrowed = record(1.0, false);
        borrowed.details_from = Some("shortcut_values".into());
        let verdict_only = Record { details: None, ..record(1.0, true) };
        let ungradable = Record { details: None, failed_reason: Some("x".into()), ..record(1.0, false) };
        let error = Record { error: Some("x".into()), ..record(1.0, false) };
        let reasons = [borrowed, verdict_only, ungradable, error].map(|record| not_regradable(&record).unwrap());
        assert_eq!(
            reasons,
            [Unchecked::Borrowed, Unchecked::VerdictOnly, Unchecked::Ungradable, Unchecked::Infrastructure]
        );
    }

    #[test]
    fn the_short_way_through_the_sweep_judges_as_the_long_way() {
        for value in [100.0, 101.5, 104.0, 108.0, 130.0] {
            let record = record(value, true);
            let details = record.details.as_deref().unwrap();
            let tolerances = [0.01, 0.02, 0.05, 0.1, 0.2];
            let long: Vec<_> =
                tolerances.iter().map(|&t| strict::regrade(details, &record.regraded, t).judgement).collect();
            let kind = |judgement: &Judgement| std::mem::discriminant(judgement);
            let kinds = |all: &[Judgement]| all.iter().map(kind).collect::<Vec<_>>();
            for known in tolerances {
                let judgement = strict::regrade(details, &record.regraded, known).judgement;
                let short = strict_sweep(details, &record, &tolerances, (known, judgement));
                assert_eq!(kinds(&short), kinds(&long), "{value} known at {known}");
            }
        }
    }
}
