//! How well numbers of the real study's documents are bound by their words, against the catalogue that says
//! what they are. The figures are printed: `cargo test --test suite documents_shared -- --ignored --nocapture`.

use std::collections::{BTreeMap, BTreeSet};

use repro::claims::words::{Found, Match, Unbound, bind};
use repro::claims::{self, Judgement, Sources, Verdict};
use repro::documents::{self, Document};

use crate::opened::recomputed;
use crate::shared::shared;

/// Documents of the study, by the name that claims give as their source.
const DOCUMENTS: &[&str] = &[
    "METHODS.md",
    "paper.txt",
    "dataset/CONVERGENT_FAILURE_AUDIT.md",
    "dataset/DATASET_CONSTRUCTION.md",
    "dataset/EVALUATION_PROMPTS.md",
    "dataset/QUALITY_ASSURANCE.md",
    "dataset/RELIABILITY_ARGUMENT.md",
    "external_mcq/MCQ_AUDIT_SUMMARY.md",
    "results/CODE_VS_DIRECT_CASES.md",
    "results/CORE_RESULTS.md",
    "results/CROSS_DOMAIN_RESULTS.md",
    "results/FABRICATION_RESULTS.md",
    "results/FAILURE_CASES.md",
    "results/MCQ_DATASET_AUDIT.md",
    "results/PROMPT_SENSITIVITY.md",
    "results/SCAFFOLDING_ABLATION.md",
    "results/VARIANT_FAILURE_CASES.md",
];

/// A printed number without sign of thousands, plus and percent.
fn plain(text: &str) -> String {
    text.replace(['\u{2212}', '\u{2013}'], "-")
        .replace(',', "")
        .trim_start_matches('+')
        .trim_end_matches('%')
        .to_owned()
}

fn own(judgement: &Judgement) -> Verdict {
    judgement.recomputation.unwrap_or(judgement.verdict)
}

/// Documents that a claim names as a place.
fn places(claim: &Judgement) -> BTreeSet<&'static str> {
    let names = |source: &String, document: &str| {
        let file = document.rsplit('/').next().unwrap_or(document);
        if file == "paper.txt" { source.starts_with("paper") } else { source.contains(file) }
    };
    let sources = || std::iter::once(&claim.source).chain(&claim.also);
    DOCUMENTS.iter().copied().filter(|document| sources().any(|source| names(source, document))).collect()
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * a.abs().max(1.0)
}

/// True when the value prints as the number does.
fn prints(found: &Found, value: f64) -> bool {
    let number = &found.number;
    match number.bound {
        documents::numbers::Bound::AtLeast => value >= number.value - 1e-9,
        documents::numbers::Bound::AtMost => value <= number.value + 1e-9,
        _ => (number.value - value).abs() <= 0.5 * 10_f64.powi(-number.decimals) + 1e-9,
    }
}

#[test]
#[ignore = "measures and prints; needs ../shared"]
fn numbers_of_documents_are_bound_to_what_the_catalogue_says_they_are() {
    let recomputed = recomputed();
    let opened = &recomputed.opened;
    let sources = Sources::new(&opened.study, &recomputed.facts, &recomputed.tables, &opened.published)
        .with_registered(&repro::packs::statistics(), repro::packs::bindings())
        .with_words(repro::packs::words())
        .with_archived(&opened.corpus, &opened.archive);
    let bytes = std::fs::read(shared("claims/atmoscoder-claims.json")).unwrap();
    let judged = claims::judge(&[claims::read("atmoscoder-claims.json", &bytes).0], &sources);
    let read: Vec<Document> = DOCUMENTS
        .iter()
        .filter_map(|name| {
            let bytes = std::fs::read(shared(&format!("atmoscoder/docs/{name}"))).unwrap();
            documents::read(name, &bytes, &|_| None).0
        })
        .collect();
    let found = bind(&read, &sources).unwrap();

    // Numbers of the catalogue by document and print: recomputed value, id, whether it is wrong.
    let mut known: BTreeMap<(&str, String), Vec<(Option<f64>, &Judgement)>> = BTreeMap::new();
    for claim in &judged.claims {
        for document in places(claim) {
            for part in &claim.parts {
                known.entry((document, plain(&part.printed))).or_default().push((part.value, claim));
            }
        }
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<Unbound, usize> = BTreeMap::new();
    let mut bound: BTreeMap<(&str, String), Vec<f64>> = BTreeMap::new();
    let (mut right, mut other) = (0, Vec::new());
    let (mut wrong_found, mut alarms) = (BTreeSet::new(), Vec::new());
    for number in &found {
        let key = (number.file.as_str(), plain(&number.number.text));
        let meant = known.get(&key).map_or(&[][..], Vec::as_slice);
        match &number.outcome {
            Match::NoClaim(_) => *counts.entry("no claim").or_default() += 1,
            Match::Ambiguous(_) => *counts.entry("ambiguous").or_default() += 1,
            Match::Unbound(reason) => {
                *counts.entry("not bound").or_default() += 1;
                if meant.iter().any(|(value, _)| value.is_some()) {
                    *reasons.entry(*reason).or_default() += 1;
                }
            }
            Match::Bound(readings) => {
                *counts.entry("bound").or_default() += 1;
                let Some(value) = readings[0].value else { continue };
                bound.entry(key).or_default().push(value);
                let place = format!("{} {}: {}", number.file, number.number.text, readings[0].expression());
                let fits: Vec<&&Judgement> = meant
                    .iter()
                    .filter(|(own, _)| own.is_some_and(|own| same(own, value)))
                    .map(|(_, claim)| claim)
                    .collect();
                if !fits.is_empty() {
                    right += 1;
                } else if meant.iter().any(|(own, _)| own.is_some()) {
                    other.push(place.clone());
                }
                if !prints(number, value) {
                    let wrong: Vec<&str> =
                        fits.iter().filter(|claim| own(claim).contradicts()).map(|claim| claim.id.as_str()).collect();
                    if wrong.is_empty() {
                        alarms.push(place);
                    }
                    wrong_found.extend(wrong.into_iter().map(str::to_owned));
                }
            }
        }
    }
    let (mut checkable, mut reached) = (0, 0);
    let mut wrong = BTreeSet::new();
    for claim in judged.claims.iter().filter(|claim| claim.verdict != Verdict::NotCheckable) {
        for document in places(claim) {
            if own(claim).contradicts() {
                wrong.insert(claim.id.as_str());
            }
            for part in &claim.parts {
                let Some(value) = part.value else { continue };
                checkable += 1;
                let values = bound.get(&(document, plain(&part.printed)));
                reached += usize::from(values.is_some_and(|values| values.iter().any(|own| same(*own, value))));
            }
        }
    }
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    eprintln!("numbers {}: {counts:?}", found.len());
    eprintln!(
        "bound as the catalogue says: {right} of {} ({:.1} %)",
        right + other.len(),
        share(right, right + other.len())
    );
    eprintln!("checkable numbers bound: {reached} of {checkable} ({:.1} %)", share(reached, checkable));
    eprintln!("wrong printed numbers found: {} of {}: {wrong_found:?}", wrong_found.len(), wrong.len());
    eprintln!("right numbers called wrong: {} {alarms:?}", alarms.len());
    let mut reasons: Vec<(usize, Unbound)> = reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    reasons.sort_unstable_by(|a, b| b.cmp(a));
    for (count, reason) in reasons.iter().take(10) {
        eprintln!("not bound {count:>5}  {}", reason.words());
    }
    assert!(right * 100 >= (right + other.len()) * 98, "bound to something else: {other:#?}");
    assert!(alarms.is_empty(), "right numbers called wrong: {alarms:#?}");
}
