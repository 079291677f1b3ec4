//! Steps whose verdict changed between the two versions, and what follows from the sets.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::Audit;
use super::benchmark::document;
use crate::archive::Materials;
use crate::json::Value;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, exact};
use crate::table::{Cell, Kind, Table};

/// Role of the file of flips.
pub(super) const FLIPS: &str = "flips";

static ABOUT: About = About {
    id: "step-flips",
    also: &[],
    title: "Steps that flip between the versions",
    unit: "steps",
    meaning: "How many steps a model fails on the original data and passes on the corrected data (fixed), and how many \
              the other way (broken); over the models their union and their intersection; and whether the difference \
              could be chance.",
    formula: "fixed and broken = sizes of the two sets over the steps with a verdict in both versions; \
              P = exact McNemar of fixed against broken; balance = before + fixed - broken - after, which must be 0.",
    source: "Sets published with the study; McNemar (1947), exact binomial form.",
    edge_cases: "The two passes differ in the model's replies too, so a flip is no effect of the correction alone. \
                 One run per version: the test speaks of these steps, not of further runs. A set without members has \
                 size 0; without the file: undefined.",
    example: "160 before, 115 fixed, 2 broken, 273 after: 160 + 115 - 2 - 273 = 0.",
    keys: &[KeyDoc { key: "model", meaning: "model, as the file names it" }],
    measures: &[
        ("fixed", "steps from fail to pass"),
        ("broken", "steps from pass to fail"),
        ("balance", "before + fixed - broken - after"),
        ("p", "exact two-sided McNemar P"),
        ("union-fixed", "steps fixed for at least one model"),
        ("intersection-fixed", "steps fixed for every model"),
        ("union-broken", "steps broken for at least one model"),
        ("models", "models with sets"),
    ],
};

/// Steps that flip between the versions.
pub(super) struct StepFlips;

/// A count out of a total, as the file prints it (`160/287`).
pub(super) type Score = (usize, usize);

/// The sets of one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OfModel {
    /// Steps from fail to pass.
    pub(super) fixed: BTreeSet<String>,
    /// Steps from pass to fail.
    pub(super) broken: BTreeSet<String>,
    /// Steps passed before and after.
    pub(super) steps: (Option<Score>, Option<Score>),
    /// Main problems solved before and after.
    pub(super) problems: (Option<Score>, Option<Score>),
}

/// All sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Flips {
    /// By model, in the order of the file.
    pub(super) models: Vec<(String, OfModel)>,
    /// Steps that have no verdict in any version: `null`, and no failure.
    pub(super) without_verdict: BTreeSet<String>,
    /// Union and intersection as the file states them.
    pub(super) stated: (Option<BTreeSet<String>>, Option<BTreeSet<String>>),
}

impl Flips {
    pub(super) fn read(materials: &Materials) -> Option<Self> {
        let file = document(materials, FLIPS)?;
        let mut flips = Self::default();
        for (model, sets) in file.get("per_model")?.as_object()?.iter() {
            let score = |name: &str| score(sets.get(name)?.as_text()?);
            flips.models.push((
                model.to_owned(),
                OfModel {
                    fixed: set(sets.get("fixed")).unwrap_or_default(),
                    broken: set(sets.get("broken")).unwrap_or_default(),
                    steps: (score("orig_score"), score("run4_score")),
                    problems: (score("orig_problems"), score("run4_problems")),
                },
            ));
            let none = sets.get("none_involved_common_steps").and_then(Value::as_list).unwrap_or_default();
            for step in none {
                let verdicts = ["orig1", "run4"].map(|run| step.get(run).is_none_or(Value::is_null));
                if let (Some(id), [true, true]) = (step.get("step_id").and_then(Value::as_text), verdicts) {
                    flips.without_verdict.insert(id.to_owned());
                }
            }
        }
        flips.stated = (set(file.get("union_fixed")), set(file.get("intersection_fixed")));
        Some(flips)
    }

    /// Steps fixed for at least one model.
    pub(super) fn union(&self) -> BTreeSet<String> {
        self.models.iter().flat_map(|(_, sets)| &sets.fixed).cloned().collect()
    }

    /// Steps fixed for every model.
    pub(super) fn intersection(&self) -> BTreeSet<String> {
        let mut sets = self.models.iter().map(|(_, sets)| sets.fixed.clone());
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |common, set| common.intersection(&set).cloned().collect())
    }

    /// Models for which a step was fixed, and those for which it was broken.
    pub(super) fn of_step(&self) -> BTreeMap<&str, (Vec<&str>, Vec<&str>)> {
        let mut found: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
        for (model, sets) in &self.models {
            sets.fixed.iter().for_each(|step| found.entry(step).or_default().0.push(model));
            sets.broken.iter().for_each(|step| found.entry(step).or_default().1.push(model));
        }
        found
    }
}

fn set(value: Option<&Value>) -> Option<BTreeSet<String>> {
    let items = value?.as_list()?;
    Some(items.iter().filter_map(Value::as_text).map(str::to_owned).collect())
}

fn score(text: &str) -> Option<Score> {
    let (k, n) = text.split_once('/')?;
    Some((k.trim().parse().ok()?, n.trim().parse().ok()?))
}

impl Statistic for StepFlips {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        let Some(flips) = &audit.flips else {
            let reason = audit.without_flips().unwrap_or_default();
            output.on(ABOUT.id, Basis::States, &[]).put("union-fixed", Estimate::undefined(reason));
            return output;
        };
        let columns = [
            ("model", Kind::Text, ""),
            ("before", Kind::Integer, "steps"),
            ("fixed", Kind::Integer, "steps"),
            ("broken", Kind::Integer, "steps"),
            ("after", Kind::Integer, "steps"),
            ("p", Kind::Real, "p"),
            ("p_exact", Kind::Text, ""),
        ];
        let mut table = Table::new("step_flips", "Steps that flip between the versions", &[ABOUT.id], &columns);
        for (model, sets) in &flips.models {
            let (fixed, broken) = (sets.fixed.len(), sets.broken.len());
            let p = exact::mcnemar(fixed as u32, broken as u32);
            let mut facts = output.on(ABOUT.id, Basis::States, &[("model", model)]);
            facts.put("fixed", Estimate::count(fixed)).put("broken", Estimate::count(broken));
            facts.put("p", Estimate::value(p.to_f64()));
            let count = |score: Option<Score>| {
                score.map_or_else(|| Cell::Undefined("the file states no score".into()), |(k, _)| Cell::count(k))
            };
            if let (Some((before, _)), Some((after, _))) = sets.steps {
                let balance = before as f64 + fixed as f64 - broken as f64 - after as f64;
                facts.put("balance", Estimate::value(balance));
                if balance != 0.0 {
                    let message = format!("{before} + {fixed} - {broken} is not {after}");
                    output.findings.push(Finding::new("flips-do-not-add-up", Place::subject(model), message));
                }
            } else {
                facts.put("balance", Estimate::undefined("the file states no score"));
            }
            table.push(vec![
                Cell::text(model.as_str()),
                count(sets.steps.0),
                Cell::count(fixed),
                Cell::count(broken),
                count(sets.steps.1),
                Cell::full(p.to_f64()),
                Cell::text(p.to_string()),
            ]);
        }
        let (union, intersection) = (flips.union(), flips.intersection());
        let broken: BTreeSet<&String> = flips.models.iter().flat_map(|(_, sets)| &sets.broken).collect();
        output
            .on(ABOUT.id, Basis::States, &[])
            .put("union-fixed", Estimate::count(union.len()))
            .put("intersection-fixed", Estimate::count(intersection.len()))
            .put("union-broken", Estimate::count(broken.len()))
            .put("models", Estimate::count(flips.models.len()));
        for (name, stated, own) in
            [("union", &flips.stated.0, &union), ("intersection", &flips.stated.1, &intersection)]
        {
            if stated.as_ref().is_some_and(|stated| stated != own) {
                let message = format!("the {name} that the file states is not the {name} of its sets");
                output.findings.push(Finding::new("flips-do-not-add-up", Place::subject(name), message));
            }
        }
        output.tables.push(table);
        output
    }
}
