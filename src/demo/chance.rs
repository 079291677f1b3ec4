//! Chance without a generator: every draw is a function of what it is for.

/// A number in [0, 1) that depends on the words alone.
pub(super) fn draw(words: &[&str]) -> f64 {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for word in words {
        for byte in word.bytes().chain([0]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    // Two rounds of a finaliser, because the last bytes have hardly been mixed.
    for _ in 0..2 {
        state = (state ^ (state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (state >> 11) as f64 / (1_u64 << 53) as f64
}

/// One of several things.
pub(super) fn pick<'a, T>(things: &'a [T], words: &[&str]) -> &'a T {
    &things[((draw(words) * things.len() as f64) as usize).min(things.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_and_repeatable() {
        let draws: Vec<f64> = (0..1000).map(|n| draw(&["a", &n.to_string()])).collect();
        let mean = draws.iter().sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        assert_ne!(draw(&["ab", "c"]), draw(&["a", "bc"]));
        assert_eq!(draw(&["a"]), draw(&["a"]));
    }
}
