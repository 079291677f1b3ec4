//! Prose answers graded again with units recovered from the text.
//!
//! Regrade A is conservative: it keeps the stored marks and adds what a recovered unit proves. Regrade B
//! is an upper bound: any boxed number may answer any sub. Neither has published values.

use std::sync::LazyLock;

use regex::Regex;

use super::outcome::Accepted;
use super::reference::{decide, through_units};
use super::regrade::accepted;
use super::{boxed, pattern, python, unit_text, work};
use crate::archive::{Actual, SubAnswer};

/// More boxed numbers than this are not tried in regrade B.
const MOST: usize = 8;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"[-+]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?"));

/// Unit written next to each graded number in a response; `None` for values that are no numbers.
pub fn recovered_units(details: &[SubAnswer], response: &str) -> Vec<Option<String>> {
    let unit = |detail: &SubAnswer| match detail.actual {
        Actual::Number(value) => Some(unit_text::unit_of(response, value)),
        Actual::Missing | Actual::Text(_) => None,
    };
    details.iter().map(unit).collect()
}

/// Regrade A: stored marks, and a failed sub is right when its recovered unit converts to an accepted
/// answer (both units non-empty).
pub fn conservative(details: &[SubAnswer], units: &[Option<String>], tolerance: f64) -> bool {
    let proven = |(position, detail): (usize, &SubAnswer)| {
        let (Actual::Number(value), Some(Some(unit))) = (&detail.actual, units.get(position)) else {
            return detail.passed;
        };
        let converts = |a: Accepted<'_>| {
            let found = through_units(a.value, a.unit, *value, unit);
            !a.unit.is_empty() && found.is_ok_and(|found| found.is_some_and(|(_, d)| d.within(tolerance)))
        };
        detail.passed || (!unit.is_empty() && accepted(detail).any(converts))
    };
    !details.is_empty() && details.iter().enumerate().all(proven)
}

/// The first number of each box of a response, commas dropped, with the unit next to it in the text. Empty
/// where there are more than [`upper_bound`] tries, or boxes that cannot be read.
pub fn boxed_numbers(response: &str) -> Vec<(f64, String)> {
    let contents = boxed::contents(response).unwrap_or_default();
    let number = |content: &&str| {
        work::spent(content.len());
        python::float(&NUMBER.find(content)?.as_str().replace(',', ""))
    };
    let values: Vec<f64> = contents.iter().filter_map(number).collect();
    if values.len() > MOST {
        return Vec::new();
    }
    values.into_iter().map(|value| (value, unit_text::unit_of(response, value))).collect()
}

/// Regrade B, for records that A leaves failed: true when 1 to 8 boxed numbers can be assigned to the
/// subs, each number at most once, so that every sub is right.
pub fn upper_bound(details: &[SubAnswer], numbers: &[(f64, String)], tolerance: f64) -> bool {
    if numbers.is_empty() || numbers.len() > MOST || details.is_empty() || numbers.len() < details.len() {
        return false;
    }
    let fits: Vec<Vec<bool>> = details
        .iter()
        .map(|detail| {
            let fit = |(value, unit): &(f64, String)| {
                decide(accepted(detail), *value, unit, tolerance).is_ok_and(|step| step.is_some())
            };
            numbers.iter().map(fit).collect()
        })
        .collect();
    assignable(&fits, 0, &mut vec![false; numbers.len()])
}

/// Backtracking over at most eight numbers.
fn assignable(fits: &[Vec<bool>], sub: usize, used: &mut [bool]) -> bool {
    let Some(row) = fits.get(sub) else {
        return true;
    };
    (0..row.len()).any(|number| {
        if used[number] || !row[number] {
            return false;
        }
        used[number] = true;
        let found = assignable(fits, sub + 1, used);
        used[number] = false;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(sub: &str, expected: &str, unit: &str, actual: f64) -> SubAnswer {
        SubAnswer {
            sub: sub.into(),
            expected: [expected.into()].into(),
            expected_units: Some([unit.into()].into()),
            actual: Actual::Number(actual),
            actual_unit: Some("".into()),
            passed: false,
        }
    }

    #[test]
    fn a_recovered_unit_proves_a_converted_value() {
        let details = [detail("1", "1.5", "km", 1500.0)];
        let units = recovered_units(&details, "The height is 1500 m.");
        assert_eq!(units, [Some("m".to_owned())]);
        assert!(conservative(&details, &units, 0.05));
        assert!(!conservative(&details, &[Some(String::new())], 0.05));
    }

    #[test]
    fn swapped_boxes_count_only_for_the_upper_bound() {
        let details = [detail("1", "2", "m", 7.0), detail("2", "7", "m", 2.0)];
        let response = "\\boxed{7 m} and \\boxed{2 m}";
        assert!(!conservative(&details, &recovered_units(&details, response), 0.05));
        assert!(upper_bound(&details, &boxed_numbers(response), 0.05));
        assert!(!upper_bound(&details, &boxed_numbers("\\boxed{7 m}"), 0.05));
        assert!(!upper_bound(&[detail("1", "7", "", 0.0), detail("2", "7", "", 0.0)], &boxed_numbers(response), 0.05));
    }

    /// Decided by the study's own regrade: the exponent of a boxed number is no answer.
    #[test]
    fn a_box_gives_one_number() {
        let response = r"\boxed{7 \times 10^{3}}";
        assert_eq!(boxed_numbers(response).iter().map(|(value, _)| *value).collect::<Vec<_>>(), [7.0]);
        assert!(!upper_bound(&[detail("1", "3", "m", 7000.0)], &boxed_numbers(response), 0.05));
        let eight = r"\boxed{1,200.5 m}".repeat(MOST);
        assert_eq!(boxed_numbers(&eight).len(), MOST);
        assert_eq!(boxed_numbers(&format!("{eight}\\boxed{{1}}")), []);
    }
}
