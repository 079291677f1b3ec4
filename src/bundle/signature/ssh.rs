//! Signatures of `ssh-keygen -Y sign` (OpenSSH, PROTOCOL.sshsig) with Ed25519 keys.

use std::fs::File;
use std::io;

use sha2::{Digest as _, Sha256, Sha512};

use super::base64::decode;
use super::{Status, is_signed, stream};

/// The namespace that `ssh-keygen -Y sign -n file` writes; others are for other purposes.
const NAMESPACE: &[u8] = b"file";
const KIND: &[u8] = b"ssh-ed25519";

/// Fields of a blob, each with its length before it.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let length = u32::from_be_bytes(self.0.get(..4)?.try_into().ok()?) as usize;
        let field = self.0.get(4..)?.get(..length)?;
        self.0 = &self.0[4 + length..];
        Some(field)
    }
}

/// What a signature file says.
struct Claimed {
    key: Vec<u8>,
    namespace: Vec<u8>,
    reserved: Vec<u8>,
    hash: Vec<u8>,
    signature: Vec<u8>,
}

/// Checks a `.sig` text against a public key file or an allowed-signers file.
pub(super) fn check(signature: &str, keys: &str, open: impl Fn() -> io::Result<File>) -> io::Result<Status> {
    let wrong = |why: &str| Ok(Status::Wrong(why.to_owned()));
    let claimed = match parse(signature) {
        Parsed::Claimed(claimed) => claimed,
        Parsed::OtherKey(kind) => {
            let how = "ssh-keygen -Y verify checks it";
            return Ok(Status::Unchecked(format!("it was made with a key of kind {kind}, not Ed25519; {how}")));
        }
        Parsed::Rubbish => return wrong("the file is no SSH signature"),
    };
    if claimed.namespace != NAMESPACE {
        return wrong("it was made for another purpose than a file (its namespace is not \"file\")");
    }
    let Some((_, signer)) = self::keys(keys).find(|(key, _)| *key == claimed.key) else {
        return wrong("it was made with a key that is not among those given");
    };
    let digest = match claimed.hash.as_slice() {
        b"sha512" => {
            let mut hasher = Sha512::new();
            stream(open()?, |bytes| hasher.update(bytes))?;
            hasher.finalize().to_vec()
        }
        b"sha256" => {
            let mut hasher = Sha256::new();
            stream(open()?, |bytes| hasher.update(bytes))?;
            hasher.finalize().to_vec()
        }
        _ => return wrong("its hash algorithm is unknown"),
    };
    let mut message = b"SSHSIG".to_vec();
    for field in [&claimed.namespace, &claimed.reserved, &claimed.hash, &digest] {
        message.extend((field.len() as u32).to_be_bytes());
        message.extend_from_slice(field);
    }
    if is_signed(&message, &claimed.signature, &claimed.key) {
        Ok(Status::Good(format!("SSH, namespace file, signer {signer}")))
    } else {
        wrong("it is not a signature of this bundle")
    }
}

/// What a text that should be a signature is.
enum Parsed {
    Claimed(Claimed),
    /// A signature with a key of this kind, which is not checked here.
    OtherKey(String),
    Rubbish,
}

fn parse(text: &str) -> Parsed {
    let body = text
        .split_once("-----BEGIN SSH SIGNATURE-----")
        .and_then(|(_, rest)| rest.split_once("-----END SSH SIGNATURE-----"))
        .and_then(|(body, _)| decode(body));
    let Some(blob) = body else { return Parsed::Rubbish };
    fields(&blob).unwrap_or(Parsed::Rubbish)
}

fn fields(blob: &[u8]) -> Option<Parsed> {
    let rest = blob.strip_prefix(b"SSHSIG")?.strip_prefix(&1_u32.to_be_bytes())?;
    let mut fields = Fields(rest);
    let key = fields.next()?;
    let kind = Fields(key).next()?;
    if kind != KIND {
        let named = kind.iter().all(|b| b.is_ascii_alphanumeric() || b"-@.".contains(b)) && kind.len() <= 64;
        return named.then(|| Parsed::OtherKey(String::from_utf8_lossy(kind).into_owned()));
    }
    let (namespace, reserved, hash) = (fields.next()?, fields.next()?, fields.next()?);
    let (key, signature) = (ed25519(key)?, ed25519(fields.next()?)?);
    let [namespace, reserved, hash] = [namespace, reserved, hash].map(<[u8]>::to_vec);
    Some(Parsed::Claimed(Claimed { key, namespace, reserved, hash, signature }))
}

/// True when a text holds at least one Ed25519 key.
pub(super) fn holds_key(text: &str) -> bool {
    keys(text).next().is_some()
}

/// Ed25519 keys of a public key file or an allowed-signers file, each with who holds it: the comment of a
/// public key, or the principal of an allowed-signers line.
fn keys(text: &str) -> impl Iterator<Item = (Vec<u8>, String)> {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let position = words.iter().position(|word| word.as_bytes() == KIND)?;
        let key = ed25519(&decode(words.get(position + 1)?)?)?;
        let name = if position > 0 { words.first() } else { words.get(position + 2) };
        Some((key, name.copied().unwrap_or("without a name").to_owned()))
    })
}

/// The second field of a blob whose first says `ssh-ed25519`.
fn ed25519(blob: &[u8]) -> Option<Vec<u8>> {
    let mut fields = Fields(blob);
    (fields.next()? == KIND).then(|| fields.next().map(<[u8]>::to_vec))?
}
