//! One way of finding the value of a claim: fill, parse, evaluate, compare.

use super::binding::{Bound, Candidate};
use super::compare::{self, End, Setting};
use super::expression::{self, Context, Evaluated, Expression, Node, Quantity, Table, Trace, Trouble, Value};
use super::judge::Bench;
use super::judgement::{Part, Verdict};
use super::ledger::{Claim, Shape};
use super::printed::Printed;
use super::template;

/// What an attempt found.
pub(super) struct Attempt {
    /// Number by number.
    pub(super) parts: Vec<Part>,
    /// Expressions as evaluated.
    pub(super) expressions: Vec<String>,
    /// Facts used.
    pub(super) trace: Trace,
    /// The table whose cell the claim merely repeats.
    pub(super) restates: Option<String>,
    /// True when every expression is one selection and nothing is computed here.
    pub(super) bare: bool,
    /// What kept a part of the claim from being judged.
    pub(super) trouble: Option<Trouble>,
}

impl Attempt {
    /// True when every number has a value.
    pub(super) fn is_complete(&self) -> bool {
        self.parts.iter().all(|part| part.value.is_some() || part.word.is_some())
    }

    /// Fills open numbers from a weaker attempt at the same claim.
    pub(super) fn complete(&mut self, other: Self) {
        if other.parts.len() != self.parts.len() || other.expressions.len() != self.expressions.len() {
            return;
        }
        let mut used = false;
        for (at, part) in other.parts.into_iter().enumerate() {
            if self.parts[at].value.is_none() && part.value.is_some() {
                self.parts[at] = part;
                self.expressions[at].clone_from(&other.expressions[at]);
                used = true;
            }
        }
        if used {
            self.bare &= other.bare;
            self.restates = self.restates.take().and(other.restates);
            self.trace.bases.extend(other.trace.bases);
            self.trace.used += other.trace.used;
            self.trace.links.extend(other.trace.links);
        }
    }
}

/// Why an attempt found nothing.
pub(super) struct Refused {
    /// Expressions as far as they could be filled in.
    pub(super) expressions: Vec<String>,
    /// What stood in the way.
    pub(super) trouble: Trouble,
}

/// Tries one candidate.
pub(super) fn attempt(
    bench: &Bench<'_>,
    claim: &Claim,
    bound: &Bound,
    candidate: &Candidate,
) -> Result<Attempt, Refused> {
    let mut parsed: Vec<Option<Expression>> = Vec::new();
    for text in &candidate.texts {
        // An empty text leaves a part of the claim open.
        match (!text.is_empty()).then(|| prepare(bench, claim, text)).transpose() {
            Ok(expression) => parsed.push(expression),
            Err(message) => return Err(Refused { expressions: Vec::new(), trouble: Trouble::Mistake(message) }),
        }
    }
    let texts = parsed.iter().map(|expression| expression.as_ref().map_or_else(String::new, |e| e.text.clone()));
    let expressions: Vec<String> = texts.collect();
    let context = Context { look: bench.finder, inputs: &claim.inputs, printed: bench.printed };
    let evaluated = |expression: &Option<Expression>| match expression {
        Some(expression) => expression::evaluate(expression, &context),
        None => Err(Trouble::NoFact("a part of this claim, which no expression answers".into())),
    };
    let found: Vec<Result<Evaluated, Trouble>> = parsed.iter().map(evaluated).collect();
    let refuse = |trouble: Trouble| Refused { expressions: expressions.clone(), trouble };
    let mistake = found.iter().find_map(|result| result.as_ref().err().filter(|t| matches!(t, Trouble::Mistake(_))));
    if let Some(trouble) = mistake.or_else(|| all_failed(&found)) {
        return Err(refuse(trouble.clone()));
    }
    let mut trace = Trace::default();
    for evaluated in found.iter().flatten() {
        trace.bases.extend(&evaluated.trace.bases);
        trace.used += evaluated.trace.used;
        trace.links.extend(evaluated.trace.links.iter().cloned());
    }
    let trouble = found.iter().find_map(|result| result.as_ref().err().cloned());
    let parts = parts(bench, claim, bound, &parsed, found).map_err(refuse)?;
    let nodes: Vec<&Node> = parsed.iter().flatten().map(|expression| &expression.node).collect();
    let bare = nodes.iter().all(|node| matches!(node, Node::Select(_)));
    Ok(Attempt { parts, restates: restates(&nodes), bare, expressions, trace, trouble })
}

fn all_failed(found: &[Result<Evaluated, Trouble>]) -> Option<&Trouble> {
    if found.iter().any(Result::is_ok) {
        return None;
    }
    found.iter().find_map(|result| result.as_ref().err())
}

/// Fills placeholders and parses.
pub(super) fn prepare(bench: &Bench<'_>, claim: &Claim, text: &str) -> Result<Expression, String> {
    let filled = template::fill(text, claim, bench.finder.sources.study, &bench.bindings.maps)?;
    expression::parse(&filled).map_err(|error| format!("{error} of `{filled}`"))
}

fn parts(
    bench: &Bench<'_>,
    claim: &Claim,
    bound: &Bound,
    parsed: &[Option<Expression>],
    found: Vec<Result<Evaluated, Trouble>>,
) -> Result<Vec<Part>, Trouble> {
    if let Shape::Holds | Shape::Text(_) = claim.shape {
        return statement(claim, found).map(|part| vec![part]);
    }
    let values = if claim.shape == Shape::Range { ends(found)? } else { flat(found)? };
    if values.len() != claim.printed.len() {
        let (have, want) = (values.len(), claim.printed.len());
        return Err(Trouble::Mistake(format!("{want} printed numbers, but {have} values")));
    }
    let out_of = out_of(bench, claim, bound);
    let one_each = parsed.len() == values.len();
    let numbers: Vec<Printed> = claim.printed.iter().map(|printed| precise(printed, bound)).collect();
    let part = |(at, (value, printed)): (usize, (Option<Quantity>, &Printed))| match value {
        None => compare::open(claim, at, printed),
        Some(value) => {
            let end = (claim.shape == Shape::Range).then_some(if at == 0 { End::Low } else { End::High });
            let is_spread = one_each && parsed[at].as_ref().is_some_and(|expression| measures_spread(&expression.node));
            let shares = bench.ledger.percent_is_share();
            compare::part(claim, at, printed, &value, Setting { end, out_of, is_spread, shares })
        }
    };
    Ok(values.into_iter().zip(&numbers).enumerate().map(part).collect())
}

/// The printed number at the precision that the binding states for the column.
fn precise(printed: &Printed, bound: &Bound) -> Printed {
    match bound.digits {
        Some(digits) => printed.clone().with_digits(digits),
        None => printed.clone(),
    }
}

/// Number of things behind a percentage, where ledger or binding say it.
pub(super) fn out_of(bench: &Bench<'_>, claim: &Claim, bound: &Bound) -> Option<u64> {
    let text = claim.out_of.clone().or_else(|| bound.out_of.as_ref().map(|text| bench.bindings.defined(text)))?;
    let expression = prepare(bench, claim, &text).ok()?;
    let context = Context { look: bench.finder, inputs: &claim.inputs, printed: bench.printed };
    let value = expression::evaluate(&expression, &context).ok()?.value;
    let number = value.series().ok()?.one().ok()?.value;
    (number >= 1.0 && number.fract() == 0.0).then_some(number as u64)
}

/// Whether a condition holds; it is about printed numbers, inputs or facts.
pub(super) fn holds(bench: &Bench<'_>, claim: &Claim, text: &str) -> Result<bool, Trouble> {
    let expression = prepare(bench, claim, text).map_err(Trouble::Mistake)?;
    let context = Context { look: bench.finder, inputs: &claim.inputs, printed: bench.printed };
    Ok(expression::evaluate(&expression, &context)?.value.series()?.one()?.holds())
}

/// All single values in order; a part that failed is `None`.
fn flat(found: Vec<Result<Evaluated, Trouble>>) -> Result<Vec<Option<Quantity>>, Trouble> {
    let mut values = Vec::new();
    for result in found {
        match result {
            Ok(evaluated) => spread_out(evaluated.value, &mut values)?,
            Err(_) => values.push(None),
        }
    }
    Ok(values)
}

fn spread_out(value: Value, values: &mut Vec<Option<Quantity>>) -> Result<(), Trouble> {
    match value {
        Value::List(items) => items.into_iter().try_for_each(|item| spread_out(item, values)),
        other => {
            values.push(Some(other.series()?.one()?));
            Ok(())
        }
    }
}

/// Lower and upper end: two values, or the extremes of a series.
fn ends(mut found: Vec<Result<Evaluated, Trouble>>) -> Result<Vec<Option<Quantity>>, Trouble> {
    if found.len() == 1 {
        if let Ok(Evaluated { value: Value::Series(series), .. }) = &found[0]
            && !series.is_single()
        {
            let call = |name: &str| -> Result<Quantity, Trouble> {
                let value = expression::summarise(name, Value::Series(series.clone()))?;
                value.series()?.one()
            };
            return Ok(vec![Some(call("min")?), Some(call("max")?)]);
        }
        return flat(vec![found.remove(0)]);
    }
    flat(found)
}

fn statement(claim: &Claim, mut found: Vec<Result<Evaluated, Trouble>>) -> Result<Part, Trouble> {
    if found.len() != 1 {
        return Err(Trouble::Mistake("a statement wants one expression".into()));
    }
    let (word, value) = match found.remove(0)?.value {
        Value::Word(word) => (Some(word), None),
        other => (None, Some(other.series()?.one()?)),
    };
    let holds = match (&claim.shape, &word, &value) {
        (Shape::Text(printed), Some(word), _) => printed == word,
        (_, _, Some(value)) => value.holds(),
        _ => return Err(Trouble::Mistake("a word is no statement".into())),
    };
    let verdict = if holds { Verdict::Reproduced } else { Verdict::Differs };
    let printed = match &claim.shape {
        Shape::Text(word) => word.clone(),
        _ => "holds".to_owned(),
    };
    Ok(Part {
        name: String::new(),
        printed,
        decimals: None,
        interval: None,
        value: value.map(|value| value.value),
        word,
        between: None,
        count: None,
        verdict,
    })
}

/// The published table of which every expression is a bare cell.
fn restates(nodes: &[&Node]) -> Option<String> {
    let tables: Option<Vec<&str>> = nodes
        .iter()
        .map(|node| match node {
            Node::Select(selection) => match &selection.table {
                Table::Published(id) => Some(id.as_str()),
                Table::Statistic(_) => None,
            },
            _ => None,
        })
        .collect();
    let mut tables = tables?;
    tables.dedup();
    Some(tables.into_iter().map(|id| format!("{id}.csv")).collect::<Vec<_>>().join(" and "))
}

fn measures_spread(node: &Node) -> bool {
    match node {
        Node::Select(selection) => selection.measure == "sd" || selection.measure.ends_with("_sd"),
        Node::Call(name, _) => name == "sd",
        _ => false,
    }
}
