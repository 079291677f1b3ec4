//! promptfoo's deterministic assertions, written again from their documentation: the reference lens of level L3.

use regex::Regex;

use crate::json::Value;

/// Why an assertion is not derived again.
pub(super) type Reason = &'static str;

/// The verdict of an assertion over an answer.
pub(super) fn verdict(assertion: &Value, answer: &str) -> Result<bool, Reason> {
    let kind = assertion.get("type").and_then(Value::as_text).ok_or("the assertion has no type")?;
    let (kind, inverse) = match kind.strip_prefix("not-") {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let changed = |name: &str| assertion.get(name).is_some_and(|value| !value.is_null());
    if ["transform", "contextTransform", "normalizeUnicode"].into_iter().any(changed) {
        return Err("the answer is transformed before it is looked at");
    }
    let value = assertion.get("value").filter(|value| !value.is_null());
    let text = || -> Result<String, Reason> {
        let text = match value {
            Some(Value::Text(text)) => text.clone(),
            Some(number @ Value::Number(_)) => number.python_text(),
            _ => return Err("the value of the assertion is not a text"),
        };
        stored(&text)?;
        Ok(text)
    };
    let texts = || -> Result<Vec<String>, Reason> {
        match value {
            Some(Value::List(items)) => items
                .iter()
                .map(|item| {
                    let item = item.as_text().ok_or("a value of the assertion is not a text")?;
                    stored(item).map(|()| item.to_owned())
                })
                .collect(),
            Some(Value::Text(text)) if !text.contains(['"', '\\']) => {
                stored(text)?;
                Ok(text.split(',').map(|part| part.trim().to_owned()).collect())
            }
            _ => Err("the values of the assertion are not a list"),
        }
    };
    let lower = |text: &str| text.to_lowercase();
    let found = match kind {
        "equals" => text()? == answer,
        "contains" => answer.contains(&text()?),
        "icontains" => lower(answer).contains(&lower(&text()?)),
        "starts-with" => answer.starts_with(&text()?),
        "contains-any" => texts()?.iter().any(|part| answer.contains(part)),
        "contains-all" => texts()?.iter().all(|part| answer.contains(part)),
        "icontains-any" => texts()?.iter().any(|part| lower(answer).contains(&lower(part))),
        "icontains-all" => texts()?.iter().all(|part| lower(answer).contains(&lower(part))),
        "regex" => matches(&text()?, answer)?,
        _ => return Err("the assertion is not a rule over texts (a model, or code that is not archived)"),
    };
    Ok(found != inverse)
}

/// A value with a placeholder was filled in before it was used.
fn stored(text: &str) -> Result<(), Reason> {
    if text.contains("{{") || text.contains("{%") || text.starts_with("file://") {
        return Err("the value of the assertion is a template or a file");
    }
    Ok(())
}

/// A JavaScript pattern. What it means there and here is the same for ASCII text on one line, and for patterns
/// without looking around.
fn matches(pattern: &str, answer: &str) -> Result<bool, Reason> {
    if !answer.is_ascii() || answer.contains('\r') {
        return Err("the pattern may mean something else for text beyond ASCII");
    }
    let pattern = Regex::new(pattern).map_err(|_| "the pattern uses what only JavaScript has")?;
    Ok(pattern.is_match(answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn of(assertion: &str, answer: &str) -> Result<bool, Reason> {
        verdict(&Reader::new(assertion.as_bytes()).value().unwrap(), answer)
    }

    #[test]
    fn assertions_say_what_their_documentation_says() {
        for (assertion, answer, pass) in [
            (r#"{"type": "equals", "value": "Paris"}"#, "Paris", true),
            (r#"{"type": "equals", "value": 64}"#, "64", true),
            (r#"{"type": "icontains", "value": "PARIS"}"#, "In paris.", true),
            (r#"{"type": "not-contains", "value": "sorry"}"#, "I am sorry", false),
            (r#"{"type": "starts-with", "value": "{"}"#, "{}", true),
            (r#"{"type": "contains-any", "value": "a, b"}"#, "b", true),
            (r#"{"type": "contains-all", "value": ["a", "b"]}"#, "b", false),
            (r#"{"type": "regex", "value": "\\b56\\b"}"#, "64", false),
            (r#"{"type": "not-regex", "value": "^6"}"#, "64", false),
        ] {
            assert_eq!(of(assertion, answer), Ok(pass), "{assertion}");
        }
    }

    #[test]
    fn what_is_not_stored_or_not_the_same_here_is_not_derived() {
        for assertion in [
            r#"{"type": "llm-rubric", "value": "polite"}"#,
            r#"{"type": "equals", "value": "{{answer}}"}"#,
            r#"{"type": "equals", "value": "x", "transform": "output.a"}"#,
            r#"{"type": "regex", "value": "(?=x)"}"#,
            r#"{"type": "contains"}"#,
            "{}",
        ] {
            assert!(of(assertion, "x").is_err(), "{assertion}");
        }
        assert!(of(r#"{"type": "regex", "value": "\\w"}"#, "é").is_err());
    }
}
