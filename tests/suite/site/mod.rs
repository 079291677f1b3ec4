//! The site as a whole: rendered from small hostile studies and from the real archive.

pub(crate) mod hostile;
mod loaded;
mod odd;
mod pages;
mod real;

pub(crate) use loaded::Loaded;
