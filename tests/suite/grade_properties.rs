//! Properties of grading that must hold for any input.

use std::collections::BTreeMap;

use proptest::prelude::*;
use repro::archive::{Actual, SubAnswer};
use repro::corpus::Answer;
use repro::grade::{
    self, Accepted, Judgement, boxed, direct, extract, lens, option, prose, python, regrade, si, signature, strict,
    unit_text, units,
};
use repro::json::Value;

/// Text that looks like units, numbers and LaTeX, and text that does not.
fn noise() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("m".to_owned()),
        Just("km".to_owned()),
        Just("\\boxed{".to_owned()),
        Just("}".to_owned()),
        Just("```".to_owned()),
        Just("python\n".to_owned()),
        Just("10^{-5}".to_owned()),
        Just("\\times".to_owned()),
        Just("(C)".to_owned()),
        Just("per ".to_owned()),
        Just("the code returns ".to_owned()),
        "[0-9.,eE+-]{1,6}",
        "[ /^{}()\\[\\]*·⁻²°%µ_$~\n-]{1,3}",
        "\\PC{0,4}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn unit() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "m", "km", "cm", "s", "h", "Pa", "hPa", "kg", "g", "%", "", "m/s", "km/h", "kg m^-3", "J/kg",
    ])
}

fn detail(expected: f64, eunit: &str, actual: f64, aunit: &str) -> SubAnswer {
    SubAnswer {
        sub: "1".into(),
        expected: [repro::number::repr(expected).into()].into(),
        expected_units: Some([eunit.into()].into()),
        actual: Actual::Number(actual),
        actual_unit: Some(aunit.into()),
        passed: false,
    }
}

/// The study's rule written down a second time, slowly and from its description.
mod slow {
    pub(super) fn plain(expected: f64, actual: f64, tolerance: f64) -> bool {
        if expected == 0.0 {
            return actual == 0.0 || actual.abs() < tolerance;
        }
        let mut scale = expected.abs();
        if scale < 1e-15 {
            scale = 1e-15;
        }
        ((actual - expected).abs() / scale) <= tolerance
    }
}

proptest! {
    #[test]
    fn readers_end_on_any_text(text in noise()) {
        let _ = (units::scalar(&text), units::compound(&text), si::readings(&text), prose::read(&text));
        let _ = (extract::program(&text), extract::last_python_block(&text), unit_text::unit_of(&text, 10.0), option::letter(&text, 4));
        let _ = (signature::signatures(&text, true), signature::signatures(&text, false), signature::numbers(&text));
        let _ = (boxed::Boxes::read(&text, 2).map(|b| b.note()), direct::boxed_numbers(&text), python::float(&text));
        let _ = (grade::plain(&text, 1.0), grade::through_units(&text, &text, 1.0, &text));
    }

    #[test]
    fn program_and_boxes_are_parts_of_the_text(text in noise()) {
        prop_assert!(text.contains(extract::program(&text)));
        for content in boxed::contents(&text).unwrap_or_default() {
            prop_assert!(text.contains(content));
        }
    }

    #[test]
    fn the_plain_rule_equals_its_slow_version(e in prop_oneof![Just(0.0), any::<f64>(), -1e3..1e3], f in 0.9..1.1, t in 0.0..0.2) {
        let actual = e * f;
        let ours = grade::plain(&repro::number::repr(e), actual).unwrap().within(t);
        prop_assert_eq!(ours, !e.is_nan() && !e.is_infinite() && slow::plain(e, actual, t) || e.is_infinite() && actual == e);
    }

    #[test]
    fn conversion_is_symmetric_in_scale(e in -1e6..1e6_f64, f in 0.8..1.2, eu in unit(), au in unit()) {
        let expected = repro::number::repr(e);
        let forth = grade::through_units(&expected, eu, e * f, au).unwrap().is_some();
        let back = grade::through_units(&expected, au, e * f, eu).unwrap().is_some();
        prop_assert_eq!(forth, back);
    }

    #[test]
    fn a_larger_tolerance_never_loses_a_pass(e in -1e3..1e3_f64, f in 0.7..1.3, eu in unit(), au in unit(), t in 0.0..0.2) {
        let details = [detail(e, eu, e * f, au)];
        let verdicts = regrade::sweep(&details, &BTreeMap::new(), &[t, t + 0.05, 1.0]);
        prop_assert!(verdicts.windows(2).all(|pair| pair[0] <= pair[1]));
        for (&tolerance, verdict) in [t, t + 0.05, 1.0].iter().zip(&verdicts) {
            prop_assert_eq!(grade::regrade(&details, &BTreeMap::new(), tolerance).passed, *verdict);
        }
    }

    #[test]
    fn strict_is_part_of_reference_for_numbers_in_one_unit(e in prop_oneof![Just(0.0), Just(1e-17), -1e3..1e3_f64], f in 0.7..1.3_f64, u in unit()) {
        let details = [detail(e, u, e * f, u)];
        let strict = strict::regrade(&details, &BTreeMap::new(), 0.05).judgement == Judgement::Pass;
        let reference = grade::regrade(&details, &BTreeMap::new(), 0.05).passed;
        // The quotient of the one and the product of the other may round apart exactly at the bound.
        prop_assume!(((f - 1.0_f64).abs() - 0.05).abs() > 1e-12);
        prop_assert!(reference || !strict);
    }

    #[test]
    fn every_difference_of_the_lenses_has_a_reason(e in prop_oneof![Just(0.0), -1e3..1e3_f64], f in 0.7..1.3, eu in unit(), au in unit()) {
        let details = [detail(e, eu, e * f, au)];
        let reference = grade::regrade(&details, &BTreeMap::new(), 0.05);
        let strict = strict::regrade(&details, &BTreeMap::new(), 0.05);
        let accepted: Vec<Accepted<'_>> = regrade::accepted(&details[0]).collect();
        let reason = lens::difference(&reference.subs[0], &accepted, strict.subs[0].judgement);
        let decided = !matches!(strict.judgement, Judgement::Undecided(_));
        let differ = decided && reference.passed != (strict.judgement == Judgement::Pass);
        prop_assert_eq!(reason.is_some(), differ);
    }

    #[test]
    fn marks_do_not_depend_on_the_order_of_returned_names(
        values in prop::collection::vec(0.9..1.1_f64, 1..6), shift in 0_usize..6,
    ) {
        let answers: Vec<_> = (0..values.len())
            .map(|n| Answer { sub: format!("s{n}").into(), value: "1".into(), unit: "".into() })
            .collect();
        let mut returned: Vec<(String, Value)> = values
            .iter()
            .enumerate()
            .map(|(n, v)| (format!("s{n}"), Value::Number(repro::json::Number::from_f64(*v))))
            .collect();
        let before = grade::verify(&answers, &returned, 0.05);
        returned.rotate_left(shift % values.len());
        let after = grade::verify(&answers, &returned, 0.05);
        prop_assert_eq!(before.subs, after.subs);
    }
}
