//! A missing layer refuses the run unless its level is accepted by name.

use repro::engine::{self, EngineChoice, EngineError, Layer, Layers, Limits, Program, SandboxLevel};
use repro::world::Silent;

use super::options;

#[test]
fn a_weaker_sandbox_is_refused_until_it_is_accepted_by_name() {
    for (layers, level) in [
        (vec![Layer::Files], SandboxLevel::NoLandlock),
        (vec![Layer::Syscalls], SandboxLevel::NoSeccomp),
        (vec![Layer::Files, Layer::Syscalls], SandboxLevel::LimitsOnly),
    ] {
        let mut options = options(1);
        options.without = Layers::new(layers.clone());
        let Err(error) = engine::open(&EngineChoice::Embedded, &options) else {
            panic!("{level} was accepted unasked")
        };
        assert!(error.to_string().contains(&format!("--sandbox {level}")), "{error}");
        assert!(matches!(error, EngineError::Sandbox { found, .. } if found == level));
        options.accepted = level;
        let engine = engine::open(&EngineChoice::Embedded, &options).unwrap();
        assert_eq!(engine.identity().level, level);
        assert!(layers.iter().all(|&layer| !engine.identity().layers.has(layer)));
        let outcome = engine.run(&[Program::new("def solve(): return {'1': 42}")], &Limits::default(), &Silent);
        assert!(outcome.unwrap()[0].status.is_ok());
    }
}

#[test]
fn full_isolation_names_all_its_layers() {
    let engine = super::embedded(1);
    let identity = engine.identity();
    assert_eq!(identity.level, SandboxLevel::Full);
    assert_eq!(identity.layers.names(), "process,environment,descriptors,limits,files,syscalls,no-host");
    assert_eq!(identity.float_sum, "compensated");
}

#[test]
fn a_worker_that_is_no_worker_is_an_error_with_its_path() {
    let mut options = options(1);
    options.worker = "/bin/false".into();
    let Err(error) = engine::open(&EngineChoice::Embedded, &options) else { panic!("opened") };
    assert!(matches!(error, EngineError::Start { .. }), "{error}");
    assert!(error.to_string().contains("/bin/false"));
}
