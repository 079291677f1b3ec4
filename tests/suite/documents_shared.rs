//! How well numbers of the real study's documents are bound by their words, against the catalogue that says
//! what they are. The figures are printed: `cargo test --test suite documents_shared -- --ignored --nocapture`.

use std::collections::{BTreeMap, BTreeSet};

use repro::claims::words::{Found, Match, Unbound, bind};
use repro::claims::{self, Judgement, Judgements, Sources, Verdict};
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

/// A number as the catalogue prints it: one in words as its value.
fn print(found: &Found) -> String {
    let text = &found.number.text;
    if text.chars().all(char::is_alphabetic) { found.number.value.to_string() } else { plain(text) }
}

fn own(judgement: &Judgement) -> Verdict {
    judgement.recomputation.unwrap_or(judgement.verdict)
}

/// Documents that a claim names as a place.
fn places(claim: &Judgement) -> BTreeSet<&'static str> {
    let names = |source: &String, document: &str| {
        let file = document.rsplit('/').next().unwrap_or(document);
        if file == "paper.txt" {
            return source.starts_with("paper");
        }
        // `VARIANT_FAILURE_CASES.md` is not `FAILURE_CASES.md`.
        source.split([' ', '/', ',', ';']).any(|word| word == file)
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
        _ => {
            // A value that is itself known as a print only may be any that prints like it.
            let slack = match &found.outcome {
                Match::Bound(readings) => readings[0].slack,
                _ => 0.0,
            };
            (number.value - value).abs() <= 0.5 * 10_f64.powi(-number.decimals) + slack + 1e-9
        }
    }
}

/// A number of the catalogue: recomputed value, and its claim.
type Known<'j> = BTreeMap<(&'static str, String), Vec<(Option<f64>, &'j Judgement)>>;

/// Figures of one document, or of all.
#[derive(Default)]
struct Figures {
    numbers: usize,
    no_claim: usize,
    bound: usize,
    ambiguous: usize,
    /// Bound numbers of which the catalogue says what they are; how many by value, and by the very fact.
    known: usize,
    right: usize,
    same_fact: usize,
    /// Numbers of the catalogue that the archive can check, and those of them that were bound.
    checkable: usize,
    reached: usize,
    /// Claims of the catalogue that the archive contradicts, and those that were found.
    wrong: BTreeSet<String>,
    wrong_found: BTreeSet<String>,
    alarms: Vec<String>,
    others: Vec<String>,
    reasons: BTreeMap<Unbound, (usize, String)>,
}

impl Figures {
    /// Takes a number that was found.
    fn take(&mut self, number: &Found, known: &[(Option<f64>, &Judgement)]) {
        self.numbers += 1;
        let place = || format!("{} at {}: {}", number.file, number.place, number.number.text);
        match &number.outcome {
            Match::NoClaim(_) => self.no_claim += 1,
            Match::Ambiguous(_) => {
                self.ambiguous += 1;
                self.missed(Unbound::Ambiguous, known, place);
            }
            Match::Unbound(reason) => self.missed(*reason, known, place),
            Match::Bound(readings) => {
                self.bound += 1;
                let Some(value) = readings[0].value else { return };
                let place = format!("{} is taken as {}", place(), readings[0].expression());
                let fits: Vec<&Judgement> = known
                    .iter()
                    .filter(|(own, _)| own.is_some_and(|own| same(own, value)))
                    .map(|(_, claim)| *claim)
                    .collect();
                self.known += usize::from(known.iter().any(|(own, _)| own.is_some()));
                if !fits.is_empty() {
                    self.right += 1;
                    let first = &readings[0];
                    let is_fact = |claim: &&Judgement| {
                        claim.links.iter().any(|link| link.source == first.statistic && link.keys == first.keys)
                    };
                    self.same_fact += usize::from(fits.iter().any(is_fact));
                } else if known.iter().any(|(own, _)| own.is_some()) {
                    self.others.push(place.clone());
                }
                if !prints(number, value) {
                    let wrong: Vec<&str> =
                        fits.iter().filter(|claim| own(claim).contradicts()).map(|claim| claim.id.as_str()).collect();
                    if wrong.is_empty() {
                        self.alarms.push(place);
                    }
                    self.wrong_found.extend(wrong.into_iter().map(str::to_owned));
                }
            }
        }
    }

    /// A number that the archive can check and that was not bound, with the first example of its reason.
    fn missed(&mut self, reason: Unbound, known: &[(Option<f64>, &Judgement)], place: impl Fn() -> String) {
        if known.iter().any(|(value, _)| value.is_some()) {
            self.reasons.entry(reason).or_insert_with(|| (0, place())).0 += 1;
        }
    }

    fn add(&mut self, other: Self) {
        for (own, more) in [
            (&mut self.numbers, other.numbers),
            (&mut self.no_claim, other.no_claim),
            (&mut self.bound, other.bound),
            (&mut self.ambiguous, other.ambiguous),
            (&mut self.known, other.known),
            (&mut self.right, other.right),
            (&mut self.same_fact, other.same_fact),
            (&mut self.checkable, other.checkable),
            (&mut self.reached, other.reached),
        ] {
            *own += more;
        }
        self.wrong.extend(other.wrong);
        self.wrong_found.extend(other.wrong_found);
        self.alarms.extend(other.alarms);
        self.others.extend(other.others);
        for (reason, (count, example)) in other.reasons {
            self.reasons.entry(reason).or_insert((0, example)).0 += count;
        }
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<36} {:>5} {:>5} {:>9} {:>9} {:>9} {:>6}",
            self.numbers,
            self.bound,
            format!("{}/{}", self.reached, self.checkable),
            format!("{}/{}", self.right, self.known),
            format!("{}/{}", self.wrong_found.len(), self.wrong.len()),
            self.alarms.len()
        )
    }
}

fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Figures of every document.
fn measure(found: &[Found], judged: &Judgements) -> Vec<(&'static str, Figures)> {
    let mut known = Known::new();
    for claim in &judged.claims {
        for document in places(claim) {
            for part in &claim.parts {
                known.entry((document, plain(&part.printed))).or_default().push((part.value, claim));
            }
        }
    }
    let mut all: BTreeMap<&str, Figures> = BTreeMap::new();
    let mut bound: BTreeMap<(&str, String), Vec<f64>> = BTreeMap::new();
    for number in found {
        let Some(file) = DOCUMENTS.iter().find(|file| **file == number.file) else { continue };
        let key = (*file, print(number));
        let meant = known.get(&key).map_or(&[][..], Vec::as_slice);
        all.entry(file).or_default().take(number, meant);
        if let Match::Bound(readings) = &number.outcome {
            bound.entry(key).or_default().extend(readings[0].value);
        }
    }
    for claim in judged.claims.iter().filter(|claim| claim.verdict != Verdict::NotCheckable) {
        for document in places(claim) {
            let figures = all.entry(document).or_default();
            if own(claim).contradicts() {
                figures.wrong.insert(claim.id.clone());
            }
            for part in &claim.parts {
                let Some(value) = part.value else { continue };
                figures.checkable += 1;
                let values = bound.get(&(document, plain(&part.printed)));
                figures.reached += usize::from(values.is_some_and(|values| values.iter().any(|own| same(*own, value))));
            }
        }
    }
    DOCUMENTS.iter().filter_map(|file| Some((*file, all.remove(file)?))).collect()
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
    eprintln!(
        "{:<36} {:>5} {:>5} {:>9} {:>9} {:>9} {:>6}",
        "document", "all", "bound", "checkable", "right", "wrong", "alarms"
    );
    let mut sum = Figures::default();
    for (file, figures) in measure(&found, &judged) {
        eprintln!("{}", figures.line(file));
        sum.add(figures);
    }
    eprintln!("{}", sum.line("together"));
    eprintln!("of {} numbers {} are no claims and {} are ambiguous", sum.numbers, sum.no_claim, sum.ambiguous);
    eprintln!("bound as the catalogue says: {} of {} ({:.1} %)", sum.right, sum.known, share(sum.right, sum.known));
    eprintln!("bound to the very fact that the catalogue uses: {} of {}", sum.same_fact, sum.right);
    eprintln!(
        "checkable numbers bound: {} of {} ({:.1} %)",
        sum.reached,
        sum.checkable,
        share(sum.reached, sum.checkable)
    );
    eprintln!("wrong printed numbers found: {} of {}: {:?}", sum.wrong_found.len(), sum.wrong.len(), sum.wrong_found);
    eprintln!("wrong printed numbers not found: {:?}", sum.wrong.difference(&sum.wrong_found).collect::<Vec<_>>());
    eprintln!("right numbers called wrong: {} {:#?}", sum.alarms.len(), sum.alarms);
    let mut reasons: Vec<_> = sum.reasons.iter().collect();
    reasons.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), **reason));
    for (reason, (count, example)) in reasons.iter().take(10) {
        eprintln!("not bound {count:>5}  {} (as {example})", reason.words());
    }
    assert!(sum.right * 100 >= sum.known * 98, "bound to something else: {:#?}", sum.others);
    assert!(sum.alarms.is_empty(), "right numbers called wrong: {:#?}", sum.alarms);
    assert!(sum.reached * 100 >= sum.checkable * 60, "fewer of the checkable numbers are bound than promised");
    assert!(sum.wrong_found.len() >= 20, "fewer of the wrong numbers are found than promised");
}

/// The documents of the real study hold no caption that miscounts and no percentage that no count gives; an audit that
/// raised one would be wrong. (Its sentences print no percentage with its total.)
#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn audits_of_the_real_documents_raise_nothing() {
    let recomputed = recomputed();
    let opened = &recomputed.opened;
    let mut files = Vec::new();
    let mut folders = vec![shared("atmoscoder/docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.to_string_lossy().into_owned();
        repro::documents::read(&name, &std::fs::read(path).unwrap(), &|_| None).0
    };
    let documents: Vec<_> = files.iter().filter_map(read).collect();
    assert!(documents.len() > 5);
    let sources = repro::claims::Sources::new(&opened.study, &recomputed.facts, &recomputed.tables, &opened.published);
    let judgements = repro::claims::Judgements::default();
    let audited = repro::audits::audit(&repro::audits::Subject {
        study: &opened.study,
        corpus: &opened.corpus,
        ladder: &opened.ledger,
        judgements: &judgements,
        sources: &sources,
        documents: &documents,
    });
    for audited in audited.iter().filter(|audited| ["captions", "percentages"].contains(&audited.about.id)) {
        assert!(audited.looked.raised.is_empty(), "{}: {:#?}", audited.about.id, audited.looked.raised);
    }
}
