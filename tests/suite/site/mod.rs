//! The site as a whole: rendered from small hostile studies and from the real archive.

mod boards;
mod chains;
mod documents;
pub(crate) mod hostile;
mod loaded;
mod numbers;
pub(crate) mod odd;
mod one_thing;
mod pages;
mod real;
mod sentences;
mod walk;

pub(crate) use loaded::Loaded;

/// Text as pages escape it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
