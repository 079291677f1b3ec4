//! Byte-pair encoding of one piece of text, as far as counting needs it.
//!
//! A piece begins as its bytes. Of all neighbouring parts that together are a token, those whose token has the lowest
//! rank are joined, the leftmost first, until no two neighbours are a token. The library that brings the vocabulary
//! encodes too, but walks a piece with a backtracking pattern first, and a megabyte of blanks, which a model may well
//! write, is more than that can bear. Here work grows with the length of a piece times its logarithm.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tiktoken_rs::CoreBPE;

/// Tokens with their ranks.
pub(super) struct Vocabulary {
    ranks: BTreeMap<Vec<u8>, u32>,
    longest: usize,
}

impl Vocabulary {
    /// The tokens of a library's encoder with ranks below a bound; tokens that stand for no text lie above it.
    pub(super) fn of(encoder: &CoreBPE, bound: u32) -> Self {
        let token = |rank: u32| encoder.decode_bytes(&[rank]).ok().map(|bytes| (bytes, rank));
        let ranks: BTreeMap<Vec<u8>, u32> = (0..bound).filter_map(token).collect();
        let longest = ranks.keys().map(Vec::len).max().unwrap_or(0);
        Self { ranks, longest }
    }

    /// Number of tokens of a piece.
    pub(super) fn count(&self, piece: &[u8]) -> usize {
        if self.ranks.contains_key(piece) {
            return 1;
        }
        let mut parts = Parts::new(piece.len());
        let mut joins = BinaryHeap::new();
        let offer = |joins: &mut BinaryHeap<_>, start: usize, end: usize| {
            if end - start <= self.longest
                && let Some(&rank) = self.ranks.get(&piece[start..end])
            {
                joins.push(Reverse((rank, start, end)));
            }
        };
        (0..piece.len().saturating_sub(1)).for_each(|start| offer(&mut joins, start, start + 2));
        while let Some(Reverse((_, start, end))) = joins.pop() {
            // A join whose parts have grown since it was offered is none any more.
            if !parts.join(start, end) {
                continue;
            }
            if let Some(further) = parts.end_of(end) {
                offer(&mut joins, start, further);
            }
            if let Some(before) = parts.before(start) {
                offer(&mut joins, before, end);
            }
        }
        parts.count
    }
}

/// The parts of a piece: where each ends and where the one before it begins, by where it begins.
struct Parts {
    ends: Vec<usize>,
    befores: Vec<Option<usize>>,
    count: usize,
}

impl Parts {
    fn new(bytes: usize) -> Self {
        let befores = (0..bytes).map(|start| start.checked_sub(1)).collect();
        Self { ends: (1..=bytes).collect(), befores, count: bytes }
    }

    /// End of the part that begins at an offset; `None` at the end of the piece. No part begins inside another one:
    /// of a part that was joined to the one before it the end is 0.
    fn end_of(&self, start: usize) -> Option<usize> {
        self.ends.get(start).copied()
    }

    fn before(&self, start: usize) -> Option<usize> {
        self.befores[start]
    }

    /// Joins the part at `start` with the next one, if the two are what lies between the offsets.
    fn join(&mut self, start: usize, end: usize) -> bool {
        let middle = self.ends[start];
        if middle == 0 || self.end_of(middle) != Some(end) {
            return false;
        }
        self.ends[start] = end;
        self.ends[middle] = 0;
        if let Some(before) = self.befores.get_mut(end) {
            *before = Some(start);
        }
        self.count -= 1;
        true
    }
}
