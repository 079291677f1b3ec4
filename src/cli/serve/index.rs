//! The page that lists what a folder of sites holds.

use std::path::Path;

use crate::json::Reader;
use crate::markup::escape;
use crate::world::disk::read_file;

/// The folders below `folder` that have a page or a list of versions, by name.
pub(super) fn page(folder: &Path) -> String {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|child| child.path().is_dir())
        .filter_map(|child| child.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.') && folder.join(name).join("index.html").is_file())
        .collect();
    names.sort();
    let row = |name: &String| {
        let title = title(&folder.join(name)).unwrap_or_else(|| name.clone());
        format!("<li><a href=\"{}/\">{}</a></li>\n", escape(&encode(name)), escape(&title))
    };
    let rows: String = names.iter().map(row).collect();
    let list = if names.is_empty() {
        "<p>No study has pages here. <code>repro build STUDY --out DIR</code> writes them to DIR/site/.</p>\n"
            .to_owned()
    } else {
        format!("<ul>\n{rows}</ul>\n")
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Studies</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<main>\n<h1>Studies</h1>\n{list}</main>\n</body>\n</html>\n"
    )
}

/// The title in the list of versions of a study.
fn title(folder: &Path) -> Option<String> {
    let bytes = read_file(&folder.join("versions.json")).ok()?;
    let value = Reader::new(&bytes).value().ok()?;
    Some(value.get("title")?.as_text()?.to_owned())
}

fn encode(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
