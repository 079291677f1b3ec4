//! From the path of a request to a file that may be shown.

use std::path::{Component, Path, PathBuf};

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A regular file.
    File(PathBuf),
    /// A folder, named without the slash at its end.
    Folder,
    /// A folder without a page of its own.
    NoPage(PathBuf),
    /// Nothing that may be shown.
    Nothing,
}

/// File for a path below the folder (percent-encoded, without query). Nothing but regular files and folders
/// whose real place is below the folder is ever found: no link that leads out, no pipe, no device.
pub(super) fn locate(folder: &Path, path: &str) -> Found {
    let Some(decoded) = path.strip_prefix('/').and_then(percent_decode) else { return Found::Nothing };
    let relative = Path::new(&decoded);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Found::Nothing;
    }
    let (Ok(root), Ok(real)) = (folder.canonicalize(), folder.join(relative).canonicalize()) else {
        return Found::Nothing;
    };
    if !real.starts_with(&root) {
        return Found::Nothing;
    }
    if !real.is_dir() {
        return if real.is_file() && !path.ends_with('/') { Found::File(real) } else { Found::Nothing };
    }
    if !path.ends_with('/') {
        return Found::Folder;
    }
    let page = real.join("index.html");
    match page.canonicalize() {
        Ok(page) if page.starts_with(&root) && page.is_file() => Found::File(page),
        _ => Found::NoPage(real),
    }
}

fn percent_decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let digits = text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).ok().filter(|path| !path.contains('\0'))
}

/// Media type by extension.
pub(super) fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json" | "jsonld") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt" | "md" | "toml" | "py") => "text/plain; charset=utf-8",
        Some("png") => "image/png",
        Some("xml") => "application/xml",
        Some("zip") => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::disk::write_file;

    #[test]
    fn requests_cannot_leave_the_folder_and_only_regular_files_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        for (path, text) in
            [("site/index.html", "i"), ("site/a b/index.html", "j"), ("site/c/x.txt", "x"), ("secret", "s")]
        {
            write_file(&folder.path().join(path), text.as_bytes()).unwrap();
        }
        std::os::unix::fs::symlink(folder.path().join("secret"), site.join("link")).unwrap();
        std::os::unix::fs::symlink(folder.path(), site.join("up")).unwrap();
        nix::unistd::mkfifo(&site.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [
            "/../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "//etc/passwd",
            "/link",
            "/up/secret",
            "/a%00",
            "x",
            "/%zz",
            "/%+1",
            "/pipe",
            "/c/x.txt/",
            "/none",
        ] {
            assert_eq!(locate(&site, path), Found::Nothing, "{path}");
        }
        assert!(matches!(locate(&site, "/"), Found::File(path) if path.ends_with("index.html")));
        assert!(matches!(locate(&site, "/a%20b/"), Found::File(_)));
        assert_eq!(locate(&site, "/a%20b"), Found::Folder);
        assert!(matches!(locate(&site, "/c/"), Found::NoPage(_)));
    }
}
