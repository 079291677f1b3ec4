//! From input to tree: all pages in parallel, in a fixed order, then every link is followed.

use rayon::prelude::*;

use super::assets::Assets;
use super::frame::Frame;
use super::input::{Options, Rendered, SiteError, SiteInput};
use super::page::{At, Body, Page};
use super::templates::Templates;
use super::view::View;
use super::{data, links, routes, search};
use crate::tree::Tree;

/// Renders one version of a site; paths are relative to the folder of the version.
pub fn render(input: &SiteInput<'_>, options: Options) -> Result<Rendered, SiteError> {
    let (view, mut findings) = View::new(input, options);
    let templates = Templates::new(&input.registry.pages)?;
    let mut tree = Tree::default();
    let assets = Assets::add(&mut tree, search::script(&view), search::outcomes(&view))?;
    tree.add(".nojekyll", Vec::new())?;
    let files = data::add(&mut tree, &view)?;
    let pages: Vec<&'static dyn Page> =
        input.registry.pages.iter().copied().filter(|page| page.has_content(&view)).collect();
    let jobs: Vec<(&dyn Page, String)> =
        pages.iter().flat_map(|page| page.paths(&view).into_iter().map(move |path| (*page, path))).collect();
    let rendered: Vec<Result<Made, SiteError>> =
        jobs.par_iter().map(|(page, path)| make(&view, &templates, (&assets, &files, &pages), *page, path)).collect();
    let mut count = 0;
    for made in rendered {
        let made = made?;
        count += 1;
        tree.add(made.path, made.html.into_bytes())?;
        for (id, svg) in made.figures {
            // A figure may stand on several pages; it is one file.
            let path = routes::figure(&id);
            if tree.get(&path).is_none() {
                tree.add(path, svg.into_bytes())?;
            }
        }
    }
    if let Some(sitemap) = sitemap(&view, &tree) {
        tree.add("sitemap.xml", sitemap)?;
    }
    findings.extend(links::check(&tree));
    Ok(Rendered { tree, findings, pages: count })
}

/// Every page with its whole address, where the study declares one.
fn sitemap(view: &View<'_>, tree: &Tree) -> Option<String> {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for (path, _) in tree.iter().filter(|(path, _)| path.ends_with(".html")) {
        out.push_str(&format!(
            "<url><loc>{}</loc></url>\n",
            crate::markup::escape(&super::frame::address(view, path)?)
        ));
    }
    out.push_str("</urlset>\n");
    Some(out)
}

struct Made {
    path: String,
    html: String,
    figures: Vec<(String, String)>,
}

fn make(
    view: &View<'_>,
    templates: &Templates,
    (assets, files, pages): (&Assets, &[data::About], &[&'static dyn Page]),
    page: &dyn Page,
    path: &str,
) -> Result<Made, SiteError> {
    let at = At { path, assets, files };
    let Body { title, summary, values, figures } = page.body(view, &at)?;
    let frame = Frame::new(view, assets, pages, (path, page), title, summary);
    let html = templates.render(page.template().0, &frame, values)?;
    Ok(Made { path: path.to_owned(), html, figures })
}
