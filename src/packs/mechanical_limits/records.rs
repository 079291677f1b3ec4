//! Items, calls, probes, codings and the plan of the study, as its archive stores them.
//!
//! The layout is described in `docs/formats/call-records.md`.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::Materials;
use crate::json::{Reader, Value};
use crate::report::{Finding, Place};

/// Role of the file of items.
pub(super) const ITEMS: &str = "items";
/// Role of the files of calls.
pub(super) const CALLS: &str = "calls";
/// Role of the file of probes.
pub(super) const PROBES: &str = "probes";
/// Role of the file of codings.
pub(super) const CODINGS: &str = "codings";
/// Role of the plan.
pub(super) const PLAN: &str = "plan";

/// Whether an item can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Twin {
    /// Its datum violates the limit.
    Flawed,
    /// Its datum respects it.
    Valid,
}

impl Twin {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Flawed => "flawed",
            Self::Valid => "valid",
        }
    }
}

/// An item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) family: String,
    pub(super) set: String,
    pub(super) twin: Twin,
    /// What the text states, with its digits.
    pub(super) datum: Option<f64>,
    /// The limit from two references.
    pub(super) certificate: Option<f64>,
    /// Aimed-at distance from the limit, in percent.
    pub(super) target_margin: Option<f64>,
}

/// How a call ended, as far as an answer came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grade {
    /// The reply declines the whole item.
    pub(super) declined: bool,
    /// Required answers that the reply withholds.
    pub(super) withheld: usize,
    /// Required answers that are right, out of those that are required.
    pub(super) right: (usize, usize),
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) collection: String,
    pub(super) model: String,
    pub(super) item: String,
    pub(super) arm: String,
    pub(super) attempt: u64,
    /// Time order within the archive, as text that sorts.
    pub(super) started: String,
    pub(super) status: String,
    pub(super) is_final: bool,
    /// `None` when no reply could be parsed.
    pub(super) grade: Option<Grade>,
}

/// A limit that a model was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probe {
    pub(super) model: String,
    pub(super) item: String,
    pub(super) value: f64,
}

/// What a rule and a person say about a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) reply: String,
    pub(super) rule: String,
    pub(super) coder: String,
}

/// Two arms over the same items that were declared to be compared, in a family of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contrast {
    pub(super) family: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) collection: Option<String>,
}

/// What was fixed before the first call.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Plan {
    pub(super) contrasts: Vec<Contrast>,
    /// Sizes of the tiers in the whole population, by the rule.
    pub(super) population: BTreeMap<String, u64>,
    /// Most false alarms per 20 valid items of a cell.
    pub(super) false_alarms: Option<f64>,
    /// Most unanswered calls per 40 of a cell.
    pub(super) unanswered: Option<f64>,
    /// Items of a set that every arm is asked.
    pub(super) expected: BTreeMap<String, u64>,
}

/// Everything that is archived.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Records {
    pub(super) items: BTreeMap<String, Item>,
    pub(super) calls: Vec<Call>,
    pub(super) probes: Vec<Probe>,
    pub(super) codings: Vec<Coding>,
    pub(super) plan: Plan,
    pub(super) findings: Vec<Finding>,
    roles: BTreeSet<String>,
}

impl Records {
    /// Reads what is there; what cannot be read is a finding and left out.
    pub(super) fn read(materials: &Materials) -> Self {
        let mut records = Self { roles: materials.roles().map(str::to_owned).collect(), ..Self::default() };
        for (place, value) in records.lines(materials, ITEMS) {
            match item(&value) {
                Ok(item) if records.items.contains_key(&item.id) => {
                    records.bad("duplicate-item", place, "another item before it has the same id");
                }
                Ok(item) => drop(records.items.insert(item.id.clone(), item)),
                Err(what) => records.bad("bad-item", place, what),
            }
        }
        for (place, value) in records.lines(materials, CALLS) {
            match call(&value) {
                Ok(call) if !records.items.contains_key(&call.item) => {
                    records.bad("unknown-id", place, &format!("no item is called {}", call.item));
                }
                Ok(call) => records.calls.push(call),
                Err(what) => records.bad("bad-record", place, what),
            }
        }
        for (place, value) in records.lines(materials, PROBES) {
            let of = || {
                Some(Probe {
                    model: text(&value, "model")?,
                    item: text(&value, "item_id")?,
                    value: number(&value, "value")?,
                })
            };
            match of() {
                Some(probe) if records.items.contains_key(&probe.item) => records.probes.push(probe),
                Some(probe) => records.bad("unknown-id", place, &format!("no item is called {}", probe.item)),
                None => records.bad("bad-record", place, "a probe needs model, item_id and value"),
            }
        }
        for (place, value) in records.lines(materials, CODINGS) {
            let of = || {
                Some(Coding {
                    reply: text(&value, "reply")?,
                    rule: text(&value, "rule")?,
                    coder: text(&value, "coder")?,
                })
            };
            match of() {
                Some(coding) => records.codings.push(coding),
                None => records.bad("bad-record", place, "a coding needs reply, rule and coder"),
            }
        }
        if let Some(file) = materials.one(PLAN) {
            match Reader::new(&file.bytes).value() {
                Ok(value) => records.plan = plan(&value),
                Err(fault) => records.bad("torn-file", Place::file(&file.path), &fault.to_string()),
            }
        }
        records
    }

    fn bad(&mut self, code: &'static str, place: Place, what: &str) {
        self.findings.push(Finding::new(code, place, what));
    }

    fn lines(&mut self, materials: &Materials, role: &str) -> Vec<(Place, Value)> {
        let mut found = Vec::new();
        for file in materials.all(role) {
            for (number, line) in file.bytes.split(|byte| *byte == b'\n').enumerate() {
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                let place = Place::file(&file.path).with_line(number + 1);
                match Reader::new(line).value() {
                    Ok(value) => found.push((place, value)),
                    Err(fault) => self.bad("torn-file", place, &fault.to_string()),
                }
            }
        }
        found
    }

    /// Why an analysis that needs a file has no value.
    pub(super) fn lacks(&self, role: &str) -> Option<String> {
        (!self.roles.contains(role)).then(|| format!("no {role} are archived"))
    }

    /// The call that counts, by collection, model, arm and item: the first one marked final, in the order of
    /// time; later ones are kept in the archive and not used.
    pub(super) fn finals(&self) -> BTreeMap<(&str, &str, &str, &str), &Call> {
        let mut finals: BTreeMap<(&str, &str, &str, &str), &Call> = BTreeMap::new();
        for call in self.calls.iter().filter(|call| call.is_final) {
            let key = (call.collection.as_str(), call.model.as_str(), call.arm.as_str(), call.item.as_str());
            let earlier = |other: &Call| (&other.started, other.attempt) <= (&call.started, call.attempt);
            if finals.get(&key).is_none_or(|other| !earlier(other)) {
                finals.insert(key, call);
            }
        }
        finals
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_text().map(str::to_owned)
}

/// A number, or a text of digits that keeps its printed precision.
fn number(value: &Value, name: &str) -> Option<f64> {
    match value.get(name)? {
        Value::Number(number) => Some(number.as_f64()),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
    .filter(|value| value.is_finite())
}

fn item(value: &Value) -> Result<Item, &'static str> {
    Ok(Item {
        id: text(value, "item_id").ok_or("an item needs item_id")?,
        family: text(value, "family").ok_or("an item needs family")?,
        set: text(value, "set").ok_or("an item needs set")?,
        twin: match value.get("twin").and_then(Value::as_text) {
            Some("flawed") => Twin::Flawed,
            Some("valid") => Twin::Valid,
            _ => return Err("`twin` is neither flawed nor valid"),
        },
        datum: number(value, "datum"),
        certificate: number(value, "certificate"),
        target_margin: number(value, "target_margin"),
    })
}

fn call(value: &Value) -> Result<Call, &'static str> {
    let needed = |name: &'static str, what| text(value, name).ok_or(what);
    let grade = match value.get("grade") {
        None | Some(Value::Null) => None,
        Some(grade) => Some(graded(grade).ok_or("a grade needs declined and required answers")?),
    };
    Ok(Call {
        collection: text(value, "collection").unwrap_or_default(),
        model: needed("model", "a call needs model")?,
        item: needed("item_id", "a call needs item_id")?,
        arm: needed("arm", "a call needs arm")?,
        attempt: value.get("attempt").and_then(Value::as_number).and_then(crate::json::Number::as_u64).unwrap_or(1),
        started: text(value, "started").unwrap_or_default(),
        status: needed("status", "a call needs status")?,
        is_final: value.get("final").and_then(Value::as_bool).ok_or("a call needs final")?,
        grade,
    })
}

fn graded(grade: &Value) -> Option<Grade> {
    let required = grade.get("required")?.as_list()?;
    let correct = grade.get("correct").and_then(Value::as_object);
    let withheld = grade.get("withheld").and_then(Value::as_list).unwrap_or_default().len();
    let right = |name: &&Value| name.as_text().and_then(|name| correct?.get(name)?.as_bool()) == Some(true);
    let right = required.iter().filter(right).count();
    Some(Grade { declined: grade.get("declined")?.as_bool()?, withheld, right: (right, required.len()) })
}

fn plan(value: &Value) -> Plan {
    let contrasts = value.get("contrasts").and_then(Value::as_list).unwrap_or_default();
    let contrast = |value: &Value| {
        Some(Contrast {
            family: text(value, "family")?,
            before: text(value, "before")?,
            after: text(value, "after")?,
            collection: text(value, "collection"),
        })
    };
    let counts = |name: &str| {
        let members = value.get(name).and_then(Value::as_object).into_iter().flat_map(crate::json::Object::iter);
        members.filter_map(|(name, value)| Some((name.to_owned(), value.as_number()?.as_u64()?))).collect()
    };
    let gates = value.get("gates");
    Plan {
        contrasts: contrasts.iter().filter_map(contrast).collect(),
        population: counts("population"),
        false_alarms: gates.and_then(|gates| number(gates, "false_alarms_per_20")),
        unanswered: gates.and_then(|gates| number(gates, "unanswered_per_40")),
        expected: counts("expected"),
    }
}
