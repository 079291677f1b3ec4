//! The one integration binary: the real tool over small studies, and rules about the code itself.

mod architecture;
mod archive;
mod bundle;
mod claims;
mod grade_properties;
mod grading;
mod opened;
mod published;
mod reading;
mod sandbox;
mod shared;
mod site;
