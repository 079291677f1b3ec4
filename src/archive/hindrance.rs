//! Why an answer was not graded, as its runner recorded it.

/// What stood in the way of grading an answer, as far as the one who ran it recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hindrance {
    /// The time given to a program ran out.
    Time,
    /// What a program printed could not be read back by its runner.
    Channel,
    /// Something about the answer itself.
    Answer,
}

impl Hindrance {
    /// All of them; their places are how readings remember them.
    pub(super) const ALL: [Self; 3] = [Self::Time, Self::Channel, Self::Answer];

    /// Words with which runners record that it was not the answer, in lower case.
    const WORDS: [(&'static str, Self); 3] =
        [("timeout", Self::Time), ("timed out", Self::Time), ("unparseable", Self::Channel)];

    /// Read off a stored reason, once, when its file is read.
    pub fn recorded(reason: &str) -> Self {
        let reason = reason.to_lowercase();
        let known = Self::WORDS.iter().find(|(words, _)| reason.contains(words));
        known.map_or(Self::Answer, |(_, hindrance)| *hindrance)
    }
}
