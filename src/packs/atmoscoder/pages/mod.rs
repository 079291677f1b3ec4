//! Pages of this study.

mod fabrication;
mod format;
mod protocols;
mod traps;
mod variants;

use crate::site::Page;

/// Pages, in the order of the navigation.
pub(super) const ALL: &[&dyn Page] =
    &[&format::Format, &variants::Variants, &traps::Traps, &protocols::Protocols, &fabrication::Fabrication];
