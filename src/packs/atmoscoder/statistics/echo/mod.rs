//! Echo forensics: does a wrong answer to a variant repeat the answer of its original?
//!
//! An echo is evidence of a remembered answer only where the original's answer would be wrong for the
//! variant, so each failure is classified over the subs that tell the two apart ([`pairing`],
//! [`failures`]). Everything here needs the values that a model returned; where only verdicts are
//! archived the statistics say so. Nothing here judges a model: the verdict is about problems.

mod concentration;
mod discriminative;
mod failures;
mod funnel;
mod leakage_verdict;
mod pairing;
mod strict;
mod taxonomy;

pub(crate) use concentration::EchoConcentration;
pub(crate) use discriminative::EchoDiscriminative;
pub(crate) use funnel::EchoFunnel;
pub(crate) use leakage_verdict::LeakageVerdict;
pub(crate) use strict::EchoStrict;
pub(crate) use taxonomy::EchoTaxonomy;

pub(crate) use leakage_verdict::Leakage;
