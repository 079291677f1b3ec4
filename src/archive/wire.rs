//! From a stored object to a [`Record`]: the only place that knows how upstream spells its members.

use std::borrow::Cow;
use std::sync::Arc;

use super::hindrance::Hindrance;
use super::intern::Interner;
use super::pull::{MemberFault, Pull};
use super::record::{Actual, Attempt, AttemptOutcome, AttemptText, Record, SubAnswer, TextsWanted, Usage};
use crate::id::ProblemId;
use crate::json::{Fault, Keys, Kind, Number, Reader};

/// One stored record as far as it could be understood.
pub(super) struct Stored<'a> {
    /// The record, or why it is none.
    pub(super) record: Result<Record, String>,
    /// Texts of its attempts, in order.
    pub(super) texts: Vec<AttemptText<'a>>,
    /// What the record says of the run it belongs to (selected records do).
    pub(super) origin: Origin,
    /// Digits of returned numbers that a double does not hold, by detail.
    pub(super) literals: Vec<(usize, Box<str>)>,
    /// Members of the wrong kind.
    pub(super) faults: Vec<MemberFault>,
    /// Members nobody knows.
    pub(super) unknown: Vec<String>,
}

/// Where a selected record says it came from.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Origin {
    /// `exp_id`.
    pub(super) experiment: Option<Arc<str>>,
    /// `model`.
    pub(super) configuration: Option<Arc<str>>,
    /// `run`.
    pub(super) run: Option<u64>,
}

/// Members that selected records carry beside those of a run; they describe, they do not decide.
const DESCRIPTIVE: &[&str] = &[
    "mode",
    "problem_set",
    "expected",
    "evidence_section",
    "evidence_line",
    "actual_unit_from",
    "superseded_measurement",
    "provenance",
    "system",
];

/// Reads one record. `Err` is a break in the text; everything else is said in the result.
pub(super) fn record<'a>(
    reader: &mut Reader<'a>,
    intern: &mut Interner,
    texts: TextsWanted,
) -> Result<Stored<'a>, Fault> {
    let mut pull = Pull::new(reader, intern);
    let mut draft = Draft { wanted: texts, ..Draft::default() };
    if pull.reader.kind()? == Kind::Object {
        pull.reader.begin_object()?;
        let mut keys = Keys::default();
        while let Some(key) = pull.reader.next_member(&mut keys)? {
            draft.member(&key, &mut pull)?;
        }
    } else {
        pull.skip()?;
        draft.refused = Some("it is not an object".to_owned());
    }
    let Pull { faults, mut unknown, .. } = pull;
    if draft.status.is_some() && draft.record.error.is_none() {
        unknown.push("status \"error\" without an error".to_owned());
    }
    let Draft { id, record, texts, origin, literals, refused, .. } = draft;
    let record = match (refused, id) {
        (Some(reason), _) => Err(reason),
        (None, None) => Err("it has no id".to_owned()),
        (None, Some(id)) => Ok(Record { id: ProblemId::from(id), ..record }),
    };
    Ok(Stored { record, texts, origin, literals, faults, unknown })
}

struct Draft<'a> {
    wanted: TextsWanted,
    id: Option<Arc<str>>,
    record: Record,
    texts: Vec<AttemptText<'a>>,
    origin: Origin,
    literals: Vec<(usize, Box<str>)>,
    /// `status` or `outcome` where it says error: members that the runner never writes and that some figure
    /// scripts look at. They decide nothing here.
    status: Option<Arc<str>>,
    /// Set when the record cannot be used.
    refused: Option<String>,
}

impl Default for Draft<'_> {
    fn default() -> Self {
        Self {
            wanted: TextsWanted::All,
            id: None,
            record: Record::blank(ProblemId::from("")),
            texts: Vec::new(),
            origin: Origin::default(),
            literals: Vec::new(),
            status: None,
            refused: None,
        }
    }
}

impl<'a> Draft<'a> {
    fn member(&mut self, key: &str, pull: &mut Pull<'_, 'a>) -> Result<(), Fault> {
        let record = &mut self.record;
        match key {
            "id" if pull.reader.kind()? == Kind::Text => self.id = pull.shared(key)?,
            "id" => {
                pull.skip()?;
                self.refused = Some("its id is not a text".to_owned());
            }
            "passed" => match pull.reader.kind()? {
                Kind::Bool => record.passed = Some(pull.reader.boolean()?),
                Kind::Null => pull.reader.null()?,
                _ => {
                    pull.skip()?;
                    self.refused = Some("its passed is neither true nor false".to_owned());
                }
            },
            "details" => record.details = details(pull, &mut self.literals)?,
            "details_from" => record.details_from = pull.shared(key)?,
            "num_attempts" => record.num_attempts = pull.count(key)?.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
            "failed_reason" => record.failed_reason = pull.said()?,
            "error" => record.error = pull.said()?,
            "error_as_fail" => record.error_as_fail = pull.truthy()?,
            "regraded" => regraded(pull, record)?,
            "usage" => record.usage = usage(pull)?,
            "tokens" => record.legacy_tokens = pull.count(key)?,
            "note" => record.note = pull.said()?,
            "attempts" => record.attempts = attempts(pull, self.wanted, &mut self.texts)?,
            "status" | "outcome" => self.status = pull.said()?.filter(|status| &**status == "error"),
            "exp_id" => self.origin.experiment = pull.shared(key)?,
            "model" => self.origin.configuration = pull.shared(key)?,
            "run" => self.origin.run = pull.count(key)?,
            _ if DESCRIPTIVE.contains(&key) => pull.skip()?,
            _ => pull.unknown(key.to_owned())?,
        }
        Ok(())
    }
}

fn details(pull: &mut Pull<'_, '_>, literals: &mut Vec<(usize, Box<str>)>) -> Result<Option<Vec<SubAnswer>>, Fault> {
    if pull.reader.kind()? != Kind::List {
        return pull.wrong("details", "a list").map(|()| None);
    }
    literals.clear();
    pull.reader.begin_list()?;
    let mut details = Vec::new();
    while pull.reader.next_item()? {
        if pull.reader.kind()? != Kind::Object {
            pull.fault(format!("details[{}] is not an object", details.len()));
            pull.skip()?;
            continue;
        }
        let (detail, literal) = detail(pull)?;
        if let Some(literal) = literal {
            literals.push((details.len(), literal));
        }
        details.extend(detail);
    }
    details.shrink_to_fit();
    Ok(Some(details))
}

/// One detail; `None` for the object that only carries an error.
fn detail(pull: &mut Pull<'_, '_>) -> Result<(Option<SubAnswer>, Option<Box<str>>), Fault> {
    let (mut sub, mut expected, mut expected_units) = (None, None, None);
    let (mut value, mut literal, mut actual_unit) = (Actual::Missing, None, None);
    let (mut passed, mut error) = (None, false);
    let byte = pull.reader.position();
    pull.reader.begin_object()?;
    let mut keys = Keys::default();
    while let Some(key) = pull.reader.next_member(&mut keys)? {
        match &*key {
            "sub" => sub = Some(pull.python_text()?),
            "expected" => expected = texts("expected", pull)?,
            "expected_units" => expected_units = texts("expected_units", pull)?,
            "actual" => (value, literal) = actual(pull)?,
            // A null reads as the word `None`, as it does for the study; only an absent unit is unknown.
            "actual_unit" => actual_unit = Some(pull.python_text()?),
            "passed" => passed = pull.flag("passed of a detail")?,
            "error" => {
                error = true;
                pull.skip()?;
            }
            _ => pull.unknown(format!("details[].{key}"))?,
        }
    }
    let Some(sub) = sub else {
        if !error {
            pull.faults.push(MemberFault { byte, what: "a detail has no sub".to_owned() });
        }
        return Ok((None, None));
    };
    let expected = expected.unwrap_or_else(|| pull.intern.list(&[]));
    let detail = SubAnswer { sub, expected, expected_units, actual: value, actual_unit, passed: passed == Some(true) };
    Ok((Some(detail), literal))
}

/// A list of values of any kind, each as Python prints it.
fn texts(name: &str, pull: &mut Pull<'_, '_>) -> Result<Option<Arc<[Arc<str>]>>, Fault> {
    if pull.reader.kind()? != Kind::List {
        return pull.wrong(name, "a list").map(|()| None);
    }
    pull.reader.begin_list()?;
    let mut items = Vec::new();
    while pull.reader.next_item()? {
        items.push(pull.python_text()?);
    }
    Ok(Some(pull.intern.list(&items)))
}

/// A returned value, with its digits where a double does not hold them. Flags count as 1 and 0, as they
/// do where the study compares them.
fn actual(pull: &mut Pull<'_, '_>) -> Result<(Actual, Option<Box<str>>), Fault> {
    Ok(match pull.reader.kind()? {
        Kind::Null => {
            pull.reader.null()?;
            (Actual::Missing, None)
        }
        Kind::Number => {
            let literal = pull.reader.literal()?;
            let value = Number::double(literal);
            let integer = literal.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
            let lost = (integer && value.abs() > 9_007_199_254_740_992.0)
                || (value.is_infinite() && !literal.ends_with("Infinity"));
            (Actual::Number(value), lost.then(|| literal.into()))
        }
        Kind::Bool => (Actual::Number(f64::from(u8::from(pull.reader.boolean()?))), None),
        Kind::Text | Kind::List | Kind::Object => (Actual::Text(pull.python_text()?), None),
    })
}

/// `{assignment: {sub: value}}` of a regrade that proved the order of the answers.
fn regraded(pull: &mut Pull<'_, '_>, record: &mut Record) -> Result<(), Fault> {
    if pull.reader.kind()? != Kind::Object {
        return pull.wrong("regraded", "an object");
    }
    let byte = pull.reader.position();
    record.regraded.clear();
    let stored = pull.reader.value()?;
    let Some(assignment) = stored.get("assignment").filter(|value| !value.is_null()) else { return Ok(()) };
    let Some(members) = assignment.as_object() else {
        pull.faults.push(MemberFault { byte, what: "regraded.assignment is not an object".to_owned() });
        return Ok(());
    };
    for (sub, value) in members.iter() {
        if let Some(value) = value.as_f64() {
            record.regraded.insert(pull.intern.text(sub), value);
        } else {
            let what = format!("regraded.assignment gives {sub:?} no number");
            pull.faults.push(MemberFault { byte, what });
        }
    }
    Ok(())
}

/// Four counts; a missing total is the sum of the others.
fn usage(pull: &mut Pull<'_, '_>) -> Result<Option<Usage>, Fault> {
    if pull.reader.kind()? != Kind::Object {
        return pull.wrong("usage", "an object").map(|()| None);
    }
    let mut usage = Usage::default();
    let mut total = None;
    pull.reader.begin_object()?;
    let mut keys = Keys::default();
    while let Some(key) = pull.reader.next_member(&mut keys)? {
        match &*key {
            "prompt_tokens" => usage.prompt = pull.count("usage.prompt_tokens")?.unwrap_or(0),
            "completion_tokens" => usage.completion = pull.count("usage.completion_tokens")?.unwrap_or(0),
            "reasoning_tokens" => usage.reasoning = pull.count("usage.reasoning_tokens")?.unwrap_or(0),
            "total_tokens" => total = pull.count("usage.total_tokens")?,
            _ => pull.skip()?,
        }
    }
    usage.total =
        total.unwrap_or_else(|| usage.prompt.saturating_add(usage.completion).saturating_add(usage.reasoning));
    Ok(Some(usage))
}

fn attempts<'a>(
    pull: &mut Pull<'_, 'a>,
    wanted: TextsWanted,
    texts: &mut Vec<AttemptText<'a>>,
) -> Result<Option<Vec<Attempt>>, Fault> {
    if pull.reader.kind()? != Kind::List {
        return pull.wrong("attempts", "a list").map(|()| None);
    }
    texts.clear();
    let mut attempts = Vec::new();
    pull.reader.begin_list()?;
    while pull.reader.next_item()? {
        if pull.reader.kind()? == Kind::Object {
            let (attempt, text) = attempt(pull, wanted)?;
            attempts.push(attempt);
            texts.push(text);
        } else {
            pull.fault(format!("attempts[{}] is not an object", attempts.len()));
            pull.skip()?;
        }
    }
    attempts.shrink_to_fit();
    Ok(Some(attempts))
}

fn attempt<'a>(pull: &mut Pull<'_, 'a>, wanted: TextsWanted) -> Result<(Attempt, AttemptText<'a>), Fault> {
    let mut text = AttemptText::default();
    let mut outcome = AttemptOutcome::Unknown;
    let mut counted = None;
    let mut has_reasoning = false;
    pull.reader.begin_object()?;
    let mut keys = Keys::default();
    while let Some(key) = pull.reader.next_member(&mut keys)? {
        match &*key {
            "prompt" if wanted == TextsWanted::Responses => drop(pull.passed_text("prompt of an attempt")?),
            "reasoning" if wanted == TextsWanted::Responses => {
                has_reasoning = pull.passed_text("reasoning of an attempt")?;
            }
            "prompt" => text.prompt = pull.text("prompt of an attempt")?.unwrap_or_default(),
            "response" => text.response = pull.text("response of an attempt")?.unwrap_or_default(),
            "reasoning" => {
                text.reasoning = pull.text("reasoning of an attempt")?.unwrap_or_default();
                has_reasoning = !text.reasoning.trim().is_empty();
            }
            "outcome" => outcome = self::outcome(pull)?,
            "usage" => counted = usage(pull)?,
            "index" | "prompt_shown_with_another_run" | "response_elided" => pull.skip()?,
            _ => pull.unknown(format!("attempts[].{key}"))?,
        }
    }
    let attempt = Attempt { outcome, usage: counted, response_bytes: text.response.len() as u64, has_reasoning };
    Ok((attempt, text))
}

fn outcome(pull: &mut Pull<'_, '_>) -> Result<AttemptOutcome, Fault> {
    let stored: Option<Cow<'_, str>> = pull.text("outcome of an attempt")?;
    Ok(match stored.as_deref() {
        Some("graded") => AttemptOutcome::Graded,
        Some(text) => match text.strip_prefix("ungradable") {
            Some(reason) => {
                let reason = reason.strip_prefix(':').unwrap_or(reason).trim_start();
                AttemptOutcome::Ungradable(pull.intern.text(reason), Hindrance::recorded(reason))
            }
            None => AttemptOutcome::Unknown,
        },
        None => AttemptOutcome::Unknown,
    })
}
