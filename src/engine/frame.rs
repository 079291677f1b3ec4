//! The bytes between the supervisor, a worker and a program's child. All numbers little-endian.
//!
//! ```text
//! hello    worker → supervisor   length u32, lines of text
//! request  supervisor → worker   'P' with three descriptors (result, stdout, stderr), then
//!                                length u32, nonce 16, cpu u32, wall u32, memory u64, frame u32,
//!                                entry u32, source length u32, source, arguments as JSON
//! reply    worker → supervisor   'S' 0 pid | 'X' 0 code | 'X' 1 signal | 'F' 0 errno   (6 bytes)
//! result   child  → supervisor   frame: nonce 16, tag u8, length u32, payload
//! ```
//!
//! The result channel has two states. First the child says either that it stands in its sandbox (`R`) or
//! that it could not enter it (`S`), and in the second case nothing follows. Only then the program runs, and
//! one frame with its result follows to the end of the stream. A program that gets hold of the code that
//! writes frames can therefore report itself, but never the state of the sandbox.

use std::collections::BTreeMap;

use crate::json::{Reader, Value};

use super::program::{Limits, Program};

/// Length of the secret that a child captures before its program runs.
pub(super) const NONCE: usize = 16;
const RESULT_HEAD: usize = NONCE + 5;
const REQUEST_HEAD: usize = NONCE + 4 + 4 + 8 + 4 + 4 + 4;

/// Most entries of a returned dictionary, and most values inside all of them: whoever compares, sorts or
/// prints what one program returned has a bounded task.
const MOST_ENTRIES: usize = 10_000;
const MOST_VALUES: usize = 100_000;

/// What a child says about its program.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    Returned(Vec<(String, Value)>),
    Raised { kind: String, message: String },
    NoSolve,
    NotADict(String),
    TooLarge,
    MissingModule(String),
    OutOfMemory,
}

/// Tags of the result frame; the CPython driver repeats them.
pub(super) mod tag {
    pub(in crate::engine) const RETURNED: u8 = b'K';
    pub(in crate::engine) const RAISED: u8 = b'E';
    pub(in crate::engine) const NO_SOLVE: u8 = b'N';
    pub(in crate::engine) const NOT_A_DICT: u8 = b'D';
    pub(in crate::engine) const TOO_LARGE: u8 = b'L';
    pub(in crate::engine) const MISSING_MODULE: u8 = b'M';
    pub(in crate::engine) const OUT_OF_MEMORY: u8 = b'O';
    pub(in crate::engine) const NO_SANDBOX: u8 = b'S';
    pub(in crate::engine) const READY: u8 = b'R';
}

/// A request as its worker reads it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    pub(super) nonce: [u8; NONCE],
    pub(super) cpu_seconds: u32,
    pub(super) wall_seconds: u32,
    pub(super) memory_bytes: u64,
    pub(super) frame_bytes: u32,
    /// As [`super::program::Entry::code`] numbers it.
    pub(super) entry: u32,
    pub(super) source: String,
    pub(super) arguments: String,
}

/// Encodes a request with its length.
pub(super) fn encode_request(program: &Program, limits: &Limits, nonce: [u8; NONCE]) -> Vec<u8> {
    let arguments = program.arguments_json();
    let length = REQUEST_HEAD + program.source.len() + arguments.len();
    let mut out = Vec::with_capacity(4 + length);
    out.extend_from_slice(&(length as u32).to_le_bytes());
    out.extend_from_slice(&nonce);
    out.extend_from_slice(&limits.cpu_seconds.to_le_bytes());
    out.extend_from_slice(&limits.wall_seconds.to_le_bytes());
    out.extend_from_slice(&limits.memory_bytes.to_le_bytes());
    out.extend_from_slice(&limits.frame_bytes.to_le_bytes());
    out.extend_from_slice(&program.entry.code().to_le_bytes());
    out.extend_from_slice(&(program.source.len() as u32).to_le_bytes());
    out.extend_from_slice(program.source.as_bytes());
    out.extend_from_slice(arguments.as_bytes());
    out
}

/// Decodes a request without its length.
pub(super) fn decode_request(body: &[u8]) -> Option<Request> {
    let (head, rest) = body.split_at_checked(REQUEST_HEAD)?;
    let (nonce, numbers) = head.split_at(NONCE);
    let word = |at: usize| Some(u32::from_le_bytes(numbers.get(at..at + 4)?.try_into().ok()?));
    let (source, arguments) = rest.split_at_checked(word(24)? as usize)?;
    Some(Request {
        nonce: nonce.try_into().ok()?,
        cpu_seconds: word(0)?,
        wall_seconds: word(4)?,
        memory_bytes: u64::from_le_bytes(numbers.get(8..16)?.try_into().ok()?),
        frame_bytes: word(16)?,
        entry: word(20)?,
        source: std::str::from_utf8(source).ok()?.to_owned(),
        arguments: std::str::from_utf8(arguments).ok()?.to_owned(),
    })
}

/// Encodes a result frame.
pub(super) fn encode_result(nonce: [u8; NONCE], tag: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(RESULT_HEAD + payload.len());
    out.extend_from_slice(&nonce);
    out.push(tag);
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    out.extend_from_slice(payload);
    out
}

/// What came over a result channel.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Received {
    /// The child could not put this layer in place and ran nothing.
    NoSandbox(String),
    /// The program ran and its process ended without a frame.
    Nothing,
    /// One frame of ours.
    Message(Message),
    /// Anything else.
    Forged,
}

/// Reads the whole content of a result channel.
pub(super) fn decode_channel(bytes: &[u8], nonce: [u8; NONCE], frame_bytes: u32) -> Received {
    let ready = encode_result(nonce, tag::READY, b"");
    match bytes.strip_prefix(ready.as_slice()) {
        Some([]) => Received::Nothing,
        Some(rest) => decode_result(rest, nonce, frame_bytes).map_or(Received::Forged, Received::Message),
        None if bytes.is_empty() => Received::Nothing,
        None => not_started(bytes, nonce).map_or(Received::Forged, Received::NoSandbox),
    }
}

/// The one message that may come instead of the news that the program starts.
fn not_started(bytes: &[u8], nonce: [u8; NONCE]) -> Option<String> {
    let (head, layer) = bytes.split_at_checked(RESULT_HEAD)?;
    let expected = encode_result(nonce, tag::NO_SANDBOX, layer);
    let ours = head == &expected[..RESULT_HEAD];
    ours.then(|| String::from_utf8_lossy(layer).into_owned())
}

/// Reads a result; `None` when it is not exactly one frame of ours.
fn decode_result(bytes: &[u8], nonce: [u8; NONCE], frame_bytes: u32) -> Option<Message> {
    let (head, payload) = bytes.split_at_checked(RESULT_HEAD)?;
    let length = u32::from_le_bytes(head[NONCE + 1..].try_into().ok()?);
    if head[..NONCE] != nonce || length as usize != payload.len() || length > frame_bytes {
        return None;
    }
    let text = |payload: &[u8]| String::from_utf8(payload.to_vec()).ok();
    Some(match head[NONCE] {
        tag::RETURNED => entries(payload)?,
        tag::RAISED => {
            let value = parse(payload)?;
            let [kind, message] = value.as_list()? else { return None };
            Message::Raised { kind: kind.as_text()?.to_owned(), message: message.as_text()?.to_owned() }
        }
        tag::NO_SOLVE => Message::NoSolve,
        tag::NOT_A_DICT => Message::NotADict(text(payload)?),
        tag::TOO_LARGE => Message::TooLarge,
        tag::MISSING_MODULE => Message::MissingModule(text(payload)?),
        tag::OUT_OF_MEMORY => Message::OutOfMemory,
        _ => return None,
    })
}

fn parse(payload: &[u8]) -> Option<Value> {
    let mut reader = Reader::new(payload);
    let value = reader.value().ok()?;
    (reader.position() == payload.len()).then_some(value)
}

/// Entries in order; a key that occurs twice keeps its place and its last value, as a reader of the
/// JSON text that the study wrote would have it; more of them than anybody reads are too large.
fn entries(payload: &[u8]) -> Option<Message> {
    let Value::List(pairs) = parse(payload)? else { return None };
    let mut entries: Vec<(String, Value)> = Vec::with_capacity(pairs.len());
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut room = MOST_VALUES;
    for pair in pairs {
        let Value::List(pair) = pair else { return None };
        let [Value::Text(key), value] = <[Value; 2]>::try_from(pair).ok()? else { return None };
        if !takes(&value, &mut room) || places.len() >= MOST_ENTRIES {
            return Some(Message::TooLarge);
        }
        match places.get(&key) {
            Some(&place) => entries[place].1 = value,
            None => {
                places.insert(key.clone(), entries.len());
                entries.push((key, value));
            }
        }
    }
    Some(Message::Returned(entries))
}

/// Takes the values of a tree off `room`; false when there are more.
fn takes(value: &Value, room: &mut usize) -> bool {
    if *room == 0 {
        return false;
    }
    *room -= 1;
    match value {
        Value::List(items) => items.iter().all(|item| takes(item, room)),
        Value::Object(members) => members.iter().all(|(_, item)| takes(item, room)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; NONCE] = [7; NONCE];

    #[test]
    fn a_request_survives_the_wire() {
        let limits = Limits { memory_bytes: 1 << 33, ..Limits::default() };
        let program = Program::new("def solve(): pass # é").with_arguments(vec![("a".into(), Value::Bool(true))]);
        let wire = encode_request(&program, &limits, SECRET);
        let request = decode_request(&wire[4..]).unwrap();
        assert_eq!((request.cpu_seconds, request.wall_seconds, request.memory_bytes), (10, 40, 1 << 33));
        assert_eq!((request.source.as_str(), request.arguments.as_str()), ("def solve(): pass # é", r#"{"a":true}"#));
        assert_eq!(request.nonce, SECRET);
        assert!(decode_request(&wire[4..30]).is_none());
    }

    #[test]
    fn only_exactly_one_frame_with_the_secret_is_believed() {
        let frame = encode_result(SECRET, tag::RETURNED, br#"[["1",{"value":NaN}],["2",1],["1",3]]"#);
        let Some(Message::Returned(entries)) = decode_result(&frame, SECRET, 99) else { panic!() };
        assert_eq!(
            entries.iter().map(|(k, v)| (k.as_str(), v.as_f64())).collect::<Vec<_>>(),
            [("1", Some(3.0)), ("2", Some(1.0))]
        );
        let twice = [frame.clone(), frame.clone()].concat();
        let trailing = [frame.clone(), b"x".to_vec()].concat();
        for bad in [&twice, &trailing, &frame[..frame.len() - 1].to_vec(), &Vec::new()] {
            assert_eq!(decode_result(bad, SECRET, 99), None);
        }
        assert_eq!(decode_result(&frame, [8; NONCE], 99), None);
        assert_eq!(decode_result(&frame, SECRET, 5), None);
        assert_eq!(decode_result(&encode_result(SECRET, tag::RETURNED, b"[1]"), SECRET, 99), None);
        assert_eq!(decode_result(&encode_result(SECRET, b'?', b""), SECRET, 99), None);
    }

    #[test]
    fn the_sandbox_speaks_before_the_program_and_never_after() {
        let ready = encode_result(SECRET, tag::READY, b"");
        let refused = encode_result(SECRET, tag::NO_SANDBOX, b"seccomp");
        let result = encode_result(SECRET, tag::RETURNED, b"[]");
        let read = |parts: &[&[u8]]| decode_channel(&parts.concat(), SECRET, 99);
        assert_eq!(read(&[&refused]), Received::NoSandbox("seccomp".to_owned()));
        assert_eq!(read(&[&ready, &result]), Received::Message(Message::Returned(Vec::new())));
        assert_eq!((read(&[]), read(&[&ready])), (Received::Nothing, Received::Nothing));
        for forged in [[&ready, &refused], [&refused, &result], [&ready, &ready], [&result, &ready]] {
            assert_eq!(read(&forged.map(Vec::as_slice)), Received::Forged);
        }
        assert_eq!(read(&[&result]), Received::Forged, "a result before the start");
        let stranger = encode_result([8; NONCE], tag::NO_SANDBOX, b"seccomp");
        assert_eq!(read(&[&stranger]), Received::Forged);
    }

    #[test]
    fn more_than_anybody_reads_is_too_large_and_every_key_is_found_once() {
        let frame = |entries: String| encode_result(SECRET, tag::RETURNED, entries.as_bytes());
        let read = |frame: Vec<u8>| decode_result(&frame, SECRET, 1 << 30);
        let keys = |count: usize| {
            let pairs: Vec<String> = (0..count).map(|n| format!("[\"{}\",{n}]", n % MOST_ENTRIES)).collect();
            frame(format!("[{}]", pairs.join(",")))
        };
        let Some(Message::Returned(entries)) = read(keys(MOST_ENTRIES)) else { panic!() };
        assert_eq!(entries.len(), MOST_ENTRIES);
        let distinct: Vec<String> = (0..=MOST_ENTRIES).map(|n| format!("[\"{n}\",0]")).collect();
        assert_eq!(read(frame(format!("[{}]", distinct.join(",")))), Some(Message::TooLarge));
        let list = |count: usize| frame(format!("[[\"1\",[{}]]]", vec!["0"; count].join(",")));
        assert!(matches!(read(list(MOST_VALUES - 1)), Some(Message::Returned(_))));
        assert_eq!(read(list(MOST_VALUES)), Some(Message::TooLarge));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let _ = decode_result(&bytes, SECRET, 1 << 20);
            let mut framed = SECRET.to_vec();
            framed.extend_from_slice(&bytes);
            let _ = decode_result(&framed, SECRET, 1 << 20);
            let _ = decode_channel(&framed, SECRET, 1 << 20);
            let _ = decode_request(&bytes);
        }
    }
}
