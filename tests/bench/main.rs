//! Benchmarks: ratios in one run, printed, never asserted. `cargo bench` runs them.

fn main() {
    println!("no benchmark is registered yet");
}
