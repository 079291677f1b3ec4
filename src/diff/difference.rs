//! All levels of two versions, compared.

use serde::Serialize;

use super::level::{Change, DiffRow, Level};
use super::{Snapshot, facts, files, problems, records};

/// Everything that differs, level by level, each sorted by subject.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// Files.
    pub files: Vec<DiffRow>,
    /// Problems.
    pub problems: Vec<DiffRow>,
    /// Records. Verdicts have the member `verdict`.
    pub records: Vec<DiffRow>,
    /// Statistics.
    pub statistics: Vec<DiffRow>,
    /// Claims.
    pub claims: Vec<DiffRow>,
    /// Levels that one side lacks, so that nothing was compared there.
    pub not_compared: Vec<&'static str>,
}

impl Difference {
    /// True when nothing differs on the levels that were compared.
    pub fn is_empty(&self) -> bool {
        self.levels().iter().all(|(_, rows)| rows.is_empty())
    }

    /// Levels with their names, in the order of the chain.
    pub fn levels(&self) -> [(&'static str, &[DiffRow]); 5] {
        [
            ("files", &self.files),
            ("problems", &self.problems),
            ("records", &self.records),
            ("statistics", &self.statistics),
            ("claims", &self.claims),
        ]
    }

    /// How many things were removed, added and changed on a level (a thing counts once, however many of
    /// its members changed).
    pub fn counts(rows: &[DiffRow]) -> [(Change, usize); 3] {
        [Change::Removed, Change::Added, Change::Changed].map(|change| {
            let mut subjects: Vec<&str> =
                rows.iter().filter(|row| row.change == change).map(|row| row.subject.as_str()).collect();
            subjects.dedup();
            (change, subjects.len())
        })
    }

    /// Records whose verdict is another one.
    pub fn flips(&self) -> impl Iterator<Item = &DiffRow> {
        self.records.iter().filter(|row| row.member == "verdict")
    }
}

/// Compares two versions.
pub fn compare(a: &Snapshot, b: &Snapshot) -> Difference {
    let mut not_compared = Vec::new();
    let mut both =
        |name, a: Option<&Level>, b: Option<&Level>, compare: fn(&Level, &Level) -> Vec<DiffRow>| match (a, b) {
            (Some(a), Some(b)) => compare(a, b),
            _ => {
                not_compared.push(name);
                Vec::new()
            }
        };
    let files = both("files", a.files.as_ref(), b.files.as_ref(), files::compare);
    let statistics = both("statistics", a.statistics.as_ref(), b.statistics.as_ref(), facts::compare_statistics);
    let claims = both("claims", a.claims.as_ref(), b.claims.as_ref(), facts::compare_claims);
    Difference {
        files,
        problems: problems::compare(&a.problems, &b.problems),
        records: records::compare((&a.runs, &a.records), (&b.runs, &b.records)),
        statistics,
        claims,
        not_compared,
    }
}
