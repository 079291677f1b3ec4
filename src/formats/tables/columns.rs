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
            "qid",
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

/// Last words of the names of numbers that are no score and no configuration, however alone they stand.
const NO_SCORES: [&str; 29] = [
    "answer",
    "input",
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
    "id",
    "qid",
    "number",
    "tokens",
    "time",
    "timestamp",
    "date",
    "seconds",
    "sec",
    "ms",
    "duration",
    "latency",
    "cost",
    "usd",
    "year",
    "length",
    "exitcode",
];

/// Names of what is no single problem and no configuration but a number over all of them; the second list is of sums.
const MEANS: [&str; 9] =
    ["mean", "average", "avg", "overall", "overallmean", "macroaverage", "macroavg", "microaverage", "microavg"];
const SUMS: [&str; 3] = ["total", "sum", "totals"];

/// Most distinct values of a column that counts as a label.
const LABEL_VALUES: usize = 40;

/// What a table seems to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    /// Role to column name.
    pub(super) columns: BTreeMap<String, String>,
    /// Columns that are configurations, for a wide table; problems, where `across` is set.
    pub(super) wide: Vec<String>,
    /// True for a table with a row for each configuration and a column for each problem.
    pub(super) across: bool,
    /// How each was found, in words.
    pub(super) how: Vec<String>,
}

/// Maps columns from their names and some rows; the error says what is missing.
pub(super) fn map(names: &[String], all_rows: &[Vec<Option<String>>]) -> Result<Mapped, String> {
    // Rows of means and totals hold other numbers than the rows of problems.
    let over_all = |row: &&Vec<Option<String>>| row.iter().flatten().any(|cell| aggregate(cell).is_some());
    let mut rows: Vec<&Vec<Option<String>>> = all_rows.iter().filter(|row| !over_all(row)).collect();
    if 2 * rows.len() < all_rows.len() {
        rows = all_rows.iter().collect();
    }
    let rows = rows.as_slice();
    let mut mapped = Mapped { columns: BTreeMap::new(), wide: Vec::new(), across: false, how: Vec::new() };
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at)?.as_deref());
    let all = |at: usize, fits: &dyn Fn(&str) -> bool| column(at).next().is_some() && column(at).all(fits);
    let is_mark = |at: usize| all(at, &|text| status(text).is_some());
    let is_number = |at: usize| all(at, &|text| number(text).is_some());
    let is_count = |at: usize| all(at, &|text| text.parse::<u64>().is_ok());
    let mut used: BTreeSet<usize> = BTreeSet::new();
    if let Some(across) = across(names, all_rows) {
        return Ok(across);
    }
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
        }
    }
    // A row for each data set and none finer: the data sets are what is asked then.
    let coarse = if mapped.columns.contains_key("item") { None } else { mapped.columns.remove("experiment") };
    for (role, _) in NAMES {
        if let Some(name) = mapped.columns.get(*role) {
            mapped.how.push(format!("{role} is {name:?} by its name"));
        }
    }
    if let Some(name) = coarse {
        mapped.how.push(format!("item is {name:?}: nothing finer is named"));
        mapped.columns.insert("item".to_owned(), name);
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
        // A problem is asked few times of one configuration, so its words do not repeat in most rows.
        let pairs = |at: usize, other: usize| {
            let pair = |row: &&Vec<Option<String>>| Some((row.get(at)?.clone()?, row.get(other)?.clone()));
            rows.iter().filter_map(pair).collect::<BTreeSet<_>>().len()
        };
        let telling = |at: &usize| {
            (0..names.len()).any(|other| 2 * pairs(*at, other) >= rows.len() && (other == *at || wordy(other)))
        };
        let candidates: Vec<usize> = open(&used).into_iter().filter(telling).collect();
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
        let open = |at: &usize| !used.contains(at) && !is_property(&names[*at]) && aggregate(&names[*at]).is_none();
        let marks: Vec<usize> = (0..names.len()).filter(|at| open(at) && is_mark(*at)).collect();
        let numbers: Vec<usize> = (0..names.len()).filter(|at| open(at) && is_number(*at)).collect();
        // Counts that are no 0 or 1 and no rate are properties of the problem, and so are times and costs.
        let rate = |at: &usize| all(*at, &|text| number(text).is_some_and(|v| (0.0..=100.0).contains(&v)));
        let arms: Vec<usize> =
            (0..names.len()).filter(|at| open(at) && (is_mark(*at) || is_number(*at) && rate(at))).collect();
        if !has(&mapped, "configuration") && arms.len() >= 2 && names_tell(names) {
            used.extend(&arms);
            mapped.wide = arms.iter().map(|&at| names[at].clone()).collect();
            mapped.how.push(format!("{} columns of marks or rates are one configuration each", arms.len()));
            for at in (0..names.len()).filter(|at| aggregate(&names[*at]).is_some() && is_number(*at)) {
                mapped.how.push(format!(
                    "{:?} is no configuration but a number over all of them, and is left out",
                    names[at]
                ));
            }
        } else if let [at] = marks[..] {
            by_type(&mut mapped, &mut used, "passed", at, "the only marks");
        } else if let [at] = numbers[..] {
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

/// A table with a row for each configuration and a column of marks for each problem.
fn across(names: &[String], rows: &[Vec<Option<String>>]) -> Option<Mapped> {
    let (model, numbers) = stated(names, rows)?;
    let cells = |name: &String| {
        let at = names.iter().position(|known| known == name);
        rows.iter().filter_map(move |row| row.get(at?)?.as_deref())
    };
    let mark = |name: &&String| cells(name).all(|text| matches!(status(text), Some(Status::Pass | Status::Fail)));
    let (means, problems): (Vec<&String>, Vec<&String>) = numbers.iter().partition(|name| aggregate(name).is_some());
    // Numbers that happen to be 0 and 1 in few columns may be anything; rates among them are no marks of problems.
    if problems.len() < 3
        || !problems.iter().all(mark)
        || problems.iter().any(|name| is_property(name) || is_known(name))
    {
        return None;
    }
    let mut mapped = Mapped { columns: BTreeMap::new(), wide: Vec::new(), across: true, how: Vec::new() };
    mapped.how.push(format!("a row for each {model:?}, and {} columns of marks are one problem each", problems.len()));
    mapped.wide = problems.into_iter().cloned().collect();
    for name in means {
        mapped.how.push(format!("{name:?} is no problem but a number over all of them"));
        mapped.columns.insert(format!("{OVERALL}{name}"), name.clone());
    }
    mapped.columns.insert("configuration".to_owned(), model);
    Some(mapped)
}

/// In front of the names of columns that state numbers over all problems of a row.
pub(super) const OVERALL: &str = "overall.";

/// What a name says when it is one of no single problem and no configuration but of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aggregate {
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

/// Whether a name is of a number over all rows or columns.
pub(super) fn aggregate(name: &str) -> Option<Aggregate> {
    let plain = plain(name);
    let is = |known: &[&str]| known.contains(&plain.as_str());
    if is(&MEANS) { Some(Aggregate::Mean) } else { is(&SUMS).then_some(Aggregate::Sum) }
}

/// True for the name of a number that says something else than how good an answer is: its last word tells.
fn is_property(name: &str) -> bool {
    let last = name.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).map(plain);
    [Some(plain(name)), last].into_iter().flatten().any(|word| NO_SCORES.contains(&word.as_str()))
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
    fn numbers_over_all_are_neither_problems_nor_configurations() {
        let found = mapped("problem,gpt,claude,average\na,1,0,0.5\nb,0,1,0.5").unwrap();
        assert_eq!(found.wide, ["gpt", "claude"]);
        let found = mapped("model,p1,p2,p3,average\nA,1,0,1,0.67\nB,1,1,1,1.0").unwrap();
        assert_eq!((found.across, found.wide.len(), role(&found, "overall.average")), (true, 3, "average".to_owned()));
        // A table of rates by benchmark has a row for each model too.
        assert!(mapped("Model,HumanEval,MBPP,GSM8K\nA,67.0,75.2,92.0\nB,71.2,74.1,88.0").is_err());
        assert_eq!(["Mean", "macro avg", "Sum", "p1"].map(|name| aggregate(name).is_some()), [true, true, true, false]);
    }

    #[test]
    fn a_data_set_is_what_is_asked_where_nothing_finer_is_named() {
        let found = mapped("dataset,version,metric,a,b\nmmlu,x,acc,45.2,50.1\ngsm8k,y,acc,12.0,33.3").unwrap();
        assert_eq!((role(&found, "item"), found.wide.len()), ("dataset".to_owned(), 2));
    }

    #[test]
    fn without_names_the_content_tells() {
        let found = mapped("1,2,3\nt0,m,1\nt1,m,0\nt2,n,1\nt0,n,0").unwrap();
        assert_eq!(["item", "configuration", "passed"].map(|name| role(&found, name)), ["1", "2", "3"]);
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(mapped("a,b\n1,2\n3,4").unwrap_err().contains("names the problem"));
        // Numbers that name a question are no scores, and words that repeat in every row name no problem.
        let prose =
            "qid,llm,judgement\n0,m,it is right\n1,m,wrong answer\n2,m,it is right\n3,m,wrong answer\n4,m,it is right";
        assert!(mapped(prose).unwrap_err().contains("marks"));
        let samples = "timestamp,exit_code,status\n1,0,OK\n1,1,Exception\n1,0,OK\n1,1,Exception\n1,0,OK";
        assert!(mapped(samples).unwrap_err().contains("names the problem"));
        assert!(mapped("task,note\nx,hello\ny,world").unwrap_err().contains("marks"));
    }

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        assert_eq!(["0.5", "0,5", "50 %", "1e-1", "-2"].map(number), [0.5, 0.5, 0.5, 0.1, -2.0].map(Some));
        assert_eq!(["", "x", "1,000,5", "nan", "1,234"].map(number), [None; 5]);
    }
}
