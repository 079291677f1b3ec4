//! Two texts word by word, as markup: what was taken out, what was put in.

use crate::diff::{Fate, words as stretches};
use crate::markup::{Html, push_escaped};

/// The changed text with its additions and omissions marked, or nothing when the texts are too long or share
/// too little.
pub(crate) fn words(before: &str, after: &str) -> Option<Html> {
    let mut out = String::new();
    for (fate, text) in stretches(before, after)? {
        let tag = match fate {
            Fate::Same => "",
            Fate::Gone => "del",
            Fate::New => "ins",
        };
        if tag.is_empty() {
            push_lines(&mut out, &text);
        } else {
            marked(&mut out, tag, &text);
        }
    }
    Some(Html::trusted(out))
}

/// Both texts: word by word where that reads well, else one after the other. A side that is not there is left
/// out.
pub(crate) fn both(before: Option<&str>, after: Option<&str>) -> Html {
    if let (Some(before), Some(after)) = (before, after)
        && let Some(words) = words(before, after)
    {
        return words;
    }
    let mut out = String::new();
    for (tag, text) in [("del", before), ("ins", after)] {
        if let Some(text) = text {
            marked(&mut out, tag, text);
        }
    }
    Html::trusted(out)
}

fn marked(out: &mut String, tag: &str, text: &str) {
    out.push_str(&format!("<{tag}>"));
    push_lines(out, text);
    out.push_str(&format!("</{tag}>"));
}

fn push_lines(out: &mut String, text: &str) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push_str("<br>");
        }
        push_escaped(out, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_altered_detail_is_marked() {
        let html = words("A droplet of 1.0 µm falls <b>", "A droplet of 0.1 µm falls <b>").unwrap();
        assert_eq!(html.as_str(), "A droplet of <del>1.0</del><ins>0.1</ins> µm falls &lt;b&gt;");
    }

    #[test]
    fn texts_that_share_nothing_stand_one_after_the_other() {
        assert_eq!(both(Some("a <b>\nc"), Some("x y z w")).as_str(), "<del>a &lt;b&gt;<br>c</del><ins>x y z w</ins>");
        assert_eq!(both(None, Some("x")).as_str(), "<ins>x</ins>");
    }
}
