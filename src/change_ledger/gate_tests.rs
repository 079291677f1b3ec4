//! The gate on small trees, each with one thing wrong.

use super::super::undo;
use super::*;

const OLD: &str = "{\"id\": 1, \"text\": \"a\", \"tests\": [\"x\", \"y\"], \"steps\": [{\"head\": \"h\"}]}\n{\"id\": 2, \"text\": \"b\"}\n";
const NEW: &str =
    "{\"id\": 1, \"text\": \"c\", \"tests\": [\"x\"], \"steps\": [{\"head\": \"k\"}]}\n{\"id\": 2, \"text\": \"b\"}\n";
const LEDGER: &str = "\
{\"id\": 1, \"field\": \"text\", \"before\": \"a\", \"after\": \"b\", \"verdict\": \"edit\", \"round\": \"R1\"}
{\"id\": 1, \"field\": \"text\", \"before\": \"b\", \"after\": \"c\", \"verdict\": \"edit\", \"round\": \"R2\"}
{\"id\": 1, \"field\": \"tests\", \"before\": [\"x\", \"y\"], \"after\": [\"x\"], \"verdict\": \"trim\", \"round\": \"R2\"}
{\"id\": 1, \"field\": \"steps[0].head\", \"before\": \"h\", \"after\": \"k\", \"verdict\": \"edit\", \"round\": \"R10\"}
{\"id\": 2, \"field\": \"text\", \"before\": \"b\", \"after\": \"b\", \"verdict\": \"keep\", \"round\": \"R10\"}
";

fn items(text: &str) -> Items {
    let (items, findings) = Items::read([("tree.jsonl", text.as_bytes())], None);
    assert!(findings.is_empty(), "{findings:?}");
    items
}

fn entries(text: &str) -> Entries {
    let (entries, findings) = Entries::read([("ledger.jsonl", text.as_bytes())]);
    assert!(findings.is_empty(), "{findings:?}");
    entries
}

fn gate(old: Option<&str>, new: &str, ledger: &str) -> Gate {
    let old = old.map(items);
    check((old.as_ref(), Baseline::Given), &items(new), &entries(ledger), Scope::Whole, None)
}

/// Kind, item, field and round of every fault.
fn faults(gate: &Gate) -> Vec<(FaultKind, &str, &str, &str)> {
    gate.faults.iter().map(|f| (f.kind, f.item.as_str(), f.field.as_str(), f.round.as_str())).collect()
}

#[test]
fn a_complete_ledger_passes_and_every_change_has_its_records() {
    let gate = gate(Some(OLD), NEW, LEDGER);
    assert_eq!(faults(&gate), []);
    assert!(gate.passes());
    let changes: Vec<_> = gate.changes.iter().map(|c| (c.path.to_string(), c.entries.clone())).collect();
    assert_eq!(changes, [("text".into(), vec![0, 1]), ("tests".into(), vec![2]), ("steps[0].head".into(), vec![3])]);
    let rounds: Vec<_> = gate.rounds.iter().map(|r| (r.name.as_str(), r.entries, r.superseded, r.changes)).collect();
    assert_eq!(rounds, [("R1", 1, 1, 0), ("R2", 2, 0, 2), ("R10", 2, 0, 1)]);
    assert_eq!(
        (gate.rounds[1].after, gate.rounds[1].before),
        (Tally { checked: 2, right: 2 }, Tally { checked: 2, right: 2 })
    );
}

#[test]
fn each_alteration_is_found_for_what_it_is() {
    use FaultKind::{
        AddedItem, AfterDiffers, BeforeDiffers, BrokenChain, ChangedThoughKept, DeletedItem, MissingItem, MissingPath,
        NoChange, Unrecorded,
    };
    let without = |n: usize| {
        LEDGER.lines().enumerate().filter(|(i, _)| *i != n).map(|(_, l)| format!("{l}\n")).collect::<String>()
    };
    let altered = |from: &str, to: &str| {
        assert!(LEDGER.contains(from), "{from}");
        LEDGER.replace(from, to)
    };
    let release = |from: &str, to: &str| {
        assert!(NEW.contains(from), "{from}");
        NEW.replace(from, to)
    };
    let found = |new: &str, ledger: &str| {
        let gate = gate(Some(OLD), new, ledger);
        assert!(!gate.passes() || gate.faults.iter().all(|fault| !fault.kind.disagrees()));
        gate.faults.iter().map(|f| (f.kind, f.item.clone(), f.field.clone())).collect::<Vec<_>>()
    };
    let one = |kind, item: &str, field: &str| vec![(kind, item.to_owned(), field.to_owned())];
    // A record removed.
    assert_eq!(found(NEW, &without(2)), one(Unrecorded, "1", "tests"));
    // An altered `after`: forward fails once, reverse does not.
    assert_eq!(found(NEW, &altered("\"k\"", "\"m\"")), one(AfterDiffers, "1", "steps[0].head"));
    // An altered `before`, at the start of a chain and inside one.
    assert_eq!(found(NEW, &altered("\"before\": \"a\"", "\"before\": \"z\"")), one(BeforeDiffers, "1", "text"));
    assert_eq!(
        found(NEW, &altered("\"before\": \"b\", \"after\": \"c\"", "\"before\": \"z\", \"after\": \"c\"")),
        one(BrokenChain, "1", "text")
    );
    // A link of a chain missing: the next one starts from another value.
    assert_eq!(found(NEW, &without(0)), one(BeforeDiffers, "1", "text"));
    // A field of the release changed without a record, and one that is recorded as kept.
    assert_eq!(
        found(&release("\"steps\": [{\"head\": \"k\"}]", "\"steps\": [{\"head\": \"k\", \"foot\": 1}]"), LEDGER),
        one(Unrecorded, "1", "steps[0].foot")
    );
    assert_eq!(found(&release("\"text\": \"b\"", "\"text\": \"B\""), LEDGER), one(ChangedThoughKept, "2", "text"));
    // A place that is not there, an item that is not there.
    assert_eq!(found(&release("[{\"head\": \"k\"}]", "[{}]"), LEDGER), one(MissingPath, "1", "steps[0].head"));
    let stray = format!("{LEDGER}{{\"id\": 9, \"field\": \"text\", \"before\": 1, \"after\": 2}}\n");
    assert_eq!(found(NEW, &stray), one(MissingItem, "9", "text"));
    // An item deleted, one added.
    let fewer: String = NEW.lines().take(1).map(|line| format!("{line}\n")).collect();
    let kept_gone =
        vec![(MissingPath, "2".to_owned(), "text".to_owned()), (DeletedItem, "2".to_owned(), String::new())];
    assert_eq!(found(&fewer, LEDGER), kept_gone);
    assert_eq!(found(&format!("{NEW}{{\"id\": 3}}\n"), LEDGER), one(AddedItem, "3", ""));
    // A record that records nothing.
    assert_eq!(found(NEW, &altered("\"verdict\": \"keep\"", "\"verdict\": \"edit\"")), one(NoChange, "2", "text"));
}

#[test]
fn added_and_deleted_items_can_be_recorded() {
    let new = "{\"id\": 1, \"text\": \"a\", \"tests\": [\"x\", \"y\"], \"steps\": [{\"head\": \"h\"}]}\n{\"id\": 3}\n";
    let ledger = "{\"id\": 2, \"before\": {\"id\": 2, \"text\": \"b\"}, \"after\": null, \"verdict\": \"delete\"}\n\
                  {\"id\": 3, \"before\": null, \"after\": {\"id\": 3}, \"verdict\": \"add\"}\n";
    let gate = gate(Some(OLD), new, ledger);
    assert_eq!(faults(&gate), []);
    assert_eq!((gate.added, gate.deleted), (vec!["3".to_owned()], vec!["2".to_owned()]));
}

#[test]
fn a_record_of_a_value_covers_what_changed_inside_it() {
    let ledger = LEDGER.replace(
        "\"field\": \"steps[0].head\", \"before\": \"h\", \"after\": \"k\"",
        "\"field\": \"steps\", \"before\": [{\"head\": \"h\"}], \"after\": [{\"head\": \"k\"}]",
    );
    assert_eq!(faults(&gate(Some(OLD), NEW, &ledger)), []);
    // A record of one item of a list does not record that the list became shorter.
    let ledger = LEDGER.replace(
        "\"field\": \"tests\", \"before\": [\"x\", \"y\"], \"after\": [\"x\"]",
        "\"field\": \"tests[1]\", \"before\": \"y\", \"after\": null",
    );
    assert_eq!(faults(&gate(Some(OLD), NEW, &ledger)), [(FaultKind::Unrecorded, "1", "tests", "")]);
}

#[test]
fn without_a_baseline_nothing_passes_but_the_release_and_the_chain_are_still_checked() {
    let whole = gate(None, NEW, LEDGER);
    assert_eq!((whole.baseline, faults(&whole)), (Baseline::Absent, vec![]));
    assert!(!whole.passes() && !whole.disagrees());
    assert_eq!(
        faults(&gate(None, &NEW.replace("\"k\"", "\"m\""), LEDGER)),
        [(FaultKind::AfterDiffers, "1", "steps[0].head", "R10")]
    );
    let broken = LEDGER.replace("\"before\": \"b\", \"after\": \"c\"", "\"before\": \"z\", \"after\": \"c\"");
    assert_eq!(faults(&gate(None, NEW, &broken)), [(FaultKind::BrokenChain, "1", "text", "R2")]);
}

#[test]
fn a_derived_baseline_agrees_by_construction_and_is_no_pass() {
    let (new, ledger) = (items(NEW), entries(LEDGER));
    let old = undo(&new, &ledger);
    assert_eq!(old, items(OLD));
    let gate = check((Some(&old), Baseline::Derived), &new, &ledger, Scope::Whole, None);
    assert!(!gate.disagrees() && !gate.passes());
}

#[test]
fn a_part_of_a_release_is_compared_as_far_as_it_goes() {
    let new: String = NEW.lines().take(1).map(|line| format!("{line}\n")).collect();
    let (old, new, ledger) = (items(OLD), items(&new), entries(LEDGER));
    let gate = check((Some(&old), Baseline::Given), &new, &ledger, Scope::Part, None);
    assert_eq!(faults(&gate), []);
    assert_eq!((gate.compared, gate.rounds[2].outside, gate.deleted.len()), (1, 1, 0));
}

#[test]
fn records_of_another_kind_count_when_they_name_the_field() {
    let named = |item: &str, path: &FieldPath| {
        if item == "1" && path.to_string() == "tests" { vec!["d1".to_owned()] } else { Vec::new() }
    };
    let ledger: String = LEDGER.lines().enumerate().filter(|(i, _)| *i != 2).map(|(_, l)| format!("{l}\n")).collect();
    let (old, new, ledger) = (items(OLD), items(NEW), entries(&ledger));
    let gate = check((Some(&old), Baseline::Given), &new, &ledger, Scope::Whole, Some(&named));
    assert_eq!(faults(&gate), []);
    assert_eq!(gate.changes[1].others, ["d1"]);
}
