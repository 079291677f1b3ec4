//! A connection: requests are read with a limit on time and length, answers are written with a limit on how long
//! a client may take nothing.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::answer::Site;
use super::body::Content;

/// Longest time for the headers of a request, and between two requests.
const HEADERS: Duration = Duration::from_secs(15);
/// Longest time for which a client may take nothing of an answer.
const STALLED: Duration = Duration::from_secs(20);
/// Most bytes of headers.
const LONGEST: usize = 64 << 10;
/// Most header fields.
const FIELDS: usize = 100;

/// Serves one connection to its end.
pub(super) async fn serve(stream: TcpStream, site: &Site) -> io::Result<()> {
    let mut unread = Vec::new();
    loop {
        let request = match timeout(HEADERS, read(&stream, &mut unread)).await {
            // A client that says nothing is not waited for.
            Err(_) | Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Ok(Ok(Some(request))) => request,
        };
        let request = match request {
            Ok(request) => request,
            Err(status) => {
                let mut answer = Response::new(Content::Text(Vec::new()));
                *answer.status_mut() = status;
                answer.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(0));
                return write(&stream, answer, false).await;
            }
        };
        // A body is never read: what follows it on this connection could not be told from it.
        let has_body = request.headers().contains_key(header::TRANSFER_ENCODING)
            || request.headers().get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
        let closes = request.headers().get(header::CONNECTION).is_some_and(|word| {
            word.to_str().is_ok_and(|word| word.split(',').any(|word| word.trim().eq_ignore_ascii_case("close")))
        });
        let stays = !has_body && !closes && request.version() == http::Version::HTTP_11;
        write(&stream, site.answer(&request), stays).await?;
        if !stays {
            return Ok(());
        }
    }
}

/// The next request, or the status that refuses it; `None` when the client is gone.
async fn read(stream: &TcpStream, unread: &mut Vec<u8>) -> io::Result<Option<Result<Request<()>, StatusCode>>> {
    loop {
        if let Some(result) = parse(unread) {
            return Ok(Some(result));
        }
        if unread.len() > LONGEST {
            return Ok(Some(Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)));
        }
        stream.readable().await?;
        let mut piece = [0; 8192];
        match stream.try_read(&mut piece) {
            Ok(0) => return Ok(None),
            Ok(read) => unread.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// A whole request at the beginning of the bytes, which is then taken off them.
fn parse(unread: &mut Vec<u8>) -> Option<Result<Request<()>, StatusCode>> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut parsed = httparse::Request::new(&mut fields);
    let length = match parsed.parse(unread) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return None,
        Err(httparse::Error::TooManyHeaders) => return Some(Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)),
        Err(_) => return Some(Err(StatusCode::BAD_REQUEST)),
    };
    let request = request(&parsed).ok_or(StatusCode::BAD_REQUEST);
    unread.drain(..length);
    Some(request)
}

fn request(parsed: &httparse::Request<'_, '_>) -> Option<Request<()>> {
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(parsed.method?.as_bytes()).ok()?;
    *request.uri_mut() = parsed.path?.parse::<Uri>().ok()?;
    *request.version_mut() = if parsed.version? == 0 { http::Version::HTTP_10 } else { http::Version::HTTP_11 };
    for field in parsed.headers.iter() {
        let name = HeaderName::from_bytes(field.name.as_bytes()).ok()?;
        request.headers_mut().append(name, HeaderValue::from_bytes(field.value).ok()?);
    }
    Some(request)
}

/// Writes an answer, piece by piece.
async fn write(stream: &TcpStream, answer: Response<Content>, stays: bool) -> io::Result<()> {
    let (parts, mut content) = answer.into_parts();
    all(stream, &head(parts.status, &parts.headers, stays)).await?;
    while let Some(piece) = content.piece()? {
        all(stream, &piece).await?;
    }
    Ok(())
}

fn head(status: StatusCode, headers: &HeaderMap, stays: bool) -> Vec<u8> {
    let mut head = String::new();
    let _ = write!(head, "HTTP/1.1 {} {}\r\n", status.as_str(), status.canonical_reason().unwrap_or_default());
    for (name, value) in headers {
        // Every value was made here or checked when it was set, and is text.
        let _ = write!(head, "{name}: {}\r\n", value.to_str().unwrap_or_default());
    }
    head.push_str(if stays { "connection: keep-alive\r\n\r\n" } else { "connection: close\r\n\r\n" });
    head.into_bytes()
}

async fn all(stream: &TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let stalled = |_| io::Error::new(io::ErrorKind::TimedOut, "the client does not read");
        timeout(STALLED, stream.writable()).await.map_err(stalled)??;
        match stream.try_write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_whole_and_one_after_the_other() {
        let mut unread = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /b HTTP/1.0\r\n\r\nGET /c".to_vec();
        let first = parse(&mut unread).unwrap().unwrap();
        assert_eq!((first.method(), first.uri().path()), (&Method::GET, "/a"));
        assert_eq!(first.headers()[header::HOST], "localhost");
        let second = parse(&mut unread).unwrap().unwrap();
        assert_eq!((second.method(), second.version()), (&Method::HEAD, http::Version::HTTP_10));
        assert!(parse(&mut unread).is_none() && unread == b"GET /c");
        for bad in
            ["\0\0\0\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"]
        {
            assert_eq!(parse(&mut bad.as_bytes().to_vec()).unwrap().unwrap_err(), StatusCode::BAD_REQUEST, "{bad:?}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(FIELDS + 1));
        let refused = parse(&mut many.into_bytes()).unwrap().unwrap_err();
        assert_eq!(refused, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
}
