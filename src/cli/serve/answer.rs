//! From a request to an answer.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};

use super::body::Content;
use super::index;
use super::locate::{Found, locate, media_type};
use super::watch::{BELOW, Turns};

/// A folder that is shown, and the path below which it is shown.
pub(super) struct Site {
    folder: PathBuf,
    /// Ends in `/`.
    base: String,
    /// Set for pages that are built again while they are shown.
    turns: Option<Arc<Turns>>,
}

impl Site {
    /// Shows a folder below a path, as a host would that keeps it below `/user/repository/`.
    pub(super) fn new(folder: PathBuf, at: &str) -> Self {
        let inner = at.trim_matches('/');
        let base = if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") };
        Self { folder, base, turns: None }
    }

    /// The same with pages that load themselves again after each of these turns.
    pub(super) fn watched(self, turns: Arc<Turns>) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// The path below which the folder is shown.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// The answer to a request.
    pub(super) fn answer<B>(&self, request: &Request<B>) -> Response<Content> {
        let mut answer = self.content(request);
        let headers = answer.headers_mut();
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if request.method() == Method::HEAD {
            // The length of what a GET would give was set; the content stays here.
            *answer.body_mut() = Content::Text(Vec::new());
        }
        answer
    }

    fn content<B>(&self, request: &Request<B>) -> Response<Content> {
        if !is_for_loopback(request) {
            return text(
                StatusCode::MISDIRECTED_REQUEST,
                "This preview answers for 127.0.0.1 and localhost only, so that no page elsewhere can read it.\n",
            );
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        let path = request.uri().path();
        let Some(below) = path.strip_prefix(&self.base) else {
            // What leads to the site from above it.
            let above = path == "/" || format!("{path}/") == self.base;
            return if above { moved(&self.base) } else { text(StatusCode::NOT_FOUND, "not found\n") };
        };
        if let Some(turns) = &self.turns
            && let Some(name) = below.strip_prefix(BELOW)
            && let Some(script) = turns.script(name)
        {
            let length = script.len() as u64;
            return respond(StatusCode::OK, "text/javascript; charset=utf-8", Content::Text(script.into()), length);
        }
        match locate(&self.folder, &format!("/{below}")) {
            Found::File(path) if self.turns.is_some() && media_type(&path).starts_with("text/html") => {
                self.with_script(&path).unwrap_or_else(|_| text(StatusCode::NOT_FOUND, "not found\n"))
            }
            Found::File(path) => {
                file(&path, request.headers()).unwrap_or_else(|_| text(StatusCode::NOT_FOUND, "not found\n"))
            }
            // Two slashes at the beginning would be the name of a host.
            Found::Folder if !path.starts_with("//") => moved(&format!("{path}/")),
            Found::NoPage(folder) if below.is_empty() => page(StatusCode::OK, index::page(&folder)),
            _ => self.not_found(below),
        }
    }

    /// A page that loads itself again.
    fn with_script(&self, path: &Path) -> std::io::Result<Response<Content>> {
        let html = crate::world::disk::read_file(path)?;
        let html = self.turns.as_ref().map_or(html.clone(), |turns| turns.with_script(&html, &self.base));
        let length = html.len() as u64;
        Ok(respond(StatusCode::OK, media_type(path), Content::Text(html), length))
    }

    /// The page of the nearest folder that has one for this, as hosts of static sites show it.
    fn not_found(&self, below: &str) -> Response<Content> {
        let parts: Vec<&str> = below.split('/').collect();
        for kept in (0..parts.len()).rev() {
            let above: String = parts[..kept].iter().map(|part| format!("{part}/")).collect();
            if let Found::File(path) = locate(&self.folder, &format!("/{above}404.html"))
                && let Ok(bytes) = crate::world::disk::read_file(&path)
            {
                // As every file of the folder, it says itself what it may load.
                let length = bytes.len() as u64;
                return respond(StatusCode::NOT_FOUND, "text/html; charset=utf-8", Content::Text(bytes), length);
            }
        }
        text(StatusCode::NOT_FOUND, "not found\n")
    }
}

/// True when the request names this machine: a page on another host can make a browser send requests here, and
/// with a name of its own that leads here it could read the answers.
fn is_for_loopback<B>(request: &Request<B>) -> bool {
    let is_loopback = |authority: &str| {
        let host = match authority.strip_prefix('[') {
            Some(rest) => return rest.split(']').next() == Some("::1"),
            None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
        };
        host == "127.0.0.1" || host.eq_ignore_ascii_case("localhost")
    };
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let target = request.uri().authority().is_none_or(|authority| is_loopback(authority.as_str()));
    target && hosts.next().is_none() && host.is_some_and(is_loopback)
}

fn respond(status: StatusCode, kind: &'static str, body: Content, length: u64) -> Response<Content> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    answer
}

fn text(status: StatusCode, text: &'static str) -> Response<Content> {
    respond(status, "text/plain; charset=utf-8", Content::Text(text.into()), text.len() as u64)
}

fn page(status: StatusCode, html: impl Into<Vec<u8>>) -> Response<Content> {
    let html: Vec<u8> = html.into();
    let length = html.len() as u64;
    let mut answer = respond(status, "text/html; charset=utf-8", Content::Text(html), length);
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'self'; img-src data:");
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

fn moved(to: &str) -> Response<Content> {
    let mut answer = text(StatusCode::MOVED_PERMANENTLY, "the folder has a slash at its end\n");
    match HeaderValue::from_str(to) {
        Ok(location) => drop(answer.headers_mut().insert(header::LOCATION, location)),
        Err(_) => return text(StatusCode::NOT_FOUND, "not found\n"),
    }
    answer
}

/// A file, whole or the stretch that was asked for.
fn file(path: &Path, headers: &HeaderMap) -> std::io::Result<Response<Content>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let length = metadata.len();
    let (seconds, nanoseconds) = crate::world::system::modified(&metadata);
    let tag = format!("\"{length:x}-{seconds:x}-{nanoseconds:x}\"");
    let said = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let mut answer = if said(header::IF_NONE_MATCH).is_some_and(|tags| tags.trim() == "*" || tags.contains(&tag)) {
        let mut answer = Response::new(Content::Text(Vec::new()));
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        answer
    } else {
        let fresh = said(header::IF_RANGE).is_none_or(|since| since == tag);
        match said(header::RANGE).filter(|_| fresh).map_or(Range::Whole, |range| Range::read(range, length)) {
            Range::Whole => respond(StatusCode::OK, media_type(path), Content::File { file, left: length }, length),
            Range::Part { first, last } => {
                file.seek(SeekFrom::Start(first))?;
                let left = last - first + 1;
                let body = Content::File { file, left };
                let mut answer = respond(StatusCode::PARTIAL_CONTENT, media_type(path), body, left);
                set(&mut answer, header::CONTENT_RANGE, &format!("bytes {first}-{last}/{length}"));
                answer
            }
            Range::Beyond => {
                let mut answer = text(StatusCode::RANGE_NOT_SATISFIABLE, "the file is shorter\n");
                set(&mut answer, header::CONTENT_RANGE, &format!("bytes */{length}"));
                answer
            }
        }
    };
    set(&mut answer, header::ETAG, &tag);
    set(&mut answer, header::ACCEPT_RANGES, "bytes");
    Ok(answer)
}

fn set(answer: &mut Response<Content>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
}

/// What a request wants of a file (RFC 9110, section 14).
#[derive(Debug, PartialEq, Eq)]
enum Range {
    /// All of it; also where the header is not understood or asks for several stretches.
    Whole,
    /// From a byte to a byte, both included.
    Part {
        /// First byte.
        first: u64,
        /// Last byte.
        last: u64,
    },
    /// Bytes that the file does not have.
    Beyond,
}

impl Range {
    fn read(text: &str, length: u64) -> Self {
        let Some((first, last)) = text.trim().strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
            return Self::Whole;
        };
        let number = |text: &str| {
            let text = text.trim();
            if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse::<u64>().ok() } else { None }
        };
        match (first.trim(), last.trim()) {
            ("", last) => match number(last) {
                Some(0) => Self::Beyond,
                Some(_) if length == 0 => Self::Beyond,
                Some(suffix) => Self::Part { first: length.saturating_sub(suffix), last: length - 1 },
                None => Self::Whole,
            },
            (first, last) => match (number(first), if last.is_empty() { Some(u64::MAX) } else { number(last) }) {
                (Some(first), Some(last)) if first > last => Self::Whole,
                (Some(first), Some(_)) if first >= length => Self::Beyond,
                (Some(first), Some(last)) => Self::Part { first, last: last.min(length - 1) },
                _ => Self::Whole,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_standard() {
        let part = |first, last| Range::Part { first, last };
        // The examples of RFC 9110, section 14.1.2, for a file of 10,000 bytes.
        for (text, range) in [
            ("bytes=0-499", part(0, 499)),
            ("bytes=500-999", part(500, 999)),
            ("bytes=-500", part(9500, 9999)),
            ("bytes=9500-", part(9500, 9999)),
            ("bytes=0-0,-1", Range::Whole),
            ("bytes=9999-20000", part(9999, 9999)),
            ("bytes=10000-", Range::Beyond),
            ("bytes=-0", Range::Beyond),
            ("bytes=-20000", part(0, 9999)),
            ("bytes=5-4", Range::Whole),
            ("lines=1-2", Range::Whole),
            ("bytes=a-b", Range::Whole),
        ] {
            assert_eq!(Range::read(text, 10_000), range, "{text}");
        }
        assert_eq!(Range::read("bytes=0-", 0), Range::Beyond);
    }

    #[test]
    fn only_requests_for_this_machine_are_answered() {
        let site = Site::new(PathBuf::from("/nonexistent"), "");
        let status = |host: Option<&str>, target: &str| {
            let mut request = Request::builder().uri(target);
            if let Some(host) = host {
                request = request.header(header::HOST, host);
            }
            site.answer(&request.body(()).unwrap()).status().as_u16()
        };
        for host in ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000"] {
            assert_eq!(status(Some(host), "/x"), 404, "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org", "0.0.0.0", "192.168.1.1:8000", "", "x"] {
            assert_eq!(status(Some(host), "/x"), 421, "{host}");
        }
        assert_eq!(status(None, "/x"), 421);
        assert_eq!(status(Some("localhost"), "http://example.org/x"), 421);
    }
}
