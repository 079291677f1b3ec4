//! Whether any archive could give a printed number (the idea of the GRIM test: a percentage of `n`
//! things must be `100 k / n` for some whole `k`, at the printed precision).

use super::ledger::Compare;
use super::printed::Printed;
use super::units;

/// Smallest and largest count out of `n` whose percentage prints like this; `None` when there is none.
pub fn count(printed: &Printed, n: u64) -> Option<(u64, u64)> {
    let half = printed.unit() / 2.0 + 1e-9;
    let low = ((printed.value - half) * n as f64 / 100.0).ceil().max(0.0);
    let high = ((printed.value + half) * n as f64 / 100.0).floor().min(n as f64);
    (n > 0 && low <= high).then_some((low as u64, high as u64))
}

/// True when the unit does not allow the number: a probability above 1, half a count, a negative count;
/// with `shares`, a percentage below 0 or above 100.
pub(super) fn out_of_bounds(unit: &str, printed: &Printed, shares: bool) -> bool {
    let (low, high) = printed.interval();
    let outside = units::bounds(unit, shares).is_some_and(|(least, most)| high < least || low > most);
    // What prints like zero may be rounded from a value that is allowed, but not with a minus sign.
    let negative = printed.value < 0.0 && units::bounds(unit, shares).is_some_and(|(least, _)| least == 0.0);
    outside || negative || (units::is_whole(unit) && printed.decimals <= 0 && printed.value.fract() != 0.0)
}

/// True when no value of the unit can stand in the stated relation to the number: a P below 0, a share
/// above 100 percent.
pub(super) fn no_value_can(compare: Compare, unit: &str, printed: &Printed, shares: bool) -> bool {
    let Some((least, most)) = units::bounds(unit, shares) else { return false };
    match compare {
        Compare::Equal | Compare::Outward | Compare::Approx => out_of_bounds(unit, printed, shares),
        Compare::LessThan => printed.value <= least,
        Compare::AtMost => printed.value < least,
        Compare::MoreThan => printed.value >= most,
        Compare::AtLeast => printed.value > most,
    }
}

/// True for a P that is printed as zero: no test gives that, only print does.
pub(super) fn is_zero_p(unit: &str, printed: &Printed) -> bool {
    matches!(unit, "p" | "P") && printed.value == 0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_percentages() {
        let printed = |text| Printed::read(text).unwrap();
        assert_eq!(count(&printed("83.7"), 287), None);
        assert_eq!(count(&printed("83.7"), 3 * 287), Some((721, 721)));
        assert_eq!(count(&printed("95.6"), 436), Some((417, 417)));
        assert_eq!(count(&printed("50"), 0), None);
        assert!(out_of_bounds("p", &printed("1.2"), false) && !out_of_bounds("p", &printed("1.0"), false));
        assert!(out_of_bounds("count", &printed("-3"), false));
    }

    #[test]
    fn a_unit_bounds_what_can_be_printed() {
        let printed = |text| Printed::read(text).unwrap();
        for text in ["-3.2", "103", "100.1", "-0.1"] {
            assert!(out_of_bounds("percent", &printed(text), true), "{text}");
            assert!(!out_of_bounds("percent", &printed(text), false), "{text}");
        }
        assert!(!out_of_bounds("percent", &printed("100.0"), true) && !out_of_bounds("percent", &printed("0"), true));
        assert!(out_of_bounds("p", &printed("-0.001"), false) && is_zero_p("p", &printed("0.000")));
        assert!(no_value_can(Compare::LessThan, "p", &printed("0"), false));
        assert!(!no_value_can(Compare::LessThan, "p", &printed("0.001"), false));
        assert!(no_value_can(Compare::AtLeast, "percent", &printed("101"), true));
        assert!(no_value_can(Compare::MoreThan, "percent", &printed("100"), true));
        assert!(!no_value_can(Compare::AtLeast, "percent", &printed("100"), true));
    }

    proptest! {
        #[test]
        fn a_real_share_is_always_possible(n in 1..3000u64, part in 0.0..=1.0f64, decimals in 0..4usize) {
            let k = (part * n as f64).round() as u64;
            let text = crate::number::fixed(100.0 * k as f64 / n as f64, decimals);
            let (low, high) = count(&Printed::read(&text).unwrap(), n).unwrap();
            prop_assert!(low <= k && k <= high);
        }

        #[test]
        fn slow_search_agrees(n in 1..200u64, tenths in 0..=1000u64) {
            let printed = Printed::read(&format!("{}.{}", tenths / 10, tenths % 10)).unwrap();
            let fits = |k: &u64| (100.0 * *k as f64 / n as f64 - printed.value).abs() <= 0.05 + 1e-9;
            let slow: Vec<u64> = (0..=n).filter(fits).collect();
            prop_assert_eq!(count(&printed, n), slow.first().map(|&first| (first, slow[slow.len() - 1])));
        }
    }
}
