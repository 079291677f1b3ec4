//! Names of configurations, from paths that differ in few places.

use super::listing::unpacked;

/// Endings that say what a file is and not whose it is.
const ENDINGS: &[&str] = &[".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".txt"];

/// Names of files and folders that say what they are and not whose.
const GENERIC: &[&str] = &[
    "results",
    "result",
    "samples",
    "sample",
    "output",
    "outputs",
    "predictions",
    "preds",
    "generations",
    "completions",
    "eval_results",
    "evaluation",
    "evaluation_results",
    "data",
    "run",
    "log",
    "logs",
    "all",
];

/// Names for files, from what tells their paths apart: the words that all of them share at the start and the end are
/// dropped, unless a name would become empty. Equal names get their folders back.
pub fn arms(paths: &[&str]) -> Vec<String> {
    let bare: Vec<&str> = paths.iter().map(|path| without_ending(path)).collect();
    let files: Vec<&str> = bare.iter().map(|path| telling(path)).collect();
    let unique = |names: &[String]| {
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort();
        sorted.windows(2).all(|pair| pair[0] != pair[1]) && names.iter().all(|name| !name.is_empty())
    };
    let words = |text: &&str| text.split_inclusive(['_', '/']).map(str::to_owned).collect::<Vec<_>>();
    let short = trimmed(&files.iter().map(words).collect::<Vec<_>>());
    if paths.len() == 1 || unique(&short) {
        return short;
    }
    let long = trimmed(&bare.iter().map(words).collect::<Vec<_>>());
    if unique(&long) { long } else { paths.iter().map(|path| (*path).to_owned()).collect() }
}

/// The last part of a path that says whose it is: its file, or the folder of a file that is called like all of its kind.
fn telling(path: &str) -> &str {
    let mut parts = path.rsplit('/').filter(|part| !GENERIC.contains(&part.to_ascii_lowercase().as_str()));
    parts.next().unwrap_or(path)
}

/// Names for paths that have no endings to drop (`gpt-3.5/samples`): what tells them apart.
pub(super) fn whole(paths: &[&str]) -> Vec<String> {
    let words = |text: &&str| text.split_inclusive(['_', '/']).map(str::to_owned).collect::<Vec<_>>();
    trimmed(&paths.iter().map(words).collect::<Vec<_>>())
}

fn without_ending(path: &str) -> &str {
    let mut path = unpacked(path);
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)) {
        path = shorter;
    }
    path
}

/// Names without the words that all share at both ends.
fn trimmed(names: &[Vec<String>]) -> Vec<String> {
    let whole = |name: &Vec<String>| name.concat();
    if names.len() < 2 {
        return names.iter().map(whole).collect();
    }
    let shortest = names.iter().map(Vec::len).min().unwrap_or(0);
    let bare = |word: &String| word.trim_end_matches(['_', '/']).to_owned();
    let start = (0..shortest).take_while(|&at| names.iter().all(|name| name[at] == names[0][at])).count();
    let from_end = |name: &Vec<String>, at: usize| bare(&name[name.len() - 1 - at]);
    let end = (0..shortest - start.min(shortest))
        .take_while(|&at| names.iter().all(|name| from_end(name, at) == from_end(&names[0], at)))
        .count();
    let cut = |name: &Vec<String>| {
        let kept = name[start..name.len() - end].concat();
        without_ending(kept.trim_matches(['_', '-', '.', '/'])).to_owned()
    };
    let cut: Vec<String> = names.iter().map(cut).collect();
    if start + end == 0 || cut.iter().any(String::is_empty) { names.iter().map(whole).collect() } else { cut }
}

/// A text as the id of a study: lower-case letters, digits and hyphens.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    // Deposits allow forty characters.
    slug.truncate(40);
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "study".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_names_share_is_dropped() {
        let named = |paths: &[&str]| arms(paths);
        assert_eq!(
            named(&["d/samples_gpt-4o.jsonl_results.jsonl", "d/samples_gpt-3.5.jsonl_results.jsonl"]),
            ["gpt-4o", "gpt-3.5"]
        );
        assert_eq!(named(&["results/a_eval.json", "results/b.c_eval.json.gz"]), ["a", "b.c"]);
        assert_eq!(named(&["only/model_x.jsonl"]), ["model_x"]);
        assert_eq!(named(&["one/results.jsonl", "two/results.jsonl"]), ["one", "two"]);
        assert_eq!(named(&["r/gpt-3.5/results.jsonl", "r/more/gpt-4o.jsonl"]), ["gpt-3.5", "gpt-4o"]);
        assert_eq!(named(&["a_results_.json", "b.json"]), ["a_results_", "b"]);
        assert_eq!(named(&["x.json", "x_1.json"]), ["x", "x_1"]);
    }

    #[test]
    fn slugs_are_ids() {
        assert_eq!(slug("My Study (v2)_x"), "my-study-v2-x");
        assert_eq!(slug("…"), "study");
    }
}
