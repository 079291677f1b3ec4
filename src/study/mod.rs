//! What a study declares about itself: identity, problem sets, experiments, configurations, rules.
//!
//! A declaration comes from a `study.toml` or from a built-in profile when the folder has a known
//! upstream layout. Nothing here looks at a record; what is declared and what is archived are
//! compared later (level L0).

mod declaration;

pub use declaration::{
    Analysis, Author, ChoiceLayout, Claims, Configuration, Experiment, Grading, Identity, ProblemSet, Protocol,
    Published, SetKind, Setting, Study, Transcripts,
};
