//! Against the version before: what flipped, moved, appeared, went. The cause comes first.

mod tables;

use super::chapter::{self, Chapter, Section};
use super::counts::many;
use crate::claims::Shape;
use crate::diff::{Change, DiffRow, Difference, Named};
use crate::site::data::CHANGES;
use crate::site::input::{Changes as Compared, SiteError};
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use tables::{by_statistic, claims, problems, records, statistics};

/// The page.
pub(crate) struct Changes;

impl Page for Changes {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "changes/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Overview, "Changes"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let (named, difference) = match view.input.changes {
            Compared::None(why) => return Ok(Chapter::new("Changes", why).body("Changes against the version before.")),
            Compared::Against(named, difference) => (named, difference),
        };
        let mut page = Chapter::new("Changes", lead(named, difference));
        page.add(Section::new("versions", "The two versions", "").sheets([versions(view, named)]));
        let flips: Vec<&DiffRow> = difference.flips().collect();
        let text = "A record flips when the same run of the same problem has another verdict.";
        let other: Vec<&DiffRow> = difference.records.iter().filter(|row| row.member != "verdict").collect();
        let sheets = [
            records(view, "flips", "Flipped verdicts", &flips),
            records(view, "records", "Other changes of records", &other),
        ];
        page.add(Section::new("record-changes", "Records", text).sheets(sheets.into_iter().flatten()));
        page.add(Section::new("problem-changes", "Problems", "").sheets(problems(view, &difference.problems)));
        let (conclusions, others): (Vec<&DiffRow>, Vec<&DiffRow>) =
            difference.claims.iter().partition(|row| is_conclusion(view, row));
        let text = "Claims that the study declares as its headlines, and statements that hold or fall as a whole.";
        let sheets = claims(view, "conclusions", "Changed conclusions", &conclusions);
        page.add(Section::new("conclusion-changes", "Conclusions", text).sheets(sheets));
        let sheets = claims(view, "claims", "Changed claims", &others);
        page.add(Section::new("claim-changes", "Claims", "").sheets(sheets));
        let moved: Vec<&DiffRow> = difference.statistics.iter().filter(|row| is_point(row)).collect();
        let (ranks, moved): (Vec<&DiffRow>, Vec<&DiffRow>) = moved.into_iter().partition(|row| is_rank(view, row));
        let sheets = statistics(view, "ranks", "Ranks that moved", &ranks);
        page.add(Section::new("rank-changes", "Ranks", "").sheets(sheets));
        let text = "A statistic moves when its value is another one, down to the last digit. Counts and intervals that moved with it are in the data file.";
        let sheets = [by_statistic(view, difference), statistics(view, "statistics", "Values that moved", &moved)];
        let fold = many(moved.len(), "value moved", "values moved");
        let section = Section::new("statistic-changes", "Statistics", text).sheets(sheets.into_iter().flatten());
        page.add(section.folded(fold));
        let missing = difference.not_compared.iter().filter(|level| **level != "files").copied().collect::<Vec<_>>();
        if !missing.is_empty() {
            page.say(
                "not-compared",
                "Not compared",
                format!("One of the two versions has no {}.", missing.join(" and no ")),
            );
        }
        Ok(page.body("Changes against the version before: records, statistics, claims, problems."))
    }
}

/// A claim that carries a conclusion: a declared headline, or a statement that holds or falls as a whole.
fn is_conclusion(view: &View<'_>, row: &DiffRow) -> bool {
    let [_, id] = row.key.as_slice() else { return false };
    let declared = view.input.study.claims.iter().flat_map(|claims| &claims.headlines).any(|headline| headline == id);
    let mut judged = view.input.judgements.iter().flat_map(|judged| &judged.claims);
    declared || judged.any(|claim| claim.id == *id && claim.shape == Shape::Holds)
}

/// A measure that its statistic declares to be a place.
fn is_rank(view: &View<'_>, row: &DiffRow) -> bool {
    let [statistic, measure, ..] = row.key.as_slice() else { return false };
    let mut known = view.input.registry.statistics.iter();
    known.any(|known| known.about().id == statistic && known.orders().contains(&measure.as_str()))
}

/// A value that moved, or a statistic that only one version has.
fn is_point(row: &DiffRow) -> bool {
    row.member == "value" || row.change != Change::Changed
}

fn lead(named: &Named, difference: &Difference) -> String {
    let count = |rows: &[DiffRow]| Difference::counts(rows).iter().map(|(_, count)| count).sum::<usize>();
    let moved = difference.statistics.iter().filter(|row| is_point(row)).count();
    let counts = [
        (difference.flips().count(), "flipped verdict", "flipped verdicts"),
        (moved, "moved statistic", "moved statistics"),
        (count(&difference.claims), "changed claim", "changed claims"),
        (count(&difference.problems), "changed problem", "changed problems"),
    ];
    let said: Vec<String> = counts.iter().map(|(n, one, more)| many(*n, one, more)).collect();
    let compared = difference.problems.is_empty()
        && difference.records.is_empty()
        && difference.statistics.is_empty()
        && difference.claims.is_empty();
    if compared {
        format!("Nothing that is compared differs from version {} of {}.", named.version, named.date)
    } else {
        format!("Against version {} of {}: {}.", named.version, named.date, said.join(", "))
    }
}

fn versions(view: &View<'_>, named: &Named) -> Sheet {
    let identity = &view.input.study.study;
    let heads = vec![Head::text(""), Head::text("Version before"), Head::text("This version")];
    let digest = view.input.archive_digest.to_string();
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    let mut sheet = Sheet::new("versions-compared", "What is compared with what", heads);
    for (what, before, after) in [
        ("Version", named.version.as_str(), identity.version.as_str()),
        ("Date", &named.date, &identity.date),
        ("Computed by", &named.tool, view.input.tool),
    ] {
        sheet.push(vec![Cell::text(what), Cell::text(before), Cell::text(after)]);
    }
    let archive = |digest: &str| Cell::text(format!("sha256:{}", short(digest))).explained(digest).classed("mono");
    sheet.push(vec![Cell::text("Archive"), archive(&named.archive), archive(&digest)]);
    sheet.sourced(source())
}

/// The whole list, for every table of this page.
fn source() -> Source {
    Source::default().with_file("all changes as CSV", CHANGES).with_file("JSON", "data/changes.json")
}
