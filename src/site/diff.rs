//! Two texts word by word: what was taken out, what was put in.

use crate::markup::{Html, push_escaped};

/// Above this many words on either side, the texts are shown without marks.
const MOST: usize = 3000;

/// The changed text with its additions and omissions marked, or nothing when the texts are too long.
pub(crate) fn words(before: &str, after: &str) -> Option<Html> {
    let (a, b) = (split(before), split(after));
    if a.len() > MOST || b.len() > MOST {
        return None;
    }
    let changes = joined(changes(&a, &b));
    let same: usize = changes.iter().filter(|c| c.0 == Kind::Same).map(|c| c.1.len()).sum();
    // A text that was written anew has no altered detail to mark.
    if 5 * same < 2 * before.len().max(after.len()) {
        return None;
    }
    let mut out = String::new();
    for (kind, text) in changes {
        let tag = match kind {
            Kind::Same => "",
            Kind::Gone => "del",
            Kind::New => "ins",
        };
        if tag.is_empty() {
            push_lines(&mut out, &text);
        } else {
            out.push_str(&format!("<{tag}>"));
            push_lines(&mut out, &text);
            out.push_str(&format!("</{tag}>"));
        }
    }
    Some(Html::trusted(out))
}

fn push_lines(out: &mut String, text: &str) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push_str("<br>");
        }
        push_escaped(out, line);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Same,
    Gone,
    New,
}

/// Words and the white space between them, as tokens.
fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut space = None;
    for (at, c) in text.char_indices() {
        if space.is_some_and(|space| space != c.is_whitespace()) {
            tokens.push(&text[start..at]);
            start = at;
        }
        space = Some(c.is_whitespace());
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

/// Joins stretches that a reader would see as one change: a single common word or space between two
/// changed places belongs to both of them.
fn joined(changes: Vec<(Kind, String)>) -> Vec<(Kind, String)> {
    let short = |text: &str| text.split_whitespace().count() <= 1 && text.len() < 8;
    let mut out: Vec<(Kind, String)> = Vec::new();
    let (mut gone, mut new) = (String::new(), String::new());
    let last = changes.len();
    for (index, (kind, text)) in changes.into_iter().enumerate() {
        let open = !gone.is_empty() || !new.is_empty();
        match kind {
            Kind::Gone => gone.push_str(&text),
            Kind::New => new.push_str(&text),
            Kind::Same if open && short(&text) && index + 1 < last => {
                gone.push_str(&text);
                new.push_str(&text);
            }
            Kind::Same => {
                flush(&mut out, &mut gone, &mut new);
                out.push((Kind::Same, text));
            }
        }
    }
    flush(&mut out, &mut gone, &mut new);
    out
}

fn flush(out: &mut Vec<(Kind, String)>, gone: &mut String, new: &mut String) {
    for (kind, text) in [(Kind::Gone, std::mem::take(gone)), (Kind::New, std::mem::take(new))] {
        if !text.is_empty() {
            out.push((kind, text));
        }
    }
}

/// Longest common subsequence, joined into stretches. A space between two changed words joins them.
fn changes(a: &[&str], b: &[&str]) -> Vec<(Kind, String)> {
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut out: Vec<(Kind, String)> = Vec::new();
    let mut push = |kind: Kind, text: &str| match out.last_mut() {
        Some(last) if last.0 == kind => last.1.push_str(text),
        _ => out.push((kind, text.to_owned())),
    };
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(Kind::Same, b[j]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            push(Kind::Gone, a[i]);
            i += 1;
        } else {
            push(Kind::New, b[j]);
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_that_share_little_are_not_marked() {
        assert!(words("one two three four five", "six seven eight nine ten").is_none());
    }

    #[test]
    fn the_one_altered_detail_is_marked() {
        let html = words("A droplet of 1.0 µm falls <b>", "A droplet of 0.1 µm falls <b>").unwrap();
        assert_eq!(html.as_str(), "A droplet of <del>1.0</del><ins>0.1</ins> µm falls &lt;b&gt;");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(a in "[ab \n]{0,20}", b in "[ab \n]{0,20}") {
            let changes = changes(&split(&a), &split(&b));
            let changes = joined(changes);
            let side = |out: Kind| changes.iter().filter(|c| c.0 != out).map(|c| c.1.as_str()).collect::<String>();
            prop_assert_eq!(side(Kind::New), a);
            prop_assert_eq!(side(Kind::Gone), b);
        }
    }
}
