//! What holds and what does not, for a reader of ten seconds: each count with what was counted.

use super::Subject;
use crate::archive::Archive;
use crate::claims::{Judgements, Reconciliation, Verdict};
use crate::number::grouped;
use crate::report::{Findings, Severity};
use crate::verify::{Level, LevelSummary, Unchecked};

/// What a verdict is made from.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The records.
    pub archive: &'a Archive,
    /// Summaries of the levels.
    pub levels: &'a [LevelSummary],
    /// Judged claims.
    pub judgements: &'a Judgements,
    /// Everything any stage had to say.
    pub findings: &'a Findings,
}

impl<'a> From<&Subject<'a>> for Known<'a> {
    fn from(subject: &Subject<'a>) -> Self {
        let Subject { archive, judgements, findings, .. } = *subject;
        Self { archive, levels: &subject.ledger.levels, judgements, findings }
    }
}

/// What was checked, what became of the printed numbers and where the runs come from, in a few sentences.
pub fn verdict(known: Known<'_>) -> String {
    let sentences =
        [checked(known.levels), unreadable(known.findings), printed(known.judgements), origin(known.archive)];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The same in one sentence, for lists of versions and studies: what became of the printed numbers, or, where none was
/// given, what was checked.
pub fn brief(known: Known<'_>) -> String {
    let first = printed(known.judgements).or_else(|| checked(known.levels)).unwrap_or_default();
    match origin(known.archive) {
        Some(origin) => format!("{} ({}).", first.trim_end_matches('.'), lowered(origin.trim_end_matches('.'))),
        None => first,
    }
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// What a level counts, as a plural.
pub const fn counted(level: Level) -> &'static str {
    match level {
        Level::L0 => "expected files and runs",
        Level::L1 | Level::L4 => "reference programs",
        Level::L2 => "recorded answers",
        Level::L3 => "verdicts",
        Level::L5 => "statistics and rows of published tables",
        Level::L6 => "printed numbers",
        Level::L7 => "entries of the bundle",
    }
}

/// How much of each kind was checked, and whether it agrees.
fn checked(levels: &[LevelSummary]) -> Option<String> {
    let own = || levels.iter().filter(|level| level.level < Level::L6);
    let disagreed: usize = own().map(|level| level.disagreed).sum();
    let named = own().filter(|level| level.level < Level::L4 && level.total > 0);
    let part = |level: &LevelSummary| {
        let what = match level.level {
            Level::L1 => "reference programs executed again",
            Level::L2 => "recorded answers executed again",
            Level::L3 => "verdicts graded again",
            other => counted(other),
        };
        format!("{} of {} {what}", grouped(level.checked as u64), grouped(level.total as u64))
    };
    let parts: Vec<String> = named.map(part).collect();
    if parts.is_empty() {
        return None;
    }
    if own().all(|level| level.checked == 0) {
        return Some(format!("Nothing could be checked: {}.", parts.join(", ")));
    }
    let outcome = match disagreed {
        0 => "all of these agree".to_owned(),
        1 => "1 check disagrees".to_owned(),
        n => format!("{} checks disagree", grouped(n as u64)),
    };
    Some(format!("Checked: {}; {outcome}.", parts.join(", ")))
}

fn unreadable(findings: &Findings) -> Option<String> {
    match findings.count(Severity::Unreadable) {
        0 => None,
        1 => Some("1 part of the archive could not be read.".to_owned()),
        n => Some(format!("{} parts of the archive could not be read.", grouped(n as u64))),
    }
}

/// How many printed numbers follow, do not follow, and cannot be checked.
fn printed(judgements: &Judgements) -> Option<String> {
    let all = judgements.claims.len();
    if all == 0 {
        return None;
    }
    let count = |verdict: Verdict| judgements.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let n = |count: usize| grouped(count as u64);
    let mut parts = vec![
        (count(Verdict::Reproduced), "follows from the archive", "follow from the archive"),
        (count(Verdict::Consistent), "only fits other printed numbers", "only fit other printed numbers"),
        (count(Verdict::SameByConstruction), "agrees by construction", "agree by construction"),
        (Reconciliation::of(judgements).wrong(), "does not follow", "do not follow"),
        (count(Verdict::ConflictingSources), "differs between its sources", "differ between their sources"),
        (count(Verdict::NotCheckable), "could not be checked", "could not be checked"),
    ];
    parts.retain(|(count, one, _)| *count > 0 || *one == "does not follow");
    let said: Vec<String> = parts
        .iter()
        .map(|(count, one, more)| format!("{} {}", n(*count), if *count == 1 { one } else { more }))
        .collect();
    let noun = if all == 1 { "number" } else { "numbers" };
    Some(format!("Of {} printed {noun}, {}.", n(all), listed(&said)))
}

/// `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

/// How many runs were rebuilt.
fn origin(archive: &Archive) -> Option<String> {
    let (rebuilt, all) = (archive.rebuilt().count(), archive.runs.len());
    match (rebuilt, all) {
        (0, _) => None,
        (1, 1) => Some("The one run was rebuilt, not recorded.".to_owned()),
        (some, all) if some == all => Some(format!("All {} runs were rebuilt, not recorded.", grouped(all as u64))),
        (1, all) => Some(format!("1 of {} runs was rebuilt, not recorded.", grouped(all as u64))),
        (some, all) => {
            Some(format!("{} of {} runs were rebuilt, not recorded.", grouped(some as u64), grouped(all as u64)))
        }
    }
}

/// What could not be checked, level by level: what was to be checked, and why it was not, most first.
pub fn unchecked(levels: &[LevelSummary]) -> Vec<String> {
    let line = |level: &LevelSummary| {
        let mut reasons: Vec<(&Unchecked, usize)> =
            level.not_checkable.iter().map(|(reason, count)| (reason, *count)).collect();
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let open: usize = reasons.iter().map(|(_, count)| count).sum();
        let why: Vec<String> = match reasons.as_slice() {
            [(reason, _)] => vec![reason.said()],
            _ => reasons
                .iter()
                .map(|(reason, count)| format!("{} ({})", reason.said(), grouped(*count as u64)))
                .collect(),
        };
        let (_, name, _) = level.level.words();
        let (all, of) = (grouped(level.total as u64), counted(level.level));
        format!("{name}: {} of {all} {of} could not be checked: {}.", grouped(open as u64), why.join(", "))
    };
    levels.iter().filter(|level| !level.not_checkable.is_empty()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(level: Level, (agreed, disagreed): (usize, usize), open: &[(Unchecked, usize)]) -> LevelSummary {
        let mut summary = LevelSummary::new(level);
        (0..agreed).for_each(|_| summary.count(true));
        (0..disagreed).for_each(|_| summary.count(false));
        open.iter().for_each(|(reason, count)| summary.skip(reason.clone(), *count));
        summary
    }

    #[test]
    fn each_count_stands_with_what_was_counted() {
        let levels = [
            level(Level::L1, (3, 0), &[]),
            level(Level::L2, (4, 1), &[(Unchecked::NoTexts, 1_200), (Unchecked::NoKey, 7)]),
            level(Level::L5, (9, 0), &[]),
        ];
        assert_eq!(
            checked(&levels).unwrap(),
            "Checked: 3 of 3 reference programs executed again, 5 of 1,212 recorded answers executed again; 1 check disagrees."
        );
        assert_eq!(
            unchecked(&levels),
            [
                "Replay: 1,207 of 1,212 recorded answers could not be checked: no response text archived (1,200), no rule: the right option is not stored (7)."
            ]
        );
        let nothing = [level(Level::L2, (0, 0), &[(Unchecked::NoEngine, 2)])];
        assert_eq!(checked(&nothing).unwrap(), "Nothing could be checked: 0 of 2 recorded answers executed again.");
        assert_eq!(checked(&[]), None);
        assert_eq!(printed(&Judgements::default()), None);
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
