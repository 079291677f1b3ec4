//! Readings of short texts that an archive repeats by the hundred thousand, units above all: what was read
//! once is remembered. A memo belongs to one thread and is emptied when it is full, because texts come from
//! outside; it changes how long reading takes and nothing else.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// Most texts a memo holds; the study's archive has some hundred units.
const MOST: usize = 2048;

/// Texts beyond this length are read each time.
const LONGEST: usize = 64;

/// Values read from texts.
pub(super) struct Memo<T> {
    known: RefCell<BTreeMap<Box<str>, T>>,
}

impl<T: Clone> Memo<T> {
    /// Nothing read yet.
    pub(super) const fn new() -> Self {
        Self { known: RefCell::new(BTreeMap::new()) }
    }

    /// What `read` makes of a text; `read` depends on nothing else.
    pub(super) fn get(&self, text: &str, read: impl FnOnce(&str) -> T) -> T {
        if text.len() > LONGEST {
            return read(text);
        }
        if let Some(value) = self.known.borrow().get(text) {
            return value.clone();
        }
        let value = read(text);
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.into(), value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_once_and_the_memo_stays_small() {
        let memo = Memo::new();
        let reads = std::cell::Cell::new(0);
        let length = |text: &str| {
            reads.set(reads.get() + 1);
            text.len()
        };
        assert_eq!((memo.get("km", length), memo.get("km", length), reads.get()), (2, 2, 1));
        for n in 0..=MOST {
            memo.get(&n.to_string(), length);
        }
        assert!(memo.known.borrow().len() <= MOST);
        let long = "x".repeat(LONGEST + 1);
        reads.set(0);
        assert_eq!((memo.get(&long, length), memo.get(&long, length), reads.get()), (long.len(), long.len(), 2));
    }
}
