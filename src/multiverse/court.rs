//! One combination: a world, the statistics over it, the claims over their facts.

use std::collections::BTreeSet;

use super::Subject;
use super::choice::Setting;
use super::ranks::Standing;
use super::world::Recorded;
use crate::claims::{Retrial, Ruling};
use crate::statistics::{Boards, Estimate, Evidence, Fact, Facts, Statistic};
use crate::study::Study;

/// What was found under one combination.
pub(super) struct Judged {
    /// Claim by claim.
    pub(super) rulings: Vec<Ruling>,
    /// The standing of the main experiment, where there is one.
    pub(super) standing: Option<Standing>,
}

/// What judges one combination.
pub(super) struct Court<'a> {
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
    pub(super) fn new(subject: &'a Subject<'a>, retrial: &'a Retrial<'a>) -> Self {
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

    pub(super) fn judge(&self, recorded: &Recorded<'_>, settings: &[&Setting]) -> Judged {
        let again = self.again.iter().copied();
        let (computed, study, standing) = facts(&self.subject.evidence, recorded, again, settings, &self.comparisons);
        let facts: Vec<Fact> = self.fixed.iter().cloned().chain(computed).collect();
        Judged { rulings: self.retrial.rulings(&study, &Facts::new(facts)), standing }
    }
}

/// Facts of some statistics in the world of some settings, its declaration, and the standing of the main experiment.
pub(super) fn facts(
    evidence: &Evidence<'_>,
    recorded: &Recorded<'_>,
    statistics: impl Iterator<Item = &'static dyn Statistic>,
    settings: &[&Setting],
    comparisons: &BTreeSet<String>,
) -> (Vec<Fact>, Study, Option<Standing>) {
    let boards = Boards::given(recorded.world(settings));
    let study = recorded.study(settings, comparisons);
    let evidence = Evidence { study: &study, boards: Some(&boards), ..*evidence };
    let standing = evidence.main_board().map(|board| Standing::of(&board));
    let mut facts: Vec<Fact> = statistics.flat_map(|statistic| statistic.compute(&evidence).facts).collect();
    if settings.iter().any(|setting| matches!(setting, Setting::Records)) {
        intervals_over_records(&mut facts);
    }
    (facts, study, standing)
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
