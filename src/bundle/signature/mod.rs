//! Signatures beside a bundle: made by the user's own tools, checked here without a network.
//!
//! | file beside `X.zip` | made by | checked |
//! | --- | --- | --- |
//! | `X.zip.minisig` | `minisign -Sm X.zip` | yes, with the author's public key |
//! | `X.zip.sig` | `ssh-keygen -Y sign -n file` | yes, Ed25519 keys |
//! | `X.zip.asc`, `X.zip.tsr` | OpenPGP, RFC 3161 | reported, not checked |
//!
//! Manifests find accidents; only a signature finds somebody. A signature without a key that the reader
//! trusts proves nothing, so without one it is reported as not checked. A key that nothing beside the
//! bundle belongs to is missing evidence: whoever gives a key asks for a check.

mod base64;
mod key;
mod minisign;
mod ssh;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use self::key::{Key, Kind};
use super::error::BundleError;
use crate::report::{Finding, Place};

/// Largest file that is taken for a key or a signature.
const MOST: u64 = 64 << 10;
const NO_KEY: &str = "it holds neither a minisign public key nor an ssh-ed25519 key";

/// What became of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It belongs to the bundle and to the key given; what it says of itself (trusted comment,
    /// namespace).
    Good(String),
    /// It does not; why.
    Wrong(String),
    /// It was not checked; why.
    Unchecked(String),
}

/// A signature beside a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// Its file.
    pub path: PathBuf,
    /// What became of it.
    pub status: Status,
}

impl Signature {
    /// The same as a finding; none for a good signature.
    pub fn finding(&self) -> Option<Finding> {
        let place = Place::file(self.path.display().to_string());
        match &self.status {
            Status::Good(_) => None,
            Status::Wrong(why) => Some(Finding::new("signature-wrong", place, why.clone())),
            Status::Unchecked(why) => Some(Finding::new("signature-unchecked", place, why.clone())),
        }
    }
}

/// What was found beside a bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Signatures {
    /// Every signature, by kind.
    pub found: Vec<Signature>,
    /// Key files that no signature beside the bundle could be checked with.
    pub unused: Vec<PathBuf>,
}

impl Signatures {
    /// The same as findings; none where every signature is good and every key was used.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        let unused = |key: &PathBuf| {
            let message = "a key was given, and no signature that it can check lies beside the bundle";
            Finding::new("signature-absent", Place::file(key.display().to_string()), message)
        };
        self.found.iter().filter_map(Signature::finding).chain(self.unused.iter().map(unused))
    }
}

/// Looks for signatures beside the bundle at `path` and checks them with `keys`: minisign public keys,
/// OpenSSH public keys or allowed-signers files. A signature is checked with the keys of its kind, and
/// is good when one of them made it.
///
/// # Errors
/// A file that cannot be read, and a key file that holds no key of either kind.
pub fn signatures(path: &Path, keys: &[PathBuf]) -> Result<Signatures, BundleError> {
    let failed = |path: &Path, error| BundleError::Read { path: path.display().to_string(), error };
    let read = |key: &PathBuf| {
        let key_of = |text: String| Key::parse(&text).ok_or_else(|| io::Error::other(NO_KEY));
        read_text(key).and_then(key_of).map_err(|error| failed(key, error))
    };
    let parsed = keys.iter().map(read).collect::<Result<Vec<Key>, _>>()?;
    let mut found = Vec::new();
    let mut used = vec![false; keys.len()];
    for extension in ["minisig", "sig", "asc", "tsr"] {
        let beside = with_suffix(path, extension);
        if !beside.is_file() {
            continue;
        }
        let kind = match extension {
            "minisig" => Some(Kind::Minisign),
            "sig" => Some(Kind::Ssh),
            _ => None,
        };
        let fitting: Vec<usize> = (0..keys.len()).filter(|&index| Some(parsed[index].kind()) == kind).collect();
        let mut status = match (kind, keys.is_empty()) {
            (None, _) => Status::Unchecked("this kind of signature is checked by the tool that made it".to_owned()),
            (_, true) => Status::Unchecked("a signature is here, not checked: give --key FILE".to_owned()),
            _ => Status::Unchecked("a signature is here, not checked: no key given is of its kind".to_owned()),
        };
        for index in fitting {
            let text = read_text(&beside).map_err(|error| failed(&beside, error))?;
            let checked = parsed[index].check(&text, || File::open(path)).map_err(|error| failed(path, error))?;
            used[index] |= !matches!(checked, Status::Unchecked(_));
            let is_good = matches!(checked, Status::Good(_));
            // The first reason stands when no key fits.
            if is_good || matches!(status, Status::Unchecked(_)) {
                status = checked;
            }
            if is_good {
                break;
            }
        }
        found.push(Signature { path: beside, status });
    }
    let unused = keys.iter().zip(used).filter(|(_, used)| !used).map(|(key, _)| key.clone()).collect();
    Ok(Signatures { found, unused })
}

/// Signature files beside `path`, of whatever kind: after the bundle is written anew they belong to its
/// former bytes.
pub fn signature_files(path: &Path) -> Vec<PathBuf> {
    ["minisig", "sig", "asc", "tsr"]
        .iter()
        .map(|extension| with_suffix(path, extension))
        .filter(|p| p.is_file())
        .collect()
}

fn with_suffix(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{extension}"));
    name.into()
}

fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MOST).read_to_string(&mut text)?;
    Ok(text)
}

/// Feeds a whole file to `update`.
fn stream(mut file: File, mut update: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            read => update(&buffer[..read]),
        }
    }
}

/// True when the Ed25519 signature (RFC 8032) of `message` is that of the key.
fn is_signed(message: &[u8], signature: &[u8], key: &[u8]) -> bool {
    let parts = (ed25519_compact::PublicKey::from_slice(key), ed25519_compact::Signature::from_slice(signature));
    matches!(parts, (Ok(key), Ok(signature)) if key.verify(message, &signature).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made by OpenSSH 9 and by py-minisign over the eleven bytes "the bundle\n".
    const SSH_KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH4c/VU2Gs4Jbme1doHDBba+ybT+1W9CfreXQU7L8xci author@example.org\n";
    const SSH_SIGNATURE: &str = "-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgfhz9VTYazgluZ7V2gcMFtr7JtP
7Vb0J+t5dBTsvzFyIAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAEAeJ6yCdEBLfF7eq3vxrXj4dkmjQO+uq55j+OYvaGIrwZhRUI4icuxrt+L7C54pF+
ENiOYMHPhz+buzdGwJbxgG
-----END SSH SIGNATURE-----
";
    const MINISIGN_KEY: &str = "untrusted comment: minisign public key 1707B5F8B3B8AACA
RWQXB7X4s7iqynbSenGRceXxoxjLAy/xLU0/9cw1JlvaHC2Ni0b95Xvo
";
    const MINISIGN_SIGNATURE: &str = "untrusted comment: signature from minisign secret key
RUQXB7X4s7iqyovikV8iZX5ezEMri0iV9Ktt1wtVxwFY6XyWdlyLRZYhMWQH2vQQEgzLmBq8lGiK7hqGBUEB2peHlFCC+b8ZHQU=
trusted comment: version 1.10
p15zreq/2LZzOtxscH1YAfKm590YFni5bx38sBsfPKdVY8N6LsHp3oR3CLI73+b8wZtYeziIBnYvG3ufZ6dPCg==
";

    fn status(content: &[u8], extension: &str, signature: &str, key: Option<&str>) -> Status {
        let found = beside(content, &[(extension, signature)], key).unwrap();
        assert_eq!(found.found.len(), 1);
        found.found[0].status.clone()
    }

    fn beside(content: &[u8], signatures_: &[(&str, &str)], key: Option<&str>) -> Result<Signatures, BundleError> {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::io::Write::write_all(&mut File::create(&path).unwrap(), bytes).unwrap();
            path
        };
        let bundle = write("x.zip", content);
        for (extension, signature) in signatures_ {
            write(&format!("x.zip.{extension}"), signature.as_bytes());
        }
        let keys: Vec<PathBuf> = key.iter().map(|key| write("key", key.as_bytes())).collect();
        signatures(&bundle, &keys)
    }

    #[test]
    fn signatures_of_the_real_tools_are_good_and_an_altered_bundle_is_not() {
        let cases =
            [("sig", SSH_SIGNATURE, SSH_KEY, "file"), ("minisig", MINISIGN_SIGNATURE, MINISIGN_KEY, "version 1.10")];
        for (extension, signature, key, says) in cases {
            let good = status(b"the bundle\n", extension, signature, Some(key));
            assert!(matches!(&good, Status::Good(text) if text.contains(says)), "{good:?}");
            assert!(matches!(status(b"the Bundle\n", extension, signature, Some(key)), Status::Wrong(_)));
            assert!(matches!(status(b"the bundle\n", extension, signature, None), Status::Unchecked(_)));
        }
        let allowed = format!("author@example.org namespaces=\"file\" {SSH_KEY}");
        assert!(matches!(status(b"the bundle\n", "sig", SSH_SIGNATURE, Some(&allowed)), Status::Good(_)));
    }

    #[test]
    fn another_key_a_forged_comment_and_rubbish_are_wrong() {
        let other = SSH_KEY.replace("H4c/VU2", "H4c/VU3");
        assert!(matches!(status(b"the bundle\n", "sig", SSH_SIGNATURE, Some(&other)), Status::Wrong(_)));
        let forged = MINISIGN_SIGNATURE.replace("version 1.10", "version 1.11");
        assert!(matches!(status(b"the bundle\n", "minisig", &forged, Some(MINISIGN_KEY)), Status::Wrong(_)));
        for extension in ["sig", "minisig"] {
            for rubbish in
                ["", "x", "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n", "a\nb\nc\nd\n"]
            {
                let key = if extension == "sig" { SSH_KEY } else { MINISIGN_KEY };
                assert!(matches!(status(b"the bundle\n", extension, rubbish, Some(key)), Status::Wrong(_)));
            }
        }
        assert!(matches!(status(b"x", "asc", "", Some(SSH_KEY)), Status::Unchecked(_)));
    }

    #[test]
    fn a_key_checks_its_own_kind_and_is_missed_where_there_is_none() {
        let both = [("sig", SSH_SIGNATURE), ("minisig", MINISIGN_SIGNATURE)];
        let found = beside(b"the bundle\n", &both, Some(MINISIGN_KEY)).unwrap();
        assert!(matches!(&found.found[0].status, Status::Good(_)) && found.unused.is_empty());
        assert!(matches!(&found.found[1].status, Status::Unchecked(why) if why.contains("of its kind")));
        let found = beside(b"the bundle\n", &both[..1], Some(MINISIGN_KEY)).unwrap();
        let codes: Vec<_> = found.findings().map(|finding| finding.code).collect();
        assert_eq!(codes, ["signature-unchecked", "signature-absent"]);
        for no_key in ["", "ssh-rsa AAAA author\n", "untrusted comment: x\nAAAA\n"] {
            assert!(matches!(beside(b"x", &both, Some(no_key)), Err(BundleError::Read { .. })), "{no_key:?}");
        }
    }
}
