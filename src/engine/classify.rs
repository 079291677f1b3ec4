//! From what the supervisor saw to a status.

use nix::libc;

use super::frame::{Message, NONCE, Received, decode_channel};
use super::outcome::{Captured, Limit, Outcome, Status};
use super::program::Limits;
use super::system::Ended;

/// Longest text kept of an exception.
const MESSAGE: usize = 1000;

/// Everything seen of one execution.
#[derive(Debug)]
pub(super) struct Seen {
    /// All bytes of the result channel, up to a frame and a little more.
    pub(super) result: Vec<u8>,
    pub(super) stdout: Captured,
    pub(super) stderr: Captured,
    /// How the child ended; `None` when the supervisor killed it.
    pub(super) ended: Option<Ended>,
    /// True when at least the CPU limit has passed on the wall clock.
    pub(super) ran_long: bool,
}

/// Names the outcome; `Err` when the child could not put its sandbox in place.
pub(super) fn classify(seen: Seen, nonce: [u8; NONCE], limits: &Limits) -> Result<Outcome, String> {
    let by_clock = seen.ended.is_none();
    let status = match seen.ended {
        None => Ok((Status::Timeout, Vec::new())),
        Some(Ended::Signalled(signal)) => Ok((of_signal(signal, &seen), Vec::new())),
        Some(Ended::Exited(code)) => of_exit(code, &seen.result, nonce, limits),
    };
    let (status, returned) = status?;
    let outcome = Outcome::of(status);
    Ok(Outcome { returned, stdout: seen.stdout, stderr: seen.stderr, by_clock, ..outcome })
}

fn of_signal(signal: i32, seen: &Seen) -> Status {
    let limit = match signal {
        libc::SIGXCPU | libc::SIGALRM => return Status::Timeout,
        // The hard CPU limit kills; so does the kernel when the machine runs out of memory.
        libc::SIGKILL if seen.ran_long => return Status::Timeout,
        libc::SIGKILL => Limit::Memory,
        libc::SIGXFSZ => Limit::FileSize,
        // Rust's allocator reports and aborts; without the right to signal itself, an abort ends as
        // a crash. The label is a courtesy: neither outcome passes.
        _ if contains(&seen.stderr.bytes, b"memory allocation of ") => Limit::Memory,
        libc::SIGSEGV | libc::SIGABRT | libc::SIGBUS | libc::SIGILL | libc::SIGFPE | libc::SIGTRAP => Limit::Crash,
        _ => Limit::Signal,
    };
    Status::Killed { limit }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

type Named = (Status, Vec<(String, crate::json::Value)>);

fn of_exit(code: i32, result: &[u8], nonce: [u8; NONCE], limits: &Limits) -> Result<Named, String> {
    let message = match decode_channel(result, nonce, limits.frame_bytes) {
        Received::NoSandbox(layer) => return Err(layer),
        Received::Nothing => {
            let message = format!("the process ended by itself with code {code} before it had a result");
            return Ok((Status::Error { kind: "exit".to_owned(), message }, Vec::new()));
        }
        Received::Message(message) if code == 0 => message,
        Received::Message(_) | Received::Forged => return Ok((Status::Forged, Vec::new())),
    };
    let status = match message {
        Message::Returned(entries) => return Ok((Status::Ok, entries)),
        Message::Raised { kind, message } => Status::Error { kind, message: cut(message) },
        Message::NoSolve => Status::NoSolve,
        Message::NotADict(kind) => Status::NotADict { kind },
        Message::TooLarge => Status::TooLarge,
        Message::MissingModule(name) => Status::MissingModule { name: cut(name) },
        Message::OutOfMemory => Status::Killed { limit: Limit::Memory },
    };
    Ok((status, Vec::new()))
}

fn cut(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(MESSAGE) {
        text.truncate(at);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::frame::{encode_result, tag};
    use super::*;

    fn outcome(ended: Option<Ended>, result: Vec<u8>, ran_long: bool) -> Status {
        let seen = Seen { result, stdout: Captured::default(), stderr: Captured::default(), ended, ran_long };
        classify(seen, [1; NONCE], &Limits::default()).unwrap().status
    }

    #[test]
    fn every_ending_has_its_name() {
        let exited = |code| Some(Ended::Exited(code));
        let ready = encode_result([1; NONCE], tag::READY, b"");
        let frame = [ready.clone(), encode_result([1; NONCE], tag::RETURNED, b"[]")].concat();
        assert_eq!(outcome(exited(0), frame.clone(), false), Status::Ok);
        assert_eq!(outcome(exited(3), frame.clone(), false), Status::Forged);
        assert_eq!(outcome(exited(0), b"OK".to_vec(), false), Status::Forged);
        assert_eq!(outcome(exited(0), Vec::new(), false).name(), "error");
        assert_eq!(outcome(exited(0), ready, false).name(), "error");
        assert_eq!(outcome(None, frame, true), Status::Timeout);
        let struck = |signal, long| outcome(Some(Ended::Signalled(signal)), Vec::new(), long);
        assert_eq!(struck(libc::SIGXCPU, false), Status::Timeout);
        assert_eq!(struck(libc::SIGKILL, true), Status::Timeout);
        assert_eq!(struck(libc::SIGKILL, false), Status::Killed { limit: Limit::Memory });
        assert_eq!(struck(libc::SIGSEGV, false), Status::Killed { limit: Limit::Crash });
        assert_eq!(struck(libc::SIGUSR1, false), Status::Killed { limit: Limit::Signal });
    }

    #[test]
    fn a_child_without_its_sandbox_is_not_an_outcome() {
        let seen = Seen {
            result: encode_result([1; NONCE], tag::NO_SANDBOX, b"seccomp"),
            stdout: Captured::default(),
            stderr: Captured::default(),
            ended: Some(Ended::Exited(0)),
            ran_long: false,
        };
        assert_eq!(classify(seen, [1; NONCE], &Limits::default()), Err("seccomp".to_owned()));
    }
}
