//! One execution, seen from outside: hand a program to a worker, drain three pipes, keep the time,
//! kill what does not end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::classify::Seen;
use super::frame::{NONCE, encode_request};
use super::outcome::Captured;
use super::program::{Limits, Program};
use super::system::{self, Ended};

/// After a child has ended its pipes are empty; a straggler that holds them open is not waited for.
const GRACE: Duration = Duration::from_millis(300);
/// Time a worker has to answer beyond the wall limit before it counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest time that nobody looks whether the run was interrupted.
pub(super) const LISTEN: Duration = Duration::from_millis(500);

struct Pipe {
    reader: Option<File>,
}

fn pipe() -> io::Result<(Pipe, OwnedFd)> {
    // Both ends are closed in whatever this process executes.
    let (reader, writer) = io::pipe()?;
    Ok((Pipe { reader: Some(File::from(OwnedFd::from(reader))) }, writer.into()))
}

/// Runs one program on the worker behind `socket`. An error means that the worker is lost, or that the run
/// was interrupted and the program killed.
pub(super) fn execute(
    socket: &mut UnixStream,
    program: &Program,
    limits: &Limits,
    nonce: [u8; NONCE],
) -> io::Result<Seen> {
    let (result, result_end) = pipe()?;
    let (stdout, stdout_end) = pipe()?;
    let (stderr, stderr_end) = pipe()?;
    system::send_descriptors(socket.as_fd(), b'P', [&result_end, &stdout_end, &stderr_end].map(AsFd::as_fd))?;
    drop((result_end, stdout_end, stderr_end));
    socket.write_all(&encode_request(program, limits, nonce))?;
    let watch = Watch {
        pipes: [result, stdout, stderr],
        result: Vec::new(),
        captured: [Captured::default(), Captured::default()],
        child: 0,
        ended: None,
        killed: false,
    };
    watch.run(socket, limits)
}

struct Watch {
    pipes: [Pipe; 3],
    result: Vec<u8>,
    captured: [Captured; 2],
    child: i32,
    ended: Option<Ended>,
    killed: bool,
}

impl Watch {
    fn run(mut self, socket: &mut UnixStream, limits: &Limits) -> io::Result<Seen> {
        let started = Instant::now();
        let wall = started + Duration::from_secs(u64::from(limits.wall_seconds));
        let mut deadline = wall;
        let mut buffer = vec![0; 1 << 16];
        loop {
            if self.ended.is_some() && self.pipes.iter().all(|pipe| pipe.reader.is_none()) {
                break;
            }
            let ready = self.wait(socket.as_fd(), deadline.min(Instant::now() + LISTEN))?;
            let now = Instant::now();
            if system::interrupted() {
                system::kill_group(self.child);
                return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
            }
            if ready[0] && self.ended.is_none() {
                self.read_reply(socket)?;
                if self.ended.is_some() {
                    deadline = now + GRACE;
                }
            }
            for (index, _) in ready[1..].iter().enumerate().filter(|(_, ready)| **ready) {
                self.drain(index, &mut buffer, limits)?;
            }
            if now >= deadline && !ready.contains(&true) {
                if self.ended.is_some() {
                    system::kill_group(self.child);
                    break;
                }
                if self.killed {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "the worker does not answer"));
                }
                system::kill_group(self.child);
                self.killed = true;
                deadline = now + PATIENCE;
            }
        }
        let ran_long = started.elapsed() >= Duration::from_secs(u64::from(limits.cpu_seconds));
        let [stdout, stderr] = self.captured;
        let ended = self.ended.filter(|_| !self.killed);
        Ok(Seen { result: self.result, stdout, stderr, ended, ran_long })
    }

    /// Waits for the socket and the open pipes; all false when the time is up.
    fn wait(&self, socket: BorrowedFd<'_>, deadline: Instant) -> io::Result<[bool; 4]> {
        let mut slots = Vec::with_capacity(4);
        let mut fds = Vec::with_capacity(4);
        // Once the child has ended, the next thing on the socket belongs to nobody yet.
        if self.ended.is_none() {
            slots.push(0);
            fds.push(PollFd::new(socket, PollFlags::POLLIN));
        }
        for (index, pipe) in self.pipes.iter().enumerate() {
            if let Some(reader) = &pipe.reader {
                slots.push(index + 1);
                fds.push(PollFd::new(reader.as_fd(), PollFlags::POLLIN));
            }
        }
        let left = deadline.saturating_duration_since(Instant::now()).as_millis().saturating_add(1);
        match poll(&mut fds, PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = [false; 4];
        for (slot, fd) in slots.into_iter().zip(fds) {
            ready[slot] = fd.revents().is_some_and(|events| !events.is_empty());
        }
        Ok(ready)
    }

    fn read_reply(&mut self, socket: &mut UnixStream) -> io::Result<()> {
        let mut reply = [0; 6];
        socket.read_exact(&mut reply)?;
        let number = i32::from_le_bytes([reply[2], reply[3], reply[4], reply[5]]);
        match (reply[0], reply[1]) {
            (b'S', _) => self.child = number,
            (b'X', 0) => self.ended = Some(Ended::Exited(number)),
            (b'X', _) => self.ended = Some(Ended::Signalled(number)),
            (b'F', _) => return Err(io::Error::from_raw_os_error(number)),
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "the worker talks nonsense")),
        }
        Ok(())
    }

    fn drain(&mut self, index: usize, buffer: &mut [u8], limits: &Limits) -> io::Result<()> {
        let Some(reader) = &mut self.pipes[index].reader else { return Ok(()) };
        let count = match reader.read(buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error),
        };
        if count == 0 {
            self.pipes[index].reader = None;
        } else if index == 0 {
            // One byte beyond the largest frame is enough to know that it is no frame.
            let room = (limits.frame_bytes as usize + 64).saturating_sub(self.result.len());
            self.result.extend_from_slice(&buffer[..count.min(room)]);
        } else {
            self.captured[index - 1].extend(&buffer[..count], limits.captured_bytes as usize);
        }
        Ok(())
    }
}
