//! Claims that are judged again and again, each time over other facts: for asking whether a conclusion survives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::binding::Bindings;
use super::expression::{self, Context, Expression, Look, Node, Operator, Pattern, Selection, Table, Trace};
use super::judge::Bench;
use super::judgement::{Judgement, Judgements, Verdict};
use super::ledger::{Claim, Compare, Ledger, Shape};
use super::printed::Printed;
use super::published::Parsed;
use super::sources::{Finder, Sources};
use crate::digest::{Digest, Hasher};
use crate::statistics::Facts;
use crate::study::Study;

/// What a claim says that can turn out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A statement that holds or not: an expression, a word, a bound.
    Statement,
    /// A number; of it the range is told, and whether it still prints the same.
    Number,
}

impl Judgement {
    /// What the claim says that can turn out otherwise; a number is one only when the study calls it a headline.
    pub fn conclusion(&self, study: &Study) -> Option<Kind> {
        let bound = matches!(self.compare, Compare::AtLeast | Compare::AtMost | Compare::MoreThan | Compare::LessThan);
        if matches!(self.shape, Shape::Holds | Shape::Text(_)) || (bound && self.parts.len() == 1) {
            return Some(Kind::Statement);
        }
        self.is_headline(study).then_some(Kind::Number)
    }

    /// Whether the study calls it a headline.
    pub fn is_headline(&self, study: &Study) -> bool {
        study.claims.iter().flat_map(|claims| &claims.headlines).any(|id| *id == self.id)
    }
}

/// What became of a claim over other facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// Whether it agrees; `None` when it cannot be decided.
    pub holds: Option<bool>,
    /// What decides it, as a number: the value of a number, the smaller side of a comparison taken off the larger.
    pub value: Option<f64>,
    /// Everything that it rests on, so that two rulings over the same values are known.
    pub support: Digest,
}

/// A claim with what it is judged by.
struct Case<'a> {
    ledger: &'a Ledger,
    claim: &'a Claim,
    bindings: Arc<Bindings>,
    printed: Arc<BTreeMap<&'a str, &'a [Printed]>>,
    /// Its expressions, as they were evaluated.
    expressions: Vec<Expression>,
    /// The expression of the number that decides a statement.
    margin: Option<Expression>,
}

/// Claims with everything that does not change between two judgements.
pub struct Retrial<'a> {
    cases: Vec<Case<'a>>,
    published: Arc<BTreeMap<&'a str, Parsed>>,
    sources: &'a Sources<'a>,
}

impl<'a> Retrial<'a> {
    /// Prepares these claims of the ledgers, given as ledger file and id; what no ledger holds is left out.
    pub fn new(
        ledgers: &'a [Ledger],
        judgements: &Judgements,
        sources: &'a Sources<'a>,
        wanted: &[&Judgement],
    ) -> Self {
        let finder = Finder::new(sources);
        let mut cases = Vec::new();
        let wanted: BTreeSet<(&str, &str)> =
            wanted.iter().map(|judgement| (judgement.ledger.as_str(), judgement.id.as_str())).collect();
        for ledger in ledgers {
            let bindings = Arc::new(Bindings::of(&ledger.dialect, &sources.bindings).unwrap_or_default());
            let printed = Arc::new(ledger.printed());
            for claim in
                ledger.claims.iter().filter(|claim| wanted.contains(&(ledger.file.as_str(), claim.id.as_str())))
            {
                let judged = judgements.claims.iter().find(|own| own.ledger == ledger.file && own.id == claim.id);
                let texts = judged.map(|judged| judged.expressions.as_slice()).unwrap_or_default();
                let expressions: Vec<Expression> =
                    texts.iter().filter_map(|text| expression::parse(text).ok()).collect();
                let margin = (claim.shape == Shape::Holds).then(|| margin(&expressions)).flatten();
                cases.push(Case {
                    ledger,
                    claim,
                    bindings: Arc::clone(&bindings),
                    printed: Arc::clone(&printed),
                    expressions,
                    margin,
                });
            }
        }
        cases.sort_by(|a, b| (&a.ledger.file, &a.claim.id).cmp(&(&b.ledger.file, &b.claim.id)));
        let published = finder.published_tables();
        Self { cases, published, sources }
    }

    /// Number of claims.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// True without claims.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Ledger and id of a claim, by its number in [`Retrial::rulings`].
    pub fn claim(&self, at: usize) -> (&str, &str) {
        (&self.cases[at].ledger.file, &self.cases[at].claim.id)
    }

    /// Selections of facts behind a claim.
    fn selections<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c Selection> {
        case.expressions.iter().flat_map(|expression| expression.node.selections())
    }

    /// Ids of the statistics that the claims rest on.
    pub fn statistics(&self) -> BTreeSet<&'static str> {
        let of = |selection: &Selection| match &selection.table {
            Table::Statistic(id) => self.sources.about(id).map(|about| about.id),
            Table::Published(_) => None,
        };
        self.cases.iter().flat_map(Self::selections).filter_map(of).collect()
    }

    /// Values that claims ask a key of a statistic for; `None` when one of them takes every value.
    pub fn asked(&self, statistic: &str, key: &str) -> Option<BTreeSet<String>> {
        let mut asked = BTreeSet::new();
        for selection in self.cases.iter().flat_map(Self::selections) {
            let own = matches!(&selection.table, Table::Statistic(id)
                if self.sources.about(id).is_some_and(|about| about.id == statistic));
            if !own {
                continue;
            }
            match selection.keys.iter().find(|(name, _)| name == key) {
                Some((_, Pattern::OneOf(words))) => asked.extend(words.iter().cloned()),
                _ => return None,
            }
        }
        Some(asked)
    }

    /// Words that a claim names: fixed values of keys, and words it compares with.
    pub fn words(&self, at: usize) -> BTreeSet<String> {
        let case = &self.cases[at];
        let mut words: BTreeSet<String> = BTreeSet::new();
        for selection in Self::selections(case) {
            for (_, pattern) in &selection.keys {
                if let Pattern::OneOf(named) = pattern
                    && named.len() == 1
                {
                    words.extend(named.iter().cloned());
                }
            }
        }
        case.expressions.iter().for_each(|expression| collect_words(&expression.node, &mut words));
        if let Shape::Text(word) = &case.claim.shape {
            words.insert(word.clone());
        }
        words
    }

    /// The number that a statement's value is held against, where there is one.
    pub fn threshold(&self, at: usize) -> Option<f64> {
        let case = &self.cases[at];
        if case.margin.is_some() {
            return case.expressions.first().and_then(|expression| threshold(&expression.node));
        }
        let bound = case.claim.compare != Compare::Equal;
        case.claim.printed.first().filter(|_| bound && case.claim.printed.len() == 1).map(|printed| printed.value)
    }

    /// Judges every claim over other facts.
    pub fn rulings(&self, study: &Study, facts: &Facts) -> Vec<Ruling> {
        let sources = self.sources.over(study, facts);
        let finder = Finder::over(&sources, Arc::clone(&self.published));
        self.cases.iter().map(|case| ruling(case, &finder)).collect()
    }
}

fn ruling(case: &Case<'_>, finder: &Finder<'_>) -> Ruling {
    let bench = Bench { ledger: case.ledger, bindings: &case.bindings, finder, printed: &case.printed };
    let judgement = bench.claim(case.claim, &mut Vec::new());
    let context = Context { look: finder, inputs: &case.claim.inputs, printed: &case.printed };
    let number = |expression: &Expression| {
        let value = expression::evaluate(expression, &context).ok()?.value;
        Some(value.series().ok()?.one().ok()?.value)
    };
    let value = match &case.margin {
        Some(expression) => number(expression),
        None if judgement.parts.len() == 1 && case.claim.shape != Shape::Holds => judgement.parts[0].value,
        None => None,
    };
    let verdict = judgement.recomputation.unwrap_or(judgement.verdict);
    let holds = match verdict {
        verdict if verdict.agrees() => Some(true),
        Verdict::NotCheckable | Verdict::ConflictingSources => None,
        _ => Some(false),
    };
    Ruling { holds, value, support: support(case, finder) }
}

/// A digest of every value that the expressions select.
fn support(case: &Case<'_>, finder: &Finder<'_>) -> Digest {
    let mut hasher = Hasher::default();
    let mut trace = Trace::default();
    for expression in &case.expressions {
        let with_intervals = uses_intervals(&expression.node);
        for selection in expression.node.selections() {
            match finder.select(selection, &mut trace) {
                Ok(series) => {
                    for row in &series.rows {
                        row.keys.values().for_each(|value| hasher.update(format!("{value}\n").as_bytes()));
                        match &row.value {
                            Ok(q) => {
                                let interval = q.interval.filter(|_| with_intervals);
                                let (low, high) = interval.unwrap_or_default();
                                let (k, n) = q.count.unwrap_or_default();
                                for bits in [q.value.to_bits(), low.to_bits(), high.to_bits(), k, n] {
                                    hasher.update(&bits.to_le_bytes());
                                }
                            }
                            Err(_) => hasher.update(b"undefined\n"),
                        }
                    }
                }
                Err(_) => hasher.update(b"nothing\n"),
            }
            hasher.update(b"\n");
        }
    }
    hasher.finish()
}

fn uses_intervals(node: &Node) -> bool {
    match node {
        Node::Call(name, nodes) => matches!(name.as_str(), "low" | "high") || nodes.iter().any(uses_intervals),
        Node::List(nodes) => nodes.iter().any(uses_intervals),
        Node::Negate(inner) => uses_intervals(inner),
        Node::Binary(_, left, right) => uses_intervals(left) || uses_intervals(right),
        Node::Number(_) | Node::Word(_) | Node::Input(_) | Node::Claim(..) | Node::Select(_) => false,
    }
}

fn collect_words(node: &Node, words: &mut BTreeSet<String>) {
    match node {
        Node::Word(word) => _ = words.insert(word.clone()),
        Node::Call(_, nodes) | Node::List(nodes) => nodes.iter().for_each(|node| collect_words(node, words)),
        Node::Negate(inner) => collect_words(inner, words),
        Node::Binary(_, left, right) => [left, right].into_iter().for_each(|side| collect_words(side, words)),
        Node::Number(_) | Node::Input(_) | Node::Claim(..) | Node::Select(_) => {}
    }
}

/// The number that decides a comparison: its left side where the right one is a plain number, else the difference of
/// both; over many, the one nearest to failing (`all`) or to holding (`any`).
fn margin(expressions: &[Expression]) -> Option<Expression> {
    let [Expression { node, text }] = expressions else { return None };
    let found = |node: Node| Some(Expression { text: text.clone(), node });
    let difference = |node: &Node| match node {
        Node::Binary(Operator::Greater | Operator::AtLeast, left, right) => Some((left.clone(), right.clone())),
        Node::Binary(Operator::Less | Operator::AtMost, left, right) => Some((right.clone(), left.clone())),
        _ => None,
    };
    match node {
        Node::Call(name, arguments) if matches!(name.as_str(), "all" | "any") => {
            let (larger, smaller) = difference(arguments.first()?)?;
            let extreme = if name == "all" { "min" } else { "max" };
            found(Node::Call(extreme.to_owned(), vec![Node::Binary(Operator::Subtract, larger, smaller)]))
        }
        Node::Binary(operator, left, right) if is_order(*operator) => match (&**left, &**right) {
            (Node::Word(_), _) | (_, Node::Word(_)) => None,
            (_, Node::Number(_)) => found((**left).clone()),
            _ => {
                let (larger, smaller) = difference(node)?;
                found(Node::Binary(Operator::Subtract, larger, smaller))
            }
        },
        _ => None,
    }
}

const fn is_order(operator: Operator) -> bool {
    use Operator::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    matches!(operator, AtLeast | AtMost | Equal | Greater | Less | Unequal)
}

fn threshold(node: &Node) -> Option<f64> {
    match node {
        Node::Binary(operator, _, right) if is_order(*operator) => match &**right {
            Node::Number(value) => Some(*value),
            _ => Some(0.0),
        },
        Node::Call(..) => Some(0.0),
        _ => None,
    }
}
