//! Failures that remain: what was answered instead, and whether many answered the same.
//!
//! These statistics need the answers of failed records. Where only verdicts are archived they are
//! undefined and say for how many records the answers are there.

mod convergent_audit;
mod residual_cluster;
mod residual_screen;
mod seen;

pub(crate) use convergent_audit::ConvergentAudit;
pub(crate) use residual_cluster::ResidualCluster;
pub(crate) use residual_screen::ResidualScreen;
