//! Reading the problem sets that a study declares.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::problem::{Corpus, Problem, Set};
use super::wire;
use crate::digest::Digest;
use crate::id::ProblemId;
use crate::json::{Fault, Reader, foreign_encoding};
use crate::report::{Finding, Findings, Place};
use crate::study::{ProblemSet, Study};
use crate::world::Source;

/// Reads all declared problem sets that are JSON lists of problems. Nothing stops it: a set that cannot be read is absent from the
/// corpus, a problem that cannot be used is absent from its set, and both are findings. A problem
/// without accepted answers stays, so that it can be shown; no answer to it can pass.
pub fn read(source: &dyn Source, study: &Study) -> (Corpus, Findings) {
    let sets: Vec<(Option<Set>, Findings)> =
        study.sets.par_iter().filter(|set| set.format.is_none()).map(|set| declared_set(source, set)).collect();
    let mut corpus = Corpus::default();
    let mut findings = Findings::default();
    for (set, told) in sets {
        corpus.sets.extend(set);
        findings.extend(told.iter().cloned());
    }
    check_parents(&corpus, &mut findings);
    (corpus, findings)
}

fn declared_set(source: &dyn Source, declared: &ProblemSet) -> (Option<Set>, Findings) {
    let mut findings = Findings::default();
    if !source.exists(&declared.path) {
        let code = if declared.optional { "optional-absent" } else { "missing-file" };
        let place = Place::file(&declared.path).with_subject(declared.id.as_str());
        findings.push(Finding::new(code, place, format!("problem set {:?} is absent", declared.title)));
        return (None, findings);
    }
    match source.read(&declared.path) {
        Ok(bytes) => (set(declared, &bytes, &mut findings), findings),
        Err(error) => {
            findings.push(Finding::unread(Place::file(&declared.path), &error));
            (None, findings)
        }
    }
}

fn set(declared: &ProblemSet, bytes: &[u8], findings: &mut Findings) -> Option<Set> {
    let place = || Place::file(&declared.path);
    if bytes.is_empty() {
        findings.push(Finding::new("empty-file", place(), "the problem set holds no bytes"));
        return None;
    }
    if let Some(fault) = foreign_encoding(bytes) {
        findings.push(Finding::new("not-utf8", place().with_byte(fault.byte), fault.what));
        return None;
    }
    let problems = problems(declared, bytes, findings);
    Some(Set::new(
        declared.id.clone(),
        declared.labels.clone(),
        declared.title.clone(),
        declared.path.clone(),
        Digest::of(bytes),
        declared.parents.clone(),
        problems,
    ))
}

fn problems(declared: &ProblemSet, bytes: &[u8], findings: &mut Findings) -> Vec<Problem> {
    let mut list = List { declared, problems: Vec::new(), seen: BTreeMap::new(), position: 0, lacks: BTreeMap::new() };
    if let Err(fault) = list.read(&mut Reader::new(bytes), findings) {
        let stands = format!("the {} problems before it were read", list.problems.len());
        findings.push(Finding::torn(Place::file(&declared.path).with_record(list.position), &fault, &stands));
    }
    list.tell_lacks(findings);
    list.problems
}

/// Problems of one file as far as they were read.
struct List<'d> {
    declared: &'d ProblemSet,
    problems: Vec<Problem>,
    /// Position in the file of the first problem of each id.
    seen: BTreeMap<ProblemId, usize>,
    /// Position in the file of the next problem.
    position: usize,
    /// Places of problems by what they lack.
    lacks: BTreeMap<&'static str, Vec<Place>>,
}

impl List<'_> {
    /// What some problems lack is a fault of each; what all of them lack is a property of the set, told once: a study of
    /// verdicts is a study.
    fn tell_lacks(&mut self, findings: &mut Findings) {
        for (lack, places) in std::mem::take(&mut self.lacks) {
            if self.position > 1 && places.len() == self.position {
                let message = format!("all {} problems: {lack}", places.len());
                findings.push(Finding::new("set-of-verdicts", Place::file(&self.declared.path), message));
            } else {
                findings.extend(places.into_iter().map(|place| Finding::new("bad-problem", place, lack)));
            }
        }
    }

    fn read(&mut self, reader: &mut Reader<'_>, findings: &mut Findings) -> Result<(), Fault> {
        reader.begin_list()?;
        while reader.next_item()? {
            reader.kind()?;
            let byte = reader.position();
            let value = reader.value()?;
            let place = Place::file(&self.declared.path).with_record(self.position);
            findings.extend(reader.take_repairs().iter().map(|repair| Finding::repaired(place.clone(), repair)));
            findings.extend(reader.take_repeats().iter().map(|repeat| Finding::repeated(place.clone(), repeat)));
            self.add(wire::problem(value, self.declared.kind()), place.with_byte(byte), findings);
            self.position += 1;
        }
        reader.end()
    }

    fn add(&mut self, reading: wire::Reading, mut place: Place, findings: &mut Findings) {
        if let Some(problem) = &reading.problem {
            place = place.with_subject(problem.id.as_str());
        }
        findings.extend(reading.faults.iter().map(|fault| Finding::new("bad-problem", place.clone(), fault)));
        for lack in reading.lacks {
            self.lacks.entry(lack).or_default().push(place.clone());
        }
        let Some(problem) = reading.problem else { return };
        if let Some(first) = self.seen.get(&problem.id) {
            let message = format!("problem {} also stands at record {first}, which is used", problem.id);
            findings.push(Finding::new("duplicate-id", place, message));
        } else {
            self.seen.insert(problem.id.clone(), self.position);
            self.problems.push(problem);
        }
    }
}

/// A variant or trap whose parent is not in the set it should be in.
fn check_parents(corpus: &Corpus, findings: &mut Findings) {
    for set in &corpus.sets {
        let Some(parents) = set.parents.as_ref().and_then(|id| corpus.set(id.as_str())) else { continue };
        for problem in &set.problems {
            let Some(parent) = &problem.parent else { continue };
            if parents.get(parent.as_str()).is_none() {
                let place = Place::file(&set.path).with_subject(problem.id.as_str());
                let message = format!("its parent {parent} is not in {}", parents.path);
                findings.push(Finding::new("unknown-id", place, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::recognise;
    use crate::world::memory::Memory;

    const STUDY: &str = "[study]\nid='a'\ntitle='A'\nversion='1'\ndate='2026'\ndescription='x'\nlicence='MIT'\n\
        authors=[{family='B'}]\n[grading]\ntolerance=0.05\n\
        [[set]]\nid='p'\ntitle='P'\nkind='problems'\npath='p.json'\n\
        [[set]]\nid='t'\ntitle='T'\nkind='traps'\npath='t.json'\nparents='p'\noptional=true\n";

    fn corpus(source: Memory) -> (Corpus, Vec<(&'static str, String)>) {
        let source = source.with("study.toml", STUDY);
        let study = recognise(&source, &[]).unwrap().study;
        let (corpus, findings) = read(&source, &study);
        let findings = findings.iter().map(|f| (f.code, format!("{}: {}", f.place, f.message))).collect();
        (corpus, findings)
    }

    const GOOD: &str = r#"{"id":"g","problem":"P?","code":"def solve(): pass","sub_answers":
        [{"sub":"1","value":35,"unit":"%"},{"sub":"1","value":"3.5e1","unit":null},{"sub":2,"value":1E-5}],"odd":[1]}"#;

    #[test]
    fn values_read_as_python_prints_them_and_other_members_stay() {
        let (corpus, findings) = corpus(Memory::default().with("p.json", format!("[{GOOD}]")));
        let problem = corpus.set("p").unwrap().get("g").unwrap();
        let answers: Vec<_> = problem.answers.iter().map(|a| (&*a.sub, &*a.value, &*a.unit)).collect();
        assert_eq!(answers, [("1", "35", "%"), ("1", "3.5e1", "None"), ("2", "1e-05", "")]);
        assert_eq!(problem.subs(), ["1", "2"]);
        assert_eq!(problem.extra.as_object().unwrap().iter().map(|(k, _)| k).collect::<Vec<_>>(), ["odd"]);
        assert_eq!(findings.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["optional-absent"]);
    }

    #[test]
    fn each_bad_problem_is_named_and_costs_no_other() {
        let text = format!(
            r#"[null, {{"problem":"no id"}}, {GOOD}, {{"id":"g","problem":"again"}},
               {{"id":"e","problem":"?","sub_answers":[]}}, {{"id":"v","problem":"?","sub_answers":[{{"sub":"1","value":[]}}]}}]"#
        );
        let (corpus, findings) = corpus(Memory::default().with("p.json", text));
        assert_eq!(corpus.set("p").unwrap().problems.len(), 3);
        let codes: Vec<_> = findings.iter().map(|(code, _)| *code).collect();
        let bad = codes.iter().filter(|code| **code == "bad-problem").count();
        assert_eq!((bad, codes.contains(&"duplicate-id")), (6, true), "{findings:?}");
    }

    #[test]
    fn a_set_without_answers_is_one_of_verdicts_and_no_list_of_faults() {
        let problems: Vec<String> = (0..40).map(|n| format!("{{\"id\": \"p{n}\", \"problem\": \"?\"}}")).collect();
        let (corpus, findings) = corpus(Memory::default().with("p.json", format!("[{}]", problems.join(", "))));
        assert_eq!(corpus.set("p").unwrap().problems.len(), 40);
        let codes: Vec<_> = findings.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, ["optional-absent", "set-of-verdicts"]);
    }

    #[test]
    fn a_key_twice_in_one_object_disagrees_and_the_last_counts() {
        let text = GOOD.replace("\"problem\":\"P?\"", "\"problem\":\"Q?\",\"problem\":\"P?\"");
        let (corpus, findings) = corpus(Memory::default().with("p.json", format!("[{text}]")));
        assert_eq!(corpus.set("p").unwrap().get("g").unwrap().statement, "P?");
        assert!(
            findings.iter().any(|(code, text)| *code == "duplicate-key" && text.contains("problem")),
            "{findings:?}"
        );
    }

    #[test]
    fn a_torn_set_keeps_what_stands_before_the_break() {
        let (corpus, findings) = corpus(Memory::default().with("p.json", format!("[{GOOD}, {{\"id\": \"h")));
        assert_eq!(corpus.set("p").unwrap().problems.len(), 1);
        assert!(findings[0].0 == "torn-file" && findings[0].1.contains("record 1"), "{findings:?}");
    }

    #[test]
    fn what_is_no_problem_set_is_said() {
        for (content, code) in [
            (&b""[..], "empty-file"),
            (b"\xff\xfe[\0]\0", "not-utf8"),
            (b"{}", "torn-file"),
            (b"[] x", "torn-file"),
            (b"[{\"id\":\"a\",\"problem\":\"\xb5g\",\"sub_answers\":[{\"sub\":\"1\",\"value\":1}]}]", "not-utf8"),
        ] {
            let (_, findings) = corpus(Memory::default().with("p.json", content.to_vec()));
            assert!(findings.iter().any(|(found, _)| *found == code), "{code}: {findings:?}");
        }
        let (corpus, findings) = corpus(Memory::default());
        assert!(corpus.sets.is_empty() && findings.iter().any(|(code, _)| *code == "missing-file"));
    }

    #[test]
    fn a_trap_keeps_its_shortcut_and_misses_its_parent() {
        let trap = r#"[{"id":"t","parent_id":"h","problem":"?","sub_answers":[{"sub":"1","value":2}],"trap_type":"sign",
            "shortcut":"s","shortcut_code":"c","shortcut_values":{"b":1,"a":2.5},"separation":0.5}]"#;
        let (corpus, findings) = corpus(Memory::default().with("p.json", format!("[{GOOD}]")).with("t.json", trap));
        let trap = corpus.set("t").unwrap().get("t").unwrap().trap.clone().unwrap();
        let values: Vec<_> = trap.shortcut_values.iter().map(|(sub, value)| (&**sub, *value)).collect();
        assert_eq!((values, &*trap.family, trap.separation), (vec![("b", 1.0), ("a", 2.5)], "sign", Some(0.5)));
        assert!(findings.iter().any(|(code, text)| *code == "unknown-id" && text.contains("parent h")));
    }
}
