//! A paper's own JSON lines: one object per answer with its program, its problem and marks of one or several judges,
//! under names of its own, which `columns` maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::declared::{Declared, compare_judges, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::human_eval::attempt;
use super::listing::Listing;
use super::objects::{each, id};
use super::sink::{Request, Sink};
use super::{About, Format, names, problems};
use crate::archive::{AttemptText, Record, RunKey, Status, Verdict};
use crate::corpus::{Assembly, Problem, Tests};
use crate::digest::Digest;
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Object, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart, Judge};

const ID: &str = "paper-jsonl";

/// Names under which members are found without a mapping, in the order in which they are looked for.
const MEMBERS: &[(&str, &[&str])] = &[
    ("item", problems::IDS),
    ("program", &["solution", "program", "completion", "generated_code", "prediction", "response", "generation"]),
    ("prompt", &["prompt", "question", "problem"]),
    ("entry-point", &["entry_point"]),
    ("test", &["test", "tests", "test_code"]),
    ("reference", &["canonical_solution", "reference", "gold"]),
    ("configuration", &["model", "model_name", "model_id"]),
    ("attempts", &["implementations", "attempts", "programs"]),
    ("tokens", &["token_nums", "total_tokens", "num_tokens"]),
];

/// Members that are marks of judges, with the judge's title; the first that is there is the headline.
const JUDGES: &[(&str, &str)] = &[
    ("is_solved", "Hidden tests"),
    ("solved", "Solved"),
    ("passed", "Passed"),
    ("is_correct", "Correct"),
    ("correct", "Correct"),
    ("resolved", "Resolved"),
    ("success", "Success"),
    ("is_passing", "Visible tests"),
];

/// In front of the members of judges in `columns`.
const JUDGE: &str = "judge.";

/// JSON lines of a paper of its own, with mapped members.
pub(super) struct PaperLines;

impl Format for PaperLines {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "a paper's own JSON lines",
            reads: "JSON lines with an id, a program and marks of one or several judges, and the problem where lines carry \
                    it; members of other names are mapped in columns.",
            cannot_check: "What a mark means is the paper's word; where lines carry tests, programs are executed again.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts = Vec::new();
        let mut certain = true;
        for path in listing.ending(&[".jsonl", ".ndjson"]) {
            let objects = listing.objects(path, 9);
            let Some(found) = objects.iter().filter_map(Value::as_object).find(|object| fits(object)).map(members)
            else {
                continue;
            };
            if found.contains_key("item") {
                certain &= found.contains_key("test");
                parts.push(Part { path: path.to_owned(), role: "results", arm: None });
            }
        }
        if parts.is_empty() {
            return None;
        }
        let fit = if certain { Fit::Certain } else { Fit::Likely };
        let reason = format!("{} files of lines with an id, a program and marks", parts.len());
        Some(Guess { format: ID, fit, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            let object = listing.objects(path, 1).pop()?;
            let found = members(object.as_object()?);
            let has = [
                ("an id (task_id, question_id, id)", found.contains_key("item")),
                ("a program (solution, program, completion)", found.contains_key("program")),
                ("a mark (passed, is_solved, correct)", found.keys().any(|key| key.starts_with(JUDGE))),
            ];
            let missing: Vec<&str> = has.iter().filter(|(_, there)| !there).map(|(what, _)| *what).collect();
            let share = (33 * (3 - missing.len())) as u8;
            let path = path.to_owned();
            (share > 0 && share < 99).then(|| Near { format: ID, share, path, missing: missing.join(" and ") })
        };
        listing.ending(&[".jsonl", ".ndjson"]).filter_map(near).max_by_key(|near| near.share)
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let mut assumed = vec!["one configuration per file, named after what tells the paths apart".to_owned()];
        let mut by_set: BTreeMap<String, Vec<(&Part, BTreeMap<String, String>)>> = BTreeMap::new();
        for part in &guess.parts {
            let objects = listing.objects(&part.path, 9);
            let Some(object) = objects.iter().filter_map(Value::as_object).find(|object| fits(object)) else {
                continue;
            };
            let found = members(object);
            let named = found.get("item").and_then(|item| object.get(item)).and_then(id);
            let family = named.and_then(|id| problems::family(&id).map(str::to_owned));
            by_set.entry(family.unwrap_or_else(|| "problems".to_owned())).or_default().push((part, found));
        }
        let title = by_set.keys().cloned().collect::<Vec<_>>().join(", ");
        let mut study = study(identity(&title, &format!("{title} results"), &format!("Results of {title}.")));
        let mut judges: BTreeMap<String, String> = BTreeMap::new();
        for (name, parts) in &by_set {
            let (first, found) = &parts[0];
            let members: Vec<String> = found.iter().map(|(role, member)| format!("{role} = {member}")).collect();
            assumed.push(format!("members of {name} by their names: {}", members.join(", ")));
            let file = if found.contains_key("test") { first.path.as_str() } else { "" };
            let mut problems = set(name, name, file, ID);
            problems.columns.clone_from(found);
            study.sets.push(problems);
            let mut experiment = experiment(&super::slug(name), name, ID);
            let paths: Vec<&str> = parts.iter().map(|(part, _)| part.path.as_str()).collect();
            for ((part, found), arm) in parts.iter().zip(names::arms(&paths)) {
                let marks = found.iter().filter(|(role, _)| role.starts_with(JUDGE));
                judges.extend(marks.map(|(role, member)| (role.clone(), member.clone())));
                if study.configurations.iter().all(|known| known.key.as_str() != arm) {
                    study.configurations.push(configuration(&arm));
                }
                experiment.configurations.push(ConfigKey::from(arm.as_str()));
                let configuration = Some(ConfigKey::from(arm));
                experiment.files.push(FilePart { path: part.path.clone(), configuration, ..FilePart::default() });
            }
            experiment.columns.clone_from(found);
            study.experiments.push(experiment);
        }
        for (member, title) in JUDGES.iter().filter(|(member, _)| judges.contains_key(&format!("{JUDGE}{member}"))) {
            study.judges.push(Judge {
                id: (*member).to_owned(),
                title: (*title).to_owned(),
                headline: study.judges.is_empty(),
                rule: Some(format!("{member} is true")),
            });
        }
        if study.judges.len() > 1 {
            assumed.push(format!("the headline is {}", study.judges[0].id));
        }
        study.estimators =
            vec![Estimator { id: "mean".to_owned(), kind: EstimatorKind::Mean, k: None, headline: true }];
        compare_judges(&mut study);
        Declared { study, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for experiment in &request.experiments {
            let mut known: BTreeMap<String, Digest> = BTreeMap::new();
            for file in experiment.files.iter().filter(|file| file.role.is_none()) {
                if file.configuration.as_ref().is_none_or(|key| request.wants(&experiment.id, key)) {
                    read(request, experiment, file, &mut known, sink);
                }
            }
        }
    }
}

/// Whether a line of an object is one that this format reads better than as a row of a table.
pub(super) fn fits(object: &Object) -> bool {
    let found = members(object);
    found.contains_key("program") && found.keys().any(|key| key.starts_with(JUDGE))
}

/// Members of a line by what they are for.
fn members(object: &Object) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (role, names) in MEMBERS {
        let fits = |name: &&&str| {
            object.get(name).is_some_and(|value| match *role {
                "item" => id(value).is_some(),
                "attempts" => value.as_list().is_some(),
                "tokens" => value.as_number().is_some(),
                _ => value.as_text().is_some(),
            })
        };
        if let Some(name) = names.iter().find(fits) {
            found.insert((*role).to_owned(), (*name).to_owned());
        }
    }
    for (member, _) in JUDGES.iter().filter(|(member, _)| object.get(member).is_some_and(|v| v.as_bool().is_some())) {
        found.insert(format!("{JUDGE}{member}"), (*member).to_owned());
    }
    found
}

/// Reads one file. `known` holds digests of the problems that lines have stated so far.
fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    file: &FilePart,
    known: &mut BTreeMap<String, Digest>,
    sink: &mut dyn Sink,
) {
    let columns = &experiment.columns;
    let judges: Vec<(&str, &str)> = request
        .study
        .judges
        .iter()
        .map(|judge| (judge.id.as_str(), columns.get(&format!("{JUDGE}{}", judge.id)).map_or(&*judge.id, |m| m)))
        .collect();
    let headline = request.study.headline_judge().map_or("", |judge| judge.id.as_str());
    let states_problems = request.selection.only.is_none() && columns.contains_key("test");
    each(request.source, &file.path, sink, &mut |object, place, sink| {
        let member = |role: &str| columns.get(role).and_then(|name| object.get(name)).filter(|value| !value.is_null());
        let text = |role: &str| member(role).and_then(Value::as_text);
        let configuration = match (&file.configuration, text("configuration")) {
            (Some(configuration), _) => configuration.clone(),
            (None, Some(model)) => ConfigKey::from(model),
            (None, None) => {
                return sink.finding(Finding::new("bad-record", place, "it names no model, and neither does its file"));
            }
        };
        if !request.wants(&experiment.id, &configuration) {
            return;
        }
        let Some(id) = member("item").and_then(id) else {
            let name = columns.get("item").map_or("task_id", String::as_str);
            return sink.finding(Finding::new("bad-record", place, format!("it has no {name}")));
        };
        let place = place.with_subject(id.as_str());
        if states_problems {
            state(request, experiment, &object, &id, &place, known, sink);
        }
        let sample = sink.sample(&experiment.id, &configuration, &id);
        let program = text("program");
        let mut record = Record { sample, ..Record::blank(ProblemId::from(id)) };
        for (judge, name) in &judges {
            let status = match object.get(name) {
                Some(Value::Bool(true)) => Status::Pass,
                Some(Value::Bool(false)) => Status::Fail,
                None | Some(Value::Null) => Status::NotGraded,
                Some(_) => {
                    let message = format!("its {name} is neither true nor false");
                    sink.finding(Finding::new("bad-member", place.clone(), message));
                    Status::NotGraded
                }
            };
            if *judge == headline {
                record.passed = status.passed();
            }
            record.verdicts.push(Verdict { judge: (*judge).into(), environment: None, status, inferred: false });
        }
        // Of earlier attempts the number is kept and not their texts: what was judged is the program.
        if let Some(list) = member("attempts").and_then(Value::as_list) {
            record.labels.insert("attempts".into(), list.len().to_string().into());
        }
        record.legacy_tokens = member("tokens").and_then(Value::as_number).and_then(crate::json::Number::as_u64);
        record.attempts = program.map(|program| vec![attempt(program, record.passed)]);
        record.assembly = program.map(|program| assembly(program, text("entry-point").unwrap_or_default()));
        let texts: Vec<AttemptText<'_>> = program
            .map(|program| AttemptText { response: program.into(), ..AttemptText::default() })
            .into_iter()
            .collect();
        let run = file.run.unwrap_or(sample + 1);
        sink.record(RunKey { experiment: experiment.id.clone(), configuration, run }, record, &texts, place);
    });
}

/// A body continues the prompt; a program that defines the entry point needs only what the prompt imports.
fn assembly(program: &str, entry: &str) -> Assembly {
    let defines = format!("def {entry}(");
    let at_margin = program.lines().any(|line| line.starts_with(&defines));
    if !entry.is_empty() && at_margin { Assembly::Function } else { Assembly::Body }
}

/// Adds the problem that a line states, once.
fn state(
    request: &Request<'_>,
    experiment: &Experiment,
    object: &Object,
    id: &str,
    place: &Place,
    known: &mut BTreeMap<String, Digest>,
    sink: &mut dyn Sink,
) {
    let Some(set) = request.sets.iter().find(|set| set.id == experiment.set) else { return };
    let text = |role: &str| -> &str {
        let columns = if set.columns.is_empty() { &experiment.columns } else { &set.columns };
        columns.get(role).and_then(|name| object.get(name)).and_then(Value::as_text).unwrap_or_default()
    };
    let (prompt, code, entry) = (text("prompt"), text("test"), text("entry-point"));
    let digest = Digest::of_parts([prompt, code, entry].map(str::as_bytes));
    match known.get(id) {
        Some(first) if *first == digest => {}
        Some(_) => {
            let message = "its prompt, tests or entry point are others than those that were read first";
            sink.finding(Finding::new("problem-differs", place.clone(), message));
        }
        None => {
            known.insert(id.to_owned(), digest);
            let reference = Some(text("reference")).filter(|text| !text.is_empty()).map(Arc::from);
            let tests = (!code.is_empty()).then(|| Tests {
                prompt: prompt.into(),
                entry_point: entry.into(),
                code: code.into(),
                assembly: Assembly::Body,
                reference,
            });
            let problem = Problem { statement: prompt.to_owned(), tests, ..Problem::blank(id.into()) };
            sink.problem(&set.id, problem, place.clone());
        }
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

    fn line(id: &str, solution: &str, hidden: &str, visible: bool) -> String {
        format!(
            "{{\"task_id\": \"{id}\", \"prompt\": \"def f(x):\\n\", \"entry_point\": \"f\", \"test\": \"def check(c): pass\", \
             \"canonical_solution\": \"    return x\", \"solution\": \"{solution}\", \"implementations\": [\"a\", \"b\"], \
             \"token_nums\": 12, \"is_solved\": {hidden}, \"is_passing\": {visible}}}\n"
        )
    }

    fn load(source: &Memory) -> (crate::study::Study, Corpus, Archive, Findings) {
        let study = Formats::CORE.assumed(&Listing::new(source).unwrap()).unwrap().study;
        let read = Formats::CORE.read(source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
        (study, read.0, read.1, read.3)
    }

    #[test]
    fn two_judges_stand_side_by_side_and_the_hidden_tests_are_the_headline() {
        let lines =
            [line("T/0", "    return x", "true", false), line("T/1", "import re\\ndef f(x): pass", "false", true)];
        let source =
            Memory::default().with("r/one/results.jsonl", lines.concat()).with("r/two/results.jsonl", lines.concat());
        let (study, corpus, archive, findings) = load(&source);
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(study.configurations.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(
            study.judges.iter().map(|j| (j.id.as_str(), j.headline)).collect::<Vec<_>>(),
            [("is_solved", true), ("is_passing", false)]
        );
        assert_eq!(corpus.sets[0].problems.len(), 2);
        let records = &archive.runs[0].records;
        assert_eq!(records.iter().map(Record::state).collect::<Vec<_>>(), [State::Pass, State::Fail]);
        assert_eq!(records[0].status("is_passing"), Some(Status::Fail));
        assert_eq!([records[0].assembly, records[1].assembly], [Some(Assembly::Body), Some(Assembly::Function)]);
        let attempts = records[0].labels.get("attempts").map(|text| &**text);
        assert_eq!((attempts, records[0].legacy_tokens), (Some("2"), Some(12)));
    }

    #[test]
    fn a_problem_that_changes_and_a_mark_that_is_none_are_told() {
        let odd = line("T/0", "x", "\"yes\"", true);
        let lines = [line("T/0", "x", "true", true), odd.replace("def f(x)", "def f(y)")].concat();
        let (_, _, archive, findings) = load(&Memory::default().with("a.jsonl", lines));
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&"problem-differs") && codes.contains(&"bad-member"), "{findings:?}");
        assert_eq!(archive.runs.len(), 2);
    }
}
