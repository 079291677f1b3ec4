//! Whole numbers without a limit, as far as exact tests need them.

use std::fmt;

/// A natural number; little-endian limbs without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Self(vec![value as u32, (value >> 32) as u32]).trimmed()
    }
}

impl Natural {
    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// The sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut carry = 0_u64;
        let mut limbs = Vec::with_capacity(long.0.len() + 1);
        for (index, &limb) in long.0.iter().enumerate() {
            carry += u64::from(limb) + u64::from(short.0.get(index).copied().unwrap_or(0));
            limbs.push(carry as u32);
            carry >>= 32;
        }
        limbs.push(carry as u32);
        Self(limbs).trimmed()
    }

    /// The product with a factor below 2^64.
    pub(super) fn times(&self, factor: u64) -> Self {
        let mut carry = 0_u128;
        let mut limbs = Vec::with_capacity(self.0.len() + 2);
        for &limb in &self.0 {
            carry += u128::from(limb) * u128::from(factor);
            limbs.push(carry as u32);
            carry >>= 32;
        }
        limbs.extend([carry as u32, (carry >> 32) as u32]);
        Self(limbs).trimmed()
    }

    /// The quotient by a divisor from 1 to 2^64 - 1, rounded down.
    pub(super) fn divided(&self, divisor: u64) -> Self {
        let mut rest = 0_u128;
        let mut limbs = vec![0; self.0.len()];
        for (index, &limb) in self.0.iter().enumerate().rev() {
            rest = (rest << 32) | u128::from(limb);
            limbs[index] = (rest / u128::from(divisor)) as u32;
            rest %= u128::from(divisor);
        }
        Self(limbs).trimmed()
    }

    /// Number of zero bits at the low end; 0 for zero.
    pub(super) fn trailing_zeros(&self) -> u32 {
        let zeros = self.0.iter().take_while(|&&limb| limb == 0).count();
        self.0.get(zeros).map_or(0, |limb| 32 * zeros as u32 + limb.trailing_zeros())
    }

    /// Number of bits up to the highest one.
    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| 32 * self.0.len() as u32 - top.leading_zeros())
    }

    fn bit(&self, position: u32) -> bool {
        self.0.get((position / 32) as usize).is_some_and(|limb| limb >> (position % 32) & 1 == 1)
    }

    /// The number without its lowest `shift` bits.
    pub(super) fn shifted_right(&self, shift: u32) -> Self {
        let (skip, bits) = ((shift / 32) as usize, shift % 32);
        let tail = self.0.get(skip..).unwrap_or_default();
        let limb = |index: usize| u64::from(tail.get(index).copied().unwrap_or(0));
        Self((0..tail.len()).map(|i| ((limb(i) | limb(i + 1) << 32) >> bits) as u32).collect()).trimmed()
    }

    /// The number times `2^shift`.
    pub(super) fn shifted_left(&self, shift: u32) -> Self {
        let mut limbs = vec![0; (shift / 32) as usize];
        limbs.extend(self.times(1 << (shift % 32)).0);
        Self(limbs).trimmed()
    }

    /// `self / 2^exponent` as the nearest double, ties to even, gradual underflow included.
    pub(super) fn over_power_of_two(&self, exponent: u32) -> f64 {
        let bits = i64::from(self.bits());
        if bits == 0 {
            return 0.0;
        }
        // Lowest bit a double can hold here, as a position in `self`: 53 bits down from the top, but
        // never below 2^-1074.
        let lowest = (bits - 53).max(i64::from(exponent) - 1074);
        let exact = lowest <= 0;
        let kept = if exact { self.clone() } else { self.shifted_right(lowest as u32) };
        let mut mantissa = kept.0.iter().rev().fold(0_u64, |value, &limb| value << 32 | u64::from(limb));
        if !exact {
            let half = self.bit(lowest as u32 - 1);
            let below = (i64::from(self.trailing_zeros())) < lowest - 1;
            mantissa += u64::from(half && (below || mantissa & 1 == 1));
        }
        let scale = if exact { -i64::from(exponent) } else { lowest - i64::from(exponent) };
        scaled(mantissa as f64, scale)
    }
}

/// `value · 2^power`, where the caller has made sure that the result is a double.
fn scaled(value: f64, power: i64) -> f64 {
    let (mut value, mut power) = (value, power);
    while power < -1000 {
        value *= 2.0_f64.powi(-1000);
        power += 1000;
    }
    value * 2.0_f64.powi(power as i32)
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u64 = 1_000_000_000;
        let mut rest = self.clone();
        let mut groups = Vec::new();
        while !rest.0.is_empty() {
            let next = rest.divided(GROUP);
            let used = next.times(GROUP);
            let low = rest.0.first().copied().unwrap_or(0).wrapping_sub(used.0.first().copied().unwrap_or(0));
            groups.push(low);
            rest = next;
        }
        let Some(first) = groups.pop() else { return f.write_str("0") };
        write!(f, "{first}")?;
        groups.iter().rev().try_for_each(|group| write!(f, "{group:09}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide(value: u128) -> Natural {
        Natural::from((value >> 64) as u64).shifted_left(64).plus(&Natural::from(value as u64))
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_wide_integers(a in any::<u128>(), b in any::<u64>(), shift in 0_u32..128) {
            let a = a >> 65;
            prop_assert_eq!(wide(a).to_string(), a.to_string());
            prop_assert_eq!(wide(a).plus(&Natural::from(b)), wide(a + u128::from(b)));
            prop_assert_eq!(wide(a).times(b), wide(a * u128::from(b)));
            prop_assert_eq!(wide(a).shifted_right(shift), wide(a >> shift));
            if b > 0 {
                prop_assert_eq!(wide(a).divided(b), wide(a / u128::from(b)));
            }
        }

        #[test]
        fn conversion_rounds_as_the_hardware_does(a in any::<u128>(), cut in 0_u32..127, exponent in 0_u32..900) {
            let a = a >> cut;
            // `u128 as f64` rounds to nearest even; dividing by a power of two is exact here.
            prop_assert_eq!(wide(a).over_power_of_two(exponent), a as f64 / 2.0_f64.powf(f64::from(exponent)));
        }
    }

    #[test]
    fn tiny_fractions_underflow_gradually() {
        assert_eq!(Natural::from(1).over_power_of_two(1074), 5e-324);
        assert_eq!(Natural::from(3).over_power_of_two(1075), 1e-323);
        assert_eq!(Natural::from(1).over_power_of_two(1075), 0.0);
        assert_eq!(Natural::from(1).over_power_of_two(5000), 0.0);
    }
}
