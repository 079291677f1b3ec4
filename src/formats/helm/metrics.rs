//! HELM's matching metrics, written again from their definitions: the reference lens of level L3.
//!
//! A prediction is the first completion, trimmed, and mapped to the option it names where the question has
//! options. Its score is the best over the correct references; `@k` takes the best over all completions too.

/// The rule of a metric by name; `None` for metrics that need more than the two texts.
pub(super) fn rule(name: &str) -> Option<(fn(&str, &str) -> bool, bool)> {
    let (base, all) = match name.split_once('@') {
        Some((base, _)) => (base, true),
        None => (name, false),
    };
    let rule: fn(&str, &str) -> bool = match base {
        "exact_match" => |gold, guess| gold == guess,
        "quasi_exact_match" => |gold, guess| normalised(gold) == normalised(guess),
        "prefix_exact_match" => |gold, guess| guess.starts_with(gold),
        "quasi_prefix_exact_match" => |gold, guess| normalised(guess).starts_with(&normalised(gold)),
        _ => return None,
    };
    Some((rule, all))
}

/// Score of predictions (best first) against the correct references, both trimmed: 1 or 0. An empty prediction is
/// never right. `None` for metrics without a rule here.
pub(super) fn score(name: &str, golds: &[&str], guesses: &[Option<&str>]) -> Option<f64> {
    let (rule, all) = rule(name)?;
    let guesses = if all { guesses } else { &guesses[..guesses.len().min(1)] };
    let right = guesses.iter().flatten().any(|guess| {
        let guess = guess.trim();
        !guess.is_empty() && golds.iter().any(|gold| rule(gold.trim(), guess))
    });
    Some(f64::from(u8::from(right)))
}

/// Lower case, no ASCII punctuation, no articles, single spaces.
fn normalised(text: &str) -> String {
    let bare: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    // Articles are whole words; a word ends where letters, digits and underscores end.
    let mut kept = String::with_capacity(bare.len());
    let mut word = String::new();
    let flush = |word: &mut String, kept: &mut String| {
        kept.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { word });
        word.clear();
    };
    for c in bare.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            flush(&mut word, &mut kept);
            kept.push(c);
        }
    }
    flush(&mut word, &mut kept);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_those_of_their_definitions() {
        assert_eq!(normalised("The  cat, an animal; (a-b)"), "cat animal ab");
        for (name, gold, guess, right) in [
            ("exact_match", "Paris", " Paris ", 1.0),
            ("exact_match", "Paris", "paris", 0.0),
            ("quasi_exact_match", "the Paris.", "paris", 1.0),
            ("prefix_exact_match", "Yes", "Yes, Elmendorf", 1.0),
            ("quasi_prefix_exact_match", "Yes", "yes elmendorf", 1.0),
            ("exact_match", "", "", 0.0),
        ] {
            assert_eq!(score(name, &[gold], &[Some(guess)]), Some(right), "{name} {gold:?} {guess:?}");
        }
        assert_eq!(score("f1_score", &["a"], &[Some("a")]), None);
    }

    #[test]
    fn at_k_takes_the_best_of_all_completions() {
        let guesses = [None, Some("B"), Some("A")];
        assert_eq!(score("exact_match", &["A"], &guesses), Some(0.0));
        assert_eq!(score("exact_match@3", &["A", "C"], &guesses), Some(1.0));
    }
}
