//! LaTeX source as tokens with places: words, commands, the ends of cells, lines and paragraphs.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text to show.
    Words(&'a str),
    /// White space.
    Space,
    /// An empty line: the end of a paragraph.
    Break,
    /// `&`
    Cell,
    /// `\\`
    Line,
    /// A command, without its back slash.
    Command(&'a str),
}

/// A walk through a source.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next token with its place in this text.
    pub(super) fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let at = self.at;
            let rest = self.rest();
            let first = rest.chars().next()?;
            match first {
                '%' => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    // The end of a commented line belongs to the comment.
                    self.at += usize::from(self.rest().starts_with('\n') && !self.rest()[1..].starts_with('\n'));
                }
                '{' | '}' | '$' => self.at += 1,
                '~' => {
                    self.at += 1;
                    return Some((at, Token::Space));
                }
                '&' => {
                    self.at += 1;
                    return Some((at, Token::Cell));
                }
                '\\' => return Some((at, self.command())),
                c if c.is_whitespace() => {
                    let end = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
                    self.at += end;
                    let breaks = rest[..end].bytes().filter(|byte| *byte == b'\n').count();
                    return Some((at, if breaks > 1 { Token::Break } else { Token::Space }));
                }
                _ => {
                    let stops = |c: char| c.is_whitespace() || matches!(c, '%' | '{' | '}' | '$' | '~' | '&' | '\\');
                    let end = rest.find(stops).unwrap_or(rest.len());
                    self.at += end;
                    return Some((at, Token::Words(&rest[..end])));
                }
            }
        }
    }

    fn command(&mut self) -> Token<'a> {
        let rest = &self.rest()[1..];
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        if letters == 0 {
            let Some(c) = rest.chars().next() else {
                self.at += 1;
                return Token::Space;
            };
            self.at += 1 + c.len_utf8();
            return match c {
                '\\' => {
                    self.skip_option();
                    Token::Line
                }
                '%' | '&' | '#' | '_' | '$' | '{' | '}' => Token::Words(&rest[..c.len_utf8()]),
                _ => Token::Space,
            };
        }
        self.at += 1 + letters;
        if self.rest().starts_with('*') {
            self.at += 1;
        }
        Token::Command(&rest[..letters])
    }

    fn skip_option(&mut self) {
        let rest = self.rest();
        if rest.starts_with('[')
            && let Some(end) = rest.find(']')
        {
            self.at += end + 1;
        }
    }

    /// The next argument: a group in braces with its place, after an optional one in brackets.
    pub(super) fn argument(&mut self) -> Option<(usize, &'a str)> {
        let before = self.at;
        self.skip_space();
        while self.rest().starts_with('[') {
            self.skip_option();
            self.skip_space();
        }
        if !self.rest().starts_with('{') {
            self.at = before;
            return None;
        }
        let start = self.at + 1;
        let mut depth = 0_usize;
        let mut escaped = false;
        for (offset, byte) in self.rest().bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        let end = self.at + offset;
                        self.at = end + 1;
                        return Some((start, &self.text[start..end]));
                    }
                }
                _ => {}
            }
        }
        // A group that never closes is skipped: its brace is no text.
        self.at = start;
        None
    }

    /// A command name right here (for `\def\x{...}`), else `None`.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.skip_space();
        if !self.rest().starts_with('\\') {
            return None;
        }
        match self.command() {
            Token::Command(name) => Some(name),
            _ => None,
        }
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips to after the end of an environment whose content is no text.
    pub(super) fn skip_environment(&mut self, name: &str) {
        let end = format!("\\end{{{name}}}");
        self.at += self.rest().find(&end).map_or(self.rest().len(), |found| found + end.len());
    }
}
