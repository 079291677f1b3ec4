//! Included files put in where they are included, so that their numbers have places of their own.

use super::{DEEPEST, MOST};

const COMMANDS: &[&str] = &["\\input", "\\include", "\\subfile"];

/// A source with the files it includes in place of the commands. A file that is not there leaves its command.
pub(in crate::documents) fn inline(text: &str, beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> String {
    let mut out = String::new();
    put(text, beside, 0, &mut out);
    out
}

fn put(text: &str, beside: &dyn Fn(&str) -> Option<Vec<u8>>, depth: usize, out: &mut String) {
    let mut rest = text;
    while let Some((at, end, name)) = next(rest) {
        let found = (depth < DEEPEST && out.len() < MOST && !is_commented(&rest[..at]))
            .then(|| beside(name).or_else(|| beside(&format!("{name}.tex"))))
            .flatten();
        match found.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(included) => {
                out.push_str(&rest[..at]);
                put(&included, beside, depth + 1, out);
                // What follows must not become part of a comment on the last line.
                if !out.ends_with('\n') {
                    out.push('\n');
                }
            }
            None => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
}

/// The next command that includes a file: where it begins and ends, and the name.
fn next(text: &str) -> Option<(usize, usize, &str)> {
    let mut from = 0;
    loop {
        let found = COMMANDS.iter().filter_map(|command| Some((from + text[from..].find(command)?, command.len())));
        let (at, length) = found.min()?;
        let behind = &text[at + length..];
        let open = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        if let Some(argument) = behind[open..].strip_prefix('{')
            && let Some(close) = argument.find('}')
        {
            return Some((at, at + length + open + 1 + close + 1, argument[..close].trim()));
        }
        from = at + length;
    }
}

/// True where the line so far holds the sign of a comment.
fn is_commented(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or("");
    let mut escaped = false;
    for c in line.chars() {
        match c {
            '\\' => escaped = !escaped,
            '%' if !escaped => return true,
            _ => escaped = false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_where_they_are_included_and_nothing_goes_round() {
        let beside = |name: &str| match name {
            "a.tex" => Some(b"A \\input{b} \\input{a}".to_vec()),
            "b.tex" => Some(b"B % end".to_vec()),
            _ => None,
        };
        let text = "x 5\\% \\input{b}\ny % \\input{b}\n\\input {none}\\includegraphics{b}";
        let wanted = "x 5\\% B % end\n\ny % \\input{b}\n\\input {none}\\includegraphics{b}";
        assert_eq!(inline(text, &beside), wanted);
        assert!(inline("\\input{a}", &beside).len() < 200);
    }
}
