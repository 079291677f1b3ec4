//! Benchmarks: ratios in one run, printed, never asserted. `cargo bench` runs them.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads data and prints ratios")]

mod engine;

fn main() {
    engine::run();
}
