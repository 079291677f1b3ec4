//! The six stages in order: archive, verify, statistics, claims, site, bundle.
//!
//! Each stage takes what the stages before it made and returns a value; none of them prints, and what
//! is wrong with the data travels as findings. [`evaluate`] is the sentence up to the claims, which every
//! command needs; `cli` adds the site and the bundle.

mod deposit;
mod found;
mod given;
mod notes;
mod recognised;
mod slips;
mod texts;
mod versions;

use crate::audits::{self, Audited};
use crate::claims::{self, Judgements};
use crate::documents;
use crate::engine::Engine;
use crate::issues::{self, Issues};
use crate::multiverse::{self, Survival};
use crate::packs;
use crate::report::{Finding, Findings, Place};
use crate::site::{Options, Rendered, SiteError, SiteInput, TextSource};
use crate::statistics::{self, Evidence, Facts};
use crate::table::Table;
use crate::verify::{Ladder, Level, LevelSummary, StreamError, Subject, Unchecked};
use crate::world::{Progress, Source};

pub use deposit::{Publication, contents, dated, kept_ledger, results};
pub use found::{LEDGER as FOUND, read as found_in};
pub use given::{Given, Outside, ReadError, RunFiles, read};
pub use recognised::{Declaration, recognise};
pub use texts::RunTexts;
pub use versions::{Earlier, named, snapshot, version_name};

/// Name and version of this tool, as pages and deposits state it.
pub const TOOL: &str = concat!("repro ", env!("CARGO_PKG_VERSION"));

/// Statistics of a study.
#[derive(Debug, Default)]
pub struct Computed {
    /// Single values.
    pub facts: Facts,
    /// Tables in published layout, sorted by id.
    pub tables: Vec<Table>,
    /// What the statistics had to say.
    pub findings: Findings,
}

/// Everything known about a study before it is shown.
pub struct Evaluated {
    /// What was read.
    pub given: Given,
    /// What execution and grading found, with levels L5 and L6 added.
    pub ledger: Ladder,
    /// What was recomputed.
    pub computed: Computed,
    /// What was judged.
    pub judgements: Judgements,
    /// The ledgers that it was judged by.
    pub claimed: Vec<claims::Ledger>,
    /// What audits saw that need no ledger.
    pub audits: Vec<Audited>,
    /// Everything any stage had to say.
    pub findings: Findings,
}

impl Evaluated {
    /// Everything there is to say, one issue once.
    pub fn issues(&self) -> Issues {
        self.issues_of(&self.findings)
    }

    /// The same for a list of findings that holds more, for example about the folder.
    pub fn issues_of(&self, findings: &Findings) -> Issues {
        let concerns: Vec<audits::Concern> = self.audits.iter().flat_map(Audited::concerns).collect();
        let known = packs::statistics();
        let (study, judgements) = (&self.given.study, &self.judgements);
        issues::of(&issues::Subject { study, judgements, findings, concerns: &concerns, known: &known })
    }
}

/// Verifies, computes and judges a study that was read.
///
/// # Errors
/// When an engine cannot go on; what was read wrongly is a finding.
pub fn evaluate(
    source: &dyn Source,
    given: Given,
    engines: &[&dyn Engine],
    progress: &dyn Progress,
) -> Result<Evaluated, StreamError> {
    let means = packs::means(engines);
    let subject = Subject { source, study: &given.study, corpus: &given.corpus, archive: &given.archive, means };
    let (mut ledger, verified) = crate::verify::verify(subject, progress)?;
    let computed = compute(&given, &ledger);
    let Claimed { ledgers: claimed, found, findings: read } = ledgers(&given, &computed);
    let (judgements, judged) = judge_by(&given, &computed, &claimed, &found);
    ledger.record(statistics_level(&computed, &judgements));
    if !judgements.claims.is_empty() {
        ledger.record(claims_level(&judgements));
    }
    let audits = audit(&given, &ledger, &computed, &judgements);
    let findings = [&given.findings, &verified, &computed.findings, &read, &judged];
    let findings = findings.into_iter().flat_map(Findings::iter).cloned();
    let findings = findings.chain(audits.iter().flat_map(Audited::findings)).collect();
    Ok(Evaluated { given, ledger, computed, judgements, claimed, audits, findings })
}

/// Computes every statistic from what was given and verified, and compares the tables with those the
/// study published.
pub fn compute(given: &Given, ledger: &Ladder) -> Computed {
    let output = packs::compute_all(&evidence(given, ledger));
    let mut tables = output.tables;
    tables.sort_by(|a, b| a.id.cmp(&b.id));
    Computed { facts: Facts::new(output.facts), tables, findings: output.findings.into_iter().collect() }
}

/// What statistics see of a study.
fn evidence<'a>(given: &'a Given, ledger: &'a Ladder) -> Evidence<'a> {
    Evidence {
        study: &given.study,
        corpus: &given.corpus,
        archive: &given.archive,
        readings: &given.readings,
        ledger,
        published: &given.published,
        boards: None,
    }
}

/// Reads the ledgers and judges their claims.
pub fn judge(given: &Given, computed: &Computed) -> (Judgements, Findings) {
    let Claimed { ledgers, found, mut findings } = ledgers(given, computed);
    let (judgements, told) = judge_by(given, computed, &ledgers, &found);
    findings.extend(told.iter().cloned());
    (judgements, findings)
}

/// What is claimed: ledgers, and the numbers of the documents, which say where claims stand.
struct Claimed {
    ledgers: Vec<claims::Ledger>,
    found: Vec<claims::words::Found>,
    findings: Findings,
}

/// Reads the ledgers. A study without a ledger and with documents is judged by the numbers of its documents, bound
/// by their words.
fn ledgers(given: &Given, computed: &Computed) -> Claimed {
    let mut findings = Findings::default();
    let mut ledgers = Vec::new();
    let (found, stated, told) = found::read(given, computed, &given.documents);
    findings.extend(told);
    if given.ledgers.is_empty()
        && !given.documents.is_empty()
        && let Ok(text) = claims::words::with_statements(&found, &stated, None)
    {
        let (ledger, told) = claims::read(found::LEDGER, text.as_bytes());
        findings.extend(told);
        ledgers.extend(Some(ledger).filter(|ledger| !ledger.claims.is_empty()));
    }
    for (path, bytes) in &given.ledgers {
        let (ledger, told) = claims::read(path, bytes);
        findings.extend(told);
        ledgers.push(ledger);
    }
    ledgers.extend(claims::declared(&given.study, &ledgers, &computed.tables, &given.published));
    Claimed { ledgers, found, findings }
}

/// What the claims of these ledgers are judged against, with the bindings that the study brings.
fn sources_for<'a>(given: &'a Given, computed: &'a Computed, ledgers: &[claims::Ledger]) -> claims::Sources<'a> {
    // Bindings of a study are for the dialect of the ledger that names them.
    let own = given.bindings.iter().filter_map(|(path, text)| {
        let ledger = ledgers.iter().find(|ledger| ledger.file == *path)?;
        Some((ledger.dialect.clone(), text.clone()))
    });
    sources(given, computed).with_bindings(own)
}

/// Judges the claims of these ledgers, and says where they stand among the numbers of the documents.
fn judge_by(
    given: &Given,
    computed: &Computed,
    ledgers: &[claims::Ledger],
    found: &[claims::words::Found],
) -> (Judgements, Findings) {
    let mut findings = Findings::default();
    let sources = sources_for(given, computed, ledgers);
    let mut judgements = claims::judge(ledgers, &sources);
    claims::words::add_hints(&mut judgements, &computed.facts);
    findings.extend(found::place(&mut judgements, &given.documents, found, &sources));
    findings.extend(judgements.findings.iter().cloned());
    findings.extend(unknown_headlines(given, &judgements));
    (judgements, findings)
}

/// Lets every audit look at what is known.
fn audit(given: &Given, ladder: &Ladder, computed: &Computed, judgements: &Judgements) -> Vec<Audited> {
    // What cannot be read as a document is told where its numbers are found.
    let read = |(path, text): &(String, String)| documents::parse(path, text).0;
    let documents: Vec<documents::Document> = given.documents.iter().filter_map(read).collect();
    let sources = sources(given, computed);
    audits::audit(&audits::Subject {
        study: &given.study,
        corpus: &given.corpus,
        ladder,
        judgements,
        sources: &sources,
        documents: &documents,
    })
}

/// Headlines that name no claim of a ledger that was read.
fn unknown_headlines(given: &Given, judgements: &Judgements) -> Vec<Finding> {
    let read = |path: &str| given.ledgers.iter().any(|(name, _)| name == path);
    let declared = given.study.claims.iter().filter(|claims| read(&claims.path));
    let unknown = declared.flat_map(|claims| {
        let missing = claims.headlines.iter().filter(|id| judgements.get(id).is_none());
        missing.map(|id| {
            let message = format!("the headline {id} is no claim of the ledger");
            Finding::new("bad-ledger", Place::file(&claims.path).with_subject(id), message)
        })
    });
    unknown.collect()
}

/// Judges the ledger of what was found in documents (their names and texts) in place of those that the study
/// brought.
pub fn judge_instead(
    evaluated: &mut Evaluated,
    (file, text): (&str, &str),
    documents: &[(String, String)],
    found: &[claims::words::Found],
) {
    let (ledger, told) = claims::read(file, text.as_bytes());
    evaluated.claimed = vec![ledger];
    let sources = sources(&evaluated.given, &evaluated.computed);
    let mut judgements = claims::judge(&evaluated.claimed, &sources);
    claims::words::add_hints(&mut judgements, &evaluated.computed.facts);
    let misplaced = found::place(&mut judgements, documents, found, &sources);
    let audited: Vec<&str> = evaluated.audits.iter().map(|audited| audited.about.code).collect();
    let own = |code: &str| code.starts_with("claim-") || code == "bad-ledger" || audited.contains(&code);
    let others: Vec<Finding> = evaluated.findings.iter().filter(|finding| !own(finding.code)).cloned().collect();
    evaluated.audits = audit(&evaluated.given, &evaluated.ledger, &evaluated.computed, &judgements);
    let seen = evaluated.audits.iter().flat_map(Audited::findings);
    let told = told.into_iter().chain(misplaced).chain(judgements.findings.iter().cloned());
    evaluated.findings = others.into_iter().chain(told).chain(seen).collect();
    evaluated.judgements = judgements;
}

/// Asks every conclusion and every rank again under the choices that the study could as well have made.
pub fn survival(evaluated: &Evaluated) -> Survival {
    let Evaluated { given, ledger, computed, judgements, claimed, .. } = evaluated;
    let registry = packs::statistics();
    multiverse::survey(&multiverse::Subject {
        evidence: evidence(given, ledger),
        registry: &registry,
        facts: &computed.facts,
        ledgers: claimed,
        judgements,
        sources: &sources_for(given, computed, claimed),
    })
}

/// What claims are judged against.
pub fn sources<'a>(given: &'a Given, computed: &'a Computed) -> claims::Sources<'a> {
    claims::Sources::new(&given.study, &computed.facts, &computed.tables, &given.published)
        .with_registered(&packs::statistics(), packs::bindings())
        .with_words(packs::words())
        .with_archived(&given.corpus, &given.archive)
}

/// Why agreement with a source says nothing about what was made from it.
const MADE_FROM: Unchecked = Unchecked::Later("its source is what the runs were rebuilt from");

/// L5 in numbers: statistics with a value, and why the others have none. A statistic agrees with nothing; rows
/// of published tables do, or do not.
fn statistics_level(computed: &Computed, judgements: &Judgements) -> LevelSummary {
    let mut level = LevelSummary::new(Level::L5);
    for fact in computed.facts.iter() {
        match &fact.estimate {
            statistics::Estimate::Value { .. } => level.compute(),
            // Hundreds of reasons; each stands with its fact.
            statistics::Estimate::Undefined(_) => {
                level.skip(Unchecked::Later("the statistic is undefined for this archive"), 1);
            }
        }
    }
    let mut rows = 0;
    for (verdict, count) in judgements.tables.iter().flat_map(|table| &table.verdicts) {
        match verdict {
            claims::Verdict::Reproduced | claims::Verdict::Consistent => (0..*count).for_each(|_| level.count(true)),
            claims::Verdict::SameByConstruction => level.skip(MADE_FROM, *count),
            claims::Verdict::NotCheckable => level.skip(Unchecked::Later("no statistic recomputes the row"), *count),
            _ => (0..*count).for_each(|_| level.count(false)),
        }
        rows += count;
    }
    let compared = if rows > 0 {
        format!("; {} rows of published tables", crate::number::grouped(rows as u64))
    } else {
        String::new()
    };
    level.remark = Some(format!("{} tables{compared}", computed.tables.len()));
    level
}

/// L6 in numbers. An acknowledged erratum disagrees like any other wrong number.
fn claims_level(judgements: &Judgements) -> LevelSummary {
    let mut level = LevelSummary::new(Level::L6);
    for claim in &judgements.claims {
        match claim.recomputation.unwrap_or(claim.verdict) {
            claims::Verdict::Reproduced | claims::Verdict::Consistent => level.count(true),
            claims::Verdict::SameByConstruction => level.skip(MADE_FROM, 1),
            claims::Verdict::NotCheckable if claim.verdict == claims::Verdict::ConflictingSources => {
                level.skip(Unchecked::Later("the sources disagree, and nothing can be recomputed"), 1);
            }
            claims::Verdict::NotCheckable => level.skip(Unchecked::Later(missing(claim)), 1),
            _ => level.count(false),
        }
    }
    let consistent = judgements.summary.verdicts.get(&claims::Verdict::Consistent).copied().unwrap_or(0);
    let errata = judgements.summary.errata;
    let remarks = [(consistent, "of them fit other printed numbers only"), (errata, "of them acknowledged as wrong")];
    let said = remarks
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", crate::number::grouped(*count as u64)));
    let said: Vec<String> = said.chain(conflicting(judgements)).collect();
    level.remark = Some(said.join("; ")).filter(|text| !text.is_empty());
    level
}

/// How the numbers whose sources disagree are counted: by what was recomputed.
fn conflicting(judgements: &Judgements) -> Option<String> {
    let of = |claim: &&claims::Judgement| claim.verdict == claims::Verdict::ConflictingSources;
    let (mut agree, mut differ, mut open) = (0_u64, 0_u64, 0_u64);
    for claim in judgements.claims.iter().filter(of) {
        match claim.recomputation.unwrap_or(claim.verdict) {
            claims::Verdict::Reproduced | claims::Verdict::Consistent => agree += 1,
            claims::Verdict::SameByConstruction | claims::Verdict::NotCheckable => open += 1,
            _ => differ += 1,
        }
    }
    let n = crate::number::grouped;
    (agree + differ + open > 0).then(|| {
        format!(
            "of the {} whose sources disagree, {} agree with the recomputation, {} do not, {} cannot be recomputed",
            n(agree + differ + open),
            n(agree),
            n(differ),
            n(open)
        )
    })
}

/// What kind of input a claim lacks.
fn missing(claim: &claims::Judgement) -> &'static str {
    match claim.missing {
        Some(claims::MissingReason::FileAbsent) => "the records were not archived",
        Some(claims::MissingReason::RuleNotStated) => "the rule behind the number is not stated",
        Some(claims::MissingReason::OnlyARange) => "only a range can be computed",
        Some(claims::MissingReason::OutsideTheArchive) => "the number is about something outside the archive",
        Some(claims::MissingReason::Undefined) => "the statistic is undefined for what was archived",
        Some(claims::MissingReason::Ambiguous) => "several values could be meant",
        Some(claims::MissingReason::BrokenEntry) => "the entry of the ledger cannot be understood",
        Some(claims::MissingReason::NoStatistic) | None => "no statistic answers it",
    }
}

/// Renders the site of an evaluated study, with its texts and what changed since an earlier version.
pub fn render(
    evaluated: &Evaluated,
    texts: &dyn TextSource,
    earlier: &Earlier,
    options: Options,
) -> Result<Rendered, SiteError> {
    let Evaluated { given, ledger, computed, judgements, audits, findings, .. } = evaluated;
    let survival = survival(evaluated);
    let issues = evaluated.issues();
    let snapshot = snapshot(evaluated);
    let difference = earlier.difference(&snapshot);
    let input = SiteInput {
        study: &given.study,
        corpus: &given.corpus,
        archive: &given.archive,
        ledger,
        facts: &computed.facts,
        tables: &computed.tables,
        published: &given.published,
        findings,
        issues: &issues,
        audits,
        judgements: (!judgements.ledgers.is_empty()).then_some(judgements),
        survival: &survival,
        changes: earlier.changes(difference.as_ref()),
        snapshot: &snapshot.to_text(),
        archive_digest: given.digest,
        tool: TOOL,
        texts,
        documents: &given.documents,
        registry: packs::registry(),
    };
    crate::site::render(&input, options)
}
