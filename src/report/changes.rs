//! Finding codes of change ledgers, of corrected benchmarks, and of paired calls.

use super::Severity::{Disagrees, Missing, Note, Unreadable};
use super::codes::{CodeEntry, entry};

/// Kinds of findings of ledgers of changes and of studies that have one.
pub(super) const CHANGES: &[CodeEntry] = &[
    // Checksums that a study pins.
    entry(
        Disagrees,
        "checksum-differs",
        "A file is not the one that the study pins by its checksum.",
        "Restore the file, or correct the checksum if the file was meant to change.",
    ),
    // Change ledgers.
    entry(
        Unreadable,
        "bad-item",
        "An item of a tree of JSON texts has no member that names it, so that no record can be about it.",
        "Name the member that holds the id (--id), or give every item one.",
    ),
    entry(
        Disagrees,
        "duplicate-item",
        "Two items of a tree have the same id; the first one is used.",
        "Give each item an id of its own, or remove the copy.",
    ),
    entry(
        Unreadable,
        "ledger-bad-entry",
        "An entry of a change ledger cannot be used; its change counts as unrecorded.",
        "Correct the entry: id, field (a path such as steps[2].tests[0]), before, after, verdict, reason, round.",
    ),
    entry(
        Missing,
        "ledger-no-baseline",
        "There is no tree from before the changes: whether every change is recorded, and whether each record says what was there before, cannot be checked.",
        "Name the release from before the changes; without it the ledger is not confirmed.",
    ),
    entry(
        Note,
        "ledger-derived-baseline",
        "The tree before the changes was derived by undoing the ledger, so that only the direction from the ledger to the release was a check.",
        "Keep the release from before each round.",
    ),
    entry(
        Disagrees,
        "ledger-after-differs",
        "A record says what a field became, and the release has another value there.",
        "Correct the release or the record.",
    ),
    entry(
        Disagrees,
        "ledger-before-differs",
        "A record says what a field was, and the tree before the changes has another value there.",
        "Name the right tree as the one before (the release before the round), or correct the record.",
    ),
    entry(
        Disagrees,
        "ledger-broken-chain",
        "A record starts from another value than the one that an earlier record of the same field left.",
        "Add the record that lies between them, or correct one of the two.",
    ),
    entry(
        Disagrees,
        "ledger-missing-path",
        "A record names a field that the release does not have.",
        "Correct the path in the record; a list whose length changed is recorded at the path of the list.",
    ),
    entry(
        Disagrees,
        "ledger-missing-item",
        "A record names an item that neither tree has.",
        "Correct the id in the record.",
    ),
    entry(
        Disagrees,
        "ledger-unrecorded-change",
        "A field of the release differs from the tree before the changes, and no record names it.",
        "Record the change with its reason, or take it back.",
    ),
    entry(
        Disagrees,
        "ledger-changed-though-kept",
        "A field differs although the ledger says that it was kept.",
        "Record the change, or take it back.",
    ),
    entry(
        Disagrees,
        "ledger-added-item",
        "The release has an item that the tree before the changes lacks, and no record says so.",
        "Record it: an entry without a field, with before null.",
    ),
    entry(
        Disagrees,
        "ledger-deleted-item",
        "The release lacks an item of the tree before the changes, and no record says so.",
        "Record it: an entry without a field, with after null; or restore the item.",
    ),
    entry(
        Note,
        "ledger-no-change",
        "A record says the same before and after, and not that the field was kept.",
        "Correct the record, or give it the verdict keep.",
    ),
    // What studies of corrected benchmarks and of paired calls state.
    entry(
        Disagrees,
        "flips-do-not-add-up",
        "The sets of steps whose verdict changed do not lead from the score before to the score after, or a stated union or intersection is another one.",
        "Correct the sets or the scores.",
    ),
    entry(
        Note,
        "defect-outside",
        "A defect record names a step that is not scored; it is in no count of steps.",
        "Nothing to do when the record is about the problem as a whole; else correct the step.",
    ),
    entry(
        Note,
        "stale-copy",
        "Two fields that repeat one another in the original differ in the release; only one of them is graded.",
        "Bring the other one up to date, or drop it.",
    ),
    entry(
        Disagrees,
        "code-does-not-parse",
        "A function header or a test of the release is not Python.",
        "Correct the text.",
    ),
    entry(
        Disagrees,
        "release-differs-from-source",
        "The file of all problems is not what the per-problem files make.",
        "Build the release again from its files.",
    ),
    entry(
        Disagrees,
        "manifest-differs",
        "A file is not the one that the manifest names by its checksum, or the manifest does not agree with itself.",
        "Write the manifest again, or restore the file.",
    ),
    entry(
        Disagrees,
        "manifest-missing",
        "The manifest names something that is not there.",
        "Restore the file, or take it out of the manifest.",
    ),
    entry(
        Disagrees,
        "manifest-surplus",
        "A file lies where the manifest names files, and it is not among them.",
        "Name it in the manifest, or remove it.",
    ),
    entry(
        Note,
        "manifest-not-recorded",
        "The manifest records no checksum for a file, so nothing says which file was meant.",
        "Record it when the file is built.",
    ),
    entry(
        Disagrees,
        "manifest-stale",
        "The manifest does not fit the problems of the release.",
        "Write the manifest again after the release was built.",
    ),
    entry(
        Disagrees,
        "manifest-targets-changed",
        "The targets changed in a round that changes texts and tests only.",
        "Record the change of targets as a round of its own, or take it back.",
    ),
    entry(
        Missing,
        "incomplete-cell",
        "A cell has another number of calls that count than its set has items.",
        "Archive the missing calls, or declare how many items the set has.",
    ),
    entry(
        Note,
        "unmatched-items",
        "Items that only one of two compared arms has were left out of the comparison.",
        "Archive the missing calls, or say why they are missing.",
    ),
    entry(
        Missing,
        "contrast-without-pairs",
        "A declared comparison has no item that both arms were asked.",
        "Correct the names of the arms in the plan, or archive the calls.",
    ),
    entry(
        Disagrees,
        "margin-contradicts",
        "An item is called flawed or valid, and the sign of its margin says otherwise.",
        "Correct the datum, the certificate or the label of the item.",
    ),
];
