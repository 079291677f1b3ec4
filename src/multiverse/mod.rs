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
mod ranks;
mod regraded;
mod space;
mod survival;
mod words;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::claims::{Judgement, Judgements, Kind, Ledger, Retrial, Ruling, Sources};
use crate::statistics::{Boards, Estimate, Evidence, Fact, Facts, Statistic};
use ranks::Standing;
use survival::{Found, Reach, Seen};
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

/// Asks every conclusion and every rank again under every combination of choices.
pub fn survey(subject: &Subject<'_>) -> Survival {
    let Subject { evidence, judgements, .. } = subject;
    let study = evidence.study;
    let recorded = Recorded::new(evidence);
    let space = Space::new(recorded.settings());
    let asked: Vec<(&Judgement, Kind)> = judgements
        .claims
        .iter()
        .filter(|claim| claim.verdict.agrees() || claim.verdict.contradicts())
        .filter_map(|claim| Some((claim, claim.conclusion(study)?)))
        .collect();
    let wanted: Vec<&Judgement> = asked.iter().map(|(claim, _)| *claim).collect();
    let retrial = Retrial::new(subject.ledgers, judgements, subject.sources, &wanted);
    let court = Court::new(subject, &retrial);
    let judge = |all: &[Combination]| -> Vec<Judged> {
        all.par_iter().map(|own| court.judge(&recorded, &space.settings(own).collect::<Vec<_>>())).collect()
    };
    // Of at most two choices everything is computed; it shows which choices reach what. Of those that reach a
    // conclusion, all combinations are.
    let pairs = space.up_to_two();
    let judged = judge(&pairs);
    let count = retrial.claims().count();
    let about = |at: usize| {
        let words = retrial.words(at);
        move |setting: &Setting| matches!(setting, Setting::WithoutConfiguration(key) if words.contains(key.as_str()))
    };
    let column = |all: &'_ [Combination], judged: &[Judged], at: Option<usize>| -> Vec<Seen> {
        let own = judged.first().and_then(|judged| judged.standing.clone());
        let of = |(_, judged): (&Combination, &Judged)| match at {
            Some(at) => seen(&judged.rulings[at]),
            None => judged.standing.as_ref().map_or_else(Seen::nothing, |now| now.seen(own.as_ref())),
        };
        all.iter().zip(judged).map(of).collect()
    };
    let reach = |at: Option<usize>| {
        let seen = column(&pairs, &judged, at);
        let found: Found<'_> = pairs.iter().map(Vec::as_slice).zip(seen).collect();
        match at {
            Some(at) => Reach::of(&space, &pairs, &found, &about(at)),
            // Leaving a configuration out moves none of the others.
            None => Reach::of(&space, &pairs, &found, &|setting| setting.choice() == Choice::Configuration),
        }
    };
    let places = || (0..count).map(Some).chain([None]);
    let asked_over: Vec<(Reach, Vec<Combination>, bool)> = places()
        .map(|at| {
            let reach = reach(at);
            let (combinations, complete) = reach.combinations(&space, &pairs, study.choices.most);
            (reach, combinations, complete)
        })
        .collect();
    let known: BTreeSet<&Combination> = pairs.iter().collect();
    let more: BTreeSet<&Combination> =
        asked_over.iter().flat_map(|(_, own, _)| own).filter(|own| !known.contains(own)).collect();
    let more: Vec<Combination> = more.into_iter().cloned().collect();
    let judged: Vec<Judged> = judged.into_iter().chain(judge(&more)).collect();
    let all = [pairs, more].concat();
    let numbers: BTreeMap<&[u8], usize> = all.iter().enumerate().map(|(at, own)| (&own[..], at)).collect();
    let choices = made(study, &space);
    let mut conclusions = Vec::new();
    let (mut ranks, mut ranked) = (Vec::new(), None);
    for (at, (reach, combinations, complete)) in places().zip(asked_over) {
        let seen = column(&all, &judged, at);
        let found: Found<'_> = all.iter().map(Vec::as_slice).zip(seen).collect();
        let counted = Counted { complete, ..reach.count(&space, &combinations, &found) };
        let places: Vec<usize> = combinations.iter().map(|own| numbers[&own[..]]).collect();
        let Some(at) = at else {
            let standings: Option<Vec<Standing>> = judged.iter().map(|judged| judged.standing.clone()).collect();
            ranks = standings.map_or_else(Vec::new, |all| ranks::survival(&all, &places));
            ranked = (!ranks.is_empty()).then_some(counted);
            continue;
        };
        let Some((ledger, id)) = retrial.claims().nth(at) else { continue };
        let Some((claim, kind)) = asked.iter().find(|(claim, _)| claim.ledger == ledger && claim.id == id) else {
            continue;
        };
        let specification = |&place: &usize| {
            let ruling = &judged[place].rulings[at];
            Specification { combination: place, holds: ruling.holds, value: ruling.value }
        };
        let specifications: Vec<Specification> = places.iter().map(specification).collect();
        let values = || specifications.iter().filter_map(|one| one.value);
        let mut conclusion = Conclusion {
            ledger: claim.ledger.clone(),
            claim: claim.id.clone(),
            statement: claim.statement.clone(),
            kind: *kind,
            headline: claim.is_headline(study),
            basis: claim.basis,
            as_done: judged[0].rulings[at].holds == Some(true),
            counted,
            range: values().next().map(|first| values().fold((first, first), |(a, b), v| (a.min(v), b.max(v)))),
            threshold: retrial.threshold(at),
            sentence: String::new(),
            specifications,
        };
        conclusion.sentence = words::sentence(&conclusion, &choices);
        conclusions.push(conclusion);
    }
    let combinations = all.len();
    Survival { format: "repro-survival/1", choices, combinations, conclusions, ranks, ranked, space, all }
}

fn seen(ruling: &Ruling) -> Seen {
    Seen { holds: ruling.holds, support: ruling.support }
}

/// What was found under one combination.
struct Judged {
    rulings: Vec<Ruling>,
    standing: Option<Standing>,
}

/// What judges one combination.
struct Court<'a> {
    subject: &'a Subject<'a>,
    retrial: &'a Retrial<'a>,
    /// Statistics that are computed again.
    again: Vec<&'static dyn Statistic>,
    /// Facts of the other statistics that conclusions rest on.
    fixed: Vec<Fact>,
    /// Comparisons that are computed again.
    comparisons: BTreeSet<String>,
}

impl<'a> Court<'a> {
    fn new(subject: &'a Subject<'a>, retrial: &'a Retrial<'a>) -> Self {
        let needed = retrial.statistics();
        let known = |id: &&str| subject.registry.iter().find(|statistic| statistic.about().id == *id).copied();
        let again: Vec<&'static dyn Statistic> =
            needed.iter().filter_map(known).filter(|statistic| statistic.follows_outcomes()).collect();
        let is_again = |id: &str| again.iter().any(|statistic| statistic.about().id == id);
        let fixed = subject.facts.iter().filter(|fact| needed.contains(fact.statistic) && !is_again(fact.statistic));
        let declared = &subject.evidence.study.comparisons;
        let asked = retrial.asked("comparison", "comparison");
        let wanted = |id: &String| asked.as_ref().is_none_or(|asked| asked.contains(id));
        let families: BTreeSet<&String> =
            declared.iter().filter(|own| wanted(&own.id)).filter_map(|own| own.family.as_ref()).collect();
        // P values are adjusted over the whole family of a comparison.
        let with_family = |own: &&crate::study::Comparison| {
            wanted(&own.id) || own.family.as_ref().is_some_and(|family| families.contains(family))
        };
        let comparisons = declared.iter().filter(with_family).map(|own| own.id.clone()).collect();
        let fixed = fixed.cloned().collect();
        Self { subject, retrial, again, fixed, comparisons }
    }

    fn judge(&self, recorded: &Recorded<'_>, settings: &[&Setting]) -> Judged {
        let boards = Boards::given(recorded.world(settings));
        let study = recorded.study(settings, &self.comparisons);
        let evidence = Evidence { study: &study, boards: Some(&boards), ..self.subject.evidence };
        let standing = evidence.main_board().map(|board| Standing::of(&board));
        let computed = self.again.iter().flat_map(|statistic| statistic.compute(&evidence).facts);
        let mut facts: Vec<Fact> = self.fixed.iter().cloned().chain(computed).collect();
        if settings.iter().any(|setting| matches!(setting, Setting::Records)) {
            intervals_over_records(&mut facts);
        }
        Judged { rulings: self.retrial.rulings(&study, &Facts::new(facts)), standing }
    }
}

/// The interval of a mean accuracy over clusters of problems becomes that of the pooled records.
fn intervals_over_records(facts: &mut [Fact]) {
    let of = |measure: &str, fact: &Fact| fact.statistic == "accuracy-mean-sd" && fact.measure == measure;
    let pooled: Vec<Fact> = facts.iter().filter(|fact| of("pooled", fact)).cloned().collect();
    for fact in facts.iter_mut() {
        if !of("mean", fact) {
            continue;
        }
        let other = pooled.iter().find(|pooled| pooled.keys == fact.keys).map(|pooled| &pooled.estimate);
        if let (Estimate::Value { interval, .. }, Some(Estimate::Value { interval: over_records, .. })) =
            (&mut fact.estimate, other)
        {
            *interval = *over_records;
        }
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
