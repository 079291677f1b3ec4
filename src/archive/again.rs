//! What the reader of a file derived again while its texts and values streamed by: numbers that records do not
//! hold, and verdicts that follow from an answer and its target.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::id::{ConfigKey, ExperimentId};
use crate::report::Place;

/// A number that a file states, counted again from values that records do not hold (a metric of many, a mean after
/// reduction over epochs).
#[derive(Debug, Clone, PartialEq)]
pub struct Recount {
    /// Name as the file has it.
    pub metric: Arc<str>,
    /// Judge whose values it is made of, where the file names one.
    pub judge: Option<Arc<str>>,
    /// Experiment.
    pub experiment: ExperimentId,
    /// Configuration.
    pub configuration: ConfigKey,
    /// Labels of what it is restricted to; empty for everything.
    pub stratum: BTreeMap<Arc<str>, Arc<str>>,
    /// Value as stored.
    pub stored: f64,
    /// Its digits in the file.
    pub printed: Arc<str>,
    /// The recount with the number of values it is made of, or why there is none.
    pub again: Result<(f64, usize), Arc<str>>,
    /// Where the stored value stands.
    pub place: Place,
}

impl Recount {
    /// Whether the recount gives the stored value: to the digits printed, or to nine significant ones where more are
    /// printed, and for whole numbers (`3`, `1.0`). `None` without a recount.
    pub fn agrees(&self) -> Option<bool> {
        let (again, _) = *self.again.as_ref().ok()?;
        let difference = (again - self.stored).abs();
        let decimals = match self.printed.trim_end_matches('%').split_once('.') {
            Some((_, decimals)) if !self.printed.contains(['e', 'E']) && decimals != "0" => decimals.len(),
            _ => usize::MAX,
        };
        let printed = if decimals > 9 { 0.0 } else { 0.5 * 10_f64.powi(-(decimals as i32)) };
        Some(difference <= printed.max(1e-9 * self.stored.abs().max(again.abs())) + 1e-12)
    }
}

/// A verdict derived again from the stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again {
    /// Judge whose rule was used.
    pub judge: Arc<str>,
    /// Stored mark of that judge.
    pub stored: bool,
    /// Mark by the rule, or why there is none.
    pub again: Result<bool, Lack>,
}

/// What is missing for a verdict to be derived again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// A text that could have been archived and was not.
    Text(Arc<str>),
    /// A rule over texts: the judge is a model or code, or follows rules that are not known here.
    Rule(Arc<str>),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(stored: f64, printed: &str, again: f64) -> bool {
        let recount = Recount {
            metric: "m".into(),
            judge: None,
            experiment: "e".into(),
            configuration: "c".into(),
            stratum: BTreeMap::new(),
            stored,
            printed: printed.into(),
            again: Ok((again, 1)),
            place: Place::default(),
        };
        recount.agrees() == Some(true)
    }

    #[test]
    fn a_recount_agrees_to_the_digits_that_are_printed() {
        assert!(agrees(0.67, "0.67", 2.0 / 3.0));
        assert!(!agrees(0.66, "0.66", 2.0 / 3.0));
        assert!(agrees(2.0 / 3.0, "0.6666666666666666", 0.666_666_666_666_7));
        assert!(!agrees(0.666_666_6, "0.6666666000", 2.0 / 3.0));
        assert!(agrees(3.0, "3", 3.0));
        assert!(!agrees(1.0, "1.0", 0.98));
        assert!(!agrees(0.0, "0", 0.3));
        assert!(!agrees(0.4, "0.40000", 0.41));
        assert!(agrees(1e-7, "1e-07", 1e-7));
    }
}
