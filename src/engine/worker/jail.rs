//! Layers that a worker puts around itself before it knows any program.

use std::path::PathBuf;

use crate::engine::sandbox::{Layer, Layers, limit_worker, restrict_files};
use crate::engine::system;

/// What a worker got out of the system.
pub(super) fn enter(without: &Layers, readable: &[PathBuf]) -> Layers {
    let wanted = |layer: Layer| !without.has(layer);
    // The supervisor gave this process its own group, a cleared environment, an empty directory and
    // one descriptor; a worker that cannot die with its parent does not claim the layer.
    let mut layers = vec![Layer::Environment, Layer::Descriptors];
    if system::die_with_parent().is_ok() {
        layers.push(Layer::Process);
    }
    let privileges = system::no_new_privileges().is_ok();
    if limit_worker() {
        layers.push(Layer::Limits);
    }
    if privileges && wanted(Layer::Files) && restrict_files(readable) {
        layers.push(Layer::Files);
    }
    Layers::new(layers)
}
