//! What the archive holds, by experiment.

use crate::statistics::tally::{Board, Counts};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "archive-census",
    also: &[],
    title: "Census of the archive",
    unit: "files",
    meaning: "How many result files and records there are, how many records are infrastructure errors, and how many belong to \
              no problem of their set.",
    formula: "files = run files read; expected = runs declared; records, excluded, outside-set = sums over them.",
    source: "Rule archive-census of the study.",
    edge_cases: "Of records with the same id in one file only the first is counted; the reader reports the others. Transcripts \
                 chosen by authors are not part of the census.",
    example: "16 configurations with 3 runs of 436 problems: 48 files, 20,928 records.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set; absent for the whole archive" },
        KeyDoc { key: "protocol", meaning: "code, direct or option; absent for the whole archive" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
    ],
    measures: &[
        ("files", "result files read, out of those declared"),
        ("records", "records in them"),
        ("excluded", "records outside the denominator"),
        ("outside-set", "records of problems that the set does not have"),
        ("bytes", "size of the files"),
    ],
};

/// Census of the archive.
pub(in crate::statistics) struct ArchiveCensus;

#[derive(Default)]
struct Census {
    files: usize,
    expected: usize,
    records: usize,
    excluded: usize,
    outside: usize,
    bytes: u64,
}

impl Census {
    fn of(board: &Board<'_>) -> Self {
        let mut census = Self::default();
        for tally in &board.tallies {
            census.expected += tally.expected_runs;
            for run in &tally.runs {
                let Counts { excluded, .. } = run.counts();
                census.files += 1;
                census.records += run.run.records.len();
                census.excluded += excluded;
                census.outside += run.surplus;
                census.bytes += run.run.bytes;
            }
        }
        census
    }

    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.expected += other.expected;
        self.records += other.records;
        self.excluded += other.excluded;
        self.outside += other.outside;
        self.bytes += other.bytes;
    }

    fn facts(&self, output: &mut Output, keys: &[(&str, &str)]) {
        output
            .on(ABOUT.id, Basis::Records, keys)
            .put("files", Estimate::out_of(self.files, self.expected))
            .put("records", Estimate::count(self.records))
            .put("excluded", Estimate::count(self.excluded))
            .put("outside-set", Estimate::count(self.outside))
            .put("bytes", Estimate::value(self.bytes as f64));
    }
}

impl Statistic for ArchiveCensus {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut total = Census::default();
        for board in evidence.boards() {
            let census = Census::of(&board);
            census.facts(&mut output, &board.keys());
            total.add(&census);
        }
        total.facts(&mut output, &[]);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn the_total_is_the_sum_over_experiments() {
        let study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, vec![problem("p", "x", "low", 1), problem("q", "x", "low", 1)])
            .experiment("core_code", "core", "code", 2)
            .experiment("core_direct", "core", "direct", 1)
            .run("core_code", "a", 1, "PE")
            .run("core_direct", "a", 1, "P-");
        let facts = Facts::new(study.compute(&ArchiveCensus).facts);
        let get = |measure, keys: &[(&str, &str)]| facts.get("archive-census", measure, keys).unwrap().estimate.clone();
        assert_eq!(get("files", &[]), Estimate::out_of(2, 3));
        assert_eq!(get("records", &[]), Estimate::count(3));
        assert_eq!(get("excluded", &[("set", "core"), ("protocol", "code")]), Estimate::count(1));
    }
}
