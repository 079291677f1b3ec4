//! Signatures of minisign: Ed25519 over BLAKE2b-512 of the file (`ED`), or over the file itself (`Ed`,
//! what versions before 0.11 made unless asked), and over signature and trusted comment.

use std::fs::File;
use std::io;

use blake2::{Blake2b512, Digest as _};

use super::base64::decode;
use super::{Status, is_signed, stream};

/// Checks a `.minisig` text against identifier and key.
pub(super) fn check(signature: &str, key: &[u8; 40], open: impl Fn() -> io::Result<File>) -> io::Result<Status> {
    let wrong = |why: &str| Ok(Status::Wrong(why.to_owned()));
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
    let (identifier, key) = key.split_at(8);
    if &signature[2..10] != identifier {
        return wrong("it was made with another key");
    }
    let is_of_bundle = match &signature[..2] {
        b"ED" => {
            let mut hasher = Blake2b512::new();
            stream(open()?, |bytes| hasher.update(bytes))?;
            is_signed(&hasher.finalize(), &signature[10..], key)
        }
        b"Ed" => is_file_signed(open()?, &signature[10..], key)?,
        _ => return wrong("the file is no minisign signature"),
    };
    if !is_of_bundle {
        return wrong("it is not a signature of this bundle");
    }
    let commented = [&signature[10..], comment.as_bytes()].concat();
    if !is_signed(&commented, &global, key) {
        return wrong("its trusted comment was changed");
    }
    Ok(Status::Good(format!("minisign, trusted comment: {comment}")))
}

/// True when the Ed25519 signature is that of a whole file, which is streamed.
fn is_file_signed(file: File, signature: &[u8], key: &[u8]) -> io::Result<bool> {
    let parts = (ed25519_compact::PublicKey::from_slice(key), ed25519_compact::Signature::from_slice(signature));
    let (Ok(key), Ok(signature)) = parts else { return Ok(false) };
    let Ok(mut state) = key.verify_incremental(&signature) else { return Ok(false) };
    stream(file, |bytes| state.absorb(bytes))?;
    Ok(state.verify().is_ok())
}
