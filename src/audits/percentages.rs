//! Percentages that no count can give (after Brown and Heathers 2017, the GRIM test).

use super::{About, Audit, Looked, Raised, Subject};
use crate::claims::{Printed, possible_count};
use crate::documents::numbers::{Bound, Number, Role, Unit, numbers};
use crate::documents::{self, Body, Document, Passage, Table};
use crate::number;
use crate::report::Place;

const ABOUT: About = About {
    id: "percentages",
    title: "Percentages that no count gives",
    question: "Is a printed percentage the share of some whole number in the total that is printed with it?",
    method: "Looked at are percentages in sentences with their count and total (250 of 287 (87.1 %)) or their total \
             alone (83.7 % of 287), and columns of percentages beside a column of totals, where most rows fit their \
             total. A percentage is raised when it is not the share of the printed count, or when no whole number \
             out of the total gives it at the printed digits, also not over as many runs as the study has. \
             Percentages in a ledger of claims are judged in the same way.",
    items: "percentages with a printed total",
    nothing: "no document or table prints a percentage with its total",
    code: "percent-impossible",
};

/// Share of a column's rows that must fit before the others are held to be wrong.
const MOST: f64 = 0.8;

/// Smallest total for which a percentage alone is looked at.
const SMALLEST: f64 = 10.0;

/// Most runs over which counts are pooled.
const RUNS: u64 = 8;

pub(super) struct Percentages;

impl Audit for Percentages {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let runs = subject.study.experiments.iter().map(|experiment| u64::from(experiment.runs)).max();
        let runs = runs.unwrap_or(1).clamp(1, RUNS);
        let mut looked = Looked::default();
        for document in subject.documents {
            look(document, runs, &mut looked);
        }
        for (name, text) in subject.sources.published {
            let (document, _) = documents::read(&format!("{name}.csv"), text.as_bytes(), &|_| None);
            for document in
                document.iter().filter(|document| !subject.documents.iter().any(|d| d.file == document.file))
            {
                look(document, runs, &mut looked);
            }
        }
        looked
    }
}

fn look(document: &Document, runs: u64, looked: &mut Looked) {
    let mut tables = 0;
    for block in &document.blocks {
        let (found, subject) = match &block.body {
            Body::Paragraph(passage) => (in_sentence(passage, runs, &mut looked.checked), None),
            Body::Table(table) => {
                tables += 1;
                (in_table(table, runs, &mut looked.checked), Some(format!("table {tables}")))
            }
            Body::Heading(_) => continue,
        };
        for (byte, says) in found {
            let mut place = Place::file(&document.file).with_byte(byte);
            place.subject.clone_from(&subject);
            looked.raised.push(Raised { place, says, origin: None, set: None });
        }
    }
}

/// Places in the file and what is wrong there.
type Found = Vec<(usize, String)>;

fn in_sentence(passage: &Passage, runs: u64, checked: &mut usize) -> Found {
    let all = numbers(passage);
    let between = |a: &Number, b: &Number| passage.text.get(a.after..b.start).unwrap_or_default().trim();
    let closed =
        |number: &Number| passage.text.get(number.after..).unwrap_or_default().trim_start().starts_with([')', ']']);
    let mut found = Vec::new();
    for (at, number) in all.iter().enumerate().filter(|(_, number)| is_percent(number)) {
        let printed = Printed::new(&number.text, number.value, number.decimals);
        // `250 of 287 (83.7 %)` and `83.7 % (250 of 287)`.
        let after = at.checked_sub(2).map(|first| (first, between(&all[at - 1], number), closed(number)));
        let before = (at + 2 < all.len()).then(|| (at + 1, between(number, &all[at + 1]), closed(&all[at + 2])));
        let pair = after.into_iter().chain(before).find(|(first, text, closed)| {
            matches!(all[*first].role, Role::Count(_)) && matches!(*text, "(" | "[") && *closed
        });
        if let Some((first, ..)) = pair {
            let (count, total) = (all[first].scaled(), all[first + 1].scaled());
            *checked += 1;
            let share = 100.0 * count / total;
            // The complement is a way to say the same.
            if !fits(&printed, share) && !fits(&printed, 100.0 - share) {
                let share = number::fixed(share, usize::try_from(number.decimals.max(0)).unwrap_or(0) + 1);
                let says = format!(
                    "{} of {} is {share} %, and {} % is printed",
                    all[first].text,
                    all[first + 1].text,
                    number.text
                );
                found.push((number.place, says));
            }
            continue;
        }
        // `83.7 % of 287`.
        let Some(total) = all.get(at + 1).filter(|total| is_total(total)) else { continue };
        if matches!(
            between(number, total),
            "of" | "of the" | "of all" | "of all the" | "of these" | "of its" | "of our"
        ) {
            *checked += 1;
            found.extend(impossible(&printed, total.value, runs).map(|says| (number.place, says)));
        }
    }
    found
}

fn is_percent(number: &Number) -> bool {
    number.rule.is_none()
        && number.unit == Unit::Percent
        && number.bound == Bound::Exact
        && number.role == Role::Value
        && (0.0..=100.0).contains(&number.value)
}

fn is_total(number: &Number) -> bool {
    let bare = number.unit == Unit::None && number.bound == Bound::Exact && number.role == Role::Value;
    number.rule.is_none() && bare && number.is_whole() && (SMALLEST..1e9).contains(&number.value)
}

fn fits(printed: &Printed, value: f64) -> bool {
    let (low, high) = printed.interval();
    value >= low - 1e-9 && value <= high + 1e-9
}

/// What is wrong with a percentage of a total, if no count gives it.
fn impossible(printed: &Printed, total: f64, runs: u64) -> Option<String> {
    let possible = |pooled: u64| possible_count(printed, pooled * total as u64).is_some();
    (!(1..=runs).any(possible)).then(|| format!("no count out of {total} is {} %", printed.text))
}

/// Columns of percentages beside a column of totals.
fn in_table(table: &Table, runs: u64, checked: &mut usize) -> Found {
    let named = |wanted: fn(&str) -> bool| {
        let fits = move |(_, head): &(usize, &Passage)| wanted(&head.text.trim().to_lowercase());
        table.heads.iter().enumerate().filter(fits).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let is_share =
        |head: &str| head.contains('%') || head.contains("percent") || head.split(['_', ' ']).any(|word| word == "pct");
    let totals = named(|head| matches!(head, "n" | "n_problems" | "n_items" | "n problems" | "n items"));
    let [total] = totals.as_slice() else { return Vec::new() };
    let mut found = Vec::new();
    for share in named(is_share) {
        let mut rows = Vec::new();
        for row in &table.rows {
            let (Some(n), Some(cell)) = (row.cells.get(*total), row.cells.get(share)) else { continue };
            let (n, cells) = (numbers(n), numbers(cell));
            // A mean with its spread is no share of a count.
            let ([n], [cell]) = (n.as_slice(), cells.as_slice()) else { continue };
            if n.is_whole() && n.value >= 1.0 && cell.role == Role::Value && (0.0..=100.0).contains(&cell.value) {
                let printed = Printed::new(&cell.text, cell.value, cell.decimals);
                rows.push((cell.place, impossible(&printed, n.value, runs)));
            }
        }
        let fitting = rows.iter().filter(|(_, wrong)| wrong.is_none()).count();
        if rows.len() >= 3 && fitting as f64 >= MOST * rows.len() as f64 {
            *checked += rows.len();
            found.extend(rows.into_iter().filter_map(|(place, wrong)| Some((place, wrong?))));
        }
    }
    found
}
