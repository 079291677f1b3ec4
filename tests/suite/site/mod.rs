//! The site as a whole: rendered from small hostile studies and from the real archive.

mod boards;
mod documents;
pub(crate) mod hostile;
mod loaded;
mod numbers;
pub(crate) mod odd;
mod one_thing;
mod pages;
mod real;
mod sentences;

pub(crate) use loaded::Loaded;
