//! Where the bundle can be had. A page inside a bundle can name neither the digest nor the address of that bundle, so
//! the copy of the site that goes into it says so, and the published copy leads to the list of versions instead.

use crate::markup::escape;
use crate::site::routes;
use crate::tree::{Tree, TreeError};

/// Pages that say where the bundle is.
const PAGES: [&str; 2] = [routes::OVERVIEW, "downloads/index.html"];

/// What the copy inside the bundle says.
pub(crate) const INSIDE: &str = "<p class=\"bundle\">This copy of the site lies in the bundle itself, which cannot name its own digest. Where the site is published, its list of versions has the zip with its size and SHA-256.</p>";

/// What the published copy of a page says.
fn published(page: &str, version: &str) -> String {
    format!(
        "<p class=\"bundle\"><a href=\"{}../index.html#{}\">Get the bundle</a>: the list of versions has the zip with its size and SHA-256.</p>",
        routes::up(page),
        escape(&routes::anchor(version))
    )
}

/// The site as it is published beside the list of versions, from the site as it stands in the bundle.
pub fn outside(inside: &Tree, version: &str) -> Result<Tree, TreeError> {
    let mut tree = inside.clone();
    for page in PAGES {
        let Some(html) = inside.bytes(page).and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
        tree.replace(page, html.replacen(INSIDE, &published(page, version), 1))?;
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_published_copy_leads_out_of_the_version() {
        let mut inside = Tree::default();
        inside.add("index.html", format!("<p>a</p>{INSIDE}<p>b</p>")).unwrap();
        inside.add("downloads/index.html", INSIDE).unwrap();
        inside.add("claims/index.html", INSIDE).unwrap();
        let tree = outside(&inside, "1.0").unwrap();
        let text = |page: &str| std::str::from_utf8(tree.bytes(page).unwrap()).unwrap().to_owned();
        let anchor = routes::anchor("1.0");
        assert!(
            text("index.html").contains(&format!("<p>a</p><p class=\"bundle\"><a href=\"../index.html#{anchor}\">"))
        );
        assert!(text("downloads/index.html").contains(&format!("href=\"../../index.html#{anchor}\"")));
        assert_eq!(text("claims/index.html"), INSIDE);
        assert_eq!(tree.len(), inside.len());
    }
}
