//! Pages of this study.

mod correction;
mod corrections;
mod defect;
mod defects;
mod gate;
mod links;
mod versions;

use crate::site::Page;

/// Pages, in the order of the navigation.
pub(super) const ALL: &[&dyn Page] = &[
    &corrections::Corrections,
    &correction::Correction,
    &versions::Versions,
    &defects::Defects,
    &defect::DefectPage,
    &gate::Gate,
];
