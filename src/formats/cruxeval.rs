//! CRUXEval: functions with an input and its output; models predict one from the other.
//!
//! The data set has a line per function: `code`, `input`, `output`, `id`. A scored file holds `raw_generations` and
//! `raw_scored_generations` by id, with `pass_at_1` and `pass_at_5` in percent. The right answer makes
//! `assert <output> == <answer>` hold after the code: for an input prediction the answer is a call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::declared::{Declared, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::human_eval::attempt;
use super::listing::{Listing, unpacked};
use super::objects::each;
use super::open::{Document, document};
use super::passk::k_of;
use super::sink::{Request, Sink};
use super::{About, Format};
use crate::archive::{AttemptText, Denominator, Record, RunKey, Scale, Status, StoredSummary, Verdict};
use crate::corpus::{Assembly, Problem, Tests};
use crate::id::{ConfigKey, ProblemId, SetId};
use crate::json::{Fault, Kind, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart};
use crate::world::Source;

const ID: &str = "cruxeval";

/// Seconds of processor time that a program gets, where its own harness gives as many on the clock. Predictions are also calls
/// that do not end, and each of them costs its limit.
const CPU_SECONDS: u32 = 3;

/// Outputs of CRUXEval.
pub(super) struct CruxEval;

impl Format for CruxEval {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "CRUXEval",
            reads: "The data set (code, input, output, id) and scored files with raw_generations and \
                    raw_scored_generations for predictions of inputs and of outputs.",
            cannot_check: "Nothing of its own: functions, inputs, outputs, predictions, verdicts and summaries are all \
                           there. Without the data set the predictions cannot be executed again.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let scored = |path: &&str| {
            let head = listing.head(path);
            // The second member stands behind all generations, so its name may lie beyond the beginning.
            let members = listing.members(path);
            let names = |name: &str| members.iter().any(|member| member == name);
            names("raw_scored_generations") || names("raw_generations") && head.starts_with(b"{")
        };
        let mut parts: Vec<Part> = listing
            .ending(&[".json"])
            .filter(scored)
            .map(|path| Part { path: path.to_owned(), role: mode(path), arm: Some(arm(path)) })
            .collect();
        let answers = parts.len();
        if answers == 0 {
            return None;
        }
        let data = listing.ending(&[".jsonl"]).find(|path| is_data(listing, path));
        parts.extend(data.map(|path| Part { path: path.to_owned(), role: "problems", arm: None }));
        let reason = format!("{answers} files with raw_generations and raw_scored_generations");
        Some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let path = listing.ending(&[".jsonl"]).find(|path| is_data(listing, path))?;
        let missing = "a scored file with raw_generations and raw_scored_generations".to_owned();
        Some(Near { format: ID, share: 50, path: path.to_owned(), missing })
    }

    fn declare(&self, _: &Listing<'_>, guess: &Guess) -> Declared {
        let mut study =
            study(identity("cruxeval", "CRUXEval results", "Predictions of inputs and outputs of functions."));
        let data = guess.parts.iter().find(|part| part.role == "problems").map_or("", |part| part.path.as_str());
        study.sets.push(set("cruxeval", "CRUXEval", data, ID));
        let mut by_mode: BTreeMap<&str, Experiment> = BTreeMap::new();
        for part in guess.parts.iter().filter(|part| part.role != "problems") {
            let arm = part.arm.clone().unwrap_or_default();
            if study.configurations.iter().all(|known| known.key.as_str() != arm) {
                study.configurations.push(configuration(&arm));
            }
            let key = ConfigKey::from(arm);
            let experiment = by_mode.entry(part.role).or_insert_with(|| {
                let mut experiment = experiment(&format!("{}-prediction", part.role), "cruxeval", ID);
                experiment.labels.insert("predicts".to_owned(), part.role.to_owned());
                experiment
            });
            experiment.configurations.push(key.clone());
            experiment.files.push(FilePart {
                path: part.path.clone(),
                configuration: Some(key),
                ..FilePart::default()
            });
            experiment.runs = 10;
        }
        study.experiments.extend(by_mode.into_values());
        let estimator =
            |k| Estimator { id: format!("pass-at-{k}"), kind: EstimatorKind::PassAtK, k: Some(k), headline: k == 1 };
        study.estimators = vec![estimator(1), estimator(5)];
        study.grading.cpu_seconds = CPU_SECONDS;
        let assumed = vec![
            "the name of a scored file ends with what is predicted: input or output".to_owned(),
            "ten samples of each function".to_owned(),
            format!("{CPU_SECONDS} seconds of processor time for each program"),
        ];
        Declared { study, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        let mut calls: BTreeMap<String, String> = BTreeMap::new();
        for set in request.study.sets.iter().filter(|set| set.format.as_deref() == Some(ID) && !set.path.is_empty()) {
            let wanted = request.sets.iter().any(|asked| asked.id == set.id);
            data(request.source, &set.path, &set.id, &mut calls, wanted, sink);
        }
        for experiment in &request.experiments {
            for file in &experiment.files {
                let Some(configuration) = &file.configuration else {
                    let message = "its configuration is not declared, and the file does not name one";
                    sink.finding(Finding::new("bad-run", Place::file(&file.path), message));
                    continue;
                };
                if !request.wants(&experiment.id, configuration) {
                    continue;
                }
                match document(request.source, &file.path) {
                    Err(finding) => sink.finding(finding),
                    Ok(document) => {
                        sink.file(&file.path, document.digest, document.size);
                        let mode = mode(&file.path);
                        Scored { experiment, configuration, path: &file.path, mode, calls: &calls }
                            .read(&document, sink);
                    }
                }
            }
        }
    }
}

fn is_data(listing: &Listing<'_>, path: &str) -> bool {
    let objects = listing.objects(path, 3);
    let has = |object: &Value| ["code", "input", "output", "id"].iter().all(|name| object.get(name).is_some());
    !objects.is_empty() && objects.iter().all(has)
}

/// What a scored file predicts, by its name.
fn mode(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.contains("input") { "input" } else { "output" }
}

/// Name of a configuration from the name of its scored file.
fn arm(path: &str) -> String {
    let file = unpacked(path);
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".json").unwrap_or(name);
    let name = name.strip_prefix("sample_scored_").unwrap_or(name);
    let name = ["_input", "_output", "-input", "-output"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    name.to_owned()
}

/// Reads the data set; `calls` receives the right call of each function.
fn data(
    source: &dyn Source,
    path: &str,
    set: &SetId,
    calls: &mut BTreeMap<String, String>,
    wanted: bool,
    sink: &mut dyn Sink,
) {
    each(source, path, sink, &mut |object, place, sink| {
        let text = |name: &str| object.get(name).and_then(Value::as_text);
        let (Some(id), Some(code), Some(input), Some(output)) =
            (text("id"), text("code"), text("input"), text("output"))
        else {
            return sink.finding(Finding::new("bad-problem", place, "it lacks id, code, input or output"));
        };
        let call = format!("f({input})");
        calls.insert(id.to_owned(), call.clone());
        if wanted {
            let tests = Tests {
                prompt: code.into(),
                entry_point: "f".into(),
                code: output.into(),
                assembly: Assembly::Assertion,
                reference: Some(call.into()),
            };
            let problem = Problem { statement: code.to_owned(), tests: Some(tests), ..Problem::blank(id.into()) };
            sink.problem(set, problem, place.with_subject(id));
        }
    });
}

/// A scored file while it is read.
struct Scored<'a> {
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
    path: &'a str,
    mode: &'a str,
    calls: &'a BTreeMap<String, String>,
}

/// Verdicts by problem, in sample order; `None` for what is no verdict.
type Verdicts = BTreeMap<String, Vec<Option<bool>>>;

impl Scored<'_> {
    /// Verdicts stand behind the generations, so the document is gone through twice.
    fn read(&self, document: &Document, sink: &mut dyn Sink) {
        let mut verdicts = Verdicts::new();
        let told = self.verdicts(&mut Reader::new(&document.bytes), &mut verdicts, sink);
        let mut reader = Reader::new(&document.bytes);
        let mut answered = BTreeSet::new();
        let read = self.generations(&mut reader, &verdicts, &mut answered, sink);
        for repair in reader.take_repairs().iter().take(1) {
            sink.finding(Finding::repaired(Place::file(self.path), repair));
        }
        if let Some(fault) = told.err().or(read.err()) {
            sink.finding(Finding::torn(Place::file(self.path), &fault, "what stands before it was used"));
        }
        let without: Vec<&String> = verdicts.keys().filter(|id| !answered.contains(*id)).collect();
        for id in &without {
            let place = Place::file(self.path).with_subject(id.as_str());
            for verdict in &verdicts[*id] {
                self.emit(id, None, *verdict, place.clone(), sink);
            }
        }
        if let Some(first) = without.first() {
            let message = format!("verdicts of {} functions have no generations, {first} first", without.len());
            sink.finding(Finding::new("not-archived", Place::file(self.path), message));
        }
    }

    fn verdicts(&self, reader: &mut Reader<'_>, verdicts: &mut Verdicts, sink: &mut dyn Sink) -> Result<(), Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key == "raw_scored_generations" && reader.kind()? == Kind::Object {
                reader.begin_object()?;
                while let Some(id) = reader.next_key()? {
                    let place = Place::file(self.path).with_subject(&*id).with_byte(reader.position());
                    let value = reader.value()?;
                    let marks: Vec<_> = value.as_list().unwrap_or_default().iter().map(Value::as_bool).collect();
                    if value.as_list().is_none() || marks.contains(&None) {
                        sink.finding(Finding::new("bad-member", place, "a verdict is neither true nor false"));
                    }
                    verdicts.insert(id.into_owned(), marks);
                }
            } else if let (Some(k), Kind::Number) = (k_of(&key), reader.kind()?) {
                let number = reader.number()?;
                sink.summary(StoredSummary {
                    metric: (&*key).into(),
                    estimator: EstimatorKind::PassAtK,
                    k: Some(k),
                    judge: None,
                    experiment: self.experiment.id.clone(),
                    configuration: self.configuration.clone(),
                    run: None,
                    stratum: BTreeMap::new(),
                    denominator: Denominator::Graded,
                    scale: Scale::Percent,
                    value: number.as_f64(),
                    printed: Arc::from(number.literal()),
                    place: Place::file(self.path).with_subject(&*key),
                });
            } else {
                reader.skip()?;
            }
        }
        reader.end()
    }

    fn generations(
        &self,
        reader: &mut Reader<'_>,
        verdicts: &Verdicts,
        answered: &mut BTreeSet<String>,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            if key != "raw_generations" || reader.kind()? != Kind::Object {
                reader.skip()?;
                continue;
            }
            reader.begin_object()?;
            while let Some(id) = reader.next_key()? {
                let place = Place::file(self.path).with_subject(&*id).with_byte(reader.position());
                let value = reader.value()?;
                let texts: Vec<&str> = value.as_list().unwrap_or_default().iter().filter_map(Value::as_text).collect();
                if value.as_list().is_none_or(|list| list.len() != texts.len()) {
                    sink.finding(Finding::new("bad-member", place.clone(), "a generation is no text"));
                }
                let marks = verdicts.get(&*id).map_or(&[][..], Vec::as_slice);
                let marks = self.matched(&id, &texts, marks, &place, sink);
                for (text, mark) in texts.iter().zip(marks) {
                    self.emit(&id, Some(text), mark, place.clone(), sink);
                }
                answered.insert(id.into_owned());
            }
        }
        Ok(())
    }

    /// Verdicts for each generation. The grader passes over generations that hold no call where one is asked, or the
    /// call itself where its value is asked, and then lists fewer verdicts.
    fn matched(
        &self,
        id: &str,
        texts: &[&str],
        marks: &[Option<bool>],
        place: &Place,
        sink: &mut dyn Sink,
    ) -> Vec<Option<bool>> {
        if marks.len() == texts.len() {
            return marks.to_vec();
        }
        let call = self.calls.get(id).map_or("", String::as_str);
        let passed_over = |text: &str| match self.mode {
            "input" => !text.contains("f("),
            _ => !call.is_empty() && text.contains(call),
        };
        let counted = texts.iter().filter(|text| !passed_over(text)).count();
        if counted != marks.len() {
            let message =
                format!("{} generations and {} verdicts: which belong together is not known", texts.len(), marks.len());
            sink.finding(Finding::new("bad-record", place.clone(), message));
            return vec![None; texts.len()];
        }
        let mut marks = marks.iter();
        texts.iter().map(|text| if passed_over(text) { None } else { marks.next().copied().flatten() }).collect()
    }

    fn emit(&self, id: &str, text: Option<&str>, passed: Option<bool>, place: Place, sink: &mut dyn Sink) {
        let sample = sink.sample(&self.experiment.id, self.configuration, id);
        let status = match passed {
            Some(true) => Status::Pass,
            Some(false) => Status::Fail,
            None => Status::NotScored,
        };
        let record = Record {
            sample,
            passed,
            verdicts: vec![Verdict { judge: "".into(), environment: None, status, inferred: false }],
            attempts: text.map(|text| vec![attempt(text, passed)]),
            ..Record::blank(ProblemId::from(id))
        };
        let texts: Vec<AttemptText<'_>> =
            text.map(|text| AttemptText { response: text.into(), ..AttemptText::default() }).into_iter().collect();
        let (experiment, configuration) = (self.experiment.id.clone(), self.configuration.clone());
        sink.record(RunKey { experiment, configuration, run: sample + 1 }, record, &texts, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Selection, State};
    use crate::corpus::Corpus;
    use crate::formats::Formats;
    use crate::report::Findings;
    use crate::world::Silent;
    use crate::world::memory::Memory;

    const DATA: &str =
        "{\"code\": \"def f(x):\\n    return x + 1\", \"input\": \"1\", \"output\": \"2\", \"id\": \"s0\"}\n";

    fn load(output: &str, input: &str) -> (Corpus, Archive, Findings) {
        let source = Memory::default()
            .with("data.jsonl", DATA)
            .with("sample_scored_m_output.json", output)
            .with("sample_scored_m_input.json", input);
        let study = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study;
        assert_eq!(study.configurations.len(), 1);
        let read = Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
        (read.0, read.1, read.3)
    }

    const OUTPUT: &str = "{\"raw_generations\": {\"s0\": [\"2\", \"f(1)\", \"3\"]}, \
        \"raw_scored_generations\": {\"s0\": [true, false]}, \"pass_at_1\": 50.0}";
    const INPUT: &str = "{\"raw_generations\": {\"s0\": [\"f(1)\"]}, \"raw_scored_generations\": {\"s0\": [true]}}";

    #[test]
    fn what_the_grader_passes_over_is_not_scored() {
        let (corpus, archive, findings) = load(OUTPUT, INPUT);
        assert_eq!(findings.iter().map(|f| f.code).collect::<Vec<_>>(), Vec::<&str>::new());
        let tests = corpus.sets[0].problems[0].tests.clone().unwrap();
        assert_eq!(tests.program("f(1)", None), "def f(x):\n    return x + 1\nassert 2 == f(1)\n");
        let runs = archive.runs_of("output-prediction", "m").map(|run| run.records[0].state());
        assert_eq!(runs.collect::<Vec<_>>(), [State::Pass, State::Excluded, State::Fail]);
        assert_eq!(archive.runs_of("input-prediction", "m").count(), 1);
        assert_eq!(archive.summaries[0].printed.as_ref(), "50.0");
    }

    #[test]
    fn damage_is_told() {
        let torn = &OUTPUT[..OUTPUT.len() - 20];
        let odd = OUTPUT.replace("[true, false]", "[true]");
        for (text, code) in [(torn, "torn-file"), (&odd, "bad-record"), (&OUTPUT.replace("false", "0"), "bad-member")] {
            let (_, _, findings) = load(text, INPUT);
            assert!(findings.iter().any(|finding| finding.code == code), "{code}: {findings:?}");
        }
    }
}
