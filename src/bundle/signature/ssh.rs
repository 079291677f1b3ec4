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
    let Some(claimed) = parse(signature) else {
        return wrong("the file is no SSH signature with an Ed25519 key");
    };
    if claimed.namespace != NAMESPACE {
        return wrong("it was made for another purpose than a file (its namespace is not \"file\")");
    }
    let Some(signer) = signer(keys, &claimed.key) else {
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

fn parse(text: &str) -> Option<Claimed> {
    let body = text.split_once("-----BEGIN SSH SIGNATURE-----")?.1.split_once("-----END SSH SIGNATURE-----")?.0;
    let blob = decode(body)?;
    let rest = blob.strip_prefix(b"SSHSIG")?.strip_prefix(&1_u32.to_be_bytes())?;
    let mut fields = Fields(rest);
    let key = ed25519(fields.next()?)?;
    let (namespace, reserved, hash) = (fields.next()?, fields.next()?, fields.next()?);
    let signature = ed25519(fields.next()?)?;
    Some(Claimed { key, namespace: namespace.to_vec(), reserved: reserved.to_vec(), hash: hash.to_vec(), signature })
}

/// The second field of a blob whose first says `ssh-ed25519`.
fn ed25519(blob: &[u8]) -> Option<Vec<u8>> {
    let mut fields = Fields(blob);
    (fields.next()? == KIND).then(|| fields.next().map(<[u8]>::to_vec))?
}

/// Who holds the key, by the file of keys: the comment of a public key, or the principal of an
/// allowed-signers line.
fn signer(keys: &str, key: &[u8]) -> Option<String> {
    for line in keys.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(position) = words.iter().position(|word| word.as_bytes() == KIND) else { continue };
        let listed = words.get(position + 1).and_then(|word| decode(word)).and_then(|blob| ed25519(&blob));
        if listed.as_deref() == Some(key) {
            let name = if position > 0 { words.first() } else { words.get(position + 2) };
            return Some(name.copied().unwrap_or("without a name").to_owned());
        }
    }
    None
}
