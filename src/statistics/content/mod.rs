//! What was asked and what was archived, in numbers.

mod archive_census;
mod corpus_answers;
mod corpus_count;
mod corpus_reexecution;
mod graded_quantities;

pub(super) use archive_census::ArchiveCensus;
pub(super) use corpus_answers::CorpusAnswers;
pub(super) use corpus_count::CorpusCount;
pub(super) use corpus_reexecution::CorpusReexecution;
pub(super) use graded_quantities::GradedQuantities;
