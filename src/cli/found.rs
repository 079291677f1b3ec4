//! `repro claims --from`: numbers of documents found, bound by their words, written as a ledger, judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::cannot_write;
use super::chain::Chain;
use super::exit::Exit;
use super::output::{Output, wrap};
use crate::claims::Judgements;
use crate::claims::words::{self, Found, Match, Stated};
use crate::documents;
use crate::pipeline;
use crate::world::disk::{read_file, write_file};

/// Most ambiguous numbers that are listed one by one on a terminal.
const LISTED: usize = 12;

/// What was found, for people and programs.
pub(super) struct Told {
    numbers: Vec<Found>,
    stated: Vec<Stated>,
    out: PathBuf,
}

/// Finds the numbers of documents, writes the ledger and judges it in place of the study's own. `None`
/// without documents.
pub(super) fn find(chain: &mut Chain, documents: &[PathBuf], out: Option<&Path>) -> Result<Option<Told>, Exit> {
    let Some(first) = documents.first() else { return Ok(None) };
    let out = out.map_or_else(|| first.with_extension("claims.toml"), Path::to_path_buf);
    let mut read: Vec<(String, String)> = Vec::new();
    let mut told = Vec::new();
    for path in documents {
        let bytes = read_file(path).map_err(|error| {
            super::complain(&format!("{} cannot be read: {error}", path.display()), "name a document that exists");
            Exit::Unreadable
        })?;
        let name = path.to_string_lossy().replace('\\', "/");
        match documents::text(&name, &bytes, &|file| beside(&name, file)) {
            Ok(text) => read.push((name, text)),
            Err(finding) => told.push(finding),
        }
    }
    let evaluated = &mut chain.evaluated;
    let (numbers, stated, more) = pipeline::found_in(&evaluated.given, &evaluated.computed, &read);
    evaluated.findings = evaluated.findings.iter().cloned().chain(told).chain(more).collect();
    let earlier = read_file(&out).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let ledger = words::with_statements(&numbers, &stated, earlier.as_deref()).map_err(|message| {
        let help = "correct the file, or name another with --out; it was not changed";
        super::complain(&format!("{} is no ledger: {message}", out.display()), help);
        Exit::Unreadable
    })?;
    write_file(&out, ledger.as_bytes()).map_err(|error| cannot_write(&out, &error))?;
    pipeline::judge_instead(evaluated, (&out.to_string_lossy(), &ledger), &read, &numbers);
    let told = Told { numbers, stated, out };
    told.print(chain.output);
    Ok(Some(told))
}

/// A file that a document includes: beside it or below, never elsewhere.
fn beside(document: &str, name: &str) -> Option<Vec<u8>> {
    let climbs =
        name.starts_with(['/', '\\']) || name.contains(':') || name.split(['/', '\\']).any(|part| part == "..");
    let folder = Path::new(document).parent()?;
    (!climbs).then(|| read_file(&folder.join(name)).ok())?
}

impl Told {
    fn print(&self, output: Output) {
        let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for number in &self.numbers {
            let row = counts.entry(&number.file).or_default();
            match &number.outcome {
                Match::Bound(_) => row[0] += 1,
                Match::Ambiguous(_) => row[1] += 1,
                Match::Unbound(reason) => {
                    row[2] += 1;
                    *reasons.entry(reason.words()).or_default() += 1;
                }
                Match::NoClaim(_) => row[3] += 1,
            }
        }
        for (file, [bound, ambiguous, unbound, none]) in counts {
            let all = bound + ambiguous + unbound + none;
            let text = format!(
                "{file}: {all} numbers, {bound} bound by their words, {ambiguous} ambiguous, {unbound} not bound, {none} no claims"
            );
            output.line(&wrap(&text, 4));
        }
        if !self.stated.is_empty() {
            let plain = self.stated.iter().filter(|stated| stated.is_plain()).count();
            let open = self.stated.len() - plain;
            output.line(&wrap(&format!("statements: {plain} with plain words, {open} with several readings"), 4));
        }
        let mut reasons: Vec<(usize, &str)> = reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
        reasons.sort_unstable_by(|a, b| b.cmp(a));
        for (count, reason) in reasons {
            output.line(&wrap(&format!("not bound        {count:>5}  {reason}"), 24));
        }
        self.print_ambiguous(output);
        output.line(&wrap(&format!("ledger           {}", self.out.display()), 17));
        output.line("");
    }

    /// Numbers whose words allow several readings, each with its value: a person knows which one was meant.
    fn print_ambiguous(&self, output: Output) {
        let ambiguous = self.numbers.iter().filter_map(|number| match &number.outcome {
            Match::Ambiguous(readings) => Some((number, readings)),
            _ => None,
        });
        let all: Vec<_> = ambiguous.collect();
        for (number, readings) in all.iter().take(LISTED) {
            let text = words::statement(number);
            output.line(&wrap(
                &format!("ambiguous        {} in {}: \u{201c}{text}\u{201d}", number.number.text, number.file),
                8,
            ));
            for reading in words::equals(readings) {
                let value = reading.value.map_or_else(|| "undefined".to_owned(), crate::number::repr);
                output.line(&wrap(&format!("    {} = {value}", reading.expression()), 8));
            }
        }
        if all.len() > LISTED {
            output.line(&format!("... and {} more that are ambiguous; --json lists all", all.len() - LISTED));
        }
    }

    /// The judgements with every number that was found.
    pub(super) fn to_json(&self, judgements: &Judgements) -> serde_json::Value {
        let mut document = judgements.to_json();
        let numbers: Vec<serde_json::Value> = self.numbers.iter().map(of_number).collect();
        if let Some(object) = document.as_object_mut() {
            object.insert("found".to_owned(), numbers.into());
            let stated: Vec<serde_json::Value> = self.stated.iter().map(of_statement).collect();
            object.insert("stated".to_owned(), stated.into());
        }
        document
    }
}

fn of_statement(stated: &Stated) -> serde_json::Value {
    serde_json::json!({
        "document": stated.file, "byte": stated.place, "statement": stated.sentence, "kind": stated.kind,
        "outcome": if stated.is_plain() { "bound" } else { "ambiguous" }, "readings": stated.readings,
        "words": stated.words,
    })
}

fn of_number(number: &Found) -> serde_json::Value {
    let (outcome, why, readings) = match &number.outcome {
        Match::Bound(readings) => ("bound", "", readings.as_slice()),
        Match::Ambiguous(readings) => ("ambiguous", "", readings.as_slice()),
        Match::Unbound(reason) => ("unbound", reason.words(), &[][..]),
        Match::NoClaim(rule) => ("no-claim", rule.words(), &[][..]),
    };
    let readings: Vec<_> = readings
        .iter()
        .take(8)
        .map(|reading| {
            serde_json::json!({
                "expression": reading.expression(), "value": reading.value, "score": reading.score, "words": reading.words,
            })
        })
        .collect();
    serde_json::json!({
        "document": number.file, "byte": number.place, "printed": number.number.text, "outcome": outcome,
        "because": why, "readings": readings,
    })
}
