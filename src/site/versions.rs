//! The folder above the versions: a list for readers, one for programs, and `latest/`.

use serde::Serialize;

use super::assets::STYLE;
use crate::digest::Digest;
use crate::markup::escape;
use crate::study::Identity;
use crate::tree::{Tree, TreeError};

/// One published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Version {
    /// Name of its folder.
    pub id: String,
    /// Publication date.
    pub date: String,
    /// Digest of the archive it was rendered from.
    pub archive: Digest,
    /// Digest of its bundle, when one was made.
    pub bundle: Option<Digest>,
    /// Size of the bundle in bytes, when it lies beside the versions.
    pub bundle_bytes: Option<u64>,
    /// What was found, in one line.
    pub summary: String,
}

/// `index.html`, `versions.json` and `latest/index.html` for versions given oldest first.
pub fn front(study: &Identity, versions: &[Version]) -> Result<Tree, TreeError> {
    let mut tree = Tree::default();
    let list: Vec<&Version> = versions.iter().rev().collect();
    let json = serde_json::json!({"study": study.id, "title": study.title, "versions": list});
    tree.add("versions.json", format!("{json:#}\n"))?;
    let style = format!("assets/site.{}.css", Digest::of(STYLE.as_bytes()).short(12));
    tree.add(style.clone(), STYLE.as_bytes().to_vec())?;
    let rows: String = list.iter().map(|version| row(study, version)).collect();
    let main = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<h2>Versions</h2>\n<p>A version is never changed once it is published. The newest is first.</p>\n<ul>\n{rows}</ul>\n",
        escape(&study.title),
        escape(&study.description)
    );
    let feed = feed(study, &list);
    let head = if feed.is_some() {
        format!(
            "{}<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Versions\" href=\"feed.xml\">\n",
            link(&style)
        )
    } else {
        link(&style)
    };
    tree.add("index.html", page(&study.title, &head, &main))?;
    if let Some(feed) = feed {
        tree.add("feed.xml", feed)?;
    }
    if let Some(latest) = list.first() {
        let target = format!("../{}/index.html", escape(&latest.id));
        let refresh = format!("<meta http-equiv=\"refresh\" content=\"0; url={target}\">\n");
        let main = format!("<h1>Latest version</h1>\n<p><a href=\"{target}\">Version {}</a></p>\n", escape(&latest.id));
        tree.add(
            "latest/index.html",
            page(&study.title, &format!("{refresh}{}", link(&format!("../{style}"))), &main),
        )?;
    }
    // A host serves this page at any depth, so it may link to no file and brings its few styles itself.
    let main = "<h1>Not found</h1>\n<p>There is no page at this address. Published versions are never changed or removed; check the address, or begin at the front page of the site.</p>\n";
    tree.add(
        "404.html",
        page_styled(&format!("'sha256-{LOST_DIGEST}'"), "Not found", &format!("<style>{LOST}</style>\n"), main),
    )?;
    tree.add(".nojekyll", Vec::new())?;
    Ok(tree)
}

/// A study of a host: what its newest version says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Name of its folder.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its newest version.
    pub newest: Version,
    /// How many versions there are.
    pub versions: usize,
    /// Bytes of all files of the newest version.
    pub bytes: u64,
}

/// The mark by which a front page of a host is known as written by this tool.
pub const MARK: &str = "<meta name=\"generator\" content=\"repro, list of studies\">";

/// The front page of a host: its studies by title, each with its newest version.
pub fn root(studies: &[Listed]) -> Result<Tree, TreeError> {
    let mut tree = Tree::default();
    let style = format!("assets/site.{}.css", Digest::of(STYLE.as_bytes()).short(12));
    tree.add(style.clone(), STYLE.as_bytes().to_vec())?;
    let mut studies: Vec<&Listed> = studies.iter().collect();
    studies.sort_by(|a, b| (&a.title, &a.id).cmp(&(&b.title, &b.id)));
    let row = |study: &&Listed| {
        let versions =
            if study.versions == 1 { "1 version".to_owned() } else { format!("{} versions", study.versions) };
        format!(
            "<li><a href=\"{id}/index.html\">{}</a>: {}\n<br><small>{versions}; the newest is <a href=\"{id}/latest/index.html\">{}</a>, {}, {} MB.</small></li>\n",
            escape(&study.title),
            escape(&study.newest.summary),
            escape(&study.newest.id),
            escape(&study.newest.date),
            crate::number::fixed(study.bytes as f64 / 1e6, 1),
            id = escape(&study.id),
        )
    };
    let rows: String = studies.iter().map(row).collect();
    let main = format!("<h1>Studies</h1>\n<ul>\n{rows}</ul>\n");
    tree.add("index.html", page("Studies", &format!("{MARK}\n{}", link(&style)), &main))?;
    tree.add(".nojekyll", Vec::new())?;
    Ok(tree)
}

/// The versions as an Atom feed, newest first; none where a version is dated by its year alone, since a feed
/// knows only moments.
fn feed(study: &Identity, versions: &[&Version]) -> Option<String> {
    let moment = |date: &str| (date.len() == 10).then(|| format!("{date}T00:00:00Z"));
    let base =
        study.site.as_deref().map_or(String::new(), |site| format!("{}/{}/", site.trim_end_matches('/'), study.id));
    // Without an address the name of the study is all that a feed can be known by.
    let name =
        |rest: &str| if base.is_empty() { format!("urn:repro:{}:{rest}", study.id) } else { format!("{base}{rest}") };
    let entries: Option<String> = versions
        .iter()
        .map(|version| {
            let target = format!("{}/index.html", version.id);
            Some(format!(
                "<entry>\n<title>Version {}</title>\n<id>{}</id>\n<updated>{}</updated>\n<link href=\"{}\"/>\n<summary>{}</summary>\n</entry>\n",
                escape(&version.id),
                escape(&name(&target)),
                moment(&version.date)?,
                escape(&format!("{base}{target}")),
                escape(&version.summary),
            ))
        })
        .collect();
    let newest = moment(&versions.first()?.date)?;
    let author = study.authors.first().map_or(study.title.as_str(), |author| author.family.as_str());
    Some(format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>\n<id>{}</id>\n<updated>{newest}</updated>\n<link rel=\"self\" href=\"{}\"/>\n<author><name>{}</name></author>\n{}</feed>\n",
        escape(&study.title),
        escape(&name("feed.xml")),
        escape(&format!("{base}feed.xml")),
        escape(author),
        entries?,
    ))
}

fn link(style: &str) -> String {
    format!("<link rel=\"stylesheet\" href=\"{style}\">\n")
}

/// Name of the bundle of a version beside the versions.
pub fn bundle_name(study: &str, version: &str) -> String {
    format!("{}-{}.zip", crate::slug::file_name(study), crate::slug::file_name(version))
}

fn row(study: &Identity, version: &Version) -> String {
    // The DOI of a declaration is that of its own version, and leads to where the zip is deposited.
    let doi = study.doi.as_deref().filter(|_| version.id == crate::slug::file_name(&study.version));
    let doi = doi.map_or(String::new(), |doi| format!(" DOI <a href=\"https://doi.org/{0}\">{0}</a>.", escape(doi)));
    format!(
        "<li id=\"{}\"><a href=\"{id}/index.html\">Version {id}</a>, {}. {}\n<br><small>{}{doi} Archive: SHA-256 <code>{}</code>.</small></li>\n",
        escape(&super::routes::anchor(&version.id)),
        escape(&version.date),
        escape(&version.summary),
        bundle(study, version),
        version.archive,
        id = escape(&version.id),
    )
}

/// The bundle of a version with its digest, as a link where it lies beside the versions.
fn bundle(study: &Identity, version: &Version) -> String {
    let name = escape(&bundle_name(&study.id, &version.id));
    match (version.bundle, version.bundle_bytes) {
        (Some(digest), Some(bytes)) => format!(
            "Bundle: <a href=\"{name}\">{name}</a>, {} bytes, SHA-256 <code>{digest}</code>, also in <a href=\"{name}.sha256\">{name}.sha256</a>.",
            crate::number::grouped(bytes)
        ),
        (Some(digest), None) => format!("Bundle: {name}, which does not lie here, SHA-256 <code>{digest}</code>."),
        (None, _) => "No bundle was made with this version.".to_owned(),
    }
}

/// Styles of a page that lies at no known depth.
const LOST: &str = "html{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.55}main{max-width:46rem;margin:4rem auto;padding:0 1rem}h1{font-family:Georgia,serif;font-weight:600}";

/// The digest by which the policy of that page allows these styles and no others.
const LOST_DIGEST: &str = "XjmRaDc4IesRaVUXxHSO1LE4E2FjEZLSOr2Ze+/XLWY=";

/// A tick on blue, as an address of its own: the front loads nothing.
const ICON: &str = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Crect%20width='16'%20height='16'%20rx='3'%20fill='%230072b2'/%3E%3Cpath%20d='M4%208.5l2.5%202.5L12%205.5'%20fill='none'%20stroke='%23fff'%20stroke-width='2'/%3E%3C/svg%3E";

/// A page of the front: it belongs to no version and loads nothing of one.
fn page(title: &str, head: &str, main: &str) -> String {
    page_styled("'self'", title, head, main)
}

/// The same, with where its styles may come from.
fn page_styled(styles: &str, title: &str, head: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {styles}; img-src data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n{head}<title>{}</title>\n<link rel=\"icon\" href=\"{ICON}\">\n</head>\n<body>\n<main>\n{main}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_no_address_allows_its_own_styles() {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digest = Digest::of(LOST.as_bytes());
        let bits: String = digest.as_bytes().iter().map(|byte| format!("{byte:08b}")).collect::<String>() + "00";
        let letter = |six: &[u8]| {
            let at = six.iter().fold(0, |sum, bit| 2 * sum + usize::from(bit - b'0'));
            char::from(LETTERS[at])
        };
        let text: String = bits.as_bytes().chunks(6).map(letter).collect();
        assert_eq!(text + "=", LOST_DIGEST);
    }

    #[test]
    fn the_newest_version_comes_first_and_links_resolve() {
        let study: Identity = serde_json::from_value(serde_json::json!({
            "id": "s", "title": "<S>", "version": "2", "date": "2026-01-01", "description": "d", "licence": "MIT", "authors": []
        }))
        .unwrap();
        let version = |id: &str| Version {
            id: id.into(),
            date: "2026-01-01".into(),
            archive: Digest::of(b"a"),
            bundle: Some(Digest::of(b"b")),
            bundle_bytes: (id == "2").then_some(1_234),
            summary: "all <agree>".into(),
        };
        let mut tree = front(&study, &[version("1"), version("2")]).unwrap();
        let index = std::str::from_utf8(tree.bytes("index.html").unwrap()).unwrap().to_owned();
        assert!(
            index.find("2/index.html").unwrap() < index.find("1/index.html").unwrap() && !index.contains("<agree>")
        );
        let feed = std::str::from_utf8(tree.bytes("feed.xml").unwrap()).unwrap();
        assert!(feed.find("<title>Version 2").unwrap() < feed.find("<title>Version 1").unwrap());
        assert!(feed.contains("<updated>2026-01-01T00:00:00Z</updated>") && !feed.contains("<agree>"), "{feed}");
        for path in ["1/index.html", "2/index.html", "s-2.zip.sha256", "s-2.zip"] {
            tree.add(path, *b"<html></html>").unwrap();
        }
        assert!(index.contains("<a href=\"s-2.zip\">s-2.zip</a>, 1,234 bytes, SHA-256 <code>"), "{index}");
        assert!(index.contains("s-1.zip, which does not lie here"), "{index}");
        assert_eq!(crate::site::check_links(&tree), []);
    }
}
