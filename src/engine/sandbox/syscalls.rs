//! The seccomp layer: an allow-list of system calls, everything else fails with EPERM.
//!
//! What is not listed does not exist for a program: sockets, process and thread creation, signals to
//! anybody, ptrace, mounting, executing, changing files. Opening is allowed for reading only, and
//! only to CPython (whose library Landlock leaves readable); the embedded interpreter opens nothing.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// A compiled filter.
pub(in crate::engine) type Filter = BpfProgram;

/// Puts a filter in force for this process and its children, for good.
pub(in crate::engine) fn apply(filter: &Filter) -> bool {
    seccompiler::apply_filter(filter).is_ok()
}

/// Which interpreter the filter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Interpreter {
    Embedded,
    CPython,
}

/// Memory, time, own descriptors, own end.
const ALWAYS: &[libc::c_long] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_sched_yield,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// What CPython's own modules ask of the system, reading only.
const CPYTHON: &[libc::c_long] = &[
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_pread64,
    libc::SYS_readv,
    libc::SYS_dup,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_sched_getaffinity,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
];

/// The old forms of the above that only this architecture has.
#[cfg(target_arch = "x86_64")]
const CPYTHON_OLD: &[libc::c_long] =
    &[libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_poll, libc::SYS_select, libc::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const CPYTHON_OLD: &[libc::c_long] = &[];

/// Compiles the filter; `None` on an architecture without one.
pub(in crate::engine) fn compile(interpreter: Interpreter) -> Option<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALWAYS.iter().map(|&call| (call, Vec::new())).collect();
    rules.extend(restricted_always()?);
    if interpreter == Interpreter::CPython {
        rules.extend(CPYTHON.iter().chain(CPYTHON_OLD).map(|&call| (call, Vec::new())));
        rules.extend(restricted_cpython()?);
    }
    let arch = std::env::consts::ARCH.try_into().ok()?;
    let refused = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    SeccompFilter::new(rules, refused, SeccompAction::Allow, arch).ok()?.try_into().ok()
}

/// The compiled filter as the kernel reads it, for a driver that installs it itself.
pub(in crate::engine) fn to_bytes(program: &BpfProgram) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for instruction in program {
        bytes.extend_from_slice(&instruction.code.to_ne_bytes());
        bytes.extend_from_slice(&[instruction.jt, instruction.jf]);
        bytes.extend_from_slice(&instruction.k.to_ne_bytes());
    }
    bytes
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok()
}

fn rule(conditions: Vec<SeccompCondition>) -> Option<SeccompRule> {
    SeccompRule::new(conditions).ok()
}

/// Signal handlers may be set, except for the two signals by which the time limits strike: a
/// program must not be able to ignore those.
fn restricted_always() -> Option<Vec<(i64, Vec<SeccompRule>)>> {
    let handlers = rule(vec![
        condition(0, SeccompCmpOp::Ne, libc::SIGALRM as u64)?,
        condition(0, SeccompCmpOp::Ne, libc::SIGXCPU as u64)?,
    ])?;
    // Limits may be read (no new value given), not changed.
    let read_limits = rule(vec![SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0).ok()?])?;
    Some(vec![(libc::SYS_rt_sigaction, vec![handlers]), (libc::SYS_prlimit64, vec![read_limits])])
}

/// Opening without any flag that writes or creates; the two harmless descriptor controls.
fn restricted_cpython() -> Option<Vec<(i64, Vec<SeccompRule>)>> {
    let writing = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64;
    // Landlock lets a path be held without reading it; nothing here needs that.
    let held = libc::O_PATH as u64;
    let temporary = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u64;
    let reading = rule(vec![condition(2, SeccompCmpOp::MaskedEq(writing | held | temporary), 0)?])?;
    let mut commands = Vec::new();
    for command in [libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_DUPFD_CLOEXEC] {
        commands.push(rule(vec![condition(1, SeccompCmpOp::Eq, command as u64)?])?);
    }
    let mut controls = Vec::new();
    for request in [libc::TCGETS, libc::FIOCLEX, libc::FIONREAD] {
        controls.push(rule(vec![condition(1, SeccompCmpOp::Eq, request)?])?);
    }
    Some(vec![(libc::SYS_openat, vec![reading]), (libc::SYS_fcntl, commands), (libc::SYS_ioctl, controls)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_filters_compile_and_nothing_that_reaches_out_is_listed() {
        let embedded = compile(Interpreter::Embedded).unwrap();
        let cpython = compile(Interpreter::CPython).unwrap();
        assert!(embedded.len() < cpython.len());
        assert_eq!(to_bytes(&cpython).len(), cpython.len() * 8);
        for call in [
            libc::SYS_clone,
            libc::SYS_clone3,
            libc::SYS_execve,
            libc::SYS_socket,
            libc::SYS_kill,
            libc::SYS_tgkill,
            libc::SYS_ptrace,
            libc::SYS_prctl,
            libc::SYS_io_uring_setup,
            libc::SYS_readlinkat,
            libc::SYS_alarm,
            libc::SYS_setitimer,
        ] {
            assert!(!ALWAYS.contains(&call) && !CPYTHON.contains(&call) && !CPYTHON_OLD.contains(&call));
        }
    }
}
