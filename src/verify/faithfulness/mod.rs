//! The faithfulness audit (level L4): does a solver compute its answer from its inputs?
//!
//! Rule `faithfulness-audit` of the study, and the hard-coded answers of the fabrication audit. Flags
//! are reasons to look, not defects: the study's authors adjudicated theirs by hand.

mod audit;
mod explained;
mod perturb;

pub use audit::{Audit, Invariant, Subject, Unexplained, audit};
pub use explained::{PHYSICAL_CONSTANTS, UNIT_FACTORS, is_explained};
pub use perturb::{Movement, ParameterAudit};
