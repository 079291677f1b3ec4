//! One sum over all printed numbers: what agrees by what it rests on, and everything else by verdict.

use std::collections::BTreeMap;

use super::judgement::{Basis, Judgements, Verdict};
use crate::number::grouped;

/// What became of all printed numbers, split so that the parts add up to the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// Printed numbers.
    all: usize,
    /// Those that agree, by verdict and basis.
    agree: BTreeMap<(Verdict, Basis), usize>,
    /// The others, by verdict.
    others: BTreeMap<Verdict, usize>,
    /// Those whose author acknowledged that they are wrong.
    errata: usize,
    /// Those that were bound to values by their words and by no author.
    by_words: usize,
}

impl Reconciliation {
    /// The sums of some judgements.
    pub fn of(judged: &Judgements) -> Self {
        let mut sums = Self {
            all: judged.claims.len(),
            agree: [].into(),
            others: [].into(),
            errata: judged.summary.errata,
            by_words: judged.claims.iter().filter(|claim| claim.found.is_some()).count(),
        };
        for claim in &judged.claims {
            match claim.basis.filter(|_| claim.verdict.agrees()) {
                Some(basis) => *sums.agree.entry((claim.verdict, basis)).or_insert(0) += 1,
                None => *sums.others.entry(claim.verdict).or_insert(0) += 1,
            }
        }
        sums
    }

    /// Each part with its verdict, a label and its count, strongest first; empty parts are left out.
    pub fn parts(&self) -> Vec<(Verdict, String, usize)> {
        let agree = self.agree.iter().map(|(&(verdict, basis), &count)| {
            let label = match verdict {
                Verdict::SameByConstruction => verdict.words().to_owned(),
                Verdict::Consistent => format!("{} {}", if count == 1 { "fits" } else { "fit" }, fitting(basis)),
                _ => format!("{} from {}", if count == 1 { "follows" } else { "follow" }, basis.words()),
            };
            (verdict, label, count)
        });
        let others = self.others.iter().map(|(&verdict, &count)| {
            let label = match (verdict, count) {
                (Verdict::RoundsTheOtherWay, 2..) => "round the other way",
                (Verdict::Differs, 2..) => "differ",
                (Verdict::NotCheckable, _) => "cannot be checked",
                _ => verdict.words(),
            };
            (verdict, label.to_owned(), count)
        });
        agree.chain(others).filter(|(_, _, count)| *count > 0).collect()
    }

    /// Numbers that do not follow.
    pub fn wrong(&self) -> usize {
        self.others.iter().filter(|(verdict, _)| verdict.contradicts()).map(|(_, count)| count).sum()
    }

    /// The sum as one sentence.
    pub fn sentence(&self) -> String {
        let agree = |verdict: Verdict| self.agree.iter().filter(move |((of, _), _)| *of == verdict);
        let sum = |verdict: Verdict| agree(verdict).map(|(_, count)| count).sum::<usize>();
        let other = |verdict: Verdict| self.others.get(&verdict).copied().unwrap_or(0);
        let by_basis: Vec<String> = agree(Verdict::Reproduced)
            .map(|((_, basis), &count)| format!("{} from {}", grouped(count as u64), basis.words()))
            .collect();
        let by_basis = if by_basis.len() > 1 { format!(" ({})", by_basis.join(", ")) } else { String::new() };
        let acknowledged = match self.errata {
            0 => String::new(),
            1 => " (1 of these acknowledged as an erratum)".to_owned(),
            errata => format!(" ({} of these acknowledged as errata)", grouped(errata as u64)),
        };
        let mut parts =
            vec![many(sum(Verdict::Reproduced), "follows from the archive", "follow from the archive") + &by_basis];
        if sum(Verdict::Consistent) > 0 {
            let (one, more) = ("fits other printed numbers and no more", "fit other printed numbers and no more");
            parts.push(many(sum(Verdict::Consistent), one, more));
        }
        if sum(Verdict::SameByConstruction) > 0 {
            let (one, more) = ("is compared with what was made from it", "are compared with what was made from them");
            parts.push(many(sum(Verdict::SameByConstruction), one, more));
        }
        parts.push(many(self.wrong(), "does not follow", "do not follow") + &acknowledged);
        parts.push(format!("{} cannot be checked", grouped(other(Verdict::NotCheckable) as u64)));
        let conflicting = grouped(other(Verdict::ConflictingSources) as u64);
        let noun = if self.all == 1 { "number" } else { "numbers" };
        let bound = match self.by_words {
            0 => String::new(),
            all if all == self.all => " They were bound to values by their words, not by an author.".to_owned(),
            some => format!(" {} of them were bound to values by their words, not by an author.", grouped(some as u64)),
        };
        format!(
            "Of {} printed {noun}, {}, and for {conflicting} the sources disagree with one another.{bound}",
            grouped(self.all as u64),
            parts.join(", ")
        )
    }
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { more })
}

/// What a number fits that rests on nothing stronger than other printed numbers.
const fn fitting(basis: Basis) -> &'static str {
    match basis {
        Basis::Rebuilt => "runs rebuilt from published tables",
        Basis::Counts => "counts printed beside them",
        Basis::Published => "other published tables",
        Basis::Records | Basis::Execution | Basis::States => "a range that can be computed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole_and_the_sentence_says_each() {
        let sums = Reconciliation {
            all: 100,
            agree: [
                ((Verdict::Reproduced, Basis::Records), 40),
                ((Verdict::Reproduced, Basis::Execution), 3),
                ((Verdict::SameByConstruction, Basis::Rebuilt), 2),
                ((Verdict::Consistent, Basis::Rebuilt), 20),
                ((Verdict::Consistent, Basis::Published), 5),
            ]
            .into(),
            others: [(Verdict::NotCheckable, 24), (Verdict::ConflictingSources, 1), (Verdict::Differs, 5)].into(),
            errata: 0,
            by_words: 0,
        };
        assert_eq!(sums.parts().iter().map(|(_, _, count)| count).sum::<usize>(), sums.all);
        assert_eq!(
            sums.sentence(),
            "Of 100 printed numbers, 43 follow from the archive (40 from records of the archive, 3 from programs \
             executed by this tool), 25 fit other printed numbers and no more, 2 are compared with what was made from \
             them, 5 do not follow, 24 cannot be checked, and for 1 the sources disagree with one another."
        );
        let found = Reconciliation { by_words: 100, ..sums };
        assert!(found.sentence().ends_with(" They were bound to values by their words, not by an author."));
    }
}
