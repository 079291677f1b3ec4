//! Whether any archive could give a printed number (the idea of the GRIM test: a percentage of `n`
//! things must be `100 k / n` for some whole `k`, at the printed precision).

use super::printed::Printed;
use super::units;

/// Smallest and largest count out of `n` whose percentage prints like this; `None` when there is none.
pub(super) fn count(printed: &Printed, n: u64) -> Option<(u64, u64)> {
    let half = printed.unit() / 2.0 + 1e-9;
    let low = ((printed.value - half) * n as f64 / 100.0).ceil().max(0.0);
    let high = ((printed.value + half) * n as f64 / 100.0).floor().min(n as f64);
    (n > 0 && low <= high).then_some((low as u64, high as u64))
}

/// True when the unit does not allow the number: a probability above 1, half a count, a negative count.
pub(super) fn out_of_bounds(unit: &str, printed: &Printed) -> bool {
    let (low, high) = printed.interval();
    let outside = units::bounds(unit).is_some_and(|(least, most)| high < least || low > most);
    outside || (units::is_whole(unit) && printed.decimals <= 0 && printed.value.fract() != 0.0)
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
        assert!(out_of_bounds("p", &printed("1.2")) && !out_of_bounds("p", &printed("1.0")));
        assert!(out_of_bounds("count", &printed("-3")) && !out_of_bounds("percent", &printed("880")));
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
