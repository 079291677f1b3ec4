//! Issues of printed numbers: claims that do not follow and conflicts, grouped by what they share.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::Cause;
use super::effect::{Effect, Scale};
use super::group::Groups;
use super::{Issue, Spot, Subject, is_concerned, own, sentence};
use crate::audits::Origin;
use crate::claims::{Conflict, Judgement, Keyed, Shape, Told, Verdict, recomputed};
use crate::report::{Finding, Severity};

/// Most facts of a claim for which a claim about some of them is held to be the same matter; beyond, the claim
/// is a summary that may be wrong for reasons of its own.
const FEW: usize = 3;

/// Something that is grouped.
#[derive(Clone, Copy)]
enum Member<'a> {
    Claim(&'a Judgement),
    Conflict(&'a Conflict),
}

/// Issues of claims and conflicts, and the positions of the findings that belong to them.
pub(super) fn issues(subject: &Subject<'_>) -> (Vec<Issue>, BTreeSet<usize>) {
    let claims: Vec<&Judgement> = subject.judgements.claims.iter().filter(|claim| is_concerned(claim)).collect();
    let conflicts: Vec<&Conflict> = subject.judgements.conflicts.iter().collect();
    let mut groups = Groups::new(claims.len() + conflicts.len());
    let position: BTreeMap<(&str, &str), usize> =
        claims.iter().enumerate().map(|(at, claim)| ((claim.ledger.as_str(), claim.id.as_str()), at)).collect();
    for (at, conflict) in conflicts.iter().enumerate() {
        for id in &conflict.claims {
            if let Some(&claim) = position.get(&(conflict.ledger.as_str(), id.as_str())) {
                groups.join(claim, claims.len() + at);
            }
        }
    }
    let wrong: Vec<(usize, &Judgement)> = claims
        .iter()
        .enumerate()
        .filter(|(_, claim)| own(claim).contradicts())
        .map(|(at, claim)| (at, *claim))
        .collect();
    groups.join_by(
        wrong
            .iter()
            .filter(|(_, claim)| !claim.expressions.is_empty())
            .map(|&(at, claim)| (at, (claim.ledger.as_str(), &claim.expressions, claim.unit.as_str()))),
    );
    groups.join_by(wrong.iter().filter_map(|&(at, claim)| {
        let told = claim.explanation.as_ref()?;
        Some((at, (claim.ledger.as_str(), told.text.as_str())))
    }));
    join_by_facts(&mut groups, &wrong);
    let (mut found, mut told) = (Vec::new(), BTreeSet::new());
    let findings = Index::new(subject);
    for group in groups.all() {
        let members: Vec<Member<'_>> = group
            .into_iter()
            .map(|at| match claims.get(at) {
                Some(claim) => Member::Claim(claim),
                None => Member::Conflict(conflicts[at - claims.len()]),
            })
            .collect();
        let issue = issue(subject, &findings, &members);
        told.extend(issue.findings.iter().copied());
        found.push(issue);
    }
    (found, told)
}

/// Joins a claim with those that rest on the same facts, or on a few more.
fn join_by_facts(groups: &mut Groups, wrong: &[(usize, &Judgement)]) {
    let mut facts: Vec<(usize, BTreeSet<Keyed<'_>>)> = Vec::new();
    for &(at, claim) in wrong {
        // What is not known in full is compared with nothing.
        let known = claim.links.iter().all(|link| link.source != "claim") && claim.links.len() == claim.facts_used;
        let set: BTreeSet<Keyed<'_>> = claim.links.iter().map(crate::claims::Link::keyed).collect();
        // A statement about several values is wrong for a reason of its own.
        if known && claim.shape != Shape::Holds && !set.is_empty() && set.len() <= FEW {
            facts.push((at, set));
        }
    }
    let mut holders: BTreeMap<&Keyed<'_>, Vec<usize>> = BTreeMap::new();
    for (index, (_, set)) in facts.iter().enumerate() {
        for fact in set {
            holders.entry(fact).or_default().push(index);
        }
    }
    for indices in holders.values() {
        for pair in indices.iter().flat_map(|&a| indices.iter().map(move |&b| (a, b))).filter(|(a, b)| a < b) {
            let ((a, left), (b, right)) = (&facts[pair.0], &facts[pair.1]);
            if left.is_subset(right) || right.is_subset(left) {
                groups.join(*a, *b);
            }
        }
    }
}

/// Findings about claims and conflicts by ledger and id.
struct Index<'a> {
    by: BTreeMap<(&'a str, &'a str), Vec<(usize, &'a Finding)>>,
    concerns: BTreeMap<(&'a str, &'a str), Vec<Origin>>,
}

impl<'a> Index<'a> {
    fn new(subject: &Subject<'a>) -> Self {
        let mut by: BTreeMap<(&str, &str), Vec<(usize, &Finding)>> = BTreeMap::new();
        for (at, finding) in subject.findings.iter().enumerate() {
            if let (true, Some(file), Some(id)) =
                (is_about_print(finding.code), finding.place.file.as_deref(), finding.place.subject.as_deref())
            {
                by.entry((file, id)).or_default().push((at, finding));
            }
        }
        let mut concerns: BTreeMap<(&str, &str), Vec<Origin>> = BTreeMap::new();
        for concern in subject.concerns {
            concerns.entry((&concern.ledger, &concern.claim)).or_default().push(concern.origin.clone());
        }
        Self { by, concerns }
    }

    /// How the number of a claim came about.
    fn origins<'s>(&'s self, claim: &'s Judgement) -> Option<&'s Vec<Origin>> {
        self.concerns.get(&(claim.ledger.as_str(), claim.id.as_str()))
    }

    fn of(&self, ledger: &str, id: &str, wanted: impl Fn(&str) -> bool) -> Vec<(usize, &'a Finding)> {
        let all = self.by.get(&(ledger, id)).into_iter().flatten();
        all.copied().filter(|(_, finding)| wanted(finding.code)).collect()
    }
}

/// Codes of the judge's findings about one claim or conflict by its id.
const JUDGED: &[&str] =
    &["claim-differs", "claim-rounds", "claim-impossible", "claim-conflict", "claim-erratum", "erratum-holds"];

/// True for a code of findings that are about one claim or conflict by its id.
fn is_about_print(code: &str) -> bool {
    JUDGED.contains(&code) || crate::audits::is_about_claims(code)
}

fn issue(subject: &Subject<'_>, index: &Index<'_>, members: &[Member<'_>]) -> Issue {
    let scale = Scale::new(subject);
    let mut claims: Vec<&Judgement> = members
        .iter()
        .filter_map(|member| if let Member::Claim(claim) = member { Some(*claim) } else { None })
        .collect();
    let conflicts: Vec<&Conflict> = members
        .iter()
        .filter_map(|member| if let Member::Conflict(conflict) = member { Some(*conflict) } else { None })
        .collect();
    // What weighs most speaks for the issue.
    claims.sort_by_key(|claim| (scale.claim(claim), !claim.is_of_the_paper(), claim.ledger.clone(), claim.id.clone()));
    let wrong: Vec<&Judgement> = claims.iter().copied().filter(|claim| own(claim).contradicts()).collect();
    let mut findings: Vec<(usize, &Finding)> = Vec::new();
    for claim in &claims {
        // What disagrees with one table and is in no listed conflict has its finding under its own id.
        let alone = claim.conflicts.is_empty();
        findings.extend(index.of(&claim.ledger, &claim.id, |code| alone || code != "claim-conflict"));
    }
    for conflict in &conflicts {
        findings.extend(index.of(&conflict.ledger, &conflict.id, |code| code == "claim-conflict"));
    }
    findings.sort_by_key(|(at, _)| *at);
    findings.dedup_by_key(|(at, _)| *at);
    let cause = cause(index, &claims, &conflicts, &wrong);
    let by_claims = wrong.iter().filter_map(|claim| scale.claim(claim)).min();
    let by_conflicts = conflicts.iter().map(|conflict| Scale::conflict(conflict)).min();
    let effect = [by_claims, by_conflicts].into_iter().flatten().min().unwrap_or(Effect::Remark);
    let sentence = match conflicts.first() {
        Some(conflict) => sentence::of_conflict(conflict, &wrong),
        None => sentence::of_claims(subject, &claims, &cause),
    };
    let mut codes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (_, finding) in &findings {
        *codes.entry(finding.code).or_insert(0) += 1;
    }
    let id =
        conflicts.first().map(|conflict| conflict.id.clone()).or_else(|| claims.first().map(|claim| claim.id.clone()));
    Issue {
        id: id.unwrap_or_default(),
        effect,
        cause,
        severity: findings.iter().map(|(_, finding)| finding.severity).max().unwrap_or(Severity::Note),
        sentence,
        places: places(&claims, &conflicts),
        told: told(subject, &claims, &conflicts),
        acknowledged: !claims.is_empty() && claims.iter().all(|claim| claim.erratum.is_some()),
        claims: claims.iter().map(|claim| (claim.ledger.clone(), claim.id.clone())).collect(),
        conflicts: conflicts.iter().map(|conflict| conflict.id.clone()).collect(),
        codes: codes.into_iter().collect(),
        findings: findings.into_iter().map(|(at, _)| at).collect(),
    }
}

/// The most telling cause: a disagreement that was listed, then how one number came about, then what several
/// numbers share.
fn cause(index: &Index<'_>, claims: &[&Judgement], conflicts: &[&Conflict], wrong: &[&Judgement]) -> Cause {
    if let Some(conflict) = conflicts.first() {
        return if conflict.found {
            Cause::Printed
        } else {
            Cause::Listed { conflict: conflict.kind.clone(), wrong: wrong.len() }
        };
    }
    if wrong.is_empty() {
        return Cause::Erratum;
    }
    let shared = index.origins(wrong[0]).into_iter().flatten();
    let of_all =
        |origin: &&Origin| wrong.iter().all(|claim| index.origins(claim).is_some_and(|all| all.contains(origin)));
    if let Some(origin) = shared.clone().find(of_all) {
        return Cause::Audited(origin.clone());
    }
    match wrong {
        [one] => match (shared.min(), own(one)) {
            (Some(origin), _) => Cause::Audited(origin.clone()),
            (None, Verdict::Impossible) => Cause::Impossible,
            (None, Verdict::RoundsTheOtherWay) => Cause::OtherNeighbour,
            (None, _) => Cause::OneNumber,
        },
        many => {
            let first = many[0].explanation.as_ref().map(|told| &told.text);
            let alike = |claim: &&Judgement| claim.explanation.as_ref().map(|told| &told.text) == first;
            let numbers = claims.len();
            if first.is_some() && many.iter().all(alike) {
                Cause::SameExplanation { numbers }
            } else {
                Cause::SameFact { numbers }
            }
        }
    }
}

fn places(claims: &[&Judgement], conflicts: &[&Conflict]) -> Vec<Spot> {
    let mut spots = Vec::new();
    for claim in claims {
        let unit = if claim.unit == "percent" { " %" } else { "" };
        let says = match own(claim) {
            verdict if verdict.contradicts() => {
                format!("printed {}{unit}, recomputed {}{unit}", claim.printed, recomputed(claim))
            }
            verdict => format!("printed {}{unit}: {}", claim.printed, verdict.words()),
        };
        let key = (claim.ledger.clone(), claim.id.clone());
        for place in std::iter::once(&claim.source).chain(&claim.also) {
            spots.push(Spot { place: place.clone(), says: says.clone(), claim: Some(key.clone()) });
        }
    }
    for side in conflicts.iter().flat_map(|conflict| &conflict.sides) {
        spots.push(Spot { place: side.source.clone(), says: side.says.clone(), claim: None });
    }
    spots
}

/// What people wrote about the claims and conflicts, each text once.
fn told(subject: &Subject<'_>, claims: &[&Judgement], conflicts: &[&Conflict]) -> Vec<String> {
    let author = |file: &str| {
        let ledgers = subject.judgements.ledgers.iter();
        ledgers.filter(|ledger| ledger.file == file).find_map(|ledger| ledger.author.clone())
    };
    let listed = conflicts.iter().filter(|conflict| !conflict.found && !conflict.statement.is_empty());
    let listed = listed.map(|conflict| Told { text: conflict.statement.clone(), by: conflict.by.clone(), about: None });
    let explained = claims.iter().filter_map(|claim| claim.explanation.clone());
    let errata = claims
        .iter()
        .filter_map(|claim| Some(Told { text: claim.erratum.clone()?, by: author(&claim.ledger), about: None }));
    let mut seen = BTreeSet::new();
    let all = listed.chain(explained).chain(errata).map(|told| told.quoted());
    all.filter(|text| seen.insert(text.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::JUDGED;
    use crate::report::code;

    #[test]
    fn every_code_that_is_asked_for_exists() {
        let unknown: Vec<&str> = JUDGED.iter().copied().filter(|name| code(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
