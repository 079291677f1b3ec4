//! `repro verify X.zip --key FILE`: signatures beside a bundle, made by the tools that authors have.

use std::process::{Command, Stdio};

use blake2::{Blake2b512, Digest as _};
use ed25519_compact::{KeyPair, Seed};

use super::Lab;
use super::lab::Ran;

const BUNDLE: &str = "out/bundles/tiny-1.0.zip";

fn built() -> Lab {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    lab
}

/// A key of minisign, and signatures in its format (its own tool made those of the module's tests).
struct Minisign(KeyPair);

impl Minisign {
    fn new(seed: u8) -> Self {
        Self(KeyPair::from_seed(Seed::new([seed; 32])))
    }

    fn public(&self) -> String {
        let blob = [&b"Ed"[..], &self.identifier(), self.0.pk.as_ref()].concat();
        format!("untrusted comment: minisign public key\n{}\n", base64(&blob))
    }

    fn identifier(&self) -> [u8; 8] {
        self.0.pk.as_ref()[..8].try_into().unwrap()
    }

    /// Signs with the hashed form (`ED`), or the older one of the whole file (`Ed`).
    fn sign(&self, content: &[u8], hashed: bool, comment: &str) -> String {
        let message = if hashed { Blake2b512::digest(content).to_vec() } else { content.to_vec() };
        let signature = self.0.sk.sign(message, None);
        let global = self.0.sk.sign([signature.as_ref(), comment.as_bytes()].concat(), None);
        let kind: &[u8] = if hashed { b"ED" } else { b"Ed" };
        let blob = [kind, &self.identifier(), signature.as_ref()].concat();
        let (blob, global) = (base64(&blob), base64(global.as_ref()));
        format!("untrusted comment: x\n{blob}\ntrusted comment: {comment}\n{global}\n")
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| -> String {
        let number = (0..3).fold(0_u32, |number, index| (number << 8) | u32::from(*chunk.get(index).unwrap_or(&0)));
        let letter = |index: usize| char::from(LETTERS[(number >> (18 - 6 * index)) as usize & 63]);
        (0..4).map(|index| if index <= chunk.len() { letter(index) } else { '=' }).collect()
    };
    bytes.chunks(3).map(group).collect()
}

#[test]
fn a_signature_of_minisign_is_good_for_its_bundle_and_key_alone() {
    let lab = built();
    let (author, other) = (Minisign::new(1), Minisign::new(2));
    lab.write("author.pub", author.public()).write("other.pub", other.public());
    let content = std::fs::read(lab.path(BUNDLE)).unwrap();
    for hashed in [true, false] {
        lab.write(&format!("{BUNDLE}.minisig"), author.sign(&content, hashed, "version 1.0\u{1b}[2J"));
        let good = lab.run(&format!("verify {BUNDLE} --key author.pub")).exits(0);
        good.says("tiny-1.0.zip.minisig: good; minisign, trusted comment: version 1.0\\u{1b}[2J");
        lab.run(&format!("verify {BUNDLE} --key other.pub"))
            .exits(1)
            .says("tiny-1.0.zip.minisig: WRONG; it was made with another key")
            .says("[signature-wrong]");
        lab.run(&format!("verify {BUNDLE} --key other.pub --key author.pub")).exits(0).says("minisig: good");
        lab.write(&format!("{BUNDLE}.minisig"), author.sign(&content[1..], hashed, "version 1.0"));
        lab.run(&format!("verify {BUNDLE} --key author.pub"))
            .exits(1)
            .says("WRONG; it is not a signature of this bundle")
            .says("help [signature-wrong]: Fetch bundle and signature again");
    }
    lab.write(&format!("{BUNDLE}.minisig"), "not a signature");
    lab.run(&format!("verify {BUNDLE} --key author.pub")).exits(1).says("[signature-wrong]");
}

#[test]
fn without_a_key_a_signature_is_reported_and_a_key_without_signature_is_missing_evidence() {
    let lab = built();
    let author = Minisign::new(1);
    lab.write("author.pub", author.public()).write("no.pub", "rubbish");
    lab.run(&format!("verify {BUNDLE} --key author.pub")).exits(4).says("[signature-absent] author.pub");
    lab.run(&format!("verify {BUNDLE} --key author.pub --allow-missing")).exits(0);
    lab.run(&format!("verify {BUNDLE} --key no.pub")).exits(3).complains("no.pub").complains("neither a minisign");
    lab.run(&format!("verify {BUNDLE} --key absent.pub")).exits(3).complains("absent.pub");
    lab.run("verify study --key author.pub").exits(2).complains("--key is for a bundle");
    lab.write(&format!("{BUNDLE}.minisig"), author.sign(b"other", true, "x"));
    lab.run(&format!("verify {BUNDLE}")).exits(0).says("minisig: not checked; a signature is here, not checked");
    lab.run(&format!("verify {BUNDLE}")).exits(0).says("give --key FILE");
    let document = lab.run(&format!("verify {BUNDLE} --json")).exits(0).json();
    let findings = document["findings"].as_array().unwrap();
    let unchecked = findings.iter().find(|finding| finding["code"] == "signature-unchecked").unwrap();
    assert_eq!(unchecked["severity"], "note");
    assert!(document["result"]["signatures"][0]["status"]["unchecked"].is_string(), "{document}");
}

/// Runs `ssh-keygen`; `None` where it is not installed.
fn ssh_keygen(lab: &Lab, words: &[&str]) {
    let mut command = Command::new("ssh-keygen");
    let done = command.args(words).current_dir(lab.path("")).stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
#[cfg_attr(not(has_ssh_keygen), ignore = "needs ssh-keygen")]
fn a_signature_of_ssh_is_good_for_its_bundle_and_key_alone() {
    let lab = built();
    let make = |file: &str, kind: &str| {
        ssh_keygen(&lab, &["-q", "-t", kind, "-N", "", "-C", "author@example.org", "-f", file]);
    };
    make("author", "ed25519");
    make("other", "ed25519");
    make("curve", "ecdsa");
    let sign = |key: &str, namespace: &str| {
        let _ = std::fs::remove_file(lab.path(&format!("{BUNDLE}.sig")));
        ssh_keygen(&lab, &["-q", "-Y", "sign", "-f", key, "-n", namespace, BUNDLE]);
    };
    let verify = |keys: &str| -> Ran { lab.run(&format!("verify {BUNDLE} {keys}")) };
    sign("author", "file");
    verify("--key author.pub").exits(0).says("tiny-1.0.zip.sig: good; SSH, namespace file, signer author@example.org");
    let allowed = format!("somebody@example.org namespaces=\"file\" {}", lab.text("author.pub"));
    lab.write("allowed", allowed);
    verify("--key allowed").exits(0).says("signer somebody@example.org");
    verify("--key other.pub").exits(1).says("[signature-wrong]").says("not among those given");
    verify("").exits(0).says("tiny-1.0.zip.sig: not checked");
    sign("author", "email");
    verify("--key author.pub").exits(1).says("made for another purpose");
    sign("curve", "file");
    let unknown = verify("--key author.pub").exits(4).says("made with a key of kind ecdsa-sha2-nistp256");
    unknown.says("[signature-absent] author.pub");
    sign("author", "file");
    let signature = lab.text(&format!("{BUNDLE}.sig"));
    lab.edit("study/README.md", "Tiny bench", "Tiny test");
    lab.run("build study --out out --replace").exits(0).says("tiny-1.0.zip.sig is a signature of the former bundle");
    assert_eq!(lab.text(&format!("{BUNDLE}.sig")), signature, "the author's file was touched");
    verify("--key author.pub").exits(1).says("it is not a signature of this bundle");
}
