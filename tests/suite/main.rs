//! The one integration binary: the real tool over small studies, and rules about the code itself.

#![allow(clippy::unwrap_used, reason = "a test stops where its input is not what it must be")]

mod architecture;
mod archive;
mod bundle;
mod claims;
mod grade_properties;
mod grading;
mod opened;
mod published;
mod reading;
mod robustness;
mod robustness_reference;
mod sandbox;
mod shared;
mod site;
mod synthetic;
mod verifying;
