//! Equal texts share one allocation: an archive repeats its units, keys and reasons by the hundred
//! thousand.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Texts and lists of texts seen so far.
#[derive(Debug, Default)]
pub(super) struct Interner {
    texts: BTreeSet<Arc<str>>,
    lists: BTreeSet<Arc<[Arc<str>]>>,
}

impl Interner {
    /// The shared copy of a text.
    pub(super) fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.texts.insert(new.clone());
        new
    }

    /// The shared copy of a list of shared texts.
    pub(super) fn list(&mut self, list: &[Arc<str>]) -> Arc<[Arc<str>]> {
        if let Some(known) = self.lists.get(list) {
            return known.clone();
        }
        let new: Arc<[Arc<str>]> = list.into();
        self.lists.insert(new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_allocation() {
        let mut interner = Interner::default();
        let (a, b) = (interner.text("m s^-1"), interner.text("m s^-1"));
        assert!(Arc::ptr_eq(&a, &b));
        assert!(Arc::ptr_eq(&interner.list(std::slice::from_ref(&a)), &interner.list(&[b])));
    }
}
