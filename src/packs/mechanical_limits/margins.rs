//! Signed margins of the items, and whether a model can find the limit when it is asked for it.

use std::collections::BTreeMap;

use super::records::{ITEMS, Item, PROBES, Records};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static MARGINS: About = About {
    id: "signed-margins",
    also: &[],
    title: "Signed margins",
    unit: "percent",
    meaning: "How far the stated datum of an item lies above (flawed) or below (valid) its limit.",
    formula: "margin = 100 × (datum / certificate - 1), printed with three decimals.",
    source: "Definition of the study.",
    edge_cases: "A flawed item needs a positive margin and a valid one a negative margin; another sign is a finding. A \
                 speed margin of a disk is about twice its load margin, so margins of families are not one scale. \
                 Certificate zero or absent: undefined.",
    example: "datum 2.273, certificate 2.2507: +0.991 percent.",
    keys: &[KeyDoc { key: "item", meaning: "item" }, KeyDoc { key: "family", meaning: "family of items" }],
    measures: &[
        ("margin", "percent above the limit"),
        ("items", "items of the family"),
        ("smallest", "smallest |margin| of the family"),
        ("largest", "largest |margin| of the family"),
    ],
};

static CAPABILITY: About = About {
    id: "probe-capability",
    also: &[],
    title: "Capability by probes",
    unit: "probes",
    meaning: "Whether a model that is asked for the limit itself finds it closely enough to see the violation.",
    formula: "A probe passes when |value / certificate - 1| < |margin| / 2. capable = 1 when at least nine of ten probes \
              pass (9 × probes ≤ 10 × passed). median and largest are of the relative errors in percent; ratio = smallest \
              violation / median error.",
    source: "Capability rule of the study.",
    edge_cases: "An item without certificate or margin has no probe. No probe: undefined. The median of an even number is \
                 the mean of the two in the middle.",
    example: "Relative error 0.4 percent at a margin of 1 percent passes; 0.5 percent does not.",
    keys: &[KeyDoc { key: "model", meaning: "model" }, KeyDoc { key: "family", meaning: "family of items" }],
    measures: &[
        ("passed", "probes that pass, out of all"),
        ("capable", "1 when the rule is met, else 0"),
        ("median-error", "percent"),
        ("largest-error", "percent"),
        ("ratio", "smallest margin over the median error"),
    ],
};

/// Signed margins.
pub(super) struct SignedMargins;
/// Capability by probes.
pub(super) struct Capability;

/// `100 (datum / certificate - 1)`; `None` without both or with a limit of zero.
pub(super) fn margin(item: &Item) -> Option<f64> {
    let (datum, certificate) = (item.datum?, item.certificate?);
    (certificate != 0.0).then(|| 100.0 * (datum / certificate - 1.0))
}

impl Statistic for SignedMargins {
    fn about(&self) -> &'static About {
        &MARGINS
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(ITEMS) {
            output.on(MARGINS.id, Basis::Records, &[]).put("items", Estimate::undefined(reason));
            return output;
        }
        let columns = [
            ("item", Kind::Text, ""),
            ("family", Kind::Text, ""),
            ("set", Kind::Text, ""),
            ("twin", Kind::Text, ""),
            ("datum", Kind::Real, ""),
            ("certificate", Kind::Real, ""),
            ("margin", Kind::Real, "percent"),
            ("target", Kind::Real, "percent"),
        ];
        let mut table = Table::new("limit_items", "Items with their signed margins", &[MARGINS.id], &columns);
        let mut families: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for item in records.items.values() {
            let value = margin(item);
            let keys = [("item", item.id.as_str()), ("family", &item.family)];
            let estimate =
                value.map_or_else(|| Estimate::undefined("the item has no datum or no certificate"), Estimate::value);
            output.on(MARGINS.id, Basis::Records, &keys).put("margin", estimate);
            let flawed = item.twin == super::records::Twin::Flawed;
            if value.is_some_and(|value| (value > 0.0) != flawed) {
                let message = format!(
                    "the item is called {} and its margin is {:+.3} percent",
                    item.twin.word(),
                    value.unwrap_or(0.0)
                );
                output.findings.push(Finding::new("margin-contradicts", Place::subject(&item.id), message));
            }
            families.entry(&item.family).or_default().extend(value.map(f64::abs));
            let real = |value: Option<f64>| value.map_or_else(|| Cell::Undefined("not archived".into()), Cell::full);
            table.push(vec![
                Cell::text(item.id.as_str()),
                Cell::text(item.family.as_str()),
                Cell::text(item.set.as_str()),
                Cell::text(item.twin.word()),
                real(item.datum),
                real(item.certificate),
                value.map_or_else(|| Cell::Undefined("no certificate".into()), |value| Cell::signed(value, 3)),
                real(item.target_margin),
            ]);
        }
        for (family, mut margins) in families {
            margins.sort_by(f64::total_cmp);
            let end = |value: Option<&f64>| {
                value.map_or_else(|| Estimate::undefined("no item has a margin"), |value| Estimate::value(*value))
            };
            output
                .on(MARGINS.id, Basis::Records, &[("family", family)])
                .put("items", Estimate::count(margins.len()))
                .put("smallest", end(margins.first()))
                .put("largest", end(margins.last()));
        }
        output.tables.push(table);
        output
    }
}

/// Relative error of a probe in percent, and whether it passes.
pub(super) fn judged(item: &Item, value: f64) -> Option<(f64, bool)> {
    let (certificate, margin) = (item.certificate?, margin(item)?);
    let error = 100.0 * (value / certificate - 1.0).abs();
    Some((error, error < margin.abs() / 2.0))
}

/// Nine of ten.
pub(super) const fn capable(passed: usize, probes: usize) -> bool {
    probes > 0 && 10 * passed >= 9 * probes
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

impl Statistic for Capability {
    fn about(&self) -> &'static About {
        &CAPABILITY
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output::default();
        if let Some(reason) = records.lacks(PROBES) {
            output.on(CAPABILITY.id, Basis::Records, &[]).put("passed", Estimate::undefined(reason));
            return output;
        }
        let mut cells: BTreeMap<(&str, &str), Vec<(f64, bool, f64)>> = BTreeMap::new();
        for probe in &records.probes {
            let Some(item) = records.items.get(&probe.item) else { continue };
            if let (Some((error, passes)), Some(margin)) = (judged(item, probe.value), margin(item)) {
                cells.entry((&probe.model, &item.family)).or_default().push((error, passes, margin.abs()));
            }
        }
        let columns = [
            ("model", Kind::Text, ""),
            ("family", Kind::Text, ""),
            ("probes", Kind::Integer, "probes"),
            ("passed", Kind::Integer, "probes"),
            ("capable", Kind::Text, ""),
            ("median_error", Kind::Real, "percent"),
            ("largest_error", Kind::Real, "percent"),
        ];
        let mut table = Table::new(
            "probe_capability",
            "Whether models find the limit when asked for it",
            &[CAPABILITY.id],
            &columns,
        );
        for ((model, family), probes) in cells {
            let passed = probes.iter().filter(|(_, passes, _)| *passes).count();
            let mut errors: Vec<f64> = probes.iter().map(|(error, ..)| *error).collect();
            errors.sort_by(f64::total_cmp);
            let (middle, largest) = (median(&errors), errors[errors.len() - 1]);
            let smallest = probes.iter().map(|(.., margin)| *margin).fold(f64::INFINITY, f64::min);
            let rule = capable(passed, probes.len());
            let ratio = if middle > 0.0 {
                Estimate::value(smallest / middle)
            } else {
                Estimate::undefined("the median error is zero")
            };
            output
                .on(CAPABILITY.id, Basis::Records, &[("model", model), ("family", family)])
                .put("passed", Estimate::out_of(passed, probes.len()))
                .put("capable", Estimate::value(f64::from(u8::from(rule))))
                .put("median-error", Estimate::value(middle))
                .put("largest-error", Estimate::value(largest))
                .put("ratio", ratio);
            table.push(vec![
                Cell::text(model),
                Cell::text(family),
                Cell::count(probes.len()),
                Cell::count(passed),
                Cell::text(if rule { "yes" } else { "no" }),
                Cell::fixed(middle, 4),
                Cell::fixed(largest, 4),
            ]);
        }
        output.tables.push(table);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Twin;
    use super::*;

    fn item(datum: f64, certificate: f64) -> Item {
        Item {
            id: "i".into(),
            family: "f".into(),
            set: "s".into(),
            twin: Twin::Flawed,
            datum: Some(datum),
            certificate: Some(certificate),
            target_margin: None,
        }
    }

    #[test]
    fn printed_margins_of_the_study_come_out() {
        // A third printed margin, -1.011, needs more digits of its certificate than 1.75475 has: these give -1.012.
        for (datum, certificate, printed) in [(2.273, 2.2507, "+0.991"), (31060.0, 31373.6, "-1.000")] {
            assert_eq!(crate::number::signed(margin(&item(datum, certificate)).unwrap(), 3), printed);
        }
        assert_eq!(margin(&item(1.0, 0.0)), None);
    }

    #[test]
    fn a_probe_passes_below_half_the_margin_and_nine_of_ten_are_enough() {
        let at_two_percent = item(102.0, 100.0);
        assert!(judged(&at_two_percent, 100.9).unwrap().1 && judged(&at_two_percent, 99.1).unwrap().1);
        assert!(!judged(&at_two_percent, 101.5).unwrap().1);
        assert!(capable(9, 10) && capable(5, 5) && !capable(4, 5) && !capable(8, 9) && !capable(0, 0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
