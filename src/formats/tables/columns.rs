//! What the columns of a table are, by their names and by what stands in them.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::Status;

/// Names of columns by what they are for, in the order in which they are looked for. Compared without case and without
/// anything but letters and digits.
const NAMES: &[(&str, &[&str])] = &[
    (
        "item",
        &[
            "taskid",
            "questionid",
            "problemid",
            "itemid",
            "instanceid",
            "exampleid",
            "sampleid",
            "task",
            "question",
            "problem",
            "item",
            "instance",
            "example",
            "id",
            "name",
        ],
    ),
    (
        "configuration",
        &["model", "modelname", "modelid", "arm", "configuration", "config", "system", "llm", "agent", "method"],
    ),
    (
        "passed",
        &[
            "passed",
            "ispassed",
            "pass",
            "correct",
            "iscorrect",
            "solved",
            "issolved",
            "resolved",
            "success",
            "verdict",
            "status",
            "outcome",
            "mark",
            "result",
            "acc",
            "accuracy",
            "score",
        ],
    ),
    (
        "score",
        &[
            "score", "pass1", "passat1", "passrate", "rate", "accuracy", "acc", "mean", "value", "percent", "passed",
            "correct",
        ],
    ),
    ("successes", &["successes", "numpassed", "npassed", "numcorrect", "ncorrect", "passes", "c"]),
    ("n", &["n", "nsamples", "numsamples", "trials", "ntrials", "total", "count", "attempts"]),
    ("sample", &["sample", "sampleindex", "samplenumber", "trial", "repetition", "epoch", "seed", "attempt", "run"]),
    ("experiment", &["experiment", "benchmark", "dataset", "suite"]),
];

/// Names of numbers that are no score, however alone they stand.
const NO_SCORES: [&str; 18] = [
    "answer",
    "output",
    "prediction",
    "response",
    "completion",
    "expected",
    "target",
    "label",
    "seed",
    "index",
    "idx",
    "number",
    "tokens",
    "time",
    "seconds",
    "latency",
    "cost",
    "year",
];

/// Most distinct values of a column that counts as a label.
const LABEL_VALUES: usize = 40;

/// What a table seems to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    /// Role to column name.
    pub(super) columns: BTreeMap<String, String>,
    /// Columns that are configurations, for a wide table.
    pub(super) wide: Vec<String>,
    /// How each was found, in words.
    pub(super) how: Vec<String>,
}

/// Maps columns from their names and some rows; the error says what is missing.
pub(super) fn map(names: &[String], rows: &[Vec<Option<String>>]) -> Result<Mapped, String> {
    let mut mapped = Mapped { columns: BTreeMap::new(), wide: Vec::new(), how: Vec::new() };
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at)?.as_deref());
    let all = |at: usize, fits: &dyn Fn(&str) -> bool| column(at).next().is_some() && column(at).all(fits);
    let is_mark = |at: usize| all(at, &|text| status(text).is_some());
    let is_number = |at: usize| all(at, &|text| number(text).is_some());
    let is_count = |at: usize| all(at, &|text| text.parse::<u64>().is_ok());
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for (role, known) in NAMES {
        let fits = |at: usize| match *role {
            "passed" => is_mark(at),
            "score" => is_number(at) && !is_mark(at),
            "successes" | "n" => is_count(at),
            _ => column(at).next().is_some(),
        };
        let found = known.iter().find_map(|known| {
            (0..names.len()).find(|&at| !used.contains(&at) && plain(&names[at]) == **known && fits(at))
        });
        if let Some(at) = found {
            used.insert(at);
            mapped.columns.insert((*role).to_owned(), names[at].clone());
            mapped.how.push(format!("{role} is {:?} by its name", names[at]));
        }
    }
    let has = |mapped: &Mapped, role: &str| mapped.columns.contains_key(role);
    let by_type = |mapped: &mut Mapped, used: &mut BTreeSet<usize>, role: &str, at: usize, why: &str| {
        used.insert(at);
        mapped.columns.insert(role.to_owned(), names[at].clone());
        mapped.how.push(format!("{role} is column {:?}: {why}", names[at]));
    };
    // Without a telling name, what stands in the columns tells.
    let distinct = |at: usize| column(at).collect::<BTreeSet<_>>().len();
    let wordy = |at: usize| column(at).any(|text| number(text).is_none() && status(text).is_none());
    if !has(&mapped, "item") {
        let open =
            |used: &BTreeSet<usize>| (0..names.len()).filter(|at| !used.contains(at) && wordy(*at)).collect::<Vec<_>>();
        let candidates = open(&used);
        let most = candidates.iter().copied().max_by_key(|&at| (distinct(at), std::cmp::Reverse(at)));
        match most {
            Some(at) => by_type(&mut mapped, &mut used, "item", at, "the words that repeat least"),
            None => return Err("a column that names the problem (task_id, question_id, problem, item, id)".to_owned()),
        }
        let repeated = open(&used).into_iter().find(|&at| distinct(at) > 1 && distinct(at) < rows.len());
        if let Some(at) = repeated.filter(|_| !has(&mapped, "configuration") && !names_tell(names)) {
            by_type(&mut mapped, &mut used, "configuration", at, "words that repeat");
        }
    }
    let judged = |mapped: &Mapped| has(mapped, "passed") || has(mapped, "score") || has(mapped, "successes");
    if !judged(&mapped) {
        let marks: Vec<usize> = (0..names.len()).filter(|at| !used.contains(at) && is_mark(*at)).collect();
        let numbers: Vec<usize> = (0..names.len()).filter(|at| !used.contains(at) && is_number(*at)).collect();
        if !has(&mapped, "configuration") && numbers.len().max(marks.len()) >= 2 && names_tell(names) {
            // Counts that are no 0 or 1 and no rate are properties of the problem.
            let rate = |at: &usize| all(*at, &|text| number(text).is_some_and(|v| (0.0..=100.0).contains(&v)));
            let arms: Vec<usize> = (0..names.len())
                .filter(|at| !used.contains(at) && (is_mark(*at) || is_number(*at) && rate(at)))
                .collect();
            used.extend(&arms);
            mapped.wide = arms.iter().map(|&at| names[at].clone()).collect();
            mapped.how.push(format!("{} columns of marks or rates are one configuration each", arms.len()));
        } else if let [at] = marks[..] {
            by_type(&mut mapped, &mut used, "passed", at, "the only marks");
        } else if let [at] = numbers[..]
            && !NO_SCORES.contains(&plain(&names[at]).as_str())
        {
            by_type(&mut mapped, &mut used, "score", at, "the only numbers");
        }
    }
    if !judged(&mapped) && mapped.wide.is_empty() {
        return Err("a column of marks (passed, correct, resolved) or of scores (score, pass@1, accuracy)".to_owned());
    }
    if has(&mapped, "successes") && !has(&mapped, "n") {
        mapped.columns.remove("successes");
    }
    for at in (0..names.len()).filter(|at| !used.contains(at)) {
        let values: BTreeSet<&str> = column(at).collect();
        let short = values.iter().all(|text| text.len() <= 60);
        let repeats = values.len() <= LABEL_VALUES && values.len() * 2 <= rows.len().max(2);
        if !names[at].is_empty() && short && repeats && !values.is_empty() && wordy(at) {
            mapped.columns.insert(format!("label.{}", names[at]), names[at].clone());
            mapped.how.push(format!("{:?} is a label: {} values", names[at], values.len()));
        }
    }
    Ok(mapped)
}

/// The column of configurations and the columns of numbers of a table that states numbers and holds no problems: one row
/// for each configuration.
pub(super) fn stated(names: &[String], rows: &[Vec<Option<String>>]) -> Option<(String, Vec<String>)> {
    let known = NAMES.iter().find(|(role, _)| *role == "configuration").map(|(_, known)| *known)?;
    let at = known.iter().find_map(|known| names.iter().position(|name| plain(name) == **known))?;
    let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at)?.as_deref());
    let distinct = cells(at).collect::<BTreeSet<_>>().len();
    let numbers = |other: &usize| {
        *other != at
            && !names[*other].is_empty()
            && cells(*other).next().is_some()
            && cells(*other).all(|text| number(text).is_some())
    };
    let metrics: Vec<String> = (0..names.len()).filter(numbers).map(|other| names[other].clone()).collect();
    (distinct == rows.len() && !metrics.is_empty()).then(|| (names[at].clone(), metrics))
}

/// True when columns have names and not numbers in their place.
fn names_tell(names: &[String]) -> bool {
    names.iter().enumerate().any(|(at, name)| *name != (at + 1).to_string())
}

/// True for a name that columns have.
pub(super) fn is_known(name: &str) -> bool {
    let plain = plain(name);
    NAMES.iter().any(|(_, known)| known.contains(&plain.as_str()))
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A mark in words or digits.
pub(super) fn status(text: &str) -> Option<Status> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "1" | "1.0" | "true" | "t" | "yes" | "y" | "pass" | "passed" | "ok" | "correct" | "right" | "solved"
        | "resolved" | "success" | "accepted" => Status::Pass,
        "0" | "0.0" | "false" | "f" | "no" | "n" | "fail" | "failed" | "incorrect" | "wrong" | "unsolved"
        | "unresolved" | "failure" | "rejected" => Status::Fail,
        "timeout" | "timed out" => Status::Timeout,
        "error" | "errored" => Status::Error,
        "empty" => Status::Empty,
        _ => return None,
    })
}

/// A number as tables print it, with a decimal point or a decimal comma; `%` divides by a hundred.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (text, scale) = text.strip_suffix('%').map_or((text, 1.0), |text| (text.trim_end(), 0.01));
    let sound = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    let comma = text.matches(',').count() == 1 && !text.contains('.');
    // 1,234 may be one thousand or a little more than one: nobody may guess.
    let thousands = text.split_once(',').is_some_and(|(whole, rest)| rest.len() == 3 && !whole.ends_with('0'));
    if comma && thousands {
        return None;
    }
    let text = if comma { text.replace(',', ".") } else { text.to_owned() };
    sound(&text)
        .then(|| text.parse::<f64>().ok())
        .flatten()
        .filter(|value| value.is_finite())
        .map(|value| value * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(text: &str) -> Result<Mapped, String> {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let names = lines.next().unwrap();
        let rows: Vec<Vec<Option<String>>> =
            lines.map(|row| row.into_iter().map(|cell| Some(cell).filter(|cell| !cell.is_empty())).collect()).collect();
        map(&names, &rows)
    }

    fn role(mapped: &Mapped, role: &str) -> String {
        mapped.columns.get(role).cloned().unwrap_or_default()
    }

    #[test]
    fn long_tables_are_mapped_by_name() {
        let found =
            mapped("question_id,model,pass@1,difficulty\na,m,0,easy\nb,m,40,hard\na,n,10,easy\nb,n,100,hard").unwrap();
        let roles = ["item", "configuration", "score", "label.difficulty"].map(|name| role(&found, name));
        assert_eq!(roles, ["question_id", "model", "pass@1", "difficulty"]);
        let found = mapped("arm,task_id,sample,passed,result\nx,t0,0,1,passed\nx,t0,1,0,failed: y").unwrap();
        assert_eq!(
            ["configuration", "item", "sample", "passed"].map(|name| role(&found, name)),
            ["arm", "task_id", "sample", "passed"]
        );
    }

    #[test]
    fn wide_tables_have_a_column_per_configuration() {
        let found = mapped("problem,gpt,claude,topic\na,1,0,x\nb,0,1,x").unwrap();
        assert_eq!(
            (found.wide.clone(), role(&found, "item")),
            (vec!["gpt".to_owned(), "claude".to_owned()], "problem".to_owned())
        );
        assert_eq!(role(&found, "label.topic"), "topic");
    }

    #[test]
    fn without_names_the_content_tells() {
        let found = mapped("1,2,3\nt0,m,1\nt1,m,0\nt2,n,1\nt0,n,0").unwrap();
        assert_eq!(["item", "configuration", "passed"].map(|name| role(&found, name)), ["1", "2", "3"]);
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(mapped("a,b\n1,2\n3,4").unwrap_err().contains("names the problem"));
        assert!(mapped("task,note\nx,hello\ny,world").unwrap_err().contains("marks"));
    }

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        assert_eq!(["0.5", "0,5", "50 %", "1e-1", "-2"].map(number), [0.5, 0.5, 0.5, 0.1, -2.0].map(Some));
        assert_eq!(["", "x", "1,000,5", "nan", "1,234"].map(number), [None; 5]);
    }
}
