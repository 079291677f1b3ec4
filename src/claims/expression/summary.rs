//! Functions that make one value of many.

use super::value::{Quantity, Series, Trouble};
use crate::number;

type Result<T> = std::result::Result<T, Trouble>;

/// Functions that make one value of many.
pub(super) fn summary(name: &str, all: &[Quantity]) -> Result<Quantity> {
    let holding = all.iter().filter(|q| q.holds()).count();
    let each = |pick: fn(&Quantity) -> f64| all.iter().map(pick).collect::<Vec<f64>>();
    let tri = |formula: fn(&[f64]) -> f64| {
        Quantity::between(formula(&each(|q| q.value)), formula(&each(|q| q.low)), formula(&each(|q| q.high)))
    };
    Ok(match name {
        "all" => Quantity::truth(!all.is_empty() && holding == all.len()),
        "any" => Quantity::truth(holding > 0),
        "none" => Quantity::truth(holding == 0),
        "repeats" => Quantity::exact(repeats(&each(|q| q.value)) as f64),
        "sum" => tri(|v| number::sum(v.iter().copied())),
        "max" => extreme(all, true, name)?,
        "min" => extreme(all, false, name)?,
        "spread" => {
            let (top, bottom) = (extreme(all, true, name)?, extreme(all, false, name)?);
            Quantity::between(top.value - bottom.value, top.low - bottom.high, top.high - bottom.low)
        }
        _ if all.is_empty() => return Err(Trouble::Undefined(format!("`{name}` of nothing"))),
        "mean" => tri(mean),
        "median" => tri(median),
        "sd" if all.len() < 2 => return Err(Trouble::Undefined("the spread of fewer than two values".into())),
        "sd" => spread_of_rounded(all),
        other => return Err(Trouble::Mistake(format!("unknown function `{other}`"))),
    })
}

/// `count` and `share`: how many values there are, or for how many a comparison holds.
pub(super) fn tally(name: &str, series: &Series, compared: bool) -> Result<Quantity> {
    let all = series.quantities()?;
    let holding = if compared { all.iter().filter(|q| q.holds()).count() } else { all.len() };
    let count = Some((holding as u64, all.len() as u64));
    if name == "count" {
        return Ok(Quantity { count, ..Quantity::exact(holding as f64) });
    }
    if all.is_empty() {
        return Err(Trouble::Undefined("the share of nothing".into()));
    }
    Ok(Quantity { count, ..Quantity::exact(100.0 * holding as f64 / all.len() as f64) })
}

/// How many different values occur more than once.
fn repeats(values: &[f64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1).count()
}

fn mean(values: &[f64]) -> f64 {
    number::sum(values.iter().copied()) / values.len() as f64
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

fn sd(values: &[f64]) -> f64 {
    let centre = mean(values);
    let squares = number::sum(values.iter().map(|v| (v - centre) * (v - centre)));
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

/// Sample SD; with rounded inputs its extremes are at corners of the box of possible values (the SD is
/// convex, so the largest is exactly there, and the smallest is bounded by the widths).
fn spread_of_rounded(all: &[Quantity]) -> Quantity {
    let value = sd(&all.iter().map(|q| q.value).collect::<Vec<_>>());
    if all.iter().all(Quantity::is_exact) || all.len() > 12 {
        return Quantity::exact(value);
    }
    let mut high = value;
    for corner in 0..1_u32 << all.len() {
        let pick = |(i, q): (usize, &Quantity)| if corner >> i & 1 == 1 { q.high } else { q.low };
        high = high.max(sd(&all.iter().enumerate().map(pick).collect::<Vec<_>>()));
    }
    let reach = all.iter().map(|q| (q.high - q.value).max(q.value - q.low)).fold(0.0, f64::max);
    let slack = reach * (all.len() as f64 / (all.len() as f64 - 1.0)).sqrt();
    Quantity::between(value, (value - slack).max(0.0), high)
}

pub(super) fn extreme(all: &[Quantity], largest: bool, name: &str) -> Result<Quantity> {
    let pick = |values: Vec<f64>| {
        let better = |a: f64, b: f64| if (b > a) == largest { b } else { a };
        values.into_iter().reduce(better)
    };
    let of = |part: fn(&Quantity) -> f64| pick(all.iter().map(part).collect());
    match (of(|q| q.value), of(|q| q.low), of(|q| q.high)) {
        (Some(value), Some(low), Some(high)) => {
            let source = all.iter().find(|q| q.value == value);
            let count = source.and_then(|q| q.count);
            let interval = source.and_then(|q| q.interval);
            Ok(Quantity { count, interval, ..Quantity::between(value, low, high) })
        }
        _ => Err(Trouble::Undefined(format!("`{name}` of nothing"))),
    }
}
