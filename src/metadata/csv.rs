//! CSV after RFC 4180 with LF: quoting one field, reading a whole text.

/// A field, quoted when it has to be.
pub fn csv_field(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// Rows of a CSV text. A byte order mark is skipped; line ends may be LF or CRLF.
///
/// # Errors
/// The line (from 1) where a quoted field is not closed or is followed by something else.
pub fn read_csv(text: &str) -> Result<Vec<Vec<String>>, usize> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut line = 1;
    while !rest.is_empty() {
        let before = rest;
        let (field, behind) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted).ok_or(line)?,
            None => {
                let end = rest.find([',', '\n']).unwrap_or(rest.len());
                let field =
                    if rest[end..].starts_with('\n') { rest[..end].trim_end_matches('\r') } else { &rest[..end] };
                (field.to_owned(), &rest[end..])
            }
        };
        row.push(field);
        rest = match behind.strip_prefix(',') {
            // A comma at the very end of the text still begins a last, empty field.
            Some("") => {
                row.push(String::new());
                ""
            }
            Some(more) => more,
            None => {
                let behind = behind.strip_prefix('\r').unwrap_or(behind);
                let more = if behind.is_empty() { "" } else { behind.strip_prefix('\n').ok_or(line)? };
                rows.push(std::mem::take(&mut row));
                more
            }
        };
        line += before[..before.len() - rest.len()].matches('\n').count();
    }
    if !row.is_empty() {
        rows.push(row);
    }
    Ok(rows)
}

/// The content of a quoted field and what follows its closing quote.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = quoted;
    loop {
        let end = rest.find('"')?;
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Some((field, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn awkward_fields_are_read() {
        assert_eq!(read_csv("a,b\n1,\n"), Ok(vec![vec!["a".into(), "b".into()], vec!["1".into(), String::new()]]));
        assert_eq!(read_csv("\u{feff}a\r\n\"x\r\ny\"\r\n").unwrap(), [["a"], ["x\r\ny"]]);
        assert_eq!(read_csv("a,").unwrap(), [["a", ""]]);
        assert_eq!(read_csv("a\n\"b"), Err(2));
        assert_eq!(read_csv("\"b\"c"), Err(1));
        assert_eq!(read_csv(""), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_again(rows in prop::collection::vec(prop::collection::vec("[a\", \n\r]{1,4}", 3), 1..4)) {
            let line = |row: &Vec<String>| row.iter().map(|f| csv_field(f)).collect::<Vec<_>>().join(",") + "\n";
            let text: String = rows.iter().map(line).collect();
            prop_assert_eq!(read_csv(&text).unwrap(), rows);
        }
    }
}
