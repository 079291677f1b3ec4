//! The gate report: ledger and release both ways, checksums, sources, what a round may not touch.

use crate::change_ledger::{Baseline, Round};
use crate::packs::scicode_verified::audit::Audit;
use crate::packs::scicode_verified::benchmark::AFTER_PART;
use crate::packs::scicode_verified::{applies, gate};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

use super::links;

/// The page.
pub(super) struct Gate;

impl Page for Gate {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "release-gate/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Release gate"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        applies(&view.input.archive.materials)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let materials = &view.input.archive.materials;
        let audit = Audit::of(materials);
        let (gates, _) = gate::gates(&audit.benchmark, &audit.defects, materials);
        let lead = "Is every recorded change in the release, and is every change of the release recorded? Is the release what its manifest and its own files say? What could not be checked is not passed.";
        let mut page = Chapter::new("Release gate", lead);
        let text = "Forward: the release has what a record says. Before: a record starts from what was there. Reverse: a changed field has a record. A derived baseline is the release with the round undone, so that before and reverse hold by construction.";
        let sheets = [Some(rounds(view, &gates)), faults(&gates)];
        page.add(Section::new("ledger", "Ledger and release", text).sheets(sheets.into_iter().flatten()));
        page.add(Section::new("release", "Release, sources and manifest", "").sheets([checks(view)]));
        let tables = view.tables_of(&["release-checksums", "change-gate"]);
        page.add(Section::new("tables", "Recomputed tables", "").sheets(tables));
        if materials.one(AFTER_PART).is_some() {
            page.say("part", "A part of the release", "Only some corrected problems are archived: problems that the archived part lacks are not compared, and nothing is said about them.");
        }
        Ok(page.body("Change ledger against release, checksums, sources, mirrored tests, signatures."))
    }
}

fn rounds(view: &View<'_>, gates: &[gate::Named]) -> Sheet {
    let heads = vec![
        Head::text("Gate"),
        Head::text("Baseline"),
        Head::num("Entries", ""),
        Head::num("About archived problems", ""),
        Head::num("In the release", ""),
        Head::num("Start from what was there", ""),
        Head::num("Changed fields", ""),
        Head::num("Without record", ""),
        Head::num("By the ledger alone", ""),
    ];
    let mut sheet = Sheet::new("rounds", "Gates", heads);
    for named in gates {
        let baseline = match named.gate.baseline {
            Baseline::Given => "the original",
            Baseline::Derived => "derived by undoing the round",
            Baseline::Absent => "none archived",
        };
        let cell = |measure| view.cell("change-gate", measure, &[("gate", named.name.as_str())], 0);
        let name = if named.name == "all" { "original to release" } else { &named.name };
        let sum = |of: fn(&Round) -> usize| named.gate.rounds.iter().map(of).sum::<usize>();
        let of = |measure, checked: usize| cell(measure).aside(format!("of {checked}"));
        sheet.push(vec![
            Cell::text(name),
            Cell::text(baseline),
            cell("entries"),
            cell("compared"),
            of("after-right", sum(|round| round.after.checked)),
            if named.gate.baseline == Baseline::Absent {
                cell("before-right")
            } else {
                of("before-right", sum(|round| round.before.checked))
            },
            cell("changes"),
            cell("unrecorded"),
            cell("ledger-only"),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &["change-gate"]))
}

/// Every fault of every gate; nothing where nothing disagrees, as the columns of the gates say.
fn faults(gates: &[gate::Named]) -> Option<Sheet> {
    let heads = ["Gate", "Fault", "Problem", "Field", "Recorded", "Found"].map(Head::text);
    let mut sheet = Sheet::new("faults", "What disagrees", heads.into());
    for named in gates {
        for fault in gate::faults(named) {
            let cell = |text: &Option<String>| {
                text.as_ref().map_or_else(|| Cell::missing("nothing"), |text| Cell::text(text.as_str()))
            };
            sheet.push(vec![
                Cell::text(named.name.as_str()),
                Cell::text(fault.kind.code()),
                Cell::link(fault.item.as_str(), links::problem(&fault.item)),
                Cell::text(fault.field.as_str()),
                cell(&fault.recorded),
                cell(&fault.found),
            ]);
        }
    }
    (!sheet.rows.is_empty()).then_some(sheet)
}

fn checks(view: &View<'_>) -> Sheet {
    let mut sheet = Sheet::new("checks", "Checks of the release", vec![Head::text("Check"), Head::num("Found", "")]);
    for (name, statistic, measure, keys) in [
        ("Problems whose line is made from their file", "release-sources", "equal", &[][..]),
        ("Targets named by the manifest", "release-checksums", "targets", &[]),
        ("Files that differ from the manifest", "release-checksums", "files", &[("state", "differs")]),
        ("Files that are missing", "release-checksums", "files", &[("state", "missing")]),
        ("Files that the manifest does not name", "release-checksums", "files", &[("state", "surplus")]),
        ("Files without a recorded checksum", "release-checksums", "files", &[("state", "not-recorded")]),
        ("Files that are not archived here", "release-checksums", "files", &[("state", "not-archived")]),
        ("Problems whose mirrored tests differ", "test-mirror", "differs", &[("version", "release")]),
        ("Steps with another signature", "signature-changes", "changed", &[]),
        ("Headers that parse", "code-integrity", "parses", &[("version", "release"), ("of", "header")]),
        ("Tests that parse", "code-integrity", "parses", &[("version", "release"), ("of", "test")]),
        ("References that could be tested", "gold-self-test", "checkable", &[]),
    ] {
        sheet.push(vec![Cell::text(name), view.cell(statistic, measure, keys, 0)]);
    }
    sheet.sourced(Source::of_statistics(
        view,
        &[
            "release-checksums",
            "release-sources",
            "test-mirror",
            "signature-changes",
            "code-integrity",
            "gold-self-test",
        ],
    ))
}
