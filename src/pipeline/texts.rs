//! The texts of all records, as far as pages show them. A study is read once for its numbers, when texts
//! stream by and are dropped, and once more for its pages, when their beginnings are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::archive::{self, ArchiveError};
use crate::id::ProblemId;
use crate::packs;
use crate::site::{AttemptExcerpts, TextSource};
use crate::study::Study;
use crate::world::{Progress, Source};

/// Beginnings of the texts in the run files of a study.
#[derive(Debug, Default)]
pub struct RunTexts {
    runs: BTreeMap<archive::RunKey, BTreeMap<ProblemId, Vec<AttemptExcerpts>>>,
}

impl RunTexts {
    /// Reads the run files. Equal texts, such as the prompt that every configuration got, are kept once.
    pub fn read(source: &dyn Source, study: &Study, progress: &dyn Progress) -> Result<Self, ArchiveError> {
        let known: Mutex<BTreeSet<Arc<str>>> = Mutex::default();
        let keep = |text: &str| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(text).cloned().unwrap_or_else(|| {
                let new: Arc<str> = text.into();
                known.insert(new.clone());
                new
            })
        };
        let excerpts = |_: &archive::RunKey, _: &archive::Record, texts: &[archive::AttemptText<'_>]| {
            texts.iter().map(|text| AttemptExcerpts::of(text, &keep)).collect::<Vec<_>>()
        };
        let (read, excerpts, _) =
            packs::formats().read_selected(source, study, archive::Selection::default(), progress, &excerpts)?;
        let mut runs = BTreeMap::new();
        for (run, records) in read.runs.into_iter().zip(excerpts) {
            let with_texts = |(_, texts): &(ProblemId, Vec<AttemptExcerpts>)| texts.iter().any(|text| !text.is_empty());
            let records = run.records.iter().map(|record| record.id.clone()).zip(records).filter(with_texts);
            runs.insert(run.key, records.collect());
        }
        Ok(Self { runs })
    }
}

impl TextSource for RunTexts {
    fn texts(&self, key: &archive::RunKey, problem: &ProblemId) -> Option<&[AttemptExcerpts]> {
        self.runs.get(key)?.get(problem).map(Vec::as_slice)
    }
}
