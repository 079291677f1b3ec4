//! Descriptions of a study for other people's catalogues, all made from one record.

mod csv;
mod day;
mod description;

pub use csv::{csv_field, read_csv};
pub use day::{Civil, epoch_of};
pub use description::{is_doi, is_orcid, plain_name, shortcomings};
