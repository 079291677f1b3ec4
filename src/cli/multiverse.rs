//! How conclusions and ranks fare under other choices, on a terminal.

use super::output::{Output, wrap};
use crate::multiverse::Survival;
use crate::number::grouped;
use crate::study::Study;

/// Tells every conclusion and every rank.
pub(super) fn print(survival: &Survival, study: &Study, output: Output) {
    output.line("");
    let of = grouped(survival.combinations as u64);
    output.line(&wrap(&format!("multiverse       {of} combinations of choices"), 17));
    for made in &survival.choices {
        let names: Vec<&str> = made.settings.iter().map(|setting| setting.name.as_str()).collect();
        output.line(&wrap(&format!("    {}: {}", made.title.to_lowercase(), names.join(", ")), 8));
    }
    for conclusion in &survival.conclusions {
        output.line("");
        output.line(&wrap(&format!("{}  {}", conclusion.claim, conclusion.statement), 4));
        output.line(&wrap(&format!("    {}", conclusion.sentence), 8));
    }
    if let Some(ranked) = survival.ranked.as_ref().filter(|ranked| ranked.of > 1) {
        output.line("");
        output.line(&wrap(&format!("ranks over {} combinations", grouped(ranked.of as u64)), 4));
        for rank in &survival.ranks {
            let name = study.configuration(&rank.configuration).map_or(rank.configuration.as_str(), |c| &c.name);
            let range = if rank.best == rank.worst {
                "always".to_owned()
            } else {
                format!("{} to {}, kept in {}", rank.best, rank.worst, grouped(rank.kept as u64))
            };
            let leads = rank.leads.map_or(String::new(), |n| format!(", ahead of the next in {}", grouped(n as u64)));
            output.line(&wrap(&format!("    {:>3}  {name}: {range}{leads}", rank.rank), 9));
        }
    }
}
