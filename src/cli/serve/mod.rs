//! `repro serve`: a preview on loopback, over `tokio`, `httparse` and `http`. Only GET and HEAD, only
//! regular files below the folder; a host page lists the studies where the folder has none.
//!
//! | file | what |
//! | --- | --- |
//! | `answer` | from a request to an answer: host, method, path, conditions, ranges |
//! | `locate` | from a path to a file that may be shown |
//! | `body` | a file as it streams out, a piece at a time |
//! | `stream` | a connection, which is given up when its client is silent or does not read |
//! | `index` | the page that lists the studies |

mod answer;
mod body;
mod index;
mod locate;
mod stream;

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
    if !arguments.folder.is_dir() {
        super::complain(
            &format!("{} is not a folder", arguments.folder.display()),
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
    let site = Arc::new(Site::new(arguments.folder.clone(), &arguments.at));
    let url = format!("http://127.0.0.1:{port}{}", site.base());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return unusable(&error),
    };
    output.line(&format!("{url}  (Ctrl-C ends)"));
    output.document(&Envelope::new("serve").result(serde_json::json!({"url": url})).done(Exit::Good));
    runtime.block_on(async {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => listen(listener, site).await,
            Err(error) => unusable(&error),
        }
    })
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
