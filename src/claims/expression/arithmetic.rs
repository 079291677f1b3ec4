//! Operators between series: value by value over the keys they share.

use super::tree::Operator;
use super::value::{Quantity, Series, SeriesRow, Trouble};

/// `left op right`. A single value goes with every value of a series; two series are joined over the
/// running keys they share, which must tell the rows of one of them apart. Rows without partner drop out.
pub(super) fn binary(operator: Operator, left: &Series, right: &Series) -> Result<Series, Trouble> {
    let shared: Vec<&String> = left.running.iter().filter(|key| right.running.contains(key)).collect();
    if shared.is_empty() && !left.is_single() && !right.is_single() {
        let (a, b) = (left.running.join(", "), right.running.join(", "));
        return Err(Trouble::Mistake(format!("series over {a} and over {b} have no key in common")));
    }
    let mut running = left.running.clone();
    running.extend(right.running.iter().filter(|key| !left.running.contains(key)).cloned());
    let mut rows = Vec::new();
    for a in &left.rows {
        for b in &right.rows {
            if shared.iter().all(|key| a.keys.get(*key) == b.keys.get(*key)) {
                let mut keys = a.keys.clone();
                keys.extend(b.keys.iter().map(|(key, value)| (key.clone(), value.clone())));
                let value = a.value.clone().and_then(|x| Ok((x, b.value.clone()?)));
                rows.push(SeriesRow { keys, value: value.and_then(|(x, y)| apply(operator, &x, &y)) });
            }
        }
    }
    if rows.is_empty() {
        return Err(Trouble::Undefined("the two series have no key value in common".into()));
    }
    Ok(Series { running, rows })
}

fn apply(operator: Operator, a: &Quantity, b: &Quantity) -> Result<Quantity, String> {
    let (x, y) = (a.value, b.value);
    Ok(match operator {
        Operator::Add => Quantity::between(x + y, a.low + b.low, a.high + b.high),
        Operator::Subtract => Quantity::between(x - y, a.low - b.high, a.high - b.low),
        Operator::Multiply => corners(x * y, a, b, |p, q| p * q),
        Operator::Divide if b.low <= 0.0 && b.high >= 0.0 => return Err("a division by zero".into()),
        Operator::Divide => corners(x / y, a, b, |p, q| p / q),
        Operator::Less => Quantity::truth(x < y),
        Operator::AtMost => Quantity::truth(x <= y),
        Operator::Greater => Quantity::truth(x > y),
        Operator::AtLeast => Quantity::truth(x >= y),
        Operator::Equal => Quantity::truth(near(x, y)),
        Operator::Unequal => Quantity::truth(!near(x, y)),
        Operator::And => Quantity::truth(a.holds() && b.holds()),
    })
}

fn corners(value: f64, a: &Quantity, b: &Quantity, formula: impl Fn(f64, f64) -> f64) -> Quantity {
    let all = [formula(a.low, b.low), formula(a.low, b.high), formula(a.high, b.low), formula(a.high, b.high)];
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Quantity::between(value, low, high)
}

/// Equality that forgives the last bits, and nothing next to zero: 1e-20 is not 0.
fn near(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-12 * x.abs().max(y.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(key: &str, values: &[(&str, f64)]) -> Series {
        let row = |&(name, value): &(&str, f64)| SeriesRow {
            keys: [(key.to_owned(), name.to_owned())].into(),
            value: Ok(Quantity::exact(value)),
        };
        Series { running: vec![key.to_owned()], rows: values.iter().map(row).collect() }
    }

    #[test]
    fn series_meet_over_the_key_they_share() {
        let left = series("model", &[("a", 3.0), ("b", 5.0), ("c", 1.0)]);
        let right = series("model", &[("b", 2.0), ("a", 1.0)]);
        let difference = binary(Operator::Subtract, &left, &right).unwrap();
        let values: Vec<f64> = difference.quantities().unwrap().iter().map(|q| q.value).collect();
        assert_eq!(values, [2.0, 3.0]);
        assert!(matches!(binary(Operator::Add, &left, &series("family", &[("x", 1.0)])), Err(Trouble::Mistake(_))));
    }

    #[test]
    fn rounded_inputs_carry_their_slack() {
        let printed = Series::single(Quantity::between(2.0, 1.95, 2.05));
        let ratio = binary(Operator::Divide, &Series::single(Quantity::exact(1.0)), &printed).unwrap().one().unwrap();
        assert!(ratio.low < 0.488 && ratio.high > 0.512 && ratio.value == 0.5);
        let gap = binary(Operator::Subtract, &printed, &printed).unwrap().one().unwrap();
        assert!((gap.low + 0.1).abs() < 1e-12 && (gap.high - 0.1).abs() < 1e-12);
    }

    #[test]
    fn division_by_zero_is_undefined_and_never_infinite() {
        let zero = Series::single(Quantity::exact(0.0));
        let result = binary(Operator::Divide, &Series::single(Quantity::exact(1.0)), &zero).unwrap();
        assert!(matches!(result.one(), Err(Trouble::Undefined(_))));
    }
}
