//! One sample of an Inspect log: what was asked, what came back, what each scorer said.

use super::header::id;
use super::value::{Worth, judges};
use crate::json::{Object, Value};

/// A sample in one epoch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    /// Id as text.
    pub(super) id: String,
    /// Epoch, from 1.
    pub(super) epoch: u32,
    /// What was asked, as text.
    pub(super) input: String,
    /// Accepted answers.
    pub(super) targets: Vec<String>,
    /// Number of options.
    pub(super) choices: usize,
    /// What came back; `None` where nothing did.
    pub(super) completion: Option<String>,
    /// Judge and value, in the order of the file. Empty where nobody judged.
    pub(super) scores: Vec<(String, Worth)>,
    /// Why it ended, where it ended with an error.
    pub(super) error: Option<String>,
    /// Tokens of all models together: input, output, reasoning, total.
    pub(super) tokens: Option<[u64; 4]>,
}

/// Reads a sample; `Err` says why it is none.
pub(super) fn sample(value: &Value) -> Result<Sample, &'static str> {
    let members = value.as_object().ok_or("it is not an object")?;
    let id = members.get("id").and_then(id).ok_or("it has no id")?;
    let epoch = match members.get("epoch") {
        None | Some(Value::Null) => 1,
        Some(epoch) => {
            let number = epoch.as_number().and_then(crate::json::Number::as_u64);
            number.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0).ok_or("its epoch is no number from 1")?
        }
    };
    let attachments = members.get("attachments").and_then(Value::as_object);
    let scores = scores(members);
    Ok(Sample {
        id,
        epoch,
        input: members.get("input").map(|input| words(input, attachments)).unwrap_or_default(),
        targets: match members.get("target") {
            Some(Value::List(targets)) => targets.iter().map(|target| words(target, attachments)).collect(),
            Some(target) if !target.is_null() => vec![words(target, attachments)],
            _ => Vec::new(),
        },
        choices: members.get("choices").and_then(Value::as_list).map_or(0, <[Value]>::len),
        completion: members.get("output").and_then(|output| completion(output, attachments)),
        scores,
        error: members.get("error").filter(|error| !error.is_null()).map(|error| {
            error.get("message").and_then(Value::as_text).map_or_else(|| error.python_text(), str::to_owned)
        }),
        tokens: members.get("model_usage").and_then(tokens),
    })
}

/// `scores` by scorer; logs of 2024 and before have one `score` with the value alone.
fn scores(members: &Object) -> Vec<(String, Worth)> {
    let named = members.get("scores").and_then(Value::as_object);
    let named = named.into_iter().flat_map(Object::iter).filter_map(|(scorer, score)| {
        let value = score.get("value")?;
        Some(judges(scorer, value))
    });
    let single = members.get("score").and_then(|score| score.get("value")).map(|value| judges("score", value));
    let mut all: Vec<_> = named.flatten().collect();
    if all.is_empty() {
        all.extend(single.into_iter().flatten());
    }
    all
}

/// The answer text: `completion`, or the text of the first choice's message.
fn completion(output: &Value, attachments: Option<&Object>) -> Option<String> {
    if let Some(text) = output.get("completion").and_then(Value::as_text) {
        return Some(attached(text, attachments).to_owned());
    }
    let first = output.get("choices")?.as_list()?.first()?;
    Some(words(first.get("message")?.get("content")?, attachments))
}

/// Text of a content: itself, or that of its parts, one line each; of messages, their contents.
fn words(value: &Value, attachments: Option<&Object>) -> String {
    match value {
        Value::Text(text) => attached(text, attachments).to_owned(),
        Value::List(parts) => {
            let texts = parts.iter().filter_map(|part| {
                let inner = part.get("text").or_else(|| part.get("content"));
                inner.or_else(|| part.as_text().map(|_| part)).map(|inner| words(inner, attachments))
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null => String::new(),
        other => other.python_text(),
    }
}

/// Long texts are kept once and named by digest elsewhere.
fn attached<'v>(text: &'v str, attachments: Option<&'v Object>) -> &'v str {
    text.strip_prefix("attachment://").and_then(|digest| attachments?.get(digest)?.as_text()).unwrap_or(text)
}

fn tokens(usage: &Value) -> Option<[u64; 4]> {
    let mut sums = [0_u64; 4];
    let models = usage.as_object().filter(|models| !models.is_empty())?;
    for (_, model) in models.iter() {
        for (sum, member) in sums.iter_mut().zip(["input_tokens", "output_tokens", "reasoning_tokens", "total_tokens"])
        {
            let count = model.get(member).and_then(Value::as_number).and_then(crate::json::Number::as_u64);
            *sum = sum.saturating_add(count.unwrap_or(0));
        }
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn of(text: &str) -> Result<Sample, &'static str> {
        sample(&Reader::new(text.as_bytes()).value().unwrap())
    }

    #[test]
    fn a_sample_has_its_texts_from_where_they_are_kept() {
        let sample = of(
            r#"{"id": 7, "epoch": 2, "input": [{"role": "user", "content": "attachment://aa"}], "target": ["x", "y"],
            "choices": ["p", "q"], "output": {"choices": [{"message": {"content": [{"type": "text", "text": "X"}]}}]},
            "scores": {"match": {"value": "C"}, "panel": {"value": {"a": 0.5}}}, "attachments": {"aa": "Which?"},
            "model_usage": {"m": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}, "judge": {"total_tokens": 5}}}"#,
        )
        .unwrap();
        assert_eq!((sample.id.as_str(), sample.epoch, sample.input.as_str()), ("7", 2, "Which?"));
        assert_eq!((sample.completion.as_deref(), sample.choices), (Some("X"), 2));
        assert_eq!(sample.scores.iter().map(|(judge, _)| judge.as_str()).collect::<Vec<_>>(), ["match", "panel/a"]);
        assert_eq!(sample.tokens, Some([3, 4, 0, 12]));
    }

    #[test]
    fn what_is_no_sample_says_why_and_what_nobody_judged_has_no_score() {
        assert_eq!(of("[]"), Err("it is not an object"));
        assert_eq!(of("{\"epoch\": 1}"), Err("it has no id"));
        assert!(of("{\"id\": 1, \"epoch\": 0}").is_err());
        let bare = of("{\"id\": \"a\", \"error\": {\"message\": \"boom\"}}").unwrap();
        assert_eq!((bare.epoch, bare.completion, bare.scores.len()), (1, None, 0));
        assert_eq!(bare.error.as_deref(), Some("boom"));
        assert_eq!(
            of("{\"id\": 1, \"score\": {\"value\": \"P\"}}").unwrap().scores,
            [("score".into(), Worth::Scored(0.5))]
        );
    }
}
