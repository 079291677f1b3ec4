//! `repro serve`: a preview on loopback, over `tokio`, `httparse` and `http`. Only GET and HEAD, only
//! regular files below the folder; a host page lists the studies where the folder has none.
//!
//! | file | what |
//! | --- | --- |
//! | `answer` | from a request to an answer: host, method, path, conditions, ranges |
//! | `locate` | from a path to a file that may be shown |
//! | `body` | a file as it streams out, a piece at a time |
//! | `stream` | a connection, which is given up when its client is silent or does not read |
//! | `watch` | pages that are built again when their study changes |
//! | `index` | the page that lists the studies |

mod answer;
mod body;
mod index;
mod locate;
mod stream;
mod watch;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use self::answer::Site;
use super::args;
use super::envelope::Envelope;
use super::exit::Exit;
use super::output::Output;

/// Most connections at once; further ones wait.
const CONNECTIONS: usize = 64;

pub(super) fn run(arguments: &args::Serve) -> Exit {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let watched = match &arguments.watch {
        None => None,
        Some(study) => match watch::Watched::start(arguments, study.as_deref()) {
            Ok(watched) => Some(watched),
            Err(exit) => return exit,
        },
    };
    let folder = watched.as_ref().map_or_else(|| arguments.folder.clone(), watch::Watched::pages);
    if !folder.is_dir() {
        super::complain(
            &format!("{} is not a folder", folder.display()),
            "run `repro build` first, then `repro serve site`",
        );
        return Exit::Unreadable;
    }
    let unusable = |error: &std::io::Error| {
        super::complain(
            &format!("port {} on 127.0.0.1 cannot be used: {error}", arguments.port),
            "choose another with --port, or --port 0 for a free one",
        );
        Exit::CannotWrite
    };
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port))
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .and_then(|listener| listener.local_addr().map(|address| (listener, address.port())));
    let (listener, port) = match bound {
        Ok(bound) => bound,
        Err(error) => return unusable(&error),
    };
    let site = Site::new(folder, &arguments.at);
    let site = Arc::new(match &watched {
        Some(watched) => site.watched(Arc::clone(&watched.turns)),
        None => site,
    });
    let url = format!("http://127.0.0.1:{port}{}", site.base());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return unusable(&error),
    };
    output.line(&format!("{url}  (Ctrl-C ends)"));
    output.document(&Envelope::new("serve").result(serde_json::json!({"url": url})).done(Exit::Good));
    let (ended, mut end) = tokio::sync::mpsc::unbounded_channel();
    let watching = watched.is_some();
    let thread = watched.map(|watched| {
        std::thread::spawn(move || {
            // The other side is gone only when the process ends.
            let _ = ended.send(watched.run(output));
        })
    });
    let exit = runtime.block_on(async {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) if watching => {
                tokio::spawn(listen(listener, site));
                end.recv().await.unwrap_or(Exit::Interrupted)
            }
            Ok(listener) => listen(listener, site).await,
            Err(error) => unusable(&error),
        }
    });
    // It ends with the interrupt that ended the server, and takes its pages away.
    drop(thread.map(std::thread::JoinHandle::join));
    exit
}

async fn listen(listener: tokio::net::TcpListener, site: Arc<Site>) -> Exit {
    let seats = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return Exit::Good };
        let Ok((connection, _)) = listener.accept().await else {
            // Out of descriptors, or a client that left at once: the next one may be luckier.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            // A connection that breaks is its client's matter.
            let _ = stream::serve(connection, &site).await;
            drop(seat);
        });
    }
}
