//! Percentile bootstrap over paired units with the generator that published limits were made with.
//!
//! The generator is the 32-bit Mersenne Twister seeded through its array initialiser with a one-word
//! key, which is how Python's `random.Random(seed)` starts; a draw below `n` takes the top
//! `bit_length(n)` bits of an output and rejects values from `n` on. One table of row indices serves
//! all configurations of a family, so that their limits are comparable.

use super::Interval;

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// Mersenne Twister MT19937 (Matsumoto and Nishimura 1998, initialiser of 2002).
#[derive(Debug, Clone)]
pub struct Twister {
    state: [u32; WORDS],
    next: usize,
}

impl Twister {
    /// The generator after seeding with one integer (`init_genrand`).
    fn plain(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for i in 1..WORDS {
            let previous = state[i - 1];
            state[i] = 1_812_433_253_u32.wrapping_mul(previous ^ (previous >> 30)).wrapping_add(i as u32);
        }
        Self { state, next: WORDS }
    }

    /// The generator after seeding with a key of words (`init_by_array`); an empty key counts as `[0]`.
    pub fn new(key: &[u32]) -> Self {
        let key = if key.is_empty() { &[0][..] } else { key };
        let mut state = Self::plain(19_650_218).state;
        let (mut i, mut j) = (1, 0);
        let mix = |state: &[u32; WORDS], i: usize, factor: u32| {
            state[i] ^ (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(factor)
        };
        for _ in 0..WORDS.max(key.len()) {
            state[i] = mix(&state, i, 1_664_525).wrapping_add(key[j]).wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i == WORDS {
                state[0] = state[WORDS - 1];
                i = 1;
            }
        }
        for _ in 1..WORDS {
            state[i] = mix(&state, i, 1_566_083_941).wrapping_sub(i as u32);
            i += 1;
            if i == WORDS {
                state[0] = state[WORDS - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        Self { state, next: WORDS }
    }

    fn refill(&mut self) {
        for i in 0..WORDS {
            let joined = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % WORDS] & 0x7fff_ffff);
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A draw from `0..n`, `n ≥ 1`: the top `bit_length(n)` bits, repeated until below `n`.
    fn below(&mut self, n: u32) -> u32 {
        let shift = n.leading_zeros();
        loop {
            let draw = self.word() >> shift;
            if draw < n {
                return draw;
            }
        }
    }
}

/// Row indices of all resamples: `rows` rows of `n` draws from `0..n`.
#[derive(Debug, Clone)]
pub struct Resamples {
    n: usize,
    rows: usize,
    indices: Vec<u32>,
}

impl Resamples {
    /// Draws the table, row by row.
    pub fn draw(seed: u32, rows: usize, n: u32) -> Self {
        let mut twister = Twister::new(&[seed]);
        let indices = (0..rows * n as usize).map(|_| twister.below(n)).collect();
        Self { n: n as usize, rows, indices }
    }

    /// The rows, in order; none when there is nothing to draw from.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.indices.chunks_exact(self.n.max(1)).take(self.rows)
    }

    /// 95 % percentile interval of the mean of `values` (whole numbers, one per unit, sorted as the
    /// units are): with the `B` resampled means sorted, `d[⌊0.025 B⌋]` and `d[min(B-1, ⌊0.975 B⌋)]`.
    /// `None` without rows, without units, or when the number of values is not that of the table.
    pub fn interval_of_mean(&self, values: &[i32]) -> Option<Interval> {
        if values.len() != self.n || values.is_empty() || self.rows == 0 {
            return None;
        }
        // Whole-number sums sort as the means do, without rounding.
        let total = |row: &[u32]| row.iter().map(|&index| i64::from(values[index as usize])).sum::<i64>();
        let mut totals: Vec<i64> = self.rows().map(total).collect();
        totals.sort_unstable();
        // 25/1000 and 975/1000 in whole numbers: the index must not depend on how 0.975 is rounded.
        let at = |mille: usize| totals[(mille * self.rows / 1000).min(self.rows - 1)] as f64 / self.n as f64;
        Some(Interval { low: at(25), high: at(975), level: 0.95, method: "bootstrap-percentile" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_repeats_its_authors_vectors() {
        // mt19937ar.out: init_by_array({0x123, 0x234, 0x345, 0x456}).
        let mut twister = Twister::new(&[0x123, 0x234, 0x345, 0x456]);
        let first: Vec<u32> = (0..5).map(|_| twister.word()).collect();
        assert_eq!(first, [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783, 4_228_976_476]);
        let last = (5..1000).map(|_| twister.word()).last();
        assert_eq!(last, Some(3_460_025_646));
    }

    #[test]
    fn the_published_index_tables_come_out() {
        let table = Resamples::draw(20_260_706, 2000, 346);
        let rows: Vec<&[u32]> = table.rows().collect();
        assert_eq!(rows.len(), 2000);
        assert_eq!(rows[0][..12], [11, 215, 64, 64, 10, 44, 120, 69, 26, 153, 293, 18]);
        assert_eq!(rows[0][343..], [118, 260, 4]);
        assert_eq!(rows[1999][341..], [33, 226, 157, 262, 15]);
        let other = Resamples::draw(20_260_707, 1, 436);
        let row = other.rows().next().unwrap();
        assert_eq!(row[..12], [212, 206, 374, 114, 17, 390, 398, 60, 57, 352, 15, 79]);
    }

    #[test]
    fn the_limits_follow_the_index_rule() {
        let table = Resamples::draw(1, 40, 3);
        let values = [1, 0, -1];
        let mut means: Vec<f64> =
            table.rows().map(|row| row.iter().map(|&i| f64::from(values[i as usize])).sum::<f64>() / 3.0).collect();
        means.sort_by(f64::total_cmp);
        let interval = table.interval_of_mean(&values).unwrap();
        assert_eq!((interval.low, interval.high), (means[1], means[39]));
    }

    #[test]
    fn nothing_to_draw_from_gives_no_interval() {
        assert!(Resamples::draw(1, 10, 0).interval_of_mean(&[]).is_none());
        assert!(Resamples::draw(1, 0, 2).interval_of_mean(&[1, 2]).is_none());
        assert!(Resamples::draw(1, 10, 2).interval_of_mean(&[1]).is_none());
    }
}
