//! Numbers that need no explanation: unit factors and constants of nature, as the study lists them.

use crate::syntax::Literal;

/// Factors between units and small conventional factors.
pub const UNIT_FACTORS: &[f64] = &[
    1.0, 10.0, 100.0, 1000.0, 60.0, 3600.0, 24.0, 12.0, 365.0, 0.5, 1e6, 1e9, 1e12, 1e-3, 1e-6, 1e-9, 0.01, 3.6,
    86400.0, 180.0, 360.0, 1013.0, 1013.25, 101_325.0, 1e5, 1e-5, 1e4, 1e-4, 1e-12, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0,
    9.0, 1.5, 2.5,
];

/// Constants of physics, chemistry, the Earth and the Sun. Gravity, gas constants, Stefan-Boltzmann,
/// Boltzmann, Avogadro, Planck, elementary charge, Wien, latent heats, specific heats, light,
/// gravitation, ratios of moist air, melting point, saturation pressure in hPa, solar constant, Earth's
/// radius (m, km) and mass, rotation, molar masses (g, kg), year, astronomical unit, solar power, and
/// fractions used with them. 611 is absent on purpose: it is a choice, not a constant.
pub const PHYSICAL_CONSTANTS: &[f64] = &[
    std::f64::consts::PI,
    std::f64::consts::E,
    9.8,
    9.81,
    9.80665,
    287.0,
    287.05,
    8.314,
    8.31446,
    461.0,
    461.5,
    5.67e-8,
    1.38e-23,
    1.381e-23,
    6.022e23,
    6.02214e23,
    6.626e-34,
    1.602e-19,
    2.898e-3,
    2.5e6,
    2.45e6,
    2.501e6,
    2.83e6,
    2.834e6,
    3.34e5,
    3.337e5,
    717.0,
    1004.0,
    1005.0,
    1846.0,
    1850.0,
    2.998e8,
    3e8,
    6.674e-11,
    0.622,
    0.286,
    273.0,
    273.15,
    6.11,
    1360.0,
    1361.0,
    1366.0,
    1367.0,
    1370.0,
    1376.0,
    6.37e6,
    6.371e6,
    6.378e6,
    6.4e6,
    6370.0,
    6371.0,
    6378.0,
    6400.0,
    5.97e24,
    5.972e24,
    7.29e-5,
    7.292e-5,
    1.458e-4,
    1.4584e-4,
    16.0,
    18.0,
    18.015,
    18.02,
    28.0,
    28.97,
    29.0,
    32.0,
    44.0,
    44.01,
    48.0,
    0.016,
    0.018,
    0.018_015,
    0.018_02,
    0.028,
    0.028_97,
    0.029,
    0.032,
    0.044,
    0.044_01,
    0.048,
    3.156e7,
    3.1536e7,
    86400.0,
    1.496e11,
    3.8e26,
    3.828e26,
    1e-7,
    71.6,
    0.25,
    0.35,
    0.21,
];

/// Largest integer that is explained by itself (counts, exponents, digits).
const SMALL_INTEGER: f64 = 12.0;
/// Relative distance within which a literal counts as one of the list.
const CLOSE: f64 = 0.01;

/// True when a literal outside the signature is 0, 1, a small integer, or within 1 % of a unit
/// factor, a constant of nature or one of the `defaults` of the signature.
pub fn is_explained(literal: &Literal, defaults: &[f64]) -> bool {
    let value = literal.value.abs();
    let near = |known: &f64| (value - known.abs()).abs() <= CLOSE * known.abs();
    value == 0.0
        || value == 1.0
        || literal.integer && value <= SMALL_INTEGER
        || UNIT_FACTORS.iter().chain(PHYSICAL_CONSTANTS).chain(defaults).any(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Literal {
        let integer = text.bytes().all(|b| b.is_ascii_digit());
        Literal { value: text.parse().unwrap(), integer, text: text.to_owned(), line: 1 }
    }

    #[test]
    fn constants_and_factors_are_explained_and_other_numbers_are_not() {
        for text in ["0", "12", "9.81", "9.79", "273.16", "86400", "3.14159", "6378", "0.02897", "2.52e6"] {
            assert!(is_explained(&literal(text), &[]), "{text}");
        }
        for text in ["611", "13", "11.5", "19.75", "0.7", "6.2"] {
            assert!(!is_explained(&literal(text), &[]), "{text}");
        }
        assert!(is_explained(&literal("19.75"), &[19.7]));
    }
}
