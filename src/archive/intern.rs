//! Equal texts share one allocation: an archive repeats its units, keys and reasons by the hundred
//! thousand.

use std::sync::Arc;

/// Number of buckets, a power of two; an archive has some ten thousand distinct texts.
const BUCKETS: usize = 1 << 14;

/// Texts and lists of texts seen so far. The order of buckets and of their content reaches no output.
#[derive(Debug)]
pub(crate) struct Interner {
    texts: Vec<Vec<Arc<str>>>,
    lists: Vec<Vec<Arc<[Arc<str>]>>>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { texts: vec![Vec::new(); BUCKETS], lists: vec![Vec::new(); BUCKETS] }
    }
}

impl Interner {
    /// The shared copy of a text.
    pub(crate) fn text(&mut self, text: &str) -> Arc<str> {
        let bucket = &mut self.texts[hash(text.as_bytes(), START) as usize & (BUCKETS - 1)];
        if let Some(known) = bucket.iter().find(|known| &***known == text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        bucket.push(new.clone());
        new
    }

    /// The shared copy of a list of shared texts, which are equal when they are the same.
    pub(super) fn list(&mut self, list: &[Arc<str>]) -> Arc<[Arc<str>]> {
        let address = |text: &Arc<str>| Arc::as_ptr(text).cast::<u8>() as u64;
        let hash = list.iter().fold(START, |state, text| step(state, address(text)));
        let bucket = &mut self.lists[hash as usize & (BUCKETS - 1)];
        let same =
            |known: &[Arc<str>]| known.len() == list.len() && known.iter().zip(list).all(|(a, b)| Arc::ptr_eq(a, b));
        if let Some(known) = bucket.iter().find(|known| same(known)) {
            return known.clone();
        }
        let new: Arc<[Arc<str>]> = list.into();
        bucket.push(new.clone());
        new
    }
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over words of eight bytes.
fn hash(bytes: &[u8], state: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(state, |state, word| step(state, u64::from_le_bytes(*word)));
    step(state, rest.iter().fold(bytes.len() as u64, |word, byte| word << 8 | u64::from(*byte)))
}

/// One word, folded so that the low bits depend on all of it.
fn step(state: u64, word: u64) -> u64 {
    let state = (state ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    state ^ (state >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_allocation() {
        let mut interner = Interner::default();
        let (a, b) = (interner.text("m s^-1"), interner.text("m s^-1"));
        assert!(Arc::ptr_eq(&a, &b));
        assert!(Arc::ptr_eq(&interner.list(std::slice::from_ref(&a)), &interner.list(std::slice::from_ref(&b))));
        assert_eq!(interner.list(&[]).len(), 0);
        assert_eq!(&*interner.text(""), "");
    }

    #[test]
    fn texts_spread_over_the_buckets() {
        let mut interner = Interner::default();
        for n in 0..BUCKETS {
            interner.text(&format!("{n}.5e-{}", n % 17));
        }
        let longest = interner.texts.iter().map(Vec::len).max().unwrap();
        assert!(longest <= 12, "{longest} texts share a bucket");
    }
}
