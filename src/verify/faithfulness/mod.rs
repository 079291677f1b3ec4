//! The faithfulness audit (level L4): does a program compute its answer from its inputs?
//!
//! Rule `faithfulness-audit` of the study over every stored solver, and the hard-coded answers of the
//! fabrication audit over the programs of models. Flags are reasons to look, not defects: the study's
//! authors adjudicated theirs by hand. What the rule explains without a look is data (`explained`).

mod audit;
mod explained;
mod perturb;
mod programs;
mod quoted;
mod solvers;

pub use audit::{Audit, Invariant, Subject, Unexplained, audit};
pub use explained::{PHYSICAL_CONSTANTS, UNIT_FACTORS, is_explained};
pub use perturb::{Movement, ParameterAudit};
pub use programs::{AuditedRun, GradedProgram, ProgramAudit, ProgramPlace, Quoting, programs};
pub use quoted::quoted;
pub use solvers::{SolverAudit, solvers};
