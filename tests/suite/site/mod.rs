//! The site as a whole: rendered from small hostile studies and from the real archive.

mod hostile;
mod loaded;
mod pages;
mod real;

pub(crate) use loaded::Loaded;
