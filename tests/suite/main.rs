//! All integration tests in one binary; one module per topic.

mod grading;
mod shared;
