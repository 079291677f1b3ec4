//! Do the conclusions survive? Every choice that a study could as well have made otherwise is made otherwise, alone
//! and together with the others, and its conclusions and ranks are asked again.
//!
//! The smallest thing that can be recomputed honestly is a world ([`world`]): the boards of outcomes, from which
//! every score starts, and the declaration, as other choices make them. The statistics that a conclusion rests on
//! are computed over it by their own code, and the claim is judged over the new facts by the judge itself. Answers
//! are graded again once for all combinations ([`regraded`]); each combination is then counting over outcomes.
//!
//! A choice counts for a conclusion only where it moves a value that the conclusion rests on; of the others is said
//! that they do not reach it. Nothing here depends on threads: combinations are numbered, and collected in order.

mod choice;
mod court;
mod ranks;
mod reach;
mod regraded;
mod space;
mod survival;
mod words;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::claims::{Judgement, Judgements, Kind, Ledger, Retrial, Sources};
use crate::statistics::{Evidence, Fact, Facts, Statistic};
use court::{Court, Judged};
use ranks::Standing;
use reach::{Found, Reach, Seen};

use world::Recorded;

pub use choice::{Choice, Setting};
pub use space::{Axis, Combination, Space};
pub use survival::{BySetting, Conclusion, Counted, Made, Named, RankSurvival, Specification, Survival};

/// What conclusions are asked again over.
pub struct Subject<'a> {
    /// What statistics see.
    pub evidence: Evidence<'a>,
    /// The statistics.
    pub registry: &'a [&'static dyn Statistic],
    /// What they said as the study did it.
    pub facts: &'a Facts,
    /// The ledgers.
    pub ledgers: &'a [Ledger],
    /// What became of their claims as the study did it.
    pub judgements: &'a Judgements,
    /// What claims are judged against.
    pub sources: &'a Sources<'a>,
}

/// Most combinations that are all computed before it is asked what reaches what.
const EXACT: usize = 1024;

/// Facts of every statistic that follows outcomes, under some other choices.
pub fn facts_under(evidence: &Evidence<'_>, registry: &[&'static dyn Statistic], settings: &[&Setting]) -> Vec<Fact> {
    let recorded = Recorded::new(evidence);
    let all = evidence.study.comparisons.iter().map(|own| own.id.clone()).collect();
    court::facts(evidence, &recorded, registry.iter().copied().filter(|own| own.follows_outcomes()), settings, &all).0
}

/// Asks every conclusion and every rank again under every combination of choices.
///
/// Where all combinations are few, all are computed; else those of at most two choices, which shows what reaches
/// what, and of the choices that reach a conclusion all combinations. Only in the second case three choices that
/// move nothing alone and nothing in pairs would be taken for choices that reach nothing.
pub fn survey(subject: &Subject<'_>) -> Survival {
    let study = subject.evidence.study;
    let recorded = Recorded::new(&subject.evidence);
    let space = Space::new(recorded.settings());
    let asked = asked(subject);
    let wanted: Vec<&Judgement> = asked.iter().map(|(claim, _)| *claim).collect();
    let retrial = Retrial::new(subject.ledgers, subject.judgements, subject.sources, &wanted);
    let court = Court::new(subject, &retrial);
    let judge = |all: &[Combination]| -> Vec<Judged> {
        all.par_iter().map(|own| court.judge(&recorded, &space.settings(own).collect::<Vec<_>>())).collect()
    };
    let pairs = space.every(EXACT).unwrap_or_else(|| space.up_to_two());
    let judged = judge(&pairs);
    let columns: Vec<Column> = (0..retrial.len()).map(Column::Claim).chain([Column::Ranks]).collect();
    let reaches: Vec<Reach> = columns
        .iter()
        .map(|column| Reach::of(&space, &pairs, &column.found(&pairs, &judged), &column.about(&retrial)))
        .collect();
    let over = |reach: &Reach| reach.combinations(&space, &pairs, study.choices.most);
    let asked_over: Vec<(Vec<Combination>, bool)> = reaches.iter().map(over).collect();
    let known: BTreeSet<&Combination> = pairs.iter().collect();
    let more: BTreeSet<&Combination> =
        asked_over.iter().flat_map(|(own, _)| own).filter(|own| !known.contains(own)).collect();
    let more: Vec<Combination> = more.into_iter().cloned().collect();
    let judged: Vec<Judged> = judged.into_iter().chain(judge(&more)).collect();
    let all = [pairs, more].concat();
    let numbers: BTreeMap<&[u8], usize> = all.iter().enumerate().map(|(at, own)| (&own[..], at)).collect();
    let choices = made(study, &space);
    let mut survival = Survival { combinations: all.len(), choices, ..Survival::default() };
    for ((column, reach), (combinations, complete)) in columns.iter().zip(reaches).zip(asked_over) {
        let counted = reach.count(&space, &combinations, &column.found(&all, &judged));
        let counted = Counted { complete, ..counted };
        let places: Vec<usize> = combinations.iter().map(|own| numbers[&own[..]]).collect();
        match column {
            Column::Ranks => {
                let standings: Option<Vec<Standing>> = judged.iter().map(|judged| judged.standing.clone()).collect();
                survival.ranks = standings.map_or_else(Vec::new, |all| ranks::survival(&all, &places));
                survival.ranked = (!survival.ranks.is_empty()).then_some(counted);
            }
            Column::Claim(at) => {
                let (ledger, id) = retrial.claim(*at);
                let Some((claim, kind)) = asked.iter().find(|(own, _)| own.ledger == ledger && own.id == id) else {
                    continue;
                };
                let specifications = column.specifications(&places, &judged);
                let conclusion =
                    Conclusion::new(study, claim, (*kind, retrial.threshold(*at)), counted, specifications);
                let sentence = words::sentence(&conclusion, &survival.choices);
                survival.conclusions.push(Conclusion { sentence, ..conclusion });
            }
        }
    }
    Survival { space, all, ..survival }
}

/// Claims that conclude something, and were decided as the study did it.
fn asked<'a>(subject: &Subject<'a>) -> Vec<(&'a Judgement, Kind)> {
    let decided = subject.judgements.claims.iter().filter(|own| own.verdict.agrees() || own.verdict.contradicts());
    decided.filter_map(|claim| Some((claim, claim.conclusion(subject.evidence.study)?))).collect()
}

/// What is counted: a claim by its number in the retrial, or the order of all configurations.
#[derive(Debug, Clone, Copy)]
enum Column {
    Claim(usize),
    Ranks,
}

impl Column {
    /// What was found of it under each combination; the first is what the study did.
    fn found<'c>(self, all: &'c [Combination], judged: &[Judged]) -> Found<'c> {
        let own = judged.first().and_then(|judged| judged.standing.as_ref());
        let seen = |judged: &Judged| match self {
            Self::Claim(at) => Seen { holds: judged.rulings[at].holds, support: judged.rulings[at].support },
            Self::Ranks => judged.standing.as_ref().map_or_else(Seen::nothing, |now| now.seen(own)),
        };
        all.iter().map(Vec::as_slice).zip(judged.iter().map(seen)).collect()
    }

    /// Whether a setting leaves out what it is about: the configuration that a claim names. Ranks are about all
    /// configurations, and leaving one out moves none of the others.
    fn about(self, retrial: &Retrial<'_>) -> impl Fn(&Setting) -> bool {
        let words = match self {
            Self::Claim(at) => Some(retrial.words(at)),
            Self::Ranks => None,
        };
        move |setting| match setting {
            Setting::WithoutConfiguration(key) => words.as_ref().is_none_or(|words| words.contains(key.as_str())),
            _ => false,
        }
    }

    fn specifications(self, places: &[usize], judged: &[Judged]) -> Vec<Specification> {
        let Self::Claim(at) = self else { return Vec::new() };
        let of = |&place: &usize| {
            let ruling = &judged[place].rulings[at];
            Specification { combination: place, holds: ruling.holds, value: ruling.value }
        };
        places.iter().map(of).collect()
    }
}

fn made(study: &crate::study::Study, space: &Space) -> Vec<Made> {
    let named = |setting: &Setting| Named {
        id: setting.id(),
        name: setting.name(study),
        label: setting.label(study),
        clause: setting.clause(study),
    };
    let of = |axis: &space::Axis| Made {
        choice: axis.choice,
        title: axis.choice.title(),
        as_done: axis.choice.as_done(),
        settings: axis.settings.iter().map(named).collect(),
        reason: study.choices.reasons.get(axis.choice.id()).cloned(),
    };
    space.axes.iter().map(of).collect()
}
