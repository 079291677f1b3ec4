//! Keys that a reader trusts, told apart by what their files hold.

use std::fs::File;
use std::io;

use super::base64::decode;
use super::{Status, minisign, ssh};

/// What a key can check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `.minisig`
    Minisign,
    /// `.sig`
    Ssh,
}

/// A key file.
#[derive(Debug)]
pub(super) enum Key {
    /// Identifier (8 bytes) and Ed25519 key of minisign.
    Minisign([u8; 40]),
    /// Text of an OpenSSH public key or of an allowed-signers file, with at least one Ed25519 key.
    Ssh(String),
}

impl Key {
    /// The key in a text; `None` when it holds none of a known kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if ssh::holds_key(text) {
            return Some(Self::Ssh(text.to_owned()));
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        decode(last)?.strip_prefix(b"Ed")?.try_into().ok().map(Self::Minisign)
    }

    /// Its kind.
    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Minisign(_) => Kind::Minisign,
            Self::Ssh(_) => Kind::Ssh,
        }
    }

    /// Checks a signature of its kind.
    pub(super) fn check(&self, signature: &str, open: impl Fn() -> io::Result<File>) -> io::Result<Status> {
        match self {
            Self::Minisign(key) => minisign::check(signature, key, open),
            Self::Ssh(keys) => ssh::check(signature, keys, open),
        }
    }
}
