//! The last stage: what goes into the deposit.

use serde::{Deserialize, Serialize};

use super::{Earlier, Evaluated, Given};
use crate::bundle::{Archived, BundleContents};
use crate::diff::Named;
use crate::metadata::Step;
use crate::report::Finding;
use crate::site::Transcripts;
use crate::study::{Author, Identity};
use crate::tree::{Content, Tree, TreeError};
use crate::world::{Entry, Source};

/// Folder inside the results of a deposit that keeps ledgers which stood beside the study.
const LEDGERS: &str = "ledgers";

/// The lock file this tool was built from.
const LOCK: &str = include_str!("../../Cargo.lock");

/// Ledger, statistics, findings and claims as files: the data folder of a rendered site, and the ledgers
/// that are not inside the study.
pub fn results(evaluated: &Evaluated, source: &dyn Source, site: &Tree) -> Result<Tree, TreeError> {
    let mut results = Tree::default();
    for (path, content) in site.iter() {
        if let (Some(short), Content::Bytes(bytes)) = (path.strip_prefix("data/"), content) {
            results.add(short, bytes.to_vec())?;
        }
    }
    for (path, bytes) in outside(&evaluated.given, source) {
        results.add(kept_ledger(path), bytes.clone())?;
    }
    Ok(results)
}

/// Where the results of a deposit keep a ledger that stood outside the study: its path may be any text.
pub fn kept_ledger(path: &str) -> String {
    format!("{LEDGERS}/{}", crate::slug::file_name(path))
}

/// Ledgers that were read from outside the study and are ledgers. Whatever else was named as one stays where it
/// is.
fn outside<'g>(given: &'g Given, source: &'g dyn Source) -> impl Iterator<Item = &'g (String, Vec<u8>)> {
    given.ledgers.iter().filter(|(path, bytes)| !source.exists(path) && crate::claims::is_ledger(path, bytes))
}

/// The identity as a deposit states it, with words for what nobody has stated.
pub fn dated(identity: &Identity) -> Identity {
    stated(identity.clone())
}

/// The identity with words for what nobody has stated, because catalogues accept no gaps: each says that it is unknown,
/// and so does the description.
fn stated(mut identity: Identity) -> Identity {
    let unstated = identity.unstated();
    if unstated.is_empty() {
        return identity;
    }
    let words = unstated.join(", ");
    identity.description = format!(
        "{} Not stated by the archive, and to be filled in before it is deposited: {words}.",
        identity.description
    );
    for part in unstated {
        match part {
            "authors" => identity.authors.push(Author {
                family: "Unknown (not stated)".to_owned(),
                given: None,
                orcid: None,
                affiliation: None,
            }),
            "licence" => "LicenseRef-not-stated".clone_into(&mut identity.licence),
            _ => UNKNOWN_DAY.clone_into(&mut identity.date),
        }
    }
    identity
}

/// The day that stands for an unknown one, the first that every catalogue can write.
const UNKNOWN_DAY: &str = "1970-01-01";

/// With what choices a version was published, as its deposit keeps them: without them it could not be made again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Publication {
    /// Which records have pages: `all`, `failures` or `none`.
    pub transcripts: String,
    /// True when the tokens of archived texts were recounted.
    pub tokens: bool,
    /// Names of ledgers that were given beside the study, in that order.
    pub ledgers: Vec<String>,
    /// The version that the page of changes compares with.
    pub compared_with: Option<Named>,
    /// Why there is none.
    pub no_earlier: Option<String>,
}

impl Publication {
    /// The choices behind an evaluated study.
    pub fn new(evaluated: &Evaluated, earlier: &Earlier, transcripts: Transcripts, tokens: bool) -> Self {
        let given = &evaluated.given;
        let declared = |path: &str| given.study.claims.iter().any(|claims| claims.path == path);
        let (compared_with, no_earlier) = match earlier {
            Earlier::None(why) => (None, Some(why.clone())),
            Earlier::Version(snapshot) => (Some(snapshot.named.clone()), None),
        };
        let word = match transcripts {
            Transcripts::All => "all",
            Transcripts::Failures => "failures",
            Transcripts::None => "none",
        };
        Self {
            transcripts: word.to_owned(),
            tokens,
            ledgers: given.ledgers.iter().map(|(path, _)| path.clone()).filter(|path| !declared(path)).collect(),
            compared_with,
            no_earlier,
        }
    }

    /// The choices in the environment file of a deposit.
    pub fn of(environment: &serde_json::Value) -> Option<Self> {
        serde_json::from_value(environment.get("publication")?.clone()).ok()
    }

    /// Which records have pages.
    pub fn transcripts(&self) -> Transcripts {
        match self.transcripts.as_str() {
            "failures" => Transcripts::Failures,
            "none" => Transcripts::None,
            _ => Transcripts::All,
        }
    }
}

/// Everything that goes into the bundle; the study's files themselves, or their digests when they are not
/// to be `inside`.
pub fn contents(
    evaluated: &Evaluated,
    source: &dyn Source,
    results: Tree,
    site: Tree,
    inside: bool,
    publication: &Publication,
) -> std::io::Result<BundleContents> {
    let files = &evaluated.given.files;
    Ok(BundleContents {
        archive: if inside { Archived::Files(readable(source, evaluated)?) } else { Archived::Digests(files.clone()) },
        scanned: Some(files.clone()),
        steps: steps(&results),
        results,
        site,
        schemas: schemas(),
        environment: serde_json::json!({
            "engines": evaluated.ledger.engines,
            "cpu-seconds": evaluated.given.study.grading.cpu_seconds,
            "publication": publication,
        }),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        lock: LOCK.to_owned(),
    })
}

/// The files as they are listed now, without those that were told to be unreadable when the study was read: a
/// deposit cannot hold them.
fn readable(source: &dyn Source, evaluated: &Evaluated) -> std::io::Result<Vec<Entry>> {
    let told = |path: &str| {
        let of = |finding: &&Finding| finding.code == "unreadable-file" && finding.place.file.as_deref() == Some(path);
        let known = evaluated.given.files.iter().any(|(known, ..)| known == path);
        !known && evaluated.given.findings.iter().any(|finding| of(&finding))
    };
    let mut entries = source.entries()?;
    entries.retain(|entry| !entry.regular || !told(&entry.path));
    Ok(entries)
}

/// What was done, in order, and what each step read and made.
fn steps(results: &Tree) -> Vec<Step> {
    let below = |name: &str| format!("results/{name}");
    let tables: Vec<String> =
        results.iter().map(|(path, _)| path).filter(|path| path.ends_with(".csv")).map(below).collect();
    let step = |id: &str, title: &str, reads: &[&str], makes: Vec<String>| Step {
        id: id.to_owned(),
        title: title.to_owned(),
        reads: reads.iter().map(|path| (*path).to_owned()).collect(),
        makes: makes.into_iter().filter(|path| results.get(path.trim_start_matches("results/")).is_some()).collect(),
        failure: None,
    };
    let statistics = [vec![below("facts.json")], tables].concat();
    let mut steps = vec![
        step("verify", "Check integrity, execute and grade again", &["archive/"], vec![below("ledger.json")]),
        step("statistics", "Recompute every statistic from records", &["archive/"], statistics),
        step("claims", "Judge every printed number", &["results/facts.json"], vec![below("judgements.json")]),
    ];
    steps.push(Step {
        id: "site".to_owned(),
        title: "Render the site".to_owned(),
        reads: vec!["results/facts.json".to_owned()],
        makes: vec!["site/".to_owned()],
        failure: None,
    });
    // Without a ledger nothing is judged.
    steps.retain(|step| !step.makes.is_empty());
    steps
}

/// JSON Schemas of the formats, embedded so that a deposit explains itself.
fn schemas() -> Tree {
    let mut tree = Tree::default();
    for (name, text) in SCHEMAS {
        // The names are constants without folders, so they cannot clash or leave the tree.
        let _ = tree.add(*name, *text);
    }
    tree
}

const SCHEMAS: &[(&str, &str)] = &[
    ("claims.schema.json", include_str!("../../docs/schemas/claims.schema.json")),
    ("evaluation.schema.json", include_str!("../../docs/schemas/evaluation.schema.json")),
    ("problems.schema.json", include_str!("../../docs/schemas/problems.schema.json")),
    ("run.schema.json", include_str!("../../docs/schemas/run.schema.json")),
    ("study.schema.json", include_str!("../../docs/schemas/study.schema.json")),
];
