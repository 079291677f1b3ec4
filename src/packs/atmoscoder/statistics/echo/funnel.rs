//! From all answers to variants down to originals that were probably seen.

use super::failures::Kind;
use super::leakage_verdict::Leakage;
use crate::number;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::names::percent;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind as Column, Table, read_csv};

/// See [`ABOUT`].
pub(crate) struct EchoFunnel;

/// Stages as published, with the value of the key `stage`.
const STAGES: [(&str, &str); 5] = [
    ("variant instance-runs", "variant-instance-runs"),
    ("failed runs", "failed-runs"),
    ("parent-echo runs", "parent-echo-runs"),
    ("strict-memorisation runs", "strict-memorisation-runs"),
    ("problems confirmed leaked", "problems-confirmed-leaked"),
];

static ABOUT: About = About {
    id: "echo-funnel",
    also: &[],
    title: "Echo funnel",
    unit: "count",
    meaning: "How few of all answers to numeric variants end up as evidence that an original was seen before.",
    formula: "answers → failed → echoes (echo-taxonomy) → strict echoes (echo-strict) → confirmed originals (leakage-verdict). \
              failed-share = 100 × failed / answers.",
    source: "Rule echo-funnel of the study.",
    edge_cases: "Configurations that do not pass the completeness gate are in no stage. Where values are not archived the stages \
                 are those of the published funnel, which proves nothing by itself (basis `published`).",
    example: "83,040 answers, 10,430 failed (12.6 %), 173 echoes, 92 strict, 12 problems.",
    keys: &[KeyDoc { key: "stage", meaning: "stage, as its label with hyphens" }],
    measures: &[("n", "count of a stage"), ("failed-share", "failed answers, percent of all")],
};

impl Statistic for EchoFunnel {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        if evidence.family_set(Family::Numeric).is_none() {
            return out;
        }
        let (counts, basis) = match (evidence.failures(), printed(evidence)) {
            (Ok(found), _) => {
                let confirmed = Leakage::confirmed_by(&found);
                let (echoes, strict) = (found.of(Kind::Echo).count(), found.strict().count());
                let counts = [found.answers, found.list.len(), echoes, strict, confirmed];
                out.tables.push(table(counts, [found.variants, found.configurations.len(), found.runs]));
                (counts, Basis::Records)
            }
            (Err(_), Some(counts)) => (counts, Basis::Published),
            (Err(reason), None) => {
                for (_, stage) in STAGES {
                    let undefined = Estimate::undefined(reason.clone());
                    out.fact(ABOUT.id, "n", &[("stage", stage)], undefined, Basis::Records);
                }
                return out;
            }
        };
        for ((_, stage), count) in STAGES.into_iter().zip(counts) {
            out.fact(ABOUT.id, "n", &[("stage", stage)], Estimate::count(count), basis);
        }
        let share = if counts[0] == 0 { 0.0 } else { percent(counts[1], counts[0]) };
        let share = if counts[0] == 0 { Estimate::undefined("no answers") } else { Estimate::value(share) };
        out.fact(ABOUT.id, "failed-share", &[], share, basis);
        out
    }
}

fn table(counts: [usize; 5], [variants, configurations, runs]: [usize; 3]) -> Table {
    let columns = [("stage", Column::Text, ""), ("count", Column::Integer, ""), ("criterion", Column::Text, "")];
    let title = "From all answers to numeric variants to originals that were probably seen";
    let mut table = Table::new("F12_echo_funnel", title, &["echo-funnel"], &columns);
    let group = |value: usize| number::grouped(value as u64);
    let criteria = [
        format!("{} variants, {configurations} configurations, {runs} runs each", group(variants)),
        "gradable or not".to_owned(),
        "the original's value on every sub that tells the two apart by more than 5 %".to_owned(),
        "an echo by a configuration that solves the original".to_owned(),
        "strict echoes by two configurations or more".to_owned(),
    ];
    for (((label, _), count), criterion) in STAGES.into_iter().zip(counts).zip(criteria) {
        table.push(vec![Cell::text(label), Cell::count(count), Cell::text(criterion)]);
    }
    table
}

/// Counts of the published funnel, in stage order.
pub(super) fn printed(evidence: &Evidence<'_>) -> Option<[usize; 5]> {
    let (header, rows) = read_csv(evidence.published.get("F12_echo_funnel")?).ok()?;
    let (stage, count) = (header.iter().position(|h| h == "stage")?, header.iter().position(|h| h == "count")?);
    let mut counts = [0; 5];
    for ((label, _), slot) in STAGES.into_iter().zip(&mut counts) {
        *slot = rows.iter().find(|row| row[stage] == label)?[count].parse().ok()?;
    }
    (counts[0] > 0 && counts[1] > 0).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn the_funnel_of_a_small_study_and_of_a_published_table() {
        let mut study = study();
        let n = |facts: &Facts, stage| facts.get("echo-funnel", "n", &[("stage", stage)]).unwrap().estimate.point();
        let out = study.compute(&EchoFunnel);
        let facts = Facts::new(out.facts);
        assert_eq!(STAGES.map(|(_, stage)| n(&facts, stage)), [10.0, 10.0, 2.0, 1.0, 0.0].map(Some));
        assert_eq!(out.tables[0].rows.len(), 5);

        study.archive.runs.clear();
        let text = "stage,count,criterion\nvariant instance-runs,83040,\nfailed runs,10430,\nparent-echo runs,173,\n\
                    strict-memorisation runs,92,\nproblems confirmed leaked,12,\n";
        study.published.insert("F12_echo_funnel".into(), text.into());
        let out = study.compute(&EchoFunnel);
        assert!(out.tables.is_empty());
        let facts = Facts::new(out.facts);
        let share = facts.get("echo-funnel", "failed-share", &[]).unwrap();
        assert_eq!((number::fixed(share.estimate.point().unwrap(), 1), share.basis), ("12.6".into(), Basis::Published));
        let strict = Facts::new(study.compute(&super::super::EchoStrict).facts);
        assert_eq!(strict.get("echo-strict", "attractors", &[]).unwrap().estimate.point(), Some(81.0));
    }
}
