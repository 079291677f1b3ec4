//! Solved at least once, solved every time.

use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "pass-at-k",
    also: &["pass-at-3", "all-at-3", "run-flip"],
    title: "pass@k, all@k and run flips",
    unit: "percent",
    meaning: "How much of a score is luck of the run: what is solved in at least one of k runs, what in all of them, \
              and the difference, the problems whose outcome changes from run to run.",
    formula: "For k equal to the runs of the experiment: pass = 100 × problems with at least one pass / problems \
              graded in any run; all = 100 × problems passed in every run / the same; flip = pass - all. For a smaller k \
              the expectation over k of the n graded runs of a problem with c passes, averaged over problems: \
              pass = 1 - C(n-c, k)/C(n, k), all = C(c, k)/C(n, k).",
    source: "Rules pass-at-3, all-at-3 and run-flip of the study; expectation after Chen et al. (2021), \
             equation 1.",
    edge_cases: "An incomplete configuration is undefined with \"n of m\". For a smaller k every problem needs k graded \
                 runs, or the value is undefined (an estimate from fewer runs than k would be a guess). At k equal to the \
                 runs, pass is an observation on these runs and not an estimate.",
    example: "Three runs with passes PFF on one problem and PPP on another: k=3 gives pass 100, all 50, flip 50; k=1 gives \
              pass (1/3 + 1)/2 = 66.7.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "k", meaning: "number of runs looked at" },
    ],
    measures: &[
        ("pass", "solved in at least one of k runs"),
        ("all", "solved in all of k runs"),
        ("flip", "pass minus all, in points"),
    ],
};

/// pass@k, all@k and run flips.
pub(in crate::statistics) struct PassAtK;

impl Statistic for PassAtK {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            for tally in &board.tallies {
                (1..=tally.expected_runs).for_each(|k| facts(&mut output, &board, tally, k));
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(&board)));
        output
    }
}

/// Problems passed at least once, passed in every run, and graded in any run.
fn observed(board: &Board<'_>, tally: &Tally<'_>) -> (usize, usize, usize) {
    let problems = 0..board.problems.len();
    let passes: Vec<usize> = problems.clone().map(|problem| tally.passes(problem)).collect();
    let once = passes.iter().filter(|&&passes| passes > 0).count();
    let always = passes.iter().filter(|&&passes| passes == tally.expected_runs).count();
    (once, always, problems.filter(|&problem| tally.graded(problem) > 0).count())
}

/// Share of the `k`-subsets of `n` runs without any of `c` of them: `C(n-c, k) / C(n, k)`.
fn subsets_without(n: usize, c: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - c).saturating_sub(i) as f64 / (n - i) as f64).product()
}

fn facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, k: usize) {
    let text = k.to_string();
    let mut keys = board.keys_of(tally);
    keys.push(("k", &text));
    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
    let values = tally.complete().and_then(|()| {
        if k == tally.expected_runs {
            let (once, always, n) = observed(board, tally);
            let flip = Estimate::percent(once - always, n);
            return Ok([Estimate::share(once, n), Estimate::share(always, n), flip]);
        }
        expected(board, tally, k).map(|(pass, all)| [pass, all, pass - all].map(Estimate::value))
    });
    let values = values.unwrap_or_else(|reason| [(); 3].map(|()| Estimate::undefined(reason.clone())));
    for (measure, value) in ["pass", "all", "flip"].into_iter().zip(values) {
        facts.put(measure, value);
    }
}

/// Expected pass@k and all@k in percent.
fn expected(board: &Board<'_>, tally: &Tally<'_>, k: usize) -> Result<(f64, f64), String> {
    let count = board.problems.len();
    let short = (0..count).filter(|&problem| tally.graded(problem) < k).count();
    if short > 0 || count == 0 {
        return Err(format!("{short} of {count} problems have fewer than {k} graded runs"));
    }
    let mean = |share: &dyn Fn(usize, usize) -> f64| {
        let shares = (0..count).map(|problem| share(tally.graded(problem), tally.passes(problem)));
        100.0 * crate::number::sum(shares) / count as f64
    };
    Ok((mean(&|n, c| 1.0 - subsets_without(n, c, k)), mean(&|n, c| subsets_without(n, n - c, k))))
}

fn table(board: &Board<'_>) -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("pass_at_3", Kind::Real, "percent"),
        ("all_at_3", Kind::Real, "percent"),
        ("spread", Kind::Real, "points"),
    ];
    let mut columns = columns.map(|(name, kind, unit)| (name.to_owned(), kind, unit));
    for column in &mut columns[1..3] {
        column.0 = column.0.replace('3', &board.experiment.runs.to_string());
    }
    let columns = columns.each_ref().map(|(name, kind, unit)| (name.as_str(), *kind, *unit));
    let title = "Solved in at least one run, in all runs, and the difference; least stable first";
    let mut table = Table::new("run_stability", title, &[ABOUT.id], &columns);
    let (complete, incomplete): (Vec<_>, Vec<_>) =
        board.leaderboard().partition(|tally| tally.complete().is_ok() && !board.problems.is_empty());
    let mut rows: Vec<_> = complete.into_iter().map(|tally| (tally, observed(board, tally))).collect();
    // Widest first, in whole problems; of equal ones the one that less can be relied on.
    rows.sort_by_key(|&(_, (once, always, n))| (std::cmp::Reverse((once - always) * 1_000_000 / n.max(1)), always));
    for (tally, (once, always, n)) in rows {
        let cell = |k: usize| Cell::rounded(100.0 * k as f64 / n as f64, 1);
        table.push(vec![Cell::text(tally.name()), cell(once), cell(always), cell(once - always)]);
    }
    for tally in incomplete {
        let reason = tally.complete().err().unwrap_or_else(|| "no problems".to_owned());
        let empty = || Cell::Undefined(reason.as_str().into());
        table.push(vec![Cell::text(tally.name()), empty(), empty(), empty()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use proptest::prelude::*;

    fn facts(runs: &[&str]) -> Facts {
        let problems = (0..2).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let mut study = Fixture::new(&[("m", "M", true)]).set("core", "problems", None, problems).experiment(
            "core_code",
            "core",
            "code",
            3,
        );
        for (index, letters) in runs.iter().enumerate() {
            study = study.run("core_code", "m", index as u32 + 1, letters);
        }
        Facts::new(study.compute(&PassAtK).facts)
    }

    fn estimate(facts: &Facts, measure: &str, k: &str) -> Estimate {
        let keys = [("set", "core"), ("protocol", "code"), ("model", "m"), ("k", k)];
        facts.get("pass-at-k", measure, &keys).unwrap().estimate.clone()
    }

    #[test]
    fn the_worked_example() {
        let facts = facts(&["PP", "FP", "FP"]);
        assert_eq!(estimate(&facts, "pass", "3"), Estimate::share(2, 2));
        assert_eq!(estimate(&facts, "all", "3"), Estimate::share(1, 2));
        assert_eq!(estimate(&facts, "flip", "3"), Estimate::percent(1, 2));
        let once = estimate(&facts, "pass", "1").point().unwrap();
        assert!((once - 100.0 * 2.0 / 3.0).abs() < 1e-12);
        // Of the three pairs of runs of the first problem two hold its pass, none is all passes.
        assert!((estimate(&facts, "pass", "2").point().unwrap() - 100.0 * 5.0 / 6.0).abs() < 1e-12);
        assert_eq!(estimate(&facts, "all", "2").point(), Some(50.0));
    }

    #[test]
    fn too_few_graded_runs_refuse_an_estimate() {
        let facts = facts(&["PP", "EP", "EP"]);
        assert_eq!(estimate(&facts, "pass", "2"), Estimate::undefined("1 of 2 problems have fewer than 2 graded runs"));
        assert_eq!(estimate(&facts, "pass", "3"), Estimate::share(2, 2));
        assert_eq!(estimate(&facts, "all", "3"), Estimate::share(1, 2));
        let missing = self::facts(&["PP", "PP"]);
        assert_eq!(estimate(&missing, "pass", "3"), Estimate::undefined("2 of 3 runs"));
    }

    proptest! {
        #[test]
        fn subsets_agree_with_listing_them(n in 1_u32..7, c in 0_u32..7, k in 1_u32..7) {
            let (c, k) = (c.min(n), k.min(n));
            let subsets = (0_u32..1 << n).filter(|set| set.count_ones() == k);
            let (mut all, mut without) = (0, 0);
            for set in subsets {
                all += 1;
                without += u32::from(set & ((1 << c) - 1) == 0);
            }
            let share = subsets_without(n as usize, c as usize, k as usize);
            prop_assert!((share - f64::from(without) / f64::from(all)).abs() < 1e-12);
        }
    }
}
