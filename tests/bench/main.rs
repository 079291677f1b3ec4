//! Benchmarks: ratios in one run, printed, never asserted. `cargo bench` runs them.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads data and prints ratios")]

mod engine;
mod site;

fn main() {
    // `cargo bench -- site` measures one of them.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    if is_wanted("engine") {
        engine::run();
    }
    if is_wanted("site") {
        site::run();
    }
}
