//! What stands around a number in a document, to tell which of several equal numbers a claim is about.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// Words that stand around a text, in lower case.
pub(crate) type Words = BTreeSet<String>;

/// Words that stand around every number.
const COMMON: [&str; 36] = [
    "all", "and", "are", "between", "both", "but", "each", "every", "for", "from", "has", "have", "its", "not",
    "number", "numbers", "one", "only", "other", "over", "same", "than", "that", "the", "their", "then", "these",
    "they", "this", "two", "under", "was", "were", "which", "with", "without",
];

/// Words of a text that can tell one sentence from another: of three characters or more, and not of the
/// kind that stands everywhere.
pub(crate) fn words(text: &str) -> Words {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    let words = words.filter(|word| !word.bytes().all(|b| b.is_ascii_digit())).map(str::to_lowercase);
    words.filter(|word| !COMMON.contains(&word.as_str())).collect()
}

/// For every event, the words of its surroundings: of its paragraph, or of its row with the head of the
/// table, and of the heading above.
pub(crate) fn surroundings(events: &[Event<'_>]) -> Vec<Words> {
    let mut around = vec![Words::new(); events.len()];
    let (mut heading, mut head) = (Words::new(), Words::new());
    let mut begin = 0;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::End(TagEnd::Heading(_)) => heading = all(events, begin..at),
            Event::End(TagEnd::TableHead) => head = all(events, begin..at),
            Event::End(TagEnd::Table) => head.clear(),
            _ => {}
        }
        let is_edge = matches!(
            event,
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableHead | Tag::TableRow)
                | Event::End(
                    TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow
                )
        );
        if is_edge {
            let mut own = all(events, begin..at);
            own.extend(heading.iter().chain(&head).cloned());
            around[begin..at].iter_mut().for_each(|words| words.clone_from(&own));
            begin = at;
        }
    }
    around
}

fn all(events: &[Event<'_>], range: Range<usize>) -> Words {
    let texts = events[range].iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        _ => None,
    });
    texts.flat_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Options, Parser};

    #[test]
    fn a_cell_stands_between_its_heading_its_column_and_its_row() {
        let text = "# Accuracy\n\nIt rains 24 hours.\n\n| model | share |\n|---|---|\n| alpha | 24 |\n| beta | 7 |\n\n- twelve\n  - the inner one\n";
        let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
        let around = surroundings(&events);
        let of = |wanted: &str| {
            let at = events.iter().position(|event| matches!(event, Event::Text(text) if text.contains(wanted)));
            around[at.unwrap()].iter().map(String::as_str).collect::<Vec<_>>()
        };
        assert_eq!(of("rains"), ["accuracy", "hours", "rains"]);
        assert_eq!(of("alpha"), ["accuracy", "alpha", "model", "share"]);
        assert_eq!(of("7"), ["accuracy", "beta", "model", "share"]);
        assert_eq!(of("twelve"), ["accuracy", "twelve"]);
        assert_eq!(of("inner"), ["accuracy", "inner"]);
    }
}
