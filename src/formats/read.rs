//! Reading a study whatever its files are: parts with a format by that, the others as run files.

use super::Formats;
use super::coverage;
use super::sink::{Collector, Request};
use crate::archive::{self, Archive, ArchiveError, Measure, Memory, Selection};
use crate::corpus::{self, Corpus};
use crate::report::{Finding, Findings, Place};
use crate::study::Study;
use crate::world::{Progress, Source, Unit};

impl Formats<'_> {
    /// Everything read of a study: problems, records, measurements (by run in the order of `archive.runs`, by record in
    /// the order of `run.records`) and what there is to say about the files.
    pub fn read<T: Send>(
        self,
        source: &dyn Source,
        study: &Study,
        selection: Selection<'_>,
        progress: &dyn Progress,
        measure: Measure<'_, T>,
    ) -> Result<(Corpus, Archive, Vec<Vec<T>>, Findings), ArchiveError> {
        self.read_remembering(source, study, selection, progress, measure, None)
    }

    /// The same; run files whose bytes were read before, and of which a memory is given, are hashed and not read.
    pub fn read_remembering<T: Send>(
        self,
        source: &dyn Source,
        study: &Study,
        selection: Selection<'_>,
        progress: &dyn Progress,
        measure: Measure<'_, T>,
        memory: Option<&Memory<'_, T>>,
    ) -> Result<(Corpus, Archive, Vec<Vec<T>>, Findings), ArchiveError> {
        let (mut corpus, mut findings) = corpus::read(source, study);
        let (archive, measured, told) =
            self.parts(source, study, selection, progress, (measure, memory), &mut corpus)?;
        findings.extend(told.iter().cloned());
        let place = |id: &str| study.sets.iter().position(|set| set.id.as_str() == id);
        corpus.sets.sort_by_key(|set| place(set.id.as_str()));
        Ok((corpus, archive, measured, findings))
    }

    /// Records and measurements of a study or one of its arms, when the problems are known already.
    pub fn read_selected<T: Send>(
        self,
        source: &dyn Source,
        study: &Study,
        selection: Selection<'_>,
        progress: &dyn Progress,
        measure: Measure<'_, T>,
    ) -> Result<(Archive, Vec<Vec<T>>, Findings), ArchiveError> {
        self.parts(source, study, selection, progress, (measure, None), &mut Corpus::default())
    }

    fn parts<T: Send>(
        self,
        source: &dyn Source,
        study: &Study,
        selection: Selection<'_>,
        progress: &dyn Progress,
        (measure, memory): (Measure<'_, T>, Option<&Memory<'_, T>>),
        corpus: &mut Corpus,
    ) -> Result<(Archive, Vec<Vec<T>>, Findings), ArchiveError> {
        let (mut archive, mut measured, mut findings) =
            archive::read_remembering(source, study, selection, progress, measure, memory)?;
        let mut collector = Collector::new(measure);
        let mut used = false;
        for format in self.0 {
            let of = |named: &Option<String>| named.as_deref() == Some(format.id());
            let asked = |id| selection.only.is_none_or(|(only, _)| only == id);
            let experiments: Vec<_> = study.experiments.iter().filter(|e| of(&e.format) && asked(&e.id)).collect();
            let sets: Vec<_> = match selection.only {
                None => study.sets.iter().filter(|set| of(&set.format)).collect(),
                Some(_) => Vec::new(),
            };
            if experiments.is_empty() && sets.is_empty() {
                continue;
            }
            used = true;
            let bytes = bytes_of(source, &experiments);
            progress.begin_in(Unit::Bytes, "reading records", bytes);
            format.read(&Request { source, study, sets, experiments, selection, progress }, &mut collector);
            progress.advance(bytes);
            progress.finish();
        }
        findings.extend(unknown_formats(study, self));
        if used {
            let (sets, read, values, told) = collector.finish(study);
            corpus.sets.extend(sets);
            findings.extend(told);
            let mut runs: Vec<_> =
                archive.runs.into_iter().zip(measured).chain(read.runs.into_iter().zip(values)).collect();
            runs.sort_by(|(a, _), (b, _)| a.key.cmp(&b.key));
            (archive.runs, measured) = runs.into_iter().unzip();
            archive.summaries = read.summaries;
            archive.recounts = read.recounts;
            archive.coverage = read.coverage;
            if selection.only.is_none() {
                findings.extend(coverage::complete(study, corpus, &mut archive));
            }
        }
        Ok((archive, measured, findings))
    }
}

/// Size of the files of some experiments, as listed.
fn bytes_of(source: &dyn Source, experiments: &[&crate::study::Experiment]) -> u64 {
    let paths: std::collections::BTreeSet<&str> =
        experiments.iter().flat_map(|e| &e.files).map(|file| file.path.as_str()).collect();
    let entries = source.entries().unwrap_or_default();
    entries.iter().filter(|entry| paths.contains(entry.path.as_str())).map(|entry| entry.bytes).sum()
}

/// Parts that name a format nobody knows.
fn unknown_formats(study: &Study, formats: Formats<'_>) -> Vec<Finding> {
    let sets = study.sets.iter().map(|set| (set.id.as_str(), set.format.as_deref()));
    let experiments = study.experiments.iter().map(|e| (e.id.as_str(), e.format.as_deref()));
    let unknown = sets.chain(experiments).filter_map(|(id, format)| Some((id, format?)));
    let known = formats.ids();
    let tell = |(id, format): (&str, &str)| {
        let message = format!("{format:?} is no format this version knows; it knows {}", known.join(", "));
        Finding::new("unknown-format", Place::file(crate::study::MANIFEST).with_subject(id), message)
    };
    unknown.filter(|(_, format)| formats.find(format).is_none()).map(tell).collect()
}
