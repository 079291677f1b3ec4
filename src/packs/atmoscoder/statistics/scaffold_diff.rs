//! What the ablation took out of the statements.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::statistics::moments;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "scaffold-diff",
    also: &[],
    title: "Removed from the statements",
    unit: "problems",
    meaning: "The ablation strips hand-over knowledge from problem statements. This counts what is gone, in the texts alone: \
              numbers, formulas, words, characters.",
    formula: "Per pair: tokens = size of the multiset difference of numeric tokens (optional sign, digits, optional point, \
              digits), original minus stripped; formula = fewer `=` signs or fewer $...$ spans in the stripped text; words and \
              characters = lengths of the original minus those of the stripped text (white space separates words, characters \
              are code points).",
    source: "Rule scaffold-diff of AtmosCoder-Bench; the stored statements of both conditions.",
    edge_cases: "A problem that only one of the two sets holds is no pair. Without pairs everything is undefined. Medians are \
                 over all pairs.",
    example: "\"Use g = 9.8 and c = 3.\" against \"Use g = 9.8.\": 1 token, a formula, 4 words, 10 characters.",
    keys: &[KeyDoc { key: "problem", meaning: "problem, for tokens" }],
    measures: &[
        ("pairs", "problems with both statements"),
        ("tokens", "numeric tokens removed; by problem or in all"),
        ("tokens-median", "median of them over the pairs"),
        ("tokens-largest", "most of them in one pair"),
        ("with-tokens", "pairs that lose a numeric token, out of all"),
        ("with-formula", "pairs that lose a formula, out of all"),
        ("wording-only", "pairs that lose neither, out of all"),
        ("words-median", "median shortening in words"),
        ("chars-median", "median shortening in characters"),
        ("identical", "stripped statements equal to the statement of the same problem in the main set, out of all"),
    ],
};

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[-+]?[0-9]*\.?[0-9]+").ok());
static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$[^$]*\$").ok());

/// Removed from the statements.
pub(crate) struct ScaffoldDiff;

impl Statistic for ScaffoldDiff {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let set = |kind| evidence.corpus.sets.iter().find(|set| set.kind() == kind);
        let (Some(original), Some(stripped)) = (set("scaffolded"), set("stripped")) else {
            return output;
        };
        let pairs: Vec<(&str, &str, &str)> = original
            .problems
            .iter()
            .filter_map(|problem| {
                let other = stripped.get(problem.id.as_str())?;
                Some((problem.id.as_str(), problem.statement.as_str(), other.statement.as_str()))
            })
            .collect();
        for (id, whole, rest) in &pairs {
            let tokens = Estimate::count(removed_tokens(whole, rest));
            output.fact(ABOUT.id, "tokens", &[("problem", id)], tokens, Basis::Records);
        }
        let main = set("problems");
        let same = |(id, _, rest): &&(&str, &str, &str)| {
            main.and_then(|main| main.get(id)).is_some_and(|problem| problem.statement == **rest)
        };
        totals(&mut output, &pairs, pairs.iter().filter(same).count());
        output
    }
}

fn totals(output: &mut Output, pairs: &[(&str, &str, &str)], identical: usize) {
    let n = pairs.len();
    let mut facts = output.on(ABOUT.id, Basis::Records, &[]);
    facts.put("pairs", Estimate::count(n));
    if n == 0 {
        facts.put("tokens", Estimate::undefined("no problem has both statements"));
        return;
    }
    let tokens: Vec<usize> = pairs.iter().map(|(_, whole, rest)| removed_tokens(whole, rest)).collect();
    let formula: Vec<bool> = pairs.iter().map(|(_, whole, rest)| loses_formula(whole, rest)).collect();
    let neither = tokens.iter().zip(&formula).filter(|(tokens, formula)| **tokens == 0 && !**formula).count();
    let shorter = |length: fn(&str) -> usize| {
        let lengths = pairs.iter().map(|(_, whole, rest)| length(whole) as f64 - length(rest) as f64);
        Estimate::or(moments::median(&lengths.collect::<Vec<f64>>()), "no problem has both statements")
    };
    let middle = moments::median(&tokens.iter().map(|&tokens| tokens as f64).collect::<Vec<f64>>());
    facts
        .put("tokens", Estimate::count(tokens.iter().sum()))
        .put("tokens-median", Estimate::or(middle, "no problem has both statements"))
        .put("tokens-largest", Estimate::count(tokens.iter().copied().max().unwrap_or(0)))
        .put("with-tokens", Estimate::out_of(tokens.iter().filter(|tokens| **tokens > 0).count(), n))
        .put("with-formula", Estimate::out_of(formula.iter().filter(|formula| **formula).count(), n))
        .put("wording-only", Estimate::out_of(neither, n))
        .put("words-median", shorter(|text| text.split_whitespace().count()))
        .put("chars-median", shorter(|text| text.chars().count()))
        .put("identical", Estimate::out_of(identical, n));
}

/// Numeric tokens of `whole` that `rest` lacks, as multisets.
fn removed_tokens(whole: &str, rest: &str) -> usize {
    let Some(number) = NUMBER.as_ref() else { return 0 };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for token in number.find_iter(whole) {
        *counts.entry(token.as_str()).or_default() += 1;
    }
    for token in number.find_iter(rest) {
        *counts.entry(token.as_str()).or_default() -= 1;
    }
    counts.values().filter(|count| **count > 0).map(|count| count.unsigned_abs() as usize).sum()
}

fn loses_formula(whole: &str, rest: &str) -> bool {
    let signs = |text: &str| text.matches('=').count();
    let spans = |text: &str| SPAN.as_ref().map_or(0, |span| span.find_iter(text).count());
    signs(rest) < signs(whole) || spans(rest) < spans(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_a_multiset_and_formulas_are_signs_or_spans() {
        assert_eq!(removed_tokens("1 and 1 and -2.5", "1"), 2);
        assert_eq!(removed_tokens("x", "7"), 0);
        assert_eq!(removed_tokens(".5 of 3.", "3"), 1);
        assert!(loses_formula("a = b", "a") && loses_formula("$x$ here", "here"));
        assert!(!loses_formula("plain", "text $with$ more = signs"));
        let (whole, rest) = ("Use g = 9.8 and c = 3.", "Use g = 9.8.");
        assert_eq!(removed_tokens(whole, rest), 1);
        assert!(loses_formula(whole, rest));
        assert_eq!(whole.split_whitespace().count() - rest.split_whitespace().count(), 4);
        assert_eq!(whole.chars().count() - rest.chars().count(), 10);
    }
}
