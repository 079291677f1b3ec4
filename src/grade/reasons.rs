//! The one list of reasons: why an answer is wrong, and why two lenses differ on it.
//!
//! The list feeds `repro explain` and the grading page; names are stable and never reused.

use serde::{Serialize, Serializer};

macro_rules! reasons {
    ($($variant:ident $name:literal $meaning:literal)*) => {
        /// A reason with a stable kebab-case name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $meaning] $variant,)*
        }

        impl Reason {
            /// Every reason, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it means, for pages and `repro explain`.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

reasons! {
    // Why an answer is wrong, under either lens.
    NotReturned "not-returned"
        "Nothing was returned for this sub-answer, neither under its name nor at its position."
    NotANumber "not-a-number"
        "The value is no number and no text that reads as one."
    NotFinite "not-finite"
        "The value is NaN or infinite where a finite number is expected."
    OutsideTolerance "outside-tolerance"
        "The value is further from every accepted value than the tolerance allows."
    Overflow "overflow"
        "A power or an integer leaves the range of a double; the study's own program ends there, here only this sub-answer fails."
    NoReference "no-reference"
        "No accepted value is stored with the answer, so it cannot be right."
    OtherOption "other-option"
        "The answer names another option than the key."
    OtherText "other-text"
        "The answer is another text than every accepted one."
    // Why the lenses differ.
    WrongUnitAccepted "wrong-unit-accepted"
        "The bare numbers agree, but the declared unit means another quantity or another scale (42 km for 42 m). The study compares numbers before units."
    UnitMissing "unit-missing"
        "The bare numbers agree, but no unit was declared where the accepted answer has one that is not a pure number. The strict lens cannot confirm the unit."
    UnitNotComparable "unit-not-comparable"
        "The bare numbers agree, but the two units cannot be compared: at least one of them is not understood, or they differ in upper and lower case only."
    UnitNotStated "unit-not-stated"
        "The bare numbers agree, but the accepted answer states no unit while the answer has one, so the strict lens cannot decide."
    UnitNotArchived "unit-not-archived"
        "The bare numbers agree, but the unit of the answer was not archived, so the strict lens cannot decide."
    CelsiusAsKelvin "celsius-as-kelvin"
        "Both values are in degrees Celsius and agree only because they were compared as kelvin, which widens 5 % to about 14 degrees."
    NearZeroFloor "near-zero-floor"
        "The accepted value is zero or tiny and the answer passes only because of an absolute floor (0.05 for zero, 1e-15 in the denominator)."
    EntryUsedTwice "entry-used-twice"
        "One returned entry served two sub-answers, once by its name and once by its position."
    PositionInsteadOfName "position-instead-of-name"
        "The value was taken from a position although the returned names are those of other sub-answers."
    BooleanAsNumber "boolean-as-number"
        "True or False was counted as 1 or 0."
    TextAsNumber "text-as-number"
        "A text was read as a number (the program returned a string)."
    IntegerAnswer "integer-answer"
        "The accepted answer is a count, a year or an index, and the answer is another whole number within the tolerance (1990 for 2010)."
    UnitRouteMissing "unit-route-missing"
        "The answer is right in another unit, but the study's table or its reading of units has no way to see it."
    UnitReadingDiffers "unit-reading-differs"
        "The study's reading of the units makes the values agree; read with care, the units mean something else (percent is split at per, everything right of a slash is below it)."
    LooseNumber "loose-number"
        "The accepted value or the answer is written in a form that the study's rule reads differently (for instance 1.5x3 as 1500, U+2212 as no sign, or 10^{-5} as 10)."
    ReaderArtefact "reader-artefact"
        "The number or unit in a prose answer is misread by the study's reader: a minus sign U+2212, a power of ten in braces or superscripts, a thousands group in LaTeX."
    // Programs under tests.
    AssertionFails "assertion-fails"
        "Compared outside the program's process, what a call returned does not satisfy the assertion: inside it, something the program did took part in the comparison (a replaced helper, changed builtins)."
    NotPlainData "not-plain-data"
        "What a call returned is no plain data but an object of a type of its own, which may claim to equal anything. Compared as data it equals no literal."
    CallRaises "call-raises"
        "A call of the test ends with an exception when nothing of the test code is around it."
    CallEnds "call-ends"
        "The program ends its process, or what should report its calls, before all calls of the test have returned."
    TestsEndOtherwise "tests-end-otherwise"
        "Every assertion holds on what the calls return, but the test code itself ends with an exception or a limit."
    TestsNotSplit "tests-not-split"
        "Part of the test code is no assertion on a call with literal arguments, so only running it can judge it: the reference lens decides alone."
    NotExecuted "not-executed"
        "The calls of the test could not be made in this environment, so the strict lens has nothing to compare."
    // Readers of responses.
    ExtractionArtefact "extraction-artefact"
        "The study's reader takes another block of the response than the last Python block."
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let mut names: Vec<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
