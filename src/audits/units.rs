//! Units that can be read two ways.

use std::collections::BTreeMap;

use super::{About, Audit, Looked, Raised, Subject};
use crate::grade::si;
use crate::grade::units::{self, Dimension};
use crate::report::Place;

const ABOUT: About = About {
    id: "units",
    title: "Units that can be read two ways",
    question: "Could a careful reader take the unit of an accepted answer for another one?",
    method: "A unit is raised when its symbol stands for two quantities as it is written (C for degree Celsius and for \
             coulomb), or when the study's rule, which folds upper and lower case, reads another unit than the one \
             that is written (M for mole per litre is read as metre).",
    items: "accepted answers with a unit",
    nothing: "no accepted answer has a unit",
    code: "unit-two-readings",
};

/// Symbols with two meanings as they are written, with both.
const TWOFOLD: &[(&str, &str, &str)] = &[
    ("C", "degree Celsius", "coulomb"),
    ("F", "degree Fahrenheit", "farad"),
    ("M", "mole per litre", "the prefix mega"),
    ("ppt", "parts per trillion", "parts per thousand"),
    ("ton", "short ton of 907 kg", "tonne of 1000 kg"),
    ("tons", "short ton of 907 kg", "tonne of 1000 kg"),
];

pub(super) struct Units;

impl Audit for Units {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        for set in &subject.corpus.sets {
            let mut odd: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for problem in &set.problems {
                for answer in problem.answers.iter().filter(|answer| !answer.unit.trim().is_empty()) {
                    looked.checked += 1;
                    let ids = odd.entry(answer.unit.trim()).or_default();
                    if ids.last() != Some(&problem.id.as_str()) {
                        ids.push(problem.id.as_str());
                    }
                }
            }
            for (unit, ids) in odd {
                let Some(readings) = twofold(unit).or_else(|| read_otherwise(unit)) else { continue };
                let count = ids.len();
                let noun = if count == 1 { "problem" } else { "problems" };
                let shown: Vec<&str> = ids.iter().take(5).copied().collect();
                let more =
                    if count > shown.len() { format!(" and {} more", count - shown.len()) } else { String::new() };
                looked.raised.push(Raised {
                    place: Place::file(&set.path).with_subject(unit),
                    says: format!("{readings}, in {count} {noun} ({}{more})", shown.join(", ")),
                    origin: None,
                    set: Some(set.id.as_str().to_owned()),
                });
            }
        }
        looked
    }
}

/// What a symbol with two meanings stands for.
fn twofold(unit: &str) -> Option<String> {
    let (_, first, second) = TWOFOLD.iter().find(|(symbol, ..)| *symbol == unit)?;
    Some(format!("the unit {unit} stands for {first} and for {second}"))
}

/// Where the study's rule reads another unit than the one that is written.
fn read_otherwise(unit: &str) -> Option<String> {
    let written = si::readings(unit);
    let (powers, factor) = rule(unit)?;
    if written.is_empty() {
        return None;
    }
    let alike = |reading: &si::Unit| reading.powers == powers && (reading.factor / factor - 1.0).abs() < 1e-3;
    (!written.iter().any(alike))
        .then(|| format!("the study's rule reads the unit {unit} as another one than is written"))
}

/// Powers of base units and factor as the study's rule reads a unit.
fn rule(unit: &str) -> Option<(si::Powers, f64)> {
    if let Some(scale) = units::scalar(unit) {
        return match scale {
            units::Scale::Factor(dimension, factor) => Some((raised(dimension, 1), factor)),
            units::Scale::Offset(_) => Some((raised(Dimension::Temperature, 1), 1.0)),
        };
    }
    let product = units::compound(unit).ok().flatten()?;
    let mut powers = si::Powers::new();
    for (dimension, exponent) in &product.signature {
        for (base, power) in raised(*dimension, i32::try_from(*exponent).ok()?) {
            *powers.entry(base).or_insert(0) += power;
        }
    }
    powers.retain(|_, power| *power != 0);
    Some((powers, product.factor))
}

fn raised(dimension: Dimension, exponent: i32) -> si::Powers {
    let base: &[(&str, i32)] = match dimension {
        Dimension::Length => &[("m", 1)],
        Dimension::Time => &[("s", 1)],
        Dimension::Pressure => &[("kg", 1), ("m", -1), ("s", -2)],
        Dimension::Mass => &[("kg", 1)],
        Dimension::Energy => &[("kg", 1), ("m", 2), ("s", -2)],
        Dimension::Interval | Dimension::Temperature => &[("K", 1)],
        Dimension::Ratio | Dimension::Angle => &[],
    };
    base.iter().map(|&(name, power)| (name, power * exponent)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_units_have_one_reading() {
        for unit in
            ["m", "h", "hPa", "K", "°C", "m/s", "W/m^2", "g/kg", "%", "mb", "days", "mm", "rad", "yr", "Pa", "deg"]
        {
            assert_eq!((twofold(unit), read_otherwise(unit)), (None, None), "{unit}");
        }
    }

    #[test]
    fn case_that_the_rule_folds_away_is_seen() {
        assert!(twofold("C").is_some() && twofold("M").is_some() && twofold("c").is_none());
        // Megametre and millimetre are one token for the rule.
        assert!(read_otherwise("Mm").is_some());
    }
}
