//! What a study declares about itself: identity, problem sets, experiments, configurations, rules.
//!
//! A declaration comes from a `study.toml` or from a built-in profile when the folder has a known
//! upstream layout. Nothing here looks at a record; what is declared and what is archived are
//! compared later (level L0). A new study needs a `study.toml` and no code; the profile
//! of a known upstream layout comes with a pack.

mod analysis;
mod check;
mod check_parts;
mod choices;
mod comparison;
mod declaration;
mod doi;
mod file;
mod init;
mod judge;
mod labels;
mod layout;
mod licence;
mod manifest;
mod mistakes;
mod profile;
mod questions;
mod recognise;

pub use analysis::Analysis;
pub use check::Objection;
pub use choices::{Choices, LeftOut, NAMES as CHOICES};
pub use comparison::{Arm, Comparison, Matching, Reduce, Strata, Unit};
pub use declaration::{
    Adapter, Author, ChoiceLayout, Claims, Configuration, Experiment, Grading, Identity, ProblemSet, Published, Study,
    TranscriptKind, Transcripts,
};
pub use doi::doi;
pub use file::StudyFile;
pub use init::{blank, init};
pub use judge::{Estimator, EstimatorKind, Judge};
pub use labels::{Given, Labels, family, is_original, kind, label};
pub use layout::FilePart;
pub use licence::{is_listed_licence, licence_text, own_licences};
pub use questions::Twins;
pub use recognise::{MANIFEST, Origin, Recognised, StudyError, load, recognise};
