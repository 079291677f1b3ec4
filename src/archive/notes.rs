//! Findings about one file, bounded: a file of a million faults is said to have them, not listed.

use std::collections::BTreeMap;

use super::pull::MemberFault;
use crate::json::{Fault, Repair, Repeat};
use crate::report::{Finding, Place};

/// How many findings of one code are listed per file.
const LISTED: usize = 100;

/// Findings about one file.
pub(super) struct Notes<'p> {
    path: &'p str,
    findings: Vec<Finding>,
    counts: BTreeMap<&'static str, usize>,
    /// Unknown members with the number of records that have them.
    unknown: BTreeMap<String, usize>,
}

impl<'p> Notes<'p> {
    /// Nothing to say yet.
    pub(super) fn new(path: &'p str) -> Self {
        Self { path, findings: Vec::new(), counts: BTreeMap::new(), unknown: BTreeMap::new() }
    }

    /// The file as a place.
    pub(super) fn place(&self) -> Place {
        Place::file(self.path)
    }

    /// Adds a finding.
    pub(super) fn push(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.code).or_default();
        *count += 1;
        if *count <= LISTED {
            self.findings.push(finding);
        }
    }

    /// Adds a finding about the whole file.
    pub(super) fn say(&mut self, code: &'static str, message: impl Into<String>) {
        self.push(Finding::new(code, self.place(), message));
    }

    /// Adds what reading one record brought up; offsets are moved by `base`. One finding per kind of
    /// repair is enough for a record.
    pub(super) fn record(&mut self, place: &Place, base: usize, faults: &[MemberFault], repairs: &[Repair]) {
        for fault in faults {
            self.push(Finding::new("bad-member", place.clone().with_byte(base + fault.byte), &fault.what));
        }
        for (position, repair) in repairs.iter().enumerate() {
            if repairs[..position].iter().all(|earlier| earlier.what != repair.what) {
                self.push(Finding::repaired(place.clone(), &Repair { byte: base + repair.byte, ..repair.clone() }));
            }
        }
    }

    /// Adds keys that stand twice in one object; offsets are moved by `base`.
    pub(super) fn repeated(&mut self, place: &Place, base: usize, repeats: &[Repeat]) {
        for repeat in repeats {
            self.push(Finding::repeated(place.clone(), &Repeat { byte: base + repeat.byte, key: repeat.key.clone() }));
        }
    }

    /// Counts members nobody knows; they are named once per file.
    pub(super) fn unknown(&mut self, members: Vec<String>) {
        for member in members {
            *self.unknown.entry(member).or_default() += 1;
        }
    }

    /// Forgets what was said: the file turned out to be something else.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.path);
    }

    /// Adds the break of a file at a record.
    pub(super) fn torn(&mut self, record: usize, fault: &Fault) {
        let stands = format!("the {record} records before it were used");
        self.push(Finding::torn(self.place().with_record(record), fault, &stands));
    }

    /// All findings, with a line for what was not listed.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        for (member, records) in std::mem::take(&mut self.unknown) {
            self.say("unknown-member", format!("{member:?} in {records} places"));
        }
        for (&code, &count) in self.counts.iter().filter(|(_, count)| **count > LISTED) {
            let message = format!("{} more of this kind in this file", count - LISTED);
            self.findings.push(Finding::new(code, Place::file(self.path), message));
        }
        self.findings
    }
}
