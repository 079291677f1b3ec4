//! A deposit against itself: everything in it that the tool made is made again from the study inside and
//! compared, page by page. What cannot be made again is said.

use std::path::Path;

use super::chain::Chain;
use super::exit::Exit;
use super::{deposit, publish};
use crate::bundle::{self, BuildOptions, BundleSource};
use crate::diff::{Snapshot, compare};
use crate::metadata::Record;
use crate::pipeline::{Earlier, Publication, contents, dated, render, results, snapshot};
use crate::report::{Finding, Findings, Place, Severity};
use crate::site::Options;
use crate::tree::Tree;
use crate::world::Source;

/// What comparing a deposit with its study gave.
#[derive(Debug, Default)]
pub(super) struct Recomputed {
    pub(super) findings: Vec<Finding>,
    /// A line of the summary.
    pub(super) line: String,
    /// Files that were compared byte by byte.
    pub(super) files: usize,
}

/// Compares what the deposit at `path` says with what was recomputed from the study.
pub(super) fn run(chain: &mut Chain, path: &Path) -> Result<Recomputed, Exit> {
    let failed = |error: &bundle::BundleError| deposit::explain(error);
    let payload = BundleSource::open_payload(path).map_err(|error| failed(&error))?;
    let record: Option<Record> = json(&payload, "metadata/record.json");
    let environment: Option<serde_json::Value> = json(&payload, "provenance/environment.json");
    let (Some(record), Some(environment)) = (record, environment) else {
        return Ok(not_compared("it does not say by which tool and with what it was made".to_owned()));
    };
    let Some(publication) = Publication::of(&environment) else {
        let tool = &record.tool_version;
        return values(
            chain,
            &payload,
            format!("it was written by repro {tool}, which did not say with which options"),
        );
    };
    if record.tool_version != env!("CARGO_PKG_VERSION") {
        let (tool, own) = (&record.tool_version, env!("CARGO_PKG_VERSION"));
        return values(chain, &payload, format!("it was written by repro {tool}, and this is repro {own}"));
    }
    if environment["engines"] != serde_json::json!(chain.evaluated.ledger.engines) {
        return values(chain, &payload, "its programs were executed by other engines than now".to_owned());
    }
    if !record.archive.inside && !publication.ledgers.is_empty() {
        return Ok(not_compared("its ledgers were given beside the study, which is not inside".to_owned()));
    }
    add_findings_of_files_outside(chain, &payload);
    let made = made(chain, &record, &publication, &payload)?;
    let skip = |path: &str| publication.compared_with.is_some() && follows_from_another_version(path);
    let compared = bundle::compare(&made, path, &skip).map_err(|error| failed(&error))?;
    let mut findings = compared.findings;
    let mut line = format!("{} files made again, {} of them pages", compared.files, compared.pages);
    line.push_str(&match findings.len() {
        0 => ", all as deposited".to_owned(),
        n => format!(", {n} not as deposited"),
    });
    if let Some(named) = &publication.compared_with {
        let message = format!(
            "the pages of changes were made with version {}, which is not inside; they were not compared",
            named.version
        );
        findings.push(Finding::new("deposit-not-compared", Place::file("data/site/changes/"), message));
    }
    Ok(Recomputed { findings, line, files: compared.files })
}

fn json<T: serde::de::DeserializeOwned>(payload: &BundleSource, path: &str) -> Option<T> {
    serde_json::from_slice(&payload.read(path).ok()?).ok()
}

fn not_compared(why: String) -> Recomputed {
    let message = format!("what the deposit says was not compared with what follows from its study: {why}");
    let finding = Finding::new("deposit-not-compared", Place::default(), message);
    Recomputed { findings: vec![finding], line: format!("not compared: {why}"), files: 0 }
}

/// The plan of the deposit as this study gives it.
fn made(
    chain: &Chain,
    record: &Record,
    publication: &Publication,
    payload: &BundleSource,
) -> Result<bundle::BundlePlan, Exit> {
    let source = chain.opened.source.as_ref();
    let texts = publish::texts(chain, publication.transcripts())?;
    let none = Earlier::None(
        "No earlier version of this study was given or stands beside this one, so there is nothing to compare it with."
            .to_owned(),
    );
    let earlier = match publication.compared_with {
        // What these pages say is taken over and not compared.
        Some(_) => none,
        None => Earlier::None(publication.no_earlier.clone().unwrap_or_default()),
    };
    let rendered = render(&chain.evaluated, &texts, &earlier, Options { transcripts: publication.transcripts() });
    let rendered = rendered.map_err(|error| {
        super::complain(&format!("the site cannot be rendered: {error}"), "this is a fault of the tool; report it");
        Exit::CannotWrite
    })?;
    let broken = |what: String| {
        super::complain(&format!("the deposit cannot be made again: {what}"), "check the study inside");
        Exit::Unreadable
    };
    let site = match publication.compared_with {
        Some(_) => with_pages_of(&rendered.tree, payload).map_err(|error| broken(error.to_string()))?,
        None => rendered.tree,
    };
    let results = results(&chain.evaluated, source, &site).map_err(|error| broken(error.to_string()))?;
    let inside = record.archive.inside;
    let contents = contents(&chain.evaluated, source, results, site, inside, publication)
        .map_err(|error| broken(error.to_string()))?;
    let mut identity = dated(&chain.evaluated.given.study.study);
    // A DOI is set in a deposit after it was built.
    identity.doi = identity.doi.or_else(|| record.identity.doi.clone());
    let options = BuildOptions { epoch: Some(record.epoch), ro_crate: record.ro_crate };
    bundle::build(&identity, contents, &options).map_err(|error| deposit::explain(&error))
}

/// Pages and files that are made from another version, below `data/`.
fn follows_from_another_version(path: &str) -> bool {
    let below = path.strip_prefix("site/data/").or_else(|| path.strip_prefix("results/"));
    below.is_some_and(|file| matches!(file, "changes.csv" | "changes.json" | "index.json"))
        || path.starts_with("site/changes/")
        || path.starts_with("site/downloads/")
        || path == "site/index.html"
}

/// The tree with the deposit's own files where they are made from another version, so that what lists them can
/// be compared.
fn with_pages_of(tree: &Tree, payload: &BundleSource) -> std::io::Result<Tree> {
    let mut all = Tree::default();
    let add = |all: &mut Tree, path: &str, bytes: Vec<u8>| all.add(path, bytes).map_err(std::io::Error::other);
    for (path, _) in tree.iter().filter(|(path, _)| !follows_from_another_version(&format!("site/{path}"))) {
        add(&mut all, path, tree.bytes(path).unwrap_or_default().to_vec())?;
    }
    for entry in payload.entries()? {
        if let Some(path) = entry.path.strip_prefix("site/").filter(|_| follows_from_another_version(&entry.path)) {
            add(&mut all, path, payload.read(&entry.path)?)?;
        }
    }
    Ok(all)
}

/// What was said of files that could not be deposited: links, and files that nobody could read. Nothing inside
/// can show it again.
fn add_findings_of_files_outside(chain: &mut Chain, payload: &BundleSource) {
    let Some(said) = json::<Vec<serde_json::Value>>(payload, "results/findings.json") else { return };
    let known = |path: &str| chain.evaluated.given.files.iter().any(|(known, ..)| known == path);
    let mut outside = Findings::default();
    for finding in &said {
        let text = |name: &str| finding[name].as_str();
        let code = text("code").and_then(crate::report::code);
        let file = finding["place"]["file"].as_str();
        let (Some(code), Some(file), Some(message)) = (code, file, text("message")) else { continue };
        if matches!(code.code, "not-followed" | "unreadable-file") && !known(file) {
            outside.push(Finding::new(code.code, Place::file(file), message));
        }
    }
    chain.evaluated.findings.extend(outside.iter().cloned());
}

/// Values alone: problems, records, statistics and claims as the deposit says them against those that follow.
fn values(chain: &Chain, payload: &BundleSource, why: String) -> Result<Recomputed, Exit> {
    let said = payload.read("results/snapshot.json").ok().and_then(|text| Snapshot::parse(&text).ok());
    let Some(said) = said else { return Ok(not_compared(why)) };
    let difference = compare(&said, &snapshot(&chain.evaluated));
    let mut recomputed = not_compared(format!("{why}; pages, tables and verdicts were not compared, values were"));
    for (level, rows) in difference.levels() {
        // Another engine may give another value; that is told by the levels of verification.
        let counted = rows.iter().filter(|row| row.key.get(2).is_none_or(|basis| basis != "execution"));
        for row in counted {
            let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
            let message =
                format!("{level}: it says {:?} where {:?} follows from the study", side(&row.before), side(&row.after));
            let place =
                Place::file("data/results/snapshot.json").with_subject(format!("{} {}", row.subject, row.member));
            recomputed.findings.push(Finding::new("deposit-differs", place, message));
        }
    }
    let wrong = recomputed.findings.iter().filter(|finding| finding.severity > Severity::Note).count();
    recomputed.line = format!("values compared, {wrong} not as deposited; pages not compared: {why}");
    Ok(recomputed)
}
