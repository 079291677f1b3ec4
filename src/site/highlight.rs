//! Python source with its tokens marked by class; no colour is decided here.
//!
//! A scanner of one pass, written by hand: thousands of programs are marked in a build, and a grammar of
//! regular expressions took half a second for one long program. It needs no correct program: what it does
//! not know stays plain, and no text is ever lost.

use crate::markup::{Html, push_escaped};

/// Reserved words and constants.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Functions that are always there and that solvers use.
const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "int",
    "isinstance",
    "len",
    "list",
    "map",
    "max",
    "min",
    "pow",
    "print",
    "range",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];

/// Marks up a Python program, one `<span>` per token that has a class: `k` keyword, `b` built-in, `f`
/// defined name, `n` number, `s` string, `c` comment.
pub(crate) fn python(source: &str) -> Html {
    let unix = source.replace("\r\n", "\n");
    let mut out = String::with_capacity(unix.len() * 2);
    let mut rest = unix.as_str();
    let mut defines = false;
    while let Some(first) = rest.chars().next() {
        let (length, class) = token(rest, first, defines);
        let text = &rest[..length];
        match class {
            Some(class) => {
                out.push_str("<span class=\"");
                out.push(class);
                out.push_str("\">");
                push_escaped(&mut out, text);
                out.push_str("</span>");
            }
            None => push_escaped(&mut out, text),
        }
        // The name after `def` or `class` is a definition, whatever space stands between.
        if !text.trim().is_empty() {
            defines = matches!(text, "def" | "class");
        }
        rest = &rest[length..];
    }
    Html::trusted(out)
}

/// Length in bytes and class of the token at the beginning of the text.
fn token(text: &str, first: char, defines: bool) -> (usize, Option<char>) {
    if first == '#' {
        return (text.find('\n').unwrap_or(text.len()), Some('c'));
    }
    if first.is_alphabetic() || first == '_' {
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let word = &text[..length];
        let is_prefix =
            length <= 2 && word.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u'));
        if is_prefix && let Some(string) = string(&text[length..]) {
            return (length + string, Some('s'));
        }
        let class = match word {
            word if KEYWORDS.contains(&word) => Some('k'),
            _ if defines => Some('f'),
            word if BUILTINS.contains(&word) && text[length..].trim_start().starts_with('(') => Some('b'),
            _ => None,
        };
        return (length, class);
    }
    let point_number = first == '.' && text[1..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || point_number {
        return (number(text.as_bytes()), Some('n'));
    }
    match string(text) {
        Some(length) => (length, Some('s')),
        None => (plain(text), None),
    }
}

/// Length of a number: digits, letters (`1e5`, `0xff`, `2j`), underscores, points, a sign after an exponent.
fn number(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = text.get(length) {
        let signed = matches!(byte, b'+' | b'-')
            && length > 0
            && matches!(text[length - 1], b'e' | b'E')
            && text.get(length + 1).is_some_and(u8::is_ascii_digit)
            && !text.starts_with(b"0x");
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || signed) {
            break;
        }
        length += 1;
    }
    length
}

/// Length of the string literal at the beginning of the text; one that never closes ends with its line,
/// or with the text when it is a triple one.
fn string(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple = ["\"\"\"", "'''"].into_iter().find(|triple| text.starts_with(triple));
    let bytes = text.as_bytes();
    let mut at = triple.map_or(1, str::len);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if triple.is_none() => return Some(at),
            byte if byte == quote as u8 => match triple {
                None => return Some(at + 1),
                Some(triple) if text[at..].starts_with(triple) => return Some(at + triple.len()),
                Some(_) => at += 1,
            },
            _ => at += 1,
        }
    }
    // A backslash may have stepped into the middle of a character or past the end.
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    Some(at)
}

/// Length of a stretch in which no token with a class begins.
fn plain(text: &str) -> usize {
    let begins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '"' | '\'' | '.');
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[first..].find(begins).map_or(text.len(), |length| first + length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::markup::escape;

    #[test]
    fn tokens_get_classes_and_markup_stays_text() {
        let html =
            python("def solve(x=1.5e-3, y=.5):\n    # </pre><script>\n    return \"a\" if x < 2 else max(x, y)\n");
        for expected in [
            "<span class=\"k\">def</span> <span class=\"f\">solve</span>(x=<span class=\"n\">1.5e-3</span>",
            "y=<span class=\"n\">.5</span>",
            "<span class=\"c\"># &lt;/pre&gt;&lt;script&gt;</span>",
            "<span class=\"s\">&quot;a&quot;</span>",
            "<span class=\"b\">max</span>(x",
        ] {
            assert!(html.as_str().contains(expected), "{expected} in {}", html.as_str());
        }
    }

    #[test]
    fn strings_of_every_kind() {
        let of = |source: &str| python(source).as_str().to_owned();
        let string = |text: &str| format!("<span class=\"s\">{}</span>", escape(text));
        for text in ["'a\\'b'", "r'\\d'", "f\"{x}\"", "'''a\n'b''c'''", "\"\"\"open\n", "b''"] {
            assert_eq!(of(text), string(text));
        }
        assert_eq!(of("'open\nx"), format!("{}\nx", string("'open")));
        assert_eq!(of("if'a'"), format!("<span class=\"k\">if</span>{}", string("'a'")));
        assert_eq!(of("3-2"), "<span class=\"n\">3</span>-<span class=\"n\">2</span>");
    }

    proptest! {
        #[test]
        fn text_is_never_lost(source in "[a-f0-9'\"\\\\ \n.#_(éµ-]{0,40}") {
            let html = python(&source);
            let mut text = String::new();
            let mut inside = false;
            for c in html.as_str().chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    c if !inside => text.push(c),
                    _ => {}
                }
            }
            prop_assert_eq!(text, escape(&source));
        }
    }
}
