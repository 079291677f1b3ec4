//! Verdicts: a flaw is rejected or accepted, a valid item is solved, answered wrongly or refused, and a call
//! without an answer is none of these and stays in the denominator.

use std::collections::BTreeMap;

use super::records::{CALLS, Call, Records, Twin};
use crate::statistics::{About, Basis, Estimate, Evidence, Interval, KeyDoc, Output, Statistic, interval};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "limit-verdicts",
    also: &[],
    title: "Verdicts on flawed and valid items",
    unit: "percent",
    meaning: "How many flawed items are rejected, accepted or left without an answer, and how many valid items are solved, \
              answered wrongly, refused (a false alarm) or left without an answer; and the same shares over answered \
              calls only, so that it shows what leaving them out would do.",
    formula: "flagged = the reply declines, or withholds a required answer. Flawed and flagged: rejected; flawed and \
              complete: accepted. Valid and flagged: false-alarm; valid and complete: solved when every required answer \
              is right, else wrong. No parsed reply: unanswered. rate = 100 × count / n, n including unanswered calls, \
              with the exact interval of Clopper and Pearson; rate-answered = the same over n - unanswered.",
    source: "Verdict rules of the study; Clopper and Pearson (1934); Wilson (1927).",
    edge_cases: "An unanswered call is never a rejection and never a false alarm. 0 of n has the lower end 0 exactly, n \
                 of n the upper end 1 exactly. n = 0: undefined. The first call that is marked final counts.",
    example: "20 flaws, 13 rejected, 5 accepted, 2 unanswered: 65 percent, and 13 of 18 answered, 72.2 percent.",
    keys: &[
        KeyDoc { key: "collection", meaning: "collection of calls" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "arm", meaning: "prompt" },
        KeyDoc { key: "family", meaning: "family of items" },
        KeyDoc { key: "set", meaning: "set of items" },
        KeyDoc { key: "twin", meaning: "flawed or valid" },
    ],
    measures: &[
        ("n", "final calls, answered or not"),
        ("rejected", "flawed and flagged"),
        ("accepted", "flawed and complete"),
        ("solved", "valid, complete and right"),
        ("wrong", "valid, complete and not right"),
        ("false-alarm", "valid and flagged"),
        ("unanswered", "calls without an answer"),
        ("rate", "percent rejected (flawed) or solved (valid), unanswered calls in the denominator"),
        ("rate-answered", "the same over answered calls"),
    ],
};

/// Verdicts on flawed and valid items.
pub(super) struct Verdicts;

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Rejected,
    Accepted,
    Solved,
    Wrong,
    FalseAlarm,
    Unanswered,
}

impl Verdict {
    /// The verdict on a call for an item of this twin.
    pub(super) fn of(twin: Twin, call: &Call) -> Self {
        let Some(grade) = &call.grade else { return Self::Unanswered };
        let flagged = grade.declined || grade.withheld > 0;
        match (twin, flagged) {
            (Twin::Flawed, true) => Self::Rejected,
            (Twin::Flawed, false) => Self::Accepted,
            (Twin::Valid, true) => Self::FalseAlarm,
            (Twin::Valid, false) if grade.right.0 == grade.right.1 => Self::Solved,
            (Twin::Valid, false) => Self::Wrong,
        }
    }

    /// True for what the arm is about: a rejected flaw, a false alarm.
    pub(super) const fn is_flag(self) -> bool {
        matches!(self, Self::Rejected | Self::FalseAlarm)
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Accepted => "accepted",
            Self::Solved => "solved",
            Self::Wrong => "wrong",
            Self::FalseAlarm => "false-alarm",
            Self::Unanswered => "unanswered",
        }
    }
}

/// A row of the tables: collection, model, arm, family, set, twin.
pub(super) type Cellkey<'r> = (&'r str, &'r str, &'r str, &'r str, &'r str, Twin);

/// Verdicts by cell and item.
pub(super) fn verdicts(records: &Records) -> BTreeMap<Cellkey<'_>, BTreeMap<&str, Verdict>> {
    let mut cells: BTreeMap<Cellkey<'_>, BTreeMap<&str, Verdict>> = BTreeMap::new();
    for ((collection, model, arm, id), call) in records.finals() {
        let Some(item) = records.items.get(id) else { continue };
        let key = (collection, model, arm, item.family.as_str(), item.set.as_str(), item.twin);
        cells.entry(key).or_default().insert(id, Verdict::of(item.twin, call));
    }
    cells
}

/// `k` of `n` in percent, with the exact interval.
fn exact_share(k: usize, n: usize) -> Estimate {
    Estimate::exact_share(k, n)
}

impl Statistic for Verdicts {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let records = Records::read(&evidence.archive.materials);
        let mut output = Output { findings: records.findings.clone(), ..Output::default() };
        if let Some(reason) = records.lacks(CALLS) {
            output.on(ABOUT.id, Basis::Records, &[]).put("n", Estimate::undefined(reason));
            return output;
        }
        let mut table =
            Table::new("limit_verdicts", "Verdicts, unanswered calls in the denominator", &[ABOUT.id], &COLUMNS);
        let title = "The same verdicts, unanswered calls left out";
        let mut answered = Table::new("limit_verdicts_answered", title, &[ABOUT.id], &COLUMNS);
        for ((collection, model, arm, family, set, twin), items) in verdicts(&records) {
            let keys = [
                ("collection", collection),
                ("model", model),
                ("arm", arm),
                ("family", family),
                ("set", set),
                ("twin", twin.word()),
            ];
            let count = |wanted: Verdict| items.values().filter(|verdict| **verdict == wanted).count();
            let (n, unanswered) = (items.len(), count(Verdict::Unanswered));
            let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
            facts.put("n", Estimate::count(n)).put("unanswered", Estimate::out_of(unanswered, n));
            let listed = match twin {
                Twin::Flawed => vec![Verdict::Rejected, Verdict::Accepted],
                Twin::Valid => vec![Verdict::Solved, Verdict::Wrong, Verdict::FalseAlarm],
            };
            for verdict in &listed {
                facts.put(verdict.word(), Estimate::out_of(count(*verdict), n));
            }
            let wanted = count(listed[0]);
            facts.put("rate", exact_share(wanted, n)).put("rate-answered", exact_share(wanted, n - unanswered));
            for (table, n, unanswered) in [(&mut table, n, unanswered), (&mut answered, n - unanswered, 0)] {
                let mut row: Vec<Cell> =
                    [collection, model, arm, family, set, twin.word()].into_iter().map(Cell::text).collect();
                let flagged = count(if twin == Twin::Flawed { Verdict::Rejected } else { Verdict::FalseAlarm });
                row.extend([Cell::count(n), Cell::count(wanted), Cell::count(flagged), Cell::count(unanswered)]);
                row.extend(rate(wanted, n));
                table.push(row);
            }
        }
        output.tables.extend([table, answered]);
        output
    }
}

const COLUMNS: [(&str, Kind, &str); 15] = [
    ("collection", Kind::Text, ""),
    ("model", Kind::Text, ""),
    ("arm", Kind::Text, ""),
    ("family", Kind::Text, ""),
    ("set", Kind::Text, ""),
    ("twin", Kind::Text, ""),
    ("n", Kind::Integer, "calls"),
    ("right", Kind::Integer, "calls"),
    ("flagged", Kind::Integer, "calls"),
    ("unanswered", Kind::Integer, "calls"),
    ("rate", Kind::Real, "percent"),
    ("wilson_low", Kind::Real, "percent"),
    ("wilson_high", Kind::Real, "percent"),
    ("exact_low", Kind::Real, "percent"),
    ("exact_high", Kind::Real, "percent"),
];

/// Percent with both intervals.
fn rate(k: usize, n: usize) -> [Cell; 5] {
    if n == 0 {
        return std::array::from_fn(|_| Cell::Undefined("no call".into()));
    }
    let ends = |interval: Option<Interval>| interval.map_or((0.0, 100.0), |i| (100.0 * i.low, 100.0 * i.high));
    let wilson = ends(interval::wilson(k as u64, n as u64, interval::Z_EXACT));
    let exact = ends(interval::clopper_pearson(k as u64, n as u64));
    [100.0 * k as f64 / n as f64, wilson.0, wilson.1, exact.0, exact.1].map(|value| Cell::fixed(value, 4))
}

#[cfg(test)]
mod tests {
    use super::super::records::Grade;
    use super::*;

    fn call(grade: Option<Grade>) -> Call {
        Call {
            collection: String::new(),
            model: "m".into(),
            item: "i".into(),
            arm: "Bu".into(),
            attempt: 1,
            started: String::new(),
            status: "ok".into(),
            is_final: true,
            grade,
        }
    }

    #[test]
    fn an_unanswered_call_is_neither_a_rejection_nor_a_false_alarm() {
        let grade = |declined, withheld, right| Some(Grade { declined, withheld, right: (right, 2) });
        for (grade, flawed, valid) in [
            (None, Verdict::Unanswered, Verdict::Unanswered),
            (grade(true, 0, 0), Verdict::Rejected, Verdict::FalseAlarm),
            (grade(false, 1, 1), Verdict::Rejected, Verdict::FalseAlarm),
            (grade(false, 0, 2), Verdict::Accepted, Verdict::Solved),
            (grade(false, 0, 1), Verdict::Accepted, Verdict::Wrong),
        ] {
            let call = call(grade);
            assert_eq!((Verdict::of(Twin::Flawed, &call), Verdict::of(Twin::Valid, &call)), (flawed, valid));
        }
    }

    #[test]
    fn ends_of_exact_intervals_are_exact() {
        let ends = |k, n| rate(k, n).map(|cell| cell.printed());
        assert_eq!(ends(0, 20), ["0.0000", "0.0000", "16.1125", "0.0000", "16.8433"]);
        assert_eq!(ends(80, 80), ["100.0000", "95.4182", "100.0000", "95.4936", "100.0000"]);
    }
}
