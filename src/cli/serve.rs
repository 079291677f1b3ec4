//! `repro serve`: a preview on loopback. Only GET and HEAD, only files below the folder, no listing.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::args;
use super::exit::Exit;
use super::output::Output;

/// Longest request line that is read.
const LONGEST_LINE: u64 = 8192;

pub(super) fn run(arguments: &args::Serve) -> Exit {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    if !arguments.folder.is_dir() {
        super::complain(
            &format!("{} is not a folder", arguments.folder.display()),
            "run `repro build` first, then `repro serve site`",
        );
        return Exit::Unreadable;
    }
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)) {
        Ok(listener) => listener,
        Err(error) => {
            super::complain(
                &format!("port {} on 127.0.0.1 cannot be used: {error}", arguments.port),
                "choose another with --port, or --port 0 for a free one",
            );
            return Exit::CannotWrite;
        }
    };
    let port = listener.local_addr().map_or(arguments.port, |address| address.port());
    output.line(&format!("http://127.0.0.1:{port}/  (Ctrl-C ends)"));
    output.document(&serde_json::json!({"url": format!("http://127.0.0.1:{port}/")}));
    for stream in listener.incoming().flatten() {
        let folder = arguments.folder.clone();
        std::thread::spawn(move || answer(&stream, &folder));
    }
    Exit::Good
}

fn answer(mut stream: &TcpStream, folder: &Path) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let mut line = String::new();
    BufReader::new(std::io::Read::take(stream, LONGEST_LINE)).read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let (status, kind, body) = match (method, locate(folder, target)) {
        ("GET" | "HEAD", Some(Found::File(path))) => match crate::world::disk::read_file(&path) {
            Ok(body) => ("200 OK", media_type(&path), body),
            Err(_) => ("404 Not Found", "text/plain; charset=utf-8", b"not found\n".to_vec()),
        },
        ("GET" | "HEAD", Some(Found::Folder(location))) => {
            let head = format!(
                "HTTP/1.1 301 Moved Permanently\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            return stream.write_all(head.as_bytes()).ok();
        }
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain; charset=utf-8", b"not found\n".to_vec()),
        _ => ("405 Method Not Allowed", "text/plain; charset=utf-8", b"only GET and HEAD\n".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    if method == "GET" {
        stream.write_all(&body).ok()?;
    }
    Some(())
}

enum Found {
    File(PathBuf),
    Folder(String),
}

/// File for a request target; `None` for anything that is not plainly below the folder.
fn locate(folder: &Path, target: &str) -> Option<Found> {
    let target = target.split(['?', '#']).next()?;
    let decoded = percent_decode(target.strip_prefix('/')?)?;
    let relative = Path::new(&decoded);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let full = folder.join(relative);
    let real = full.canonicalize().ok()?;
    if !real.starts_with(folder.canonicalize().ok()?) {
        return None;
    }
    if real.is_dir() {
        if !target.ends_with('/') {
            return Some(Found::Folder(format!("{target}/")));
        }
        return Some(Found::File(real.join("index.html")));
    }
    Some(Found::File(real))
}

fn percent_decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let digits = text.get(at + 1..at + 3)?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).ok().filter(|path| !path.contains('\0'))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json" | "jsonld") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt" | "md" | "toml" | "py") => "text/plain; charset=utf-8",
        Some("png") => "image/png",
        Some("xml") => "application/xml",
        Some("zip") => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_cannot_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("a b")).unwrap();
        for (path, text) in [("site/index.html", "i"), ("site/a b/index.html", "j"), ("secret", "s")] {
            crate::world::disk::write_file(&folder.path().join(path), text.as_bytes()).unwrap();
        }
        std::os::unix::fs::symlink(folder.path().join("secret"), site.join("link")).unwrap();
        for target in ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd", "/link", "/a\0", "x", "/%zz"] {
            assert!(locate(&site, target).is_none(), "{target}");
        }
        assert!(matches!(locate(&site, "/"), Some(Found::File(path)) if path.ends_with("index.html")));
        assert!(matches!(locate(&site, "/a%20b/?q"), Some(Found::File(_))));
        assert!(matches!(locate(&site, "/a%20b"), Some(Found::Folder(to)) if to == "/a%20b/"));
    }
}
