//! Putting the study together.

use super::annotations;
use super::chance::draw;
use super::content::{self, Content};
use super::grading::TOLERANCE;
use super::items::{self, Item};
use super::json_text::{line, lines, object, real, text, whole};
use super::plays::{PLAYERS, Player};
use super::prose::SYSTEM;
use super::record::{Finished, Tokens};
use super::runner::Runner;
use super::scenes::{self, Run};
use crate::engine::{Engine, EngineError};
use crate::json::Value;
use crate::tree::{Tree, TreeError};
use crate::world::Progress;

/// What every file says about itself.
pub(super) const PROVENANCE: &str = "constructed for demonstration; no model produced this";

/// Why the example study could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The written part does not fit together.
    #[error("the content of the example study is broken: {0}")]
    Content(String),
    /// A written solver does not return what it should.
    #[error("the solver of {id} in the example study fails: {reason}")]
    Solver {
        /// Problem.
        id: String,
        /// What happened.
        reason: String,
    },
    /// Programs cannot be run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Two files of one name.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Problem sets: id and file.
const SETS: [(&str, &str); 5] = [
    ("core", "benchmark/core.json"),
    ("numeric", "benchmark/variants_numeric.json"),
    ("paraphrase", "benchmark/variants_paraphrase.json"),
    ("traps", "benchmark/traps.json"),
    ("mcq", "benchmark/choices.json"),
];

/// Files that stand as they were written.
const WRITTEN: [(&str, &str); 4] = [
    ("study.toml", include_str!("content/study.toml")),
    ("README.md", include_str!("content/README.md")),
    ("docs/report.md", include_str!("content/report.md")),
    ("claims.toml", include_str!("content/claims.toml")),
];

/// Writes the example study. The programs in it are executed in `engine`; the result is the same on every
/// machine.
pub fn example_study(engine: &dyn Engine, progress: &dyn Progress) -> Result<Tree, DemoError> {
    let content = content::load()?;
    let mut runner = Runner::new(engine, progress);
    let items = items::build(&content, &mut runner)?;
    let runs = scenes::runs(&content, &items)?;
    runner.run(runs.iter().flat_map(|run| run.drafts.iter().flat_map(crate::demo::record::Draft::programs)))?;
    let mut tree = Tree::default();
    for (path, text) in WRITTEN {
        tree.add(path, text)?;
    }
    for (set, path) in SETS {
        let stored: Vec<Value> = items.iter().filter(|item| item.set == set).map(|item| item.stored.clone()).collect();
        tree.add(path, lines(&stored))?;
    }
    for run in &runs {
        tree.add(path(run), run_file(run, &runner))?;
    }
    for player in &PLAYERS {
        tree.add(format!("experiments/mcq_option/{}/evaluation.jsonl", player.key), options(player, &items))?;
    }
    let laid_down = |run: &Run<'_>, draft: &super::record::Draft<'_>| is_scene(&content, run, &draft.slot.item.id);
    let [judgements, excerpts, cases] = annotations::files(&runs, &laid_down, &runner);
    tree.add("evidence/fabrication_annotations.json", judgements)?;
    tree.add("evidence/fabrication_traces.json", excerpts)?;
    tree.add("evidence/cases.json", cases)?;
    Ok(tree)
}

fn is_scene(content: &Content, run: &Run<'_>, id: &str) -> bool {
    content.scenes.iter().any(|scene| {
        scene.experiment == run.plan.id
            && scene.configuration == run.player.key
            && scene.run == run.number
            && scene.id == id
    })
}

fn path(run: &Run<'_>) -> String {
    let number = if run.plan.runs > 1 { format!(".run{}", run.number) } else { String::new() };
    format!("experiments/{}/{}{number}.json", run.plan.id, run.player.key)
}

fn run_file(run: &Run<'_>, runner: &Runner<'_>) -> String {
    let records: Vec<Finished> = run.drafts.iter().map(|draft| draft.finish(runner)).collect();
    let count = |wanted: &dyn Fn(&&Finished) -> bool| records.iter().filter(wanted).count() as u64;
    let (total, passed, errors) = (records.len() as u64, count(&|r| r.passed), count(&|r| r.error));
    let mut tokens = Tokens::default();
    records.iter().for_each(|record| tokens.add(record.tokens));
    let mut metrics = vec![
        ("model", text(run.player.key)),
        ("display_name", text(run.player.name)),
        ("model_id", text("none: constructed")),
        ("exp_id", text(run.plan.id)),
        ("mode", text(if run.plan.direct { "direct" } else { "code" })),
        ("tolerance", real(TOLERANCE)),
        ("system", text(SYSTEM)),
    ];
    if run.plan.runs > 1 {
        metrics.push(("run", whole(u64::from(run.number))));
    }
    metrics.extend([
        ("demonstration", text(PROVENANCE)),
        ("total", whole(total)),
        ("passed", whole(passed)),
        ("failed", whole(total - passed - errors)),
        ("errors", whole(errors)),
        ("accuracy", real(passed as f64 / (total - errors).max(1) as f64)),
        ("usage", tokens.stored()),
    ]);
    let records: Vec<String> = records.iter().map(|record| line(&record.value)).collect();
    format!("{{\"metrics\": {},\n\"results\": [\n{}\n]}}\n", line(&object(metrics)), records.join(",\n"))
}

/// The arm that picks an option: picking is easier than computing, which is what it is there to show.
fn options(player: &Player, items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        let Some(key) = item.key else { continue };
        let chance = if player.reasoning { 0.95 } else { 0.88 };
        let right = draw(&["pick an option", player.key, &item.id]) < chance;
        let others: Vec<char> = ('A'..='D').filter(|letter| *letter != key).collect();
        let picked = if right { key } else { *super::chance::pick(&others, &["other", player.key, &item.id]) };
        let members = object([
            ("id", text(&item.id)),
            ("score", real(if right { 1.0 } else { 0.0 })),
            ("answer", text(key.to_string())),
            ("prediction", text(picked.to_string())),
            ("response", text(format!("The formula leads to option {picked}: \\boxed{{{picked}}}"))),
            ("demonstration", text(PROVENANCE)),
        ]);
        out.push_str(&line(&members));
        out.push('\n');
    }
    out
}
