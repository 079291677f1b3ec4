//! The samples file beside a results file: programs of the old schema, and a second copy of them in the new one.

use std::collections::{BTreeMap, BTreeSet};

use super::super::objects::{each, first, id};
use super::super::problems;
use super::super::sink::Sink;
use super::arm::{Arm, Verdicts};
use crate::corpus::Assembly;
use crate::digest::Digest;
use crate::json::{Object, Value};
use crate::report::{Finding, Place};
use crate::study::FilePart;

impl Arm<'_> {
    /// Programs of a samples file with the verdicts of the old schema, in order.
    pub(super) fn joined(&mut self, samples: &FilePart, old: &Verdicts, sink: &mut dyn Sink) {
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
    pub(super) fn compared(&self, samples: &FilePart, sink: &mut dyn Sink) {
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
}

/// Problem, program and how it is put together, of a line of a samples file.
fn sample(object: &Object) -> Option<(String, &str, Assembly)> {
    let id = first(object, problems::IDS).and_then(id)?;
    let whole = object.get("solution").and_then(Value::as_text).map(|text| (text, Assembly::WholeFile));
    let (text, assembly) =
        whole.or_else(|| object.get("completion").and_then(Value::as_text).map(|text| (text, Assembly::Body)))?;
    Some((id, text, assembly))
}
