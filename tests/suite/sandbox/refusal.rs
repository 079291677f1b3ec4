//! A missing layer refuses the run unless its level is accepted by name.

use std::collections::BTreeMap;

use nix::libc;
use repro::engine::{self, EngineChoice, EngineError, Layer, Layers, Limits, Program, SandboxLevel};
use repro::world::Silent;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::{options, python};

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

/// Makes the kernel refuse these calls to this thread and to every process that it starts.
fn without_calls(calls: &[libc::c_long]) {
    let mut rules = calls.iter().map(|&call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    if calls.contains(&libc::SYS_seccomp) {
        // The older way to the same layer.
        let set_filter = libc::PR_SET_SECCOMP as u64;
        let first = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, set_filter).unwrap();
        rules.insert(libc::SYS_prctl, vec![SeccompRule::new(vec![first]).unwrap()]);
    }
    let refused = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}

const FILTERS: &[libc::c_long] = &[libc::SYS_seccomp];
const LANDLOCK: &[libc::c_long] =
    &[libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];

/// The level that is named on a system without these calls; accepted by that name, programs run.
fn level_without(choice: &EngineChoice, calls: &[libc::c_long]) -> SandboxLevel {
    std::thread::scope(|scope| {
        let opened = scope.spawn(|| {
            without_calls(calls);
            let mut options = options(1);
            let Err(error) = engine::open(choice, &options) else { panic!("a weaker level was accepted unasked") };
            let EngineError::Sandbox { found, .. } = error else { panic!("{error}") };
            options.accepted = found;
            let engine = engine::open(choice, &options).unwrap();
            assert_eq!(engine.identity().level, found);
            let outcome = engine.run(&[Program::new("def solve(): return {'1': 42}")], &Limits::default(), &Silent);
            assert!(outcome.unwrap()[0].status.is_ok());
            found
        });
        opened.join().unwrap()
    })
}

#[test]
fn what_the_kernel_refuses_is_found_out_before_a_program_runs() {
    let mut choices = vec![EngineChoice::Embedded];
    choices.extend(python().map(EngineChoice::CPython));
    for choice in &choices {
        assert_eq!(level_without(choice, FILTERS), SandboxLevel::NoSeccomp, "{choice:?}");
        assert_eq!(level_without(choice, LANDLOCK), SandboxLevel::NoLandlock, "{choice:?}");
        assert_eq!(level_without(choice, &[FILTERS, LANDLOCK].concat()), SandboxLevel::LimitsOnly, "{choice:?}");
    }
}
