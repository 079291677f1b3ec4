//! The change ledger against the release: per round, and over all rounds from the original.

use super::benchmark::Benchmark;
use super::defects::{Defect, NamedPlaces};
use crate::archive::Materials;
use crate::change_ledger::{Baseline, Entries, Fault, FaultKind, Gate, Scope, check, undo};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Role of the ledger files.
pub(super) const LEDGER: &str = "ledger";

static ABOUT: About = About {
    id: "change-gate",
    also: &[],
    title: "Ledger and release, both ways",
    unit: "entries",
    meaning: "Whether every recorded change is in the release and every change of the release has a record: for each \
              archived round, and over all rounds from the original to the release, where defect records count beside the \
              ledger because the first rounds left none.",
    formula: "after-right = entries whose value stands in the release, out of those that no later entry supersedes; \
              before-right = entries that start from what was there; changes = fields that differ; recorded = those that \
              an entry or a defect record names; ledger-only = those that the ledger alone names; a list whose length \
              changed is one change.",
    source: "Release gate of the study; rules of `repro ledger check`.",
    edge_cases: "No release from before a round is archived for the last round: its baseline is derived by undoing it, so \
                 `before` and the reverse direction hold by construction. For other rounds they are undefined. Without \
                 the original or the release the gate over all rounds is undefined, and not passed.",
    example: "15 entries of a round about archived problems, 15 fields changed against the derived baseline.",
    keys: &[KeyDoc { key: "gate", meaning: "round, or all for original against release" }],
    measures: &[
        ("entries", "entries of the ledger"),
        ("compared", "entries about problems that are archived"),
        ("after-right", "entries whose value is in the release"),
        ("before-right", "entries that start from what was there"),
        ("changes", "fields that differ from the baseline"),
        ("recorded", "changed fields with a record"),
        ("unrecorded", "changed fields without a record"),
        ("ledger-only", "changed fields that only the ledger names"),
        ("faults", "things that disagree"),
        ("problems", "problems compared"),
    ],
};

/// Ledger and release, both ways.
pub(super) struct ChangeGate;

/// A gate with its name.
#[derive(Debug)]
pub(super) struct Named {
    /// Round, or `all`.
    pub(super) name: String,
    /// Entries of the ledger that it is about.
    pub(super) entries: Entries,
    /// What was found.
    pub(super) gate: Gate,
}

/// All gates that the archived files allow, rounds first, and what the files had to say.
pub(super) fn gates(benchmark: &Benchmark, defects: &[Defect], materials: &Materials) -> (Vec<Named>, Vec<Finding>) {
    let ledger = materials.all(LEDGER);
    let (entries, findings) = Entries::read(ledger.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())));
    let Some(after) = &benchmark.after else { return (Vec::new(), findings) };
    let scope = if benchmark.part { Scope::Part } else { Scope::Whole };
    let last = entries.rounds().last().map(|round| (*round).to_owned());
    let mut gates = Vec::new();
    for round in entries.rounds() {
        let of_round = entries.of_round(round);
        let gate = if last.as_deref() == Some(round) {
            let derived = undo(after, &of_round);
            check((Some(&derived), Baseline::Derived), after, &of_round, scope, None)
        } else {
            // What a later round changed again is superseded; the chain over all rounds checks it.
            let from_here: Entries =
                entries.iter().filter(|e| !crate::change_ledger::natural(&e.round, round).is_lt()).cloned().collect();
            let mut gate = check((None, Baseline::Absent), after, &from_here, scope, None);
            gate.rounds.retain(|of| of.name == round);
            gate.faults.retain(|fault| fault.round == round);
            gate
        };
        gates.push(Named { name: round.to_owned(), entries: of_round, gate });
    }
    if let Some(before) = &benchmark.before {
        let places = NamedPlaces::of(defects);
        let others = |problem: &str, path: &crate::json::FieldPath| places.records(problem, path);
        let gate = check((Some(before), Baseline::Given), after, &entries, scope, Some(&others));
        gates.push(Named { name: "all".to_owned(), entries, gate });
    }
    (gates, findings)
}

/// Faults of a gate that disagree. Over all rounds an entry may start from a state that a round without a
/// ledger left, so there its `before` decides nothing.
pub(super) fn faults(named: &Named) -> impl Iterator<Item = &Fault> {
    let of_a_chain = |kind| matches!(kind, FaultKind::BeforeDiffers | FaultKind::BrokenChain);
    let counts = move |fault: &&Fault| fault.kind.disagrees() && (named.name != "all" || !of_a_chain(fault.kind));
    named.gate.faults.iter().filter(counts)
}

impl Statistic for ChangeGate {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let materials = &evidence.archive.materials;
        let benchmark = Benchmark::read(materials);
        let defects = Defect::read(materials);
        let mut output = Output::default();
        let (gates, findings) = gates(&benchmark, &defects, materials);
        output.findings.extend(findings);
        output.findings.extend(benchmark.findings.iter().cloned());
        if gates.iter().all(|named| named.name != "all") {
            let lacking = match (&benchmark.before, &benchmark.after) {
                (_, None) => "the release is not archived",
                _ => "the problems from before the correction are not archived",
            };
            output.on(ABOUT.id, Basis::Records, &[("gate", "all")]).put("changes", Estimate::undefined(lacking));
            let place = Place::subject("original against release");
            output.findings.push(Finding::new("ledger-no-baseline", place, lacking));
        }
        for named in &gates {
            facts(&mut output, named);
            output.findings.extend(faults(named).map(Fault::finding));
            if named.gate.baseline == Baseline::Derived {
                let message = "the release from before this round is not archived; it was derived by undoing the round";
                output.findings.push(Finding::new("ledger-derived-baseline", Place::subject(&named.name), message));
            }
        }
        output.tables.extend(gates.iter().find(|named| named.name == "all").map(changes));
        output
    }
}

fn facts(output: &mut Output, Named { name, entries, gate }: &Named) {
    let sum = |of: fn(&crate::change_ledger::Round) -> usize| gate.rounds.iter().map(of).sum::<usize>();
    let outside = sum(|round| round.outside);
    let mut facts = output.on(ABOUT.id, Basis::Records, &[("gate", name)]);
    facts.put("entries", Estimate::count(entries.len()));
    facts.put("compared", Estimate::count(entries.len() - outside.min(entries.len())));
    facts.put("after-right", Estimate::out_of(sum(|round| round.after.right), sum(|round| round.after.checked)));
    if gate.baseline == Baseline::Absent {
        let reason = "the release from before this round is not archived";
        for measure in ["before-right", "changes", "recorded", "unrecorded", "ledger-only"] {
            facts.put(measure, Estimate::undefined(reason));
        }
        return;
    }
    facts.put("before-right", Estimate::out_of(sum(|round| round.before.right), sum(|round| round.before.checked)));
    let ledger_only =
        gate.changes.iter().filter(|change| change.others.is_empty() && !change.entries.is_empty()).count();
    facts
        .put("changes", Estimate::count(gate.changes.len()))
        .put("recorded", Estimate::out_of(gate.recorded(), gate.changes.len()))
        .put("unrecorded", Estimate::count(gate.changes.len() - gate.recorded()))
        .put("ledger-only", Estimate::count(ledger_only))
        .put("problems", Estimate::count(gate.compared));
    let wrong = gate.faults.iter().filter(|fault| fault.kind.disagrees()).count();
    facts.put("faults", Estimate::count(wrong));
}

/// Every changed field with the records that name it.
fn changes(named: &Named) -> Table {
    let columns = [
        ("problem", Kind::Text, ""),
        ("field", Kind::Text, ""),
        ("defects", Kind::Text, ""),
        ("rounds", Kind::Text, ""),
    ];
    let mut table =
        Table::new("release_changes", "Fields that differ between original and release", &[ABOUT.id], &columns);
    let entries: Vec<_> = named.entries.iter().collect();
    for change in &named.gate.changes {
        let mut rounds: Vec<&str> = change.entries.iter().map(|&at| entries[at].round.as_str()).collect();
        rounds.dedup();
        table.push(vec![
            Cell::text(change.item.as_str()),
            Cell::text(change.path.to_string()),
            Cell::text(change.others.join(", ")),
            Cell::text(rounds.join(", ")),
        ]);
    }
    table
}
