//! The functions of the language, on values that are already looked up.

use super::exact;
use super::summary::{extreme, summary};
use super::value::{Quantity, Series, SeriesRow, Trouble, Value};
use crate::number;

/// Names of all functions.
pub const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "argmax",
    "argmin",
    "as-printed",
    "as-share",
    "ceil",
    "count",
    "count-of",
    "defined",
    "floor",
    "high",
    "holm",
    "kappa",
    "largest",
    "log10",
    "log2",
    "low",
    "max",
    "mcnemar",
    "mean",
    "median",
    "min",
    "none",
    "out-of",
    "range",
    "rank",
    "rank-agreement",
    "repeats",
    "round",
    "sd",
    "share",
    "smallest",
    "spread",
    "sqrt",
    "sum",
    "values",
    "where",
    "wilson-high",
    "wilson-low",
];

type Result<T> = std::result::Result<T, Trouble>;

/// Applies a function. `keyed` is the `key=value` of `rank`.
pub(super) fn call(name: &str, mut arguments: Vec<Value>, keyed: Option<(String, String)>) -> Result<Value> {
    if let "argmax" | "argmin" | "rank" = name {
        return by_key(name, arguments, keyed);
    }
    if let "where" = name {
        let condition = take(&mut arguments, name)?;
        return Ok(Value::Series(keep(take(&mut arguments, name)?, &condition)));
    }
    if let "mcnemar" | "wilson-low" | "wilson-high" | "kappa" | "as-share" | "as-printed" | "round" | "largest"
    | "smallest" | "holm" = name
    {
        return with_numbers(name, arguments);
    }
    if let "rank-agreement" = name {
        return rank_agreement(arguments);
    }
    if arguments.is_empty() {
        return wrong(name, "a value");
    }
    let series = joined(arguments)?;
    if let Some(change) = element(name) {
        return Ok(Value::Series(series.map(change)));
    }
    match name {
        "values" => Ok(Value::List(series.quantities()?.into_iter().map(Value::single).collect())),
        "out-of" => {
            let of = |q: &Quantity| Quantity::exact(q.count.map_or(f64::NAN, |(_, n)| n as f64));
            Ok(Value::Series(series.map(of)))
        }
        "count-of" => {
            let of = |q: &Quantity| Quantity::exact(q.count.map_or(f64::NAN, |(k, _)| k as f64));
            Ok(Value::Series(series.map(of)))
        }
        "defined" => {
            let rows = series.rows.into_iter().filter(|row| row.value.is_ok()).collect();
            Ok(Value::Series(Series { running: series.running, rows }))
        }
        "range" => {
            let all = series.quantities()?;
            Ok(Value::List(vec![Value::single(extreme(&all, false, name)?), Value::single(extreme(&all, true, name)?)]))
        }
        _ => summary(name, &series.quantities()?).map(Value::single),
    }
}

/// Applies a function of one value, for callers that already hold it.
pub fn summarise(name: &str, value: Value) -> Result<Value> {
    call(name, vec![value], None)
}

fn wrong<T>(name: &str, wanted: &str) -> Result<T> {
    Err(Trouble::Mistake(format!("`{name}` wants {wanted}")))
}

fn take(arguments: &mut Vec<Value>, name: &str) -> Result<Series> {
    match arguments.pop() {
        Some(value) => value.series(),
        None => wrong(name, "one more value"),
    }
}

/// One series, or several single values as one series.
fn joined(mut arguments: Vec<Value>) -> Result<Series> {
    if arguments.len() == 1 {
        match arguments.remove(0) {
            Value::List(items) => return joined(items),
            value => return value.series(),
        }
    }
    let mut rows = Vec::new();
    for (position, argument) in arguments.into_iter().enumerate() {
        let quantity = argument.series()?.one()?;
        rows.push(SeriesRow { keys: [("value".to_owned(), format!("{position:03}"))].into(), value: Ok(quantity) });
    }
    Ok(Series { running: vec!["value".to_owned()], rows })
}

/// Functions of one value.
fn element(name: &str) -> Option<fn(&Quantity) -> Quantity> {
    let change: fn(&Quantity) -> Quantity = match name {
        "abs" => |q| {
            let reach = q.low.abs().max(q.high.abs());
            let low = if q.low <= 0.0 && q.high >= 0.0 { 0.0 } else { q.low.abs().min(q.high.abs()) };
            Quantity::between(q.value.abs(), low, reach)
        },
        "sqrt" => |q| monotone(q, f64::sqrt),
        "log2" => |q| monotone(q, f64::log2),
        "log10" => |q| monotone(q, f64::log10),
        "floor" => |q| monotone(q, f64::floor),
        "ceil" => |q| monotone(q, f64::ceil),
        "low" => |q| Quantity::exact(q.interval.map_or(f64::NAN, |(low, _)| low)),
        "high" => |q| Quantity::exact(q.interval.map_or(f64::NAN, |(_, high)| high)),
        _ => return None,
    };
    Some(change)
}

fn monotone(q: &Quantity, formula: fn(f64) -> f64) -> Quantity {
    Quantity::between(formula(q.value), formula(q.low), formula(q.high))
}

/// `1 - 6 Σd² / (n (n² - 1))` between two lists of equal length, with ranks by falling value and ties in
/// the order of the list.
fn rank_agreement(mut arguments: Vec<Value>) -> Result<Value> {
    let (Some(b), Some(a), None) = (arguments.pop(), arguments.pop(), arguments.pop()) else {
        return wrong("rank-agreement", "two lists");
    };
    let ranks = |value: Value| -> Result<Vec<usize>> {
        let all = joined(vec![value])?.quantities()?;
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&x, &y| all[y].value.total_cmp(&all[x].value));
        let mut ranks = vec![0; all.len()];
        order.into_iter().enumerate().for_each(|(rank, position)| ranks[position] = rank);
        Ok(ranks)
    };
    let (a, b) = (ranks(a)?, ranks(b)?);
    if a.len() != b.len() || a.len() < 2 {
        return wrong("rank-agreement", "two lists of equal length with at least two values");
    }
    let n = a.len() as f64;
    let squares: f64 = a.iter().zip(&b).map(|(&x, &y)| (x as f64 - y as f64).powi(2)).sum();
    Ok(Value::single(Quantity::exact(1.0 - 6.0 * squares / (n * (n * n - 1.0)))))
}

/// `where(s, condition)`: rows of `s` for whose shared keys the condition holds.
fn keep(series: Series, condition: &Series) -> Series {
    let holds = |row: &SeriesRow| {
        condition.rows.iter().any(|c| {
            let fits = c.keys.iter().all(|(key, value)| row.keys.get(key).is_none_or(|own| own == value));
            fits && c.value.as_ref().is_ok_and(Quantity::holds)
        })
    };
    let rows = series.rows.into_iter().filter(holds).collect();
    Series { running: series.running, rows }
}

fn by_key(name: &str, mut arguments: Vec<Value>, keyed: Option<(String, String)>) -> Result<Value> {
    if name == "rank" {
        let Some((key, value)) = keyed else { return wrong(name, "a series and `key=value`") };
        let series = take(&mut arguments, name)?;
        let all = series.quantities()?;
        let own = series.rows.iter().position(|row| row.keys.get(&key) == Some(&value));
        let Some(own) = own else { return Err(Trouble::NoFact(format!("{key}={value} in the ranked series"))) };
        let above = all.iter().filter(|q| q.value > all[own].value).count();
        return Ok(Value::single(Quantity::exact(above as f64 + 1.0)));
    }
    let Some(Value::Word(key)) = arguments.pop() else { return wrong(name, "a series and the name of a key") };
    let series = take(&mut arguments, name)?;
    let all = series.quantities()?;
    let end = extreme(&all, name == "argmax", name)?.value;
    let row = all.iter().position(|q| q.value == end).map(|position| &series.rows[position]);
    match row.and_then(|row| row.keys.get(&key)) {
        Some(value) => Ok(Value::Word(value.clone())),
        None => Err(Trouble::Mistake(format!("`{key}` is no running key of the series"))),
    }
}

fn with_numbers(name: &str, mut arguments: Vec<Value>) -> Result<Value> {
    if arguments.len() != 2 {
        return wrong(name, "two values");
    }
    let second = take(&mut arguments, name)?.one()?;
    let first = arguments.remove(0);
    if let "largest" | "smallest" = name {
        let mut all = joined(vec![first])?.quantities()?;
        all.sort_by(|a, b| a.value.total_cmp(&b.value));
        let position = second.value as usize;
        let place = if name == "smallest" { position.checked_sub(1) } else { all.len().checked_sub(position) };
        let found = place.and_then(|place| all.get(place));
        return found
            .cloned()
            .map(Value::single)
            .ok_or_else(|| Trouble::Undefined(format!("there is no {name} number {position}")));
    }
    let series = first.series()?;
    if name == "as-share" {
        return Ok(Value::Series(as_share(&series, second.value as u64)));
    }
    if name == "as-printed" {
        let half = 0.5 * 10_f64.powi(-second.value as i32);
        return Ok(Value::Series(series.map(|q| Quantity::between(q.value, q.value - half, q.value + half))));
    }
    if name == "round" {
        let decimals = second.value.max(0.0) as usize;
        return Ok(Value::Series(series.map(|q| Quantity::exact(number::round(q.value, decimals)))));
    }
    let first = series.one()?;
    let whole = |q: &Quantity| q.value as u64;
    let value = match name {
        "mcnemar" => exact::mcnemar(whole(&first), whole(&second)),
        "holm" => Some((first.value * second.value).min(1.0)),
        "wilson-low" => exact::wilson(whole(&first), whole(&second)).map(|(low, _)| low),
        "wilson-high" => exact::wilson(whole(&first), whole(&second)).map(|(_, high)| high),
        _ => exact::kappa(first.value, second.value),
    };
    match value {
        Some(value) => Ok(Value::single(Quantity::exact(value))),
        None => Err(Trouble::Undefined(format!("`{name}` is undefined for these counts"))),
    }
}

/// The exact share `100 k / n` behind a printed percentage; its slack when several counts print alike.
fn as_share(series: &Series, n: u64) -> Series {
    let rows = series.rows.iter().map(|row| {
        let value = row.value.clone().and_then(|q| {
            let (centre, half) = (f64::midpoint(q.low, q.high), (q.high - q.low) / 2.0);
            let (low, high) = exact::counts_printing_as(centre, half, n)
                .ok_or_else(|| format!("no count out of {n} prints as {}", number::repr(q.value)))?;
            let share = |k: u64| 100.0 * k as f64 / n as f64;
            let value = if low == high { share(low) } else { q.value };
            Ok(Quantity {
                count: (low == high).then_some((low, n)),
                ..Quantity::between(value, share(low), share(high))
            })
        });
        SeriesRow { keys: row.keys.clone(), value }
    });
    Series { running: series.running.clone(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f64]) -> Value {
        Value::List(values.iter().map(|&v| Value::single(Quantity::exact(v))).collect())
    }

    fn one(name: &str, values: &[f64]) -> f64 {
        call(name, vec![numbers(values)], None).unwrap().series().unwrap().one().unwrap().value
    }

    #[test]
    fn summaries_of_known_values() {
        assert_eq!(one("median", &[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(one("median", &[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(one("spread", &[4.0, 1.0]), 3.0);
        assert!((one("sd", &[96.6, 96.3, 95.2]) - 0.737).abs() < 1e-3);
        assert_eq!(one("sum", &[0.1; 10]), 1.0);
    }

    #[test]
    fn a_spread_of_rounded_runs_keeps_its_slack() {
        let runs = [95.6, 95.4, 95.6].map(|v| Value::single(Quantity::between(v, v - 0.05, v + 0.05)));
        let sd = call("sd", runs.to_vec(), None).unwrap().series().unwrap().one().unwrap();
        // The true values 417, 416, 417 of 436 have SD 0.1324.
        assert!(sd.low < 0.1324 && sd.high > 0.1324 && sd.high < 0.2);
        let exact = [95.6, 95.4, 95.6].map(|v| Value::single(Quantity::between(v, v - 0.05, v + 0.05)));
        let share = |v: Value| call("as-share", vec![v, Value::single(Quantity::exact(436.0))], None).unwrap();
        let sd = call("sd", exact.into_iter().map(share).collect(), None).unwrap().series().unwrap().one().unwrap();
        assert!((sd.value - 0.1324).abs() < 5e-5 && sd.is_exact());
    }

    #[test]
    fn nothing_has_no_mean_and_no_maximum() {
        for name in ["mean", "max", "sd", "median", "spread"] {
            assert!(matches!(call(name, vec![numbers(&[])], None), Err(Trouble::Undefined(_))), "{name}");
        }
    }

    #[test]
    fn ranks_fall_with_the_value_and_ties_keep_the_order_of_the_list() {
        let agreement = |a: &[f64], b: &[f64]| {
            let value = call("rank-agreement", vec![numbers(a), numbers(b)], None).unwrap();
            value.series().unwrap().one().unwrap().value
        };
        // Ranks 1 2 3 against 2 3 1: the squares add up to 6.
        assert_eq!(agreement(&[50.0, 50.0, 0.0], &[50.0, 50.0, 100.0]), -0.5);
        assert_eq!(agreement(&[3.0, 2.0, 1.0], &[30.0, 20.0, 10.0]), 1.0);
        assert!(call("rank-agreement", vec![numbers(&[1.0]), numbers(&[1.0, 2.0])], None).is_err());
    }

    #[test]
    fn printed_values_keep_the_slack_of_their_digits() {
        let two = |name: &str, a: f64, b: f64| {
            let arguments = vec![Value::single(Quantity::exact(a)), Value::single(Quantity::exact(b))];
            call(name, arguments, None).unwrap().series().unwrap().one()
        };
        let printed = two("as-printed", 2.7, 1.0).unwrap();
        assert!(printed.low < 2.66 && printed.high > 2.74 && printed.value == 2.7);
        assert!(two("as-share", 83.7, 287.0).is_err());
        assert_eq!(two("holm", 0.2, 9.0).unwrap().value, 1.0);
        assert_eq!(one("repeats", &[1.0, 2.0, 1.0, 3.0, 1.0]), 1.0);
    }

    #[test]
    fn every_function_is_known_here() {
        for name in FUNCTIONS.iter().filter(|name| !matches!(**name, "count" | "share")) {
            let known = !matches!(call(name, vec![numbers(&[1.0, 2.0])], None), Err(Trouble::Mistake(m)) if m.contains("unknown"));
            assert!(known, "{name}");
        }
    }
}
