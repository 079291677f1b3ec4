//! `repro diff`: what changed between two versions of a study.

use std::collections::BTreeMap;
use std::path::Path;

use super::args;
use super::envelope::Envelope;
use super::exit::Exit;
use super::inputs::{self, Opened};
use super::output::{Output, wrap};
use super::{front, progress};
use crate::diff::{DiffRow, Difference, Named, Side, Snapshot, compare, digests, in_line};
use crate::pipeline::{compute, judge, named};
use crate::statistics::readings::Counting;
use crate::verify::Ladder;
use crate::world::Progress;

/// Most changes of one level that are listed on a terminal.
const LISTED: usize = 20;

pub(super) fn run(arguments: &args::Diff) -> Result<Exit, Exit> {
    let output = Output { json: arguments.talk.json, quiet: arguments.talk.quiet };
    let progress = progress::choose(arguments.talk.quiet || arguments.talk.json);
    let a = version(&arguments.a, progress.as_ref())?;
    let b = version(&arguments.b, progress.as_ref())?;
    let difference = compare(&a.snapshot, &b.snapshot);
    let warnings = warnings(&a.snapshot.named, &b.snapshot.named);
    for warning in &warnings {
        output.line(&wrap(&format!("WARNING  {warning}"), 9));
    }
    print(output, &difference, (&a, &b));
    let exit = if difference.is_empty() { Exit::Good } else { Exit::Disagrees };
    let mut document = Envelope::new("diff").result(serde_json::json!(difference));
    document.add("a", serde_json::json!(a.snapshot.named));
    document.add("b", serde_json::json!(b.snapshot.named));
    document.add("warnings", warnings.into());
    output.document(&document.done(exit));
    Ok(exit)
}

/// Why the two may not be what was meant: two studies, or the newer one first.
fn warnings(a: &Named, b: &Named) -> Vec<String> {
    let mut warnings = Vec::new();
    if a.study != b.study {
        warnings
            .push(format!("these are two studies, {:?} and {:?}: what differs is no change of one", a.study, b.study));
    } else if front::order((&a.date, &a.version), (&b.date, &b.version)).is_gt() {
        warnings.push(format!(
            "the first is the newer one (version {} of {}, then {} of {}): \"removed\" and \"added\" are the other way round",
            a.version, a.date, b.version, b.date
        ));
    }
    if a.tool != b.tool {
        warnings.push(format!("two versions of the tool computed these: {} and {}", a.tool, b.tool));
    }
    warnings
}

/// A side of the comparison, with what is shown of it in words.
struct Version {
    snapshot: Snapshot,
    /// Statements of the problems by set and id.
    statements: BTreeMap<Vec<String>, String>,
}

/// Reads a side. Statistics are recomputed from its records, so two deposits are compared under one rule.
fn version(path: &Path, progress: &dyn Progress) -> Result<Version, Exit> {
    let arguments = args::StudyArgs {
        study: Some(path.to_owned()),
        claims: Vec::new(),
        allow_missing: true,
        keep_going: true,
        offline_strict: false,
        include: Vec::new(),
    };
    let opened: Opened = inputs::open(&arguments)?;
    let given = inputs::load(&opened, &arguments, Counting::default(), None, progress)?;
    let computed = compute(&given, &Ladder::default());
    let (judgements, _) = judge(&given, &computed);
    let files = digests(opened.source.as_ref(), progress).map_err(|error| {
        super::complain(&format!("{} cannot be read: {error}", path.display()), "check its files");
        Exit::Unreadable
    })?;
    let side = Side {
        files: Some(&files),
        corpus: &given.corpus,
        archive: &given.archive,
        facts: Some(&computed.facts),
        claims: Some(&judgements.claims),
    };
    let snapshot = Snapshot::of(named(&given), &side);
    let mut statements = BTreeMap::new();
    for set in &given.corpus.sets {
        for problem in &set.problems {
            let key = vec![set.id.to_string(), problem.id.to_string()];
            statements.entry(key).or_insert_with(|| problem.statement.clone());
        }
    }
    Ok(Version { snapshot, statements })
}

/// Cause before effect: records and problems, then what follows from them. Files, which only have digests to
/// show, come last.
fn print(output: Output, difference: &Difference, (a, b): (&Version, &Version)) {
    let flips = difference.flips().count();
    let flipped = if flips > 0 { format!("; {flips} flipped") } else { String::new() };
    head(output, "records", &difference.records, &flipped);
    listed(output, &difference.records, line);
    head(output, "problems", &difference.problems, "");
    listed(output, &difference.problems, |row| match (a.statements.get(&row.key), b.statements.get(&row.key)) {
        (Some(old), Some(new)) if row.member == "statement" => {
            format!("changed {} statement: {}", row.subject, words(old, new))
        }
        _ => line(row),
    });
    head(output, "claims", &difference.claims, "");
    listed(output, &difference.claims, line);
    head(output, "statistics", &difference.statistics, "");
    let mut folded: BTreeMap<&str, Vec<&DiffRow>> = BTreeMap::new();
    for row in &difference.statistics {
        folded.entry(row.key.first().map_or(row.subject.as_str(), String::as_str)).or_default().push(row);
    }
    for (statistic, rows) in folded.iter().take(LISTED) {
        let example = rows.first().map(|row| line(row)).unwrap_or_default();
        let such = if rows.len() == 1 { String::new() } else { format!("{} values, such as ", rows.len()) };
        output.line(&wrap(&format!("  {statistic}: {such}{example}"), 6));
    }
    if folded.len() > LISTED {
        output.line(&format!("  ... and {} more statistics; --json lists all", folded.len() - LISTED));
    }
    head(output, "files", &difference.files, "");
    listed(output, &difference.files, |row| format!("{} {}", row.change.word(), row.subject));
    for level in &difference.not_compared {
        output.line(&format!("{level:12} not compared: one side has none"));
    }
}

fn head(output: Output, level: &str, rows: &[DiffRow], more: &str) {
    let counts: Vec<String> = Difference::counts(rows)
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(change, count)| format!("{count} {}", change.word()))
        .collect();
    let counts = if counts.is_empty() { "no difference".to_owned() } else { counts.join(", ") };
    output.line(&format!("{level:12} {counts}{more}"));
}

fn listed(output: Output, rows: &[DiffRow], say: impl Fn(&DiffRow) -> String) {
    // What was removed or added comes before what changed: it explains most of the rest.
    let mut rows: Vec<&DiffRow> = rows.iter().collect();
    rows.sort_by_key(|row| (row.change, row.member != "verdict"));
    rows.iter().take(LISTED).for_each(|row| output.line(&wrap(&format!("  {}", say(row)), 6)));
    if rows.len() > LISTED {
        output.line(&format!("  ... and {} more; --json lists all", rows.len() - LISTED));
    }
}

/// Words before and after in the first stretch that differs, with the words around it.
fn words(old: &str, new: &str) -> String {
    const AROUND: usize = 4;
    const MOST: usize = 40;
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split_whitespace().collect(), new.split_whitespace().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a[same..].iter().rev().zip(b[same..].iter().rev()).take_while(|(x, y)| x == y).count();
    if same == a.len() && same == b.len() {
        return "only blanks and line ends differ".to_owned();
    }
    let part = |words: &[&str]| {
        let cut = if words.len() > MOST { " ..." } else { "" };
        format!("{}{cut}", words[..words.len().min(MOST)].join(" "))
    };
    let before = a[same.saturating_sub(AROUND)..same].join(" ");
    let after = a[a.len() - tail..].iter().take(AROUND).copied().collect::<Vec<_>>().join(" ");
    format!("{before} [-{}-] {{+{}+}} {after}", part(&a[same..a.len() - tail]), part(&b[same..b.len() - tail]))
        .trim()
        .to_owned()
}

fn line(row: &DiffRow) -> String {
    let member = if row.member.is_empty() { String::new() } else { format!(" {}", row.member) };
    let values = match (&row.before, &row.after) {
        // A text that is read rather than compared at a glance.
        (Some(before), Some(after)) if [before, after].iter().any(|text| text.len() > 80 || text.contains('\n')) => {
            format!(": {}", in_line(before, after))
        }
        (Some(before), Some(after)) => format!(": {before} -> {after}"),
        (Some(one), None) | (None, Some(one)) => format!(": {one}"),
        (None, None) => String::new(),
    };
    format!("{} {}{member}{values}", row.change.word(), row.subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewording_shows_the_words() {
        let old = "A city with dimensions 7 km has a wind of 4 m/s. Find it.";
        let new = "A city with dimensions 7 km has a breeze of 4 m/s. Find it.";
        assert_eq!(words(old, new), "7 km has a [-wind-] {+breeze+} of 4 m/s. Find");
        assert_eq!(words("a b", "a b c"), "a b [--] {+c+}");
        assert_eq!(words("a  b", "a b"), "only blanks and line ends differ");
        assert_eq!(words("", "x"), "[--] {+x+}");
    }

    #[test]
    fn the_wrong_order_and_two_studies_are_warned_of() {
        let named = |study: &str, version: &str, date: &str| Named {
            study: study.into(),
            version: version.into(),
            date: date.into(),
            ..Named::default()
        };
        let (old, new) = (named("s", "1.9", "2026"), named("s", "1.10", "2026"));
        assert!(warnings(&old, &new).is_empty());
        assert!(warnings(&new, &old)[0].contains("the first is the newer one"));
        assert!(warnings(&named("s", "2", "2025-01-01"), &named("s", "1", "2026-01-01")).is_empty());
        assert!(warnings(&old, &named("t", "1", "2026"))[0].contains("two studies"));
    }
}
