//! The order in which people count: runs of digits by value, everything else by text.

use std::cmp::Ordering;

/// Compares two names; equal only for equal names.
///
/// ```
/// use repro::change_ledger::natural;
/// let mut ids = ["13.10", "5", "13.2", "R10", "R3"];
/// ids.sort_by(|a, b| natural(a, b));
/// assert_eq!(ids, ["5", "13.2", "13.10", "R3", "R10"]);
/// ```
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (x, rest_of_left) = part(left);
        let (y, rest_of_right) = part(right);
        let order = match (digits(x), digits(y)) {
            (Some(x), Some(y)) => x.len().cmp(&y.len()).then_with(|| x.cmp(y)),
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
        if x.is_empty() {
            return a.cmp(b);
        }
        (left, right) = (rest_of_left, rest_of_right);
    }
}

/// A run of digits or a run of anything else, and what follows.
fn part(text: &str) -> (&str, &str) {
    let digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(text.len());
    text.split_at(end)
}

/// The digits of a number without leading zeros.
fn digits(part: &str) -> Option<&str> {
    part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_total(a in "[0-3a.]{0,6}", b in "[0-3a.]{0,6}", c in "[0-3a.]{0,6}") {
            prop_assert_eq!(natural(&a, &b), natural(&b, &a).reverse());
            prop_assert_eq!(natural(&a, &b) == Ordering::Equal, a == b);
            if natural(&a, &b) != Ordering::Greater && natural(&b, &c) != Ordering::Greater {
                prop_assert!(natural(&a, &c) != Ordering::Greater);
            }
        }
    }
}
