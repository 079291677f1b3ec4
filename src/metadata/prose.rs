//! The texts for strangers: README, licence note, and the preview of the crate.

use std::fmt::Write as _;

use super::deposit::{Deposit, FileFact};
use super::description::{day, licence_url, plain_name};
use super::html::escape;
use crate::number::grouped;
use crate::study::own_licences;

/// `README.md`: what this is and how to check it with and without the tool.
pub fn readme(deposit: &Deposit) -> String {
    let identity = deposit.identity();
    let bag = format!("{}-{}", identity.id, identity.version);
    let mut out = format!("# {}\n\nVersion {}, {}.", one_line(&identity.title), identity.version, identity.date);
    let _ = match &identity.doi {
        Some(doi) => writeln!(out, " DOI: https://doi.org/{doi}\n"),
        None => writeln!(out, " DOI: none yet.\n"),
    };
    if day(identity).is_none() {
        out.push_str(
            "Of the date of publication only the year is known; descriptions that must have a day (CITATION.cff, \
             zenodo.json) have none.\n\n",
        );
    }
    let authors: Vec<String> = identity.authors.iter().map(plain_name).collect();
    let _ = writeln!(out, "By {}.\n\n{}\n", one_line(&authors.join(", ")), one_line(&identity.description));
    if let Some(sentence) = &identity.demonstration {
        let _ = writeln!(out, "**{}**\n", one_line(sentence));
    }
    if let Some(citation) = &identity.citation {
        let _ = writeln!(out, "How to cite the paper: {}\n", one_line(citation));
    }
    let kept = if deposit.record.archive.inside {
        "the study as it was deposited; `metadata/names.csv` has the original name of every file"
    } else {
        "not in this bundle; `metadata/archive.csv` has path, size and SHA-256 of every file of the study"
    };
    let _ = write!(
        out,
        "## What is here\n\n| folder of `data/` | holds |\n| --- | --- |\n| `archive/` | {kept} ({} files, {} bytes) |\n\
         | `results/` | verdicts, statistics, findings and judged claims |\n| `schemas/` | JSON Schemas of the files of a study |\n",
        grouped(deposit.record.archive.files),
        grouped(deposit.record.archive.bytes),
    );
    if deposit.record.site {
        out.push_str("| `site/` | the same as pages: open `site/index.html` in a browser, no network needed |\n");
    }
    out.push_str("| `metadata/` | descriptions for catalogues |\n| `provenance/` | how the results were made |\n\n");
    let rest = if deposit.record.archive.inside {
        "executes, grades, recounts and judges everything again from the archive inside."
    } else {
        "with `--archive FOLDER`, where FOLDER is the study, compares every file with its digest and executes, grades, \
         recounts and judges everything again."
    };
    let _ = write!(
        out,
        "## How to check it\n\nWith ordinary tools, after `unzip {bag}.zip && cd {bag}`:\n\n    \
         sha256sum --check --quiet manifest-sha256.txt\n    sha512sum --check --quiet manifest-sha512.txt\n    \
         sha256sum --check --quiet tagmanifest-sha256.txt\n\nNo output means that every file is as it was written; \
         a file that somebody added is not noticed in this way, but by `bagit.py --validate .` and by repro. \
         The folder is a BagIt 1.0 bag (RFC 8493), `data/` is an RO-Crate {crate_}.\n\nWith the tool that wrote it, \
         repro {tool}, without unpacking:\n\n    repro verify {bag}.zip\n\nThat checks container, manifests and descriptions, then \
         {rest}\n\n## Licence\n\n{}\n",
        licence_sentence(deposit),
        crate_ = deposit.record.ro_crate.number(),
        tool = deposit.record.tool_version,
    );
    out
}

/// `LICENSE`: which licence holds, and where its text is.
pub fn licence_note(deposit: &Deposit) -> String {
    format!("SPDX-License-Identifier: {}\n\n{}\n", deposit.identity().licence, licence_sentence(deposit))
}

fn licence_sentence(deposit: &Deposit) -> String {
    let licence = &deposit.identity().licence;
    match licence_url(licence) {
        Some(url) => format!("The archive may be used under {licence}, whose text is at {url}"),
        None => match own_licences(licence).first() {
            Some(own) if own == "LicenseRef-not-stated" => "No licence is stated, so nothing is permitted".to_owned(),
            Some(own) => format!(
                "The archive may be used under {licence}; the text of {own} is in the study, in LICENSES/{own}.txt or in \
                 LICENSE"
            ),
            None => format!("The archive may be used under the SPDX licence expression {licence}"),
        },
    }
}

/// `ro-crate-preview.html`: the crate for people, without script.
pub fn preview(deposit: &Deposit, files: &[FileFact]) -> String {
    let identity = deposit.identity();
    let title = escape(&identity.title);
    let authors: Vec<String> = identity.authors.iter().map(|author| escape(&plain_name(author))).collect();
    let mut rows = String::new();
    for file in files {
        let path = escape(&file.path);
        let _ = writeln!(rows, "<tr><td><a href=\"{path}\">{path}</a></td><td>{}</td></tr>", grouped(file.bytes));
    }
    let site = if deposit.record.site {
        "<p><a href=\"site/index.html\">Read the pages of this deposit</a></p>\n"
    } else {
        ""
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>Version {}, {}. By {}. Licence: {}.</p>\n<p>{}</p>\n{site}<table>\n<caption>Described files</caption>\n\
         <thead><tr><th scope=\"col\">File</th><th scope=\"col\">Bytes</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table>\n</main>\n</body>\n</html>\n",
        escape(&identity.version),
        escape(&identity.date),
        authors.join(", "),
        escape(&identity.licence),
        escape(identity.description.trim()),
    )
}

/// Text in one line, with what Markdown would take for markup made harmless.
fn one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.chars().fold(String::new(), |mut out, c| {
        if matches!(c, '<' | '>' | '[' | ']' | '`' | '*' | '_' | '\\' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_hold_no_foreign_markup() {
        let mut deposit = super::super::deposit::sample();
        deposit.record.identity.title = "x <script>alert(1)</script> [a](javascript:1)\n# y".into();
        let page = preview(&deposit, &deposit.results);
        assert!(!page.contains("<script"));
        assert!(readme(&deposit).starts_with("# x \\<script\\>alert(1)\\</script\\> \\[a\\](javascript:1) \\# y\n"));
    }

    #[test]
    fn the_readme_says_that_there_is_no_doi_yet() {
        let mut deposit = super::super::deposit::sample();
        assert!(readme(&deposit).contains("DOI: none yet."));
        deposit.record.identity.doi = Some("10.5281/zenodo.1".into());
        assert!(readme(&deposit).contains("DOI: https://doi.org/10.5281/zenodo.1\n"));
    }
}
