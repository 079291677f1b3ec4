//! The text files of BagIt 1.0 (RFC 8493): writing them, and reading what others wrote.
//!
//! Written: lower-case hexadecimal, two spaces, LF, so that `sha256sum -c` reads the manifests too.
//! Read: either case, any run of spaces and tabs, `%0D %0A %25` decoded. Nothing is fetched, ever.

use std::collections::BTreeMap;

/// The declaration, exactly as the RFC wants it.
pub(super) const DECLARATION: &str = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";

/// A hash algorithm of manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Algorithm {
    /// SHA-256
    Sha256,
    /// SHA-512
    Sha512,
}

impl Algorithm {
    /// Both, in the order of the files.
    pub(super) const ALL: [Self; 2] = [Self::Sha256, Self::Sha512];

    /// Name of the payload manifest.
    pub(super) const fn manifest(self) -> &'static str {
        match self {
            Self::Sha256 => "manifest-sha256.txt",
            Self::Sha512 => "manifest-sha512.txt",
        }
    }

    /// Name of the tag manifest.
    pub(super) const fn tag_manifest(self) -> &'static str {
        match self {
            Self::Sha256 => "tagmanifest-sha256.txt",
            Self::Sha512 => "tagmanifest-sha512.txt",
        }
    }

    /// Hexadecimal digits of a digest.
    pub(super) const fn digits(self) -> usize {
        match self {
            Self::Sha256 => 64,
            Self::Sha512 => 128,
        }
    }
}

/// One line of a manifest.
pub(super) fn line(digest: &[u8], path: &str) -> String {
    let mut out = hex(digest);
    out.push_str("  ");
    out.push_str(path);
    out.push('\n');
    out
}

/// Bytes of the line of `path`.
pub(super) fn line_len(algorithm: Algorithm, path: &str) -> u64 {
    (algorithm.digits() + 3 + path.len()) as u64
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A manifest as read: path to lower-case digest, and the faults with their line numbers.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) files: BTreeMap<String, String>,
    pub(super) faults: Vec<(usize, String)>,
}

/// Reads a manifest of an algorithm.
pub(super) fn read_manifest(text: &str, algorithm: Algorithm) -> Manifest {
    let mut manifest = Manifest::default();
    if text.contains('\r') {
        manifest.faults.push((1, "it has CR line ends; checksum tools would look for other names".into()));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        manifest.faults.push((text.lines().count(), "its last line does not end".into()));
    }
    for (index, line) in text.lines().enumerate() {
        match entry(line, algorithm) {
            Ok((digest, path)) => {
                if manifest.files.insert(path.clone(), digest).is_some() {
                    manifest.faults.push((index + 1, format!("{path} is listed twice")));
                }
            }
            Err(fault) => manifest.faults.push((index + 1, fault)),
        }
    }
    manifest
}

fn entry(line: &str, algorithm: Algorithm) -> Result<(String, String), String> {
    let (digest, rest) = line.split_once([' ', '\t']).ok_or("it has no path")?;
    let path = rest.trim_start_matches([' ', '\t']);
    let path =
        path.replace("%0D", "\r").replace("%0d", "\r").replace("%0A", "\n").replace("%0a", "\n").replace("%25", "%");
    if digest.len() != algorithm.digits() || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(format!("its checksum does not have {} hexadecimal digits", algorithm.digits()));
    }
    let leaves = path.starts_with(['/', '~', '\\'])
        || path.split('/').any(|part| matches!(part, "" | "." | ".."))
        || path.as_bytes().get(1) == Some(&b':')
        || path.contains('\\');
    if leaves {
        return Err("its path leaves the bag".into());
    }
    Ok((digest.to_ascii_lowercase(), path))
}

/// Text of `bag-info.txt`. Line ends inside values become spaces, because the value ends there.
pub(super) fn info_text(fields: &[(&str, String)]) -> String {
    let line = |(label, value): &(&str, String)| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{label}: {value}\n")
    };
    fields.iter().map(line).collect()
}

/// Reads `bag-info.txt`: labels in lower case with their values, in order; `None` for a line that is
/// neither a field nor the continuation of one.
pub(super) fn read_info(text: &str) -> Option<Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with([' ', '\t']) {
            let field = fields.last_mut()?;
            field.1.push(' ');
            field.1.push_str(line.trim());
        } else {
            let (label, value) = line.split_once(':')?;
            fields.push((label.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = line(&[0xab; 32], "data/a b.txt");
        assert_eq!(text.len() as u64, line_len(Algorithm::Sha256, "data/a b.txt"));
        let manifest = read_manifest(&text, Algorithm::Sha256);
        assert_eq!(manifest.files.get("data/a b.txt"), Some(&"ab".repeat(32)));
        assert!(manifest.faults.is_empty());
    }

    #[test]
    fn faults_of_a_manifest_have_lines() {
        let good = "0".repeat(64);
        for (text, expected) in [
            (format!("{good} data/x\n{good} data/x\n"), 2),
            (format!("{good} ../x\n"), 1),
            (format!("{good} /etc/passwd\n"), 1),
            (format!("{good} C:/x\n"), 1),
            (format!("{good} ~root/x\n"), 1),
            (format!("{}  data/x\n", "0".repeat(63)), 1),
            (format!("{good}\n"), 1),
            (format!("{good} data/x\r\n"), 1),
            (format!("{good} data/x"), 1),
        ] {
            let manifest = read_manifest(&text, Algorithm::Sha256);
            assert_eq!(manifest.faults.first().map(|f| f.0), Some(expected), "{text:?}");
        }
        let encoded = read_manifest(&format!("{good}\tdata/100%25%0A.txt\n"), Algorithm::Sha256);
        assert!(encoded.files.contains_key("data/100%\n.txt") && encoded.faults.is_empty());
    }

    #[test]
    fn info_fields_keep_order_and_join_continuations() {
        let text = info_text(&[("Title", "a\nb".into()), ("Payload-Oxum", "1.2".into())]);
        assert_eq!(text, "Title: a b\nPayload-Oxum: 1.2\n");
        let fields = read_info("Title: a\n  b\nPAYLOAD-OXUM: 1.2\n").unwrap();
        assert_eq!(fields, [("title".into(), "a b".into()), ("payload-oxum".into(), "1.2".into())]);
        assert!(read_info("nothing\n").is_none());
    }
}
