//! Benchmarks: ratios in one run, printed, never asserted. `cargo bench` runs them.

mod engine;

fn main() {
    engine::run();
}
