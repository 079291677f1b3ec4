//! Against the version before: what flipped, moved, appeared, went.

use super::chapter::{self, Chapter, Section};
use super::claim_href;
use super::counts::many;
use super::outcomes::significant;
use crate::diff::{Change, DiffRow, Difference, Named};
use crate::site::data::CHANGES;
use crate::site::input::{Changes as Compared, SiteError};
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::statistics::Keys;

/// The page.
pub(crate) struct Changes;

/// Longest table of this page; the data file has every row.
const MOST: usize = 400;

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
        let moved: Vec<&DiffRow> = difference.statistics.iter().filter(|row| is_point(row)).collect();
        let text = "A statistic moves when its value is another one, down to the last digit. Counts and intervals that moved with it are in the data file.";
        let sheets = [by_statistic(view, difference), statistics(view, &moved)];
        page.add(Section::new("statistic-changes", "Statistics", text).sheets(sheets.into_iter().flatten()));
        page.add(Section::new("claim-changes", "Claims", "").sheets(claims(view, &difference.claims)));
        page.add(Section::new("problem-changes", "Problems", "").sheets(problems(view, &difference.problems)));
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

/// A table of at most [`MOST`] rows; nothing for none.
fn sheet(
    id: &str,
    title: &str,
    heads: Vec<Head>,
    rows: &[&DiffRow],
    cells: impl Fn(&DiffRow) -> Vec<Cell>,
) -> Option<Sheet> {
    if rows.is_empty() {
        return None;
    }
    let mut sheet = Sheet::new(id, format!("{title}: {}", crate::number::grouped(rows.len() as u64)), heads);
    sheet.filter = rows.len() > 20;
    rows.iter().take(MOST).for_each(|row| sheet.push(cells(row)));
    if rows.len() > MOST {
        sheet.note = format!("The first {MOST} are shown; the data file has all of them.");
    }
    Some(sheet.sourced(source()))
}

fn side(text: Option<&String>) -> Cell {
    let Some(text) = text else { return Cell::missing("this version has none") };
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Cell::number(value, significant(value)).explained(text.as_str()),
        _ => Cell::text(text.as_str()),
    }
}

/// What happened to a thing as a whole, or which member changed.
fn what(row: &DiffRow) -> Cell {
    Cell::text(if row.member.is_empty() { row.change.word() } else { &row.member })
}

fn records(view: &View<'_>, id: &str, title: &str, rows: &[&DiffRow]) -> Option<Sheet> {
    let heads = ["Problem", "Configuration", "Experiment", "Run", "What", "Before", "Now"].map(Head::text);
    sheet(id, title, heads.into(), rows, |row| {
        let part = |index: usize| row.key.get(index).map_or("", String::as_str);
        let (experiment, configuration, run, problem) = (part(0), part(1), part(2), part(3));
        let named = Cell::text(if problem.is_empty() { "(the whole run)" } else { problem });
        let grid = view.grids.iter().find(|grid| grid.experiment.id.as_str() == experiment);
        let exists = |grid: &&crate::site::grid::Grid<'_>| {
            view.position(grid.experiment.set.as_str(), problem).is_some() && grid.row(configuration).is_some()
        };
        let named = match grid.filter(exists) {
            Some(grid) => named.to(view.record_href(grid, configuration, problem)),
            None => named,
        };
        vec![
            named,
            of_configuration(view, configuration),
            Cell::text(experiment),
            Cell { class: "num", ..Cell::text(run) },
            what(row),
            side(row.before.as_ref()),
            side(row.after.as_ref()),
        ]
    })
}

fn of_configuration(view: &View<'_>, key: &str) -> Cell {
    match view.configuration(key) {
        Some(configuration) => Cell::link(key, routes::configuration(configuration.key.as_str())),
        None => Cell::text(key),
    }
}

/// One line per statistic: how many of its values moved, and how far the farthest.
fn by_statistic(view: &View<'_>, difference: &Difference) -> Option<Sheet> {
    let heads = vec![
        Head::text("Statistic"),
        Head::num("Moved", "values"),
        Head::num("Appeared", "values"),
        Head::num("Went", "values"),
        Head::num("Largest shift", "in its unit"),
    ];
    let mut sheet = Sheet::new("by-statistic", "Values that moved, by statistic", heads);
    for about in view.input.registry.statistics.iter().map(|statistic| statistic.about()) {
        let of = |row: &&DiffRow| row.key.first().is_some_and(|id| id == about.id) && is_point(row);
        let rows: Vec<&DiffRow> = difference.statistics.iter().filter(of).collect();
        if rows.is_empty() {
            continue;
        }
        let count = |change: Change| Cell::count(rows.iter().filter(|row| row.change == change).count());
        let largest = rows.iter().filter_map(|row| shift(row)).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let name = Cell::text(about.title);
        sheet.push(vec![
            if view.has_method(about.id) { name.to(routes::method(about.id)) } else { name },
            count(Change::Changed),
            count(Change::Added),
            count(Change::Removed),
            largest.map_or_else(|| Cell::missing("no number moved to another number"), signed),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(source()))
}

/// After minus before, where both are numbers.
fn shift(row: &DiffRow) -> Option<f64> {
    let number = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok().filter(|value| value.is_finite());
    Some(number(&row.after)? - number(&row.before)?)
}

fn signed(value: f64) -> Cell {
    let text = significant(value);
    Cell::number(value, if value > 0.0 { format!("+{text}") } else { text })
}

fn statistics(view: &View<'_>, rows: &[&DiffRow]) -> Option<Sheet> {
    let heads = vec![
        Head::text("Statistic"),
        Head::text("Measure"),
        Head::text("Of"),
        Head::num("Before", ""),
        Head::num("Now", ""),
        Head::num("Shift", ""),
    ];
    sheet("statistics", "Values that moved", heads, rows, |row| {
        let [statistic, measure, basis, keys @ ..] = row.key.as_slice() else {
            return vec![Cell::text(row.subject.clone()); 6];
        };
        let keys: Keys = keys.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let name = Cell::text(statistic.as_str());
        let name = match view.input.registry.statistics.iter().map(|s| s.about()).find(|about| about.id == statistic) {
            Some(about) => name.to(view.fact_href(about.id, measure, &keys)),
            None => name,
        };
        let words: Vec<String> = keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        vec![
            name,
            Cell::text(measure.as_str()).aside(if basis == "records" { "" } else { basis.as_str() }),
            Cell::text(words.join(", ")),
            side(row.before.as_ref()),
            side(row.after.as_ref()),
            shift(row).map_or_else(|| Cell::missing(row.change.word()), signed),
        ]
    })
}

fn claims(view: &View<'_>, rows: &[DiffRow]) -> Option<Sheet> {
    let rows: Vec<&DiffRow> = rows.iter().collect();
    let heads = ["Claim", "What", "Before", "Now"].map(Head::text);
    sheet("claims", "Changed claims", heads.into(), &rows, |row| {
        let [ledger, id] = row.key.as_slice() else { return vec![Cell::text(row.subject.clone()); 4] };
        let found = view.input.judgements.iter().flat_map(|judged| &judged.claims);
        let name = match found.clone().find(|claim| claim.ledger == *ledger && claim.id == *id) {
            Some(claim) => Cell::link(claim.statement.clone(), claim_href(view, claim)).aside(id.as_str()),
            None => Cell::text(id.as_str()).aside(ledger.as_str()),
        };
        vec![name, what(row), side(row.before.as_ref()), side(row.after.as_ref())]
    })
}

/// Both sides of a change of a problem; texts that are read are compared word by word.
fn texts(row: &DiffRow) -> [Cell; 2] {
    let read = |side: &Option<String>| side.as_ref().is_some_and(|text| text.len() > 80 || text.contains('\n'));
    if row.change == Change::Changed && (read(&row.before) || read(&row.after)) {
        let marked = crate::site::diff::both(row.before.as_deref(), row.after.as_deref());
        let sort = row.after.clone().unwrap_or_default();
        return [Cell::missing("marked in the next column"), Cell::html(marked, sort)];
    }
    [side(row.before.as_ref()), side(row.after.as_ref())]
}

fn problems(view: &View<'_>, rows: &[DiffRow]) -> Option<Sheet> {
    let rows: Vec<&DiffRow> = rows.iter().collect();
    let heads = ["Problem", "Set", "What", "Before", "Now"].map(Head::text);
    sheet("problems", "Problems added, edited and removed", heads.into(), &rows, |row| {
        let [set, id] = row.key.as_slice() else { return vec![Cell::text(row.subject.clone()); 5] };
        let name = Cell::text(id.as_str());
        let name = match view.position(set, id) {
            Some(_) => name.to(routes::problem(set, id)),
            None => name,
        };
        let [before, after] = texts(row);
        vec![name, Cell::text(set.as_str()), what(row), before, after]
    })
}
