//! The declaration as types; `study.toml` has the same shape.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::analysis::{self, Analysis};
use super::choices::Choices;
use super::comparison::{Comparison, Strata};
use super::judge::{Estimator, Judge};
use super::labels::{self, Labels};
use super::layout::FilePart;
use crate::id::{ConfigKey, ExperimentId, SetId};

/// A study as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Study {
    /// Who, what, when, under which licence.
    pub study: Identity,
    /// Problem sets in reading order.
    #[serde(default, rename = "set")]
    pub sets: Vec<ProblemSet>,
    /// Configurations in display order.
    #[serde(default, rename = "configuration")]
    pub configurations: Vec<Configuration>,
    /// Experiments in reading order.
    #[serde(default, rename = "experiment")]
    pub experiments: Vec<Experiment>,
    /// Judges, where records carry verdicts of several.
    #[serde(default, rename = "judge")]
    pub judges: Vec<Judge>,
    /// Numbers made of verdicts beside the statistics; without any, a format's own.
    #[serde(default, rename = "estimator")]
    pub estimators: Vec<Estimator>,
    /// Files of selected records with full text (cases chosen by the authors); no rate is computed
    /// from them.
    #[serde(default)]
    pub transcripts: Vec<Transcripts>,
    /// Files that analyses read whole.
    #[serde(default, rename = "file")]
    pub files: Vec<super::StudyFile>,
    /// How answers are graded.
    pub grading: Grading,
    /// Labels by which results are split, and how tables order and name their values.
    #[serde(default)]
    pub strata: Vec<Strata>,
    /// Comparisons of two arms over matched problems.
    #[serde(default, rename = "comparison")]
    pub comparisons: Vec<Comparison>,
    /// Choices for the analyses of packs, which a rule needs and no record tells.
    #[serde(default, deserialize_with = "analysis::one_or_many")]
    pub analysis: Vec<Analysis>,
    /// Ids of the statistics to compute; empty means every registered one that applies.
    #[serde(default)]
    pub statistics: Vec<String>,
    /// Claims ledgers.
    #[serde(default)]
    pub claims: Vec<Claims>,
    /// Published tables to compare recomputed ones with.
    #[serde(default)]
    pub published: Vec<Published>,
    /// What the study could as well have decided otherwise.
    #[serde(default, skip_serializing_if = "Choices::is_default")]
    pub choices: Choices,
    /// Documents to show and to look for claims in (Markdown, HTML, LaTeX, text, PDF), as paths inside the study;
    /// a folder with a slash behind its name stands for all documents below it.
    #[serde(default)]
    pub documents: Vec<String>,
}

/// Identity of a study; the one record behind every metadata file of the bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Identity {
    /// Short name, used in folder names: lower-case letters, digits, hyphens.
    pub id: String,
    /// Full title.
    pub title: String,
    /// Version of the archive, as text (`1.10` is not `1.1`).
    pub version: String,
    /// Publication date of this version: `YYYY-MM-DD`, or `YYYY` when no more is known; empty when nothing is.
    #[serde(default)]
    pub date: String,
    /// A paragraph for people who find the deposit without the paper.
    pub description: String,
    /// SPDX licence expression of the archive; empty when nobody has stated one.
    #[serde(default)]
    pub licence: String,
    /// Who made the archive; empty when nobody is named.
    #[serde(default)]
    pub authors: Vec<Author>,
    /// DOI without resolver prefix, once there is one.
    #[serde(default)]
    pub doi: Option<String>,
    /// Where the study lives.
    #[serde(default)]
    pub url: Option<String>,
    /// Address below which the rendered sites are published; pages then name their whole addresses.
    #[serde(default)]
    pub site: Option<String>,
    /// Publisher for metadata that demand one.
    #[serde(default)]
    pub publisher: Option<String>,
    /// Keywords.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// How to cite the paper, as one plain sentence.
    #[serde(default)]
    pub citation: Option<String>,
    /// Set when the study was constructed to show the tool: the sentence that every page carries.
    #[serde(default)]
    pub demonstration: Option<String>,
    /// How the files of this study become problems and records.
    #[serde(default)]
    pub adapter: Adapter,
}

impl Identity {
    /// What a deposit must say and the study does not: authors, licence, date.
    pub fn unstated(&self) -> Vec<&'static str> {
        let parts = [
            ("authors", self.authors.is_empty()),
            ("licence", self.licence.trim().is_empty()),
            ("date", self.date.trim().is_empty()),
        ];
        parts.into_iter().filter(|(_, absent)| *absent).map(|(name, _)| name).collect()
    }
}

/// How the files of a study become problems and records. A study whose files are new brings its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adapter {
    /// Problem sets as JSON lists, one JSON file per run: `<folder>/<configuration>.run<k>.json`.
    #[default]
    RunFiles,
}

/// An author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Author {
    /// Family name, or the whole name of an organisation.
    pub family: String,
    /// Given names; absent for an organisation.
    #[serde(default)]
    pub given: Option<String>,
    /// ORCID as `0000-0000-0000-0000`.
    #[serde(default)]
    pub orcid: Option<String>,
    /// Affiliation.
    #[serde(default)]
    pub affiliation: Option<String>,
}

/// A problem set and its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProblemSet {
    /// Id used by experiments, claims and URLs.
    pub id: SetId,
    /// Name on pages.
    pub title: String,
    /// Labels; `kind` says what it is made of, and `kind = "..."` is short for that label alone.
    #[serde(default, alias = "kind", deserialize_with = "labels::or_kind")]
    pub labels: Labels,
    /// File inside the study; empty where a format knows the problems by the ids of their records only.
    #[serde(default)]
    pub path: String,
    /// Set that `parent_id` refers to.
    #[serde(default)]
    pub parents: Option<SetId>,
    /// True when the study says this file exists but was not archived with it.
    #[serde(default)]
    pub optional: bool,
    /// Format that reads it; absent for a JSON list of problems.
    #[serde(default)]
    pub format: Option<String>,
    /// Further files, for a format.
    #[serde(default)]
    pub files: Vec<FilePart>,
    /// Names of columns or members, for a format: what it needs on the left, what the file calls it on the right.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// Grader of its answers, where it is another than the one of the checks that its problems carry: `exact` for
    /// answers that are texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grader: Option<String>,
}

/// A configuration: a model with its setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Configuration {
    /// Key in file names and ledgers.
    pub key: ConfigKey,
    /// Name on pages and in published tables.
    pub name: String,
    /// What it shares with its twins: the model without its setting.
    #[serde(default, rename = "group", alias = "backbone")]
    pub backbone: String,
    /// Labels; `setting` tells twins apart, and `setting = "..."` is short for that label alone.
    #[serde(default, alias = "setting", deserialize_with = "labels::or_setting")]
    pub labels: Labels,
    /// False for configurations that never enter an aggregate.
    #[serde(default = "yes", rename = "listed", alias = "leaderboard")]
    pub leaderboard: bool,
    /// True when stored text covers only part of what the provider charged for.
    #[serde(default)]
    pub tokens_are_lower_bound: bool,
    /// Other names under which tables and folders list it.
    #[serde(default)]
    pub aliases: Vec<String>,
}

const fn yes() -> bool {
    true
}

/// One set under one protocol, for some configurations and runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Experiment {
    /// Id; also `metrics.exp_id` in run files. May hold `/`: it is data, never a path.
    pub id: ExperimentId,
    /// Folder inside the study that holds `<key>.run<k>.json` or `<key>.json`; empty where a format reads `files`.
    #[serde(default)]
    pub folder: String,
    /// Problem set asked.
    pub set: SetId,
    /// Labels, which become keys of facts; `protocol` says how was asked, and `protocol = "..."` is short for that
    /// label alone.
    #[serde(default, alias = "protocol", deserialize_with = "labels::or_protocol")]
    pub labels: Labels,
    /// True for the experiment that the leaderboard shows; without any, the first over original problems.
    #[serde(default)]
    pub main: bool,
    /// Expected runs per configuration.
    pub runs: u32,
    /// Configurations expected; empty means all leaderboard configurations.
    #[serde(default)]
    pub configurations: Vec<ConfigKey>,
    /// Prompt or condition that tells this experiment from another of the same set and protocol.
    #[serde(default)]
    pub condition: Option<String>,
    /// True when the study says these runs exist but were not archived with it.
    #[serde(default)]
    pub optional: bool,
    /// Layout of a multiple-choice evaluation, when it is not run files.
    #[serde(default)]
    pub choice: Option<ChoiceLayout>,
    /// Format that reads it; absent for run files.
    #[serde(default)]
    pub format: Option<String>,
    /// Files that the format reads.
    #[serde(default)]
    pub files: Vec<FilePart>,
    /// Names of columns or members, for a format: what it needs on the left, what the file calls it on the right.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// True when the runs are samples drawn for each problem, whose number may differ from problem to problem and
    /// from configuration to configuration; `runs` is then the largest number.
    #[serde(default)]
    pub samples: bool,
}

/// Where option answers are: one folder per model with an `evaluation.jsonl` of `{id, score}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceLayout {
    /// `<folder>/<model alias>/evaluation.jsonl`, correct when `score` is 1.
    EvaluationLines,
}

/// A file of selected records with their texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Transcripts {
    /// JSON file inside the study: `{"metrics", "results": [...]}` with `exp_id`, `model`, `run`.
    pub path: String,
    /// What the file holds.
    #[serde(default)]
    pub kind: TranscriptKind,
    /// True when the study says this file exists but was not archived with it.
    #[serde(default)]
    pub optional: bool,
}

/// What a file of selected records holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TranscriptKind {
    /// Whole records with the texts of their attempts.
    #[default]
    Records,
    /// What people judged about claims of execution, one entry per record concerned.
    Annotations,
    /// Excerpts of such claims, with the values a replay returned.
    Traces,
    /// What a review of problems and their answers lists: removals, repairs, comparisons with a key.
    Reviews,
}

/// How answers are graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Grading {
    /// Relative tolerance; absolute for an expected zero.
    pub tolerance: f64,
    /// Tolerances of the sweep.
    #[serde(default)]
    pub sweep: Vec<f64>,
    /// Relative tolerance of a captured shortcut.
    #[serde(default = "two_percent")]
    pub capture: f64,
    /// CPU seconds a program may take.
    #[serde(default = "ten")]
    pub cpu_seconds: u32,
}

const fn two_percent() -> f64 {
    0.02
}

const fn ten() -> u32 {
    10
}

/// A claims ledger and its binding to statistics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Claims {
    /// Ledger file inside the study, or beside it.
    pub path: String,
    /// File inside the study that says how the claims of a catalogue rest on facts.
    #[serde(default)]
    pub bindings: Option<String>,
    /// True when a study without this ledger is still complete.
    #[serde(default)]
    pub optional: bool,
    /// Claims that carry the study's conclusions, by id: what the front page tells first.
    #[serde(default)]
    pub headlines: Vec<String>,
}

/// A published table to compare with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Published {
    /// Id of the recomputed table (`main_accuracy`).
    pub table: String,
    /// CSV file inside the study.
    pub path: String,
    /// True when an archive without this table is still complete.
    #[serde(default)]
    pub optional: bool,
}

impl Published {
    /// Name of its file without folder and extension, by which expressions name it.
    pub fn stem(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path).trim_end_matches(".csv")
    }
}
