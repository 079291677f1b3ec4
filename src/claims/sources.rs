//! Where the judge finds values: recomputed facts, recomputed tables and published tables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::expression::{Look, Pattern, Quantity, Selection, Series, SeriesRow, Table as Origin, Trace, Trouble};
use super::judgement::{Basis, Link};
use super::published::Parsed;
use crate::report::did_you_mean;
use crate::statistics::{self, About, Fact, Facts, Keys, Statistic};
use crate::study::Study;
use crate::table::Table;

/// What claims are judged against.
#[derive(Debug, Clone)]
pub struct Sources<'a> {
    /// What the study declares (names of configurations).
    pub study: &'a Study,
    /// Recomputed values.
    pub facts: &'a Facts,
    /// Recomputed tables.
    pub tables: &'a [Table],
    /// Published CSV tables as text, by file name without extension.
    pub published: &'a BTreeMap<String, String>,
    /// Definitions of the statistics behind the facts.
    pub known: Vec<&'static About>,
    /// Bindings of catalogues: dialect of the ledger, and the text of a file.
    pub bindings: Vec<(String, String)>,
    /// Vocabularies beyond the generic one, by which numbers of documents are bound.
    pub words: Vec<&'static str>,
    /// Experiments with at least one run in the archive.
    pub experiments: BTreeSet<String>,
    /// Problem sets with at least one problem.
    pub sets: BTreeSet<String>,
    /// What the runs of an experiment say about where they come from, when they were not written by a runner.
    pub provenance: BTreeMap<String, String>,
    /// Names of the files that such runs were rebuilt from, without folder and extension.
    pub rebuilt_from: BTreeSet<String>,
}

/// Name of a file without folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl<'a> Sources<'a> {
    /// Sources with the generic statistics; those of packs and their bindings are added with
    /// [`Self::with_registered`], what is archived with [`Self::with_archived`].
    pub fn new(
        study: &'a Study,
        facts: &'a Facts,
        tables: &'a [Table],
        published: &'a BTreeMap<String, String>,
    ) -> Self {
        let known = statistics::ALL.iter().map(|statistic| statistic.about()).collect();
        let (experiments, sets, provenance) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let rebuilt_from = BTreeSet::new();
        Self {
            study,
            facts,
            tables,
            published,
            known,
            bindings: Vec::new(),
            words: Vec::new(),
            experiments,
            sets,
            provenance,
            rebuilt_from,
        }
    }

    /// Takes these statistics and bindings in place of the generic ones.
    #[must_use]
    pub fn with_registered(
        mut self,
        statistics: &[&'static dyn Statistic],
        bindings: Vec<(&'static str, &'static str)>,
    ) -> Self {
        self.known = statistics.iter().map(|statistic| statistic.about()).collect();
        self.bindings = bindings.into_iter().map(|(dialect, text)| (dialect.to_owned(), text.to_owned())).collect();
        self
    }

    /// Adds bindings that the study brings itself: dialect of the ledger, and the text of the file.
    #[must_use]
    pub fn with_bindings(mut self, own: impl IntoIterator<Item = (String, String)>) -> Self {
        self.bindings.extend(own);
        self
    }

    /// Adds vocabularies for binding numbers of documents.
    #[must_use]
    pub fn with_words(mut self, words: Vec<&'static str>) -> Self {
        self.words = words;
        self
    }

    /// Adds what is there: experiments with runs, sets with problems, and stated provenance.
    #[must_use]
    pub fn with_archived(mut self, corpus: &crate::corpus::Corpus, archive: &crate::archive::Archive) -> Self {
        for run in &archive.runs {
            let experiment = run.key.experiment.as_str();
            self.experiments.insert(experiment.to_owned());
            if let Some(text) = &run.declared.provenance {
                self.provenance.entry(experiment.to_owned()).or_insert_with(|| text.clone());
                self.rebuilt_from.extend(run.declared.rebuilt_from().map(|file| stem(file).to_owned()));
            }
        }
        let filled = corpus.sets.iter().filter(|set| !set.problems.is_empty());
        self.sets.extend(filled.map(|set| set.id.as_str().to_owned()));
        self
    }

    /// The same sources over other facts. Bindings and words are not needed by what is bound already.
    pub(super) fn over<'b>(&self, study: &'b Study, facts: &'b Facts) -> Sources<'b>
    where
        'a: 'b,
    {
        Sources {
            study,
            facts,
            tables: &[],
            published: self.published,
            known: self.known.clone(),
            bindings: Vec::new(),
            words: Vec::new(),
            experiments: self.experiments.clone(),
            sets: self.sets.clone(),
            provenance: self.provenance.clone(),
            rebuilt_from: self.rebuilt_from.clone(),
        }
    }

    /// True when archived runs were rebuilt from this file.
    pub(super) fn is_rebuilt_from(&self, path: &str) -> bool {
        self.rebuilt_from.contains(stem(path))
    }

    /// That nothing is called so, and what nearly is.
    fn no_statistic(&self, id: &str) -> Trouble {
        let near = did_you_mean(id, self.known.iter().map(|about| about.id));
        Trouble::NoStatistic(id.to_owned(), near)
    }

    /// The definition behind an id or an alias.
    pub(super) fn about(&self, id: &str) -> Option<&'static About> {
        self.known
            .iter()
            .copied()
            .find(|about| about.id == id)
            .or_else(|| self.known.iter().copied().find(|about| about.also.contains(&id)))
    }

    /// The configuration key that a name in a table or folder stands for.
    pub(super) fn configuration<'t>(&'t self, name: &'t str) -> &'t str {
        self.study.configuration_named(name).map_or(name, |c| c.key.as_str())
    }

    /// Members of a group of configurations (`@reasoning`).
    fn group(&self, name: &str) -> Result<Vec<&str>, Trouble> {
        self.study.group(name).ok_or_else(|| Trouble::Mistake(format!("no group is called `@{name}`")))
    }

    /// A pattern with its groups spelled out.
    fn expand(&self, pattern: &Pattern) -> Result<Pattern, Trouble> {
        let words = |list: &[String]| {
            let mut out = Vec::new();
            for word in list {
                match word.strip_prefix('@') {
                    Some(group) => out.extend(self.group(group)?.into_iter().map(str::to_owned)),
                    None => out.push(word.clone()),
                }
            }
            Ok::<_, Trouble>(out)
        };
        Ok(match pattern {
            Pattern::Any => Pattern::Any,
            Pattern::OneOf(list) => Pattern::OneOf(words(list)?),
            Pattern::NoneOf(list) => Pattern::NoneOf(words(list)?),
        })
    }
}

/// Facts and published tables, ready for looking up.
pub(super) struct Finder<'a> {
    pub(super) sources: &'a Sources<'a>,
    published: Arc<BTreeMap<&'a str, Parsed>>,
    /// Undefined facts by statistic: where reasons are looked for.
    undefined: BTreeMap<&'static str, Vec<(&'a Fact, &'a str)>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(sources: &'a Sources<'a>) -> Self {
        let published = sources.published.iter().map(|(id, text)| (id.as_str(), Parsed::read(text))).collect();
        Self::over(sources, Arc::new(published))
    }

    /// The same over tables that were read before.
    pub(super) fn over(sources: &'a Sources<'a>, published: Arc<BTreeMap<&'a str, Parsed>>) -> Self {
        let mut undefined: BTreeMap<&str, Vec<(&Fact, &str)>> = BTreeMap::new();
        for fact in sources.facts.iter() {
            if let statistics::Estimate::Undefined(reason) = &fact.estimate {
                undefined.entry(fact.statistic).or_default().push((fact, reason));
            }
        }
        Self { sources, published, undefined }
    }

    /// The published tables as they were read.
    pub(super) fn published_tables(&self) -> Arc<BTreeMap<&'a str, Parsed>> {
        Arc::clone(&self.published)
    }

    pub(super) fn published(&self, id: &str) -> Option<&Parsed> {
        self.published.get(id)
    }

    fn facts(&self, id: &str, selection: &Selection, trace: &mut Trace) -> Result<Series, Trouble> {
        let about = self.sources.about(id).ok_or_else(|| self.sources.no_statistic(id))?;
        let patterns = self.patterns(selection)?;
        let fixed: Vec<(&str, &str)> = patterns.iter().filter_map(|(key, pattern)| fixed(key, pattern)).collect();
        let candidates = self.sources.facts.select(about.id, &selection.measure, &fixed);
        let mut found: Vec<&Fact> = candidates
            .into_iter()
            .filter(|fact| fits(&patterns, |key| fact.keys.get(key).map(String::as_str)))
            .collect();
        if found.is_empty() {
            return Err(self.absent(about, selection, &patterns));
        }
        let fewest = found.iter().map(|fact| fact.keys.len()).min().unwrap_or(0);
        found.retain(|fact| fact.keys.len() == fewest);
        // `select` sorts by basis, so the first fact of equal keys has the strongest.
        let mut rows: BTreeMap<&Keys, &Fact> = BTreeMap::new();
        for fact in &found {
            rows.entry(&fact.keys).or_insert(fact);
        }
        let running = running(selection);
        let mut series = Series { running, rows: Vec::new() };
        for fact in rows.values() {
            let basis = Basis::from(fact.basis);
            trace.note(basis, || Link {
                source: about.id.into(),
                measure: fact.measure.into(),
                keys: fact.keys.clone(),
            });
            let keys =
                series.running.iter().filter_map(|key| Some((key.clone(), fact.keys.get(key)?.clone()))).collect();
            series.rows.push(SeriesRow { keys, value: quantity(fact) });
        }
        distinct(series, selection)
    }

    /// Why no fact fits: a word that the statistic does not know is a mistake; a statistic that says about
    /// these keys why it is undefined gives the reason; everything else is missing.
    fn absent(&self, about: &About, selection: &Selection, patterns: &[(String, Pattern)]) -> Trouble {
        if !about.measures.iter().any(|(measure, _)| *measure == selection.measure) {
            let near = did_you_mean(&selection.measure, about.measures.iter().map(|(measure, _)| *measure));
            return Trouble::Mistake(format!("`{}` has no measure `{}`{near}", about.id, selection.measure));
        }
        if let Some((key, _)) = selection.keys.iter().find(|(key, _)| !about.keys.iter().any(|doc| doc.key == key)) {
            let near = did_you_mean(key, about.keys.iter().map(|doc| doc.key));
            return Trouble::Mistake(format!("the facts of `{}` have no key `{key}`{near}", about.id));
        }
        let compatible = |fact: &Fact| {
            fact.keys.iter().all(|(key, value)| {
                patterns.iter().find(|(name, _)| name == key).is_none_or(|(_, pattern)| accepts(pattern, value))
            })
        };
        let reason = self.undefined.get(about.id).into_iter().flatten().find(|(fact, _)| compatible(fact));
        match reason {
            Some((_, reason)) => Trouble::Undefined((*reason).to_owned()),
            None => Trouble::NoFact(format!("{}.{}", about.id, selection.measure)),
        }
    }

    fn cells(&self, id: &str, selection: &Selection, trace: &mut Trace) -> Result<Series, Trouble> {
        let table =
            self.published(id).ok_or_else(|| Trouble::NoTable(format!("the published table {id} is absent")))?;
        let patterns = self.patterns(selection)?;
        if let Some((key, _)) = patterns.iter().find(|(key, _)| table.column(key).is_none()) {
            return Err(Trouble::Mistake(format!("the published table {id} has no column `{key}`")));
        }
        let column = table.column(&selection.measure);
        if column.is_none() && selection.measure != "rows" {
            return Err(Trouble::Mistake(format!("the published table {id} has no column `{}`", selection.measure)));
        }
        let running = running(selection);
        let mut series = Series { running, rows: Vec::new() };
        for row in 0..table.len() {
            let text = |key: &str| {
                let cell = table.cell(row, table.column(key)?)?;
                Some(if key == "model" { self.sources.configuration(cell) } else { cell })
            };
            if !fits(&patterns, text) {
                continue;
            }
            let value = match column {
                Some(column) => table.number(row, column),
                None => Ok(Quantity::exact(1.0)),
            };
            let keys: Keys =
                series.running.iter().filter_map(|key| Some((key.clone(), text(key)?.to_owned()))).collect();
            trace.note(Basis::Published, || Link {
                source: format!("published:{id}"),
                measure: selection.measure.clone(),
                keys: patterns.iter().filter_map(|(key, _)| Some((key.clone(), text(key)?.to_owned()))).collect(),
            });
            series.rows.push(SeriesRow { keys, value });
        }
        if series.rows.is_empty() {
            return Err(Trouble::NoTable(format!("no row of a published table fits {selection}")));
        }
        series.rows.sort_by(|a, b| a.keys.cmp(&b.keys));
        distinct(series, selection)
    }

    fn patterns(&self, selection: &Selection) -> Result<Vec<(String, Pattern)>, Trouble> {
        selection.keys.iter().map(|(key, pattern)| Ok((key.clone(), self.sources.expand(pattern)?))).collect()
    }
}

impl Look for Finder<'_> {
    fn select(&self, selection: &Selection, trace: &mut Trace) -> Result<Series, Trouble> {
        match &selection.table {
            Origin::Statistic(id) => self.facts(id, selection, trace),
            Origin::Published(id) => self.cells(id, selection, trace),
        }
    }
}

fn running(selection: &Selection) -> Vec<String> {
    selection.keys.iter().filter(|(_, pattern)| pattern.runs()).map(|(key, _)| key.clone()).collect()
}

fn fixed<'p>(key: &'p str, pattern: &'p Pattern) -> Option<(&'p str, &'p str)> {
    match pattern {
        Pattern::OneOf(words) if words.len() == 1 => Some((key, &words[0])),
        _ => None,
    }
}

fn fits<'t>(patterns: &[(String, Pattern)], text: impl Fn(&str) -> Option<&'t str>) -> bool {
    patterns.iter().all(|(key, pattern)| text(key).is_some_and(|value| accepts(pattern, value)))
}

fn accepts(pattern: &Pattern, value: &str) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::OneOf(words) => words.iter().any(|word| word == value),
        Pattern::NoneOf(words) => words.iter().all(|word| word != value),
    }
}

/// A series must tell its rows apart by the keys that run.
fn distinct(series: Series, selection: &Selection) -> Result<Series, Trouble> {
    let keys: BTreeSet<&Keys> = series.rows.iter().map(|row| &row.keys).collect();
    if keys.len() == series.rows.len() {
        return Ok(series);
    }
    let count = series.rows.len();
    Err(Trouble::Mistake(format!("{count} values fit {selection}; name one more key, or let it run with `=*`")))
}

fn quantity(fact: &Fact) -> Result<Quantity, String> {
    match &fact.estimate {
        statistics::Estimate::Value { value, count, interval } => Ok(Quantity {
            count: *count,
            interval: interval.map(|interval| (interval.low, interval.high)),
            ..Quantity::exact(*value)
        }),
        statistics::Estimate::Undefined(reason) => Err(reason.clone()),
    }
}
