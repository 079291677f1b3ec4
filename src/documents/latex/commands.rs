//! What commands print.

use super::super::model::Passage;
use super::source::Scan;
use super::table::Grid;
use super::{DEEPEST, MOST, Reader};

/// Commands whose arguments are not shown.
const SILENT: &[&str] = &[
    "autocite",
    "bibitem",
    "bibliography",
    "bibliographystyle",
    "cite",
    "citealp",
    "citealt",
    "citep",
    "citet",
    "cref",
    "Cref",
    "documentclass",
    "eqref",
    "footnotemark",
    "hspace",
    "href",
    "includegraphics",
    "label",
    "nocite",
    "pageref",
    "ref",
    "autoref",
    "setcounter",
    "setlength",
    "sisetup",
    "textcite",
    "url",
    "usepackage",
    "vspace",
    "cmidrule",
    "cline",
    "arraystretch",
    "resizebox",
    "color",
    "rowcolor",
    "cellcolor",
    "definecolor",
];

/// Environments whose content is no text.
const CODE: &[&str] =
    &["verbatim", "lstlisting", "minted", "comment", "tikzpicture", "thebibliography", "filecontents"];

const TABLES: &[&str] = &["tabular", "tabularx", "tabulary", "longtable", "array"];

impl Reader {
    pub(super) fn command(
        &mut self,
        name: &str,
        scan: &mut Scan<'_>,
        place: usize,
        fixed: Option<usize>,
        depth: usize,
    ) {
        if depth > DEEPEST {
            return;
        }
        if let Some(symbol) = symbol(name) {
            self.words(symbol, place);
            return;
        }
        match name {
            "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph" | "title" => {
                if let Some(argument) = scan.argument() {
                    self.flush();
                    let heading = self.apart(argument, fixed, depth);
                    self.builder.heading(level(name), heading);
                }
            }
            "newcommand" | "renewcommand" | "providecommand" | "def" | "gdef" => define(self, scan),
            "input" | "include" | "subfile" => {
                if let Some((_, file)) = scan.argument() {
                    self.absent.push(file.trim().to_owned());
                }
            }
            "begin" => self.begin(scan, fixed, depth),
            "end" => self.end(scan),
            "caption" => {
                if let Some(argument) = scan.argument() {
                    let caption = self.apart(argument, fixed, depth);
                    self.caption(caption);
                }
            }
            "multicolumn" => {
                let width = scan.argument().and_then(|(_, width)| width.trim().parse::<usize>().ok()).unwrap_or(1);
                scan.argument();
                if let Some(argument) = scan.argument() {
                    self.argument(argument, fixed, depth);
                }
                // The head of several columns is the head of each.
                for _ in 1..width.min(64) {
                    let same = self.passage.clone();
                    self.end_cell();
                    self.passage = same;
                }
            }
            "multirow" => {
                scan.argument();
                scan.argument();
                if let Some(argument) = scan.argument() {
                    self.argument(argument, fixed, depth);
                }
            }
            "SI" | "qty" | "SIrange" | "qtyrange" | "numrange" => {
                let low = scan.argument();
                let high = if name.ends_with("range") { scan.argument() } else { None };
                for (argument, before) in [(low, ""), (high, "\u{2013}")] {
                    if let Some((at, text)) = argument {
                        self.words(before, place);
                        self.words(text.trim(), fixed.unwrap_or(at));
                    }
                }
                if name != "numrange"
                    && let Some(argument) = scan.argument()
                {
                    self.argument(argument, fixed, depth);
                }
            }
            "texttt" | "verb" | "lstinline" | "path" => {
                if let Some((at, text)) = scan.argument() {
                    self.passage.push_code(text, fixed.unwrap_or(at));
                }
            }
            "footnote" | "tablefootnote" | "textsuperscript" => {
                if let Some(argument) = scan.argument() {
                    let note = self.apart(argument, fixed, depth);
                    if name != "textsuperscript" {
                        self.builder.paragraph(note);
                    }
                }
            }
            "frac" | "dfrac" | "tfrac" => {
                for between in ["/", ""] {
                    if let Some(argument) = scan.argument() {
                        self.argument(argument, fixed, depth);
                    }
                    self.words(between, place);
                }
            }
            "item" => self.flush(),
            _ if SILENT.contains(&name) => while scan.argument().is_some() {},
            _ => match self.macros.get(name).cloned() {
                Some(body) => self.expand(&body, place, depth),
                // Of an unknown command the argument is shown: `\textbf{91.0}`, `\num{1308}`.
                None => {
                    if let Some(argument) = scan.argument() {
                        self.argument(argument, fixed, depth);
                    }
                }
            },
        }
    }

    fn expand(&mut self, body: &str, place: usize, depth: usize) {
        self.added += body.len();
        if depth < DEEPEST && self.added < MOST {
            self.run(body, Some(place), depth + 1);
        }
    }

    fn begin(&mut self, scan: &mut Scan<'_>, fixed: Option<usize>, depth: usize) {
        let Some((_, name)) = scan.argument() else { return };
        let plain = name.trim_end_matches('*');
        if CODE.contains(&plain) {
            scan.skip_environment(name);
        } else if TABLES.contains(&plain) && !(plain == "array" && self.tables.is_empty()) {
            if self.tables.is_empty() {
                self.flush();
            }
            if plain != "tabular" && plain != "longtable" || name.ends_with('*') {
                scan.argument();
            }
            scan.argument();
            self.tables.push(Grid::default());
        } else if plain == "abstract" {
            self.flush();
            self.builder.heading(2, Passage::of("Abstract", fixed.unwrap_or(0)));
        } else if depth == 0 {
            self.flush();
        }
    }

    fn end(&mut self, scan: &mut Scan<'_>) {
        let Some((_, name)) = scan.argument() else { return };
        let plain = name.trim_end_matches('*');
        if TABLES.contains(&plain) && !self.tables.is_empty() {
            self.end_table();
        } else if matches!(plain, "table" | "sidewaystable" | "wraptable") {
            self.flush();
            self.end_float();
        } else if self.tables.is_empty() {
            self.flush();
        }
    }
}

/// `\newcommand{\x}{body}`, `\newcommand\x{body}`, `\def\x{body}`. A macro with arguments keeps its body
/// without them.
fn define(reader: &mut Reader, scan: &mut Scan<'_>) {
    let name = match scan.name() {
        Some(name) => name.to_owned(),
        None => match scan.argument() {
            Some((_, name)) => name.trim().trim_start_matches('\\').to_owned(),
            None => return,
        },
    };
    if let Some((_, body)) = scan.argument() {
        let body = (1..10).fold(body.to_owned(), |body, n| body.replace(&format!("#{n}"), ""));
        reader.macros.insert(name, body);
    }
}

fn level(name: &str) -> u8 {
    match name {
        "title" => 1,
        "part" | "chapter" | "section" => 2,
        "subsection" => 3,
        "subsubsection" => 4,
        _ => 5,
    }
}

/// Commands that are one sign.
fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "pm" => "±",
        "times" => "×",
        "percent" => "%",
        "Delta" => "Δ",
        "delta" => "δ",
        "rho" => "ρ",
        "kappa" => "κ",
        "tau" => "τ",
        "sigma" => "σ",
        "approx" | "sim" | "simeq" => "≈",
        "geq" | "ge" | "geqslant" => "≥",
        "leq" | "le" | "leqslant" => "≤",
        "rightarrow" | "to" => "→",
        "textendash" => "\u{2013}",
        "dagger" | "textdagger" => "†",
        "cdot" => "·",
        "ldots" | "dots" => "…",
        "quad" | "qquad" | "hfill" | "newline" => " ",
        "toprule" | "midrule" | "bottomrule" | "hline" | "centering" | "small" | "footnotesize" | "scriptsize"
        | "tiny" | "normalsize" | "large" | "bfseries" | "itshape" | "noindent" | "par" | "maketitle" | "left"
        | "right" | "endhead" | "endfirsthead" | "endfoot" | "endlastfoot" => "",
        _ => return None,
    })
}
