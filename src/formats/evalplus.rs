//! EvalPlus results: verdicts of the base tests and of the extended ones, in two schemas.
//!
//! New: `{date, hash, eval: {task: [{solution, base_status, plus_status, ...}]}}`. Old: `{date, hash, eval: {task:
//! {nfiles, base: [[status, details]], plus: [...]}}}`, with the programs in a samples file beside it. A sample passes the
//! extended tests only when it passes the base tests too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::declared::{Declared, compare_judges, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::human_eval::attempt;
use super::listing::{Listing, unpacked};
use super::objects::{each, first, id};
use super::open::document;
use super::sink::{Request, Sink};
use super::{About, Format, names, problems};
use crate::archive::{AttemptText, Denominator, Record, RunKey, Scale, Status, StoredSummary, Verdict};
use crate::corpus::Assembly;
use crate::digest::Digest;
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Fault, Kind, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart, Judge};

const ID: &str = "evalplus";

/// Results of EvalPlus, both schemas.
pub(super) struct EvalPlus;

impl Format for EvalPlus {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "EvalPlus results",
            reads: "*_eval_results.json in both schemas, with the samples file beside it; base and extended verdicts of \
                    every sample, and stored pass_at_k.",
            cannot_check: "The extended tests are not stored, only a hash of them, so their verdicts are counted and not \
                           executed again; base verdicts are, where a problem file is beside.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts: Vec<Part> = Vec::new();
        for path in listing.ending(&[".json"]) {
            if is_results(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "results", arm: Some(stem(path)) });
            }
        }
        if parts.is_empty() {
            return None;
        }
        let results: Vec<String> = parts.iter().filter_map(|part| part.arm.clone()).collect();
        for path in listing.ending(&[".jsonl"]) {
            let stem = stem(path);
            if problems::is_problems(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "problems", arm: None });
            } else if results.contains(&stem) && is_samples(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "samples", arm: Some(stem) });
            }
        }
        let reason = format!("{} files with eval and base verdicts", results.len());
        Some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            let members = listing.members(path);
            let missing = if members.iter().any(|name| name == "eval") {
                "base_status or base inside eval"
            } else if members.iter().any(|name| name == "hash") && members.iter().any(|name| name == "date") {
                "the member eval"
            } else {
                return None;
            };
            Some(Near { format: ID, share: 60, path: path.to_owned(), missing: missing.to_owned() })
        };
        listing.ending(&[".json"]).find_map(near)
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let results: Vec<&Part> = guess.parts.iter().filter(|part| part.role == "results").collect();
        let mut assumed = vec![
            "one configuration per results file, named after it".to_owned(),
            "the base tests are the headline; plus means base and plus".to_owned(),
        ];
        let mut by_set: BTreeMap<String, Vec<&Part>> = BTreeMap::new();
        for part in results {
            let family = first_id(listing, &part.path).and_then(|id| problems::family(&id).map(str::to_owned));
            by_set.entry(family.unwrap_or_else(|| "problems".to_owned())).or_default().push(part);
        }
        let title = by_set.keys().cloned().collect::<Vec<_>>().join(", ");
        let about = format!("EvalPlus results of {title}: base and extended tests.");
        let mut study = study(identity(&title, &format!("{title} results (EvalPlus)"), &about));
        for (name, parts) in &by_set {
            let beside = guess.parts.iter().filter(|part| part.role == "problems").find(|part| {
                let ids = problems::ids(listing.source(), &part.path);
                ids.first().and_then(|id| problems::family(id)) == Some(name)
            });
            if beside.is_none() {
                assumed.push(format!("the problems of {name} are those that results name: no problem file is here"));
            }
            study.sets.push(set(name, name, beside.map_or("", |part| &part.path), ID));
            let mut experiment = experiment(&super::slug(name), name, ID);
            let stems: Vec<&str> = parts.iter().filter_map(|part| part.arm.as_deref()).collect();
            for (part, arm) in parts.iter().zip(names::arms(&stems)) {
                experiment.runs = experiment.runs.max(samples(listing, &part.path));
                let arm = &arm;
                if study.configurations.iter().all(|known| known.key.as_str() != arm) {
                    study.configurations.push(configuration(arm));
                }
                experiment.configurations.push(ConfigKey::from(arm.as_str()));
                let configuration = Some(ConfigKey::from(arm.as_str()));
                let file = |path: &str, role: Option<&str>| FilePart {
                    path: path.to_owned(),
                    configuration: configuration.clone(),
                    run: None,
                    role: role.map(str::to_owned),
                };
                experiment.files.push(file(&part.path, None));
                let samples = guess.parts.iter().find(|other| other.role == "samples" && other.arm == part.arm);
                experiment.files.extend(samples.map(|samples| file(&samples.path, Some("samples"))));
            }
            study.experiments.push(experiment);
        }
        let judge = |id: &str, title: &str, headline, rule: &str| Judge {
            id: id.to_owned(),
            title: title.to_owned(),
            headline,
            rule: Some(rule.to_owned()),
        };
        study.judges = vec![
            judge("base", "Base tests", true, "base_status is pass"),
            judge("plus", "Base and extended tests", false, "base_status and plus_status are pass"),
        ];
        let most = study.experiments.iter().map(|experiment| experiment.runs).max().unwrap_or(1);
        let ks = [1, 10, 100].into_iter().filter(|k| *k <= most);
        study.estimators = ks
            .map(|k| Estimator {
                id: format!("pass-at-{k}"),
                kind: EstimatorKind::PassAtK,
                k: Some(k),
                headline: k == 1,
            })
            .collect();
        compare_judges(&mut study);
        Declared { study, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for set in request.sets.iter().filter(|set| !set.path.is_empty()) {
            problems::read(request.source, &set.path, &set.id, sink);
        }
        for experiment in &request.experiments {
            for file in experiment.files.iter().filter(|file| file.role.is_none()) {
                let Some(configuration) = &file.configuration else {
                    let message = "its configuration is not declared, and the file does not name one";
                    sink.finding(Finding::new("bad-run", Place::file(&file.path), message));
                    continue;
                };
                if request.wants(&experiment.id, configuration) {
                    let samples = experiment.files.iter().find(|other| {
                        other.role.as_deref() == Some("samples") && other.configuration.as_ref() == Some(configuration)
                    });
                    Arm { request, experiment, configuration, path: &file.path, texts: BTreeMap::new() }
                        .read(samples, sink);
                }
            }
        }
    }
}

/// Whether a JSON file is a results file: `eval` whose first entry has verdicts of base tests.
fn is_results(listing: &Listing<'_>, path: &str) -> bool {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    let mut look = || -> Result<bool, Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key != "eval" || reader.kind()? != Kind::Object {
                reader.skip()?;
                continue;
            }
            reader.begin_object()?;
            if reader.next_key()?.is_none() {
                return Ok(false);
            }
            if reader.kind()? == Kind::List {
                reader.begin_list()?;
                if !reader.next_item()? {
                    return Ok(false);
                }
            }
            reader.begin_object()?;
            while let Some(key) = reader.next_key()? {
                if matches!(&*key, "base_status" | "base") {
                    return Ok(true);
                }
                reader.skip()?;
            }
            return Ok(false);
        }
        Ok(false)
    };
    look().unwrap_or(false)
}

/// The first problem of a results file.
fn first_id(listing: &Listing<'_>, path: &str) -> Option<String> {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    reader.begin_object().ok()?;
    while let Some(key) = reader.next_key().ok()? {
        if key == "eval" {
            reader.begin_object().ok()?;
            return reader.next_key().ok()?.map(std::borrow::Cow::into_owned);
        }
        reader.skip().ok()?;
    }
    None
}

/// The largest number of samples of a problem.
fn samples(listing: &Listing<'_>, path: &str) -> u32 {
    let Ok(document) = document(listing.source(), path) else { return 1 };
    let mut reader = Reader::new(&document.bytes);
    let mut most = 1;
    let mut count = || -> Result<(), Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key != "eval" || reader.kind()? != Kind::Object {
                reader.skip()?;
                continue;
            }
            reader.begin_object()?;
            while reader.next_key()?.is_some() {
                let mut here = 0;
                if reader.kind()? == Kind::List {
                    reader.begin_list()?;
                    while reader.next_item()? {
                        reader.skip()?;
                        here += 1;
                    }
                } else {
                    let entry = reader.value()?;
                    here = entry.get("base").and_then(Value::as_list).map_or(0, |list| list.len() as u32);
                }
                most = most.max(here);
            }
        }
        Ok(())
    };
    // What stands before a break is counted.
    let _ = count();
    most
}

fn is_samples(listing: &Listing<'_>, path: &str) -> bool {
    let objects = listing.objects(path, 3);
    let sample = |object: &Value| {
        object.get("task_id").is_some() && (object.get("solution").is_some() || object.get("completion").is_some())
    };
    !objects.is_empty() && objects.iter().all(sample)
}

/// Name of a file without what says that it is a results file.
fn stem(path: &str) -> String {
    let mut name = unpacked(path);
    for ending in [".json", ".jsonl", "_eval_results", ".eval_results", "-eval_results"] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    name.to_owned()
}

/// Words for a verdict, of all versions.
fn status(word: &str) -> Option<Status> {
    Some(match word {
        "pass" | "passed" | "success" => Status::Pass,
        "fail" | "failed" => Status::Fail,
        "timeout" | "timed out" => Status::Timeout,
        _ => return None,
    })
}

/// One results file while it is read.
struct Arm<'a> {
    request: &'a Request<'a>,
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
    path: &'a str,
    /// Digests of the programs beside their verdicts, by problem and sample, for comparison with a samples file.
    texts: BTreeMap<(String, u32), Digest>,
}

/// Verdicts of the old schema, by problem in sample order.
type Verdicts = BTreeMap<String, Vec<[Option<Status>; 2]>>;

impl Arm<'_> {
    fn read(mut self, samples: Option<&FilePart>, sink: &mut dyn Sink) {
        let document = match document(self.request.source, self.path) {
            Ok(document) => document,
            Err(finding) => return sink.finding(finding),
        };
        sink.file(self.path, document.digest, document.size);
        let mut reader = Reader::new(&document.bytes);
        let mut old = Verdicts::new();
        let result = self.document(&mut reader, &mut old, sink);
        for repair in reader.take_repairs().iter().take(1) {
            sink.finding(Finding::repaired(Place::file(self.path), repair));
        }
        if let Err(fault) = result {
            sink.finding(Finding::torn(Place::file(self.path), &fault, "the samples before it were used"));
        }
        match samples {
            Some(samples) if !old.is_empty() => self.joined(samples, &old, sink),
            Some(samples) => self.compared(samples, sink),
            None => {
                for (id, verdicts) in old {
                    let place = Place::file(self.path).with_subject(id.as_str());
                    verdicts.iter().for_each(|&marks| self.emit(&id, marks, None, place.clone(), sink));
                }
            }
        }
    }

    fn document(&mut self, reader: &mut Reader<'_>, old: &mut Verdicts, sink: &mut dyn Sink) -> Result<(), Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            match (&*key, reader.kind()?) {
                ("eval", Kind::Object) => {
                    reader.begin_object()?;
                    while let Some(id) = reader.next_key()? {
                        match reader.kind()? {
                            Kind::List => self.task(&id, reader, sink)?,
                            Kind::Object => self.old_task(&id, reader, old, sink)?,
                            _ => {
                                let place = Place::file(self.path).with_subject(&*id).with_byte(reader.position());
                                reader.skip()?;
                                sink.finding(Finding::new("bad-record", place, "its verdicts are no list"));
                            }
                        }
                    }
                }
                ("pass_at_k", Kind::Object) => {
                    let stored = reader.value()?;
                    self.summaries(&stored, sink);
                }
                _ => {
                    reader.skip()?;
                }
            }
        }
        reader.end()
    }

    /// Samples of a problem in the new schema.
    fn task(&mut self, id: &str, reader: &mut Reader<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        reader.begin_list()?;
        while reader.next_item()? {
            let place = Place::file(self.path).with_subject(id).with_byte(reader.position());
            if reader.kind()? != Kind::Object {
                reader.skip()?;
                sink.finding(Finding::new("bad-record", place, "a sample is no object"));
                continue;
            }
            let mut marks = [None, None];
            let mut text = None;
            let mut named = None;
            reader.begin_object()?;
            while let Some(key) = reader.next_key()? {
                match (&*key, reader.kind()?) {
                    ("base_status", Kind::Text) => marks[0] = self.word(&reader.text()?, &place, sink),
                    ("plus_status", Kind::Text) => marks[1] = self.word(&reader.text()?, &place, sink),
                    ("solution", Kind::Text) => text = Some((reader.text()?, Assembly::WholeFile)),
                    ("completion", Kind::Text) => text = Some((reader.text()?, Assembly::Body)),
                    ("task_id", Kind::Text) => named = Some(reader.text()?),
                    _ => {
                        reader.skip()?;
                    }
                }
            }
            if let Some(named) = named.filter(|named| named != id) {
                let message = format!("the sample says of itself that it is of {named}; the key is used");
                sink.finding(Finding::new("identity-differs", place.clone(), message));
            }
            self.emit(id, marks, text.as_ref().map(|(text, assembly)| (&**text, *assembly)), place, sink);
        }
        Ok(())
    }

    /// Verdicts of a problem in the old schema.
    fn old_task(
        &self,
        id: &str,
        reader: &mut Reader<'_>,
        old: &mut Verdicts,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let place = Place::file(self.path).with_subject(id).with_byte(reader.position());
        let stored = reader.value()?;
        let list = |name: &str| stored.get(name).and_then(Value::as_list).unwrap_or_default();
        let mut word = |value: Option<&Value>| {
            let text = value.and_then(|value| value.as_text().or_else(|| value.as_list()?.first()?.as_text()))?;
            self.word(text, &place, sink)
        };
        let (base, plus) = (list("base"), list("plus"));
        let marks: Vec<_> =
            (0..base.len().max(plus.len())).map(|at| [word(base.get(at)), word(plus.get(at))]).collect();
        let stated = stored.get("nfiles").and_then(Value::as_number).and_then(crate::json::Number::as_u64);
        if stated.is_some_and(|stated| stated != marks.len() as u64) {
            let message = format!("nfiles is {}, and {} verdicts are there", stated.unwrap_or_default(), marks.len());
            sink.finding(Finding::new("metrics-differ", place, message));
        }
        old.insert(id.to_owned(), marks);
        Ok(())
    }

    fn word(&self, word: &str, place: &Place, sink: &mut dyn Sink) -> Option<Status> {
        let status = status(word);
        if status.is_none() {
            let message = format!("{word:?} is no verdict that EvalPlus writes");
            sink.finding(Finding::new("bad-member", place.clone(), message));
        }
        status
    }

    /// Programs of a samples file with the verdicts of the old schema, in order.
    fn joined(&mut self, samples: &FilePart, old: &Verdicts, sink: &mut dyn Sink) {
        let mut next: BTreeMap<String, usize> = BTreeMap::new();
        let mut unjudged: BTreeSet<String> = BTreeSet::new();
        each(self.request.source, &samples.path, sink, &mut |object, place, sink| {
            let Some((id, text, assembly)) = sample(&object) else {
                return sink.finding(Finding::new("bad-record", place, "it has no task_id, solution or completion"));
            };
            let at = next.entry(id.clone()).or_default();
            let marks = old.get(&id).and_then(|marks| marks.get(*at)).copied();
            *at += 1;
            if marks.is_none() {
                unjudged.insert(id.clone());
            }
            self.emit(&id, marks.unwrap_or_default(), Some((text, assembly)), place, sink);
        });
        let without: Vec<&str> = old
            .iter()
            .filter(|(id, marks)| next.get(*id).copied().unwrap_or(0) < marks.len())
            .map(|(id, _)| id.as_str())
            .collect();
        for id in &without {
            let place = Place::file(self.path).with_subject(*id);
            for &marks in old[*id].iter().skip(next.get(*id).copied().unwrap_or(0)) {
                self.emit(id, marks, None, place.clone(), sink);
            }
        }
        if !without.is_empty() {
            let message = format!("verdicts of {} problems have no program here", without.len());
            sink.finding(Finding::new("not-archived", Place::file(&samples.path), message));
        }
        if !unjudged.is_empty() {
            let message = format!("programs of {} problems have no verdict in {}", unjudged.len(), self.path);
            sink.finding(Finding::new("not-recorded", Place::file(&samples.path), message));
        }
    }

    /// A samples file against the programs beside their verdicts.
    fn compared(&self, samples: &FilePart, sink: &mut dyn Sink) {
        let mut next: BTreeMap<String, u32> = BTreeMap::new();
        let (mut differing, mut absent) = (Vec::new(), 0usize);
        each(self.request.source, &samples.path, sink, &mut |object, _, _| {
            let Some((id, text, assembly)) = sample(&object) else { return };
            let at = next.entry(id.clone()).or_default();
            match self.texts.get(&(id.clone(), *at)) {
                None => absent += 1,
                // A body was put behind its prompt before it was judged, so only whole programs can be compared.
                Some(known) if assembly == Assembly::WholeFile && *known != Digest::of(text.as_bytes()) => {
                    differing.push(id.clone());
                }
                Some(_) => {}
            }
            *at += 1;
        });
        if !differing.is_empty() {
            let message = format!("{} programs differ from those in {}: {}", differing.len(), self.path, differing[0]);
            sink.finding(Finding::new("answer-differs", Place::file(&samples.path), message));
        }
        if absent > 0 {
            let message = format!("{absent} programs have no verdict in {}", self.path);
            sink.finding(Finding::new("not-recorded", Place::file(&samples.path), message));
        }
    }

    fn emit(
        &mut self,
        id: &str,
        [base, plus]: [Option<Status>; 2],
        text: Option<(&str, Assembly)>,
        place: Place,
        sink: &mut dyn Sink,
    ) {
        let sample = sink.sample(&self.experiment.id, self.configuration, id);
        let mut record = Record { sample, ..Record::blank(ProblemId::from(id)) };
        let verdict =
            |judge: &str, status, inferred| Verdict { judge: judge.into(), environment: None, status, inferred };
        let base = base.unwrap_or(Status::NotGraded);
        record.passed = base.passed();
        record.verdicts.push(verdict("base", base, false));
        // A sample that fails the base tests fails both, whatever the extended ones say.
        let (both, inferred) = match (base, plus) {
            (Status::Pass, plus) => (plus.unwrap_or(Status::NotGraded), false),
            (Status::NotGraded, _) => (Status::NotGraded, false),
            (base, plus) => (base, plus.is_none_or(|plus| plus == Status::Pass)),
        };
        record.verdicts.push(verdict("plus", both, inferred));
        record.assembly = text.map(|(_, assembly)| assembly);
        record.attempts = text.map(|(text, _)| vec![attempt(text, record.passed)]);
        if let Some((text, _)) = text {
            self.texts.insert((id.to_owned(), sample), Digest::of(text.as_bytes()));
        }
        let texts: Vec<AttemptText<'_>> =
            text.map(|(text, _)| AttemptText { response: text.into(), ..AttemptText::default() }).into_iter().collect();
        let (experiment, configuration) = (self.experiment.id.clone(), self.configuration.clone());
        sink.record(RunKey { experiment, configuration, run: sample + 1 }, record, &texts, place);
    }

    /// `pass_at_k: {base: {"pass@1": x}, plus: {...}}`, which later versions write.
    fn summaries(&self, stored: &Value, sink: &mut dyn Sink) {
        for judge in ["base", "plus"] {
            let members = stored.get(judge).and_then(Value::as_object);
            for (name, value) in members.into_iter().flat_map(crate::json::Object::iter) {
                let (Some(k), Some(number)) = (super::passk::k_of(name), value.as_number()) else { continue };
                sink.summary(StoredSummary {
                    metric: format!("{judge} {name}").into(),
                    estimator: EstimatorKind::PassAtK,
                    k: Some(k),
                    judge: Some(judge.into()),
                    experiment: self.experiment.id.clone(),
                    configuration: self.configuration.clone(),
                    run: None,
                    stratum: BTreeMap::new(),
                    denominator: Denominator::Recorded,
                    scale: Scale::Fraction,
                    value: number.as_f64(),
                    printed: Arc::from(number.literal()),
                    place: Place::file(self.path).with_subject(name),
                });
            }
        }
    }
}

/// Problem, program and how it is put together, of a line of a samples file.
fn sample(object: &crate::json::Object) -> Option<(String, &str, Assembly)> {
    let id = first(object, problems::IDS).and_then(id)?;
    let whole = object.get("solution").and_then(Value::as_text).map(|text| (text, Assembly::WholeFile));
    let (text, assembly) =
        whole.or_else(|| object.get("completion").and_then(Value::as_text).map(|text| (text, Assembly::Body)))?;
    Some((id, text, assembly))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Selection};
    use crate::formats::{assumed, read};
    use crate::report::Findings;
    use crate::world::Silent;
    use crate::world::memory::Memory;

    fn load(source: &Memory) -> (crate::study::Study, Archive, Findings) {
        let study = assumed(&Listing::new(source).unwrap()).unwrap().study;
        let read = read(source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
        (study, read.1, read.3)
    }

    fn sample(base: &str, plus: &str) -> String {
        format!(
            "{{\"task_id\": \"Toy/0\", \"solution\": \"def f(): pass\", \"base_status\": \"{base}\", \
             \"plus_status\": \"{plus}\", \"base_fail_tests\": [], \"plus_fail_tests\": [[1]]}}"
        )
    }

    fn statuses(archive: &Archive) -> Vec<(Status, Status)> {
        let records = archive.runs.iter().flat_map(|run| &run.records);
        records.map(|record| (record.status("base").unwrap(), record.status("plus").unwrap())).collect()
    }

    #[test]
    fn plus_means_base_and_plus() {
        let samples = [sample("pass", "pass"), sample("pass", "fail"), sample("fail", "pass")].join(", ");
        let text = format!(
            "{{\"date\": \"d\", \"hash\": \"h\", \"eval\": {{\"Toy/0\": [{samples}]}}, \
             \"pass_at_k\": {{\"base\": {{\"pass@1\": 0.6667}}, \"plus\": {{\"pass@1\": 0.3333}}}}}}"
        );
        let (study, archive, findings) = load(&Memory::default().with("a_eval_results.json", text));
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(study.configurations[0].key.as_str(), "a");
        assert_eq!(
            statuses(&archive),
            [(Status::Pass, Status::Pass), (Status::Pass, Status::Fail), (Status::Fail, Status::Fail)]
        );
        let inferred: Vec<bool> = archive.runs.iter().map(|run| run.records[0].verdicts[1].inferred).collect();
        assert_eq!(inferred, [false, false, true]);
        assert_eq!(archive.runs[0].records[0].assembly, Some(Assembly::WholeFile));
        assert_eq!(archive.summaries.len(), 2);
    }

    #[test]
    fn the_old_schema_takes_its_programs_from_the_samples_file() {
        let eval = "{\"date\": \"d\", \"eval\": {\"Toy/0\": {\"nfiles\": 2, \"base\": [[\"success\", []], [\"failed\", []]], \
                    \"plus\": [[\"timed out\", []], [\"success\", []]]}}}";
        let lines = "{\"task_id\": \"Toy/0\", \"completion\": \"    pass\"}\n".repeat(3);
        let source = Memory::default().with("s_eval_results.json", eval).with("s.jsonl", lines);
        let (_, archive, findings) = load(&source);
        let told: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(told, ["not-recorded"]);
        assert_eq!(
            statuses(&archive),
            [(Status::Pass, Status::Timeout), (Status::Fail, Status::Fail), (Status::NotGraded, Status::NotGraded)]
        );
        assert_eq!(archive.runs[0].records[0].assembly, Some(Assembly::Body));
    }

    #[test]
    fn damage_is_told() {
        let cases = [
            (format!("{{\"eval\": {{\"Toy/0\": [{}, {{\"task_id\": ", sample("pass", "pass")), "torn-file"),
            (format!("{{\"eval\": {{\"Toy/1\": [{}]}}}}", sample("pass", "pass")), "identity-differs"),
            (format!("{{\"eval\": {{\"Toy/0\": [{}, 3]}}}}", sample("pass", "pass")), "bad-record"),
            (format!("{{\"eval\": {{\"Toy/0\": [{}]}}}}", sample("odd", "pass")), "bad-member"),
            (
                "{\"eval\": {\"Toy/0\": {\"nfiles\": 3, \"base\": [[\"pass\"]], \"plus\": []}}}".to_owned(),
                "metrics-differ",
            ),
        ];
        for (text, code) in cases {
            let (_, archive, findings) = load(&Memory::default().with("a_eval_results.json", text));
            assert!(findings.iter().any(|finding| finding.code == code), "{code}: {findings:?}");
            assert_eq!(archive.runs.len(), 1);
        }
    }

    #[test]
    fn a_samples_file_with_other_programs_is_told() {
        let eval = format!("{{\"eval\": {{\"Toy/0\": [{}]}}}}", sample("pass", "pass"));
        let other = "{\"task_id\": \"Toy/0\", \"solution\": \"def f(): return 1\"}\n";
        let source = Memory::default().with("a_eval_results.json", eval).with("a.jsonl", other);
        let (_, _, findings) = load(&source);
        assert!(findings.iter().any(|finding| finding.code == "answer-differs"), "{findings:?}");
    }
}
