//! The last line of a command of the chain: what holds, what does not, the exit code and why.

use super::chain::short;
use super::exit::{Exit, TABLE};
use crate::pipeline::Evaluated;
use crate::report::{Findings, Severity};
use crate::verify::LevelSummary;

/// From the levels and everything that was found, also about the folder itself:
/// `VERDICT  holds: L0, L1; does not hold: L2 (3 of 40), 6 of 126 claims; exit 1 (disagrees): ...`
pub(super) fn line(evaluated: &Evaluated, findings: &Findings, exit: Exit) -> String {
    let levels = &evaluated.ledger.levels;
    let n = |count: usize| crate::number::grouped(count as u64);
    let mut holds = Vec::new();
    let mut fails = Vec::new();
    let mut open = Vec::new();
    for level in levels {
        let name = format!("{:?}", level.level);
        let told = super::chain::told(level.level, findings);
        if level.disagreed > 0 {
            fails.push(format!("{name} ({} of {} {})", n(level.disagreed), n(level.checked), noun(level)));
        } else if told > 0 {
            fails.push(format!("{name} ({told} {})", if told == 1 { "finding" } else { "findings" }));
        } else if level.agreed > 0 || level.computed > 0 {
            holds.push(name);
        } else if level.total > 0 {
            open.push(name);
        }
    }
    let mut parts = Vec::new();
    for (word, names) in [("holds", holds), ("does not hold", fails), ("not checked", open)] {
        if !names.is_empty() {
            parts.push(format!("{word}: {}", names.join(", ")));
        }
    }
    parts.push(format!("exit {} ({})", exit.code(), why(evaluated, findings, exit)));
    format!("VERDICT  {}", parts.join("; "))
}

fn noun(level: &LevelSummary) -> &'static str {
    short(level.level).1
}

/// Why the code is what it is, from the gravest findings.
fn why(evaluated: &Evaluated, findings: &Findings, exit: Exit) -> String {
    let count = |severity| findings.count(severity);
    let claims = evaluated.judgements.claims.iter();
    let wrong = claims.filter(|claim| claim.verdict.contradicts()).count();
    let plural = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    // A wrong number leaves the code as it is only where the study acknowledges it.
    let good = match wrong {
        0 => "nothing disagrees".to_owned(),
        n => {
            let told =
                plural(n, "printed number is acknowledged as wrong", "printed numbers are acknowledged as wrong");
            format!("{told}; nothing else disagrees")
        }
    };
    match exit {
        Exit::Good if count(Severity::Missing) > 0 => format!("{good}; {} missing, accepted", count(Severity::Missing)),
        Exit::Good => good,
        Exit::Disagrees => {
            let told = plural(count(Severity::Disagrees), "finding disagrees", "findings disagree");
            match wrong {
                0 => told,
                n => format!("{told}; {}", plural(n, "printed number does not hold", "printed numbers do not hold")),
            }
        }
        Exit::Unreadable => plural(count(Severity::Unreadable), "part could not be read", "parts could not be read"),
        Exit::NotCheckable => {
            let told = plural(count(Severity::Missing), "finding of missing evidence", "findings of missing evidence");
            format!("{told}; --allow-missing accepts them")
        }
        other => TABLE.iter().find(|(code, ..)| *code == other).map_or("", |(_, name, _)| name).to_owned(),
    }
}
