//! Packs: what exists in one study only.
//!
//! A pack is a value: a built-in declaration, statistics, bindings of claims and pages. It uses the core
//! as any study would, and the core never names one: what packs register is put together here with what
//! the core registers, and handed down as values. Most studies need no pack. Adding one is a folder and a
//! line in [`ALL`].

mod atmoscoder;
#[cfg(test)]
mod contract;
mod mechanical_limits;
mod scicode_verified;

use std::sync::LazyLock;

use crate::archive::Materials;
use crate::engine::Engine;
use crate::formats::{self, Format, Formats};
use crate::grade::graders::{self, Grader, Graders};
use crate::site::{self, Page};
use crate::statistics::{self, About, Evidence, Output, Statistic};
use crate::study::{self, Objection, Recognised, Study, StudyError};
use crate::verify::Means;
use crate::world::Source;

/// What a study brings beyond its declaration.
pub struct Pack {
    /// Name, as `[[analysis]]` of a declaration and the folder have it.
    pub id: &'static str,
    /// Text of a built-in declaration with the signs by which its folder is recognised.
    pub profile: Option<&'static str>,
    /// Formats of its files, tried before those of the core.
    pub formats: &'static [&'static dyn Format],
    /// Graders of its answers, asked before those of the core.
    pub graders: &'static [&'static dyn Grader],
    /// Statistics, in the order of the methods page.
    pub statistics: &'static [&'static dyn Statistic],
    /// Bindings of claims: the dialect of the ledgers they are for, and the text of the file.
    pub bindings: &'static [(&'static str, &'static str)],
    /// Words for its statistics, by which numbers of documents are bound: texts of vocabularies.
    pub words: &'static [&'static str],
    /// Pages, in the order of the navigation.
    pub(crate) pages: &'static [&'static dyn Page],
    /// Columns of tables and keys of facts that hold ids of problems, with what completes them.
    pub problem_columns: &'static [(&'static str, &'static [&'static str])],
    /// What is wrong with the pack's options in a declaration, one sentence each.
    pub check: fn(&Study) -> Vec<String>,
}

/// A statistic of a pack that says nothing at all about studies of another kind.
struct When<S>(fn(&Materials) -> bool, S);

impl<S: Statistic> Statistic for When<S> {
    fn about(&self) -> &'static About {
        self.1.about()
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        if (self.0)(&evidence.archive.materials) { self.1.compute(evidence) } else { Output::default() }
    }
}

/// Every pack.
pub const ALL: &[&Pack] = &[&atmoscoder::PACK, &scicode_verified::PACK, &mechanical_limits::PACK];

/// Built-in declarations by name.
pub fn profiles() -> Vec<(&'static str, &'static str)> {
    ALL.iter().filter_map(|pack| Some((pack.id, pack.profile?))).collect()
}

/// Every statistic: the generic ones, then those of the packs.
pub fn statistics() -> Vec<&'static dyn Statistic> {
    statistics::ALL.iter().chain(ALL.iter().flat_map(|pack| pack.statistics)).copied().collect()
}

/// Every format: those of the packs, which know their own files best, then the generic ones.
pub fn formats() -> Formats<'static> {
    static FORMATS: LazyLock<Vec<&'static dyn Format>> =
        LazyLock::new(|| ALL.iter().flat_map(|pack| pack.formats).chain(formats::ALL).copied().collect());
    Formats(&FORMATS)
}

/// Every grader, likewise.
pub fn graders() -> Graders<'static> {
    static GRADERS: LazyLock<Vec<&'static dyn Grader>> =
        LazyLock::new(|| ALL.iter().flat_map(|pack| pack.graders).chain(graders::ALL).copied().collect());
    Graders(&GRADERS)
}

/// What a verification works with, on some engines.
pub fn means<'a>(engines: &'a [&'a dyn Engine]) -> Means<'a> {
    Means { engines, graders: graders(), formats: formats() }
}

/// All bindings of claims: dialect and text.
pub fn bindings() -> Vec<(&'static str, &'static str)> {
    ALL.iter().flat_map(|pack| pack.bindings).copied().collect()
}

/// The vocabularies of all packs.
pub fn words() -> Vec<&'static str> {
    ALL.iter().flat_map(|pack| pack.words).copied().collect()
}

/// What a site is made of: every statistic it explains and every kind of page.
pub fn registry() -> &'static site::Registry {
    static REGISTRY: LazyLock<site::Registry> = LazyLock::new(|| {
        let pages = site::PAGES.iter().chain(ALL.iter().flat_map(|pack| pack.pages)).copied().collect();
        let problem_columns = ALL.iter().flat_map(|pack| pack.problem_columns).copied().collect();
        site::Registry { statistics: statistics(), problem_columns, pages }
    });
    &REGISTRY
}

/// Computes the statistics that the study asks for: those it lists by id, or every registered one.
pub fn compute_all(evidence: &Evidence<'_>) -> Output {
    statistics::compute_all(evidence, &statistics())
}

/// Recognises a folder or bundle by its declaration, or by the built-in ones.
///
/// # Errors
/// As [`study::recognise`].
pub fn recognise(source: &dyn Source) -> Result<Recognised, StudyError> {
    let recognised = study::recognise(source, &profiles())?;
    let objections = options(&recognised.study);
    if objections.is_empty() {
        return Ok(recognised);
    }
    Err(StudyError::Manifest { name: source.name().to_owned(), objections })
}

/// Objections to graders that nobody knows.
fn unknown_graders(study: &Study) -> Vec<Objection> {
    let named = |(at, set): (usize, &study::ProblemSet)| {
        let name = set.grader.as_deref().filter(|name| graders().find(name).is_none())?;
        let known: Vec<&str> = graders().0.iter().map(|grader| grader.id()).collect();
        Some(Objection {
            key: format!("set[{at}].grader"),
            line: None,
            message: format!("no grader is called {name}"),
            remedy: format!("Graders: {}.", known.join(", ")),
        })
    };
    study.sets.iter().enumerate().filter_map(named).collect()
}

/// Objections to the options of packs.
fn options(study: &Study) -> Vec<Objection> {
    let objection = |at: usize, message: String, remedy: &str| Objection {
        key: format!("analysis[{at}]"),
        line: None,
        message,
        remedy: remedy.to_owned(),
    };
    let mut objections = unknown_graders(study);
    for (at, analysis) in study.analysis.iter().enumerate() {
        let Some(named) = &analysis.pack else { continue };
        if ALL.iter().all(|pack| pack.id != named) {
            let known: Vec<&str> = ALL.iter().map(|pack| pack.id).collect();
            objections.push(objection(
                at,
                format!("no pack is called {named}"),
                &format!("Packs: {}.", known.join(", ")),
            ));
        }
    }
    for pack in ALL {
        let meant = |named: &Option<String>| named.as_deref().is_none_or(|named| named == pack.id);
        let Some(at) = study.analysis.iter().position(|analysis| meant(&analysis.pack)) else { continue };
        let wrong = (pack.check)(study);
        objections.extend(wrong.into_iter().map(|message| objection(at, message, "Correct or remove the option.")));
    }
    objections
}
