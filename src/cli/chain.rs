//! What the commands of the chain share: read, verify, compute, judge, and the summary for people.

use super::args::{EngineArgs, StudyArgs, TalkArgs};
use super::exit::Exit;
use super::inputs::{self, Opened};
use super::output::{Output, wrap};
use super::{engines, progress};
use crate::claims::Verdict;
use crate::engine::{Engine, forget_interrupts};
use crate::pipeline::{Evaluated, evaluate};
use crate::report::{Finding, Severity};
use crate::statistics::readings::Counting;
use crate::verify::{LevelSummary, StreamError};
use crate::world::Progress;

/// A study with everything known about it.
pub(super) struct Chain {
    pub(super) opened: Opened,
    pub(super) evaluated: Evaluated,
    pub(super) progress: Box<dyn Progress>,
    pub(super) output: Output,
    /// Set when a stage could not run and `--keep-going` let the others run.
    pub(super) held: Option<Exit>,
    executed: u64,
    settled: u64,
    remembered: u64,
}

/// Runs the chain up to the claims. Without `execution` no program is run, and levels L1 and L2 say so.
pub(super) fn run(
    study: &StudyArgs,
    execution: Option<&EngineArgs>,
    counting: Counting,
    talk: &TalkArgs,
) -> Result<Chain, Exit> {
    let output = Output { json: talk.json, quiet: talk.quiet };
    let progress = progress::choose(talk.quiet || talk.json);
    threads(talk);
    let opened = inputs::open(study)?;
    let mut held = None;
    let engines = match execution.map(|arguments| engines::choose(arguments, talk)) {
        None => Vec::new(),
        Some(Ok(engines)) => engines,
        Some(Err(exit)) if study.keep_going => {
            held = Some(exit);
            Vec::new()
        }
        Some(Err(exit)) => return Err(exit),
    };
    let given = inputs::load(&opened, study, counting, progress.as_ref())?;
    for line in &given.assumed {
        output.line(&wrap(&format!("assumed          {line}"), 17));
    }
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
    if execution.is_none() {
        evaluated.findings = evaluated.findings.iter().filter(|finding| !not_asked_for(finding)).cloned().collect();
    }
    let tally = |of: fn(crate::engine::Tally) -> u64| engines.iter().map(|engine| of(engine.tally())).sum();
    let (executed, remembered) = (tally(|tally| tally.executed), tally(|tally| tally.remembered));
    let settled = engines.iter().map(|engine| engine.settled()).sum();
    Ok(Chain { opened, evaluated, progress, output, held, executed, remembered, settled })
}

/// True for a level that was left alone only because no execution was asked for: that is no missing evidence.
fn not_asked_for(finding: &Finding) -> bool {
    finding.code == "not-archived" && finding.message.contains("(no engine: ") && !finding.message.contains(';')
}

/// Applies `--jobs` to everything that runs in parallel inside this process.
fn threads(talk: &TalkArgs) {
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
            self.output.line(&wrap(&level_line(level), 17));
        }
        for engine in &self.evaluated.ledger.engines {
            self.output.line(&wrap(&format!("engine           {}, sandbox {}", engine.version, engine.level), 17));
        }
        if self.executed + self.remembered > 0 {
            let once = match self.settled {
                0 => String::new(),
                count => format!("; {count} programs once, since only their text decides"),
            };
            let line = format!("executions       {} run, {} from the cache{once}", self.executed, self.remembered);
            self.output.line(&line);
        }
    }

    /// Claims by verdict.
    pub(super) fn print_claims(&self) {
        let judgements = &self.evaluated.judgements;
        if judgements.claims.is_empty() {
            self.output.line("claims           no ledger");
            return;
        }
        let counts: Vec<String> =
            judgements.summary.verdicts.iter().map(|(verdict, n)| format!("{n} {}", verdict.as_str())).collect();
        self.output.line(&wrap(
            &format!("claims           {} printed numbers: {}", judgements.claims.len(), counts.join(", ")),
            17,
        ));
        if judgements.summary.errata > 0 {
            let errata = if judgements.summary.errata == 1 { "an erratum" } else { "errata" };
            self.output.line(&format!("                 {} acknowledged as {errata}", judgements.summary.errata));
        }
    }

    /// Findings by severity, then the gravest with place and remedy.
    pub(super) fn print_findings(&self, limit: usize) {
        let findings = &self.evaluated.findings;
        self.output.line(&format!(
            "findings         {} unreadable, {} disagree, {} missing, {} notes",
            findings.count(Severity::Unreadable),
            findings.count(Severity::Disagrees),
            findings.count(Severity::Missing),
            findings.count(Severity::Note)
        ));
        self.output.line("");
        self.output.findings(findings, limit);
    }

    /// The common members of every JSON answer.
    pub(super) fn document(&self, exit: Exit) -> serde_json::Map<String, serde_json::Value> {
        let given = &self.evaluated.given;
        let judgements = &self.evaluated.judgements;
        let mut document = serde_json::Map::new();
        document.insert("tool".into(), crate::pipeline::TOOL.into());
        document.insert("study".into(), given.study.study.id.clone().into());
        document.insert("version".into(), given.study.study.version.clone().into());
        document.insert("archive".into(), given.digest.to_string().into());
        document.insert("levels".into(), serde_json::json!(self.evaluated.ledger.levels));
        document.insert("engines".into(), serde_json::json!(self.evaluated.ledger.engines));
        document.insert(
            "executions".into(),
            serde_json::json!({"run": self.executed, "from-cache": self.remembered, "settled-by-syntax": self.settled}),
        );
        document.insert("claims".into(), serde_json::json!(judgements.summary));
        document.insert("findings".into(), serde_json::json!(self.evaluated.findings));
        document.insert("exit".into(), exit.code().into());
        document
    }
}

/// `L1 reference   2,769 of 2,769 agree; ...`
pub(super) fn level_line(level: &LevelSummary) -> String {
    use crate::number::grouped;
    use crate::verify::Level;
    let name = match level.level {
        Level::L0 => "L0 integrity",
        Level::L1 => "L1 solvers",
        Level::L2 => "L2 replay",
        Level::L3 => "L3 re-grade",
        Level::L4 => "L4 faithful",
        Level::L5 => "L5 statistics",
        Level::L6 => "L6 claims",
        Level::L7 => "L7 deposit",
    };
    let n = |count: usize| grouped(count as u64);
    let mut parts = vec![format!("{} of {} agree", n(level.agreed), n(level.checked))];
    if level.disagreed > 0 {
        let verb = if level.disagreed == 1 { "disagrees" } else { "disagree" };
        parts.push(format!("{} {verb}", n(level.disagreed)));
    }
    let skipped = level.total - level.checked;
    if skipped > 0 {
        parts.push(format!("{} not checkable", n(skipped)));
    }
    parts.extend(level.remark.clone());
    format!("{name:17}{}", parts.join("; "))
}

/// Claims that need a reader's attention, gravest first.
pub(super) const ATTENTION: [Verdict; 4] =
    [Verdict::Impossible, Verdict::Differs, Verdict::RoundsTheOtherWay, Verdict::ConflictingSources];
