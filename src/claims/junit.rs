//! JUnit XML for continuous integration: one suite per ledger and area, one case per claim.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::findings::recomputed;
use super::judgement::{Judgement, Judgements, Told, Verdict};

/// The judgements as JUnit XML. A contradicted claim is a failure unless it is an acknowledged erratum;
/// what cannot be checked is skipped with its reason.
pub fn to_junit(judgements: &Judgements) -> String {
    let mut suites: BTreeMap<(&str, &str), Vec<&Judgement>> = BTreeMap::new();
    for claim in &judgements.claims {
        suites.entry((&claim.ledger, &claim.area)).or_default().push(claim);
    }
    let all: Vec<&Judgement> = judgements.claims.iter().collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"repro claims\" {}>", totals(&all));
    for ((ledger, area), claims) in suites {
        let name = escape(&format!("{ledger}: {area}"));
        let _ = writeln!(out, "  <testsuite name=\"{name}\" {}>", totals(&claims));
        for claim in claims {
            case(&mut out, claim, area);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn totals(claims: &[&Judgement]) -> String {
    let failures = claims.iter().filter(|claim| fails(claim)).count();
    let skipped = claims.iter().filter(|claim| claim.verdict == Verdict::NotCheckable).count();
    format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", claims.len())
}

fn fails(claim: &Judgement) -> bool {
    claim.erratum.is_none() && (claim.verdict.contradicts() || claim.verdict == Verdict::ConflictingSources)
}

fn case(out: &mut String, claim: &Judgement, area: &str) {
    let _ = write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escape(area), escape(&claim.id));
    let message =
        escape(&format!("{}: printed {}, recomputed {}", claim.verdict.as_str(), claim.printed, recomputed(claim)));
    let told = claim.explanation.as_ref().map(Told::quoted).unwrap_or_default();
    let origin = if claim.found.is_some() { "bound by words, not by an author" } else { "" };
    let body = escape(&[claim.statement.as_str(), claim.source.as_str(), told.as_str(), origin].join("\n"));
    if fails(claim) {
        let _ = writeln!(
            out,
            ">\n      <failure type=\"{}\" message=\"{message}\">{body}</failure>\n    </testcase>",
            claim.verdict.as_str()
        );
    } else if claim.verdict == Verdict::NotCheckable {
        let reason = escape(claim.reason.as_deref().unwrap_or("not checkable"));
        let _ = writeln!(out, ">\n      <skipped message=\"{reason}\"/>\n    </testcase>");
    } else if let Some(reason) = &claim.erratum {
        let _ =
            writeln!(out, ">\n      <system-out>erratum: {}; {message}</system-out>\n    </testcase>", escape(reason));
    } else {
        out.push_str("/>\n");
    }
}

/// Text for XML; characters that XML 1.0 cannot hold become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
