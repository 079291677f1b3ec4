//! What the readers of files derived again: stored numbers that records do not hold (L0), and verdicts that
//! follow from an answer and its target by the rule of its judge (L3).

use std::sync::Arc;

use super::ladder::{Level, LevelSummary};
use super::summaries::SummaryVerdict;
use super::unchecked::Unchecked;
use crate::archive::{Archive, Recount, Run};
use crate::report::{Finding, Findings, Place};

/// How many verdicts of one run are listed; the others are counted.
const LISTED: usize = 20;

/// Counts what was derived again and tells what differs.
pub(super) fn again(archive: &Archive) -> ([LevelSummary; 2], Vec<SummaryVerdict>, Findings) {
    let mut levels = [LevelSummary::new(Level::L0), LevelSummary::new(Level::L3)];
    let mut findings = Findings::default();
    let stored = archive.recounts.iter().map(verdict).collect();
    for recount in &archive.recounts {
        match (&recount.again, recount.agrees()) {
            (Ok((again, over)), Some(agrees)) => {
                levels[0].count(agrees);
                if !agrees {
                    findings.push(differs(recount, *again, *over));
                }
            }
            (Err(reason), _) => levels[0].skip(Unchecked::Missing(Arc::clone(reason)), 1),
            (Ok(_), None) => {}
        }
    }
    for run in &archive.runs {
        verdicts(run, &mut levels[1], &mut findings);
    }
    (levels, stored, findings)
}

/// The row of a stored number; what it is restricted to stands behind its name.
fn verdict(recount: &Recount) -> SummaryVerdict {
    SummaryVerdict {
        metric: format!("{}{}", recount.metric, part(recount)),
        experiment: recount.experiment.clone(),
        configuration: recount.configuration.clone(),
        judge: recount.judge.as_ref().map(ToString::to_string),
        stored: recount.printed.to_string(),
        recount: recount.again.as_ref().map(|(value, _)| *value).map_err(ToString::to_string),
        agrees: recount.agrees(),
        place: recount.place.clone(),
    }
}

fn part(recount: &Recount) -> String {
    let part: Vec<String> = recount.stratum.iter().map(|(label, value)| format!("{label} {value}")).collect();
    if part.is_empty() { String::new() } else { format!(" ({})", part.join(", ")) }
}

fn differs(recount: &Recount, again: f64, over: usize) -> Finding {
    let judge = recount.judge.as_ref().map(|judge| format!(" of {judge}")).unwrap_or_default();
    let part = part(recount);
    let message = format!(
        "{}{judge}{part} is stored as {}, a recount over {over} values gives {}",
        recount.metric,
        recount.printed,
        crate::number::beside(again, &recount.printed)
    );
    let subject = format!("{} {}", recount.experiment, recount.configuration);
    Finding::new("summary-differs", recount.place.clone().with_subject(subject), message)
}

fn verdicts(run: &Run, level: &mut LevelSummary, findings: &mut Findings) {
    let mut told = 0;
    for (record, derived) in run.records.iter().flat_map(|record| record.again.iter().map(move |again| (record, again)))
    {
        match &derived.again {
            Err(lack) => level.skip(lack, 1),
            Ok(passed) => {
                level.count(*passed == derived.stored);
                if *passed != derived.stored {
                    told += 1;
                    let word = |passed: bool| if passed { "right" } else { "wrong" };
                    let (stored, by_rule) = (word(derived.stored), word(*passed));
                    let message = format!("{} stored it as {stored}; by its rule it is {by_rule}", derived.judge);
                    let subject = format!("{} run {} {}", run.key.configuration, run.key.run, record.id);
                    let place = Place::file(&run.path).with_subject(subject);
                    if told <= LISTED {
                        findings.push(Finding::new("regrade-differs", place, message));
                    }
                }
            }
        }
    }
    if told > LISTED {
        let message = format!("{} more verdicts of run {} differ", told - LISTED, run.key.run);
        let place = Place::file(&run.path).with_subject(run.key.configuration.as_str());
        findings.push(Finding::new("regrade-differs", place, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Again, Declared, Lack, Record, RunKey};
    use crate::digest::Digest;

    fn recount(stored: f64, printed: &str, again: Result<(f64, usize), &str>) -> Recount {
        Recount {
            metric: "accuracy".into(),
            judge: Some("match".into()),
            experiment: "e".into(),
            configuration: "c".into(),
            stratum: std::collections::BTreeMap::new(),
            stored,
            printed: printed.into(),
            again: again.map_err(Into::into),
            place: Place::file("log"),
        }
    }

    #[test]
    fn each_number_and_each_verdict_is_counted_once() {
        let derived = |stored, again: Result<bool, Lack>| Again { judge: "match".into(), stored, again };
        let lacking =
            [Lack::Text("no text".into()), Lack::Rule("a model".into())].map(|lack| derived(false, Err(lack)));
        let mut again = vec![derived(true, Ok(true)), derived(true, Ok(false))];
        again.extend(lacking);
        let key = RunKey { experiment: "e".into(), configuration: "c".into(), run: 1 };
        let records = vec![Record { again, ..Record::blank("p".into()) }];
        let run =
            Run { key, path: "log".into(), digest: Digest::of(b""), bytes: 0, declared: Declared::default(), records };
        let recounts = vec![
            recount(0.75, "0.75", Ok((0.75, 4))),
            recount(0.5, "0.5", Ok((0.25, 4))),
            recount(0.5, "0.5", Err("a bootstrap")),
        ];
        let archive = Archive { runs: vec![run], recounts, ..Archive::default() };
        let ([l0, l3], stored, findings) = super::again(&archive);
        assert_eq!(stored.iter().map(|row| row.agrees).collect::<Vec<_>>(), [Some(true), Some(false), None]);
        assert_eq!((l0.total, l0.checked, l0.agreed), (3, 2, 1));
        assert_eq!((l3.total, l3.checked, l3.agreed), (4, 2, 1));
        assert_eq!(l3.not_checkable.get(&Unchecked::NoRule), Some(&1));
        let told: Vec<_> = findings.iter().map(|finding| (finding.code, finding.message.as_str())).collect();
        assert_eq!(
            told,
            [
                ("regrade-differs", "match stored it as right; by its rule it is wrong"),
                ("summary-differs", "accuracy of match is stored as 0.5, a recount over 4 values gives 0.25"),
            ]
        );
    }
}
