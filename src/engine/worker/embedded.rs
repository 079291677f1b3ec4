//! The worker of the embedded interpreter: warm up, lock, fork.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::jail;
use crate::engine::embedded::Embedded;
use crate::engine::frame::{Request, decode_request, encode_result, tag};
use crate::engine::sandbox::{
    Filter, Layer, Layers, SyscallProfile, apply_filter, compile_filter, limit_child, raise_stack,
};
use crate::engine::system::{self, Ended, Forked};

/// Address space in the trial of the limits; that of the default limits.
const TRIAL_MEMORY: u64 = 1 << 30;
/// Descriptor of the result channel in a child.
const RESULT: i32 = 3;

/// Serves until the supervisor closes the socket.
pub(super) fn serve(without: &Layers, seed: u32) -> ExitCode {
    raise_stack();
    match Worker::start(without, seed).and_then(Worker::serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::complain(&error.to_string()),
    }
}

struct Worker {
    socket: UnixStream,
    null: File,
    interpreter: Embedded,
    filter: Option<Filter>,
}

impl Worker {
    fn start(without: &Layers, seed: u32) -> io::Result<Self> {
        let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        let null = File::open("/dev/null")?;
        let interpreter = Embedded::warm(seed).map_err(io::Error::other)?;
        let filter = if without.has(Layer::Syscalls) { None } else { compile_filter(SyscallProfile::Embedded) };
        // The layers of a child are tried in a child first: what does not hold is not claimed.
        let filter = filter.filter(|filter| holds(|| apply_filter(filter)));
        if !holds(|| limit_child(1, TRIAL_MEMORY)) {
            return Err(io::Error::other("the resource limits of a program cannot be set here"));
        }
        let mut layers: Vec<Layer> = jail::enter(without, &[]).iter().chain([Layer::NoHost]).collect();
        layers.extend(filter.as_ref().map(|_| Layer::Syscalls));
        let lines = [Embedded::VERSION, "compensated", &Layers::new(layers).names(), Embedded::VERSION];
        let hello = lines.join("\n");
        socket.write_all(&(hello.len() as u32).to_le_bytes())?;
        socket.write_all(hello.as_bytes())?;
        Ok(Self { socket, null, interpreter, filter })
    }

    fn serve(mut self) -> io::Result<()> {
        let mut last = None;
        while let Some(fds) = system::receive_descriptors(self.socket.as_fd())? {
            let mut length = [0; 4];
            self.socket.read_exact(&mut length)?;
            let mut body = vec![0; u32::from_le_bytes(length) as usize];
            self.socket.read_exact(&mut body)?;
            let request = decode_request(&body).ok_or_else(|| io::Error::other("a torn request"))?;
            // Its number stayed taken while the supervisor could still have wanted to kill it.
            last.take().into_iter().for_each(system::reap);
            match system::fork()? {
                Forked::Child => self.run(&request, fds),
                Forked::Parent { child } => {
                    drop(fds);
                    self.reply(b'S', 0, child)?;
                    match system::wait_without_reaping(child)? {
                        Ended::Exited(code) => self.reply(b'X', 0, code)?,
                        Ended::Signalled(signal) => self.reply(b'X', 1, signal)?,
                    }
                    last = Some(child);
                }
            }
        }
        Ok(())
    }

    fn reply(&mut self, tag: u8, detail: u8, number: i32) -> io::Result<()> {
        let mut reply = [tag, detail, 0, 0, 0, 0];
        reply[2..].copy_from_slice(&number.to_le_bytes());
        self.socket.write_all(&reply)
    }

    /// The life of a child: descriptors, limits, filter, program, frame, end.
    fn run(&self, request: &Request, fds: [OwnedFd; 3]) -> ! {
        if become_child(self.null.as_fd(), fds).is_err() {
            system::exit_now(70);
        }
        let mut result = system::adopt(RESULT);
        // A last wall that needs nobody outside: the filter keeps a program from moving it.
        system::alarm(request.wall_seconds.saturating_add(5));
        let sandboxed =
            limit_child(request.cpu_seconds, request.memory_bytes) && self.filter.as_ref().is_none_or(apply_filter);
        if !sandboxed {
            let refused = encode_result(request.nonce, tag::NO_SANDBOX, b"limits or syscalls");
            let sent = result.write_all(&refused);
            system::exit_now(i32::from(sent.is_err()));
        }
        let ready = result.write_all(&encode_result(request.nonce, tag::READY, b""));
        let (tag, payload) = self.interpreter.run(request);
        let sent = ready.and_then(|()| result.write_all(&encode_result(request.nonce, tag, &payload)));
        let _ = io::stdout().flush();
        system::exit_now(i32::from(sent.is_err()));
    }
}

/// True when `layer` can be put in place by a child of this process.
fn holds(layer: impl FnOnce() -> bool) -> bool {
    match system::fork() {
        Ok(Forked::Child) => system::exit_now(i32::from(!layer())),
        Ok(Forked::Parent { child }) => {
            let ended = system::wait_without_reaping(child);
            system::reap(child);
            matches!(ended, Ok(Ended::Exited(0)))
        }
        Err(_) => false,
    }
}

fn become_child(null: BorrowedFd<'_>, [result, stdout, stderr]: [OwnedFd; 3]) -> io::Result<()> {
    nix::unistd::setpgid(nix::unistd::Pid::from_raw(0), nix::unistd::Pid::from_raw(0))?;
    system::die_with_parent()?;
    system::redirect(null, 0)?;
    system::redirect(stdout.as_fd(), 1)?;
    system::redirect(stderr.as_fd(), 2)?;
    system::redirect(result.as_fd(), RESULT)?;
    // What the next line closes must not be closed again.
    std::mem::forget((result, stdout, stderr));
    system::close_from(RESULT as u32 + 1)
}
