//! Finding the value of an expression, with a trace of what it rests on.

use std::collections::{BTreeMap, BTreeSet};

use super::arithmetic;
use super::functions;
use super::summary;
use super::tree::{Expression, Node, Operator, Selection, Step};
use super::value::{Quantity, Series, Trouble, Value};
use crate::claims::judgement::{Basis, Link};
use crate::claims::printed::Printed;
use crate::json;

/// Links kept per claim; more are only counted.
const LINKS: usize = 24;

/// Where selections find their values.
pub trait Look {
    /// The series that fits a selection. Records in `trace` what was used.
    fn select(&self, selection: &Selection, trace: &mut Trace) -> Result<Series, Trouble>;
}

/// What an expression may refer to.
pub struct Context<'a> {
    /// Facts and published tables.
    pub look: &'a dyn Look,
    /// Printed counts of the claim.
    pub inputs: &'a json::Value,
    /// Printed numbers of the ledger, by claim id.
    pub printed: &'a BTreeMap<&'a str, &'a [Printed]>,
}

/// What a value rests on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// Facts and cells used, first ones only.
    pub links: Vec<Link>,
    /// How many were used in all.
    pub used: usize,
    /// Kinds of support.
    pub bases: BTreeSet<Basis>,
}

impl Trace {
    /// Notes one fact or cell.
    pub fn note(&mut self, basis: Basis, link: impl FnOnce() -> Link) {
        self.bases.insert(basis);
        self.used += 1;
        if self.links.len() < LINKS {
            self.links.push(link());
        }
    }

    /// The weakest support, which is the support of the whole.
    pub fn basis(&self) -> Option<Basis> {
        self.bases.last().copied()
    }
}

/// A value with its trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value.
    pub value: Value,
    /// What it rests on.
    pub trace: Trace,
}

/// Evaluates an expression.
pub fn evaluate(expression: &Expression, context: &Context<'_>) -> Result<Evaluated, Trouble> {
    let mut trace = Trace::default();
    let value = node(&expression.node, context, &mut trace)?;
    if let Value::Series(series) = &value
        && series.is_single()
    {
        series.one()?;
    }
    Ok(Evaluated { value, trace })
}

fn node(node_: &Node, context: &Context<'_>, trace: &mut Trace) -> Result<Value, Trouble> {
    match node_ {
        Node::Number(value) => Ok(Value::single(Quantity::exact(*value))),
        Node::Word(word) => Ok(Value::Word(word.clone())),
        Node::Input(steps) => input(steps, context.inputs, trace),
        Node::Claim(id, index) => printed(id, *index, context, trace),
        Node::Select(selection) => context.look.select(selection, trace).map(Value::Series),
        Node::Negate(inner) => {
            let series = node(inner, context, trace)?.series()?;
            Ok(Value::Series(series.map(|q| Quantity::between(-q.value, -q.high, -q.low))))
        }
        Node::Binary(operator, left, right) => operation(*operator, left, right, context, trace),
        Node::Call(name, arguments) => call(name, arguments, context, trace),
        Node::List(nodes) => {
            let values: Result<Vec<Value>, Trouble> = nodes.iter().map(|item| node(item, context, trace)).collect();
            Ok(Value::List(values?))
        }
    }
}

fn operation(
    operator: Operator,
    left: &Node,
    right: &Node,
    context: &Context<'_>,
    trace: &mut Trace,
) -> Result<Value, Trouble> {
    let (a, b) = (node(left, context, trace)?, node(right, context, trace)?);
    if let (Value::Word(x), Value::Word(y)) = (&a, &b) {
        return match operator {
            Operator::Equal => Ok(Value::single(Quantity::truth(x == y))),
            Operator::Unequal => Ok(Value::single(Quantity::truth(x != y))),
            _ => Err(Trouble::Mistake(format!("`{x}` and `{y}` are words; they can only be equal or not"))),
        };
    }
    arithmetic::binary(operator, &a.series()?, &b.series()?).map(Value::Series)
}

fn call(name: &str, arguments: &[Node], context: &Context<'_>, trace: &mut Trace) -> Result<Value, Trouble> {
    if let ("rank", [series, Node::Binary(Operator::Equal, key, value)]) = (name, arguments)
        && let (Node::Word(key), Node::Word(value)) = (&**key, &**value)
    {
        let series = node(series, context, trace)?;
        return functions::call(name, vec![series], Some((key.clone(), value.clone())));
    }
    let values: Result<Vec<Value>, Trouble> = arguments.iter().map(|item| node(item, context, trace)).collect();
    let mut values = values?;
    if let "count" | "share" = name {
        if values.len() != 1 {
            return Err(Trouble::Mistake(format!("`{name}` wants one series")));
        }
        let compared = arguments.first().is_some_and(is_comparison);
        return summary::tally(name, &values.remove(0).series()?, compared).map(Value::single);
    }
    functions::call(name, values, None)
}

/// True when the node yields truth values.
fn is_comparison(node: &Node) -> bool {
    use Operator::{And, AtLeast, AtMost, Equal, Greater, Less, Unequal};
    match node {
        Node::Binary(operator, ..) => {
            matches!(operator, And | AtLeast | AtMost | Equal | Greater | Less | Unequal)
        }
        Node::Call(name, arguments) => name == "where" && arguments.first().is_some_and(is_comparison),
        _ => false,
    }
}

fn input(steps: &[Step], inputs: &json::Value, trace: &mut Trace) -> Result<Value, Trouble> {
    let mut found = inputs;
    for step in steps {
        let next = match step {
            Step::Member(member) => found.get(member),
            Step::Item(position) => found.as_list().and_then(|items| items.get(*position)),
        };
        found = next.ok_or_else(|| Trouble::Mistake(format!("the inputs have no `{}`", path(steps))))?;
    }
    numbers(found, trace).ok_or_else(|| Trouble::Mistake(format!("input `{}` is no number", path(steps))))
}

fn numbers(value: &json::Value, trace: &mut Trace) -> Option<Value> {
    match value {
        json::Value::Number(number) => {
            trace.bases.insert(Basis::Counts);
            Some(Value::single(Quantity::exact(number.as_f64())))
        }
        json::Value::Text(text) => {
            let printed = Printed::read(text)?;
            trace.bases.insert(Basis::Counts);
            Some(Value::single(Quantity::exact(printed.value)))
        }
        json::Value::List(items) => {
            items.iter().map(|item| numbers(item, trace)).collect::<Option<_>>().map(Value::List)
        }
        json::Value::Object(members) => {
            members.iter().map(|(_, v)| numbers(v, trace)).collect::<Option<_>>().map(Value::List)
        }
        json::Value::Null | json::Value::Bool(_) => None,
    }
}

fn path(steps: &[Step]) -> String {
    steps.iter().fold("input".to_owned(), |text, step| match step {
        Step::Member(member) => format!("{text}.{member}"),
        Step::Item(position) => format!("{text}[{position}]"),
    })
}

fn printed(id: &str, index: usize, context: &Context<'_>, trace: &mut Trace) -> Result<Value, Trouble> {
    let numbers = context.printed.get(id).ok_or_else(|| Trouble::Mistake(format!("no claim is called `{id}`")))?;
    let number = numbers.get(index);
    let number = number.ok_or_else(|| Trouble::Mistake(format!("claim `{id}` has no value number {index}")))?;
    trace.note(Basis::Counts, || Link::claim(id));
    let (low, high) = number.spread();
    Ok(Value::single(Quantity::between(number.value, low, high)))
}
