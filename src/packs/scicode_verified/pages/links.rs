//! Addresses of the pages of this study, and links to several of them in one cell.

use crate::markup::{Html, escape};
use crate::packs::scicode_verified::benchmark::problem_of;
use crate::site::routes;
use crate::site::sheet::Cell;
use crate::slug::{address, file_name};

/// The page of a problem before and after.
pub(super) fn problem(id: &str) -> String {
    address("corrections", &[file_name(&format!("problem-{id}"))], "html")
}

/// The page of a defect record.
pub(super) fn defect(id: &str) -> String {
    address("defects", &[file_name(&format!("defect-{id}"))], "html")
}

/// A place on the page of a problem.
pub(super) fn field(problem_id: &str, path: &str) -> String {
    format!("{}#{}", problem(problem_id), routes::anchor(path))
}

/// A step, as a link to its problem.
pub(super) fn step(number: &str) -> Cell {
    Cell::link(number, problem(problem_of(number)))
}

/// Links to several pages in one cell of the page at `from`; nothing for none.
pub(super) fn several<'i>(
    from: &str,
    ids: impl IntoIterator<Item = &'i str>,
    href: fn(&str) -> String,
    none: &str,
) -> Cell {
    let up = routes::up(from);
    let ids: Vec<&str> = ids.into_iter().collect();
    if ids.is_empty() {
        return Cell::missing(none);
    }
    let link = |id: &&str| format!("<a href=\"{}\">{}</a>", escape(&format!("{up}{}", href(id))), escape(id));
    Cell::html(Html::trusted(ids.iter().map(link).collect::<Vec<_>>().join(", ")), ids.join(" "))
}
