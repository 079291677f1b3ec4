//! A study read, computed and ready to be rendered.

use std::collections::BTreeMap;

use repro::archive::{self, Archive};
use repro::audits::{self, Audited};
use repro::claims::{self, Judgements, Sources, words};
use repro::corpus::{self, Corpus};
use repro::diff::{Difference, Named, Side, Snapshot, compare};
use repro::digest::Digest;
use repro::documents::{self, Document};
use repro::issues::{self, Issues};
use repro::multiverse::{Subject, Survival, survey};
use repro::packs::{self, compute_all, recognise};
use repro::pipeline::RunTexts;
use repro::report::Findings;
use repro::site::{Changes, Options, Rendered, SiteInput, render};
use repro::statistics::{Evidence, Facts};
use repro::study::Study;
use repro::table::Table;
use repro::verify::{Ladder, Level, LevelSummary, Unchecked};
use repro::world::{Silent, Source};

/// Everything a site is rendered from.
pub(crate) struct Loaded {
    pub(crate) study: Study,
    pub(crate) corpus: Corpus,
    pub(crate) archive: Archive,
    pub(crate) ledger: Ladder,
    pub(crate) facts: Facts,
    pub(crate) tables: Vec<Table>,
    pub(crate) published: BTreeMap<String, String>,
    pub(crate) findings: Findings,
    pub(crate) issues: Issues,
    pub(crate) audits: Vec<Audited>,
    pub(crate) documents: Vec<(String, String)>,
    pub(crate) judgements: Option<Judgements>,
    pub(crate) survival: Survival,
    pub(crate) texts: RunTexts,
}

impl Loaded {
    /// Reads a study and computes its statistics; verification is stood in for by made-up counts.
    pub(crate) fn read(source: &dyn Source) -> Self {
        Self::read_with(source, &[])
    }

    /// The same with claims ledgers from elsewhere.
    pub(crate) fn read_with(source: &dyn Source, ledgers: &[(&str, Vec<u8>)]) -> Self {
        let study = recognise(source).unwrap().study;
        let (corpus, mut findings) = corpus::read(source, &study);
        let (archive, _, more) = archive::read(source, &study, &Silent, &|_, _, _| ()).unwrap();
        findings.extend(more.iter().cloned());
        let ledger =
            Ladder { levels: vec![level(Level::L0, 12, 12, 0), level(Level::L1, 9, 7, 2)], ..Ladder::default() };
        let published: BTreeMap<String, String> = study
            .published
            .iter()
            .filter_map(|p| {
                let name = p.path.rsplit('/').next()?.trim_end_matches(".csv").to_owned();
                Some((name, String::from_utf8(source.read(&p.path).ok()?).ok()?))
            })
            .collect();
        let evidence = Evidence {
            study: &study,
            corpus: &corpus,
            archive: &archive,
            readings: &[],
            ledger: &ledger,
            published: &published,
            boards: None,
        };
        let output = compute_all(&evidence);
        findings.extend(output.findings);
        let facts = Facts::new(output.facts);
        let mut read: Vec<claims::Ledger> = Vec::new();
        // The catalogue of a profile is optional and stands beside the study.
        let inside = study.claims.iter().filter(|c| !c.optional || source.exists(&c.path));
        let own = inside.map(|c| (c.path.as_str(), source.read(&c.path).unwrap()));
        for (file, bytes) in own.chain(ledgers.iter().map(|(file, bytes)| (*file, bytes.clone()))) {
            let (ledger, more) = claims::read(file, &bytes);
            findings.extend(more);
            read.push(ledger);
        }
        let documents: Vec<(String, String)> = study
            .documents
            .iter()
            .filter_map(|path| Some((path.clone(), documents::text(path, &source.read(path).ok()?, &|_| None).ok()?)))
            .collect();
        let judgements = (!read.is_empty()).then(|| {
            let sources = Sources::new(&study, &facts, &output.tables, &published)
                .with_registered(&packs::statistics(), packs::bindings())
                .with_words(packs::words())
                .with_archived(&corpus, &archive);
            let parsed: Vec<Document> =
                documents.iter().filter_map(|(path, text)| documents::parse(path, text).0).collect();
            let mut judged = claims::judge(&read, &sources);
            let found = words::bind(&parsed, &sources).unwrap();
            words::add_places(&mut judged, &documents, &found, &sources).unwrap();
            judged
        });
        findings.extend(judgements.iter().flat_map(|j| j.findings.iter().cloned()));
        let registry = packs::statistics();
        let sources = Sources::new(&study, &facts, &output.tables, &published)
            .with_registered(&registry, packs::bindings())
            .with_archived(&corpus, &archive);
        let none = Judgements::default();
        let survival = survey(&Subject {
            evidence,
            registry: &registry,
            facts: &facts,
            ledgers: &read,
            judgements: judgements.as_ref().unwrap_or(&none),
            sources: &sources,
        });
        let judged = judgements.as_ref().unwrap_or(&none);
        let parsed: Vec<Document> =
            documents.iter().filter_map(|(path, text)| documents::parse(path, text).0).collect();
        let audits = audits::audit(&audits::Subject {
            study: &study,
            corpus: &corpus,
            ladder: &ledger,
            judgements: judged,
            sources: &sources,
            documents: &parsed,
        });
        findings.extend(audits.iter().flat_map(Audited::findings));
        let concerns: Vec<audits::Concern> = audits.iter().flat_map(Audited::concerns).collect();
        let known = packs::statistics();
        let issues = issues::of(&issues::Subject {
            study: &study,
            judgements: judged,
            findings: &findings,
            concerns: &concerns,
            known: &known,
        });
        let texts = RunTexts::read(source, &study, &Silent).unwrap();
        let tables = output.tables;
        Self {
            study,
            corpus,
            archive,
            ledger,
            facts,
            tables,
            published,
            findings,
            issues,
            audits,
            documents,
            judgements,
            survival,
            texts,
        }
    }

    /// Renders with the given options.
    pub(crate) fn render(&self, options: Options) -> Rendered {
        render(&self.input(&self.snapshot().to_text()), options).unwrap()
    }

    /// Renders with what changed since an earlier version.
    pub(crate) fn render_against(&self, earlier: &Loaded) -> Rendered {
        let (before, now) = (earlier.snapshot(), self.snapshot());
        let difference: Difference = compare(&before, &now);
        let text = now.to_text();
        let input = SiteInput { changes: Changes::Against(&before.named, &difference), ..self.input(&text) };
        render(&input, Options::default()).unwrap()
    }

    fn snapshot(&self) -> Snapshot {
        let identity = &self.study.study;
        let named = Named {
            study: identity.id.clone(),
            version: identity.version.clone(),
            date: identity.date.clone(),
            archive: Digest::of(b"archive").to_string(),
            tool: "repro test".to_owned(),
        };
        let side = Side {
            files: None,
            corpus: &self.corpus,
            archive: &self.archive,
            facts: Some(&self.facts),
            claims: self.judgements.as_ref().map(|judged| judged.claims.as_slice()),
        };
        Snapshot::of(named, &side)
    }

    /// The input, borrowed.
    fn input<'a>(&'a self, snapshot: &'a str) -> SiteInput<'a> {
        SiteInput {
            study: &self.study,
            corpus: &self.corpus,
            archive: &self.archive,
            ledger: &self.ledger,
            facts: &self.facts,
            tables: &self.tables,
            published: &self.published,
            findings: &self.findings,
            issues: &self.issues,
            audits: &self.audits,
            judgements: self.judgements.as_ref(),
            survival: &self.survival,
            changes: Changes::None("No other version was given."),
            snapshot,
            archive_digest: Digest::of(b"archive"),
            tool: "repro test",
            texts: &self.texts,
            documents: &self.documents,
            registry: packs::registry(),
        }
    }
}

fn level(level: Level, agreed: usize, checked: usize, missing: usize) -> LevelSummary {
    LevelSummary {
        level,
        total: checked.max(agreed) + missing,
        checked: checked.max(agreed),
        agreed: agreed.min(checked),
        disagreed: agreed.abs_diff(checked),
        computed: 0,
        not_checkable: std::iter::once((Unchecked::Later("not archived"), missing)).filter(|(_, n)| *n > 0).collect(),
        remark: None,
    }
}

/// A page as text.
pub(crate) fn page<'r>(rendered: &'r Rendered, path: &str) -> &'r str {
    let bytes = rendered.tree.bytes(path).unwrap_or_else(|| panic!("no page {path}"));
    std::str::from_utf8(bytes).unwrap()
}
