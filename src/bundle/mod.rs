//! The deposit: one deterministic zip that proves itself with ordinary tools.
//!
//! A bundle is a zip with one folder `ID-VERSION/`, which is a BagIt 1.0 bag, whose payload `data/` is
//! an RO-Crate. `docs/bundle.md` describes the format for strangers. The same plan over the same input
//! with the same version gives the same bytes on any machine; another version may compress otherwise,
//! but the payload manifest stays the same.
//!
//! | file | what |
//! | --- | --- |
//! | `container/` | the zip: writing deterministically, reading with suspicion |
//! | `bag` | the text files of BagIt |
//! | `contents` | from the outputs of the stages to a plan |
//! | `plan` | which files, under which names, in which order |
//! | `write` | one pass over the input, one over the output |
//! | `compare` | what a deposit says against what follows from its study |
//! | `verify/` | container, bag and metadata, from the bytes of the zip alone |
//! | `doi` | the DOI, once it exists |
//! | `repositories` | what repositories do with a bundle |
//! | `signature/` | signatures beside a bundle, checked offline |
//! | `source` | the study inside a bundle as an input of the other stages |
//! | `swhid` | Software Heritage identifiers of files and payload |
//!
//! Deliberately absent: any network access, any unpacking to disk, any judgement of what the study says.

mod bag;
mod compare;
mod container;
mod contents;
mod doi;
mod error;
mod plan;
mod repositories;
mod signature;
mod source;
mod swhid;
mod verify;
mod write;

pub use compare::{Compared, compare};
pub use container::Limits;
pub use contents::{Archived, BuildOptions, BundleContents, build, storage_findings};
pub use doi::{doi_of, identity_of, set_doi};
pub use error::BundleError;
pub use plan::BundlePlan;
pub use repositories::{
    Adapted, Advice, Capacity, Repository, Upload, adapt, advise, advise_within, split, wrap, write_beside,
};
pub use signature::{Signature, Signatures, Status, signature_files, signatures};
pub use source::{BundleSource, digests_inside};
pub use verify::{Verification, inspect_container, verify};
pub use write::{Written, write};
