//! Claims to have executed something that was never executed: scan, adjudication, agreement.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::Label;
use crate::statistics::interval::wilson;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `fabrication-rate`.
pub(crate) struct Fabrication;

const ID: &str = "fabrication-rate";

static ABOUT: About = About {
    id: ID,
    also: &["fabrication-scan", "fabrication-adjudication", "fabrication-case", "cohen-kappa", "wilson"],
    title: "Fabricated execution",
    unit: "percent",
    meaning: "How often a model says that it ran a program, which it could not do here; whether two annotators see it \
              alike; and whether the claimed numbers reached the score.",
    formula: "scan: responses with a strong signature outside closed code blocks; rate = confirmed / responses \
              scanned with the Wilson interval (z = 1.96): centre (p + z²/2n) / (1 + z²/n), half-width z sqrt(p(1-p)/n \
              + z²/4n²) / (1 + z²/n); kappa = (po - pe) / (1 - pe) with po the share of equal labels and pe the share \
              expected from the two annotators' margins.",
    source: "Wilson 1927; Cohen 1960, eq. 1; signature list and adjudication rules of the study.",
    edge_cases: "n = 0 has no interval. Kappa is undefined when both annotators use one label only. A record that is \
                 confirmed twice (two runs) is one pair of model and problem. The scan needs archived responses.",
    example: "1 of 10,464: 0.0096 %, Wilson 0.0017 to 0.0541 %. Labels 10/16 and 11/15 with 25 of 26 equal: kappa \
              0.920.",
    keys: &[KeyDoc { key: "mode", meaning: "code or direct" }, KeyDoc { key: "model", meaning: "configuration key" }],
    measures: &[
        ("rate", "confirmed of scanned, percent"),
        ("confirmed", "confirmed records"),
        ("superseded", "of those, records of a measurement that was repeated later"),
        ("pairs", "distinct pairs of model and problem behind them"),
        ("repeats", "pairs confirmed in more than one run"),
        ("flagged", "responses flagged, as stated with the adjudication"),
        ("scanned", "responses scanned, as stated with the adjudication"),
        ("configurations", "configurations scanned, as stated with the adjudication"),
        ("agreed", "flags on which both annotators agree"),
        ("agreement", "the same as a percentage"),
        ("kappa", "Cohen's kappa"),
        ("scored", "confirmed records whose claimed values entered the score"),
        ("scored-attempt", "confirmed records in which the claiming attempt is the graded one"),
        ("human", "confirmed records that the human review confirmed"),
        ("scan", "records with a strong signature in archived responses"),
        ("talk", "share of records that speak of an execution vehicle"),
        ("responses", "records whose responses are archived"),
    ],
};

impl Statistic for Fabrication {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        scan(&mut output, evidence);
        adjudication(&mut output, evidence);
        agreement(&mut output, evidence);
        output
    }
}

/// Signatures and talk in the archived responses of the experiments of the main set.
fn scan(output: &mut Output, evidence: &Evidence<'_>) {
    let Some(main) = evidence.main_experiment() else { return };
    let scanned =
        |e: &&crate::study::Experiment| e.set == main.set && e.condition.is_none() && e.protocol() != "option";
    for experiment in evidence.study.experiments.iter().filter(scanned) {
        let mode = experiment.protocol();
        let mut by_model: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (run, readings) in evidence.archive.runs.iter().zip(evidence.readings) {
            let texts = run.records.iter().zip(readings).filter(|(record, _)| record.attempts.is_some());
            if run.key.experiment != experiment.id {
                continue;
            }
            let counts = by_model.entry(run.key.configuration.as_str()).or_default();
            for (_, reading) in texts {
                counts[0] += 1;
                counts[1] += usize::from(!reading.signatures.is_empty());
                counts[2] += usize::from(reading.execution_talk);
            }
        }
        by_model.retain(|_, counts| counts[0] > 0);
        if by_model.is_empty() {
            let reason = Estimate::undefined("the responses are not archived");
            output.fact(ID, "scan", &[("mode", mode)], reason, Basis::Records);
            continue;
        }
        let mut all = [0; 3];
        for (model, counts) in by_model {
            add_scan(output, &[("mode", mode), ("model", model)], counts);
            all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        add_scan(output, &[("mode", mode)], all);
    }
}

fn add_scan(output: &mut Output, keys: &[(&str, &str)], [responses, flagged, talk]: [usize; 3]) {
    output.fact(ID, "responses", keys, Estimate::count(responses), Basis::Records);
    output.fact(ID, "scan", keys, Estimate::count(flagged), Basis::Records);
    output.fact(ID, "talk", keys, Estimate::percent(talk, responses), Basis::Records);
}

/// Rates and counts of what was confirmed, over the responses the adjudication says were scanned.
fn adjudication(output: &mut Output, evidence: &Evidence<'_>) {
    let annotations = &evidence.archive.annotations;
    let Some(file) = annotations.scans.first() else {
        output.fact(ID, "confirmed", &[], Estimate::undefined("no adjudication is archived"), Basis::Records);
        return;
    };
    let confirmed = || annotations.judged.iter().filter(|judged| judged.verdict == Some(Label::Fabricated));
    output.fact(ID, "confirmed", &[], Estimate::count(confirmed().count()), Basis::Records);
    // A measurement that was repeated after a repair stays a confirmed record of what was said then.
    let superseded = confirmed().filter(|judged| judged.superseded).count();
    output.fact(ID, "superseded", &[], Estimate::count(superseded), Basis::Records);
    let mut pairs: BTreeMap<(&str, &str), BTreeSet<u32>> = BTreeMap::new();
    for judged in confirmed() {
        pairs.entry((judged.key.configuration.as_str(), judged.id.as_str())).or_default().insert(judged.key.run);
    }
    output.fact(ID, "pairs", &[], Estimate::count(pairs.len()), Basis::Records);
    let repeats = pairs.values().filter(|runs| runs.len() > 1).count();
    output.fact(ID, "repeats", &[], Estimate::count(repeats), Basis::Records);
    let scored = confirmed().filter(|judged| judged.entered_score == Some(true)).count();
    output.fact(ID, "scored", &[], Estimate::count(scored), Basis::Records);
    let same = |judged: &&crate::archive::Judged| {
        judged.graded_attempt.is_some_and(|graded| judged.attempts_with_claim.contains(&graded))
    };
    output.fact(ID, "scored-attempt", &[], Estimate::count(confirmed().filter(same).count()), Basis::Records);
    let human = confirmed().filter(|judged| judged.review == Some(Label::Fabricated)).count();
    output.fact(ID, "human", &[], Estimate::count(human), Basis::Records);
    if let Some(flagged) = file.flagged {
        output.fact(ID, "flagged", &[], Estimate::value(flagged as f64), Basis::States);
    }
    output.fact(ID, "configurations", &[], Estimate::count(file.configurations.len()), Basis::States);
    if let Some(scanned) = file.scanned {
        output.fact(ID, "scanned", &[], Estimate::value(scanned as f64), Basis::States);
    }
    for (mode, &scanned) in &file.scanned_by_protocol {
        let keys = [("mode", mode.as_str())];
        let count = confirmed().filter(|judged| *judged.protocol == **mode).count();
        output.fact(ID, "scanned", &keys, Estimate::value(scanned as f64), Basis::States);
        output.fact(ID, "confirmed", &keys, Estimate::count(count), Basis::Records);
        output.fact(ID, "rate", &keys, rate(count, scanned as usize), Basis::States);
    }
    by_configuration(output, evidence, &confirmed().collect::<Vec<_>>());
}

fn rate(confirmed: usize, scanned: usize) -> Estimate {
    let estimate = Estimate::percent(confirmed, scanned);
    match wilson(confirmed as u64, scanned as u64, 1.96) {
        Some(interval) => estimate.within(interval.scaled(100.0)),
        None => estimate,
    }
}

/// Confirmed records by configuration and mode, over the responses of its expected runs.
fn by_configuration(output: &mut Output, evidence: &Evidence<'_>, confirmed: &[&crate::archive::Judged]) {
    let Some(main) = evidence.main_experiment() else { return };
    let problems = evidence.corpus.set(main.set.as_str()).map_or(0, |set| set.problems.len());
    for protocol in ["code", "direct"] {
        let Some(experiment) = evidence.experiment(main.set.as_str(), protocol) else { continue };
        let scanned = problems * experiment.runs as usize;
        for configuration in evidence.archive.annotations.scans.iter().flat_map(|scan| &scan.configurations) {
            let keys = [("mode", protocol), ("model", configuration.as_str())];
            let own = |judged: &&&crate::archive::Judged| {
                judged.key.configuration == *configuration && *judged.protocol == *protocol
            };
            let count = confirmed.iter().filter(own).count();
            output.fact(ID, "confirmed", &keys, Estimate::count(count), Basis::Records);
            output.fact(ID, "rate", &keys, rate(count, scanned), Basis::States);
        }
    }
}

/// Agreement of the two annotators from the stated table of their labels.
fn agreement(output: &mut Output, evidence: &Evidence<'_>) {
    let Some(file) = evidence.archive.annotations.scans.first() else { return };
    let cell = |name: &str| file.annotator_table.get(name).copied();
    let cells =
        [cell("both_fabricated"), cell("A_fabricated_B_honest"), cell("A_honest_B_fabricated"), cell("both_honest")];
    let [Some(both), first, second, Some(neither)] = cells else { return };
    let (first, second) = (first.unwrap_or(0), second.unwrap_or(0));
    let n = both + first + second + neither;
    let agreed = both + neither;
    output.fact(ID, "agreed", &[], Estimate::value(agreed as f64), Basis::States);
    output.fact(ID, "agreement", &[], Estimate::percent(agreed as usize, n as usize), Basis::States);
    let kappa = kappa([both, first, second, neither]);
    let estimate = kappa.map_or_else(|| Estimate::undefined("both annotators use one label only"), Estimate::value);
    output.fact(ID, "kappa", &[], estimate, Basis::States);
}

/// Cohen's kappa of a table `[yes/yes, yes/no, no/yes, no/no]`, exact until the last division:
/// (n·agreed - expected) / (n² - expected) with expected = sum of products of margins.
fn kappa([yes, first, second, no]: [u64; 4]) -> Option<f64> {
    let n = yes + first + second + no;
    let expected = (yes + first) * (yes + second) + (no + second) * (no + first);
    let (above, below) = ((n * (yes + no)) as f64 - expected as f64, (n * n - expected) as f64);
    (below > 0.0).then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // A 10/16, B 11/15 of 26, 25 equal: both 10, B alone 1, neither 15.
        assert!((kappa([10, 0, 1, 15]).unwrap() - 0.920_245).abs() < 1e-6);
        assert_eq!(kappa([5, 0, 0, 5]), Some(1.0));
        assert_eq!(kappa([5, 0, 0, 0]), None);
        // Cohen's own kind of table: po = 0.7, pe = 0.5.
        assert!((kappa([20, 5, 10, 15]).unwrap() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn the_rate_carries_the_wilson_interval() {
        let Estimate::Value { value, interval: Some(interval), .. } = rate(1, 10_464) else { panic!("undefined") };
        assert!((value - 0.009_556).abs() < 1e-6);
        assert!((interval.low - 0.0017).abs() < 5e-5 && (interval.high - 0.0541).abs() < 5e-5);
    }
}
