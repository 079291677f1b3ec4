//! Pointers that version control leaves in the place of large files.
//!
//! Git LFS and git-annex keep the content elsewhere and put a few lines of text where the file should be.
//! Such text is not the file: whoever reads it as one finds a broken file and says something wrong about
//! the archive.

use std::fmt;
use std::io;

/// Longest text that can be a pointer; the Git LFS specification says less than 1024 bytes.
pub(super) const LONGEST: usize = 1024;

/// A file that is not here, and what its pointer says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFetched {
    /// Which tool keeps the content.
    pub tool: &'static str,
    /// SHA-256 in hexadecimal digits, or the key of the content.
    pub key: String,
    /// Size, where the pointer says it.
    pub bytes: Option<u64>,
}

impl fmt::Display for NotFetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes"));
        let (tool, fetch) = match self.tool {
            "git-annex" => ("a git-annex pointer", "git annex get"),
            _ => ("a Git LFS pointer", "git lfs pull"),
        };
        write!(f, "it is {tool} ({}{bytes}) and not the file: fetch the content (`{fetch}`)", self.key)
    }
}

impl std::error::Error for NotFetched {}

impl NotFetched {
    /// The pointer that a whole file is; `None` for any other content.
    pub fn parse(content: &[u8]) -> Option<Self> {
        if content.len() > LONGEST {
            return None;
        }
        let text = std::str::from_utf8(content).ok()?;
        Self::lfs(text).or_else(|| Self::annex(text))
    }

    /// Lines of `key value`, `version` first.
    fn lfs(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines();
        let version = lines.next()?.strip_prefix("version ")?;
        if !["https://git-lfs.github.com/spec/", "https://hawser.github.com/spec/"]
            .iter()
            .any(|known| version.starts_with(known))
        {
            return None;
        }
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).map(str::trim);
        let key = value("oid")?.replace(':', " ");
        Some(Self { tool: "Git LFS", key, bytes: value("size").and_then(|size| size.parse().ok()) })
    }

    /// One line with the path of an object.
    fn annex(text: &str) -> Option<Self> {
        let line = text.lines().next()?;
        let key = line.rsplit('/').next().filter(|key| line.contains("/annex/objects/") && !key.is_empty())?;
        let bytes = key.split('-').find_map(|part| part.strip_prefix('s')?.parse().ok());
        Some(Self { tool: "git-annex", key: format!("key {key}"), bytes })
    }

    /// The pointer that an error is about.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }
}

impl From<NotFetched> for io::Error {
    fn from(pointer: NotFetched) -> Self {
        Self::new(io::ErrorKind::InvalidData, pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Git LFS specification, version 1.
    const LFS: &str = "version https://git-lfs.github.com/spec/v1\n\
        oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

    #[test]
    fn pointers_are_known_and_say_where_the_content_is() {
        let pointer = NotFetched::parse(LFS.as_bytes()).unwrap();
        assert_eq!(pointer.bytes, Some(12345));
        assert_eq!(
            pointer.to_string(),
            "it is a Git LFS pointer (sha256 4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393, \
             12345 bytes) and not the file: fetch the content (`git lfs pull`)"
        );
        let crlf = LFS.replace('\n', "\r\n");
        assert_eq!(NotFetched::parse(crlf.as_bytes()).unwrap().bytes, Some(12345));
        let annex = NotFetched::parse(b"/annex/objects/SHA256E-s42--abc.json\n").unwrap();
        assert_eq!((annex.tool, annex.bytes), ("git-annex", Some(42)));
        for other in ["", "{}", "version 2\n", "version https://example.org\noid x", "annex/objects"] {
            assert_eq!(NotFetched::parse(other.as_bytes()), None, "{other:?}");
        }
    }
}
