//! One printed number against one recomputed value.

use super::expression::Quantity;
use super::judgement::{Part, Verdict};
use super::ledger::{Claim, Compare};
use super::possible;
use super::printed::{Position, Printed};

/// Slack for the last bits of doubles.
const LAST_BITS: f64 = 1e-9;

/// Which end of a range a number is; `None` for numbers that are no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The lower one.
    Low,
    /// The upper one.
    High,
}

/// What the comparison needs to know beside the two numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Setting {
    /// End of a range.
    pub(super) end: Option<End>,
    /// Number of things behind a percentage, where it is known.
    pub(super) out_of: Option<u64>,
    /// True when the value is a spread over runs.
    pub(super) is_spread: bool,
    /// True when a percentage is a share.
    pub(super) shares: bool,
}

/// Compares and describes.
pub(super) fn part(claim: &Claim, position: usize, printed: &Printed, found: &Quantity, setting: Setting) -> Part {
    let plain = verdict(claim, printed, found, setting.end);
    // A value that lies inside the bounds of shares shows that the number is meant to be one.
    let shares = setting.shares || (0.0..=100.0).contains(&found.value);
    let unit = possible::no_value_can(claim.compare, &claim.unit, printed, shares);
    let impossible = unit || (plain.contradicts() && is_impossible(claim, printed, found, setting));
    let verdict = if impossible { Verdict::Impossible } else { plain };
    let interval = printed.interval();
    Part {
        name: claim.parts.get(position).cloned().unwrap_or_default(),
        printed: printed.text.clone(),
        decimals: Some(printed.decimals),
        interval: Some(interval),
        value: Some(found.value + 0.0),
        word: None,
        between: (!found.is_exact()).then_some((found.low, found.high)),
        count: found.count,
        verdict,
    }
}

/// A number without a value beside it.
pub(super) fn open(claim: &Claim, position: usize, printed: &Printed) -> Part {
    Part {
        name: claim.parts.get(position).cloned().unwrap_or_default(),
        printed: printed.text.clone(),
        decimals: Some(printed.decimals),
        interval: Some(printed.interval()),
        value: None,
        word: None,
        between: None,
        count: None,
        verdict: Verdict::NotCheckable,
    }
}

fn verdict(claim: &Claim, printed: &Printed, found: &Quantity, end: Option<End>) -> Verdict {
    let (low, high) = (found.low, found.high);
    // Of a range all of it must agree: where only a part does, the number is possible and no more.
    let holds = |agrees: &dyn Fn(f64) -> bool| match (agrees(low), agrees(high)) {
        (true, true) => Verdict::Reproduced,
        (false, false) => Verdict::Differs,
        _ => Verdict::Consistent,
    };
    match claim.compare {
        Compare::AtLeast => holds(&|value| value >= printed.value - LAST_BITS),
        Compare::AtMost => holds(&|value| value <= printed.value + LAST_BITS),
        Compare::MoreThan => holds(&|value| value > printed.value),
        Compare::LessThan => holds(&|value| value < printed.value),
        Compare::Approx => {
            let width = claim.tolerance.unwrap_or(0.1 * printed.value.abs());
            let (least, most) = (printed.value - width - LAST_BITS, printed.value + width + LAST_BITS);
            within(low, high, least, most)
        }
        Compare::Outward if end.is_some() => {
            if printed.is_outward(low, high, end == Some(End::High)) {
                Verdict::Reproduced
            } else {
                by_position(printed, low, high)
            }
        }
        Compare::Outward | Compare::Equal => by_position(printed, low, high),
    }
}

/// Whether a computed range lies in an allowed one, meets it, or misses it.
fn within(low: f64, high: f64, least: f64, most: f64) -> Verdict {
    if low >= least && high <= most {
        Verdict::Reproduced
    } else if low <= most && high >= least {
        Verdict::Consistent
    } else {
        Verdict::Differs
    }
}

fn by_position(printed: &Printed, low: f64, high: f64) -> Verdict {
    match printed.position(low, high) {
        Position::Inside if low < high => {
            let (least, most) = printed.interval();
            within(low, high, least - LAST_BITS, most + LAST_BITS)
        }
        Position::Inside => Verdict::Reproduced,
        // A whole number that is one of many counts does not round: next to it is simply another count.
        Position::OtherNeighbour if low == high && low.fract() == 0.0 && printed.decimals == 0 => Verdict::Differs,
        Position::OtherNeighbour => Verdict::RoundsTheOtherWay,
        Position::Outside => Verdict::Differs,
    }
}

fn is_impossible(claim: &Claim, printed: &Printed, found: &Quantity, setting: Setting) -> bool {
    if !matches!(claim.compare, Compare::Equal | Compare::Outward) {
        return false;
    }
    let n = setting.out_of.or(found.count.map(|(_, n)| n)).filter(|_| setting.end.is_none());
    (setting.is_spread && printed.value == 0.0 && found.low > 0.0)
        || (claim.unit == "percent" && n.is_some_and(|n| possible::count(printed, n).is_none()))
}
