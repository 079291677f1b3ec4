//! Executed programs against prose: the gap, its noise, what prose failures look like.

use crate::archive::{Gradability, State};
use crate::statistics::moments::{extremes, mean, mean_sd};
use crate::statistics::published::Grid;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::tokens::spending;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `protocol-gap`.
pub(crate) struct ProtocolGap;

const ID: &str = "protocol-gap";

static ABOUT: About = About {
    id: ID,
    also: &["protocol-noise", "ungradable-share", "language-association", "loop-split"],
    title: "Programs against prose",
    unit: "points",
    meaning: "Whether the same configuration does better when it writes a program that is run, or when it answers in \
              prose; whether the gap stands out from run-to-run scatter; and how failures in prose read.",
    formula: "gap = mean accuracy by code - mean accuracy by prose, unrounded; overall = mean of the gaps; noise = \
              sqrt(sd_code² + sd_direct²), resolved when |gap| > noise; ungradable share = ungradable / failed; loop \
              split: the gap on problems whose reference solver matches the word while or a for over range, and on \
              the others; association: z of two proportions with pooled variance.",
    source: "Rules of the study for its protocol comparison.",
    edge_cases: "Undefined when either side lacks runs. Where prose runs are not archived but published means are, the \
                 gap is taken from them and the basis says so.",
    example: "88.48 by code and 85.45 by prose: gap +3.03; sds 0.6 and 0.3: noise 0.67, resolved.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "model", meaning: "configuration key; mean for the average gap" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "outcome", meaning: "passed or failed, for the association" },
        KeyDoc { key: "solver", meaning: "loops or straight" },
    ],
    measures: &[
        ("gap", "code minus prose, points"),
        ("noise", "combined scatter, points"),
        ("resolved", "configurations whose gap exceeds the noise"),
        ("compared", "configurations under both protocols"),
        ("ungradable", "share of failures without a gradable answer"),
        ("error-as-fail", "records counted as failures although no answer came back"),
        ("error-as-fail-problems", "problems behind those records"),
        ("marked", "share of responses with language of approximation"),
        ("z", "z of the association between failure and that language"),
        ("ratio", "how many times as often failures carry it"),
        ("loop-gap", "mean gap by kind of solver"),
        ("loop-problems", "problems by kind of solver"),
    ],
};

impl Statistic for ProtocolGap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(main) = evidence.main_board() else { return output };
        let Some(direct) = evidence.experiment(main.experiment.set.as_str(), "direct") else { return output };
        let direct = evidence.board(direct);
        gaps(&mut output, evidence, &main, &direct);
        for board in [&main, &direct] {
            ungradable(&mut output, board);
        }
        completions(&mut output, &direct);
        association(&mut output, evidence, &direct);
        loops(&mut output, &main, &direct);
        output
    }
}

/// Means and scatter of one configuration under both protocols.
struct Sides {
    code: (f64, f64),
    prose: (f64, f64),
    basis: Basis,
}

fn sides(evidence: &Evidence<'_>, main: &Board<'_>, direct: &Board<'_>, prose: &Tally<'_>) -> Result<Sides, String> {
    let code = main.tallies.iter().find(|tally| tally.key == prose.key).ok_or("no runs by code")?;
    code.complete()?;
    let of = |values: Vec<f64>| mean_sd(&values).and_then(|m| Some((m.mean, m.sd?))).ok_or("one run".to_owned());
    let code = of(code.run_percents(&main.all()))?;
    match prose.complete() {
        Ok(()) => Ok(Sides { code, prose: of(prose.run_percents(&direct.all()))?, basis: Basis::Records }),
        Err(missing) => {
            let printed = || {
                let grid = Grid::read(evidence, "F2_F3_direct_vs_code")?;
                let row = grid.column("model")?.iter().position(|name| name == prose.name())?;
                let share = grid.number(row, "direct_acc")?;
                // The printed percentage fixes the number of passes over three runs.
                let n = (direct.problems.len() * prose.expected_runs) as f64;
                let exact = 100.0 * (share * n / 100.0).round() / n;
                Some((exact, grid.number(row, "direct_sd")?))
            };
            printed().map(|prose| Sides { code, prose, basis: Basis::Published }).ok_or(missing)
        }
    }
}

fn gaps(output: &mut Output, evidence: &Evidence<'_>, main: &Board<'_>, direct: &Board<'_>) {
    let set = main.experiment.set.as_str();
    let (mut all, mut resolved, mut basis) = (Vec::new(), 0, Basis::Records);
    let mut missing = None;
    let mut rows = Vec::new();
    for tally in direct.as_listed() {
        let keys = [("set", set), ("model", tally.key)];
        match sides(evidence, main, direct, tally) {
            Ok(sides) => {
                let gap = sides.code.0 - sides.prose.0;
                let noise = sides.code.1.hypot(sides.prose.1);
                output.fact(ID, "gap", &keys, Estimate::value(gap), sides.basis);
                output.fact(ID, "noise", &keys, Estimate::value(noise), sides.basis);
                if tally.on_leaderboard() {
                    all.push(gap);
                    resolved += usize::from(gap.abs() > noise);
                    basis = basis.max(sides.basis);
                    rows.push((tally, sides));
                }
            }
            Err(reason) => {
                output.fact(ID, "gap", &keys, Estimate::undefined(&reason), Basis::Records);
                if tally.on_leaderboard() {
                    missing = Some(reason);
                }
            }
        }
    }
    if let Some(reason) = missing {
        output.fact(ID, "gap", &[("set", set), ("model", "mean")], Estimate::undefined(reason), Basis::Records);
        return;
    }
    if let Some(average) = mean(&all) {
        output.fact(ID, "gap", &[("set", set), ("model", "mean")], Estimate::value(average), basis);
        output.fact(ID, "resolved", &[("set", set)], Estimate::count(resolved), basis);
        output.fact(ID, "compared", &[("set", set)], Estimate::count(all.len()), basis);
    }
    if basis == Basis::Records && !rows.is_empty() {
        output.tables.push(table(main, &rows));
    }
}

/// Tokens of both protocols in millions per run, their ratio, and whether the count by code is a lower bound.
fn token_cells(main: &Board<'_>, prose: &Tally<'_>) -> [Cell; 4] {
    let code = main.tallies.iter().find(|tally| tally.key == prose.key).ok_or("no runs by code".to_owned());
    let both = code.and_then(|code| Ok((spending(code)?, spending(prose)?)));
    let both = both.and_then(|both| if both.0.total > 0.0 { Ok(both) } else { Err("no token was spent".to_owned()) });
    match both {
        Ok((code, prose)) => [
            Cell::rounded(code.total / 1e6, 3),
            Cell::rounded(prose.total / 1e6, 3),
            Cell::rounded(prose.total / code.total, 2),
            Cell::text(if code.is_lower_bound() { "yes" } else { "no" }),
        ],
        Err(reason) => std::array::from_fn(|_| Cell::Undefined(reason.as_str().into())),
    }
}

fn table(main: &Board<'_>, rows: &[(&Tally<'_>, Sides)]) -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("code_acc", Kind::Real, "percent"),
        ("code_sd", Kind::Real, "points"),
        ("direct_acc", Kind::Real, "percent"),
        ("direct_sd", Kind::Real, "points"),
        ("delta_code_minus_direct", Kind::Real, "points"),
        ("code_tokens_M", Kind::Real, "million tokens"),
        ("direct_tokens_M", Kind::Real, "million tokens"),
        ("token_ratio_direct_over_code", Kind::Real, ""),
        ("tokens_understated_dagger", Kind::Text, ""),
    ];
    let mut table =
        Table::new("F2_F3_direct_vs_code", "Accuracy by programs and by prose", &[ID, "tokens-run-mean"], &columns);
    for (tally, sides) in rows {
        let mut row = vec![
            Cell::text(tally.name()),
            Cell::fixed(sides.code.0, 1),
            Cell::fixed(sides.code.1, 1),
            Cell::fixed(sides.prose.0, 1),
            Cell::fixed(sides.prose.1, 1),
            Cell::signed(sides.code.0 - sides.prose.0, 1),
        ];
        row.extend(token_cells(main, tally));
        table.push(row);
    }
    table
}

fn ungradable(output: &mut Output, board: &Board<'_>) {
    for tally in &board.tallies {
        let keys = board.keys_of(tally);
        let failed = || {
            let records = tally.runs.iter().flat_map(|run| run.records.iter().flatten());
            records.filter(|record| record.state() == State::Fail)
        };
        let unknown = failed().any(|record| record.gradability() == Gradability::Unknown);
        let estimate = if let Err(missing) = tally.complete() {
            Estimate::undefined(missing)
        } else if unknown {
            Estimate::undefined("only verdicts are archived, not why a record failed")
        } else {
            let ungradable = failed().filter(|record| record.gradability() == Gradability::Ungradable).count();
            Estimate::percent(ungradable, failed().count())
        };
        output.fact(ID, "ungradable", &keys, estimate, Basis::Records);
    }
}

fn completions(output: &mut Output, direct: &Board<'_>) {
    let keys = direct.keys();
    if let Some(missing) = direct.tallies.iter().find_map(|tally| tally.complete().err()) {
        output.fact(ID, "error-as-fail", &keys, Estimate::undefined(missing), Basis::Records);
        return;
    }
    let records = direct.tallies.iter().flat_map(|t| &t.runs).flat_map(|run| run.records.iter().flatten());
    let mut ids: Vec<&str> = records.filter(|record| record.error_as_fail).map(|record| record.id.as_str()).collect();
    output.fact(ID, "error-as-fail", &keys, Estimate::count(ids.len()), Basis::Records);
    ids.sort_unstable();
    ids.dedup();
    output.fact(ID, "error-as-fail-problems", &keys, Estimate::count(ids.len()), Basis::Records);
}

/// Language of approximation among passed and failed prose answers of the leaderboard.
fn association(output: &mut Output, evidence: &Evidence<'_>, direct: &Board<'_>) {
    let (mut marked, mut all) = ([0_usize; 2], [0_usize; 2]);
    let leaderboard: Vec<&str> = direct.leaderboard().map(|tally| tally.key).collect();
    for (run, readings) in evidence.archive.runs.iter().zip(evidence.readings) {
        let asked = run.key.experiment == direct.experiment.id;
        if !asked || !leaderboard.contains(&run.key.configuration.as_str()) || readings.is_empty() {
            continue;
        }
        for (record, reading) in run.records.iter().zip(readings) {
            if record.error_as_fail || record.state() == State::Excluded {
                continue;
            }
            let side = usize::from(record.state() != State::Pass);
            all[side] += 1;
            marked[side] += usize::from(reading.approximation_talk);
        }
    }
    if all[0] == 0 || all[1] == 0 {
        output.fact(ID, "z", &[], Estimate::undefined("the texts of prose answers are not archived"), Basis::Records);
        return;
    }
    for (side, outcome) in ["passed", "failed"].into_iter().enumerate() {
        let estimate = Estimate::percent(marked[side], all[side]);
        output.fact(ID, "marked", &[("outcome", outcome)], estimate, Basis::Records);
    }
    let share = |side: usize| marked[side] as f64 / all[side] as f64;
    let pooled = (marked[0] + marked[1]) as f64 / (all[0] + all[1]) as f64;
    let scatter = (pooled * (1.0 - pooled) * (1.0 / all[0] as f64 + 1.0 / all[1] as f64)).sqrt();
    let or =
        |value: f64, fine: bool| if fine { Estimate::value(value) } else { Estimate::undefined("no marked answer") };
    output.fact(ID, "z", &[], or((share(1) - share(0)) / scatter, scatter > 0.0), Basis::Records);
    output.fact(ID, "ratio", &[], or(share(1) / share(0), marked[0] > 0), Basis::Records);
}

/// Problems whose reference solver loops, and the others.
fn loops(output: &mut Output, main: &Board<'_>, direct: &Board<'_>) {
    let Some(set) = main.set else { return };
    let looping = |id: &str| set.get(id).and_then(|problem| problem.solver.as_deref()).is_some_and(iterates);
    for (solver, wanted) in [("loops", true), ("straight", false)] {
        let keys = [("solver", solver)];
        let at: Vec<usize> = main.all().into_iter().filter(|&at| looping(main.problems[at]) == wanted).collect();
        output.fact(ID, "loop-problems", &keys, Estimate::count(at.len()), Basis::Records);
        let gap = |prose: &Tally<'_>| {
            let code = main.tallies.iter().find(|tally| tally.key == prose.key)?;
            (code.complete().is_ok() && prose.complete().is_ok()).then_some(())?;
            Some(mean(&code.run_percents(&at))? - mean(&prose.run_percents(&at))?)
        };
        let gaps: Option<Vec<f64>> = direct.leaderboard().map(gap).collect();
        let estimate = gaps
            .filter(|gaps| extremes(gaps).is_some())
            .and_then(|gaps| mean(&gaps))
            .map_or_else(|| Estimate::undefined("prose runs are not archived"), Estimate::value);
        output.fact(ID, "loop-gap", &keys, estimate, Basis::Records);
    }
}

/// The study's test: `while` as a word, or `for NAME in range`.
fn iterates(solver: &str) -> bool {
    let word = |text: &str| text.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_while = solver.match_indices("while").any(|(at, found)| {
        !word(&solver[at + found.len()..]) && !solver[..at].chars().next_back().is_some_and(|c| word(&c.to_string()))
    });
    is_while || solver.match_indices("in range").any(|(at, _)| names_a_loop(&solver[..at]))
}

/// True when the text ends in `for NAME ` with a single name.
fn names_a_loop(before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let name = words.next().is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    name && words.next().is_some_and(|word| word.ends_with("for"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found_as_the_study_finds_them() {
        for (solver, loops) in [
            ("while x > 1:\n", true),
            ("# meanwhile\n", false),
            ("for i in range(3):", true),
            ("sum(x for x in range(3))", true),
            ("for i in values:", false),
            ("a_while = 1", false),
        ] {
            assert_eq!(iterates(solver), loops, "{solver}");
        }
    }
}
