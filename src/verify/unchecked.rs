//! Why something could not be checked: the one list of reasons that levels count.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::replay::NotReplayable;
use super::rows::Cause;
use crate::archive::Lack;

macro_rules! reasons {
    ($($variant:ident $words:literal $nature:ident $meaning:literal)*) => {
        /// Why something could not be checked.
        #[derive(Debug, Clone)]
        pub enum Unchecked {
            $(#[doc = $meaning] $variant,)*
            /// It was executed, and how that ended decides nothing about the record.
            Ended(Cause),
            /// The reader of a file misses this to count a number or to derive a verdict again.
            Missing(Arc<str>),
            /// What a stage after verification lacks, in its words.
            Later(&'static str),
        }

        impl Unchecked {
            /// The reasons that hold no data, in the order of the list.
            pub const LISTED: &'static [Self] = &[$(Self::$variant,)*];

            /// The reason as it is counted and shown.
            pub fn words(&self) -> &str {
                match self {
                    $(Self::$variant => $words,)*
                    Self::Ended(cause) => cause.as_str(),
                    Self::Missing(what) => what,
                    Self::Later(what) => what,
                }
            }

            /// The reason in words for readers: what is written with hyphens in files has none.
            pub fn said(&self) -> String {
                match self {
                    Self::Ended(cause) => cause.as_str().replace('-', " "),
                    reason => reason.words().to_owned(),
                }
            }

            /// Who could have prevented it.
            pub const fn nature(&self) -> Nature {
                match self {
                    $(Self::$variant => Nature::$nature,)*
                    // What was executed is no missing evidence, whatever came of it; its record says what.
                    Self::Ended(_) => Nature::Inherent,
                    Self::Missing(_) | Self::Later(_) => Nature::Archive,
                }
            }
        }
    };
}

/// Who could have prevented that something is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Nobody: no archive could hold what the record lacks.
    Inherent,
    /// The authors: it could have been archived.
    Archive,
    /// The reader: it was not asked for, or there was nothing to execute it with.
    Run,
}

reasons! {
    NoEngine "programs were not executed" Run
        "There was nothing to execute programs with, or nobody asked for it."
    NoSet "problem set not archived" Archive
        "The questions are not in the archive."
    NoRun "run not archived" Archive
        "An expected run is absent."
    // Reference programs.
    NoAnswers "no accepted values to reproduce" Inherent
        "The problem states no answer that a program could give."
    NoProgram "no program stored" Archive
        "The problem has answers and no reference program."
    NoReference "no reference program stored" Archive
        "The problem has tests and no reference program."
    NoShortcutValues "no shortcut values stored" Archive
        "A shortcut program has no values beside it."
    NoShortcutProgram "no shortcut program stored" Archive
        "A shortcut has values and no program."
    NotParsed "the program cannot be parsed" Inherent
        "The text is no program."
    NotRunning "the program does not run" Inherent
        "The program ends with an error, which another level tells."
    NoInputs "the program has no inputs" Inherent
        "The program has no input that could be changed."
    // Replay.
    NoTexts "no response text archived" Archive
        "No response text is archived."
    NoAnswer "no answer came back" Inherent
        "An infrastructure error or an answer that never came."
    NoExperiment "experiment not declared" Archive
        "The run belongs to an experiment that the study does not declare."
    NoProblem "problem unknown" Archive
        "The set does not hold the problem."
    NoChecks "no tests and no accepted answer are archived" Inherent
        "The archive holds neither tests nor accepted answers of the problem, so nothing can be compared."
    OtherLanguage "its tests are no Python" Inherent
        "The test code cannot be parsed as Python: it is of another language, and no program runs it here."
    OtherForm "what the problem accepts is no number, and no grader of texts is declared" Inherent
        "The rule compares numbers and the accepted answers are none. `grader = \"exact\"` of a set compares them as texts."
    NoKey "no rule: the right option is not stored" Archive
        "An option was picked and the right one is not stored."
    NoLetter "the text says no option letter" Inherent
        "An option was picked and the text does not say which."
    NoOutcome "no outcome recorded" Archive
        "The archive does not say how the attempt ended."
    NoVerdict "no verdict recorded" Inherent
        "The record says neither passed nor failed."
    // Grading again.
    Infrastructure "an error of the infrastructure" Inherent
        "The record ended with an error of the infrastructure."
    Ungradable "the answer could not be read" Inherent
        "An answer came and could not be read."
    JudgedWhole "judged as a whole, without values" Inherent
        "The judge looked at a program, not at values."
    VerdictOnly "only the verdict is archived" Archive
        "The record holds no answer."
    Borrowed "the stored values are not the run's own" Archive
        "The stored values are those of a shortcut program."
    Option "an option was picked, so there is no value" Inherent
        "Picking an option leaves nothing to grade again."
    UnitAbsent "the unit of the answer was not archived" Archive
        "A mark that was given for a unit cannot be given again without it."
    NoRule "its judge is no rule over texts" Inherent
        "The judge is a model or code, or follows rules that are not known here."
    // Stored numbers.
    SummaryRecords "a stored number whose records are not archived" Archive
        "A file states a number about records that are not archived."
    SummarySamples "a stored number of more samples than are archived" Archive
        "A file states a number of more samples than the archive holds."
    SummaryVerdicts "a stored number whose records have no verdicts" Archive
        "A file states a number about records without verdicts."
}

impl From<NotReplayable> for Unchecked {
    fn from(reason: NotReplayable) -> Self {
        match reason {
            NotReplayable::NoTexts => Self::NoTexts,
            NotReplayable::NoAnswer => Self::NoAnswer,
            NotReplayable::NoExperiment => Self::NoExperiment,
            NotReplayable::NoSet => Self::NoSet,
            NotReplayable::NoProblem => Self::NoProblem,
            NotReplayable::NoRule => Self::NoChecks,
            NotReplayable::OtherForm => Self::OtherForm,
            NotReplayable::OtherLanguage => Self::OtherLanguage,
            NotReplayable::NoKey => Self::NoKey,
            NotReplayable::NoLetter => Self::NoLetter,
        }
    }
}

impl From<&Lack> for Unchecked {
    fn from(lack: &Lack) -> Self {
        match lack {
            Lack::Text(what) => Self::Missing(Arc::clone(what)),
            Lack::Rule(_) => Self::NoRule,
        }
    }
}

// One reason is one line wherever it is counted, so reasons are equal when their words are.
impl PartialEq for Unchecked {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Unchecked {}

impl PartialOrd for Unchecked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Unchecked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words().cmp(other.words())
    }
}

impl Serialize for Unchecked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_words_of_its_own() {
        let mut words: Vec<&str> = Unchecked::LISTED.iter().map(Unchecked::words).collect();
        words.extend(Cause::ALL.iter().map(|cause| cause.as_str()));
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
    }

    #[test]
    fn missing_evidence_is_what_an_archive_could_have_held() {
        // An option, an error or a program that ran are no gap of an archive; an absent text is one.
        for inherent in [Unchecked::Option, Unchecked::Infrastructure, Unchecked::Ended(Cause::Timeout)] {
            assert_eq!(inherent.nature(), Nature::Inherent);
        }
        for archive in [Unchecked::NoTexts, Unchecked::VerdictOnly, Unchecked::Missing("the target".into())] {
            assert_eq!(archive.nature(), Nature::Archive);
        }
        assert_eq!(Unchecked::NoEngine.nature(), Nature::Run);
    }
}
