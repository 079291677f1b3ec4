//! The answer space of a sub-answer: which values came, and how often.

use std::collections::BTreeMap;

use super::seen::{Seen, records};
use crate::archive::{Actual, SubAnswer};
use crate::packs::atmoscoder::options::{AnswerSpace, Options};
use crate::statistics::moments::extremes;
use crate::statistics::names::file_order;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "residual-cluster",
    also: &[],
    title: "Answer space of a sub-answer",
    unit: "records",
    meaning: "When a problem is failed by most, the answers tell why: one shared wrong value points to one shared \
              misreading or to the reference, values without repetition to difficulty.",
    formula: "Over the records of the leaderboard that hold the sub-answer: graded, values (numeric), passed and failed marks; \
              zeros, negatives, repeats (failed non-zero values that occur more than once), largest-identical (most failed \
              records with one equal value), orders = log10(largest / smallest non-zero |failed value|). Bands of values are \
              declared by the study; band = records with a value from low to high, both included, other = the rest of the \
              graded ones.",
    source: "Rule residual-cluster of AtmosCoder-Bench.",
    edge_cases: "Problems without a failed record that holds answers have no facts. A sub-answer without a value is graded and \
                 lies in other. Ends of passed values are undefined when none passed; orders needs two non-zero failed \
                 values.",
    example: "Answers 0.345, 0.3454, 0.7 and none, with a band from 0.335 to 0.355: graded 4, values 3, band 2, other 2.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "problem", meaning: "problem" },
        KeyDoc { key: "sub", meaning: "key of the sub-answer; absent for whole records" },
        KeyDoc { key: "cluster", meaning: "name of a declared band, or other" },
    ],
    measures: &[
        ("graded", "records that hold the sub-answer"),
        ("values", "of them with a number"),
        ("passed", "of them marked right"),
        ("failed", "of them marked wrong"),
        ("passed-lowest", "smallest value marked right"),
        ("passed-highest", "largest value marked right"),
        ("zeros", "values equal to zero"),
        ("negatives", "values below zero"),
        ("repeats", "distinct failed non-zero values that occur more than once"),
        ("largest-identical", "most failed records with one equal value"),
        ("orders", "orders of magnitude that failed non-zero values span"),
        ("band", "records in the band"),
        ("band-complete", "of them failed as a whole with a value for every sub-answer"),
        ("band-incomplete", "of them failed as a whole without a value for some sub-answer"),
        ("seen", "records of the problem that hold answers, out of all"),
        ("incomplete", "failed records without a value for some sub-answer"),
        ("complete", "failed records with a value for every sub-answer"),
    ],
};

/// Answer space of a sub-answer.
pub(crate) struct ResidualCluster;

impl Statistic for ResidualCluster {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let options = Options::of(evidence.study);
        for experiment in &evidence.study.experiments {
            let board = evidence.board(experiment);
            if board.set.is_some_and(crate::corpus::Set::is_original) {
                let spaces = options.answer_spaces.as_slice();
                (0..board.problems.len()).for_each(|problem| facts(&mut output, &board, problem, spaces));
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(evidence, &board)));
        output
    }
}

fn facts(output: &mut Output, board: &Board<'_>, problem: usize, spaces: &[AnswerSpace]) {
    let seen: Vec<Seen<'_, '_>> = records(board, problem).collect();
    let told: Vec<&[SubAnswer]> = seen.iter().filter_map(Seen::details).collect();
    if !seen.iter().any(|seen| seen.failed() && seen.details().is_some_and(|details| !details.is_empty())) {
        return;
    }
    let id = board.problems[problem];
    let keys = [&board.keys()[..], &[("problem", id)]].concat();
    records_facts(output, &keys, &seen);
    let mut subs: Vec<&str> = Vec::new();
    for detail in told.iter().copied().flatten() {
        if !subs.contains(&&*detail.sub) {
            subs.push(&detail.sub);
        }
    }
    for sub in subs {
        let keys = [&keys[..], &[("sub", sub)]].concat();
        let space = spaces.iter().find(|space| space.problem == id && space.sub == sub);
        sub_facts(output, &keys, &told, sub);
        if let Some(space) = space {
            bands(output, &keys, &seen, space);
        }
    }
}

fn answered(detail: &SubAnswer) -> bool {
    detail.actual != Actual::Missing
}

fn records_facts(output: &mut Output, keys: &[(&str, &str)], seen: &[Seen<'_, '_>]) {
    let failed: Vec<&[SubAnswer]> = seen.iter().filter(|seen| seen.failed()).filter_map(Seen::details).collect();
    let complete = failed.iter().filter(|details| details.iter().all(answered)).count();
    output
        .on(ABOUT.id, Basis::Records, keys)
        .put("seen", Estimate::out_of(seen.iter().filter(|seen| seen.details().is_some()).count(), seen.len()))
        .put("incomplete", Estimate::count(failed.len() - complete))
        .put("complete", Estimate::count(complete));
}

fn number(detail: &SubAnswer) -> Option<f64> {
    match detail.actual {
        Actual::Number(value) if value.is_finite() => Some(value),
        _ => None,
    }
}

fn sub_facts(output: &mut Output, keys: &[(&str, &str)], told: &[&[SubAnswer]], sub: &str) {
    let details: Vec<&SubAnswer> = told.iter().filter_map(|details| details.iter().find(|d| &*d.sub == sub)).collect();
    let values = |passed: Option<bool>| -> Vec<f64> {
        details.iter().filter(|d| passed.is_none_or(|passed| d.passed == passed)).filter_map(|d| number(d)).collect()
    };
    let (all, right, wrong) = (values(None), values(Some(true)), values(Some(false)));
    let passed = details.iter().filter(|detail| detail.passed).count();
    let mut identical: BTreeMap<u64, usize> = BTreeMap::new();
    // Adding 0.0 makes the two zeros one value.
    for value in &wrong {
        *identical.entry((value + 0.0).to_bits()).or_default() += 1;
    }
    let repeats = identical.iter().filter(|&(&bits, &count)| f64::from_bits(bits) != 0.0 && count > 1).count();
    let sizes: Vec<f64> = wrong.iter().map(|value| value.abs()).filter(|&size| size > 0.0).collect();
    let orders = extremes(&sizes).filter(|_| sizes.len() > 1).map(|(low, high)| (high / low).log10());
    let (lowest, highest) = extremes(&right).unzip();
    output
        .on(ABOUT.id, Basis::Records, keys)
        .put("graded", Estimate::count(details.len()))
        .put("values", Estimate::out_of(all.len(), details.len()))
        .put("passed", Estimate::out_of(passed, details.len()))
        .put("failed", Estimate::out_of(details.len() - passed, details.len()))
        .put("passed-lowest", Estimate::or(lowest, "no value passed"))
        .put("passed-highest", Estimate::or(highest, "no value passed"))
        .put("zeros", Estimate::count(all.iter().filter(|&&value| value == 0.0).count()))
        .put("negatives", Estimate::count(all.iter().filter(|&&value| value < 0.0).count()))
        .put("repeats", Estimate::count(repeats))
        .put("largest-identical", Estimate::count(identical.values().copied().max().unwrap_or(0)))
        .put("orders", Estimate::or(orders, "fewer than two failed values differ from zero"));
}

fn bands(output: &mut Output, keys: &[(&str, &str)], seen: &[Seen<'_, '_>], space: &AnswerSpace) {
    let answer = |seen: &Seen<'_, '_>| {
        let detail = seen.details()?.iter().find(|detail| *detail.sub == *space.sub)?;
        Some(number(detail))
    };
    let graded: Vec<(&Seen<'_, '_>, Option<f64>)> =
        seen.iter().filter_map(|seen| Some((seen, answer(seen)?))).collect();
    let complete =
        |seen: &Seen<'_, '_>| seen.failed() && seen.details().is_some_and(|details| details.iter().all(answered));
    let mut put = |name: &str, inside: &dyn Fn(Option<f64>) -> bool| {
        let records: Vec<_> = graded.iter().filter(|(_, value)| inside(*value)).collect();
        let failed = records.iter().filter(|(seen, _)| seen.failed()).count();
        let full = records.iter().filter(|(seen, _)| complete(seen)).count();
        output
            .on(ABOUT.id, Basis::Records, &[keys, &[("cluster", name)]].concat())
            .put("band", Estimate::out_of(records.len(), graded.len()))
            .put("band-complete", Estimate::count(full))
            .put("band-incomplete", Estimate::count(failed - full));
    };
    for band in &space.bands {
        put(&band.name, &|value| value.is_some_and(|value| band.low <= value && value <= band.high));
    }
    let anywhere = |value: f64| space.bands.iter().any(|band| band.low <= value && value <= band.high);
    put("other", &|value| !value.is_some_and(anywhere));
}

fn table(evidence: &Evidence<'_>, board: &Board<'_>) -> Table {
    let columns = [
        ("problem", Kind::Text, ""),
        ("expected", Kind::Text, ""),
        ("model", Kind::Text, ""),
        ("run", Kind::Integer, ""),
        ("actual", Kind::Real, ""),
        ("sub_passed", Kind::Integer, ""),
    ];
    let title = "Every answer of the leaderboard to the sub-answers whose answer space the study tabulates";
    let mut table = Table::new("F19_answer_space", title, &[ABOUT.id], &columns);
    let mut tallies: Vec<&Tally<'_>> = board.leaderboard().collect();
    tallies.sort_by(|a, b| file_order(a.key, b.key));
    for space in Options::of(evidence.study).answer_spaces.iter().filter(|space| space.listed) {
        let Some(problem) = board.problems.iter().position(|id| *id == space.problem) else { continue };
        let expected = board.set.and_then(|set| set.get(&space.problem)).and_then(|problem| {
            problem
                .answers
                .iter()
                .find(|answer| *answer.sub == *space.sub)
                .map(|answer| Cell::Text(answer.value.clone()))
        });
        let expected = expected.unwrap_or_else(|| Cell::Undefined("the problem has no such sub-answer".into()));
        for tally in &tallies {
            for run in &tally.runs {
                let record = run.records[problem];
                let detail = record.and_then(|r| r.details.as_ref()?.iter().find(|detail| *detail.sub == *space.sub));
                let [actual, passed] = answer_cells(record.is_some_and(|record| record.details.is_some()), detail);
                let (model, number) = (Cell::text(tally.name()), Cell::count(run.run.key.run as usize));
                table.push(vec![Cell::text(space.problem.as_str()), expected.clone(), model, number, actual, passed]);
            }
        }
    }
    table
}

fn answer_cells(told: bool, detail: Option<&SubAnswer>) -> [Cell; 2] {
    if let Some(SubAnswer { actual: Actual::Number(value), passed, .. }) = detail {
        return [Cell::full(*value), Cell::count(usize::from(*passed))];
    }
    let reason = if told { "no number was returned" } else { "the record holds no answers" };
    [(); 2].map(|()| Cell::Undefined(reason.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    fn study() -> Fixture {
        let mut study = Fixture::new(&[("a", "A", true), ("b", "B", false)])
            .set("core", "problems", None, vec![problem("p", "x", "low", 2), problem("q", "x", "low", 1)])
            .experiment("core_code", "core", "code", 3);
        for (model, letters) in [("a", ["FP", "FP", "PP"]), ("b", ["UP", "FP", "FP"])] {
            for (index, letters) in letters.into_iter().enumerate() {
                study = study.run("core_code", model, index as u32 + 1, letters);
            }
        }
        let answers = [Some(0.0), Some(-3e4), Some(1.0), None, Some(3.0), Some(3.0)];
        for (run, answer) in study.archive.runs.iter_mut().zip(answers) {
            if let Some(details) = &mut run.records[0].details {
                details[0].actual = answer.map_or(Actual::Missing, Actual::Number);
            }
        }
        if let Some(details) = &mut study.archive.runs[5].records[0].details {
            details[1].actual = Actual::Missing;
            details[0].passed = true;
        }
        let spaces = toml::toml! {
            answer-spaces = [{ problem = "p", sub = "1", bands = [{ name = "three", low = 2.9, high = 3.0 }] }]
        };
        study.option("answer-spaces", spaces["answer-spaces"].clone());
        study
    }

    #[test]
    fn values_bands_and_completeness_are_counted() {
        let facts = Facts::new(study().compute(&ResidualCluster).facts);
        let keys = [("set", "core"), ("protocol", "code"), ("problem", "p"), ("sub", "1"), ("cluster", "three")];
        let get =
            |measure, keys: &[(&str, &str)]| facts.get("residual-cluster", measure, keys).unwrap().estimate.point();
        let sub = |measure| get(measure, &keys[..4]);
        assert_eq!([sub("graded"), sub("values"), sub("zeros"), sub("negatives")], [5.0, 5.0, 1.0, 1.0].map(Some));
        assert_eq!((sub("passed-highest"), sub("repeats"), sub("orders")), (Some(3.0), Some(0.0), Some(4.0)));
        assert_eq!((get("band", &keys), get("band-complete", &keys)), (Some(2.0), Some(1.0)));
        let record = |measure| get(measure, &keys[..3]);
        assert_eq!(record("seen"), Some(5.0));
        assert_eq!((record("incomplete"), record("complete")), (Some(1.0), Some(3.0)));
        assert!(facts.select("residual-cluster", "graded", &[("problem", "q")]).is_empty());
    }

    #[test]
    fn the_table_lists_every_run() {
        let text = "problem,expected,model,run,actual,sub_passed\np,1,Model a,1,0.0,0\np,1,Model a,2,-30000.0,0\n\
                    p,1,Model a,3,1.0,1\np,1,Model b,1,,\np,1,Model b,2,3.0,0\np,1,Model b,3,3.0,1\n";
        assert_eq!(to_csv(&study().compute(&ResidualCluster).tables[0]), text);
    }
}
