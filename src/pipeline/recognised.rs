//! From a source to its declaration: a `study.toml`, a built-in one, or what the formats read off its files.

use super::ReadError;
use crate::formats::{Listing, Recognition};
use crate::packs;
use crate::study::{Study, StudyError};
use crate::world::Source;

/// A declaration, and what was assumed for it when there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// The study.
    pub study: Study,
    /// One sentence per thing that was assumed; empty for a study that declares itself.
    pub assumed: Vec<String>,
}

/// Kinds of files that are named as not read.
const TOLD: usize = 3;

/// Recognises a source: its `study.toml` decides, then the built-in declarations, then the formats, when one stands out.
///
/// # Errors
/// When nothing fits, or several things do; the message names what comes nearest and what it lacks.
pub fn recognise(source: &dyn Source) -> Result<Declaration, ReadError> {
    let (name, looked_for, hint) = match packs::recognise(source) {
        Ok(known) => return Ok(Declaration { study: known.study, assumed: Vec::new() }),
        Err(StudyError::Unknown { name, looked_for, hint }) => (name, looked_for, hint),
        Err(error) => return Err(error.into()),
    };
    let listing = Listing::new(source).map_err(|error| ReadError::Io { path: name.clone(), error })?;
    match packs::formats().assumed(&listing) {
        Ok(declared) => Ok(Declaration { study: declared.study, assumed: declared.assumed }),
        Err(recognition) => {
            let hint = match &recognition {
                Recognition::None(near) if near.is_empty() => hint,
                Recognition::None(_) => {
                    "Map its members with `columns` in a study.toml; `repro init --skeleton DIR` writes one to fill in."
                        .to_owned()
                }
                _ => "Run `repro init DIR` and keep the format that is meant.".to_owned(),
            };
            let mut looked_for = format!("{looked_for}{}", recognition.explain(packs::formats()));
            for finding in listing.unreadable().iter().take(5) {
                looked_for.push_str(&format!("  {}: {}\n", finding.place, finding.message));
            }
            let strangers = crate::formats::strangers(&listing);
            for (path, more, says) in strangers.iter().take(TOLD) {
                let more = if *more > 0 { format!(" (and {more} more)") } else { String::new() };
                looked_for.push_str(&format!("  {path}{more}: {says}\n"));
            }
            Err(StudyError::Unknown { name, looked_for, hint }.into())
        }
    }
}
