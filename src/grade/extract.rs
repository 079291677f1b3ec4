//! The program in a response, read as the study read it and as Markdown has it.
//!
//! The study takes the first block that is fenced by three backticks, optionally tagged `python`, and
//! does not know about other tags, longer fences or fences inside strings. The second lens
//! ([`last_python_block`]) follows CommonMark fences and prefers the last Python block, because models
//! draft before they answer. Where the two programs differ, the verdict depends on extraction.

use std::sync::LazyLock;

use regex::Regex;

use super::{pattern, python, work};

static CLOSED: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"(?s)```(?:python)?\s*\n(.*?)```"));
static OPEN: LazyLock<Regex> = LazyLock::new(|| pattern::python(r"(?s)^```[a-zA-Z]*\s*\n(.*)"));

/// The program as the study extracts it: the first closed fence, else everything after a leading fence
/// that never closes, else the whole trimmed text. Empty means there is none.
///
/// ```
/// use repro::grade::extract::program;
/// assert_eq!(program("Here:\n```python\nx = 1\n```\nand\n```python\nx = 2\n```"), "x = 1");
/// assert_eq!(program("```bash\nls\n```\ntext\n```python\nx\n```"), "text");
/// ```
pub fn program(response: &str) -> &str {
    work::spent(2 * response.len());
    let text = python::strip(response);
    let found = CLOSED.captures(text).or_else(|| OPEN.captures(text));
    match found.and_then(|captures| captures.get(1)) {
        Some(body) => python::strip(body.as_str()),
        None => text,
    }
}

/// A fenced block of a Markdown text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// First word of the info string in lower case, without braces and dots; empty when there is none.
    pub language: String,
    /// Lines between the fences, without the indentation of the opening fence.
    pub body: String,
    /// False when the text ends before a closing fence.
    pub closed: bool,
}

impl Block {
    /// True for a block tagged as Python.
    pub fn is_python(&self) -> bool {
        matches!(self.language.as_str(), "python" | "python3" | "py" | "py3" | "ipython" | "pycon")
    }

    fn defines_solve(&self) -> bool {
        self.body.lines().any(|line| line.starts_with("def solve"))
    }
}

/// Fenced blocks in order, after CommonMark: backticks or tildes, at least three; the closing fence is as
/// long as the opening one and carries no tag; an open block runs to the end. Unlike CommonMark, fences
/// may be indented by any amount, because models put them under list items.
pub fn blocks(text: &str) -> Vec<Block> {
    work::spent(text.len());
    let mut blocks = Vec::new();
    let mut open: Option<(Fence, Block)> = None;
    for line in text.lines() {
        let fence = Fence::of(line);
        match (&mut open, fence) {
            (None, Some(fence)) => {
                let block = Block { language: fence.language(), body: String::new(), closed: false };
                open = Some((fence, block));
            }
            (None, None) => {}
            (Some((opening, _)), Some(fence)) if fence.closes(opening) => {
                blocks.extend(open.take().map(|(_, block)| Block { closed: true, ..block }));
            }
            (Some((opening, block)), _) => {
                block.body.push_str(opening.outdent(line));
                block.body.push('\n');
            }
        }
    }
    blocks.extend(open.map(|(_, block)| block));
    blocks
}

struct Fence {
    indent: usize,
    mark: char,
    length: usize,
    info: String,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let body = line.trim_start_matches([' ', '\t']);
        let mark = body.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = body.trim_start_matches(mark);
        let length = body.len() - info.len();
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        Some(Self { indent: line.len() - body.len(), mark, length, info: info.trim().to_owned() })
    }

    fn language(&self) -> String {
        let word = self.info.split([' ', '\t', ',', ':']).next().unwrap_or("");
        word.trim_matches(['{', '}', '.']).to_lowercase()
    }

    fn closes(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.length >= opening.length && self.info.is_empty()
    }

    fn outdent<'a>(&self, line: &'a str) -> &'a str {
        let blank = line.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        &line[blank.min(self.indent)..]
    }
}

/// The program a careful reader would run: the last Python block that defines `solve`, else the last
/// Python block, else the same among untagged blocks, else the whole text when it has no fence at all.
pub fn last_python_block(response: &str) -> Option<String> {
    let blocks = blocks(response);
    if blocks.is_empty() {
        let text = python::strip(response);
        return (!text.is_empty()).then(|| text.to_owned());
    }
    let pick = |wanted: fn(&Block) -> bool| {
        let defining = blocks.iter().rev().find(|block| wanted(block) && block.defines_solve());
        defining.or_else(|| blocks.iter().rev().find(|block| wanted(block)))
    };
    let block = pick(Block::is_python).or_else(|| pick(|block| block.language.is_empty()))?;
    Some(python::strip(&block.body).to_owned())
}

/// True when the two lenses would run different programs.
pub fn lenses_differ(response: &str) -> bool {
    last_python_block(response).as_deref() != Some(program(response))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_python_block_is_preferred_to_a_draft() {
        let text =
            "```python\nx = 1\n```\nBetter:\n```Python\ndef solve():\n    return 2\n```\nRun it:\n```bash\nls\n```";
        assert_eq!(last_python_block(text).as_deref(), Some("def solve():\n    return 2"));
        assert_eq!(program(text), "x = 1");
        assert!(lenses_differ(text));
    }

    #[test]
    fn a_fence_inside_a_string_ends_the_block_only_when_it_stands_alone() {
        let text = "```python\ndef solve():\n    \"\"\"a ``` b\"\"\"\n    return 1\n```";
        assert_eq!(last_python_block(text).as_deref(), Some("def solve():\n    \"\"\"a ``` b\"\"\"\n    return 1"));
        assert_eq!(program(text), "def solve():\n    \"\"\"a");
    }

    #[test]
    fn indented_tilde_open_and_missing_fences_are_read() {
        assert_eq!(last_python_block("1. so\n   ```py\n   x = 1\n     y\n   ```").as_deref(), Some("x = 1\n  y"));
        assert_eq!(last_python_block("~~~~python\n```\nx\n~~~~").as_deref(), Some("```\nx"));
        assert_eq!(last_python_block("```python\nx = 1").as_deref(), Some("x = 1"));
        assert_eq!(last_python_block("x = 1\n").as_deref(), Some("x = 1"));
        assert_eq!(last_python_block(" \n"), None);
        assert_eq!(last_python_block("```bash\nls\n```"), None);
    }
}
