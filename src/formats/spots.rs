//! Places of records, kept small: there are as many as records, and most are never told.

use std::collections::BTreeMap;

use crate::report::Place;

/// A place without its texts: the file is a number, and the subject is the id that the place is kept under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    file: u32,
    has_subject: bool,
    /// Line, record and byte; [`NONE`] where the place has none.
    numbers: [u64; 3],
}

/// No number.
const NONE: u64 = u64::MAX;

/// The files that places name.
#[derive(Debug, Default)]
pub(super) struct Spots {
    names: Vec<Option<String>>,
    known: BTreeMap<Option<String>, u32>,
}

impl Spots {
    /// The small form of a place.
    pub(super) fn spot(&mut self, place: &Place) -> Spot {
        let file = match self.known.get(&place.file) {
            Some(file) => *file,
            None => {
                let file = self.names.len() as u32;
                self.names.push(place.file.clone());
                self.known.insert(place.file.clone(), file);
                file
            }
        };
        let numbers = [place.line, place.record.map(|record| record as u64), place.byte];
        Spot { file, has_subject: place.subject.is_some(), numbers: numbers.map(|number| number.unwrap_or(NONE)) }
    }

    /// The place again, kept under an id.
    pub(super) fn place(&self, spot: Spot, id: &str) -> Place {
        let [line, record, byte] = spot.numbers.map(|number| (number != NONE).then_some(number));
        Place {
            file: self.names.get(spot.file as usize).cloned().flatten(),
            subject: spot.has_subject.then(|| id.to_owned()),
            record: record.map(|record| record as usize),
            byte,
            line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_as_it_was() {
        let mut spots = Spots::default();
        let bare = Place::file("b.json");
        let full = Place::file("a.jsonl").with_line(7).with_record(0).with_byte(99).with_subject("p");
        let (first, second) = (spots.spot(&full), spots.spot(&bare));
        assert_eq!((spots.place(first, "p"), spots.place(second, "p")), (full, bare));
        assert!(size_of::<Spot>() <= 32, "as many are kept as there are records");
    }
}
