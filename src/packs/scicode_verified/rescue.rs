//! Steps that pass in one of several software environments only.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::Audit;
use super::benchmark::document;
use super::scores::same_model;
use crate::archive::Materials;
use crate::json::Value;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Role of the file of rescued steps.
pub(super) const ENVIRONMENTS: &str = "environments";

static ABOUT: About = About {
    id: "environment-rescue",
    also: &[],
    title: "Steps that only the second environment passes",
    unit: "steps",
    meaning: "A step passes when it passes in any environment. The environments are tried in order and the first pass \
              ends the trial, so what can be seen is how many steps fail in the first and pass in the second.",
    formula: "rescued = steps listed; first + rescued = verified score; first + rescued + neither = n. A rescue without \
              a diagnosed cause is counted apart.",
    source: "Totals and steps published with the study.",
    edge_cases: "An environment that was not tried is not a failure of it: the other direction cannot be seen.",
    example: "265 pass in the first, 8 only in the second, 14 in neither: 273 of 287.",
    keys: &[
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "problem", meaning: "main problem of the rescued steps" },
        KeyDoc { key: "cause", meaning: "why the first environment fails" },
    ],
    measures: &[
        ("first", "steps that pass in the first environment"),
        ("rescued", "steps that pass in the second only"),
        ("neither", "steps that pass in none"),
        ("n", "steps with a verdict"),
        ("undiagnosed", "rescues without a diagnosed cause"),
        ("problems-gained", "main problems that become solved by the rescues"),
        ("balance", "first + rescued minus the verified score"),
    ],
};

/// Steps that only the second environment passes.
pub(super) struct EnvironmentRescue;

/// A rescued step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rescue {
    /// Model.
    pub(super) model: String,
    /// Step.
    pub(super) step: String,
    /// Why the first environment fails, as the file says.
    pub(super) cause: String,
    /// Error text, where the file has one.
    pub(super) error: Option<String>,
}

impl Rescue {
    pub(super) fn is_diagnosed(&self) -> bool {
        !self.cause.is_empty() && !self.cause.to_uppercase().starts_with("UNRESOLVED")
    }
}

/// Rescued steps in the order of the file.
pub(super) fn rescues(materials: &Materials) -> Vec<Rescue> {
    let Some(file) = document(materials, ENVIRONMENTS) else { return Vec::new() };
    let models = file.get("per_model").and_then(Value::as_object).into_iter().flat_map(crate::json::Object::iter);
    let of = |(model, list): (&str, &Value)| {
        let text = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_text).unwrap_or_default().to_owned();
        let entries = list.as_list().unwrap_or_default().iter();
        entries
            .map(|entry| Rescue {
                model: model.to_owned(),
                step: text(entry, "step"),
                cause: text(entry, "root_cause"),
                error: entry.get("error").and_then(Value::as_text).map(str::to_owned),
            })
            .collect::<Vec<_>>()
    };
    models.flat_map(of).collect()
}

impl Statistic for EnvironmentRescue {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        let Some(file) = document(&evidence.archive.materials, ENVIRONMENTS) else {
            let reason = format!("not archived: {ENVIRONMENTS}");
            output.on(ABOUT.id, Basis::States, &[]).put("rescued", Estimate::undefined(reason));
            return output;
        };
        let rescues = rescues(&evidence.archive.materials);
        let models = file.get("summary_counts").and_then(Value::as_object);
        for (model, counts) in models.into_iter().flat_map(crate::json::Object::iter) {
            totals(&mut output, &audit, &file, &rescues, model, counts);
        }
        let mut by_problem: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut by_cause: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for rescue in &rescues {
            let problem = super::benchmark::problem_of(&rescue.step);
            *by_problem.entry((&rescue.model, problem)).or_default() += 1;
            *by_cause.entry((&rescue.model, &rescue.cause)).or_default() += 1;
        }
        for (key, counts) in [("problem", by_problem), ("cause", by_cause)] {
            for ((model, value), n) in counts {
                output
                    .on(ABOUT.id, Basis::States, &[("model", model), (key, value)])
                    .put("rescued", Estimate::count(n));
            }
        }
        let undiagnosed = rescues.iter().filter(|rescue| !rescue.is_diagnosed()).count();
        output.on(ABOUT.id, Basis::States, &[]).put("undiagnosed", Estimate::count(undiagnosed));
        let columns =
            [("model", Kind::Text, ""), ("step", Kind::Text, ""), ("cause", Kind::Text, ""), ("error", Kind::Text, "")];
        let mut table =
            Table::new("environment_rescues", "Steps that only the second environment passes", &[ABOUT.id], &columns);
        for rescue in &rescues {
            let error = rescue.error.as_deref().map_or_else(|| Cell::Undefined("not recorded".into()), Cell::text);
            table.push(vec![
                Cell::text(rescue.model.as_str()),
                Cell::text(rescue.step.as_str()),
                Cell::text(rescue.cause.as_str()),
                error,
            ]);
        }
        output.tables.push(table);
        output
    }
}

fn totals(output: &mut Output, audit: &Audit, file: &Value, rescues: &[Rescue], model: &str, counts: &Value) {
    let count = |name: &str| {
        let members = counts.as_object()?;
        let (_, value) = members.iter().find(|(member, _)| member.starts_with(name))?;
        value.as_number()?.as_u64().map(|n| n as usize)
    };
    let of_model = || rescues.iter().filter(|rescue| rescue.model == model);
    let listed = of_model().count();
    let mut disagree = |message: String| {
        output.findings.push(Finding::new("summary-differs", Place::subject(model), message));
    };
    let (first, stated, neither, n) = (count("n_pass_first"), count("n_rescued"), count("n_fail"), count("n_scored"));
    if stated.is_some_and(|stated| stated != listed) {
        disagree(format!("{} rescued steps are stated, {listed} are listed", stated.unwrap_or(0)));
    }
    if let (Some(first), Some(neither), Some(n)) = (first, neither, n)
        && first + listed + neither != n
    {
        disagree(format!("{first} + {listed} + {neither} is not {n}"));
    }
    let verified =
        audit.flips.iter().flat_map(|flips| &flips.models).find(|(name, _)| name == model || same_model(name, model));
    let verified = verified.and_then(|(_, sets)| sets.steps.1).map(|(k, _)| k);
    if let (Some(first), Some(verified)) = (first, verified)
        && first + listed != verified
    {
        disagree(format!("{first} + {listed} is not the verified score of {verified}"));
    }
    let estimate = |count: Option<usize>| {
        count.map_or_else(|| Estimate::undefined("the file states no such count"), Estimate::count)
    };
    let gained = file.get("problem_flips_to_correct").and_then(|of| of.get(model)).and_then(Value::as_object);
    let gained = gained.map(|problems| problems.iter().filter(|(_, flag)| flag.as_bool() == Some(true)).count());
    let undiagnosed: BTreeSet<&str> = of_model().filter(|r| !r.is_diagnosed()).map(|r| r.step.as_str()).collect();
    let mut facts = output.on(ABOUT.id, Basis::States, &[("model", model)]);
    facts.put("first", estimate(first)).put("rescued", Estimate::count(listed)).put("neither", estimate(neither));
    facts.put("n", estimate(n)).put("undiagnosed", Estimate::count(undiagnosed.len()));
    facts.put("problems-gained", estimate(gained));
    facts.put(
        "balance",
        match (first, verified) {
            (Some(first), Some(verified)) => Estimate::value((first + listed) as f64 - verified as f64),
            _ => Estimate::undefined("the verified score of this model is not archived"),
        },
    );
}
