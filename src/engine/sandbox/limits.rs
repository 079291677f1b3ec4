//! The resource limits.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Bytes of stack that a worker asks for. Deep recursion must end in Python's own recursion limit
/// and not in a crash; the kernel keeps this much free below the main stack on every system.
const STACK: u64 = 100 << 20;

/// Raises the stack limit of this process as far as allowed.
pub(in crate::engine) fn raise_stack() {
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_STACK) {
        // A lower hard limit is no reason to stop: recursion then ends earlier, as a crash.
        let _ = setrlimit(Resource::RLIMIT_STACK, STACK.min(hard), hard);
    }
}

/// Descriptors of a worker.
pub(in crate::engine) const DESCRIPTORS: u64 = 64;

/// Limits that hold for a worker and everything it forks: no core file, no file growth, few
/// descriptors. True when all are in force.
pub(in crate::engine) fn limit_worker() -> bool {
    [(Resource::RLIMIT_CORE, 0), (Resource::RLIMIT_FSIZE, 0), (Resource::RLIMIT_NOFILE, DESCRIPTORS)]
        .into_iter()
        .all(|(resource, bound)| setrlimit(resource, bound, bound).is_ok())
}

/// No further process of this user.
#[cfg(target_os = "linux")]
fn no_further_process() -> bool {
    setrlimit(Resource::RLIMIT_NPROC, 0, 0).is_ok()
}

/// Other systems count processes in ways of their own: a program may start others there, as the README
/// says.
#[cfg(not(target_os = "linux"))]
const fn no_further_process() -> bool {
    true
}

/// Limits of one program: processor time (the hard limit a second later, for a program that
/// ignores the first signal), address space, no further process.
pub(in crate::engine) fn limit_child(cpu_seconds: u32, memory_bytes: u64) -> bool {
    let cpu = u64::from(cpu_seconds.max(1));
    setrlimit(Resource::RLIMIT_CPU, cpu, cpu + 1).is_ok()
        && setrlimit(Resource::RLIMIT_AS, memory_bytes, memory_bytes).is_ok()
        && no_further_process()
}
