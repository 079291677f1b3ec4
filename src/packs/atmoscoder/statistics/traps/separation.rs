//! How far the values of the shortcut lie from the accepted ones.

use std::sync::Arc;

use crate::corpus::{Problem, Set, Shortcut};
use crate::grade::python;
use crate::packs::atmoscoder::options::Options;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};

/// The statistic `trap-separation`.
pub(crate) struct TrapSeparation;

/// Stored and recomputed separations that differ by at most this share are the same: stored ones were
/// computed before answers were rounded.
const SAME: f64 = 0.01;

static ABOUT: About = About {
    id: "trap-separation",
    also: &[],
    title: "Separation of shortcut and answer",
    unit: "percent",
    meaning: "Whether falling for the shortcut is visible to a grader with a tolerance: the distance of the shortcut's \
              answer from the right one.",
    formula: "gap of a sub = min over its accepted values e ≠ 0 of |shortcut - e| / |e|; separation of a trap = 100 × max \
              over its subs; first = 100 × gap of its first sub.",
    source: "Rule trap-separation of the study; shortcut values as stored with the problems, which verification executes \
             again (level L1).",
    edge_cases: "Subs whose accepted values are all 0 or no numbers have no gap; a trap without any gap is undefined. The \
                 distance is that of plain numbers: a grader that compares degrees Celsius in kelvin can accept a \
                 shortcut that is separated here. stored-first and stored-largest compare with the stored number within \
                 1 %.",
    example: "Shortcut (151.6, 181.9) for (118.4, 181.9): gaps 0.280 and 0, separation 28.0 %.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "trap", meaning: "trap name, for separation and first" },
    ],
    measures: &[
        ("separation", "largest gap of a trap, percent"),
        ("first", "gap of its first sub, percent"),
        ("smallest", "smallest separation"),
        ("largest", "largest separation"),
        ("median", "median separation"),
        ("stored-first", "traps whose stored separation is their first gap, of all with one"),
        ("stored-largest", "other traps whose stored separation is their largest gap, of all with one"),
    ],
};

impl Statistic for TrapSeparation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for set in evidence.corpus.sets.iter().filter(|set| set.kind() == "traps") {
            separations(&mut out, evidence, set);
        }
        out
    }
}

fn separations(out: &mut Output, evidence: &Evidence<'_>, set: &Set) {
    const NONE: &str = "no sub has a gap";
    let options = Options::of(evidence.study);
    let key = ("set", set.id.as_str());
    let percent = |gap: Option<f64>| gap.map(|gap| 100.0 * gap);
    let (mut all, mut stored, mut as_first, mut as_largest) = (Vec::new(), 0, 0, 0);
    for problem in &set.problems {
        let Some(trap) = &problem.shortcut else { continue };
        let gaps = gaps(problem, trap);
        let (first, largest) = (gaps.first().copied(), moments::extremes(&gaps).map(|(_, largest)| largest));
        all.extend(largest);
        if let Some(kept) = trap.separation {
            let same = |gap: Option<f64>| gap.is_some_and(|gap| (gap - kept).abs() <= SAME * kept.abs());
            stored += 1;
            as_first += usize::from(same(first));
            as_largest += usize::from(!same(first) && same(largest));
        }
        out.on(ABOUT.id, Basis::Records, &[key, ("trap", options.trap_name(problem.id.as_str()))])
            .put("separation", Estimate::or(percent(largest), NONE))
            .put("first", Estimate::or(percent(first), NONE));
    }
    let ends = moments::extremes(&all);
    out.on(ABOUT.id, Basis::Records, &[key])
        .put("smallest", Estimate::or(percent(ends.map(|(smallest, _)| smallest)), NONE))
        .put("largest", Estimate::or(percent(ends.map(|(_, largest)| largest)), NONE))
        .put("median", Estimate::or(percent(moments::median(&all)), NONE))
        .put("stored-first", Estimate::out_of(as_first, stored))
        .put("stored-largest", Estimate::out_of(as_largest, stored));
}

/// Gaps of the subs that have one, in the order of the shortcut's values.
fn gaps(problem: &Problem, trap: &Shortcut) -> Vec<f64> {
    let gap = |(sub, shortcut): &(Arc<str>, f64)| {
        let accepted = problem.answers.iter().filter(|answer| answer.sub == *sub);
        let distances = accepted.filter_map(|answer| {
            let expected = python::float(&answer.value).filter(|value| *value != 0.0)?;
            Some((shortcut - expected).abs() / expected.abs()).filter(|distance| distance.is_finite())
        });
        distances.min_by(f64::total_cmp)
    };
    trap.values.iter().filter_map(gap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Answer;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::trap;
    use crate::statistics::Facts;
    use crate::statistics::fixture::Fixture;

    #[test]
    fn the_nearest_alternative_and_the_farthest_sub() {
        let answer = |sub: &str, value: &str| Answer { sub: sub.into(), value: value.into(), unit: "".into() };
        let mut one = trap("t1", "p", "f", &[3.0, 8.0, 1.0]);
        // Sub 1 accepts 2 or 4: gap 0.25. Sub 2: 1. Sub 3 expects 0: no gap.
        one.answers = vec![answer("1", "2"), answer("1", "4"), answer("2", "4"), answer("3", "0")];
        one.shortcut.as_mut().unwrap().separation = Some(0.25);
        let mut two = trap("t2", "p", "f", &[1.5, 1.1]);
        two.shortcut.as_mut().unwrap().separation = Some(0.9);
        let study = Fixture::new(&[]).set("traps", "traps", Some("core"), vec![one, two]);
        let facts = Facts::new(study.compute(&TrapSeparation).facts);
        let value = |measure: &str, keys: &[(&str, &str)]| {
            facts.get("trap-separation", measure, keys).unwrap().estimate.point()
        };
        let set = ("set", "traps");
        assert_eq!(value("separation", &[set, ("trap", "t1")]), Some(100.0));
        assert_eq!(value("first", &[set, ("trap", "t1")]), Some(25.0));
        assert_eq!((value("smallest", &[set]), value("median", &[set])), (Some(50.0), Some(75.0)));
        assert_eq!((value("stored-first", &[set]), value("stored-largest", &[set])), (Some(1.0), Some(0.0)));
    }
}
