//! The pages in a real browser: what scripts do, what is there without them, and how pages look on
//! paper, in the dark and on a narrow screen. Without Chromium each test is reported as ignored.

mod chromium;
mod hosting;
mod looks;
mod script;
mod sites;

pub(crate) use chromium::binary;
use chromium::{Chromium, Tab};
use sites::{attack, example, many_claims};
