//! Two texts word by word: what was taken out, what was put in.

/// Above this many words on either side, texts are not compared word by word.
const MOST: usize = 3000;

/// What became of a stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Both texts have it.
    Same,
    /// Only the first text has it.
    Gone,
    /// Only the second text has it.
    New,
}

/// The stretches of both texts in order; `None` when the texts are too long, or share so little that there
/// is no altered detail to mark.
pub fn words(before: &str, after: &str) -> Option<Vec<(Fate, String)>> {
    let (a, b) = (split(before), split(after));
    if a.len() > MOST || b.len() > MOST {
        return None;
    }
    let changes = joined(changes(&a, &b));
    let same: usize = changes.iter().filter(|c| c.0 == Fate::Same).map(|c| c.1.len()).sum();
    // A text that was written anew has no altered detail to mark.
    (5 * same >= 2 * before.len().max(after.len())).then_some(changes)
}

/// The difference as one line of text: `[-taken out-]` and `{+put in+}` in their surroundings, with what is
/// far from any change left out. Texts that share too little are shown one after the other, cut.
pub fn in_line(before: &str, after: &str) -> String {
    const NEAR: usize = 30;
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(stretches) = words(before, after) else {
        let cut = |text: &str| {
            let text = flat(text);
            if text.chars().count() <= 60 { text } else { format!("{}…", text.chars().take(59).collect::<String>()) }
        };
        return format!("[-{}-] {{+{}+}}", cut(before), cut(after));
    };
    let last = stretches.len().saturating_sub(1);
    let near = |position: usize, text: &str| {
        let count = text.chars().count();
        let (head, tail) = (if position == 0 { 0 } else { NEAR }, if position == last { 0 } else { NEAR });
        if count <= head + tail + 3 {
            return text.to_owned();
        }
        let start: String = text.chars().take(head).collect();
        let end: String = text.chars().skip(count - tail).collect();
        format!("{start}…{end}")
    };
    let shown = stretches.iter().enumerate().map(|(position, (fate, text))| match fate {
        Fate::Same => near(position, text),
        Fate::Gone => format!("[-{text}-]"),
        Fate::New => format!("{{+{text}+}}"),
    });
    flat(&shown.collect::<String>())
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
fn joined(changes: Vec<(Fate, String)>) -> Vec<(Fate, String)> {
    let short = |text: &str| text.split_whitespace().count() <= 1 && text.len() < 8;
    let mut out: Vec<(Fate, String)> = Vec::new();
    let (mut gone, mut new) = (String::new(), String::new());
    let last = changes.len();
    for (index, (kind, text)) in changes.into_iter().enumerate() {
        let open = !gone.is_empty() || !new.is_empty();
        match kind {
            Fate::Gone => gone.push_str(&text),
            Fate::New => new.push_str(&text),
            Fate::Same if open && short(&text) && index + 1 < last => {
                gone.push_str(&text);
                new.push_str(&text);
            }
            Fate::Same => {
                flush(&mut out, &mut gone, &mut new);
                out.push((Fate::Same, text));
            }
        }
    }
    flush(&mut out, &mut gone, &mut new);
    out
}

fn flush(out: &mut Vec<(Fate, String)>, gone: &mut String, new: &mut String) {
    for (kind, text) in [(Fate::Gone, std::mem::take(gone)), (Fate::New, std::mem::take(new))] {
        if !text.is_empty() {
            out.push((kind, text));
        }
    }
}

/// Longest common subsequence, joined into stretches. A space between two changed words joins them.
fn changes(a: &[&str], b: &[&str]) -> Vec<(Fate, String)> {
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
    let mut out: Vec<(Fate, String)> = Vec::new();
    let mut push = |kind: Fate, text: &str| match out.last_mut() {
        Some(last) if last.0 == kind => last.1.push_str(text),
        _ => out.push((kind, text.to_owned())),
    };
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(Fate::Same, b[j]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            push(Fate::Gone, a[i]);
            i += 1;
        } else {
            push(Fate::New, b[j]);
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
        assert_eq!(in_line("one two three", "six seven eight"), "[-one two three-] {+six seven eight+}");
    }

    #[test]
    fn the_one_altered_detail_is_marked_in_its_surroundings() {
        let (before, after) = ("A droplet of 1.0 µm falls", "A droplet of 0.1 µm falls");
        assert_eq!(in_line(before, after), "A droplet of [-1.0-]{+0.1+} µm falls");
        let long = "word ".repeat(40);
        let line = in_line(&format!("{long}one {long}"), &format!("{long}two {long}"));
        assert_eq!(line, "…word word word word word word [-one-]{+two+} word word word word word word…");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(a in "[ab \n]{0,20}", b in "[ab \n]{0,20}") {
            let changes = joined(changes(&split(&a), &split(&b)));
            let side = |out: Fate| changes.iter().filter(|c| c.0 != out).map(|c| c.1.as_str()).collect::<String>();
            prop_assert_eq!(side(Fate::New), a);
            prop_assert_eq!(side(Fate::Gone), b);
        }
    }
}
