//! Descriptions of a study for other people's catalogues, all made from one record.
//!
//! One record ([`Record`]: the identity of the study, the tool, the steps) has many projections; a test
//! compares each of them with the record, and `repro verify` does so again for every bundle. Nothing
//! here reads a disk or a clock.
//!
//! | file | convention |
//! | --- | --- |
//! | `citation` | CITATION.cff 1.2.0 |
//! | `datacite` | DataCite 4.5 JSON |
//! | `zenodo` | Zenodo deposit metadata |
//! | `codemeta` | codemeta 3.0, of the tool |
//! | `datapackage`, `table_schema` | Frictionless Data Package v2 |
//! | `croissant` | Croissant 1.0 |
//! | `rocrate` | RO-Crate 1.1 with Process Run Crate 0.5, or RO-Crate 1.2 |
//! | `dataset` | schema.org/Dataset JSON-LD, also for the landing page |
//! | `cyclonedx` | CycloneDX 1.6, of the tool |
//! | `attestation` | in-toto Statement v1 |
//! | `prose` | README, licence note, preview of the crate |

mod agreement;
mod attestation;
mod citation;
mod codemeta;
mod croissant;
mod csv;
mod cyclonedx;
mod datacite;
mod datapackage;
mod dataset;
mod day;
mod deposit;
mod description;
mod descriptions;
mod html;
mod prose;
mod rocrate;
mod table_schema;
mod zenodo;

pub use agreement::{COMPARED, disagreements};
pub use attestation::attestation;
pub use citation::citation_cff;
pub use codemeta::codemeta;
pub use croissant::croissant;
pub use csv::{csv_field, read_csv};
pub use cyclonedx::cyclonedx;
pub use datacite::datacite;
pub use datapackage::datapackage;
pub use dataset::{Distribution, dataset_jsonld, script_safe};
pub use day::{Civil, epoch_of};
pub use deposit::{ArchiveFacts, CrateVersion, Deposit, FileFact, Record, Step, json_text, media_type};
pub use description::{is_doi, is_orcid, moment_of, plain_name, shortcomings};
pub use descriptions::{DESCRIPTIONS, descriptions};
pub use prose::{licence_note, preview, readme};
pub use rocrate::rocrate;
pub use table_schema::{Column, ColumnType, TableFact};
pub use zenodo::zenodo;
