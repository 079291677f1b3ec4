//! The site as a whole: rendered from small hostile studies and from the real archive.

mod documents;
pub(crate) mod hostile;
mod loaded;
pub(crate) mod odd;
mod pages;
mod real;

pub(crate) use loaded::Loaded;
