//! Python source with its tokens marked by class; no colour is decided here.

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::markup::{Html, escape, push_escaped};

/// Source longer than this is shown without marks (a pathological program must not stall a build).
const LONGEST: usize = 64 * 1024;

/// A line longer than this is shown without marks.
const LONGEST_LINE: usize = 2000;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);
static PYTHON: LazyLock<Option<&SyntaxReference>> = LazyLock::new(|| SYNTAXES.find_syntax_by_extension("py"));

/// Scope prefixes and the class they are shown as, first match wins, innermost scope first.
static CLASSES: LazyLock<Vec<(Scope, &str)>> = LazyLock::new(|| {
    [
        ("comment", "c"),
        ("string", "s"),
        ("constant.numeric", "n"),
        ("constant.character", "s"),
        ("constant.language", "k"),
        ("keyword.operator.logical", "k"),
        ("keyword.operator", "o"),
        ("keyword", "k"),
        ("storage", "k"),
        ("entity.name", "f"),
        ("support.function", "b"),
        ("variable.parameter", "v"),
    ]
    .iter()
    .filter_map(|&(prefix, class)| Some((Scope::new(prefix).ok()?, class)))
    .collect()
});

/// Marks up a Python program, one `<span>` per token that has a class.
pub(crate) fn python(source: &str) -> Html {
    let Some(syntax) = *PYTHON else { return Html::trusted(escape(source)) };
    if source.len() > LONGEST || source.lines().any(|line| line.len() > LONGEST_LINE) {
        return Html::trusted(escape(source));
    }
    // A Windows line end is one line end, also where its two characters are tokens of their own.
    let unix = source.replace("\r\n", "\n");
    let source = unix.as_str();
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut out = Writer::default();
    for line in source.split_inclusive('\n') {
        let Ok(operations) = state.parse_line(line, &SYNTAXES) else { return Html::trusted(escape(source)) };
        let mut from = 0;
        for (at, operation) in operations {
            out.push(&line[from..at], class(&stack));
            from = at;
            if stack.apply(&operation).is_err() {
                return Html::trusted(escape(source));
            }
        }
        out.push(&line[from..], class(&stack));
    }
    Html::trusted(out.finish())
}

fn class(stack: &ScopeStack) -> Option<&'static str> {
    stack
        .as_slice()
        .iter()
        .rev()
        .find_map(|scope| CLASSES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|&(_, class)| class))
}

/// Joins neighbouring tokens of one class.
#[derive(Default)]
struct Writer {
    out: String,
    open: Option<&'static str>,
}

impl Writer {
    fn push(&mut self, text: &str, class: Option<&'static str>) {
        if text.is_empty() {
            return;
        }
        // White space alone needs no mark and no change of mark.
        if class != self.open && !text.trim().is_empty() {
            self.close();
            if let Some(class) = class {
                self.out.push_str(&format!("<span class=\"{class}\">"));
            }
            self.open = class;
        }
        push_escaped(&mut self.out, text);
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.out.push_str("</span>");
        }
    }

    fn finish(mut self) -> String {
        self.close();
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_get_classes_and_markup_stays_text() {
        let html = python("def solve(x=1.5):\n    # </pre><script>\n    return \"a\" if x < 2 else None\n");
        let html = html.as_str();
        for expected in ["<span class=\"k\">def", "<span class=\"n\">1.5", "&lt;/pre&gt;&lt;script&gt;", "class=\"s\""]
        {
            assert!(html.contains(expected), "{expected} in {html}");
        }
        assert_eq!(html.matches("<span").count(), html.matches("</span>").count());
    }

    #[test]
    fn text_is_never_lost() {
        for source in ["x = '''open", "def (", "\t\u{202e}π = \"é\"", "a = 1 \\\r\n"] {
            let html = python(source);
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
            assert_eq!(text, escape(source));
        }
    }
}
