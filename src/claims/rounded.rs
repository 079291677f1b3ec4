//! What an expression gives when the facts behind it are rounded first, as a table prints them.

use std::collections::BTreeMap;

use super::expression::{self, Context, Look, Quantity, Selection, Series, Trace, Trouble};
use super::judgement::Judgements;
use super::printed::Printed;
use super::sources::{Finder, Sources};
use crate::json;

/// Evaluates expressions of judged claims over rounded facts.
pub struct Rounded<'a> {
    finder: Finder<'a>,
    printed: BTreeMap<&'a str, BTreeMap<&'a str, Vec<Printed>>>,
}

impl<'a> Rounded<'a> {
    /// Ready for the claims of some judgements.
    pub fn new(judgements: &'a Judgements, sources: &'a Sources<'a>) -> Self {
        let mut printed: BTreeMap<&str, BTreeMap<&str, Vec<Printed>>> = BTreeMap::new();
        for claim in &judgements.claims {
            let numbers = claim.parts.iter().filter_map(|part| Printed::read(&part.printed)).collect();
            printed.entry(&claim.ledger).or_default().insert(&claim.id, numbers);
        }
        Self { finder: Finder::new(sources), printed }
    }

    /// The value of an expression when every fact in it is rounded to so many decimals; nothing where the
    /// expression cannot be evaluated again (it refers to inputs of its claim), or is one fact and no computation.
    pub fn value(&self, ledger: &str, text: &str, decimals: usize) -> Option<f64> {
        let parsed = expression::parse(text).ok()?;
        if matches!(parsed.node, expression::Node::Select(_)) {
            return None;
        }
        let none = BTreeMap::new();
        let printed = self.printed.get(ledger).unwrap_or(&none);
        let printed: BTreeMap<&str, &[Printed]> = printed.iter().map(|(id, list)| (*id, list.as_slice())).collect();
        let look = Rounding { finder: &self.finder, decimals };
        let context = Context { look: &look, inputs: &json::Value::Null, printed: &printed };
        let value = expression::evaluate(&parsed, &context).ok()?.value;
        Some(value.series().ok()?.one().ok()?.value)
    }
}

struct Rounding<'f, 'a> {
    finder: &'f Finder<'a>,
    decimals: usize,
}

impl Look for Rounding<'_, '_> {
    fn select(&self, selection: &Selection, trace: &mut Trace) -> Result<Series, Trouble> {
        let series = self.finder.select(selection, trace)?;
        Ok(series.map(|quantity| Quantity::exact(rounded(quantity.value, self.decimals))))
    }
}

/// A value as it is printed with so many decimals.
pub fn rounded(value: f64, decimals: usize) -> f64 {
    crate::number::fixed(value, decimals).parse().unwrap_or(value)
}
