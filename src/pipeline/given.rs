//! The first stage: everything given, read once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Declaration, notes, recognise, slips};
use crate::archive::{Archive, ArchiveError, AttemptText, Memory, Record, RunKey, Selection, Store};
use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::documents;
use crate::packs;
use crate::report::{Finding, Findings, Place};
use crate::statistics::Readings;
use crate::statistics::readings::{CODEC, Counting, measure};
use crate::study::{Study, StudyError};
use crate::world::{ChangedWhileRead, Entry, Progress, Source, Unit};

/// A study as it was read.
#[derive(Debug)]
pub struct Given {
    /// What it declares.
    pub study: Study,
    /// What was assumed, for a study without a declaration.
    pub assumed: Vec<String>,
    /// The questions.
    pub corpus: Corpus,
    /// The records.
    pub archive: Archive,
    /// What the texts said, by run and record.
    pub readings: Vec<Vec<Readings>>,
    /// CSV tables that came with the study, by file name without extension.
    pub published: BTreeMap<String, String>,
    /// Documents of the study: path and Markdown text, in declared order.
    pub documents: Vec<(String, String)>,
    /// Claims ledgers: path and bytes, in declared order, then those of the command line that are others.
    pub ledgers: Vec<(String, Vec<u8>)>,
    /// Bindings that the study brings itself: path of the ledger they are for, and their text.
    pub bindings: Vec<(String, String)>,
    /// Digest over path and digest of every regular file of the study.
    pub digest: Digest,
    /// Every regular file: path, bytes and SHA-256, sorted by path.
    pub files: Vec<(String, u64, Digest)>,
    /// How many run files were read, and of how many the reading was remembered.
    pub run_files: RunFiles,
    /// What there is to say about the files.
    pub findings: Findings,
}

/// Why a study cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not recognised, or its declaration cannot be used.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Its files cannot be listed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file cannot be listed or read.
    #[error("{path} cannot be read: {error}")]
    Io {
        /// File or folder.
        path: String,
        /// What happened.
        error: std::io::Error,
    },
    /// The declaration is fine, but there is nothing to check.
    #[error("{name} holds no problem and no record that could be read")]
    Nothing {
        /// Name of the source.
        name: String,
    },
}

/// What may be used from outside the study.
pub struct Outside<'a> {
    /// Ledgers named on the command line: name and bytes.
    pub named: Vec<(String, Vec<u8>)>,
    /// A file beside the study that the study names but does not hold; `None` when there is none or
    /// nothing outside may be used.
    pub beside: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// Where readings of run files are remembered, and the digest of the program that reads.
    pub memory: Option<(&'a dyn Store, Digest)>,
}

/// How the run files of a study came to their records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunFiles {
    /// Files that were hashed, and whose reading was remembered by their digest.
    pub remembered: u64,
    /// Files that were read.
    pub read: u64,
}

/// Reads a study: declaration, problem sets, records, tables, documents and ledgers.
pub fn read(
    source: &dyn Source,
    counting: Counting,
    outside: &Outside<'_>,
    progress: &dyn Progress,
) -> Result<Given, ReadError> {
    let Declaration { study, assumed } = recognise(source)?;
    let selection = Selection { texts: counting.texts(), only: None };
    let measured = |run: &RunKey, record: &Record, texts: &[AttemptText<'_>]| {
        let note = notes::expected(&study, run, record, texts);
        Readings { note, ..measure(&study, run, record, texts, counting) }
    };
    let memory = outside.memory.as_ref().map(|(store, maker)| {
        let maker = Digest::of_parts([maker.as_bytes().as_slice(), &[u8::from(counting.tokens)]]);
        Memory::new(*store, CODEC, &maker, &study)
    });
    let (corpus, archive, readings, mut findings) =
        packs::formats().read_remembering(source, &study, selection, progress, &measured, memory.as_ref())?;
    let remembered = memory.as_ref().map_or(0, Memory::remembered);
    let run_files = RunFiles { remembered, read: (archive.runs.len() as u64).saturating_sub(remembered) };
    findings.extend(notes::told(&study, &corpus, &archive, &readings));
    findings.extend(rebuilt(&archive));
    findings.extend(unstated(&study, &assumed));
    let published = tables(source, &study, &mut findings)?;
    for table in study.published.iter().filter(|table| !source.exists(&table.path)) {
        let code = if table.optional { "optional-absent" } else { "missing-file" };
        let place = Place::file(&table.path).with_subject(&table.table);
        findings.push(Finding::new(code, place, "a published table that the study declares is absent"));
    }
    let documents = declared_documents(source, &study, &mut findings)?;
    for (path, _) in documents.iter().filter(|(_, text)| text.trim().is_empty()) {
        findings.push(Finding::new("empty-file", Place::file(path), "the document holds no text"));
    }
    let named = study.claims.iter().filter_map(|claims| Some((&claims.path, claims.bindings.as_deref()?)));
    let mut bindings = Vec::new();
    for (ledger, path) in named {
        let read = texts(source, std::iter::once(path), &mut findings);
        bindings.extend(read.into_iter().map(|(_, text)| (ledger.clone(), text)));
    }
    let mut ledgers = Vec::new();
    for claims in &study.claims {
        match source.read(&claims.path).or_else(|error| (outside.beside)(&claims.path).ok_or(error)) {
            Ok(bytes) => ledgers.push((claims.path.clone(), bytes)),
            Err(_) if claims.optional => {}
            Err(error) => findings.push(Finding::unread(Place::file(&claims.path), &error)),
        }
    }
    for (name, bytes) in &outside.named {
        // A ledger that the study has already brought, or that was named twice, is judged once.
        if ledgers.iter().all(|(_, known)| known != bytes) {
            ledgers.push((name.clone(), bytes.clone()));
        }
    }
    let asked = !corpus.sets.is_empty() || !archive.runs.is_empty() || !archive.transcripts.is_empty();
    // Printed counts, or files that analyses read, are a study too: claims and statistics rest on them.
    if !asked
        && archive.materials.is_empty()
        && archive.summaries.is_empty()
        && archive.recounts.is_empty()
        && ledgers.is_empty()
    {
        return Err(ReadError::Nothing { name: source.name().to_owned() });
    }
    let files = digests_of(source, &corpus, &archive, &mut findings, progress)?;
    let findings = slips::named(source, &study, findings);
    let digest = digest_of(&files);
    Ok(Given {
        study,
        assumed,
        corpus,
        archive,
        readings,
        published,
        documents,
        ledgers,
        bindings,
        digest,
        files,
        run_files,
        findings,
    })
}

/// One remark per stated provenance: how many runs carry it.
fn rebuilt(archive: &Archive) -> Vec<Finding> {
    let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
    for text in archive.rebuilt().filter_map(|run| run.declared.provenance.as_deref()) {
        *runs.entry(text).or_insert(0) += 1;
    }
    let all = archive.runs.len();
    let say = |(text, count): (&str, usize)| {
        Finding::new(
            "rebuilt-runs",
            Place::subject(text),
            format!("{count} of {all} runs were not recorded but rebuilt"),
        )
    };
    runs.into_iter().map(say).collect()
}

/// What was assumed for a study without a declaration, and what must be filled in before it is deposited.
fn unstated(study: &Study, assumed: &[String]) -> Vec<Finding> {
    let place = || Place::subject(study.study.id.as_str());
    let mut findings: Vec<Finding> = assumed
        .iter()
        .map(|line| Finding::new("assumed", place().with_subject(line), "no study.toml says it"))
        .collect();
    let unknown = study.study.unstated();
    if !unknown.is_empty() {
        let message = format!("not stated: {}", unknown.join(", "));
        findings.push(Finding::new("identity-unstated", place(), message));
    }
    findings
}

/// Every CSV file of the study by stem; declared tables win over others of the same name.
fn tables(source: &dyn Source, study: &Study, findings: &mut Findings) -> Result<BTreeMap<String, String>, ReadError> {
    let listed = source.entries().map_err(|error| ReadError::Io { path: source.name().to_owned(), error })?;
    let mut tables = BTreeMap::new();
    let is_table = |path: &str| path.rsplit_once('.').is_some_and(|(_, extension)| extension == "csv");
    // Files of records are no published tables, and may be larger than memory.
    let read = |path: &str| study.experiments.iter().any(|e| e.files.iter().any(|file| file.path == path));
    let fits = |entry: &&Entry| entry.regular && is_table(&entry.path) && !read(&entry.path);
    let others = listed.iter().filter(fits).map(|entry| entry.path.as_str());
    let declared = study.published.iter().filter(|table| source.exists(&table.path)).map(|table| table.path.as_str());
    for path in others.chain(declared) {
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".csv").to_owned();
        for (_, text) in texts(source, std::iter::once(path), findings) {
            tables.insert(stem.clone(), text);
        }
    }
    Ok(tables)
}

/// The texts of the documents that the study declares. A folder, with a slash behind its name, stands for all
/// documents below it; tables in it are data and no documents.
fn declared_documents(
    source: &dyn Source,
    study: &Study,
    findings: &mut Findings,
) -> Result<Vec<(String, String)>, ReadError> {
    let mut paths: Vec<String> = Vec::new();
    for declared in &study.documents {
        if !declared.ends_with('/') {
            paths.push(declared.clone());
            continue;
        }
        let listed = source.entries().map_err(|error| ReadError::Io { path: source.name().to_owned(), error })?;
        let is_document = |path: &str| documents::form_of(path).is_some_and(|form| form != documents::Form::Csv);
        let below = listed.into_iter().filter(|entry| entry.regular && entry.path.starts_with(declared.as_str()));
        paths.extend(below.map(|entry| entry.path).filter(|path| is_document(path)));
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    let mut read = Vec::new();
    let included = RefCell::new(BTreeSet::new());
    for path in paths {
        let beside = |name: &str| {
            let file = included_path(&path, name)?;
            let bytes = source.read(&file).ok()?;
            included.borrow_mut().insert(file);
            Some(bytes)
        };
        let text = match source.read(&path) {
            Ok(bytes) => documents::text(&path, &bytes, &beside),
            Err(error) => Err(Finding::unread(Place::file(&path), &error)),
        };
        match text {
            Ok(text) => read.push((path, text)),
            Err(finding) => findings.push(finding),
        }
    }
    // What is a part of another document is read there, unless it is declared by its own name.
    let included = included.into_inner();
    read.retain(|(path, _)| !included.contains(path) || study.documents.contains(path));
    Ok(read)
}

/// The path of a file that a document includes: beside it or below, never elsewhere.
fn included_path(document: &str, name: &str) -> Option<String> {
    let climbs =
        name.starts_with(['/', '\\']) || name.contains(':') || name.split(['/', '\\']).any(|part| part == "..");
    let name = name.trim_start_matches("./");
    (!climbs && !name.is_empty()).then(|| match document.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    })
}

/// Text files; one that is not UTF-8 or not there is a finding.
fn texts<'a>(
    source: &dyn Source,
    paths: impl Iterator<Item = &'a str>,
    findings: &mut Findings,
) -> Vec<(String, String)> {
    let mut read = Vec::new();
    for path in paths {
        match source.read(path).map(String::from_utf8) {
            Ok(Ok(text)) => read.push((path.to_owned(), text)),
            Ok(Err(error)) => {
                let byte = error.utf8_error().valid_up_to();
                findings.push(Finding::new("not-utf8", Place::file(path).with_byte(byte), "the text is not UTF-8"));
            }
            Err(error) => findings.push(Finding::unread(Place::file(path), &error)),
        }
    }
    read
}

/// Path, bytes and digest of every regular file that can be read. Files that a stage has already hashed are not read again.
fn digests_of(
    source: &dyn Source,
    corpus: &Corpus,
    archive: &Archive,
    findings: &mut Findings,
    progress: &dyn Progress,
) -> Result<Vec<(String, u64, Digest)>, ReadError> {
    let mut known: BTreeMap<&str, Digest> = BTreeMap::new();
    // A file that could not be read to its end has no digest yet.
    let nothing = Digest::of(b"");
    let sets = corpus.sets.iter().map(|set| (set.path.as_str(), set.digest));
    let runs = archive.runs.iter().map(|run| (run.path.as_str(), run.digest));
    known.extend(sets.chain(runs).filter(|(_, digest)| *digest != nothing));
    let entries = source.entries().map_err(|error| ReadError::Io { path: source.name().to_owned(), error })?;
    let regular: Vec<_> = entries.into_iter().filter(|entry| entry.regular).collect();
    progress.begin_in(Unit::Files, "hashing", regular.len() as u64);
    let mut files = Vec::with_capacity(regular.len());
    for entry in regular {
        progress.advance(1);
        let digest = match known.get(entry.path.as_str()) {
            Some(digest) => Ok(*digest),
            None => source.open_as_stored(&entry.path).and_then(|mut file| Digest::of_reader(&mut file)),
        };
        match digest {
            Ok(digest) => files.push((entry.path, entry.bytes, digest)),
            // A file that did not hold still spoils the digest of the whole; one that cannot be read costs itself.
            Err(error) if ChangedWhileRead::is(&error) => return Err(ReadError::Io { path: entry.path, error }),
            Err(error) => findings.push(Finding::unread(Place::file(&entry.path), &error)),
        }
    }
    progress.finish();
    Ok(files)
}

/// Digest over path and digest of every file.
fn digest_of(files: &[(String, u64, Digest)]) -> Digest {
    let mut parts: Vec<u8> = Vec::new();
    for (path, _, digest) in files {
        parts.extend_from_slice(path.as_bytes());
        parts.push(0);
        parts.extend_from_slice(digest.as_bytes());
    }
    Digest::of(&parts)
}
