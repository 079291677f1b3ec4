//! The shared archive, read and recomputed once for all tests that look at it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use repro::archive::{self, Archive};
use repro::corpus::{self, Corpus};
use repro::packs::{compute_all, recognise};
use repro::statistics::{Evidence, Facts, Output};
use repro::study::Study;
use repro::table::Table;
use repro::verify::Ladder;
use repro::world::disk::Folder;
use repro::world::{Silent, Source};

use crate::shared::shared;

/// A study with everything recomputed from it. Nothing was executed, so the ledger is empty.
pub(crate) struct Opened {
    pub(crate) study: Study,
    pub(crate) corpus: Corpus,
    pub(crate) archive: Archive,
    pub(crate) ledger: Ladder,
    pub(crate) published: BTreeMap<String, String>,
}

impl Opened {
    /// Reads a study from any source.
    pub(crate) fn read(source: &dyn Source) -> Self {
        let study = recognise(source).unwrap().study;
        let (corpus, _) = corpus::read(source, &study);
        let (archive, _, _) = archive::read(source, &study, &Silent, &|_, _, _| ()).unwrap();
        let text = |path: &str| source.read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".csv").to_owned();
        let published = study.published.iter().filter_map(|p| Some((stem(&p.path), text(&p.path)?))).collect();
        Self { study, corpus, archive, ledger: Ladder::default(), published }
    }

    /// What statistics see.
    pub(crate) fn evidence(&self) -> Evidence<'_> {
        Evidence {
            study: &self.study,
            corpus: &self.corpus,
            archive: &self.archive,
            readings: &[],
            ledger: &self.ledger,
            published: &self.published,
            boards: None,
        }
    }
}

/// The shared archive with its statistics.
pub(crate) struct Recomputed {
    pub(crate) opened: Opened,
    pub(crate) tables: Vec<Table>,
    pub(crate) facts: Facts,
}

/// The shared archive, read and recomputed once.
pub(crate) fn recomputed() -> &'static Recomputed {
    static SHARED: OnceLock<Recomputed> = OnceLock::new();
    let root = shared("atmoscoder");
    SHARED.get_or_init(|| {
        let opened = Opened::read(&Folder::new(&root).unwrap());
        let Output { facts, tables, .. } = compute_all(&opened.evidence());
        Recomputed { opened, tables, facts: Facts::new(facts) }
    })
}
