//! Words of a text in a form in which they can be compared: lower case, singular, signs spelled.

/// A word with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The word as it is compared.
    pub(super) word: String,
    /// First byte in the text.
    pub(super) start: usize,
    /// Byte after the last.
    pub(super) end: usize,
}

/// The words of a text. Letters and digits make words; a few signs are words of their own.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices().chain(std::iter::once((text.len(), ' '))) {
        let is_word = c.is_alphanumeric() && sign(c).is_none();
        // Letters and digits part: `run1` is `run 1`.
        if let Some(start) = open
            && is_word
            && text[start..at].ends_with(|last: char| last.is_ascii_digit()) != c.is_ascii_digit()
        {
            found.push(Token { word: normal(&text[start..at]), start, end: at });
            open = Some(at);
        }
        match (open, is_word) {
            (None, true) => open = Some(at),
            (Some(start), false) => {
                found.push(Token { word: normal(&text[start..at]), start, end: at });
                open = None;
            }
            _ => {}
        }
        if let Some(word) = sign(c) {
            found.push(Token { word: word.to_owned(), start: at, end: at + c.len_utf8() });
        }
    }
    found
}

/// The words alone.
pub(super) fn words(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|token| token.word).collect()
}

fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        'Δ' | 'δ' | '\u{2206}' => "delta",
        'ρ' => "rho",
        'τ' => "tau",
        'κ' => "kappa",
        '±' => "±",
        '%' => "%",
        '#' => "#",
        '&' => "and",
        '→' => "→",
        _ => return None,
    })
}

fn normal(word: &str) -> String {
    let mut word = word.to_lowercase();
    let ascii = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if ascii && ["sses", "ches", "shes", "xes"].iter().any(|end| word.ends_with(end)) {
        word.truncate(word.len() - 2);
        return word;
    }
    if ascii
        && word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
    {
        word.pop();
        if word.ends_with("ie") {
            word.truncate(word.len() - 2);
            word.push('y');
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_number_and_punctuation() {
        assert_eq!(words("Model-3.5-9B (reasoning)"), ["model", "3", "5", "9", "b", "reasoning"]);
        assert_eq!(words("Accuracies of categories & pass@3"), ["accuracy", "of", "category", "and", "pass", "3"]);
        assert_eq!(words("Δ (code − direct), %"), ["delta", "code", "direct", "%"]);
        assert_eq!(words("passes, boxes and losses"), ["pass", "box", "and", "loss"]);
    }
}
