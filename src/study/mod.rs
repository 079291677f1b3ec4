//! What a study declares about itself: identity, problem sets, experiments, configurations, rules.
//!
//! A declaration comes from a `study.toml` or from a built-in profile when the folder has a known
//! upstream layout. Nothing here looks at a record; what is declared and what is archived are
//! compared later (level L0). A new study needs a `study.toml` and no code; the profile
//! of a known upstream layout comes with a pack.

mod check;
mod declaration;
mod file;
mod init;
mod judge;
mod layout;
mod manifest;
mod profile;
mod recognise;

pub use check::Objection;
pub use declaration::{
    Adapter, Analysis, AnswerSpace, Author, Band, Category, ChoiceLayout, Claims, Configuration, Experiment, Grading,
    Identity, ProblemSet, Protocol, Published, SetKind, Setting, Study, TranscriptKind, Transcripts,
};
pub use file::StudyFile;
pub use init::{blank, init};
pub use judge::{Estimator, EstimatorKind, Judge};
pub use layout::FilePart;
pub use recognise::{MANIFEST, Origin, Recognised, StudyError, load, recognise};
