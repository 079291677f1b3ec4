//! The one file with unsafe code: the system calls that no safe wrapper here offers.
//!
//! Safety in general: every call below either passes only integers, or pointers to memory that
//! outlives the call and whose length is passed with it. `fork` is safe here because only the
//! workers call it, and a worker is single-threaded by construction: it is started for this purpose
//! (`worker::entry` runs before anything that could start a thread), so the child inherits no lock
//! held by a thread that no longer exists.

#![allow(unsafe_code, reason = "the only file of the crate that may; each use has its argument")]

use std::fs::File;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::libc;

/// The two sides of a fork.
pub(super) enum Forked {
    Parent { child: i32 },
    Child,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Exited(i32),
    Signalled(i32),
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Fills `buffer` from the kernel's generator. Used only for secrets of the result channel, which
/// never reach an output.
#[cfg(not(target_os = "linux"))]
pub(super) fn fill_random(buffer: &mut [u8]) -> io::Result<()> {
    io::Read::read_exact(&mut File::open("/dev/urandom")?, buffer)
}

/// Fills `buffer` from the kernel's generator. Used only for secrets of the result channel, which
/// never reach an output.
#[cfg(target_os = "linux")]
pub(super) fn fill_random(buffer: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while filled < buffer.len() {
        let rest = &mut buffer[filled..];
        // SAFETY: `rest` is valid for writes of its own length.
        let got = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
        match usize::try_from(got) {
            Ok(got) => filled += got,
            Err(_) => return Err(io::Error::last_os_error()),
        }
    }
    Ok(())
}

/// Forks this single-threaded process.
pub(super) fn fork() -> io::Result<Forked> {
    // SAFETY: see the head of the file: the caller is single-threaded.
    match checked(unsafe { libc::fork() })? {
        0 => Ok(Forked::Child),
        child => Ok(Forked::Parent { child }),
    }
}

/// Ends the process at once: no destructors, no exit handlers, no flushing.
pub(super) fn exit_now(code: i32) -> ! {
    // SAFETY: takes an integer and does not return.
    unsafe { libc::_exit(code) }
}

/// What only Linux has; a caller claims the layer only when it got it.
#[cfg(not(target_os = "linux"))]
fn unsupported() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Asks for SIGKILL when the process that started this one ends.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent() -> io::Result<()> {
    unsupported()
}

/// Gives up, for this process and its children, all privileges that programs could gain by executing files.
#[cfg(not(target_os = "linux"))]
pub(super) fn no_new_privileges() -> io::Result<()> {
    unsupported()
}

/// Asks for SIGKILL when the process that started this one ends.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() -> io::Result<()> {
    // SAFETY: integers only.
    checked(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) }).map(drop)
}

/// Gives up, for this process and its children, all privileges that programs could gain by executing files.
#[cfg(target_os = "linux")]
pub(super) fn no_new_privileges() -> io::Result<()> {
    // SAFETY: integers only.
    checked(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }).map(drop)
}

/// Makes `target` refer to what `source` refers to.
pub(super) fn redirect(source: BorrowedFd<'_>, target: i32) -> io::Result<()> {
    // SAFETY: integers only; the target numbers are owned by nobody in a fresh child.
    checked(unsafe { libc::dup2(source.as_raw_fd(), target) }).map(drop)
}

/// Closes all descriptors from `first` on: a worker may have no number beyond those that its limit allows.
#[cfg(not(target_os = "linux"))]
pub(super) fn close_from(first: u32) -> io::Result<()> {
    for number in first..super::sandbox::DESCRIPTORS as u32 {
        // SAFETY: integers only; called in a child that uses no owned descriptor from there on. A number that is
        // not open is no error.
        unsafe { libc::close(number.cast_signed()) };
    }
    Ok(())
}

/// Closes all descriptors from `first` on.
#[cfg(target_os = "linux")]
pub(super) fn close_from(first: u32) -> io::Result<()> {
    // SAFETY: integers only; called in a child that uses no owned descriptor from there on.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes over descriptor `number` of a fresh child.
pub(super) fn adopt(number: i32) -> File {
    // SAFETY: called once for a number that was just redirected and that nothing else owns.
    unsafe { File::from_raw_fd(number) }
}

/// Sends SIGALRM to this process after `seconds`, whatever it does by then.
pub(super) fn alarm(seconds: u32) {
    // SAFETY: integers only.
    unsafe { libc::alarm(seconds) };
}

/// Waits until `child` has ended but leaves it as a zombie, so that its number is not given away.
pub(super) fn wait_without_reaping(child: i32) -> io::Result<Ended> {
    loop {
        // SAFETY: an all-zero siginfo is valid, and the kernel writes within it.
        let mut info: libc::siginfo_t = unsafe { mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOWAIT;
        // SAFETY: `info` is valid for writes during the call.
        let result = unsafe { libc::waitid(libc::P_PID, child.cast_unsigned(), &raw mut info, flags) };
        if result == 0 {
            // SAFETY: after success the kernel has filled the child fields.
            let status = unsafe { info.si_status() };
            let exited = info.si_code == libc::CLD_EXITED;
            return Ok(if exited { Ended::Exited(status) } else { Ended::Signalled(status) });
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Reaps a child that has ended.
pub(super) fn reap(child: i32) {
    // SAFETY: a null status pointer is allowed.
    unsafe { libc::waitpid(child, ptr::null_mut(), 0) };
}

/// Kills a child and its process group.
pub(super) fn kill_group(child: i32) {
    if child > 1 {
        // SAFETY: integers only; `child` is a child of a worker of ours and is not yet reaped.
        unsafe {
            libc::kill(-child, libc::SIGKILL);
            libc::kill(child, libc::SIGKILL);
        }
    }
}

/// No signal when the other side is gone. Where there is no such flag, the runtime ignores that signal.
#[cfg(target_os = "linux")]
const QUIETLY: libc::c_int = libc::MSG_NOSIGNAL;
#[cfg(not(target_os = "linux"))]
const QUIETLY: libc::c_int = 0;

const DESCRIPTORS: usize = 3;
const ANCILLARY: usize = 64;

#[repr(align(8))]
struct Ancillary([u8; ANCILLARY]);

/// Sends one byte together with three descriptors.
pub(super) fn send_descriptors(socket: BorrowedFd<'_>, byte: u8, fds: [BorrowedFd<'_>; DESCRIPTORS]) -> io::Result<()> {
    let mut data = [byte];
    let mut ancillary = Ancillary([0; ANCILLARY]);
    let mut part = libc::iovec { iov_base: data.as_mut_ptr().cast(), iov_len: 1 };
    let numbers = fds.map(|fd| fd.as_raw_fd());
    // SAFETY: all pointers are to locals that outlive the call; CMSG_SPACE of twelve bytes is 32 and
    // fits the aligned buffer, so the header and its data lie within it.
    let sent = unsafe {
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = ancillary.0.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(mem::size_of_val(&numbers) as u32) as _;
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(mem::size_of_val(&numbers) as u32) as _;
        ptr::copy_nonoverlapping(numbers.as_ptr().cast(), libc::CMSG_DATA(header), mem::size_of_val(&numbers));
        libc::sendmsg(socket.as_raw_fd(), &raw const message, QUIETLY)
    };
    if sent == 1 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Receives one byte and three descriptors; `None` at the end of the stream.
pub(super) fn receive_descriptors(socket: BorrowedFd<'_>) -> io::Result<Option<[OwnedFd; DESCRIPTORS]>> {
    let mut data = [0u8];
    let mut ancillary = Ancillary([0; ANCILLARY]);
    let mut part = libc::iovec { iov_base: data.as_mut_ptr().cast(), iov_len: 1 };
    let mut numbers = [0i32; DESCRIPTORS];
    // SAFETY: all pointers are to locals that outlive the call and their lengths are passed; the
    // header is read only where the kernel says that one exists with room for three numbers.
    unsafe {
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = ancillary.0.as_mut_ptr().cast();
        message.msg_controllen = ANCILLARY as _;
        let received = libc::recvmsg(socket.as_raw_fd(), &raw mut message, 0);
        match received {
            0 => return Ok(None),
            1 => {}
            _ => return Err(io::Error::last_os_error()),
        }
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        let wanted = libc::CMSG_LEN(mem::size_of_val(&numbers) as u32);
        if header.is_null() || (*header).cmsg_len as u64 != u64::from(wanted) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no descriptors in the message"));
        }
        ptr::copy_nonoverlapping(libc::CMSG_DATA(header), numbers.as_mut_ptr().cast(), mem::size_of_val(&numbers));
    }
    // SAFETY: the kernel has just created these numbers for this process; nothing else owns them.
    Ok(Some(numbers.map(|number| unsafe { OwnedFd::from_raw_fd(number) })))
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note_interrupt(_: libc::c_int) {
    // Only an atomic store and a reset to the default action: both are async-signal-safe. The second
    // interrupt then ends the process at once.
    INTERRUPTED.store(true, Ordering::Relaxed);
    forget_interrupts();
}

/// Turns the first interrupt and the first request to end into a flag that [`interrupted`] reads, so
/// that engines can stop between programs; a second interrupt ends the process at once.
pub fn watch_interrupts() {
    let handler = note_interrupt as extern "C" fn(libc::c_int) as *const () as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler does only what a handler may do.
        unsafe { libc::signal(signal, handler) };
    }
}

/// Gives both signals their usual effect back.
pub fn forget_interrupts() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: integers only.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// True after an interrupt that [`watch_interrupts`] caught.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
