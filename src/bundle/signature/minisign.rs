//! Signatures of minisign: Ed25519 over BLAKE2b-512 of the file, and over signature and comment.

use std::fs::File;
use std::io;

use blake2::{Blake2b512, Digest as _};

use super::base64::decode;
use super::{Status, is_signed, stream};

/// Checks a `.minisig` text against a public key file.
pub(super) fn check(signature: &str, key: &str, open: impl Fn() -> io::Result<File>) -> io::Result<Status> {
    let wrong = |why: &str| Ok(Status::Wrong(why.to_owned()));
    let Some(key) = key.lines().rev().find(|line| !line.trim().is_empty()).and_then(decode) else {
        return wrong("the key is no minisign public key");
    };
    if key.len() != 42 || &key[..2] != b"Ed" {
        return wrong("the key is no minisign public key");
    }
    let lines: Vec<&str> = signature.lines().collect();
    let parts = match lines.as_slice() {
        [_, signature, comment, global, ..] => {
            (decode(signature), comment.strip_prefix("trusted comment: "), decode(global))
        }
        _ => (None, None, None),
    };
    let (Some(signature), Some(comment), Some(global)) = parts else {
        return wrong("the file is no minisign signature");
    };
    if signature.len() != 74 || global.len() != 64 {
        return wrong("the file is no minisign signature");
    }
    if &signature[..2] != b"ED" {
        return Ok(Status::Unchecked("it is of the old kind that signs the file without hashing it".to_owned()));
    }
    if signature[2..10] != key[2..10] {
        return wrong("it was made with another key");
    }
    let mut hasher = Blake2b512::new();
    stream(open()?, |bytes| hasher.update(bytes))?;
    if !is_signed(&hasher.finalize(), &signature[10..], &key[10..]) {
        return wrong("it is not a signature of this bundle");
    }
    let commented = [&signature[10..], comment.as_bytes()].concat();
    if !is_signed(&commented, &global, &key[10..]) {
        return wrong("its trusted comment was changed");
    }
    Ok(Status::Good(format!("minisign, trusted comment: {comment}")))
}
