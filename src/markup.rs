//! Text to HTML and SVG: escaping, and the type of markup that needs none.
//!
//! Every text of a model, problem or archive that reaches a page or a figure passes through
//! [`push_escaped`]. Nothing here parses markup.

use serde::Serialize;

/// A fragment of HTML made by this program. Only a field of this type may meet the `safe` filter, and
/// its name must end in `_html` (a test reads the templates).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Html(String);

impl Html {
    /// Wraps markup whose data parts have been escaped.
    pub(crate) fn trusted(markup: String) -> Self {
        Self(markup)
    }

    /// The markup.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text as HTML text or attribute value.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    push_escaped(&mut out, text);
    out
}

/// Appends text as HTML, also safe in quoted attributes.
///
/// Characters that could hide or reorder text (bidirectional controls, zero-width and other invisible
/// characters), and characters that HTML forbids (controls, non-characters), appear as `[U+202E]`.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let mut plain = 0;
    for (position, character) in text.char_indices() {
        let entity = match character {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\r' => "\n",
            c if is_hidden(c) => {
                out.push_str(&text[plain..position]);
                out.push_str(&format!("[U+{:04X}]", u32::from(c)));
                plain = position + c.len_utf8();
                continue;
            }
            _ => continue,
        };
        out.push_str(&text[plain..position]);
        // A Windows line end is one line end.
        if character != '\r' || !text[position + 1..].starts_with('\n') {
            out.push_str(entity);
        }
        plain = position + character.len_utf8();
    }
    out.push_str(&text[plain..]);
}

/// True for characters that change how a reader sees the text around them, or that HTML forbids.
fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() && !matches!(character, '\n' | '\t' | '\r');
    }
    let code = u32::from(character);
    matches!(code,
        0x80..=0x9f | 0x61c | 0x180e | 0x200b | 0x200e | 0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff
        | 0xfff9..=0xfffb | 0xfdd0..=0xfdef | 0xe0000..=0xe007f)
        || code & 0xfffe == 0xfffe
}

/// The first `limit` bytes of a text, cut at a character; says whether something was left out.
pub(crate) fn preview(text: &str, limit: usize) -> (&str, bool) {
    if text.len() <= limit {
        return (text, false);
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_quotes_become_text() {
        assert_eq!(escape("</pre><script a='\"'>&"), "&lt;/pre&gt;&lt;script a=&#39;&quot;&#39;&gt;&amp;");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(escape("gpj.\u{202e}exe\u{0}\u{200b}"), "gpj.[U+202E]exe[U+0000][U+200B]");
        assert_eq!(escape("a\r\nb\rc\td"), "a\nb\nc\td");
        assert_eq!(escape("\u{ffff}\u{1fffe}µ模"), "[U+FFFF][U+1FFFE]µ模");
    }

    #[test]
    fn a_preview_is_cut_between_characters() {
        assert_eq!(preview("aµb", 2), ("a", true));
        assert_eq!(preview("aµb", 4), ("aµb", false));
    }
}
