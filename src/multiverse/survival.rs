//! What survives: of every conclusion, in how many combinations of choices it holds and which choices break it.

use serde::Serialize;

use super::choice::Choice;
use super::space::{Combination, Space};
use crate::claims::{Basis, Judgement, Kind};
use crate::study::Study;

/// Everything found out about the survival of a study's conclusions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survival {
    /// `repro-survival/1`.
    pub format: &'static str,
    /// The choices that can be made otherwise in this study.
    pub choices: Vec<Made>,
    /// Combinations computed, what the study did among them.
    pub combinations: usize,
    /// Conclusions by ledger and id.
    pub conclusions: Vec<Conclusion>,
    /// Configurations of the leaderboard, best first.
    pub ranks: Vec<RankSurvival>,
    /// What applies to all ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Counted>,
    /// The space, for whoever shows single combinations.
    #[serde(skip)]
    pub space: Space,
    /// The combinations computed, as specifications number them.
    #[serde(skip)]
    pub all: Vec<Combination>,
}

/// A choice as it was varied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Made {
    /// The choice.
    pub choice: Choice,
    /// Its name.
    pub title: &'static str,
    /// What the study did.
    pub as_done: &'static str,
    /// How else it was made: ids of settings with their names.
    pub settings: Vec<Named>,
    /// Why it could as well be made otherwise, in the authors' words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A setting by id and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Id (`tolerance=0.1`).
    pub id: String,
    /// Name in tables.
    pub name: String,
    /// Name where its choice does not stand beside it.
    #[serde(skip)]
    pub label: String,
    /// Clause that fits after "when".
    #[serde(skip)]
    pub clause: String,
}

/// A conclusion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusion {
    /// Ledger of the claim.
    pub ledger: String,
    /// Id of the claim.
    pub claim: String,
    /// What is claimed.
    pub statement: String,
    /// Statement or number.
    pub kind: Kind,
    /// Whether the study calls it a headline.
    pub headline: bool,
    /// What its value rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// Whether it holds as the study did it.
    pub as_done: bool,
    /// How often it holds.
    #[serde(flatten)]
    pub counted: Counted,
    /// Smallest and largest value over the combinations that count; for a statement, of the number that decides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// What that number is held against, for a statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// In words.
    pub sentence: String,
    /// The combinations that count: number of the combination, outcome, value.
    #[serde(skip)]
    pub specifications: Vec<Specification>,
}

/// One combination of choices for one conclusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Specification {
    /// The number of the combination in [`Survival::all`].
    pub combination: usize,
    /// Whether it holds; `None` where it cannot be computed.
    pub holds: Option<bool>,
    /// The value that decides.
    pub value: Option<f64>,
}

/// How often something holds, and what breaks it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Combinations of the choices that reach it, what the study did among them.
    pub of: usize,
    /// Whether these are all such combinations; else those with at most two choices made otherwise.
    pub complete: bool,
    /// In how many it holds.
    pub holds: usize,
    /// In how many it does not.
    pub fails: usize,
    /// In how many it cannot be computed.
    pub open: usize,
    /// By setting that reaches it: in how many combinations with it, it holds.
    pub by_setting: Vec<BySetting>,
    /// Single settings that break it (or mend it, where it does not hold as the study did it).
    pub alone: Vec<String>,
    /// Pairs of settings that do so together, while neither does alone.
    pub together: Vec<[String; 2]>,
    /// Choices that move none of the values it rests on.
    pub not_reached: Vec<Choice>,
    /// Settings under which it cannot be asked, because it is about what they leave out.
    pub cannot_be_asked: Vec<String>,
}

/// How a conclusion fares under one setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BySetting {
    /// The setting.
    pub setting: String,
    /// Combinations with it in which the conclusion holds.
    pub holds: usize,
    /// All combinations with it.
    pub of: usize,
}

/// How the rank of a configuration fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RankSurvival {
    /// Configuration.
    pub configuration: String,
    /// Rank as the study did it; equal means share the better one.
    pub rank: usize,
    /// Best rank over the combinations.
    pub best: usize,
    /// Worst rank over the combinations.
    pub worst: usize,
    /// Combinations in which the rank is the same.
    pub kept: usize,
    /// Combinations in which it is ahead of the next; nothing for the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leads: Option<usize>,
}

impl Conclusion {
    /// A conclusion without its sentence; `kind` with what its value is held against.
    pub(super) fn new(
        study: &Study,
        claim: &Judgement,
        (kind, threshold): (Kind, Option<f64>),
        counted: Counted,
        specifications: Vec<Specification>,
    ) -> Self {
        let values = || specifications.iter().filter_map(|one| one.value);
        Self {
            ledger: claim.ledger.clone(),
            claim: claim.id.clone(),
            statement: claim.statement.clone(),
            kind,
            headline: claim.is_headline(study),
            basis: claim.basis,
            as_done: specifications.first().is_some_and(|first| first.holds == Some(true)),
            counted,
            range: values().next().map(|first| values().fold((first, first), |(a, b), v| (a.min(v), b.max(v)))),
            threshold,
            sentence: String::new(),
            specifications,
        }
    }
}

impl Default for Survival {
    fn default() -> Self {
        Self {
            format: "repro-survival/1",
            choices: Vec::new(),
            combinations: 0,
            conclusions: Vec::new(),
            ranks: Vec::new(),
            ranked: None,
            space: Space::default(),
            all: Vec::new(),
        }
    }
}

impl Survival {
    /// The conclusion that a claim states.
    pub fn of(&self, ledger: &str, claim: &str) -> Option<&Conclusion> {
        self.conclusions.iter().find(|conclusion| conclusion.ledger == ledger && conclusion.claim == claim)
    }

    /// The clause of a setting by its id.
    pub(super) fn clause(choices: &[Made], id: &str) -> String {
        let settings = choices.iter().flat_map(|made| &made.settings);
        settings.filter(|named| named.id == id).map(|named| named.clause.clone()).next().unwrap_or_default()
    }

    /// Strict JSON, sorted, the same bytes for the same study.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }
}
