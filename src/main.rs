//! The binary: parses arguments, runs a command, turns its answer into an exit code.
fn main() {}
