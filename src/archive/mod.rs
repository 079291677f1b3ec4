//! What was recorded: runs, records, attempts and sub-answers, as stored and never judged here.
//!
//! Text (prompts, responses, reasoning) is too large to keep; it streams by once, next to the compact
//! [`Record`] it belongs to, and whoever needs something from it measures it then.
//!
//! The parts: `plan` finds the runs among the files, `read` goes over them in parallel, `run_file`,
//! `evaluation`, `transcript_file` and `annotation_file` know one layout each, `wire` knows the members of a
//! record, `materials` reads the files that analyses take whole, `notes` keeps what there is to say about a file,
//! `memory` remembers readings by the digest of their file.

mod again;
mod annotation;
mod annotation_file;
mod evaluation;
mod hindrance;
mod intern;
mod materials;
mod memory;
mod notes;
mod plan;
mod pull;
mod read;
mod record;
mod run_file;
mod summary;
mod transcript_file;
mod verdict;
mod wire;

pub use again::{Again, Lack, Recount};
pub use annotation::{Annotations, Excerpt, Judged, Label, Replayed, Reviewed, Scan, Trace};
pub use hindrance::Hindrance;
pub(crate) use intern::Interner;
pub use materials::{Material, Materials};
pub use memory::{Codec, Memory, PackedReader, PackedWriter, Store};
pub use read::{ArchiveError, Measure, Selection, read, read_remembering, read_selected};
pub use record::{
    Actual, Archive, Attempt, AttemptOutcome, AttemptText, Declared, Gradability, Literal, Record, Run, RunKey, State,
    SubAnswer, TextsWanted, Transcript, Usage,
};
pub use summary::{Coverage, Denominator, Scale, StoredSummary};
pub use verdict::{Status, Verdict};
