//! What the commands of the chain share: read, verify, compute, judge, and the summary for people.

use super::args::{EngineArgs, StudyArgs, TalkArgs};
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs::{self, Opened};
use super::output::{Output, wrap};
use super::readings::Readings;
use super::{engines, outputs, progress};
use crate::claims::Verdict;
use crate::engine::{Engine, Tally, forget_interrupts};
use crate::number;
use crate::pipeline::{Evaluated, Given, RunFiles, evaluate};
use crate::report::{Finding, Findings, Place, Severity};
use crate::statistics::readings::Counting;
use crate::verify::{Level, LevelSummary, StreamError, missing_evidence};
use crate::world::{LeftOut, Progress};

/// A study with everything known about it.
pub(super) struct Chain {
    pub(super) opened: Opened,
    pub(super) evaluated: Evaluated,
    /// What there is to say about the folder of the study.
    pub(super) about_folder: Findings,
    pub(super) progress: Box<dyn Progress>,
    pub(super) output: Output,
    /// Set when a stage could not run and `--keep-going` let the others run.
    pub(super) held: Option<Exit>,
    tally: Tally,
    settled: u64,
}

/// Where executions come from.
pub(super) enum Execution<'a> {
    /// Nothing is executed, and levels L1 and L2 say so.
    None,
    /// Engines of this machine.
    Here(&'a EngineArgs),
    /// Engines that are open already.
    Given(Vec<Box<dyn Engine>>),
}

impl<'a> From<Option<&'a EngineArgs>> for Execution<'a> {
    fn from(arguments: Option<&'a EngineArgs>) -> Self {
        arguments.map_or(Self::None, Self::Here)
    }
}

/// Runs the chain up to the claims.
pub(super) fn run<'a>(
    study: &StudyArgs,
    execution: impl Into<Execution<'a>>,
    counting: Counting,
    talk: &TalkArgs,
) -> Result<Chain, Exit> {
    run_into(study, execution, counting, talk, |_| Ok(()), |(), _| Ok(())).map(|(chain, ())| chain)
}

/// The same for a command that writes. `prepare` looks at the output before anything is read, `check` before
/// anything is executed, when it is known what would be written.
pub(super) fn run_into<'a, P>(
    study: &StudyArgs,
    execution: impl Into<Execution<'a>>,
    counting: Counting,
    talk: &TalkArgs,
    prepare: impl FnOnce(&Opened) -> Result<P, Exit>,
    check: impl FnOnce(&P, &Given) -> Result<(), Exit>,
) -> Result<(Chain, P), Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    threads(talk);
    let opened = inputs::open(study)?;
    let execution = execution.into();
    if let Execution::Here(EngineArgs { cache_dir: Some(cache), .. }) = execution {
        outputs::outside(cache, &opened.path)?;
    }
    let readings = match &execution {
        Execution::Here(arguments) => Readings::of(arguments),
        Execution::None | Execution::Given(_) => None,
    };
    let executes = !matches!(execution, Execution::None);
    let prepared = prepare(&opened)?;
    let mut held = None;
    let engines = match execution {
        Execution::None => Vec::new(),
        Execution::Given(engines) => engines,
        Execution::Here(arguments) => match engines::choose(arguments, talk) {
            Ok(engines) => engines,
            Err(exit) if study.keep_going => {
                held = Some(exit);
                Vec::new()
            }
            Err(exit) => return Err(exit),
        },
    };
    let given = inputs::load(&opened, study, counting, readings.as_ref(), progress.as_ref())?;
    for line in &given.assumed {
        output.line(&wrap(&format!("assumed          {line}"), 17));
    }
    check(&prepared, &given)?;
    let borrowed: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
    let evaluated = evaluate(opened.source.as_ref(), given, &borrowed, progress.as_ref());
    // From here on nothing can be resumed: an interrupt ends the process, and outputs appear whole or not.
    forget_interrupts();
    let mut evaluated = evaluated.map_err(|error| match error {
        StreamError::Engine(error) => engines::explain(&error),
        error @ StreamError::Archive(_) => {
            super::complain(&error.to_string(), "check the files of the study and run again");
            Exit::Unreadable
        }
    })?;
    if !executes {
        // A level that was left alone because no execution was asked for is no missing evidence.
        let told = missing_evidence(&evaluated.ledger, true);
        let others = evaluated.findings.iter().filter(|finding| !told.contains(finding)).cloned();
        let others: Vec<Finding> = others.chain(missing_evidence(&evaluated.ledger, false)).collect();
        evaluated.findings = others.into_iter().collect();
    }
    let tally = engines.iter().fold(Tally::default(), |tally, engine| tally + engine.tally());
    let settled = engines.iter().map(|engine| engine.settled()).sum();
    let findings = opened.left_out.iter().map(left_out).collect();
    Ok((Chain { opened, evaluated, about_folder: findings, progress, output, held, tally, settled }, prepared))
}

/// What was left out, as a finding. It is about the folder and not about the study, so no page shows it.
fn left_out(left: &LeftOut) -> Finding {
    let files = if left.files == 1 { "1 file".to_owned() } else { format!("{} files", left.files) };
    let message = format!("{} ({files}, {} bytes); no part of the study", left.kind.words(), left.bytes);
    Finding::new("left-out", Place::file(&left.path), message)
}

/// Applies `--jobs` to everything that runs in parallel inside this process.
pub(super) fn threads(talk: &TalkArgs) {
    if let Some(jobs) = talk.jobs.filter(|&jobs| jobs > 0) {
        // Fails only when a pool exists already, which then stays.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
    }
}

impl Chain {
    /// Ends with the process: giving back a million small allocations one by one takes as long as some stages.
    pub(super) fn leave(self) {
        std::mem::forget(self.evaluated);
    }

    /// The exit code of everything found so far.
    pub(super) fn exit(&self, study: &StudyArgs) -> Exit {
        let own = Exit::of(&self.evaluated.findings, study.allow_missing);
        let own = own.max(Exit::of(&self.about_folder, study.allow_missing));
        self.held.map_or(own, |held| held.max(own))
    }

    /// Study, digest and levels, a line each.
    pub(super) fn print_levels(&self) {
        let identity = &self.evaluated.given.study.study;
        let demonstration = identity.demonstration.as_deref().unwrap_or("");
        self.output.line(&wrap(&format!("{} {}", identity.title, identity.version), 0));
        if !demonstration.is_empty() {
            self.output.line(&wrap(demonstration, 0));
        }
        self.output.line(&format!("archive sha256:{}", self.evaluated.given.digest));
        self.output.line("");
        for level in &self.evaluated.ledger.levels {
            self.output.line(&wrap(&level_line(level, told(level.level, &self.evaluated.findings)), 17));
        }
        let archive = &self.evaluated.given.archive;
        let rebuilt = archive.rebuilt().count();
        if rebuilt > 0 {
            let line = format!("runs             {rebuilt} of {} were rebuilt, not recorded", archive.runs.len());
            self.output.line(&wrap(&line, 17));
        }
        let RunFiles { remembered, read } = self.evaluated.given.run_files;
        if remembered > 0 {
            let line = format!("run files        {read} read, {remembered} known by the digest of their bytes");
            self.output.line(&wrap(&line, 17));
        }
        for engine in &self.evaluated.ledger.engines {
            self.output.line(&wrap(&format!("engine           {}, sandbox {}", engine.version, engine.level), 17));
        }
        if self.tally != Tally::default() {
            self.output.line(&wrap(&executions_line(self.tally, self.settled), 17));
        }
    }

    /// Claims by verdict.
    pub(super) fn print_claims(&self) {
        let judgements = &self.evaluated.judgements;
        if judgements.claims.is_empty() {
            self.output.line(&match judgements.ledgers.len() {
                0 => "claims           no ledger".to_owned(),
                1 => format!("claims           none could be read from {}", judgements.ledgers[0].file),
                n => format!("claims           none could be read from {n} ledgers"),
            });
            return;
        }
        let count = |n: usize| number::grouped(n as u64);
        let all = judgements.claims.len();
        let noun = if all == 1 { "printed number" } else { "printed numbers" };
        let counts: Vec<String> = judgements
            .summary
            .verdicts
            .iter()
            .map(|(verdict, n)| format!("{} {}", count(*n), verdict.as_str()))
            .collect();
        self.output.line(&wrap(&format!("claims           {} {}: {}", count(all), noun, counts.join(", ")), 17));
        // The paper first: what stands in other documents is another matter.
        let sources = &judgements.summary.sources;
        for (source, verdicts) in sources.iter().take(SOURCES).filter(|_| sources.len() > 1) {
            let told: Vec<String> =
                verdicts.iter().map(|(verdict, n)| format!("{} {}", count(*n), verdict.as_str())).collect();
            self.output.line(&wrap(&format!("                 {source}: {}", told.join(", ")), 19));
        }
        if sources.len() > SOURCES {
            self.output.line(&format!("                 and {} more documents", sources.len() - SOURCES));
        }
        if judgements.summary.errata > 0 {
            let errata = if judgements.summary.errata == 1 { "an erratum" } else { "errata" };
            self.output.line(&format!("                 {} acknowledged as {errata}", judgements.summary.errata));
        }
    }

    /// What there is to say about the study and about its folder.
    fn all_findings(&self) -> Findings {
        self.evaluated.findings.iter().chain(self.about_folder.iter()).cloned().collect()
    }

    /// Findings by severity, then the gravest with place and remedy.
    pub(super) fn print_findings(&self, limit: usize) {
        let findings = &self.all_findings();
        let issues = self.evaluated.issues_of(findings);
        self.output.line(&format!(
            "findings         {} unreadable, {} disagree, {} missing, {} notes",
            findings.count(Severity::Unreadable),
            findings.count(Severity::Disagrees),
            findings.count(Severity::Missing),
            findings.count(Severity::Note)
        ));
        if !self.opened.left_out.is_empty() {
            let kinds: Vec<&LeftOut> = self.opened.left_out.iter().collect();
            let named: Vec<String> =
                kinds.iter().take(6).map(|left| format!("{} ({})", left.path, left.kind.words())).collect();
            let more = if kinds.len() > 6 { format!(", and {} more", kinds.len() - 6) } else { String::new() };
            self.output
                .line(&wrap(&format!("left out         {}{more}; --include PATH takes it in", named.join(", ")), 17));
        }
        if !issues.is_empty() {
            self.output.line(&wrap(&format!("issues           {}: {}", issues.len(), issues.line()), 17));
        }
        self.output.line("");
        self.output.issues(&issues, findings, limit);
    }

    /// The last line: what holds, what does not, and why the exit code is what it is.
    pub(super) fn print_verdict(&self, exit: Exit) {
        self.output.line("");
        self.output.line(&wrap(&super::verdict::line(&self.evaluated, &self.all_findings(), exit), 9));
    }

    /// The common members of the JSON answer.
    pub(super) fn envelope(&self, command: &'static str) -> Envelope {
        let given = &self.evaluated.given;
        let findings = self.all_findings();
        let RunFiles { remembered, read } = given.run_files;
        let executions = serde_json::json!({
            "run": self.tally.executed,
            "from-cache": self.tally.remembered,
            "equal": self.tally.repeated,
            "settled-by-syntax": self.settled,
        });
        Envelope::new(command)
            .with("study", given.study.study.id.clone().into())
            .with("version", given.study.study.version.clone().into())
            .with("archive", given.digest.to_string().into())
            .with("levels", serde_json::json!(self.evaluated.ledger.levels))
            .with("engines", serde_json::json!(self.evaluated.ledger.engines))
            .with("executions", executions)
            .with("run-files", serde_json::json!({"read": read, "known-by-digest": remembered}))
            .with("claims", serde_json::json!(self.evaluated.judgements.summary))
            .with("findings", serde_json::json!(findings))
            .with("issues", serde_json::json!(self.evaluated.issues_of(&findings)))
    }
}

/// What was executed now, and what did not have to be.
pub(super) fn executions_line(tally: Tally, settled: u64) -> String {
    let count = |count: u64, what: &str| (count > 0).then(|| format!("{} {what}", number::grouped(count)));
    let (executed, remembered) = (number::grouped(tally.executed), number::grouped(tally.remembered));
    let mut parts = vec![format!("{executed} run, {remembered} from the cache")];
    parts.extend(count(tally.repeated, "of programs equal to these"));
    let once = count(settled, "programs once, since only their text decides").map(|once| format!("; {once}"));
    format!("executions       {}{}", parts.join(", "), once.unwrap_or_default())
}

/// Findings that say something is wrong on a level.
pub(super) fn told(level: Level, findings: &Findings) -> usize {
    findings.iter().filter(|finding| finding.severity > Severity::Missing && Level::of(finding.code) == level).count()
}

/// Name of a level at the beginning of its line, and what it counts.
pub(super) const fn short(level: Level) -> (&'static str, &'static str) {
    match level {
        Level::L0 => ("L0 integrity", "runs"),
        Level::L1 => ("L1 solvers", "programs"),
        Level::L2 => ("L2 replay", "attempts"),
        Level::L3 => ("L3 re-grade", "records"),
        Level::L4 => ("L4 faithful", "programs"),
        Level::L5 => ("L5 statistics", "tables"),
        Level::L6 => ("L6 claims", "numbers"),
        Level::L7 => ("L7 deposit", "entries"),
    }
}

/// `L1 solvers   2,769 of 2,769 agree; ...`, with the number of findings that the level has.
pub(super) fn level_line(level: &LevelSummary, told: usize) -> String {
    use crate::number::grouped;
    let n = |count: usize| grouped(count as u64);
    let mut parts = Vec::new();
    if level.computed > 0 {
        parts.push(format!("{} computed", n(level.computed)));
    }
    if level.total == 0 {
        parts.push("nothing of this kind in the archive".to_owned());
    } else if level.checked == 0 && level.computed == 0 {
        parts.push("nothing checked".to_owned());
    } else if level.checked > 0 {
        parts.push(format!("{} of {} agree", n(level.agreed), n(level.checked)));
    }
    if level.disagreed > 0 {
        let verb = if level.disagreed == 1 { "disagrees" } else { "disagree" };
        parts.push(format!("{} {verb}", n(level.disagreed)));
    }
    let skipped = level.total.saturating_sub(level.checked + level.computed);
    if skipped > 0 {
        parts.push(format!("{} not checkable", n(skipped)));
    }
    if told > 0 && level.level != Level::L6 {
        parts.push(format!("{} {}", n(told), if told == 1 { "finding" } else { "findings" }));
    }
    parts.extend(level.remark.clone().filter(|_| level.total > 0));
    format!("{:17}{}", short(level.level).0, parts.join("; "))
}

/// Most sources of claims that the summary lists.
const SOURCES: usize = 6;

/// Claims that need a reader's attention, gravest first.
pub(super) const ATTENTION: [Verdict; 4] =
    [Verdict::Impossible, Verdict::Differs, Verdict::RoundsTheOtherWay, Verdict::ConflictingSources];
